"""Our CSV and any other with English headers: comma, semicolon or tab, quoted cells over several lines."""

import csv
import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from typing import Final, TextIO

from shopping_agent.adapters.catalog.columns import columns_of, header_key
from shopping_agent.adapters.catalog.feed_text import FeedText
from shopping_agent.adapters.catalog.fields import Record
from shopping_agent.adapters.catalog.formats import Records, malformed
from shopping_agent.errors import CatalogFileError

_DELIMITERS: Final = ",;\t"
_REQUIRED: Final = ("id", "name", "price")
_MAX_LINES: Final = 1000
_MAX_CHARACTERS: Final = 1_000_000
_MAX_UNCLOSED: Final = 100
_MAX_CELLS: Final = 1000
# The module's default refuses a cell of 128 KiB; `_RecordLines` bounds a record instead.
csv.field_size_limit(_MAX_CHARACTERS)
Rows = Generator[tuple[int, list[str] | None]]
# Exports of shop systems that repeat our column names with another meaning.
_FOREIGN: Final = {
    "WooCommerce": frozenset({"type", "published", "regularprice"}),
    "Shopify": frozenset({"handle", "variantprice"}),
}


class CsvFeed:
    """A table with a header line that names at least id, name and price."""

    name = "CSV"

    def recognises(self, text: FeedText) -> bool:
        return text.head[0] not in "{[<"

    def records(self, text: FeedText) -> Records:
        with text.open() as stream:
            rows = _rows(stream, text.first_line, _delimiter(text.head))
            header = _header(rows)
            columns = _columns(header)
            for line, cells in rows:
                if cells is None:
                    yield malformed(line, "a quote is opened and not closed in this row")
                elif any(cell.strip() for cell in cells[len(header) :]):
                    yield malformed(line, "more cells than the header: quote cells with separators")
                elif any(cell.strip() for cell in cells):
                    values = {c: _cell(cells, at) for c, at in columns.items()}
                    yield Record(line, values)


def _header(rows: Rows) -> list[str]:
    for _, cells in rows:
        return cells or []
    return []


def _columns(header: Sequence[str]) -> dict[str, int]:
    keys = {header_key(cell) for cell in header[:_MAX_CELLS]}
    system = next((name for name, marks in _FOREIGN.items() if marks <= keys), None)
    if system:
        raise CatalogFileError("unsupported_format", f"{system} exports are not supported")
    columns = columns_of(header[:_MAX_CELLS])
    missing = [column for column in _REQUIRED if column not in columns]
    if missing:
        seen = ", ".join(cell.strip()[:40] for cell in header[:20])
        raise CatalogFileError(
            "unknown_format", f"no column named {' or '.join(missing)} in the header: {seen}"
        )
    return columns


def _cell(cells: Sequence[str], at: int) -> str:
    """A cell, without the apostrophe by which exporters disarm what looks like a formula."""
    cell = cells[at] if at < len(cells) else ""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in ("=", "+", "-", "@") else cell


def _delimiter(head: str) -> str:
    """The separator under which the header names most columns."""
    line = head.splitlines()[0]

    def named(delimiter: str) -> tuple[int, int]:
        cells = next(csv.reader([line], delimiter=delimiter))
        return len(columns_of(cells[:_MAX_CELLS])), len(cells)

    return max(_DELIMITERS, key=named)


def _rows(stream: TextIO, first_line: int, delimiter: str) -> Rows:
    """Rows with the physical line they start on; None for one whose quote never closes, or closes in another row.

    Such a row costs only its first line: what it swallowed is read again.
    """
    lines = _RecordLines(stream, first_line)
    unclosed = 0
    while True:
        # One reader a record, so that an interrupted one leaves nothing behind.
        reader = csv.reader(lines, delimiter=delimiter)
        start = lines.begin()
        cells: list[str] | None = None
        with suppress(csv.Error, _UnclosedError):
            cells = next(reader, None)
            if cells is None:
                return
        if cells is not None and not lines.unclosed and not lines.runs_together(delimiter):
            yield start, cells
            continue
        unclosed += 1
        if unclosed > _MAX_UNCLOSED:
            raise CatalogFileError("malformed_csv", "too many quotes are opened and never closed")
        yield start, None
        lines.give_back()


class _UnclosedError(Exception):
    """A record runs over more lines or characters than a product can have."""


class _RecordLines(Iterator[str]):
    """The lines of a file, those of the present record kept so that they can be read again."""

    def __init__(self, stream: TextIO, first_line: int) -> None:
        self._stream = stream
        self._again: list[str] = []
        self._taken: list[str] = []
        self._characters = 0
        self._next_line = first_line
        self.unclosed = False

    def begin(self) -> int:
        """Start a record; its physical line."""
        self._taken.clear()
        self._characters = 0
        self.unclosed = False
        return self._next_line

    def runs_together(self, delimiter: str) -> bool:
        """Whether a record of several lines has text after a closing quote: the quote was another row's."""
        if len(self._taken) == 1:
            return False
        lines = [re.sub(rf'" +(?=[{delimiter}\r\n]|$)', '"', line) for line in self._taken]
        try:
            next(csv.reader(lines, delimiter=delimiter, strict=True))
        except csv.Error:
            return True
        return False

    def give_back(self) -> None:
        """Read all but the first line of the record again."""
        self._next_line -= len(self._taken) - 1
        self._again += self._taken[:0:-1]

    def __next__(self) -> str:
        line = self._again.pop() if self._again else self._stream.readline(_MAX_CHARACTERS)
        if not line:
            self.unclosed = bool(self._taken)
            raise StopIteration
        self._taken.append(line)
        self._characters += len(line)
        self._next_line += 1
        if len(self._taken) > _MAX_LINES or self._characters > _MAX_CHARACTERS:
            self.unclosed = True
            raise _UnclosedError
        return line
