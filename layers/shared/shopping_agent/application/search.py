"""The one search of the shop: products that may be sold now, ranked; and texts that may answer a question."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Final

from shopping_agent.application.advising import Ruling
from shopping_agent.application.candidates import CandidateFinder
from shopping_agent.application.passages import PassageFinder
from shopping_agent.application.query_vectors import QueryVectorizer
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.constraints import Constraints, Violation, terms_missing, violations
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.evidence import Passage
from shopping_agent.domain.intent import Language
from shopping_agent.domain.profile import Profile
from shopping_agent.domain.ranking import Candidate, Ranked, families, rank, unmet
from shopping_agent.domain.recommendation import Expert
from shopping_agent.domain.subjects import aspects_in
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.ports import Embedder, IndexFilter, LiveCatalog, ProductIndex, ProductPage

MAX_PRODUCTS: Final = 50
_BROWSE_PAGES: Final = 4
_VARIANTS: Final = 100
# How much worse a product is for each constraint that it breaks, when no product meets all.
_PENALTY: Final[Mapping[Violation, int]] = {
    "notes": 1,
    "price": 2,
    "inStock": 2,
    "gender": 4,
    "kind": 8,
}


@frozen
class FoundProducts:
    """The answer of a product search, at live prices.

    Attributes:
        products: best first, one size of each product.
        best: id of the product that a delegated choice gets, which can be bought now; None when none meets every hard
            constraint.
        relaxed: the hard constraints that these products break, when none meets all.
        variants: other sizes of these products that meet (or break) the same constraints.
        scores: 0..100 by product id.
        unmet: how many of the stated wishes the first product does not meet.
        missing: the wished notes that none of these products has.
    """

    products: tuple[Product, ...] = ()
    best: str | None = None
    relaxed: tuple[Violation, ...] = ()
    variants: tuple[Product, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict[str, float])
    unmet: int = 0
    missing: tuple[str, ...] = ()


class SearchService:
    """Search for tools, RAG, the products route and the search before the first model call.

    Args:
        embedder: None for search by words alone.
        live: what decides whether and at which price a product is shown at all.
        currency: the store's own.
        expert: the store's rules, which are a part of the ranking; None without any.
    """

    def __init__(
        self,
        *,
        index: ProductIndex,
        embedder: Embedder | None,
        live: LiveCatalog,
        vocabulary: Vocabulary,
        currency: str,
        expert: Callable[[], Expert] | None = None,
    ) -> None:
        self._expert = expert
        vectorizer = QueryVectorizer(embedder=embedder, vocabulary=vocabulary)
        self._index = index
        self._vocabulary = vocabulary
        self._currency = currency
        self._passages = PassageFinder(
            index=index, live=live, vectorizer=vectorizer, vocabulary=vocabulary
        )
        self._candidates = CandidateFinder(
            index=index,
            live=live,
            vectorizer=vectorizer,
            vocabulary=vocabulary,
            currency=currency,
        )

    def find_products(
        self,
        text: str,
        constraints: Constraints,
        *,
        limit: int,
        deadline: Deadline,
        now: float,
        profile: Profile | None = None,
    ) -> FoundProducts:
        """Products for a message: hard constraints hold at live prices, wishes and the store's rules rank.

        When nothing meets every hard constraint, the nearest products and what they break; refused notes are never
        among that, and no price when the choice is delegated.

        Args:
            now: seconds since the epoch, the moment of every price.
            profile: what is known of the shopper; what its rules exclude is found by its name only.

        Raises:
            IndexUnavailableError, StateUnavailableError: when search or live facts do not answer.
        """
        finder = self._candidates
        wanted = finder.canonical(constraints)
        limit = max(1, min(limit, MAX_PRODUCTS))
        strict, loose = finder.strict_filter(wanted), finder.loose_filter(wanted)
        expert = self._expert() if self._expert else None
        rules = Ruling(expert, profile, wanted, self._currency)
        found = [c for c in finder.find(text, wanted, strict, deadline) if rules.allows(c)]
        kept = [c for c in found if not self._broken(c, wanted, now)]
        if kept or strict == loose:
            return self._found(self._literal(kept, wanted), wanted, (), limit, now, rules)
        found = [c for c in finder.find(text, wanted, loose, deadline) if rules.allows(c)]
        nearest, relaxed = self._nearest(found, wanted, now)
        return self._found(nearest, wanted, relaxed, limit, now, rules)

    def variants(
        self, products: Iterable[Product], *, deadline: Deadline, now: float
    ) -> tuple[Product, ...]:
        """All sizes of some products that are sold, smallest first, those products included."""
        parents = tuple(dict.fromkeys(p.variant_of for p in products if p.variant_of))
        if not parents:
            return ()
        page = self._index.browse(
            IndexFilter(variant_of=parents), limit=_VARIANTS, cursor=None, deadline=deadline
        )
        sold = self._candidates.sold(page.products, deadline)
        return tuple(sorted(sold, key=lambda p: (p.size_ml or 0, p.price.at(now), p.id)))

    def get(self, ids: Sequence[str], deadline: Deadline) -> tuple[Product, ...]:
        """The products of these ids that are sold, at live prices, in this order."""
        distinct = list(dict.fromkeys(ids))
        if not distinct:
            return ()
        indexed = self._index.products(distinct, deadline)
        return self._candidates.sold([indexed[i] for i in distinct if i in indexed], deadline)

    def browse(
        self,
        constraints: Constraints,
        *,
        limit: int,
        cursor: str | None,
        deadline: Deadline,
        now: float,
    ) -> ProductPage:
        """Products without a search text, page by page; a page may hold fewer than `limit`.

        Raises:
            InvalidFieldError: when the cursor is not one of ours.
        """
        wanted = self._candidates.canonical(constraints)
        where = self._candidates.strict_filter(wanted)
        kept: list[Product] = []
        for _ in range(_BROWSE_PAGES):
            page = self._index.browse(
                where, limit=limit - len(kept), cursor=cursor, deadline=deadline
            )
            sold = self._candidates.sold(page.products, deadline)
            kept += [p for p in sold if self._still_fits(p, wanted, now)]
            cursor = page.next_cursor
            if cursor is None or len(kept) >= limit:
                break
        return ProductPage(tuple(kept), cursor)

    def find_passages(
        self,
        text: str,
        *,
        language: Language,
        product_ids: Sequence[str] = (),
        limit: int = 5,
        deadline: Deadline,
    ) -> list[Passage]:
        """Texts that may answer a question: those of `product_ids` first, then guides and other products' texts.

        A guide's section is given in the shopper's language where the guide is written in it.
        """
        return self._passages.find(text, language, product_ids, limit, deadline)

    def is_in_texts(self, text: str) -> bool:
        """Whether a message names what guides have sections about."""
        return bool(aspects_in(text, self._vocabulary))

    def _may_be_bought(self, product: Product) -> bool:
        return product.in_stock and product.price.currency == self._currency

    def _broken(self, one: Candidate, wanted: Constraints, now: float) -> frozenset[Violation]:
        return violations(one.product, one.terms, wanted, covers=self._vocabulary.expand, now=now)

    def _still_fits(self, product: Product, wanted: Constraints, now: float) -> bool:
        """Whether price, currency and stock hold now: the index may know older ones."""
        if wanted.bounded and product.price.currency != (wanted.currency or self._currency):
            return False
        moving = Constraints(
            min_price=wanted.min_price, max_price=wanted.max_price, in_stock=wanted.in_stock
        )
        return not violations(product, (), moving, covers=self._vocabulary.expand, now=now)

    def _literal(self, kept: Sequence[Candidate], wanted: Constraints) -> list[Candidate]:
        """Where a wished note itself is sold, products that only have what it covers are left out."""
        notes = self._vocabulary.concepts.get("note", ())
        literal = [n for n in wanted.notes if n in notes and any(n in c.terms for c in kept)]
        exact = [c for c in kept if all(note in c.terms for note in literal)]
        return exact or list(kept)

    def _nearest(
        self, candidates: Sequence[Candidate], wanted: Constraints, now: float
    ) -> tuple[list[Candidate], tuple[Violation, ...]]:
        """The candidates that break the least, all the same way, and what they break."""
        broken = {c.product.id: self._broken(c, wanted, now) for c in candidates}
        usable = [
            c for c in candidates if not (wanted.delegated and "price" in broken[c.product.id])
        ]
        if not usable:
            return [], ()
        ways = {broken[c.product.id] for c in usable}
        least = min(ways, key=lambda way: (sum(_PENALTY[v] for v in way), sorted(way)))
        same = [c for c in usable if broken[c.product.id] == least]
        return (same if "notes" in least else self._literal(same, wanted)), tuple(sorted(least))

    def _found(
        self,
        kept: Sequence[Candidate],
        wanted: Constraints,
        relaxed: tuple[Violation, ...],
        limit: int,
        now: float,
        rules: Ruling,
    ) -> FoundProducts:
        currency = (wanted.currency or self._currency) if wanted.bounded else self._currency
        covers, judge = self._vocabulary.expand, rules.judge
        ranked = rank(kept, wanted, covers=covers, currency=currency, now=now, judge=judge)
        if "price" in relaxed:
            ranked.sort(key=lambda r: _price_distance(r.product, wanted, now))
        groups = families(ranked)[:limit]
        shown = [group[0] for group in groups]
        best = next((r.product.id for r in shown if self._may_be_bought(r.product)), None)
        return FoundProducts(
            products=tuple(r.product for r in shown),
            best=None if relaxed else best,
            relaxed=relaxed,
            variants=tuple(r.product for group in groups for r in group[1:]),
            scores={r.product.id: r.score for group in groups for r in group},
            missing=self._missing(wanted, shown) if "notes" in relaxed else (),
            unmet=unmet(shown[0].candidate, wanted, covers) if shown else 0,
        )

    def _missing(self, wanted: Constraints, shown: Sequence[Ranked]) -> tuple[str, ...]:
        covers = self._vocabulary.expand
        return tuple(
            note
            for note in wanted.notes
            if all(terms_missing(note, r.candidate.terms, covers) for r in shown)
        )


def _price_distance(product: Product, wanted: Constraints, now: float) -> int:
    """Minor units by which a price misses the bounds."""
    price = product.price.at(now)
    over = max(0, price - wanted.max_price) if wanted.max_price is not None else 0
    under = max(0, wanted.min_price - price) if wanted.min_price is not None else 0
    return over + under
