"""Catalog files: live facts and index follow the file's products, and only what changed is written.

Live facts are written before the index, so that what can be found is sold at the new price; what disappears
leaves the live facts first, so that it cannot be sold.
"""

from collections.abc import Callable, Sequence
from typing import Final

from shopping_agent.application.catalog_diff import (
    CatalogDiff,
    Hashes,
    chunks_of,
    product_hashes,
    with_chunks,
)
from shopping_agent.application.chunking import product_chunk_id, product_chunks
from shopping_agent.application.index_batches import ChunkIndexer, batches
from shopping_agent.application.source_work import Settlement, SourceWork
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.feed import RejectedRow
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.errors import CatalogFileError
from shopping_agent.ports import (
    CatalogManifest,
    CatalogReader,
    IndexWriter,
    LiveCatalog,
    ObjectStore,
    StoredObject,
)

PREFIX: Final = "catalog/"
_BATCH: Final = 50
_MAX_SOURCES: Final = 100
_REVISION_BITS: Final = 52


class CatalogSource:
    """Applies catalog files.

    Args:
        recipe: how texts become vectors; another one embeds every text again.
    """

    def __init__(
        self,
        *,
        objects: ObjectStore,
        manifest: CatalogManifest,
        live: LiveCatalog,
        writer: IndexWriter,
        indexer: ChunkIndexer,
        reader: CatalogReader,
        vocabulary: Vocabulary,
        recipe: str,
        max_delete_ratio: float,
    ) -> None:
        self._objects = objects
        self._manifest = manifest
        self._live = live
        self._writer = writer
        self._indexer = indexer
        self._reader = reader
        self._vocabulary = vocabulary
        self._recipe = recipe
        self._max_delete_ratio = max_delete_ratio

    def ingest(self, work: SourceWork, stored: StoredObject) -> Settlement:
        with self._diff(work) as diff:
            for row in self._reader.read(stored.body):
                work.deadline.check()
                work.report.counts["read"] += 1
                if isinstance(row, RejectedRow):
                    work.report.reject(row)
                    # Reported beside the row that replaces it, so it is not one more row.
                    work.report.counts["read"] -= row.reason_code == "duplicate_id"
                diff.add(row)
            self._refuse_mass_deletion(diff)
            return self._write(diff, work)

    def remove(self, work: SourceWork) -> Settlement:
        with self._diff(work) as diff:
            return self._write(diff, work)

    def _diff(self, work: SourceWork) -> CatalogDiff:
        hashes: Callable[[Product], Hashes] = lambda product: product_hashes(  # noqa: E731
            product, self._vocabulary, self._recipe
        )
        return CatalogDiff(known=work.state.hashes, hashes=hashes)

    def _refuse_mass_deletion(self, diff: CatalogDiff) -> None:
        leaving, live = diff.leaving()
        if leaving > live * self._max_delete_ratio:
            raise CatalogFileError(
                "mass_deletion",
                f"the file would delete {leaving} of {live} products, more than the share of "
                f"{self._max_delete_ratio:g} that MAX_DELETE_RATIO allows",
            )

    def _write(self, diff: CatalogDiff, work: SourceWork) -> Settlement:
        disappeared = diff.disappeared()
        work.report.counts.update(
            accepted=len(diff.rows), kept=len(diff.kept()), removed=len(disappeared)
        )
        work.report.counts.update(diff.change(product_id) for product_id in diff.rows)
        marks = diff.unsettled()
        work.plan(marks)
        if marks:
            self._writer.prepare(work.deadline)
        settled: dict[str, Hashes] = {}
        for batch in batches(diff.changed(), _BATCH):
            work.claim.renew(work.deadline)
            self._live.put(
                [p.live_facts(_revision(work.sequencer)) for p, _ in batch], work.deadline
            )
            reworded = [product for product, change in batch if change != "repriced"]
            repriced = [product for product, change in batch if change == "repriced"]
            chunks = self._reindex(reworded, work)
            if repriced:
                self._writer.refresh(repriced, work.deadline)
            for product, _ in batch:
                row = diff.rows[product.id]
                number = chunks.get(product.id) or chunks_of(work.state.hashes[product.id][0])
                settled[product.id] = (with_chunks(row.text, number), row.facts)
        self._remove(self._only_here(disappeared, work), work)
        return Settlement(settled, disappeared)

    def _reindex(self, products: Sequence[Product], work: SourceWork) -> dict[str, int]:
        """Embed and upsert products; product id -> how many chunks it now has."""
        by_product = {p.id: product_chunks(p, work.source, self._vocabulary) for p in products}
        chunks = [chunk for listed in by_product.values() for chunk in listed]
        work.report.counts["embedded"] += self._indexer.index(chunks, work.deadline)
        stale = [
            product_chunk_id(product_id, number)
            for product_id, listed in by_product.items()
            for number in range(len(listed), self._earlier_chunks(product_id, work))
        ]
        if stale:
            self._writer.remove_chunks(stale, work.deadline)
        return {product_id: len(listed) for product_id, listed in by_product.items()}

    def _earlier_chunks(self, product_id: str, work: SourceWork) -> int:
        return chunks_of(work.state.hashes.get(product_id, ("", ""))[0])

    def _remove(self, ids: Sequence[str], work: SourceWork) -> None:
        for batch in batches(ids, _BATCH):
            work.claim.renew(work.deadline)
            self._live.remove(batch, work.deadline)
            self._writer.remove_products(batch, work.deadline)

    def _only_here(self, ids: Sequence[str], work: SourceWork) -> list[str]:
        """Those of some ids that no other catalog file has: a renamed file takes its products along."""
        left = dict.fromkeys(ids)
        keys = self._objects.keys(work.bucket, PREFIX, work.deadline) if left else ()
        for _, key in zip(range(_MAX_SOURCES), keys, strict=False):
            if left and key != work.source:
                for product_id in self._manifest.read(key, work.deadline).hashes:
                    left.pop(product_id, None)
        return list(left)


def _revision(sequencer: str) -> int:
    """A number that grows with the sequencer (S3's hold the time in front) and that a Lua number can hold."""
    digits = sequencer[:18].ljust(18, "0")
    return (int(digits, 16) >> 12) & ((1 << _REVISION_BITS) - 1)
