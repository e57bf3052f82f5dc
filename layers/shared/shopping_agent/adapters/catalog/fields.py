"""From the fields of one record, under our column names, to a product or to the reason why it is none."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final, cast
from urllib.parse import urlsplit

from shopping_agent.adapters.catalog.amounts import (
    InvalidPriceError,
    read_currency,
    read_price,
    read_size_ml,
    read_stock,
)
from shopping_agent.adapters.catalog.columns import header_key
from shopping_agent.adapters.catalog.notes import notes_in_description
from shopping_agent.adapters.catalog.plain_text import one_line, plain_text
from shopping_agent.adapters.catalog.words import (
    families_of,
    families_of_tags,
    gender_of,
    gender_of_tags,
    split_list,
)
from shopping_agent.domain.catalog import Notes, PriceTag, Product
from shopping_agent.domain.feed import RejectReason
from shopping_agent.domain.injection import is_plain
from shopping_agent.domain.values import frozen

_DAY_SECONDS: Final = 24 * 3600
_MAX_ID: Final = 200
"""What a request may name."""
_MAX_LIST: Final = 50
_MAX_WORD: Final = 120
_MAX_OPTIONS: Final = 10
_MAX_LINK: Final = 2048
_MAX_CHECKOUT_ID: Final = 100
_SIZE_OPTIONS: Final = frozenset({"size", "volume", "capacity", "taille", "contenance", "الحجم"})
_CATEGORY_LEVELS: Final = re.compile(r"\s*>\s*")
_NEXT_LINK: Final = re.compile(r"\s*[|\s]\s*|,(?=\s*(?:https?:)?//)")


@frozen
class Record:
    """One record of a file before it is a product: values under our column names, as the file has them."""

    line: int
    values: Mapping[str, Any]


class RecordError(ValueError):
    """Why a record is no product."""

    def __init__(self, reason_code: RejectReason, hint: str) -> None:
        super().__init__(hint)
        self.reason_code: RejectReason = reason_code


def record_id(values: Mapping[str, Any]) -> str:
    """The trimmed id of a record, "" without one."""
    raw = values.get("id")
    if isinstance(raw, bool) or not isinstance(raw, str | int | Decimal):
        return ""
    return str(raw).encode("utf-8", "ignore").decode().strip()


def product_of(values: Mapping[str, Any], currency: str) -> Product:
    """The product of a record.

    Args:
        currency: the store's own, for prices that name none.

    Raises:
        RecordError: the first of: id, name, price that is wrong.
    """
    product_id = record_id(values)
    if not product_id:
        raise RecordError("missing_id", "give the row an id")
    if len(product_id) > _MAX_ID:
        raise RecordError("malformed_row", f"the id is longer than {_MAX_ID} characters")
    name = one_line(_text(values, "name"))
    if not name:
        raise RecordError("missing_name", "give the product a name")
    price = _price_tag(values, read_currency(_text(values, "currency")) or currency)
    description = plain_text(_text(values, "description"))
    options = _options(values.get("options"))
    tags = _tags(values)
    return Product(
        id=product_id,
        name=name,
        price=price,
        brand=_plain(one_line(_text(values, "brand"), _MAX_WORD)),
        description=description,
        stock=read_stock(values.get("stock"), _text(values, "availability")),
        url=_link(values.get("url")),
        image_url=_link(values.get("imageUrl")),
        gender=gender_of(_list(values.get("gender"))) or gender_of_tags(tags),
        families=families_of(_list(values.get("families"))) or families_of_tags(tags),
        notes=_notes(values) or notes_in_description(description),
        accords=_list(values.get("accords")),
        concentration=one_line(_text(values, "concentration"), _MAX_WORD) or None,
        sillage=one_line(_text(values, "sillage"), _MAX_WORD).casefold() or None,
        longevity=one_line(_text(values, "longevity"), _MAX_WORD).casefold() or None,
        seasons=_lowered(values.get("seasons")),
        occasions=_lowered(values.get("occasions")),
        size_ml=_size_ml(values, options, name),
        variant_of=one_line(_text(values, "variantOf"), _MAX_ID) or None,
        options=options,
        checkout_id=one_line(_text(values, "checkoutId"), _MAX_CHECKOUT_ID),
    )


def _text(values: Mapping[str, Any], column: str) -> str:
    raw = values.get(column)
    if isinstance(raw, bool) or not isinstance(raw, str | int | Decimal):
        return ""
    return str(raw)


def _list(raw: Any) -> tuple[str, ...]:
    """A list as the file writes it: a JSON array, or one cell with separators."""
    parts: Iterable[Any] = ()
    if isinstance(raw, str):
        parts = split_list(plain_text(raw))
    elif isinstance(raw, list):
        parts = cast(list[Any], raw)
    words = (one_line(p, _MAX_WORD) for p in parts if isinstance(p, str))
    return tuple(dict.fromkeys(word for word in words if _plain(word)))[:_MAX_LIST]


def _plain(word: str) -> str:
    """The word, "" for a sentence to a language model, a link or a price in its place."""
    return word if is_plain(word) else ""


def _lowered(raw: Any) -> tuple[str, ...]:
    return tuple(word.casefold() for word in _list(raw))


def _tags(values: Mapping[str, Any]) -> list[str]:
    return [level for tag in _list(values.get("tags")) for level in _CATEGORY_LEVELS.split(tag)]


def _notes(values: Mapping[str, Any]) -> Notes | None:
    """The pyramid of the note columns; a flat list without levels counts as heart."""
    raw: Any = values.get("notes")
    levels: Mapping[str, Any] = cast(Mapping[str, Any], raw) if isinstance(raw, Mapping) else {}
    notes = Notes(
        top=_list(levels.get("top")) or _list(values.get("notesTop")),
        heart=_list(levels.get("heart")) or _list(values.get("notesHeart")) or _list(raw),
        base=_list(levels.get("base")) or _list(values.get("notesBase")),
    )
    return notes if notes.all() else None


def _options(raw: Any) -> dict[str, str]:
    """Names and values as written, from an object or from `size: 30 ml | colour: red`."""
    pairs: Iterable[Sequence[Any]] = ()
    if isinstance(raw, Mapping):
        pairs = tuple(cast(Mapping[str, Any], raw).items())
    elif isinstance(raw, str):
        pairs = [cell.split(":", 1) for cell in raw.split("|") if ":" in cell]
    options = {
        one_line(str(name), _MAX_WORD): one_line(str(value), _MAX_WORD)
        for name, value in pairs
        if isinstance(value, str | int | Decimal) and not isinstance(value, bool)
    }
    return dict([(k, v) for k, v in options.items() if k and v][:_MAX_OPTIONS])


def _size_ml(values: Mapping[str, Any], options: Mapping[str, str], name: str) -> int | None:
    sizes = (value for key, value in options.items() if header_key(key) in _SIZE_OPTIONS)
    found = (read_size_ml(value, bare=True) for value in (*sizes, values.get("sizeMl")))
    return next((size for size in found if size), None) or read_size_ml(name, bare=False)


def _link(raw: Any) -> str:
    """The first absolute http(s) address of a cell or list, "" without one."""
    cell: Any = cast(Any, raw[0] if isinstance(raw, list) and raw else raw)
    if not isinstance(cell, str) or not cell.strip():
        return ""
    link = _NEXT_LINK.split(cell.strip(), maxsplit=1)[0]
    link = f"https:{link}" if link.startswith("//") else link
    try:
        parts = urlsplit(link)
        absolute = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return ""
    return link if absolute and len(link) <= _MAX_LINK and link.isprintable() else ""


def _price_tag(values: Mapping[str, Any], currency: str) -> PriceTag:
    try:
        regular = read_price(values.get("price"), currency)
    except InvalidPriceError:
        raise RecordError("invalid_price", "the price must be a number greater than zero") from None
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
        amount = read_price(values.get("salePrice"), currency)
        starts = _moment(_text(values, "saleFrom"), end=False)
        ends = _moment(_text(values, "saleUntil"), end=True)
    except ValueError:
        return None
    if amount is None:
        return None
    return PriceTag(amount.minor, amount.currency, sale_from=starts, sale_until=ends)


def _moment(text: str, *, end: bool) -> int | None:
    """Seconds since the epoch of an ISO date or time (UTC unless it says otherwise).

    A date that ends a window includes its whole day.
    """
    text = text.strip()
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    # Added as seconds: the usual "for ever", 9999-12-31, is the last day that a date can be.
    whole_day = _DAY_SECONDS if end and len(text) == len("2026-11-30") else 0
    return int(moment.timestamp()) + whole_day
