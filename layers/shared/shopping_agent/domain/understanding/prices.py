"""Price bounds of a message: limits, ranges, budgets, corrections; and the numbers that are no price."""

from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final

from shopping_agent.domain.money import to_minor
from shopping_agent.domain.understanding.figures import Figure
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.vocabulary import FACETS, Match

_RYALS_IN_DIRHAM: Final = 20
_SMALLEST: Final = 20  # a bare number below this is no amount
_BARE_BUDGET: Final = 100  # a bare number from here on may be a budget
_NEGATION_REACH: Final = 4
_YEARS: Final = range(1900, 2036)
_LIKELY_YEAR: Final = 1990
_LONGEST_AMOUNT: Final = Decimal(1_000_000)
_OTHER_UNITS: Final = ("size", "year", "time", "share", "person", "spray", "dose", "piece")


@dataclass(frozen=True, slots=True)
class Prices:
    """Bounds in minor units of `currency` (of the store's where the message names none)."""

    minimum: int | None = None
    maximum: int | None = None
    currency: str | None = None
    used: frozenset[int] = frozenset()
    """Starts of the figures that are amounts of money."""


@dataclass(frozen=True, slots=True)
class _Bound:
    figure: Figure
    side: str  # "min" | "max"


def prices(
    reading: Reading, numbers: list[Figure], *, currency: str, wishing: bool, named: bool
) -> Prices:
    """The price bounds of a message.

    Args:
        currency: the store's, for amounts without one.
        wishing: the message describes what to look for, so a bare amount is a budget.
        named: a product is named, so a bare amount is what it costs, no bound.
    """
    amounts = [f for f in numbers if _may_be_amount(reading, f)]
    bounds = _ranges(reading, amounts)
    paired = {b.figure.start for b in bounds}
    for figure in amounts:
        if figure.start not in paired:
            side = _side(reading, figure)
            if side:
                bounds.append(_Bound(figure, side))
    explicit = {b.figure.start for b in bounds}
    if not bounds and not named:
        bounds = [_Bound(f, "max") for f in amounts if _is_budget(reading, f, wishing)]
    money = {f.start for f in amounts if _currency(reading, f) or f.start in explicit}
    used = frozenset(money | {b.figure.start for b in bounds})
    return _settled(reading, sorted(bounds, key=lambda b: b.figure.start), currency, used)


def _settled(
    reading: Reading, bounds: list[_Bound], store_currency: str, used: frozenset[int]
) -> Prices:
    """The last figure of each side wins; a minimum above the maximum drops the one said first."""
    last: dict[str, Figure] = {bound.side: bound.figure for bound in bounds}
    stated = [c for c in (_currency(reading, b.figure) for b in bounds) if c]
    named = _named_currency(stated)
    unit = named or store_currency
    values = {side: _major(reading, figure, stated) for side, figure in last.items()}
    if len(values) == 2 and values["min"] > values["max"]:
        first = min(last, key=lambda side: last[side].start)
        del values[first]
    minor = {side: to_minor(value, unit) for side, value in values.items()}
    return Prices(minor.get("min"), minor.get("max"), named if bounds else None, used)


def _named_currency(stated: list[str]) -> str | None:
    if not stated:
        return None
    return "MAD" if stated[-1] in {"ryal", "centime"} else stated[-1]


def _major(reading: Reading, figure: Figure, stated: list[str]) -> Decimal:
    own = _currency(reading, figure) or (stated[-1] if stated else "")
    if own == "ryal":
        return figure.value / _RYALS_IN_DIRHAM
    return figure.value / 100 if own == "centime" else figure.value


def _currency(reading: Reading, figure: Figure) -> str | None:
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


def _may_be_amount(reading: Reading, figure: Figure) -> bool:
    if figure.value > _LONGEST_AMOUNT or figure.value <= 0:
        return False
    if _currency(reading, figure):
        return True
    return not (
        figure.value < _SMALLEST
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
    limited = _bound_before(reading, figure) or _bound_after(reading, figure)
    return since or (figure.value >= _LIKELY_YEAR and not limited)


def _is_age(reading: Reading, figure: Figure) -> bool:
    return figure.value < 120 and any(
        0 <= figure.start - m.end <= 1 for m in reading.of("reference", "age")
    )


def _is_discount(reading: Reading, figure: Figure) -> bool:
    if reading.sign(figure.end) == "%" or reading.sign(figure.start - 1) == "%":
        return True
    return any(m.start == figure.end for m in reading.of("reference", "discount"))


def _ranges(reading: Reading, amounts: list[Figure]) -> list[_Bound]:
    """`between 300 and 600`, `from 200 to 350`, `300-500`, `200 à 350 dh`."""
    bounds: list[_Bound] = []
    for low, high in pairwise(amounts):
        if high.value > low.value and _is_range(reading, low, high):
            bounds += [_Bound(low, "min"), _Bound(high, "max")]
    return bounds


def _is_range(reading: Reading, low: Figure, high: Figure) -> bool:
    gap = range(low.end, high.start)
    words = [i for i in gap if not reading.covered(i, "currency")]
    if len(words) == 1 and reading.sign(words[0]) == "-":
        return True
    opened = any(0 <= low.start - m.end <= 2 for m in reading.of("bound", "between", "from"))
    linked = any(m.start in gap for m in reading.of("bound", "to")) or reading.word(
        high.start
    ).startswith(("و", "ل"))
    if not linked or len(words) > 3:
        return False
    return opened or (len(words) == 1 and not reading.starts(words[0], "joint"))


def _side(reading: Reading, figure: Figure) -> str | None:
    """The bound that a limit word gives a number, turned round by a negation."""
    match = _bound_before(reading, figure) or _bound_after(reading, figure)
    if match is None:
        return None
    side = match.concept
    return ("max" if side == "min" else "min") if _turned(reading, match) else side


def _bound_before(reading: Reading, figure: Figure) -> Match | None:
    near = [
        m
        for m in reading.of("bound", "max", "min")
        if 0 <= figure.start - m.end <= 3
        and not any(reading.tokens[i].value is not None for i in range(m.end, figure.start))
        and not any(reading.sign(i) for i in range(m.end, figure.start) if reading.sign(i) not in ":-")
    ]  # fmt: skip
    return max(near, key=lambda m: (m.end, m.end - m.start), default=None)


def _bound_after(reading: Reading, figure: Figure) -> Match | None:
    start = figure.end
    while reading.covered(start, "currency") or reading.word(start) in {
        "d",
        "ish",
        "grand",
        "environ",
    }:
        start += 1
    near = [m for m in reading.of("bound", "max", "min") if 0 <= m.start - start <= 2]
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


def _turned(reading: Reading, bound: Match) -> bool:
    """A negation of the limit itself: `nothing over 500`, `I don't want to spend more than 700`."""
    return any(
        0 <= bound.start - m.end <= _NEGATION_REACH
        and _is_empty(reading, range(m.end, bound.start))
        for m in reading.of("negation", "not", "dislike")
    )


def _is_empty(reading: Reading, gap: range) -> bool:
    """Nothing between a negation and a limit that could be what is negated."""
    return not any(
        reading.sign(i)
        or reading.tokens[i].value is not None
        or reading.covered(i, "bound", "max", "min")
        or any(reading.covered(i, kind) for kind in (*FACETS, "joint"))
        for i in gap
    )


def _is_budget(reading: Reading, figure: Figure, wishing: bool) -> bool:
    if _currency(reading, figure):
        return True
    said = any(
        0 <= figure.start - m.end <= 3
        and not any(reading.sign(i) for i in range(m.end, figure.start) if reading.sign(i) != ":")
        for m in reading.of("bound", "budget")
    )
    if said and figure.value >= _SMALLEST * 2:
        return True
    return wishing and figure.written and figure.value >= _BARE_BUDGET
