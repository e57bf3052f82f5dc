"""How terms and scales of the glossary are read from JSON: each description becomes tests over a product's attributes.

A term has one or more descriptions, any of which is enough; what one description lists must all hold:
`{"family": "amber | oud", "sillage": "heavy.."}`, `{"note": "lemon | lime | yuzu", "atLeast": 2}`, `{"term": "oriental", "not": "fresh"}`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from shopping_agent.domain.glossary_facts import ATTRIBUTES, OPTION, Scale, canonical
from shopping_agent.domain.glossary_predicates import Test, has, meets, sized, untold, within
from shopping_agent.domain.rules_reading import (
    did_you_mean,
    read_object,
    read_range,
    read_texts,
)
from shopping_agent.domain.text import fold
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary

_SIZE: Final = "sizeMl"
_AT_LEAST, _TERM, _NOT = "atLeast", "term", "not"
_SCALED: Final = ("sillage", "longevity", "concentration")
_SCALE_FIELDS: Final = ("label", "steps", "also", "attribute")
_UNKNOWN: Final = "unknown"
_NOTES: Final = ("note", "top", "heart", "base")
_CLOSED: Final = frozenset({"season", "occasion", "gender"})


@frozen
class Term:
    """A term of the glossary.

    Attributes:
        bit: its place in `Traits.bits`.
        singles: attribute and value that are each enough.
        others: descriptions of several conditions.
        refers: the other terms that these name.
    """

    name: str
    bit: int
    label: Mapping[str, str]
    singles: tuple[tuple[str, str], ...]
    others: tuple[tuple[Test, ...], ...]
    refers: frozenset[str]

    @property
    def mask(self) -> int:
        return 1 << self.bit


def read_scale(name: str, given: Any) -> Scale:
    """A scale from `{label?, steps: [weakest first], also?: {word: step}, attribute?}`.

    Raises:
        ValueError: naming the place and what would work.
    """
    spec = read_object(f"scales.{name}", given)
    if strange := [key for key in spec if key not in _SCALE_FIELDS]:
        raise ValueError(
            f"scales.{name}: unknown {strange[0]!r}; it may have {', '.join(_SCALE_FIELDS)}"
        )
    steps = spec.get("steps")
    if not isinstance(steps, list) or len(cast("list[Any]", steps)) < 2:
        raise ValueError(f"scales.{name}.steps must be a list of at least two texts, weakest first")
    named = tuple(" ".join(fold(str(step)).split()) for step in cast("list[Any]", steps))
    words = {step: level for level, step in enumerate(named)}
    for word, step in read_object(f"scales.{name}.also", spec.get("also", {})).items():
        if step not in words:
            raise ValueError(f"scales.{name}.also.{word}: {step!r} is none of {', '.join(named)}")
        words[" ".join(fold(word).split())] = words[step]
    attribute = spec.get("attribute", name)
    if attribute not in _SCALED and not str(attribute).startswith(OPTION):
        raise ValueError(
            f"scales.{name}.attribute must be {', '.join(_SCALED)} or {OPTION}<name>, not {attribute!r}"
        )
    label = read_texts(f"scales.{name}.label", spec.get("label", {}))
    return Scale(name=name, attribute=str(attribute), steps=named, words=words, label=label)


def read_term(
    name: str,
    given: Any,
    known: Mapping[str, Term],
    scales: Sequence[Scale],
    vocabulary: Vocabulary,
) -> Term:
    """A term from `{label?, is: [description]}`; it may refer to the terms `known` so far.

    Raises:
        ValueError: naming the description, its field and what would work.
    """
    spec = read_object(name, given)
    if strange := [key for key in spec if key not in ("label", "is")]:
        raise ValueError(f"{name}: unknown {strange[0]!r}; a term may have label, is")
    described = spec.get("is")
    if not isinstance(described, list) or not described:
        raise ValueError(
            f'{name}.is must be a list of descriptions, such as [{{"family": "citrus"}}]'
        )
    singles: list[tuple[str, str]] = []
    others: list[tuple[Test, ...]] = []
    for number, one in enumerate(cast("list[Any]", described), start=1):
        place = f"{name}.is, description {number}"
        conditions = read_object(place, one)
        reading = _Reading(place, known, scales, vocabulary)
        only = next(iter(conditions), "")
        if len(conditions) == 1 and (only in ATTRIBUTES or only.startswith(OPTION)):
            singles += [(only, value) for value in reading.values(only, conditions[only])]
        else:
            others.append(reading.tests(conditions))
    return Term(
        name=name,
        bit=len(known),
        label=read_texts(f"{name}.label", spec.get("label", {})),
        singles=tuple(dict.fromkeys(singles)),
        others=tuple(others),
        refers=frozenset(_referred(cast("list[Any]", described))),
    )


def _referred(described: Iterable[Any]) -> Iterator[str]:
    for one in described:
        for key in (_TERM, _NOT):
            yield from (name.strip() for name in str(one.get(key, "")).split("|") if name.strip())


@frozen
class _Reading:
    """One description of a term as tests."""

    place: str
    known: Mapping[str, Term]
    scales: Sequence[Scale]
    vocabulary: Vocabulary

    def values(self, attribute: str, given: Any) -> frozenset[str]:
        words = [word.strip() for word in self._text(attribute, given).split("|")]
        found = frozenset(
            value for word in words for value in canonical(self.vocabulary, attribute, word)
        )
        closed = self.vocabulary.concepts.get(attribute, ()) if attribute in _CLOSED else ()
        if strange := sorted(found - set(closed)) if closed else []:
            raise ValueError(
                f"{self.place}: {strange[0]!r} is no {attribute}: {', '.join(closed)}"
                f"{did_you_mean(strange[0], closed)}"
            )
        if not found:
            raise ValueError(f"{self.place}: {attribute} must name a value")
        return found

    def tests(self, conditions: Mapping[str, Any]) -> tuple[Test, ...]:
        if not conditions:
            raise ValueError(f"{self.place} is empty")
        at_least = conditions.get(_AT_LEAST, 1)
        if not isinstance(at_least, int) or isinstance(at_least, bool) or at_least < 1:
            raise ValueError(f"{self.place}: {_AT_LEAST} must be a whole number from 1")
        counted = self._counted(conditions) if _AT_LEAST in conditions else ""
        return tuple(
            self._test(key, given, at_least if key == counted else 1)
            for key, given in conditions.items()
            if key != _AT_LEAST
        )

    def _counted(self, conditions: Mapping[str, Any]) -> str:
        """The attribute whose values `atLeast` counts: that of notes, else the only one."""
        listed = [key for key in conditions if key in ATTRIBUTES or key.startswith(OPTION)]
        counted = [key for key in listed if key in _NOTES] or listed
        if len(counted) != 1:
            raise ValueError(
                f"{self.place}: {_AT_LEAST} counts the values of one attribute, of {', '.join(_NOTES)} or the only one"
            )
        return counted[0]

    def _test(self, key: str, given: Any, at_least: int) -> Test:
        if key in ATTRIBUTES or key.startswith(OPTION):
            return has(key, self.values(key, given), at_least)
        if key in (_TERM, _NOT):
            return meets(self._mask(key, given), wanted=key == _TERM)
        if key == _SIZE:
            return sized(*self._sizes(given))
        for position, scale in enumerate(self.scales):
            if scale.name == key:
                if given == _UNKNOWN:
                    return untold(position)
                try:
                    return within(position, *scale.interval(self._text(key, given)))
                except ValueError as error:
                    raise ValueError(f"{self.place}: {key}: {error}") from error
        allowed = (*ATTRIBUTES, *(s.name for s in self.scales), _SIZE, _TERM, _NOT, _AT_LEAST)
        raise ValueError(
            f"{self.place}: unknown {key!r}; it may have {', '.join(allowed)} and {OPTION}<name>"
            f"{did_you_mean(key, allowed)}"
        )

    def _mask(self, key: str, given: Any) -> int:
        mask = 0
        for name in (word.strip() for word in self._text(key, given).split("|")):
            if name not in self.known:
                raise ValueError(
                    f"{self.place}: {key}: {name!r} is no term defined above this one"
                    f"{did_you_mean(name, self.known)}"
                )
            mask |= self.known[name].mask
        return mask

    def _sizes(self, given: Any) -> tuple[int, int]:
        ends = read_range(self._text(_SIZE, given))
        if ends is None or not all(end == "" or end.isdecimal() for end in ends):
            raise ValueError(f"{self.place}: {_SIZE} must be an interval such as 10..50 or ..50")
        return int(ends[0] or 0), int(ends[1] or 10**9)

    def _text(self, key: str, given: Any) -> str:
        if not isinstance(given, str):
            raise ValueError(f"{self.place}: {key} must be a text")
        return given
