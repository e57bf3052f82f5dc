"""What a new catalog file changes against what is live: told by content hashes, in memory that holds ids and hashes only."""

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import MappingProxyType, TracebackType
from typing import Any

from shopping_agent.application.content_hashes import (
    ADDING,
    UNCOUNTED,
    Change,
    Hashes,
    known_chunks,
    text_hash_of,
    unsettled,
)
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.documents import product_document, product_from_document
from shopping_agent.domain.feed import ProductRow, RejectedRow
from shopping_agent.domain.values import frozen
from shopping_agent.ports import Overtaken


@frozen
class Row:
    """The last valid row of an id: its line and hashes.

    Attributes:
        overtaken: an older inventory file decides what this row says too: it is written although it did not change.
    """

    line: int
    text: str
    facts: str
    overtaken: bool = False


@frozen
class PlannedChange:
    """A product to write.

    Attributes:
        hashes: as they will be once it is written.
        counted: whether its file says the stock.
        chunks: how many it has in the index, None when that is not known.
    """

    product: Product
    change: Change
    hashes: Hashes
    counted: bool
    chunks: int | None

    def document(self) -> list[Any]:
        """As JSON; `planned_change` is the inverse."""
        document = product_document(self.product)
        return [document, self.change, *self.hashes, self.counted, self.chunks]

    def settled_in(self, entries: Mapping[str, Hashes]) -> bool:
        """Whether the manifest has it already."""
        text, facts = entries.get(self.product.id, ("", ""))
        return (text_hash_of(text), facts) == self.hashes


def planned_change(document: Sequence[Any]) -> PlannedChange:
    """The change of a `PlannedChange.document`."""
    product, change, text, facts, counted, chunks = document
    return PlannedChange(product_from_document(product), change, (text, facts), counted, chunks)


class CatalogDiff(AbstractContextManager["CatalogDiff"]):
    """Collects the rows of a file; afterwards knows what changed. Changed products wait on disk.

    Args:
        known: what is live from this source.
        hashes: `product_hashes` of a row.
        overtaken: products of which an older inventory file decides something.
    """

    def __init__(
        self,
        *,
        known: Mapping[str, Hashes],
        hashes: Callable[[ProductRow], Hashes],
        overtaken: Mapping[str, Overtaken] = MappingProxyType({}),
    ) -> None:
        self._known = known
        self._hashes = hashes
        self._overtaken = overtaken
        self._invalid: set[str] = set()
        self._spool = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  (see __exit__)
        self.rows: dict[str, Row] = {}

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._spool.close()

    def add(self, row: ProductRow | RejectedRow) -> None:
        """Take the next row of the file."""
        if isinstance(row, RejectedRow):
            if row.id and row.reason_code != "not_published":
                self._invalid.add(row.id)
            return
        product_id = row.product.id
        text, facts = self._hashes(row)
        overtaken = self._is_overtaken(self._overtaken, product_id, counted=row.counted)
        self.rows[product_id] = Row(row.line, text, facts, overtaken)
        if self.change(product_id) != "unchanged":
            content = [row.line, row.counted, product_document(row.product)]
            json.dump(content, self._spool, ensure_ascii=False)
            self._spool.write("\n")

    def change(self, product_id: str) -> Change:
        """What the file does to a product of its own."""
        row, known = self.rows[product_id], self._known.get(product_id)
        if known is None or text_hash_of(known[0]) == ADDING:
            return "added"
        if text_hash_of(known[0]) != row.text:
            return "updated"
        return "unchanged" if known[1] == row.facts and not row.overtaken else "repriced"

    def changed(self) -> Iterator[PlannedChange]:
        """The products to write, each as its last valid row has it."""
        self._spool.seek(0)
        for content in self._spool:
            line, counted, document = json.loads(content)
            product_id: str = document["id"]
            row = self.rows[product_id]
            if row.line == line:
                yield PlannedChange(
                    product=product_from_document(document),
                    change=self.change(product_id),
                    hashes=(row.text, row.facts),
                    counted=counted,
                    chunks=known_chunks(self._known.get(product_id)),
                )

    def missed(self, overtaken: Mapping[str, Overtaken]) -> bool:
        """Whether an inventory file came in meanwhile that an unchanged row of this file overrules."""
        return any(
            self._is_overtaken(overtaken, i, counted=not row.facts.endswith(UNCOUNTED))
            for i in overtaken
            if (row := self.rows.get(i)) and self.change(i) == "unchanged"
        )

    def kept(self) -> list[str]:
        """Live products whose row is now invalid: they stay as they were."""
        return [i for i in self._invalid if i in self._known and i not in self.rows]

    def disappeared(self) -> list[str]:
        """Live products that the file no longer has."""
        return [i for i in self._known if i not in self.rows and i not in self._invalid]

    def leaving(self) -> tuple[int, int]:
        """(how many settled products disappear, of how many): what an unfinished event added does not count."""
        settled = {i for i, known in self._known.items() if text_hash_of(known[0]) != ADDING}
        return sum(i in settled for i in self.disappeared()), len(settled)

    def unsettled(self) -> dict[str, Hashes]:
        """The manifest entries of all that is about to be written or removed."""
        marks: dict[str, Hashes] = {}
        for product_id in self.rows:
            change = self.change(product_id)
            if change != "unchanged":
                marks[product_id] = unsettled(self._known.get(product_id), change)
        for product_id in self.disappeared():
            marks[product_id] = unsettled(self._known.get(product_id), "removed")
        return marks

    @staticmethod
    def _is_overtaken(
        overtaken: Mapping[str, Overtaken], product_id: str, *, counted: bool
    ) -> bool:
        older = overtaken.get(product_id)
        return older is not None and (older.price or (older.stock and counted))
