"""A catalog file of any known format as rows: products, and what is wrong with the others."""

from collections.abc import Generator, Sequence
from typing import BinaryIO, Final

from shopping_agent.adapters.catalog.columns import Columns, default_columns
from shopping_agent.adapters.catalog.csv_feed import CsvFeed
from shopping_agent.adapters.catalog.feed_text import FeedText, feed_text
from shopping_agent.adapters.catalog.fields import (
    Record,
    RecordError,
    product_of,
    record_id,
    states_stock,
)
from shopping_agent.adapters.catalog.formats import FeedFormat
from shopping_agent.adapters.catalog.google_xml import GoogleXmlFeed
from shopping_agent.adapters.catalog.inventory_rows import inventory_row
from shopping_agent.adapters.catalog.json_feed import JsonDocumentFeed, JsonLinesFeed
from shopping_agent.domain.feed import FeedRow, InventoryRow, ProductRow, RejectedRow
from shopping_agent.errors import CatalogFileError

# The first that recognises a file reads it.
FORMATS: Final[tuple[FeedFormat, ...]] = (
    JsonLinesFeed(),
    JsonDocumentFeed(),
    GoogleXmlFeed(),
    CsvFeed(),
)
INVENTORY_FORMATS: Final[tuple[FeedFormat, ...]] = (
    JsonLinesFeed(),
    JsonDocumentFeed(),
    GoogleXmlFeed(),
    CsvFeed(required=("id",)),
)
MAX_TEXT: Final = 1_000_000


class CatalogFileReader:
    """Reads catalog files.

    Args:
        currency: of prices that name none.
        columns: what headers mean; the default store pack's without them.
    """

    def __init__(self, *, currency: str, columns: Columns | None = None) -> None:
        self._currency = currency
        self._columns = columns or default_columns()

    def read(self, body: BinaryIO) -> Generator[FeedRow]:
        """The rows in file order.

        When a valid row repeats an id, the earlier line is reported as `duplicate_id` just before
        the row that replaces it. Memory grows by one id and line a product, not with the texts.

        Raises:
            CatalogFileError: when the file is of no known format, empty or too large.
        """
        with feed_text(body) as text:
            lines: dict[str, int] = {}
            for record in _format_of(text).records(text, self._columns):
                row = self._row(record)
                if isinstance(row, ProductRow):
                    yield from _replaced(lines, row.product.id, row.line)
                yield row

    def read_inventory(self, body: BinaryIO) -> Generator[InventoryRow | RejectedRow]:
        """The rows of an inventory file: any table or JSON with ids and prices or stocks, exports of whole catalogs too.

        Raises:
            CatalogFileError: when the file is of no known format, empty or too large.
        """
        with feed_text(body) as text:
            lines: dict[str, int] = {}
            records = _format_of(text, INVENTORY_FORMATS).records(text, self._columns)
            for record in records:
                row = inventory_row(record, self._currency)
                if isinstance(row, InventoryRow):
                    yield from _replaced(lines, row.product_id, row.line)
                yield row

    def read_text(self, body: BinaryIO) -> str:
        """A whole text file, such as a guide.

        Raises:
            CatalogFileError: when it is empty or too large.
        """
        with feed_text(body) as text, text.open() as stream:
            content = stream.read(MAX_TEXT + 1)
        if len(content) > MAX_TEXT:
            raise CatalogFileError("file_too_large", f"longer than {MAX_TEXT} characters")
        return "\n".join(content.splitlines())

    def _row(self, record: Record | RejectedRow) -> FeedRow:
        if isinstance(record, RejectedRow):
            return record
        try:
            product = product_of(record, self._currency)
            return ProductRow(record.line, product, counted=states_stock(record.values))
        except RecordError as error:
            return RejectedRow(
                line=record.line,
                reason_code=error.reason_code,
                hint=str(error),
                id=record_id(record.values),
            )


def _replaced(lines: dict[str, int], product_id: str, line: int) -> Generator[RejectedRow]:
    earlier = lines.get(product_id)
    lines[product_id] = line
    if earlier is not None:
        hint = f"line {line} has the same id and replaces this one"
        yield RejectedRow(earlier, "duplicate_id", hint, product_id)


def _format_of(text: FeedText, formats: Sequence[FeedFormat] = FORMATS) -> FeedFormat:
    for candidate in formats:
        if candidate.recognises(text):
            return candidate
    raise CatalogFileError(
        "unknown_format",
        "the file is neither JSON lines, a JSON array of products, a CSV table nor a Google XML feed",
    )
