"""The one search of the shop: products that may be sold now, ranked; and texts that may answer a question."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from shopping_agent.application.candidates import CandidateFinder
from shopping_agent.application.found_products import FoundProducts
from shopping_agent.application.listing import ProductListing
from shopping_agent.application.passages import PassageFinder
from shopping_agent.application.product_search import MAX_PRODUCTS, ProductSearch
from shopping_agent.application.query_vectors import QueryVectorizer
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.evidence import Passage
from shopping_agent.domain.intent import Language
from shopping_agent.domain.profile import Profile
from shopping_agent.domain.recommendation import Expert
from shopping_agent.domain.subjects import aspects_in
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.ports import Embedder, IndexFilter, LiveCatalog, ProductIndex, ProductPage

__all__ = ["MAX_PRODUCTS", "FoundProducts", "SearchService"]

_VARIANTS: Final = 100


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
        vectorizer = QueryVectorizer(embedder=embedder, vocabulary=vocabulary)
        finder = CandidateFinder(
            index=index,
            live=live,
            vectorizer=vectorizer,
            vocabulary=vocabulary,
            currency=currency,
        )
        self._index = index
        self._vocabulary = vocabulary
        self._passages = PassageFinder(
            index=index, live=live, vectorizer=vectorizer, vocabulary=vocabulary
        )
        self._candidates = finder
        self._products = ProductSearch(
            finder=finder, vocabulary=vocabulary, currency=currency, expert=expert
        )
        self._listing = ProductListing(
            index=index, finder=finder, search=self._products, currency=currency
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

        When nothing meets every hard constraint, the nearest products and what each breaks; refused notes are never
        among that, and no price when the choice is delegated.

        Args:
            now: seconds since the epoch, the moment of every price.
            profile: what is known of the shopper; what its rules exclude is found by its name only.

        Raises:
            IndexUnavailableError, StateUnavailableError: when search or live facts do not answer.
        """
        return self._products.find(
            text, constraints, profile, limit=limit, deadline=deadline, now=now
        )

    def by_wishes(self, text: str, wanted: Constraints) -> Constraints:
        """The constraints, by the wishes alone where a message says nothing else."""
        return self._candidates.by_wishes(text, wanted)

    def words_of(self, text: str, wanted: Constraints, profile: Profile) -> str:
        """What of a message to search by: nothing where it only tells of the shopper."""
        of_shopper = profile and not wanted.facets() and self._candidates.wishes_nothing(text)
        return "" if of_shopper else text

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
        """Products without a search text, page by page, in an order that does not change.

        A page is filled past what is no longer sold; only where much of the catalog is gone it may hold fewer.

        Raises:
            InvalidFieldError: when the cursor is not one of ours.
        """
        return self._listing.browse(
            constraints, limit=limit, cursor=cursor, deadline=deadline, now=now
        )

    def list_found(
        self,
        text: str,
        constraints: Constraints,
        *,
        limit: int,
        cursor: str | None,
        deadline: Deadline,
        now: float,
        profile: Profile | None = None,
    ) -> ProductPage:
        """Products for a search text that meet every hard constraint, best first, page by page, one size of each.

        The list ends with the nearest few hundred texts of the index.

        Raises:
            InvalidFieldError: when the cursor is not one of this search.
        """
        return self._listing.find(
            text,
            constraints,
            limit=limit,
            cursor=cursor,
            deadline=deadline,
            now=now,
            profile=profile,
        )

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
