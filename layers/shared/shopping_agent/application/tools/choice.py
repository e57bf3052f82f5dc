"""A choice that the shopper left to us: the constraints hold, and "the best" is the top of the ranking, for every model."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.tools.refusals import refusal
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.constraints import Constraints, violations
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.kinds import kind_terms
from shopping_agent.domain.money import to_major
from shopping_agent.domain.vocabulary import Vocabulary


class DelegatedChoice:
    """The check of one turn. Another candidate than the best is sent back once, then accepted; than the cheapest, never."""

    def __init__(
        self, context: TurnContext, observed: Observations, vocabulary: Vocabulary
    ) -> None:
        self._context = context
        self._observed = observed
        self._vocabulary = vocabulary
        self._sent_back: set[str] = set()

    def check(self, product: Product) -> JsonObject | None:
        """None for the best product, else the error that goes back to the model."""
        violated = self._violated(product)
        best = self._best()
        if violated:
            return refusal(
                "constraint_violated",
                f"{product.name} does not meet: {', '.join(violated)}."
                + (f" The best that does is {best.name} ({best.id})." if best else ""),
                best=best.id if best else None,
            )
        if best is None or best.id == product.id or self._is_accepted(product):
            return None
        self._sent_back.add(product.id)
        return refusal(
            "not_the_best",
            f"The choice is left to the shop: the top of the ranking is {best.name} ({best.id}).",
            best=best.id,
        )

    def _is_accepted(self, product: Product) -> bool:
        """Once sent back, a candidate is a matter of taste; the cheapest is none."""
        return product.id in self._sent_back and not self._wanted.cheapest

    @cached_property
    def _wanted(self) -> Constraints:
        return Constraints.of(self._context.query)

    def _best(self) -> Product | None:
        """The top of the ranking among the candidates that may be sold and meet what was asked."""
        valid = self._valid()
        if self._wanted.cheapest and (not self._observed.ranking or self._cards):
            return min(valid, key=lambda p: p.price.at(self._observed.now), default=None)
        return next(valid, None)

    @cached_property
    def _cards(self) -> Sequence[str]:
        """`The cheaper one`, and nothing else to look for: of what we asked about, else of the products shown."""
        if not self._wanted.cheapest or self._context.query.wishes():
            return ()
        return self._context.pending_ids or [s.id for s in self._context.conversation.shown]

    def _valid(self) -> Iterator[Product]:
        observed = self._observed
        shown: Sequence[str] = [s.id for s in self._context.conversation.shown]
        ranked = self._cards or observed.ranking or shown
        first = [observed.best] if observed.best and not self._cards else []
        for product_id in dict.fromkeys((*first, *ranked)):
            product = observed.products.get(product_id)
            if product is not None and product.in_stock and not self._violated(product):
                yield product

    def _violated(self, product: Product) -> list[str]:
        """The hard constraints of the message that a product breaks, in words for the model."""
        wanted, currency = self._wanted, product.price.currency
        stated = wanted.currency or self._observed.cart.currency
        if wanted.bounded and currency != stated:
            return [f"a price in {stated}"]
        by_notes = wanted.notes or wanted.exclude_notes or wanted.kind
        terms = self._terms_of(product) if by_notes else frozenset[str]()
        covers = self._vocabulary.expand
        words = {
            "price": self._bounds(currency),
            "gender": f"for {wanted.gender}",
            "notes": f"with {' and '.join(wanted.notes)}",
            "inStock": "in stock",
            "kind": f"of the sort {wanted.kind}",
        }
        broken = violations(product, terms, wanted, covers=covers, now=self._observed.now)
        refused = [t for t in wanted.exclude_notes if covers(t) & terms]
        return [words[v] for v in sorted(broken)] + (
            [f"without {', '.join(refused)}"] if refused else []
        )

    def _bounds(self, currency: str) -> str:
        limits = (("at least", self._wanted.min_price), ("at most", self._wanted.max_price))
        return " and ".join(
            f"{word} {to_major(limit, currency)} {currency}"
            for word, limit in limits
            if limit is not None
        )

    def _terms_of(self, product: Product) -> frozenset[str]:
        words = self._vocabulary
        notes = words.canonical("note", (*product.notes.all(), *product.accords))
        families = words.canonical("family", (*product.families, *product.accords))
        return frozenset((*notes, *families, *kind_terms(product, words)))
