"""Which kind of file an upload is: by its name, or by the header of its table where the name does not say."""

import csv
from io import BytesIO
from pathlib import Path

from shopping_agent.adapters.catalog.columns import Columns
from shopping_agent.adapters.catalog.feed_text import feed_text
from shopping_agent.adapters.catalog.sheet import Sheet
from shopping_agent.errors import CatalogFileError

HEAD_BYTES = 65_536
STATED = frozenset(
    {"price", "salePrice", "saleFrom", "saleUntil", "saleWindow", "stock", "availability"}
)
FOLDERS = {"catalog": "catalog/", "guide": "guides/", "inventory": "inventory/"}
"""Prefix of the keys of each kind of file."""


def kind_of(file: Path, columns: Columns) -> tuple[str, str]:
    """The kind of a file, and why."""
    if file.suffix.lower() == ".md":
        return "guide", "it is Markdown"
    if file.stem.lower().startswith(("inventory", "stock")):
        return "inventory", "by its name"
    if _is_inventory(file, columns):
        return "inventory", "its header names prices or stocks and no products' names"
    return "catalog", "nothing says that it is a guide or an inventory"


def key_of(file: Path, kind: str) -> str:
    """Where a file of a kind belongs."""
    return f"{FOLDERS[kind]}{file.name}"


def _is_inventory(file: Path, columns: Columns) -> bool:
    """Whether a table's header has ids, prices or stocks, and nothing else: a word that is unknown here may be a name's."""
    try:
        with file.open("rb") as stream, feed_text(BytesIO(stream.read(HEAD_BYTES))) as text:
            if text.head[0] in "{[<":
                return False
            header = Sheet.of(text, columns).header
    except (CatalogFileError, csv.Error):
        return False
    named = columns.of(header)
    known = sum(len(positions) for positions in named.values())
    return (
        known == sum(bool(cell.strip()) for cell in header)
        and "id" in named
        and not STATED.isdisjoint(named)
        and named.keys() <= STATED | {"id", "currency"}
    )
