"""What the storefront lists: products browsed in a stable order, always with the live price and stock."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from shopping_agent.domain.catalog import Gender, Product
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import NotFoundError
from shopping_agent.ports import IndexFilter, LiveCatalog, ProductIndex, ProductPage

MAX_PAGES: Final = 5
"""How many pages of the index one request may read to find a product that still fits."""


@dataclass(frozen=True, slots=True)
class Criteria:
    """Hard constraints of a listing. Prices in minor units of the store's currency."""

    min_price: int | None = None
    max_price: int | None = None
    gender: Gender | None = None
    in_stock: bool | None = None

    @property
    def priced(self) -> bool:
        return self.min_price is not None or self.max_price is not None

    def admit(self, product: Product, *, currency: str, now: float) -> bool:
        """Whether a product fits at its live price and stock.

        An amount in a foreign currency cannot be compared, so it is never within bounds.
        """
        if self.in_stock is not None and product.in_stock != self.in_stock:
            return False
        if not self.priced:
            return True
        price = product.price.at(now)
        return (
            product.price.currency == currency
            and (self.min_price is None or price >= self.min_price)
            and (self.max_price is None or price <= self.max_price)
        )


class Storefront:
    """Products as the storefront shows them.

    Args:
        currency: the store's.
        clock: seconds since the epoch, for sale windows.
    """

    def __init__(
        self,
        *,
        index: ProductIndex,
        live: LiveCatalog,
        currency: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._index = index
        self._live = live
        self._currency = currency
        self._clock = clock

    def product(self, product_id: str, deadline: Deadline) -> Product:
        """Raises `NotFoundError` for a product that is not sold."""
        found = self._live_products(
            list(self._index.products([product_id], deadline).values()), deadline
        )
        if not found:
            raise NotFoundError("This product is not sold here.", code="unknown_product")
        return found[0]

    def browse(
        self, criteria: Criteria, *, limit: int, cursor: str | None, deadline: Deadline
    ) -> ProductPage:
        """One page. It may be shorter than `limit`, and is empty only at the end (or after `MAX_PAGES` without luck).

        Raises:
            InvalidFieldError: the cursor is not one of ours.
        """
        where = self._filter(criteria)
        page = ProductPage(())
        for _ in range(MAX_PAGES):
            page = self._index.browse(where, limit=limit, cursor=cursor, deadline=deadline)
            fitting = self._fitting(page.products, criteria, deadline)
            page = replace(page, products=fitting)
            cursor = page.next_cursor
            if fitting or cursor is None:
                break
        return page

    def _fitting(
        self, products: Sequence[Product], criteria: Criteria, deadline: Deadline
    ) -> tuple[Product, ...]:
        now = self._clock()
        return tuple(
            product
            for product in self._live_products(products, deadline)
            if criteria.admit(product, currency=self._currency, now=now)
        )

    def _live_products(self, products: Sequence[Product], deadline: Deadline) -> list[Product]:
        facts = self._live.get([product.id for product in products], deadline)
        return [product.with_live(facts[product.id]) for product in products if product.id in facts]

    def _filter(self, criteria: Criteria) -> IndexFilter:
        return IndexFilter(
            min_price=criteria.min_price,
            max_price=criteria.max_price,
            currency=self._currency if criteria.priced else None,
            gender=criteria.gender,
            in_stock=criteria.in_stock,
        )
