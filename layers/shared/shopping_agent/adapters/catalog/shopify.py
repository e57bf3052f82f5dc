"""Shopify's product export: one row a variant, the product's own cells on the first of them."""

import re
import unicodedata
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from shopping_agent.adapters.catalog.amounts import read_stock
from shopping_agent.adapters.catalog.columns import Columns
from shopping_agent.adapters.catalog.fields import Record, RecordError
from shopping_agent.adapters.catalog.formats import Records
from shopping_agent.adapters.catalog.parents import Parent, Parents
from shopping_agent.adapters.catalog.sheet import Sheet, values_of
from shopping_agent.domain.feed import RejectedRow
from shopping_agent.domain.text import fold

_OPTIONS: Final = ("1", "2", "3", "4", "5")
_ONLY_VARIANT: Final = "default title"
_HIDDEN: Final = frozenset({"draft", "archived", "unlisted"})
_NO: Final = frozenset({"false", "0", "no", "faux", "non"})
# Cells of a variant; all others are its product's.
_VARIANT: Final = frozenset(
    {"price", "stock", "tracker", "policy", "imageUrl", "checkoutId", "picture", "picturePosition"}
    | {f"optionValue{n}" for n in _OPTIONS}
    | {"id", "currency", "availability", "sizeMl", "variantOf", "options"}
)
_LATIN_ACCENTS: Final = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")
_BETWEEN: Final = re.compile(r"(?:[^\w\u0610-\u061a\u064b-\u065f]|_)+")


class ShopifySheet:
    """Products of Shopify's product export, old and new headers."""

    def __init__(self, sheet: Sheet, columns: Columns) -> None:
        self._sheet = sheet
        self._positions = columns.of(sheet.header, "shopify")
        sheet.require(self._positions, ("handle", "name", "price"))

    @staticmethod
    def recognises(sheet: Sheet, columns: Columns) -> bool:
        known = columns.known(sheet.header, "shopify")
        any_table = columns.known(sheet.header, "table")
        marks = {"optionName1", "optionValue1", "published", "stock", "policy"}
        return {"handle", "name"} <= known and (bool(marks & known) or "id" not in any_table)

    def records(self) -> Records:
        with Parents() as products:
            for row in self._sheet.rows():
                if not isinstance(row, RejectedRow):
                    _keep(products, values_of(row[1], self._positions))
            for row in self._sheet.rows():
                if isinstance(row, RejectedRow):
                    yield row
                    continue
                values = values_of(row[1], self._positions)
                if _is_variant(values):
                    yield _record(row[0], values, products.get(_handle(values)))


def _handle(values: Mapping[str, Any]) -> str:
    return values["handle"].strip()


def _is_variant(values: Mapping[str, Any]) -> bool:
    """Whether a row is more than an extra picture of its product."""
    return bool(values["price"].strip()) or any(
        values.get(f"optionValue{n}", "").strip() for n in _OPTIONS
    )


def _keep(products: Parents, values: dict[str, Any]) -> None:
    """Keep what a row says of its product, beside what other rows of it said."""
    handle = _handle(values)
    said = {c: v for c, v in values.items() if c not in _VARIANT and c != "handle" and v.strip()}
    picture = values.get("picture", "").strip()
    if picture:
        said |= {"imageUrl": picture, "picturePosition": _position(values)}
    if not handle or (not said and handle in products):
        return
    known = products.values(handle)
    if known is None:
        products.put((handle,), said)
        return
    if picture and said["picturePosition"] >= known.get("picturePosition", 10**9):
        del said["imageUrl"], said["picturePosition"]
    new = {c: v for c, v in said.items() if c not in known or c in ("imageUrl", "picturePosition")}
    if new:
        products.put((handle,), {**known, **new})


def _position(values: Mapping[str, Any]) -> int:
    """The place of a picture; one without a number comes after those that have one."""
    written = values.get("picturePosition", "").strip()
    return int(written) if written.isascii() and written.isdigit() and len(written) < 9 else 10**8


def _record(line: int, values: dict[str, Any], product: Parent | None) -> Record:
    about: Mapping[str, Any] = product.values if product else {}
    options = _options(values, about)
    handle = _handle(values)
    title = about.get("name", "")
    variant: dict[str, Any] = {
        "id": handle,
        "name": title,
        "price": values["price"],
        "currency": values.get("currency", ""),
        "stock": _stock(values),
        "imageUrl": values.get("imageUrl", ""),
        "checkoutId": values.get("checkoutId", ""),
        "sizeMl": values.get("sizeMl", ""),
    }
    if options and handle:
        variant |= {
            "id": f"{handle}--{slug(' '.join(options.values()))}",
            "name": title and f"{title} - {' / '.join(options.values())}",
            "variantOf": handle,
            "options": options,
        }
    return Record(line, variant, product.lent if product else None, _unpublished(about))


def _options(values: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, str]:
    """The options by name; the names may stand on another row of the product."""
    options: dict[str, str] = {}
    for n in _OPTIONS:
        value = values.get(f"optionValue{n}", "").strip()
        name = (values.get(f"optionName{n}") or about.get(f"optionName{n}") or "").strip()
        if value and fold(value) != _ONLY_VARIANT:
            options[name or f"Option {n}"] = value
    return options


def slug(text: str) -> str:
    """Lower case, Latin accents removed, each run of what is no letter or digit a `-`."""
    plain = unicodedata.normalize("NFKD", text.lower())
    plain = unicodedata.normalize("NFC", _LATIN_ACCENTS.sub("", plain))
    return _BETWEEN.sub("-", plain).strip("-") or sha256(text.encode()).hexdigest()[:8]


def _stock(values: Mapping[str, Any]) -> int | None:
    if "tracker" in values and not values["tracker"].strip():
        return None
    stock = read_stock(values.get("stock", ""))
    sells_on = values.get("policy", "").strip().casefold() == "continue"
    return None if sells_on and stock is not None and stock <= 0 else stock


def _unpublished(about: Mapping[str, Any]) -> RecordError | None:
    status = fold(about.get("status", "")).strip()
    if status in _HIDDEN:
        return RecordError("not_published", f"the product is {status}: make it active to sell it")
    if fold(about.get("published", "")).strip() in _NO:
        return RecordError("not_published", "the product is not published on the online store")
    return None
