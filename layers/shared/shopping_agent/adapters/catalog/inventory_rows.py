"""From a record of an inventory file to what it states of its product: price, stock, or both."""

import re
from collections.abc import Mapping
from typing import Any, Final

from shopping_agent.adapters.catalog.amounts import read_currency
from shopping_agent.adapters.catalog.described import text_of
from shopping_agent.adapters.catalog.fields import (
    MAX_ID,
    Record,
    RecordError,
    price_tag_of,
    record_id,
    states_stock,
    stock_of,
)
from shopping_agent.domain.catalog import PriceTag
from shopping_agent.domain.feed import InventoryRow, RejectedRow
from shopping_agent.domain.text import fold

_NOTHING: Final = "the row states neither a price nor a stock: fill in one of them"
_UNREADABLE: Final = "the stock must be a number, or words such as in stock, en stock, متوفر"
_SELLABLE: Final = re.compile(
    r"in.?stock|en stock|available|disponible|متوفر|متاح|^(?:1|yes|oui|true|vrai|y|نعم)$"
)


def inventory_row(record: Record | RejectedRow, currency: str) -> InventoryRow | RejectedRow:
    """The row of a record. A price that is there replaces regular price, sale price and its window together.

    Args:
        currency: the store's own, for prices that name none.
    """
    if isinstance(record, RejectedRow):
        return record
    product_id = record_id(record.values)
    try:
        if not product_id:
            raise RecordError("missing_id", "give the row an id")
        if len(product_id) > MAX_ID:
            raise RecordError("malformed_row", f"the id is longer than {MAX_ID} characters")
        return _row(record, product_id, currency)
    except RecordError as error:
        return RejectedRow(record.line, error.reason_code, str(error), product_id)


def _row(record: Record, product_id: str, currency: str) -> InventoryRow:
    values = record.values
    price = _price(values, read_currency(text_of(values, "currency")) or currency)
    counted, stock = states_stock(values), stock_of(values)
    if counted and stock is None and not _is_sellable(values):
        # Unlike in a catalog: what cannot be read must not put what is sold out on sale again.
        if price is None:
            raise RecordError("nothing_stated", _UNREADABLE)
        counted = False
    if price is None and not counted:
        raise RecordError("nothing_stated", _NOTHING)
    return InventoryRow(record.line, product_id, price, counted, stock)


def _price(values: Mapping[str, Any], currency: str) -> PriceTag | None:
    try:
        return price_tag_of(values, currency)
    except RecordError as error:
        if error.reason_code == "missing_price":
            return None
        raise


def _is_sellable(values: Mapping[str, Any]) -> bool:
    said = (values.get("stock"), text_of(values, "availability"))
    return any(
        word is True or (isinstance(word, str) and _SELLABLE.search(fold(word).strip()))
        for word in said
    )
