"""One key of profiles as the store pack's `profile.json` writes it: its values, and how messages say them."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Final, cast

from shopping_agent.domain.rules_reading import read_texts
from shopping_agent.domain.text import fold
from shopping_agent.domain.values import frozen

YES, NO = "yes", "no"
BUDGET: Final = "budget"
"""The key of rules' conditions that a price limit fills; no field of a profile."""
_KEY_FIELDS: Final = frozenset({"label", "values", "many", "adds", "private", "ask", "called"})
_VALUE_FIELDS: Final = frozenset({"also", "label", "said", "refuses"})


@frozen
class ProfileKey:
    """One key of profiles.

    Attributes:
        values: canonical ones.
        words: folded word -> canonical value; the values themselves are among them.
        many: whether several values make sense.
        adds: whether what is said later adds to what was said before, instead of replacing it.
        private: values that tell of the shopper's health.
        label: the key in words, by language; `labels`: the same for each value.
        ask: the question for it, by language.
        called: what messages call the key ("the weather"), by language as the vocabulary writes phrases.
        said: by value how messages say it, in the same form; `refuses`: the terms whose dislike says it.
    """

    name: str
    values: tuple[str, ...]
    words: Mapping[str, str]
    many: bool
    adds: bool
    private: frozenset[str]
    label: Mapping[str, str]
    labels: Mapping[str, Mapping[str, str]]
    ask: Mapping[str, str] = field(default_factory=dict[str, str])
    called: Mapping[str, str] = field(default_factory=dict[str, str])
    said: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    refuses: Mapping[str, str] = field(default_factory=dict[str, str])

    def canonical(self, value: object) -> str | None:
        """The canonical value of a word, of True or of False; None for what is not one of this key's."""
        if isinstance(value, bool):
            value = YES if value else NO
        if not isinstance(value, str):
            return None
        return self.words.get(_plain(value))


def _plain(word: str) -> str:
    return " ".join(fold(word).replace("_", " ").replace("-", " ").split())


def read_key(name: str, given: Any) -> ProfileKey:
    """A key from JSON.

    Raises:
        ValueError: naming the place and what would work.
    """
    if not isinstance(given, Mapping):
        raise ValueError(f"{name} must be an object")
    spec = cast(Mapping[str, Any], given)
    _refuse_others(name, spec, _KEY_FIELDS)
    if name == BUDGET:
        raise ValueError(f"{name}: this name is taken: a price limit fills it")
    values = spec.get("values")
    if not isinstance(values, Mapping) or not values:
        raise ValueError(f"{name}.values must be an object of values")
    by_value = cast(Mapping[str, Any], values)
    private = _texts(f"{name}.private", spec.get("private", []))
    if strange := [value for value in private if value not in by_value]:
        raise ValueError(f"{name}.private: {strange[0]!r} is none of its values")
    return ProfileKey(
        name=name,
        values=tuple(by_value),
        words=_words(name, by_value),
        many=_flag(f"{name}.many", spec.get("many", False)),
        adds=_flag(f"{name}.adds", spec.get("adds", False)),
        private=frozenset(private),
        label=read_texts(f"{name}.label", spec.get("label", {})),
        labels={
            value: read_texts(f"{name}.{value}.label", one.get("label", {}))
            for value, one in by_value.items()
        },
        ask=read_texts(f"{name}.ask", spec.get("ask", {})),
        called=_phrases(f"{name}.called", spec.get("called", {})),
        said={
            value: _phrases(f"{name}.{value}.said", one["said"])
            for value, one in by_value.items()
            if "said" in one
        },
        refuses={
            value: _text(f"{name}.{value}.refuses", one["refuses"])
            for value, one in by_value.items()
            if "refuses" in one
        },
    )


def _phrases(place: str, given: Any) -> dict[str, str]:
    if not isinstance(given, Mapping):
        raise ValueError(f"{place} must be an object of phrases by language")
    return {
        language: _text(f"{place}.{language}", text)
        for language, text in cast(Mapping[str, Any], given).items()
    }


def _text(place: str, given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError(f"{place} must be a text of phrases separated by commas")
    return given


def _words(name: str, values: Mapping[str, Any]) -> dict[str, str]:
    words: dict[str, str] = {}
    for value, one in values.items():
        if not isinstance(one, Mapping):
            raise ValueError(f"{name}.{value} must be an object")
        _refuse_others(f"{name}.{value}", cast(Mapping[str, Any], one), _VALUE_FIELDS)
        also = cast(Mapping[str, Any], one).get("also", "")
        if not isinstance(also, str):
            raise ValueError(f"{name}.{value}.also must be words separated by commas")
        for word in (value, *also.split(",")):
            if not (plain := _plain(word)):
                continue
            if words.setdefault(plain, value) != value:
                raise ValueError(f"{name}.{value}: {word.strip()!r} already means {words[plain]}")
    return words


def _refuse_others(place: str, given: Mapping[str, Any], allowed: frozenset[str]) -> None:
    if strange := [key for key in given if key not in allowed]:
        raise ValueError(
            f"{place}: unknown {strange[0]!r}; it may have {', '.join(sorted(allowed))}"
        )


def _flag(place: str, given: Any) -> bool:
    if not isinstance(given, bool):
        raise ValueError(f"{place} must be true or false")
    return given


def _texts(place: str, given: Any) -> Sequence[str]:
    listed = cast("list[Any]", given) if isinstance(given, list) else None
    if listed is None or not all(isinstance(one, str) for one in listed):
        raise ValueError(f"{place} must be a list of texts")
    return listed
