"""Which ones of the products shown: ordinals, ranges, numbers in the list."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from shopping_agent.domain.query import Order
from shopping_agent.domain.understanding.amounts import has_unit
from shopping_agent.domain.understanding.figures import Figure
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Match

_LIST_LENGTH: Final = 20
_LONGEST_RANGE: Final = 5
NOT_COUNTED: Final = ("size", "year", "time", "share", "person", "spray", "dose")
_ANOTHER: Final = frozenset({"un", "une", "a", "another"})
_DETERMINERS: Final = frozenset({"the", "that", "this", "very", "those", "these", "your"})
_AUXILIARIES: Final = frozenset(
    {"to", "should", "will", "must", "does", "it", "can", "could", "would", "not", "really", "and"}
)
ARTICLES: Final = frozenset({"le", "la", "the", "l"})


@frozen
class Place:
    """A position among the products shown. `start`, `end`: tokens; `value`: 1-based, -1 is the last one."""

    start: int
    end: int
    value: int


def places(
    reading: Reading, numbers: Iterable[Figure], *, shown: bool, named: bool
) -> tuple[Place, ...]:
    """The positions meant among the products shown, those refused or corrected left out.

    Args:
        shown: products were shown before. Without them only a message that acts or asks for `the ... one`
            has an ordinal.
        named: a product is named, so `tani` means `again` and `second` belongs to no list.
    """
    said = [m for m in reading.of("ordinal") if m.concept != "idiom"]
    idioms = reading.of("ordinal", "idiom")
    said = [m for m in said if not any(i.start <= m.start and m.end <= i.end for i in idioms)]
    said = [
        m
        for m in said
        if not (reading.language in {"ary", "ary-latn"} and m.concept == "2" and named)
    ]
    said = [m for m in said if not (_in_bound(reading, m.start, m.end) or _in_topic(reading, m))]
    said = [m for m in said if _is_place_word(reading, m, shown=shown)]
    if said and (shown or reading.has("action") or reading.has("pronoun")):
        found = [p for m in _meant(reading, said) for p in _range(reading, m, list(numbers))]
        return tuple(dict.fromkeys(found))  # two languages may share a word
    return () if said else tuple(_numbered(reading, numbers, shown=shown))


def _is_place_word(reading: Reading, match: Match, *, shown: bool) -> bool:
    """`the first`, `last one`, `third please`; not `it should last`, nor `first dinner` where nothing was shown."""
    before, after = reading.word(match.start - 1), reading.word(match.end)
    if before in _ANOTHER and any(start == match.end for start, _ in reading.names):
        return False  # `un deuxième Amlou`: one more of it
    if reading.language != "en":
        return True
    if match.concept == "-1" and before in _AUXILIARIES:
        return False
    return shown or before in _DETERMINERS or after in {"one", "ones", "two", "three"}


def _range(reading: Reading, match: Match, numbers: Sequence[Figure]) -> list[Place]:
    """`the first two`, `les trois premiers`, `the last two`: several positions; else the one."""
    value = int(match.concept)
    beside = [
        f
        for f in numbers
        if (f.start == match.end or f.end == match.start)
        and 1 < f.value <= _LONGEST_RANGE
        and not has_unit(reading, f, *NOT_COUNTED, "piece")
    ]
    if value not in (1, -1) or not beside or reading.has("action", "change"):
        return [Place(match.start, match.end, value)]
    start, end = min(match.start, beside[0].start), max(match.end, beside[0].end)
    count = int(beside[0].value)
    values = range(1, count + 1) if value == 1 else range(-count, 0)
    return [Place(start, end, v) for v in values]


def _meant(reading: Reading, said: list[Match]) -> list[Match]:
    """The positions that are not refused; behind a `no` the corrected ones."""
    kept = [m for m in said if not _refused(reading, m)] or said
    first, last = kept[0], kept[-1]
    denials = [m for m in reading.of("answer", "no") if first.end <= m.start < last.start]
    return [m for m in kept if m.start > denials[-1].start] if denials else kept


def _in_topic(reading: Reading, match: Match) -> bool:
    """`which lasts longest`, `on second thought`: part of a phrase about something else."""
    longer = match.end - match.start
    return any(
        m.start <= match.start and match.end <= m.end and m.end - m.start > longer
        for kind in ("topic", "order")
        for m in reading.of(kind)
    )


def _refused(reading: Reading, match: Match) -> bool:
    return any(
        0 <= match.start - m.end <= 1 and reading.same_clause(m.start, match.start)
        for m in reading.of("negation", "not")
    )


def _in_bound(reading: Reading, start: int, end: int) -> bool:
    """`1000 dh hiya lekhra`: part of a price limit."""
    return any(
        m.start <= start and end <= m.end and m.end - m.start > 1 for m in reading.of("bound")
    )


def _numbered(reading: Reading, numbers: Iterable[Figure], *, shown: bool) -> Iterator[Place]:
    """`number 2`, `l'article 3`, `#1`, `ajoute le 2`."""
    for figure in numbers:
        if not 0 < figure.value <= _LIST_LENGTH or figure.value != int(figure.value):
            continue
        if has_unit(reading, figure, *NOT_COUNTED, "piece") or reading.covered(
            figure.end, "currency"
        ):
            continue
        before = figure.start - 1
        labelled = reading.sign(before) == "#" or any(
            m.end == figure.start for m in reading.of("position")
        )
        alone = figure.end >= len(reading.tokens) or reading.sign(figure.end) != ""
        listed = figure.written and shown and reading.word(before) in ARTICLES
        if (labelled and (figure.written or shown)) or (
            listed and (alone or reading.has("action"))
        ):
            yield Place(figure.start, figure.end, int(figure.value))


def ordinals(
    reading: Reading, asked_for: Sequence[Order], positions: Sequence[Place]
) -> tuple[int, ...]:
    """The positions that a message orders, or compares."""
    ordered = tuple(o.ordinal for o in asked_for if o.ordinal is not None)
    compared = reading.has("topic", "comparison") and not asked_for
    return tuple(p.value for p in positions) if compared else ordered
