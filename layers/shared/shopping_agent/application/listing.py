"""Lists of products page by page: everything that meets some constraints, or what a search text finds, best first."""

import re
from collections.abc import Sequence
from typing import Final
from zlib import crc32

from shopping_agent.application.candidates import POOL, CandidateFinder
from shopping_agent.application.product_search import ProductSearch
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.constraints import Constraints, violations
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.profile import Profile
from shopping_agent.domain.ranking import Ranked
from shopping_agent.domain.values import frozen
from shopping_agent.errors import InvalidFieldError
from shopping_agent.ports import ProductIndex, ProductPage

# The index is asked again while what it lists is not sold as it says.
_BROWSE_PAGES: Final = 12
# Chunks that a list is ranked from: the first ones, and, beyond these, many.
_TIERS: Final = (POOL, 4 * POOL)
_CURSOR: Final = re.compile(r"r\.([0-9a-f]{1,6})\.([0-9a-f]{1,8})\.([0-9a-f]{1,8})")


@frozen
class _Place:
    """Where a page begins: behind so many products, the last of which had an id of this digest."""

    behind: int = 0
    last: int = 0


class ProductListing:
    """Pages of products that are sold, at live prices.

    Args:
        currency: the store's own.
    """

    def __init__(
        self, *, index: ProductIndex, finder: CandidateFinder, search: ProductSearch, currency: str
    ) -> None:
        self._index = index
        self._finder = finder
        self._search = search
        self._currency = currency

    def browse(
        self,
        constraints: Constraints,
        *,
        limit: int,
        cursor: str | None,
        deadline: Deadline,
        now: float,
    ) -> ProductPage:
        """What `SearchService.browse` says."""
        wanted = self._finder.canonical(constraints)
        where = self._finder.strict_filter(wanted)
        kept: list[Product] = []
        for _ in range(_BROWSE_PAGES):
            page = self._index.browse(
                where, limit=limit - len(kept), cursor=cursor, deadline=deadline
            )
            sold = self._finder.sold(page.products, deadline)
            kept += [p for p in sold if self._still_fits(p, wanted, now)]
            cursor = page.next_cursor
            if cursor is None or len(kept) >= limit:
                break
        return ProductPage(tuple(kept), cursor)

    def find(
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
        """What `SearchService.list_found` says."""
        request = self._search.request(constraints, profile, now)
        asked = crc32(repr((text, request.wanted)).encode("utf-8", "replace"))
        place = _place(cursor, asked)
        order: list[Product] = []
        more = True
        for chunks in _TIERS:
            found, complete = self._search.groups(text, request, deadline, chunks)
            order = _continued(order, found)
            more = not complete
            begin = _beginning(order, place)
            if complete or begin + limit < len(order):
                break
        else:
            more = False
        begin = _beginning(order, place)
        shown = order[begin : begin + limit]
        more = more or begin + limit < len(order)
        after = _cursor(begin + len(shown), shown[-1].id, asked) if shown and more else None
        return ProductPage(tuple(shown), after)

    def _still_fits(self, product: Product, wanted: Constraints, now: float) -> bool:
        """Whether price, currency and stock hold now: the index may know older ones."""
        if wanted.bounded and product.price.currency != (wanted.currency or self._currency):
            return False
        moving = Constraints(
            min_price=wanted.min_price, max_price=wanted.max_price, in_stock=wanted.in_stock
        )
        return not violations(product, (), moving, covers=lambda term: (term,), now=now)


def _continued(order: Sequence[Product], groups: Sequence[Sequence[Ranked]]) -> list[Product]:
    """A list followed by what more was found: what stood in it keeps its place, so that pages fit together."""
    there = {product.id for product in order}
    new = [group[0].product for group in groups if not any(r.product.id in there for r in group)]
    return [*order, *new]


def _beginning(order: Sequence[Product], place: _Place) -> int:
    """Behind the product that was last shown, wherever it is by now; where it is gone, behind as many as were shown."""
    if not place.behind:
        return 0
    found = (i + 1 for i, product in enumerate(order) if _digest(product.id) == place.last)
    return next(found, min(place.behind, len(order)))


def _place(cursor: str | None, asked: int) -> _Place:
    """Where a cursor of this very search goes on.

    Raises:
        InvalidFieldError: when it is of another search, or none of ours.
    """
    if cursor is None:
        return _Place()
    read = _CURSOR.fullmatch(cursor)
    if read is None or int(read[3], 16) != asked:
        raise InvalidFieldError("the cursor is not one of this search", field="cursor")
    return _Place(int(read[1], 16), int(read[2], 16))


def _cursor(behind: int, last: str, asked: int) -> str:
    return f"r.{behind:x}.{_digest(last):x}.{asked:x}"


def _digest(product_id: str) -> int:
    return crc32(product_id.encode("utf-8", "replace"))
