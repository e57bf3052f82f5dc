"""What a new catalog file changes against what is live: told by content hashes, in memory that holds ids and hashes only."""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Final, Literal

from shopping_agent.application.chunking import product_terms
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.documents import product_document, product_from_document
from shopping_agent.domain.feed import ProductRow, RejectedRow
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary

Change = Literal["added", "updated", "repriced", "unchanged"]
Hashes = tuple[str, str]
_ADDING: Final = "+"
_DIGEST: Final = 24
# What the texts and terms of a product's chunks are made of.
_TEXT_FIELDS: Final = (
    "name",
    "brand",
    "description",
    "gender",
    "families",
    "notes",
    "accords",
    "concentration",
    "sillage",
    "longevity",
    "seasons",
    "occasions",
)


def digest(value: Any) -> str:
    """A short hash of a JSON value."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST]


def product_hashes(product: Product, vocabulary: Vocabulary, recipe: str) -> Hashes:
    """(hash of what is embedded, hash of the whole product).

    Args:
        recipe: how texts become vectors; another recipe changes every text.
    """
    document = product_document(product)
    text = [document[name] for name in _TEXT_FIELDS]
    return digest([recipe, text, product_terms(product, vocabulary)]), digest(document)


def with_chunks(text_hash: str, chunks: int) -> str:
    """A text hash as the manifest keeps it: with the number of chunks that it became."""
    return f"{text_hash}.{chunks}"


def text_hash_of(kept: str) -> str:
    """The text hash of a manifest entry."""
    return kept.partition(".")[0]


def chunks_of(kept: str) -> int:
    """How many chunks a manifest entry stands for."""
    number = kept.partition(".")[2]
    return int(number) if number.isdigit() else 0


def unsettled(known: Hashes | None, change: Change | Literal["removed"]) -> Hashes:
    """The manifest entry of a product while it is being written: it equals no content.

    Whoever comes next, this event again or a newer one, writes the product anew.
    """
    text = known[0] if known else ""
    if change == "repriced":
        return text, ""
    return with_chunks(_ADDING if change == "added" else "", chunks_of(text)), ""


@frozen
class Row:
    """The last valid row of an id: its line and hashes."""

    line: int
    text: str
    facts: str


class CatalogDiff(AbstractContextManager["CatalogDiff"]):
    """Collects the rows of a file; afterwards knows what changed. Changed products wait on disk.

    Args:
        known: what is live from this source.
        hashes: `product_hashes` of a product.
    """

    def __init__(self, *, known: Mapping[str, Hashes], hashes: Callable[[Product], Hashes]) -> None:
        self._known = known
        self._hashes = hashes
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
        product = row.product
        text, facts = self._hashes(product)
        self.rows[product.id] = Row(row.line, text, facts)
        if self.change(product.id) != "unchanged":
            json.dump([row.line, product_document(product)], self._spool, ensure_ascii=False)
            self._spool.write("\n")

    def change(self, product_id: str) -> Change:
        """What the file does to a product of its own."""
        row, known = self.rows[product_id], self._known.get(product_id)
        if known is None or text_hash_of(known[0]) == _ADDING:
            return "added"
        if text_hash_of(known[0]) != row.text:
            return "updated"
        return "unchanged" if known[1] == row.facts else "repriced"

    def changed(self) -> Iterator[tuple[Product, Change]]:
        """The products to write, each as its last valid row has it."""
        self._spool.seek(0)
        for content in self._spool:
            line, document = json.loads(content)
            if self.rows[document["id"]].line == line:
                yield product_from_document(document), self.change(document["id"])

    def kept(self) -> list[str]:
        """Live products whose row is now invalid: they stay as they were."""
        return [i for i in self._invalid if i in self._known and i not in self.rows]

    def disappeared(self) -> list[str]:
        """Live products that the file no longer has."""
        return [i for i in self._known if i not in self.rows and i not in self._invalid]

    def leaving(self) -> tuple[int, int]:
        """(how many settled products disappear, of how many): what an unfinished event added does not count."""
        settled = {i for i, known in self._known.items() if text_hash_of(known[0]) != _ADDING}
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
