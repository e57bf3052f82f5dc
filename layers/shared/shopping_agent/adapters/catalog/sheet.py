"""A CSV file as rows of cells under a header: what all kinds of tables share."""

import csv
import re
from collections.abc import Generator, Sequence
from typing import Any, Final

from shopping_agent.adapters.catalog.amounts import read_currency
from shopping_agent.adapters.catalog.columns import MAX_COLUMNS, Columns
from shopping_agent.adapters.catalog.csv_rows import Rows, csv_rows
from shopping_agent.adapters.catalog.feed_text import FeedText
from shopping_agent.adapters.catalog.formats import malformed
from shopping_agent.domain.feed import RejectedRow
from shopping_agent.domain.values import frozen
from shopping_agent.errors import CatalogFileError

_DELIMITERS: Final = ",;\t|"
_MAX_HEADER: Final = 60_000
_BRACKETS: Final = re.compile(r"[(\[]([^)\]]{1,10})[)\]]")
# Of these a file may have several columns: all of their cells, or the first that is not empty.
_JOINED: Final = frozenset({"tags"})
_FIRST: Final = frozenset({"description", "imageUrl", "url"})
_FORMULA: Final = ("=", "+", "-", "@")


@frozen
class Sheet:
    """A table whose header has been read.

    Attributes:
        header: its cells, as written.
    """

    text: FeedText
    delimiter: str
    header: tuple[str, ...]

    @classmethod
    def of(cls, text: FeedText, columns: Columns) -> "Sheet":
        """The table of a file.

        Raises:
            CatalogFileError: its first line has no end.
        """
        first, *more = text.head.splitlines()
        first = more[0] if more and _is_separator_line(first) else first
        if len(first) > _MAX_HEADER:
            raise CatalogFileError("unknown_format", f"the first line is longer than {_MAX_HEADER}")
        delimiter = _delimiter(first, columns)
        with text.open() as stream:
            return cls(text, delimiter, _header(csv_rows(stream, text.first_line, delimiter)))

    def rows(self) -> Generator[tuple[int, list[str]] | RejectedRow]:
        """The rows behind the header with their physical lines; empty ones are left out. One reader at a time."""
        with self.text.open() as stream:
            rows = csv_rows(stream, self.text.first_line, self.delimiter)
            _header(rows)
            for line, cells in rows:
                if isinstance(cells, str):
                    yield malformed(line, cells)
                elif _filled(cells[len(self.header) :]):
                    yield malformed(line, "more cells than the header: quote cells with separators")
                elif _filled(cells):
                    yield line, cells

    def require(self, positions: dict[str, tuple[int, ...]], required: Sequence[str]) -> None:
        """Refuse a file that lacks a column.

        Raises:
            CatalogFileError: naming what is missing and what was found.
        """
        missing = [column for column in required if column not in positions]
        if missing:
            seen = ", ".join(cell.strip()[:40] for cell in self.header[:20])
            raise CatalogFileError(
                "unknown_format", f"no column named {' or '.join(missing)} in the header: {seen}"
            )

    def currency(self, positions: dict[str, tuple[int, ...]]) -> str | None:
        """The currency that the price header names: `Price (EUR)`."""
        header = self.header[positions["price"][0]] if "price" in positions else ""
        found = _BRACKETS.search(header)
        return read_currency(found.group(1)) if found and found.group(1) != "TTC" else None


def values_of(cells: Sequence[str], positions: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    """The cells of a row by column."""
    values: dict[str, Any] = {}
    for column, at in positions.items():
        cell = _cell(cells, at[0])
        if len(at) > 1 and column in _JOINED:
            cell = ",".join(filter(None, (_cell(cells, a) for a in at)))
        elif len(at) > 1 and column in _FIRST:
            cell = next((c for c in (_cell(cells, a) for a in at) if c.strip()), "")
        values[column] = cell
    return values


def _cell(cells: Sequence[str], at: int) -> str:
    """A cell, without the apostrophe by which exporters disarm what looks like a formula."""
    cell = cells[at] if at < len(cells) else ""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in _FORMULA else cell


def _filled(cells: Sequence[str]) -> bool:
    return any(cell.strip() for cell in cells)


def _header(rows: Rows) -> tuple[str, ...]:
    for number, (_, cells) in enumerate(rows):
        if isinstance(cells, str):
            return ()
        if number or not cells or not _is_separator_line(cells[0]):
            return tuple(cells)[:MAX_COLUMNS]
    return ()


def _is_separator_line(text: str) -> bool:
    """Whether a line is Excel's `sep=;` before the header."""
    return text.strip('" ').casefold().startswith("sep=") and len(text) < len('"sep=;;"')


def _delimiter(line: str, columns: Columns) -> str:
    """The separator under which the header names most columns."""

    def named(delimiter: str) -> tuple[int, int]:
        cells = next(csv.reader([line], delimiter=delimiter))
        kinds = (columns.of(cells, kind) for kind in ("table", "shopify", "woocommerce"))
        return max(len(kind) for kind in kinds), len(cells)

    return max(_DELIMITERS, key=named)
