"""What a file format is to the reader: it knows its files by their first lines, and yields their records."""

from collections.abc import Generator
from typing import Protocol

from shopping_agent.adapters.catalog.columns import Columns
from shopping_agent.adapters.catalog.feed_text import FeedText
from shopping_agent.adapters.catalog.fields import Record
from shopping_agent.domain.feed import RejectedRow

Records = Generator[Record | RejectedRow]


class FeedFormat(Protocol):
    """One file format.

    Attributes:
        name: for reports, such as "our CSV".
    """

    name: str

    def recognises(self, text: FeedText) -> bool:
        """Whether the head of a file is of this format."""
        ...

    def records(self, text: FeedText, columns: Columns) -> Records:
        """The records in file order, and the rows that are none. Memory does not grow with the file."""
        ...


def malformed(line: int, hint: str) -> RejectedRow:
    """A row that cannot be read at all."""
    return RejectedRow(line=line, reason_code="malformed_row", hint=hint)
