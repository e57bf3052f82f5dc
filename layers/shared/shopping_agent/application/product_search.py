"""The search for products: filtered, found, held against live facts, ranked, one size of each product in front."""

from collections.abc import Callable, Sequence
from typing import Final

from shopping_agent.application.advising import Ruling
from shopping_agent.application.candidates import CandidateFinder
from shopping_agent.application.found_products import FoundProducts
from shopping_agent.application.nearest import NearestFinder
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.constraints import (
    Constraints,
    Shortfall,
    Violation,
    shortfalls,
    terms_missing,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.profile import Profile
from shopping_agent.domain.ranking import Candidate, Ranked, families, rank, unmet
from shopping_agent.domain.recommendation import Expert
from shopping_agent.domain.recommendation_order import VARIED, varied
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary

MAX_PRODUCTS: Final = 50


@frozen
class Request:
    """One search: its canonical constraints, the rules that hold for it, and its moment."""

    wanted: Constraints
    rules: Ruling
    now: float


class ProductSearch:
    """Searches with one vocabulary and one set of rules.

    Args:
        expert: the store's rules, which are a part of the ranking; None without any.
    """

    def __init__(
        self,
        *,
        finder: CandidateFinder,
        vocabulary: Vocabulary,
        currency: str,
        expert: Callable[[], Expert] | None,
    ) -> None:
        self._finder = finder
        self._vocabulary = vocabulary
        self._covers = vocabulary.expand
        self._currency = currency
        self._expert = expert
        self._nearest = NearestFinder(finder=finder, covers=self._covers, currency=currency)

    def find(
        self,
        text: str,
        constraints: Constraints,
        profile: Profile | None,
        *,
        limit: int,
        deadline: Deadline,
        now: float,
    ) -> FoundProducts:
        """What `SearchService.find_products` says."""
        request = self.request(constraints, profile, now)
        wanted, limit = request.wanted, max(1, min(limit, MAX_PRODUCTS))
        kept, _ = self._meeting(text, request, deadline, None)
        relaxed = frozenset[Violation]()
        if not kept and self._finder.strict_filter(wanted) != self._finder.loose_filter(wanted):
            kept, relaxed = self._nearest.find(
                text, wanted, allows=request.rules.allows, deadline=deadline, now=now
            )
        if "notes" not in relaxed:
            kept = self._literal(kept, wanted)
        return self._found(kept, request, tuple(sorted(relaxed)), limit)

    def request(self, constraints: Constraints, profile: Profile | None, now: float) -> Request:
        wanted = self._finder.canonical(constraints)
        expert = self._expert() if self._expert else None
        return Request(wanted, Ruling(expert, profile, wanted, self._currency), now)

    def groups(
        self, text: str, request: Request, deadline: Deadline, chunks: int
    ) -> tuple[list[list[Ranked]], bool]:
        """All that meets every hard constraint among the nearest chunks, by product, and whether there is no more of it."""
        kept, complete = self._meeting(text, request, deadline, chunks)
        return self._mixed(families(self._ranked(kept, request)), request.wanted), complete

    def _meeting(
        self, text: str, request: Request, deadline: Deadline, chunks: int | None
    ) -> tuple[list[Candidate], bool]:
        where = self._finder.strict_filter(request.wanted)
        found, complete = self._finder.pool(text, request.wanted, where, deadline, chunks)
        return [
            c for c in found if request.rules.allows(c) and not self._shortfalls(c, request)
        ], complete

    def _shortfalls(self, one: Candidate, request: Request) -> tuple[Shortfall, ...]:
        return shortfalls(
            one.product, one.terms, request.wanted, covers=self._covers, now=request.now
        )

    def _literal(self, kept: Sequence[Candidate], wanted: Constraints) -> list[Candidate]:
        """Where a wished note itself is sold, products that only have what it covers are left out."""
        notes = self._vocabulary.concepts.get("note", ())
        literal = [n for n in wanted.notes if n in notes and any(n in c.terms for c in kept)]
        exact = [c for c in kept if all(note in c.terms for note in literal)]
        return exact or list(kept)

    def _ranked(self, kept: Sequence[Candidate], request: Request) -> list[Ranked]:
        wanted = request.wanted
        return rank(
            kept,
            wanted,
            covers=self._covers,
            currency=(wanted.currency or self._currency) if wanted.bounded else self._currency,
            now=request.now,
            judge=request.rules.judge,
        )

    def _found(
        self,
        kept: Sequence[Candidate],
        request: Request,
        relaxed: tuple[Violation, ...],
        limit: int,
    ) -> FoundProducts:
        ranked = self._ranked(kept, request)
        short = {r.product.id: self._shortfalls(r.candidate, request) for r in ranked if relaxed}
        if "price" in relaxed:
            ranked.sort(key=lambda r: sum(one.by or 0 for one in short[r.product.id]))
        groups = families(ranked)
        groups = (groups if relaxed else self._mixed(groups, request.wanted))[:limit]
        shown = [group[0] for group in groups]
        best = next((r.product.id for r in shown if self._may_be_bought(r.product)), None)
        return FoundProducts(
            products=tuple(r.product for r in shown),
            best=None if relaxed else best,
            relaxed=relaxed,
            variants=tuple(r.product for group in groups for r in group[1:]),
            scores={r.product.id: r.score for group in groups for r in group},
            missing=self._missing(request.wanted, shown) if "notes" in relaxed else (),
            unmet=unmet(shown[0].candidate, request.wanted, self._covers) if shown else 0,
            shortfalls={r.product.id: short[r.product.id] for g in groups for r in g if relaxed},
        )

    def _mixed(self, groups: list[list[Ranked]], wanted: Constraints) -> list[list[Ranked]]:
        """Where wishes alone decide, families are mixed among the first, as recommendations are."""
        if not wanted.by_wishes or wanted.by_price:
            return groups
        by_id = {group[0].product.id: group for group in groups}
        first = varied([group[0] for group in groups[: 5 * VARIED]], VARIED)
        mixed = [by_id.pop(one.product.id) for one in first]
        return [*mixed, *by_id.values()]

    def _may_be_bought(self, product: Product) -> bool:
        return product.in_stock and product.price.currency == self._currency

    def _missing(self, wanted: Constraints, shown: Sequence[Ranked]) -> tuple[str, ...]:
        return tuple(
            note
            for note in wanted.notes
            if all(terms_missing(note, r.candidate.terms, self._covers) for r in shown)
        )
