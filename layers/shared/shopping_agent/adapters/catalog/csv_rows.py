"""The rows of a CSV text: quoted cells over several lines, and quotes that never close, which cost their own row only."""

import csv
import re
from collections.abc import Generator, Iterator
from contextlib import suppress
from typing import Final, TextIO

from shopping_agent.errors import CatalogFileError

_MAX_LINES: Final = 1000
_MAX_CHARACTERS: Final = 1_000_000
_MAX_UNCLOSED: Final = 100
# The module's default refuses a cell of 128 KiB; `_RecordLines` bounds a record instead.
csv.field_size_limit(_MAX_CHARACTERS)
Rows = Generator[tuple[int, list[str] | str]]
UNCLOSED: Final = "a quote is opened and not closed in this row: close it, or double it"
TOO_LONG: Final = f"the row is longer than {_MAX_CHARACTERS} characters"
# Stands for a line without end: it opens a quote that nothing closes.
_ENDLESS: Final = '"\x00'


def csv_rows(stream: TextIO, first_line: int, delimiter: str) -> Rows:
    """Rows with the physical line they start on; in place of the cells of a broken one what would mend it.

    A quote that never closes, or closes in another row, costs its first line only: what it swallowed is read again.
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
        yield start, TOO_LONG if lines.is_one_long_line else UNCLOSED
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

    @property
    def is_one_long_line(self) -> bool:
        """Whether the record is broken by the length of its first line."""
        return len(self._taken) == 1 and (
            self._taken[0] is _ENDLESS or len(self._taken[0]) >= _MAX_CHARACTERS
        )

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
        lines = [
            re.sub(rf'" +(?=[{re.escape(delimiter)}\r\n]|$)', '"', line) for line in self._taken
        ]
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
        line = self._again.pop() if self._again else self._read()
        if not line:
            self.unclosed = bool(self._taken)
            raise StopIteration
        self._taken.append(line)
        self._characters += len(line)
        self._next_line += 1
        endless = line is _ENDLESS or len(self._taken) > _MAX_LINES
        if endless or self._characters > _MAX_CHARACTERS:
            self.unclosed = True
            raise _UnclosedError
        return line

    def _read(self) -> str:
        """The next line of the file; of one without end nothing is kept."""
        line = piece = self._stream.readline(_MAX_CHARACTERS)
        while len(piece) == _MAX_CHARACTERS and not piece.endswith(("\n", "\r")):
            piece = self._stream.readline(_MAX_CHARACTERS)
            line = _ENDLESS
        return line
