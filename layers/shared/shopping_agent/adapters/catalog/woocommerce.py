"""WooCommerce's product export: variations in rows of their own, whose parent may stand anywhere in the file."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from shopping_agent.adapters.catalog.amounts import read_stock
from shopping_agent.adapters.catalog.columns import Columns
from shopping_agent.adapters.catalog.fields import Record, RecordError
from shopping_agent.adapters.catalog.formats import Records
from shopping_agent.adapters.catalog.parents import Parent, Parents
from shopping_agent.adapters.catalog.sheet import Sheet, values_of
from shopping_agent.domain.feed import RejectedRow
from shopping_agent.domain.text import fold

_MAX_ATTRIBUTES: Final = 30
_LINE_BREAK: Final = re.compile(r"(?<!\\)\\n")
_BY_ID: Final = re.compile(r"id\s*:\s*(\S+)", re.IGNORECASE)
_NO: Final = frozenset({"0", "no", "non", "false", "faux"})
_UNPUBLISHED: Final = frozenset(
    {"0", "-1", "no", "non", "false", "faux", "draft", "private", "pending"}
)
_BACKORDERS: Final = frozenset({"1", "notify", "yes", "oui", "true"})
# Columns that an attribute may stand for; of these no variation can be chosen by.
_FACETS: Final = frozenset(
    {"brand", "families", "notes", "notesTop", "notesHeart", "notesBase", "accords"}
)
_ATTRIBUTES: Final = _FACETS | {
    "gender",
    "sizeMl",
    "concentration",
    "sillage",
    "longevity",
    "seasons",
    "occasions",
}


class WooCommerceSheet:
    """Products of WooCommerce's product export, in English, French or Arabic."""

    def __init__(self, sheet: Sheet, columns: Columns) -> None:
        self._sheet = sheet
        self._columns = columns
        self._positions = columns.of(sheet.header, "woocommerce")
        sheet.require(self._positions, ("name", "price"))
        numbers = range(1, _MAX_ATTRIBUTES + 1)
        self._attributes = [n for n in numbers if f"attributeValue{n}" in self._positions]

    @staticmethod
    def recognises(sheet: Sheet, columns: Columns) -> bool:
        known = columns.known(sheet.header, "woocommerce")
        marks = {"published", "parent", "backorders", "attributeName1", "shortDescription"}
        return {"type", "name", "price"} <= known and bool(marks & known)

    def records(self) -> Records:
        with Parents() as parents:
            for row in self._sheet.rows():
                if not isinstance(row, RejectedRow):
                    _keep(parents, self._values(row[1]))
            for row in self._sheet.rows():
                if isinstance(row, RejectedRow):
                    yield row
                elif record := _record(row[0], self._values(row[1]), parents):
                    yield record

    def _values(self, cells: list[str]) -> dict[str, Any]:
        """The cells of a row; attributes are `options`, those named like a column count as that column too."""
        values = values_of(cells, self._positions)
        options: dict[str, str] = {}
        for n in self._attributes:
            name = values.pop(f"attributeName{n}", "").strip().removeprefix("pa_")
            value = values.pop(f"attributeValue{n}", "").strip()
            if not name or not value:
                continue
            column = next(iter(self._columns.of((name,))), "")
            if column in _ATTRIBUTES and not values.get(column, "").strip():
                values[column] = value
            if column not in _FACETS:
                options[name] = value.replace("\\,", ",")
        for column in ("description", "shortDescription"):
            values[column] = _LINE_BREAK.sub("\n", values.get(column, ""))
        values["description"] = (
            values["description"] if values["description"].strip() else values["shortDescription"]
        )
        values["tags"] = values.get("tags", "").replace("\\,", " ")
        values["id"] = values.get("id", "").strip() or values.get("sku", "").strip()
        return {**values, "options": options}


def _types(values: Mapping[str, Any]) -> set[str]:
    return {part.strip() for part in fold(values["type"]).split(",")}


def _keep(parents: Parents, values: dict[str, Any]) -> None:
    """Keep what may be a parent under its ID and SKU; of a product that is none only that it is there."""
    types = _types(values)
    if any("variation" in kind for kind in types):
        return
    keys = [f"id:{values['id']}"] if values["id"] else []
    if sku := values.get("sku", "").strip():
        keys.append(f"sku:{sku}")
    if any(kind.startswith("variable") for kind in types):
        parents.put(tuple(keys), values)
    elif new := tuple(key for key in keys if key not in parents):
        parents.put(new, values)


def _record(line: int, values: dict[str, Any], parents: Parents) -> Record | None:
    types = _types(values)
    error = _unpublished(values)
    if any("variation" in kind for kind in types):
        return _variation(line, values, _parent(values, parents), error)
    del values["options"]
    if any(kind.startswith("variable") for kind in types):
        return Record(line, values, error=error) if error or not values["id"] else None
    values.pop("variantOf", None)
    return Record(line, _sellable(values), error=error)


def _variation(
    line: int, values: dict[str, Any], parent: Parent | None, error: RecordError | None
) -> Record:
    if parent is None:
        written = values.get("parent", "").strip()
        hint = (
            f"no row has the parent's SKU or id {written[:80]!r}" if written else "name the parent"
        )
        return Record(line, values, error=error or RecordError("unknown_parent", hint))
    about = parent.values
    if not values["name"].strip() and about["name"].strip():
        values["name"] = (
            f"{about['name'].strip()} - {', '.join(values['options'].values())}".rstrip(" -")
        )
    values["variantOf"] = about["id"]
    lent = replace(parent.lent, accords=())
    return Record(line, _sellable(values), lent, error or _unpublished(about, "the parent"))


def _parent(values: Mapping[str, Any], parents: Parents) -> Parent | None:
    written = values.get("parent", "").strip()
    by_id = _BY_ID.fullmatch(written)
    return parents.get(f"id:{by_id.group(1)}" if by_id else f"sku:{written}") if written else None


def _sellable(values: dict[str, Any]) -> dict[str, Any]:
    """The values with a stock that knows of WooCommerce's own switches."""
    in_stock = fold(values.pop("availability", "")).strip()
    stock = read_stock(values.get("stock", ""), "" if in_stock == "1" else in_stock)
    backorders = fold(values.get("backorders", "")).strip() in _BACKORDERS
    if backorders and in_stock not in _NO and values.get("stock", "").strip() and stock == 0:
        stock = None
    return {**values, "stock": stock}


def _unpublished(values: Mapping[str, Any], what: str = "the product") -> RecordError | None:
    if fold(values.get("published", "")).strip() in _UNPUBLISHED:
        return RecordError("not_published", f"{what} is not published: set Published to 1")
    return None
