"""How many said as how often: `add it twice`, `deux fois`, `جوج مرات`; not `I asked you twice`, not `twice a day`."""

from collections.abc import Sequence
from typing import Final

from shopping_agent.domain.understanding.clauses import negated
from shopping_agent.domain.understanding.figures import Figure
from shopping_agent.domain.understanding.places import ARTICLES
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Match

_BUYING: Final = ("add", "put", "take", "want")
_MOST: Final = 999
_SHORT: Final = 3  # letters of a word that may stand anywhere: articles, particles
_TO_CART: Final = 3  # words of `in my cart`
_TO_PERIOD: Final = 1  # the `a` of `twice a day`
# Who does it is told: `add it I use it twice`, `tu as ajoute X deux fois`.
_SUBJECTS: Final = frozenset({"i", "je", "j", "you", "we", "they", "he", "she", "tu", "il", "elle"})
_AUXILIARIES: Final = frozenset({"have", "has", "had", "ai", "as", "a", "avez", "avons", "ont"})
_OF: Final = frozenset({"of", "de", "du", "d", "dyal", "من", "ديال", "د"})


@frozen
class Repeat:
    """A number of times that orders so many pieces. `start`, `end`: tokens, half open."""

    start: int
    end: int
    value: int


def repeats(reading: Reading, numbers: Sequence[Figure]) -> list[Repeat]:
    """Those of a message, in order."""
    times = reading.of("repeat", "times")
    found = [
        Repeat(m.start, m.end, int(m.concept))
        for m in reading.of("repeat")
        if m.concept.isdecimal()
    ]
    found += [
        Repeat(figure.start, m.end, int(figure.value))
        for figure in numbers
        for m in times
        if 1 < figure.value <= _MOST and figure.value == int(figure.value)
        if m.start == figure.end or (m.start == figure.end + 1 and reading.word(figure.end) in _OF)
    ]
    meant = [r for r in found if _is_ordered(reading, r)]
    return sorted(meant, key=lambda r: r.start)


def repeated(reading: Reading, numbers: Sequence[Figure]) -> int | None:
    """The first number of times of a message, as a number of pieces."""
    return next((r.value for r in repeats(reading, numbers)), None)


def repeated_beside(
    reading: Reading, numbers: Sequence[Figure], span: tuple[int, int], after: int
) -> int | None:
    """That of one of several products; of an object without a name that between `after` and the span."""
    start, end = span
    for repeat in repeats(reading, numbers):
        between = range(end, repeat.start)
        apart = any(reading.in_name(i) or reading.covered(i, "joint") for i in between)
        behind = end <= repeat.start and reading.same_clause(end, repeat.start) and not apart
        if behind or (start == end and after <= repeat.start < start):
            return repeat.value
    return None


def is_habit(reading: Reading, verb: Match) -> bool:
    """`je le mets deux fois par jour`, `I put it on twice a day`: how it is worn."""
    return any(
        m.end <= unit.start <= m.end + _TO_PERIOD
        for m in reading.of("repeat", "times", "2", "3")
        if m.start >= verb.end and reading.same_clause(m.start, verb.start)
        for unit in reading.of("unit", "time")
    )


def _is_ordered(reading: Reading, repeat: Repeat) -> bool:
    clause = reading.clause_of(repeat.start)
    if any(
        reading.clause_of(m.start) == clause
        for m in (*reading.of("repeat", "told"), *reading.of("modality", "past"))
    ):
        return False
    verbs = [
        v
        for v in reading.of("action", *_BUYING)
        if v.end <= repeat.start and reading.clause_of(v.start) == clause
    ]
    named_behind = any(
        start == repeat.end or (start == repeat.end + 1 and reading.word(repeat.end) in _OF)
        for start, _ in reading.names
    ) or _is_of_place(reading, repeat)
    if not (named_behind or _ends(reading, repeat.end)):
        return False
    if verbs:
        return _leads(reading, verbs[-1], repeat)
    opening = repeat.start == 0 or reading.clause_of(repeat.start - 1) != clause
    if named_behind:
        return opening
    return any(
        end == repeat.start and (start == 0 or reading.clause_of(start - 1) != clause)
        for start, end in reading.names
    )


def _is_of_place(reading: Reading, repeat: Repeat) -> bool:
    """`deux fois le premier`: so many of one of those shown."""
    return reading.word(repeat.end) in ARTICLES and any(
        m.start == repeat.end + 1 and m.concept != "idiom" for m in reading.of("ordinal")
    )


def _leads(reading: Reading, verb: Match, repeat: Repeat) -> bool:
    """Whether nothing but the object of the verb stands between it and the number of times."""
    if reading.word(verb.start - 1) in _AUXILIARIES or negated(reading, verb.start):
        return False
    return all(_is_of_object(reading, i) for i in range(verb.end, repeat.start))


def _is_of_object(reading: Reading, position: int) -> bool:
    word = reading.word(position)
    if reading.in_name(position) or any(m.start <= position < m.end for m in reading.matches):
        return word not in _SUBJECTS
    return len(word) <= _SHORT and word not in _SUBJECTS


def _ends(reading: Reading, end: int) -> bool:
    """Whether nothing follows that it may be part of: `twice a day`, `twice as long`, `twice to add it`."""
    if end >= len(reading.tokens) or not reading.same_clause(end - 1, end) or reading.sign(end):
        return True
    if reading.starts(end, "courtesy", "please", "thanks") or reading.starts(
        end, "joint", "and", "but", "only"
    ):
        return True
    return any(0 <= m.start - end < _TO_CART for m in reading.of("action", "cart")) or (
        reading.starts(end, "order", "also")
    )
