"""Which numbers can be amounts of money, in what currency, and which limit word belongs to which number."""

from decimal import Decimal
from typing import Final

from shopping_agent.domain.understanding.figures import Figure
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.vocabulary import Match

_YEARS: Final = range(1900, 2036)
_LIKELY_YEAR: Final = 1990
_LONGEST_AMOUNT: Final = Decimal(1_000_000)
_OTHER_UNITS: Final = ("size", "year", "time", "share", "person", "spray", "dose", "piece")
_OLDEST: Final = 120
SMALLEST: Final = 20  # a bare number below this is no amount


def may_be_amount(reading: Reading, figure: Figure) -> bool:
    if figure.value > _LONGEST_AMOUNT or figure.value <= 0:
        return False
    if currency_of(reading, figure):
        return True
    return not (
        figure.value < SMALLEST
        or has_unit(reading, figure, *_OTHER_UNITS)
        or _is_numbered(reading, figure)
        or _is_year(reading, figure)
        or _is_age(reading, figure)
        or _is_discount(reading, figure)
    )


def has_unit(reading: Reading, figure: Figure, *units: str) -> bool:
    """Whether a unit follows the number, perhaps after a particle: `5 d sway3`, `two of them`."""
    for match in reading.of("unit", *units):
        gap = match.start - figure.end
        if gap == 0 or (gap == 1 and _is_particle(reading, figure.end)):
            return True
    return False


def _is_particle(reading: Reading, position: int) -> bool:
    return len(reading.word(position)) <= 3 and not reading.sign(position)


def currency_of(reading: Reading, figure: Figure) -> str | None:
    """The currency right behind a number (`400 d drhem`) or right before it (`MAD 400`)."""
    for match in reading.of("currency"):
        behind = match.start - figure.end
        if behind == 0 or (behind == 1 and len(reading.word(figure.end)) <= 2):
            return match.concept
        if match.end == figure.start and not _follows_number(reading, match.start):
            return match.concept
    return None


def _follows_number(reading: Reading, position: int) -> bool:
    return position > 0 and (
        reading.tokens[position - 1].value is not None
        or any(m.end == position for m in reading.of("number"))
    )


def _is_numbered(reading: Reading, figure: Figure) -> bool:
    """`order 20318`, `#20318`, `MA-20318`, a phone number, a code."""
    if reading.sign(figure.start - 1) in {"#", "+", ":"} or reading.sign(figure.start - 1) == "°":
        return True
    if reading.sign(figure.start - 1) == "-" and reading.word(figure.start - 2).isalpha():
        return True
    if figure.written and reading.word(figure.start).startswith("0"):
        return True
    orders = [*reading.of("reference", "order"), *reading.of("service", "order_status")]
    near = any(
        0 <= figure.start - m.end <= 2 and reading.same_clause(m.start, figure.start)
        for m in orders
    )
    labelled = any(m.end == figure.start for m in reading.of("position"))
    return near or labelled or (figure.value >= 10_000 and not reading.of("bound"))


def _is_year(reading: Reading, figure: Figure) -> bool:
    if not figure.written or figure.value not in _YEARS or "," in reading.word(figure.start):
        return False
    since = any(0 <= figure.start - m.end <= 1 for m in reading.of("reference", "since"))
    limited = bound_before(reading, figure) or bound_after(reading, figure)
    return since or (figure.value >= _LIKELY_YEAR and not limited)


def _is_age(reading: Reading, figure: Figure) -> bool:
    if not figure.written and figure.value < _OLDEST:
        return reading.word(figure.start).startswith("ال")  # "فوق الأربعين"
    return figure.value < _OLDEST and any(
        0 <= figure.start - m.end <= 1 for m in reading.of("reference", "age")
    )


def _is_discount(reading: Reading, figure: Figure) -> bool:
    if reading.sign(figure.end) == "%" or reading.sign(figure.start - 1) == "%":
        return True
    return any(m.start == figure.end for m in reading.of("reference", "discount"))


def bound_before(reading: Reading, figure: Figure) -> Match | None:
    near = [
        m
        for m in reading.of("bound", "max", "min")
        if 0 <= figure.start - m.end <= 3
        and not any(reading.tokens[i].value is not None for i in range(m.end, figure.start))
        and not any(reading.sign(i) for i in range(m.end, figure.start) if reading.sign(i) not in ":-")
    ]  # fmt: skip
    return max(near, key=lambda m: (m.end, m.end - m.start), default=None)


def bound_after(reading: Reading, figure: Figure) -> Match | None:
    start = figure.end
    while reading.covered(start, "currency") or reading.word(start) in {
        "d",
        "ish",
        "grand",
        "environ",
    }:
        start += 1
    near = [
        m
        for m in reading.of("bound", "max", "min")
        if figure.end <= m.start and m.start - start <= 2
    ]
    near = [
        m
        for m in near
        if reading.same_clause(figure.start, m.start) and not _has_own_number(reading, m)
    ]
    return min(near, key=lambda m: (m.start, m.start - m.end), default=None)


def _has_own_number(reading: Reading, match: Match) -> bool:
    """`at least 250 but under 450`: the second word belongs to the number behind it."""
    following = range(match.end, match.end + 3)
    return any(i < len(reading.tokens) and reading.tokens[i].value is not None for i in following)
