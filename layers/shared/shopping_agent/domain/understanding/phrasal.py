"""Verbs whose meaning a word further on decides: `take the first one out`, `leave it out`, `بلاش من ...`."""

from dataclasses import replace
from typing import Final

from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.vocabulary import Match, Sense

_FAR: Final = 8  # tokens between a verb and its particle
_NEAR: Final = 4  # tokens between a verb of letting go and what is let go


def with_phrasal_verbs(reading: Reading) -> Reading:
    """The reading in which such verbs remove, wherever the rest of the phrase and an object are there."""
    removing = [
        m
        for m in reading.of("phrasal", "verb")
        if _is_taken_out(reading, m) and not _is_wish(reading, m)
    ]
    removing += [m for m in reading.of("phrasal", "drop") if _has_object(reading, m)]
    if not removing:
        return reading
    spans = [(m.start, m.end) for m in removing]
    kept = [
        m
        for m in reading.matches
        if m.kind not in {"action", "answer"} or not any(a <= m.start < b for a, b in spans)
    ]
    verbs = [Match(Sense("action", "remove", m.sense.languages), m.start, m.end) for m in removing]
    matches = tuple(sorted([*kept, *verbs], key=lambda m: m.start))
    by_kind: dict[str, list[Match]] = {}
    for match in matches:
        by_kind.setdefault(match.kind, []).append(match)
    return replace(reading, matches=matches, by_kind=by_kind)


def _is_taken_out(reading: Reading, verb: Match) -> bool:
    """`take ... out`, `put it back`: the particle in the same clause, before any other verb of buying."""
    objects = ("everything", "cart")
    others = [
        m.start for m in reading.of("action") if m.start >= verb.end and m.concept not in objects
    ]
    for particle in reading.of("phrasal", "out"):
        gap = particle.start - verb.end
        if not 0 <= gap <= _FAR or not reading.same_clause(verb.start, particle.start):
            continue
        between = any(verb.end <= start < particle.start for start in others)
        if not between and not _means_something_else(reading, particle):
            return True
    return False


def _is_wish(reading: Reading, verb: Match) -> bool:
    """`leave out the vanilla`: about what a perfume shall not have, not about a product."""
    return reading.covered(verb.start, "negation", "without") and not _has_object(reading, verb)


def _means_something_else(reading: Reading, particle: Match) -> bool:
    """`out of stock`, `20% off`, `back in my cart`."""
    before = particle.start - 1
    return (
        any(reading.starts(particle.start, kind) for kind in ("stock", "topic"))
        or reading.sign(before) == "%"
        or reading.covered(before, "unit", "share")
        or reading.starts(particle.start, "phrasal", "in")
    )


def _has_object(reading: Reading, verb: Match) -> bool:
    """A product, a position or a pronoun behind the verb, in its clause."""
    objects = [start for start, _ in reading.names]
    objects += [m.start for kind in ("ordinal", "pronoun") for m in reading.of(kind)]
    grown = any(
        m.start <= verb.start and verb.end <= m.end and m.end - m.start > 1
        for m in reading.of("pronoun")
    )
    return grown or any(
        0 <= at - verb.end <= _NEAR and reading.same_clause(verb.start, at) for at in objects
    )
