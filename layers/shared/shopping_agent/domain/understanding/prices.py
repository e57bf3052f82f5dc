"""Price bounds of a message: limits, ranges, budgets, corrections; and the numbers that are no price."""

from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import Final

from shopping_agent.domain.money import to_minor
from shopping_agent.domain.understanding.amounts import (
    SMALLEST,
    bound_after,
    bound_before,
    currency_of,
    may_be_amount,
)
from shopping_agent.domain.understanding.denials import is_denial
from shopping_agent.domain.understanding.figures import Figure
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import FACETS, Match

_RYALS_IN_DIRHAM: Final = 20
_BARE_BUDGET: Final = 100  # a bare number from here on may be a budget
_NEGATION_REACH: Final = 4
_DASHES: Final = frozenset("-–—~/")
_HUNDREDS: Final = (Decimal(1000), Decimal(100))


@frozen
class Prices:
    """Bounds in minor units of `currency` (of the store's where the message names none)."""

    minimum: int | None = None
    maximum: int | None = None
    currency: str | None = None
    used: frozenset[int] = frozenset()
    """Starts of the figures that are amounts of money."""


@frozen
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
    amounts = [f for f in _completed(reading, numbers) if may_be_amount(reading, f)]
    bounds = _ranges(reading, amounts)
    paired = {b.figure.start for b in bounds}
    for figure in amounts:
        if figure.start not in paired:
            side = _side(reading, figure)
            if side:
                bounds.append(_Bound(figure, side))
    bounds = bounds or _bare_correction(reading, amounts, named=named)
    explicit = {b.figure.start for b in bounds}
    if not bounds and not named:
        bounds = [_Bound(f, "max") for f in amounts if _is_budget(reading, f, wishing)]
    if not bounds and named:
        bounds = [_Bound(f, "max") for f in amounts if _is_purse(reading, f)]
    corrected = _corrected(reading, amounts, bounds)
    bounds += corrected
    explicit |= {b.figure.start for b in corrected}
    money = {f.start for f in amounts if currency_of(reading, f) or f.start in explicit}
    used = frozenset(money | {b.figure.start for b in bounds})
    return _settled(reading, sorted(bounds, key=lambda b: b.figure.start), currency, used)


def _completed(reading: Reading, numbers: list[Figure]) -> list[Figure]:
    """`between four and five hundred`: the first number lacks the hundred of the second."""
    whole = list(numbers)
    for i, (low, high) in enumerate(pairwise(numbers)):
        unit = next((u for u in _HUNDREDS if high.value >= u and high.value % u == 0), None)
        short = unit is not None and low.value < high.value / unit < 10
        spelt = not high.written or high.end - high.start > 1  # "5 hundred"
        if unit and short and spelt and _is_range(reading, low, high):
            whole[i] = replace(low, value=low.value * unit)
    return whole


def _bare_correction(reading: Reading, amounts: list[Figure], *, named: bool) -> list[_Bound]:
    """`250... no, make it 320`: of two bare amounts the second is the budget."""
    if named or len(amounts) != 2 or any(a.value < _BARE_BUDGET for a in amounts):
        return []
    first, last = amounts
    said = (
        *reading.of("bound", "corrected"),
        *reading.of("answer", "no"),
        *reading.of("joint", "but"),
    )
    if any(first.end <= m.start < m.end <= last.start for m in said):
        return [_Bound(first, "max"), _Bound(last, "max")]
    return []


def _corrected(reading: Reading, amounts: list[Figure], bounds: list[_Bound]) -> list[_Bound]:
    """The budget that takes the place of another one: `400, let's say 500`, `300 dh... la khliha 400`."""
    if not bounds or any(b.side == "min" for b in bounds):
        return []
    last = max(b.figure.end for b in bounds)
    later = [f for f in amounts if f.start >= last and f.value >= SMALLEST * 2]
    return [
        _Bound(f, "max")
        for f in later
        if any(last <= m.start < m.end <= f.start for m in reading.of("bound", "corrected"))
    ]


def _settled(
    reading: Reading, bounds: list[_Bound], store_currency: str, used: frozenset[int]
) -> Prices:
    """The last figure of each side wins; a minimum above the maximum drops the one said first."""
    last: dict[str, Figure] = {bound.side: bound.figure for bound in bounds}
    stated = [c for c in (currency_of(reading, b.figure) for b in bounds) if c]
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
    own = currency_of(reading, figure) or (stated[-1] if stated else "")
    if own == "ryal":
        return figure.value / _RYALS_IN_DIRHAM
    return figure.value / 100 if own == "centime" else figure.value


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
    if len(words) == 1 and reading.sign(words[0]) in _DASHES:
        return True
    opened = any(0 <= low.start - m.end <= 2 for m in reading.of("bound", "between", "from"))
    linking = reading.of("bound", "to", "max") if opened else reading.of("bound", "to")
    linked = any(m.start in gap for m in linking) or reading.word(high.start).startswith(("و", "ل"))
    if not linked or len(words) > 3:
        return False
    return opened or (len(words) == 1 and not reading.starts(words[0], "joint"))


def _side(reading: Reading, figure: Figure) -> str | None:
    """The bound that a limit word gives a number, turned round by a negation."""
    match = bound_before(reading, figure) or bound_after(reading, figure)
    if match is None:
        return None
    side = match.concept
    return ("max" if side == "min" else "min") if _turned(reading, match) else side


def _turned(reading: Reading, bound: Match) -> bool:
    """A negation of the limit itself: `nothing over 500`, `I don't want to spend more than 700`."""
    ends = [m.end for m in reading.of("negation", "not", "dislike") if not _is_what(reading, m)]
    ends += [i + 1 for i in range(bound.start) if is_denial(reading, i)]
    return any(
        0 <= bound.start - end <= _NEGATION_REACH and _is_empty(reading, range(end, bound.start))
        for end in ends
    )


def _is_what(reading: Reading, negation: Match) -> bool:
    """Standard Arabic `ما يفوق`: what exceeds, no negation."""
    return reading.language == "ar" and reading.word(negation.start) == "ما"


def _is_empty(reading: Reading, gap: range) -> bool:
    """Nothing between a negation and a limit that could be what is negated."""
    return not any(
        reading.sign(i)
        or reading.tokens[i].value is not None
        or reading.covered(i, "bound", "max", "min")
        or any(reading.covered(i, kind) for kind in (*FACETS, "joint"))
        for i in gap
    )


def _is_purse(reading: Reading, figure: Figure) -> bool:
    """`my budget is 800`: what the shopper has, also beside a product's name."""
    return figure.value >= SMALLEST * 2 and any(
        0 <= figure.start - m.end <= 3 and reading.same_clause(m.start, figure.start)
        for m in reading.of("order", "purse")
    )


def _is_budget(reading: Reading, figure: Figure, wishing: bool) -> bool:
    if currency_of(reading, figure):
        return True
    said = any(
        0 <= figure.start - m.end <= 3
        and not any(reading.sign(i) for i in range(m.end, figure.start) if reading.sign(i) != ":")
        for m in reading.of("bound", "budget")
    )
    if said and figure.value >= SMALLEST * 2:
        return True
    return wishing and figure.written and figure.value >= _BARE_BUDGET
