"""From the fields of one record, under our column names, to a product or to the reason why it is none."""

import re
from collections.abc import Mapping
from typing import Any, Final

from shopping_agent.adapters.catalog.amounts import (
    Amount,
    InvalidPriceError,
    MinorUnits,
    read_currency,
    read_price,
    read_size_ml,
    read_stock,
)
from shopping_agent.adapters.catalog.columns import header_key
from shopping_agent.adapters.catalog.dates import sale_window
from shopping_agent.adapters.catalog.described import (
    Described,
    described,
    options_of,
    text_of,
)
from shopping_agent.adapters.catalog.plain_text import one_line
from shopping_agent.domain.catalog import PriceTag, Product
from shopping_agent.domain.feed import RejectReason
from shopping_agent.domain.text import fold
from shopping_agent.domain.values import frozen
from shopping_agent.domain.visible import visible

MAX_ID: Final = 200
"""What a request may name."""
_MAX_CHECKOUT_ID: Final = 100
_PIECES: Final = re.compile(
    r"\s*(?:\d+\s*(?:(?:in|en) stock|left|pcs|pieces?|units?|available|disponibles?|restants?|قطع|قطعه|متوفر)"
    r"|[2-9]|\d{2,9})\s*"
)
_SIZE_OPTIONS: Final = frozenset(
    map(
        header_key,
        (
            "size",
            "volume",
            "capacity",
            "bottle size",
            "taille",
            "contenance",
            "format",
            "capacité",
            "ml",
            "الحجم",
            "حجم",
            "السعة",
            "سعة",
        ),
    )
)


class RecordError(ValueError):
    """Why a record is no product."""

    def __init__(self, reason_code: RejectReason, hint: str) -> None:
        super().__init__(hint)
        self.reason_code: RejectReason = reason_code


@frozen
class Record:
    """One record of a file before it is a product: values under our column names, as the file has them.

    Attributes:
        parent: lends what the record itself does not say.
        error: what is wrong with its publication or its parent.
    """

    line: int
    values: Mapping[str, Any]
    parent: Described | None = None
    error: RecordError | None = None


def record_id(values: Mapping[str, Any]) -> str:
    """The trimmed id of a record, "" without one. Only what nobody sees is removed."""
    return _id(values, "id")


def _id(values: Mapping[str, Any], column: str) -> str:
    return visible(text_of(values, column).encode("utf-8", "ignore").decode()).strip()


def product_of(record: Record, currency: str) -> Product:
    """The product of a record.

    Args:
        currency: the store's own, for prices that name none.

    Raises:
        RecordError: the first of: id, publication, parent, name, price that is wrong.
    """
    values = record.values
    product_id = record_id(values)
    if not product_id:
        raise RecordError("missing_id", "give the row an id")
    if len(product_id) > MAX_ID:
        raise RecordError("malformed_row", f"the id is longer than {MAX_ID} characters")
    if record.error:
        raise record.error
    name = one_line(text_of(values, "name"))
    if not name:
        raise RecordError("missing_name", "give the product a name")
    price = price_tag_of(values, read_currency(text_of(values, "currency")) or currency)
    options = options_of(values.get("options"))
    about = described(values)
    if record.parent:
        about = about.over(record.parent)
    return Product(
        id=product_id,
        name=name,
        price=price,
        brand=about.brand,
        description=about.description,
        stock=stock_of(values),
        url=about.url,
        image_url=about.image_url,
        gender=about.gender,
        families=about.families,
        notes=about.notes,
        accords=about.accords,
        concentration=about.concentration,
        sillage=about.sillage,
        longevity=about.longevity,
        seasons=about.seasons,
        occasions=about.occasions,
        size_ml=_size_ml(values, options, name),
        variant_of=_id(values, "variantOf")[:MAX_ID] or None,
        options=options,
        checkout_id=one_line(text_of(values, "checkoutId"), _MAX_CHECKOUT_ID),
    )


def stock_of(values: Mapping[str, Any]) -> int | None:
    """The pieces of the stock column, else those that the availability tells ("8 pieces", not "in 24 hours")."""
    stock, availability = values.get("stock"), text_of(values, "availability")
    unwritten = stock is None or (isinstance(stock, str) and not stock.strip())
    if unwritten and _PIECES.fullmatch(fold(availability)):
        stock = availability
    return read_stock(stock, availability)


def _size_ml(values: Mapping[str, Any], options: Mapping[str, str], name: str) -> int | None:
    sizes = (value for key, value in options.items() if header_key(key) in _SIZE_OPTIONS)
    found = (read_size_ml(value, bare=True) for value in (*sizes, values.get("sizeMl")))
    return next((size for size in found if size), None) or read_size_ml(name, bare=False)


def states_stock(values: Mapping[str, Any]) -> bool:
    """Whether a record says anything of the stock."""
    stock = values.get("stock")
    unwritten = stock is None or (isinstance(stock, str) and not stock.strip())
    return not unwritten or bool(text_of(values, "availability").strip())


def price_tag_of(values: Mapping[str, Any], currency: str) -> PriceTag:
    """The price of a record, its sale price and that one's window.

    Raises:
        RecordError: there is none, or it is no price.
    """
    raw = values.get("price")
    try:
        regular = (
            raw.in_currency(currency) if isinstance(raw, MinorUnits) else read_price(raw, currency)
        )
    except InvalidPriceError:
        hint = "the price must be a number greater than zero, such as 249.90 or 249,90 MAD"
        raise RecordError("invalid_price", hint) from None
    sale = _sale(values, regular.currency if regular else currency)
    if regular is None:
        if sale is None:
            raise RecordError("missing_price", "give the product a price")
        return PriceTag(regular=sale.regular, currency=sale.currency)
    if sale is None or sale.currency != regular.currency:
        return PriceTag(regular=regular.minor, currency=regular.currency)
    return PriceTag(
        regular=regular.minor,
        currency=regular.currency,
        sale=sale.regular,
        sale_from=sale.sale_from,
        sale_until=sale.sale_until,
    )


def _sale(values: Mapping[str, Any], currency: str) -> PriceTag | None:
    """The sale price and its window; None when either cannot be read, so that nothing is sold too cheap."""
    try:
        amount: Amount | None = read_price(values.get("salePrice"), currency)
        starts, ends = sale_window(
            text_of(values, "saleFrom"), text_of(values, "saleUntil"), text_of(values, "saleWindow")
        )
    except ValueError:
        return None
    if amount is None:
        return None
    return PriceTag(amount.minor, amount.currency, sale_from=starts, sale_until=ends)
