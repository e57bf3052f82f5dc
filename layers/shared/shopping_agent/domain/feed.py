"""Catalog files: what happened to one, and its rows as a reader yields them."""

from datetime import datetime
from typing import Literal

from shopping_agent.domain.catalog import PriceTag, Product
from shopping_agent.domain.values import frozen

RejectReason = Literal[
    "missing_id",
    "missing_name",
    "missing_price",
    "invalid_price",
    "malformed_row",
    "not_published",
    "unknown_parent",
    "duplicate_id",
    "unknown_product",
    "nothing_stated",
]


@frozen
class ProductRow:
    """A valid row. A later `ProductRow` of the same id replaces it.

    Attributes:
        line: physical line where the record starts, from 1; in a JSON array the item's ordinal.
        counted: whether the row says anything of the stock; if not, an inventory file may.
    """

    line: int
    product: Product
    counted: bool = True


@frozen
class RejectedRow:
    """A row that yields no product.

    Attributes:
        hint: what would make the row valid, in English, for the person who wrote the file.
        id: the row's product id, where it has one.
    """

    line: int
    reason_code: RejectReason
    hint: str
    id: str = ""


FeedRow = ProductRow | RejectedRow


@frozen
class InventoryRow:
    """A row of an inventory file: what it says of one product.

    Attributes:
        price: None when the row says nothing of it.
        counted: whether it says anything of the stock.
        stock: pieces; None for "sellable, not counted".
    """

    line: int
    product_id: str
    price: PriceTag | None = None
    counted: bool = False
    stock: int | None = None


@frozen
class ObjectEvent:
    """Something happened to an object of the catalog bucket.

    Attributes:
        key: decoded.
        sequencer: hexadecimal; of two events of one key the later one's is greater.
        version: of the object, in a bucket that keeps them.
        etag: of its content, where the event tells it.
    """

    bucket: str
    key: str
    sequencer: str
    removed: bool = False
    version: str = ""
    etag: str = ""


def sequencer_of_time(moment: datetime) -> str:
    """A sequencer for an event that has none, in S3's own form: a zero byte, seconds, and their fraction of 2^32."""
    whole = int(moment.replace(microsecond=0).timestamp())
    return f"00{whole:08X}{moment.microsecond * 2**32 // 1_000_000:08X}"
