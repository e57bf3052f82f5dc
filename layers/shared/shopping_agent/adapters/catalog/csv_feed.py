"""Tables: Shopify's and WooCommerce's exports, Google's tab-separated feed, our CSV and any other with known headers."""

from collections.abc import Sequence
from typing import Any, Final

from shopping_agent.adapters.catalog.columns import Columns, header_key
from shopping_agent.adapters.catalog.feed_text import FeedText
from shopping_agent.adapters.catalog.fields import Record
from shopping_agent.adapters.catalog.formats import Records
from shopping_agent.adapters.catalog.sheet import Sheet, values_of
from shopping_agent.adapters.catalog.shopify import ShopifySheet
from shopping_agent.adapters.catalog.woocommerce import WooCommerceSheet
from shopping_agent.domain.feed import RejectedRow

_REQUIRED: Final = ("id", "name", "price")
_GOOGLE: Final = (
    ({"title", "link"}, {"imagelink", "itemgroupid", "availability", "googleproductcategory"}),
    ({"titre", "lien"}, {"lienimage", "identifiantdegroupe", "disponibilite"}),
)


class CsvFeed:
    """A table with a header line.

    Args:
        required: columns without which it is none of ours.
    """

    name = "CSV"

    def __init__(self, required: Sequence[str] = _REQUIRED) -> None:
        self._required = required

    def recognises(self, text: FeedText) -> bool:
        return text.head[0] not in "{[<"

    def records(self, text: FeedText, columns: Columns) -> Records:
        sheet = Sheet.of(text, columns)
        for exporter in (WooCommerceSheet, ShopifySheet):
            if exporter.recognises(sheet, columns):
                yield from exporter(sheet, columns).records()
                return
        positions = columns.of(sheet.header)
        sheet.require(positions, self._required)
        currency = sheet.currency(positions)
        google = is_google(sheet.header)
        for row in sheet.rows():
            if isinstance(row, RejectedRow):
                yield row
                continue
            values = values_of(row[1], positions)
            if currency and not values.get("currency", "").strip():
                values["currency"] = currency
            yield Record(row[0], with_size_option(values) if google else values)


def is_google(headers: tuple[str, ...]) -> bool:
    """Whether headers are those of Google's product data."""
    keys = {header_key(header) for header in headers}
    return any(both <= keys and keys & one for both, one in _GOOGLE)


def with_size_option(values: dict[str, Any]) -> dict[str, Any]:
    """Google's values, the size of a grouped item as its option."""
    size, group = (str(values.get(column) or "").strip() for column in ("sizeMl", "variantOf"))
    return {**values, "options": {"size": size}} if size and group else values
