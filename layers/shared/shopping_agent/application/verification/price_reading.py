"""The amounts of money that a sentence states: in digits or words, with a currency or among others that have one."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache, lru_cache
from typing import Final

from shopping_agent.application.claims import Amount, NameFound, amounts, sentences
from shopping_agent.application.verification.facts import Facts, figures_in
from shopping_agent.application.verification.figures import Figure
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.topics import tells
from shopping_agent.application.verification.wording import pattern, says
from shopping_agent.domain.money import to_minor

LEAST_BARE: Final = 20
"""A smaller number without a currency is a count."""
_YEARS: Final = range(1900, 2101)
_UNIT: Final = r"\s*(?:ال)?(?:mad|dhs?|dirhams?|drahem|drhem|derhem|درهم\w*|دراهم|د\.م)(?!\w)"
_TOTAL_BEFORE: Final = 40
_PARTS: Final = 6
_MOST_SUMS: Final = 64


@cache
def _unit() -> re.Pattern[str]:
    return re.compile(_UNIT)


@cache
def _currency() -> re.Pattern[str]:
    return re.compile(_UNIT.removeprefix(r"\s*"))


def states_prices(text: str) -> bool:
    """Whether a folded text states an amount of money."""
    return bool(_currency().search(text)) or bool(amounts(text))


def stated_amounts(said: Said, facts: Facts, *, priced: bool) -> list[Amount]:
    """The amounts of a sentence. `priced`: the reply states prices, so that a bare number may be one."""
    found = amounts(said.bare)
    read = list(found)
    for figure in said.figures:
        if figure.unit or _is_part(figure, said, read):
            continue
        if _unit().match(said.bare, figure.end) or (priced and _may_be_price(figure, said, facts)):
            currency = facts.pack.currency
            value = to_minor(Decimal(str(figure.value)).quantize(Decimal("0.01")), currency)
            before = said.bare[max(0, figure.start - _TOTAL_BEFORE) : figure.start]
            of_total = bool(pattern("total").search(before)) and not before.rstrip().endswith(
                ("×", " x", "*")
            )
            found.append(Amount(figure.start, frozenset({(value, currency)}), of_total))
    return sorted(found, key=lambda a: a.start)


def _is_part(figure: Figure, said: Said, read: Sequence[Amount]) -> bool:
    """Whether a figure is, or is in, an amount that was read already."""
    return any(
        abs(figure.start - a.start) < 2
        or (
            0 <= figure.start - a.start < _PARTS
            and said.bare[a.start : figure.start].replace(" ", "").isalnum()
        )
        for a in read
    )


def _may_be_price(figure: Figure, said: Said, facts: Facts) -> bool:
    if figure.value < LEAST_BARE or int(figure.value) in _YEARS:
        return False
    if figure.value in {p.size_ml for p in facts.products(said.about)}:
        return False
    if pattern("month_after").match(said.bare, figure.end) or pattern("pieces_after").match(
        said.bare, figure.end
    ):
        return False
    return not said.bare[figure.end : figure.end + 3].startswith(("%", ":"))


def pairings(
    stated: Sequence[Amount], said: Said, everyone: frozenset[str]
) -> list[list[tuple[Amount, frozenset[str]]]]:
    """The readings of a sentence: each amount with the name before it, with the one after it, or in parallel lists.

    Where an amount has no name on the side of a reading, that reading is none; without any, all names count for all.
    """
    names = [NameFound(n.start, n.end, n.ids & said.named or n.ids) for n in said.names]
    if not names:
        return [[(a, everyone) for a in stated]]
    if len(names) == 1:
        # "It is 350 MAD, Lavande Haute 290": what stands before the name may be of what was spoken of.
        return [
            [(a, everyone | said.before if a.start < names[0].start else everyone) for a in stated]
        ]
    before = [[n for n in names if n.end <= a.start] for a in stated]
    after = [[n for n in names if n.start > a.start] for a in stated]
    readings: list[list[tuple[Amount, frozenset[str]]]] = []
    if all(before):
        readings.append([(a, b[-1].ids) for a, b in zip(stated, before, strict=True)])
    # "240 MAD against 480 for B" says A's price after A and B's before B.
    crossed = says("compares", said.bare)
    if all(after) and (crossed or stated[0].start < names[0].start):
        readings.append([(a, b[0].ids) for a, b in zip(stated, after, strict=True)])
    if len(names) == len(stated) and names[-1].end <= stated[0].start:
        readings.append([(a, n.ids) for a, n in zip(stated, names, strict=True)])
    return readings or [[(a, everyone) for a in stated]]


def is_difference(amount: Amount, said: Said) -> bool:
    """Whether an amount is said to lie between prices, or to be left: no fee of the guides is that."""
    end = max((f.end for f in said.figures if f.start == amount.start), default=amount.start)
    before, after = said.bare[: amount.start], said.bare[end:]
    if tells("missing", before):
        return True
    return (tells("apart", before) or tells("apart after", after)) and not tells(
        "delivery", said.bare
    )


def plus(sums: set[int], more: set[int]) -> set[int]:
    """Each sum with each price; the sums alone where that were too many."""
    return (
        {s + a for s in sums for a in more or {0}} if len(sums) * len(more) < _MOST_SUMS else sums
    )


@lru_cache(maxsize=512)
def stated_in(text: str, currency: str) -> frozenset[tuple[int, str]]:
    """The amounts of a guide; of a list of amounts only the last has its currency."""
    found = {r for s in sentences(text) for a in amounts(s) for r in a.readings}
    bare = (
        f for f in figures_in(text) if not f.unit and f.value >= LEAST_BARE and f.value % 1 == 0
    )
    return frozenset(found | {(to_minor(int(f.value), currency), currency) for f in bare})
