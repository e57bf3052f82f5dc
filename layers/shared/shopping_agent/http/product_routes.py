"""Products: found by words, browsed by filters, read one by one, at live prices. No language model is involved."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.money import to_minor
from shopping_agent.domain.statistics import Tally, brief
from shopping_agent.errors import DeadlineExceededError, NotFoundError, StateUnavailableError
from shopping_agent.http.bodies import read_parameters
from shopping_agent.http.models import ProductListParameters
from shopping_agent.http.resolver import ShopResolver
from shopping_agent.http.response import Response, json_reply
from shopping_agent.observability import logger

if TYPE_CHECKING:
    from shopping_agent.application.search import SearchService
    from shopping_agent.domain.privacy import Privacy
    from shopping_agent.domain.stated_profile import Profile
    from shopping_agent.ports import ProductPage, Statistics

MOST_NEAREST: Final = 6
NOTE_SECONDS: Final = 1.0


class ProductRoutes:
    """The services are asked for when a request needs them.

    Args:
        read: what a query asks for, and what it tells of the shopper, as the assistant understands them.
    """

    def __init__(
        self,
        app: ShopResolver,
        *,
        search: "Callable[[], SearchService]",
        read: "Callable[[str], tuple[Constraints, Profile]]",
        currency: Callable[[], str],
        statistics: "Callable[[], Statistics]",
        privacy: "Callable[[], Privacy]",
    ) -> None:
        self._app = app
        self._search = search
        self._read = read
        self._currency = currency
        self._statistics = statistics
        self._privacy = privacy
        app.get("/api/v1/products", access="public")(self.list)
        app.get("/api/v1/products/<product_id>", access="public")(self.one)

    def list(self) -> Response:
        wanted = read_parameters(self._app.current_event, ProductListParameters)
        now = time.time()
        page = self._page(wanted, now)
        body: dict[str, Any] = {"products": [product.view(now) for product in page.products]}
        if page.next_cursor is not None:
            body["nextCursor"] = page.next_cursor
        if not page.products and wanted.cursor is None:
            self._note_fruitless(wanted.query or "")
            nearest = self._nearest(wanted, now)
            # A filter of a listing is meant: what only comes near it is no product of the list.
            body |= {"nearest": nearest} if nearest else {}
        return json_reply(body)

    def one(self, product_id: str) -> Response:
        found = self._search().get([product_id], self._app.visit.deadline)
        if not found:
            raise NotFoundError("This product is not sold here.", code="unknown_product")
        return json_reply(found[0].view(time.time()))

    def _page(self, wanted: ProductListParameters, now: float) -> "ProductPage":
        search = self._search()
        asked: dict[str, Any] = {
            "limit": wanted.limit,
            "cursor": wanted.cursor,
            "deadline": self._app.visit.deadline,
            "now": now,
        }
        filters = self._filters(wanted)
        if wanted.query:
            wishes, profile = self._with_wishes(filters, wanted.query)
            text = search.words_of(wanted.query, wishes, profile)
            return search.list_found(text, wishes, profile=profile, **asked)
        return search.browse(filters, **asked)

    def _nearest(self, wanted: ProductListParameters, now: float) -> "list[dict[str, Any]]":
        """What comes nearest to filters that no product meets, each with what it does not meet."""
        constraints = self._filters(wanted)
        if constraints == Constraints():
            return []
        found = self._search().find_products(
            wanted.query or "",
            constraints,
            limit=min(wanted.limit, MOST_NEAREST),
            deadline=self._app.visit.deadline,
            now=now,
        )
        return [
            {
                **product.view(now),
                "violates": [s.view(product.price.currency) for s in found.shortfalls[product.id]],
            }
            for product in found.products
            if product.id in found.shortfalls
        ]

    def _filters(self, wanted: ProductListParameters) -> Constraints:
        currency = self._currency()
        return Constraints(
            min_price=None if wanted.min_price is None else to_minor(wanted.min_price, currency),
            max_price=None if wanted.max_price is None else to_minor(wanted.max_price, currency),
            gender=wanted.gender,
            in_stock=wanted.in_stock or None,
        )

    def _with_wishes(self, filters: Constraints, query: str) -> "tuple[Constraints, Profile]":
        """The filters with the wishes of a query, which rank and filter nothing, and what it tells of the shopper.

        The page ranks as the assistant does.
        """
        said, profile = self._read(query)
        wishes = replace(
            filters,
            families=(*said.notes, *said.families),
            season=said.season,
            occasion=said.occasion,
            longevity=said.longevity,
            sillage=said.sillage,
        )
        return self._search().by_wishes(query, wishes), profile

    def _note_fruitless(self, query: str) -> None:
        """Let operators know of a search that found nothing; a list that cannot be counted is answered all the same."""
        text = brief(self._privacy().for_keeping(query))
        if not text:
            return
        try:
            tally = Tally({"fruitless": 1}, {"searches": text})
            self._statistics().add(tally, self._app.visit.deadline.capped(NOTE_SECONDS))
        except (StateUnavailableError, DeadlineExceededError) as error:
            logger.warning("search not counted", error=type(error).__name__)
