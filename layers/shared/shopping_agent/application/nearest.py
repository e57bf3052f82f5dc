"""What comes nearest when no product meets every hard constraint: the constraints are let go, the least important first."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice
from typing import Final

from shopping_agent.application.candidates import CandidateFinder
from shopping_agent.domain.constraints import Constraints, Covers, Violation, violations
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.ranking import Candidate

# How much worse a product is for each constraint that it breaks.
_PENALTY: Final[Mapping[Violation, int]] = {
    "notes": 1,
    "price": 2,
    "inStock": 2,
    "gender": 4,
    "kind": 8,
}
_MOST_SEARCHES: Final = 6
# By how much a price bound gives way before it is let go, in hundredths of it.
_STRETCH: Final = 130

Broken = frozenset[Violation]


class NearestFinder:
    """Finds the products that break the least, all of them the same way.

    A search without any of the constraints tells it in a small shop. In a large one the nearest products would be lost
    among many others, so that each constraint is let go by itself first.
    """

    def __init__(self, *, finder: CandidateFinder, covers: Covers, currency: str) -> None:
        self._finder = finder
        self._covers = covers
        self._currency = currency

    def find(
        self,
        text: str,
        wanted: Constraints,
        *,
        allows: Callable[[Candidate], bool],
        deadline: Deadline,
        now: float,
    ) -> tuple[list[Candidate], Broken]:
        """The nearest candidates and what they break: nothing, where the live price is another than the index knew.

        Refused notes are never among that, and no price when the choice is delegated.
        """

        def least(found: Sequence[Candidate]) -> tuple[list[Candidate], Broken]:
            return self._least([c for c in found if allows(c)], wanted, now)

        loose = self._finder.loose_filter(wanted)
        every, complete = self._finder.pool(text, wanted, loose, deadline)
        nearest, broken = least(every)
        if complete:
            return nearest, broken
        for given_up, relaxed in islice(self._relaxations(wanted), _MOST_SEARCHES):
            if nearest and _weight(broken) < _weight(given_up):
                break
            where = self._finder.strict_filter(relaxed)
            if "price" in given_up:
                where = replace(where, currency=loose.currency)
            found, why = least(self._finder.find(text, wanted, where, deadline))
            if found and _weight(why) <= _weight(given_up):
                return found, why
        return nearest, broken

    def _least(
        self, candidates: Sequence[Candidate], wanted: Constraints, now: float
    ) -> tuple[list[Candidate], Broken]:
        broken = {
            c.product.id: violations(c.product, c.terms, wanted, covers=self._covers, now=now)
            for c in candidates
        }
        usable = [
            c for c in candidates if not (wanted.delegated and "price" in broken[c.product.id])
        ]
        if not usable:
            return [], frozenset()
        ways = {broken[c.product.id] for c in usable}
        best = min(ways, key=lambda way: (_weight(way), sorted(way)))
        return [c for c in usable if broken[c.product.id] == best], best

    def _relaxations(self, wanted: Constraints) -> Iterator[tuple[Broken, Constraints]]:
        """Some of the constraints let go, those that weigh least first; a price bound gives way before it goes."""
        stated: list[Violation] = [
            v for v in _stated(wanted) if not (v == "price" and wanted.delegated)
        ]
        ways: list[Broken] = [
            frozenset(way) for n in range(1, len(stated) + 1) for way in combinations(stated, n)
        ]
        ways.sort(key=lambda way: (_weight(way), sorted(way)))
        for way in ways:
            without = _without(wanted, way)
            if "price" in way and wanted.currency in (None, self._currency):
                yield way, _stretched(without, wanted)
            yield way, without


def _weight(way: Broken) -> int:
    return sum(_PENALTY[one] for one in way)


def _stated(wanted: Constraints) -> list[Violation]:
    stated: Mapping[Violation, bool] = {
        "notes": bool(wanted.notes),
        "price": wanted.bounded,
        "inStock": bool(wanted.in_stock),
        "gender": wanted.gender is not None,
        "kind": wanted.kind is not None,
    }
    return [one for one, holds in stated.items() if holds]


def _without(wanted: Constraints, way: Broken) -> Constraints:
    return replace(
        wanted,
        notes=() if "notes" in way else wanted.notes,
        min_price=None if "price" in way else wanted.min_price,
        max_price=None if "price" in way else wanted.max_price,
        currency=None if "price" in way else wanted.currency,
        in_stock=None if "inStock" in way else wanted.in_stock,
        gender=None if "gender" in way else wanted.gender,
        kind=None if "kind" in way else wanted.kind,
    )


def _stretched(without: Constraints, wanted: Constraints) -> Constraints:
    low, high = wanted.min_price, wanted.max_price
    return replace(
        without,
        min_price=None if low is None else low * 100 // _STRETCH,
        max_price=None if high is None else high * _STRETCH // 100,
    )
