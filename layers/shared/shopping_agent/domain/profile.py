"""What is known of a shopper that rules of recommendation look at: climate, occasion, tastes, sensitivities, ...

Which keys there are, their values and words is data of the store pack (`profile.json`); no code knows what the store sells.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from shopping_agent.domain.rules_reading import read_texts
from shopping_agent.domain.store import FALLBACKS
from shopping_agent.domain.text import fold
from shopping_agent.domain.values import frozen, frozen_by_identity
from shopping_agent.errors import InvalidFieldError

YES, NO = "yes", "no"
BUDGET: Final = "budget"
"""The key of rules' conditions that a price limit fills; no field of a profile."""
_KEY_FIELDS: Final = frozenset({"label", "values", "many", "adds", "private"})
_VALUE_FIELDS: Final = frozenset({"also", "label"})
_LONGEST: Final = 60
_MOST: Final = 12


@frozen
class Profile:
    """What a shopper said or a client sent; hashable, keys in the schema's order.

    Attributes:
        stated: `(key, values)`; every key has at least one value.
    """

    stated: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def get(self, key: str) -> tuple[str, ...]:
        """The values of a key, () when it is not known."""
        return dict(self.stated).get(key, ())

    def view(self) -> dict[str, list[str]]:
        """The profile as JSON: `{"climate": ["hot"], "sensitivities": ["migraine"]}`."""
        return {key: list(values) for key, values in self.stated}

    def without(self, key: str, value: str | None = None) -> "Profile":
        """The profile without a key, or without one of its values: how a shopper corrects it."""
        kept = (
            (k, tuple(v for v in values if k != key or (value is not None and v != value)))
            for k, values in self.stated
        )
        return Profile(tuple((k, values) for k, values in kept if values))

    def __bool__(self) -> bool:
        return bool(self.stated)


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
    """

    name: str
    values: tuple[str, ...]
    words: Mapping[str, str]
    many: bool
    adds: bool
    private: frozenset[str]
    label: Mapping[str, str]
    labels: Mapping[str, Mapping[str, str]]

    def canonical(self, value: object) -> str | None:
        """The canonical value of a word, of True or of False; None for what is not one of this key's."""
        if isinstance(value, bool):
            value = YES if value else NO
        if not isinstance(value, str):
            return None
        return self.words.get(_plain(value))


@frozen_by_identity
class ProfileSchema:
    """The keys that profiles of a store may have. Their order is that of strength: see `recommendation.advise`."""

    keys: Mapping[str, ProfileKey]

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "ProfileSchema":
        """A schema from `{key: {label, many?, adds?, private?: [value], values: {value: {also?: "word, word", label}}}}`.

        Raises:
            ValueError: naming the place and what would work.
        """
        return cls({name: _key(name, given) for name, given in document.items()})

    def parse(self, document: Mapping[str, Any], *, field: str = "profile") -> Profile:
        """A profile from JSON: each key holds a value or a list of values; null and [] say nothing.

        Raises:
            InvalidFieldError: naming the field, and the keys or values that there are.
        """
        unknown = [key for key in document if key not in self.keys]
        if unknown:
            raise InvalidFieldError(
                f"{field}.{unknown[0][:_LONGEST]} is unknown; a profile has {', '.join(self.keys)}",
                field=f"{field}.{unknown[0][:_LONGEST]}",
            )
        return self.of({key: self._values(key, given, field) for key, given in document.items()})

    def of(self, values: Mapping[str, Iterable[str]]) -> Profile:
        """A profile of canonical values, in the schema's order, without repeats."""
        stated = ((key, tuple(dict.fromkeys(values.get(key, ())))) for key in self.keys)
        return Profile(tuple((key, found) for key, found in stated if found))

    def merge(self, known: Profile, said: Profile) -> Profile:
        """What was known and what is said now: a key stated anew replaces itself, a sensitivity is never lost by it."""
        before, now = dict(known.stated), dict(said.stated)
        joined = {
            key: (*before.get(key, ()), *now.get(key, ()))
            if spec.adds or key not in now
            else now[key]
            for key, spec in self.keys.items()
        }
        return self.of(joined)

    def keepable(self, profile: Profile) -> Profile:
        """The profile without what tells of the shopper's health: that lives for the turn only."""
        return self.of(
            {
                key: [v for v in values if v not in self.keys[key].private]
                for key, values in profile.stated
                if key in self.keys
            }
        )

    def is_private(self, key: str, value: str) -> bool:
        """Whether a value tells of the shopper's health."""
        return key in self.keys and value in self.keys[key].private

    def label(self, key: str, value: str, language: str) -> str:
        """A value in the shopper's words ("hot climate"); the value itself where the data has none."""
        spec = self.keys.get(key)
        labels: Mapping[str, str] = spec.labels.get(value, {}) if spec else {}
        return next((labels[c] for c in FALLBACKS.get(language, ("en",)) if c in labels), value)

    def labels(self, profile: Profile, language: str) -> list[str]:
        """The profile in the shopper's words, in the schema's order."""
        return [
            self.label(key, value, language) for key, values in profile.stated for value in values
        ]

    def _values(self, key: str, given: object, field: str) -> list[str]:
        spec = self.keys[key]
        listed = cast("list[object]", given) if isinstance(given, list) else [given]
        listed = [value for value in listed if value is not None and value != ""]
        if len(listed) > (_MOST if spec.many else 1):
            most = f"at most {_MOST} values" if spec.many else "one value"
            raise InvalidFieldError(f"{field}.{key} takes {most}", field=f"{field}.{key}")
        found: list[str] = []
        for value in listed:
            canonical = spec.canonical(value)
            if canonical is None:
                raise InvalidFieldError(
                    f"{field}.{key} cannot be {str(value)[:_LONGEST]!r}: it is one of {', '.join(spec.values)}",
                    field=f"{field}.{key}",
                )
            found.append(canonical)
        return found


def _plain(word: str) -> str:
    return " ".join(fold(word).replace("_", " ").replace("-", " ").split())


def _key(name: str, given: Any) -> ProfileKey:
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
    )


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
