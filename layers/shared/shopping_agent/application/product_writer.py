"""Planned changes become live, batch by batch; what is written is settled at once, so that nobody does it again.

Live facts are written before the index, so that what can be found is sold at the new price; what disappears
leaves the live facts first, so that it cannot be sold.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from shopping_agent.application.catalog_diff import PlannedChange
from shopping_agent.application.chunking import MAX_CHUNKS, product_chunk_id, product_chunks
from shopping_agent.application.content_hashes import with_chunks
from shopping_agent.application.handing_on import RESERVE_SECONDS, HandOnError
from shopping_agent.application.index_batches import ChunkIndexer, batches
from shopping_agent.application.source_work import SourceWork
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.errors import DeadlineExceededError, DependencyError
from shopping_agent.ports import IndexWriter, LiveCatalog

BATCH: Final = 50
_REMOVED_AT_ONCE: Final = 200
_WAIT_SECONDS: Final = 20
T = TypeVar("T")


class ProductWriter:
    """Writes products to live facts and index."""

    def __init__(
        self,
        *,
        live: LiveCatalog,
        writer: IndexWriter,
        indexer: ChunkIndexer,
        vocabulary: Vocabulary,
    ) -> None:
        self._live = live
        self._writer = writer
        self._indexer = indexer
        self._vocabulary = vocabulary

    def prepare(self, work: SourceWork) -> None:
        """What the first write needs."""
        self._writer.prepare(work.deadline)

    def write(self, changes: Iterable[PlannedChange], work: SourceWork) -> None:
        """Write and settle the changes.

        Raises:
            SupersededError: a newer event took the source.
            HandOnError: some are settled, and the rest cannot be done now.
            DependencyError, DeadlineExceededError: none is.
        """
        _in_batches(changes, BATCH, lambda batch: self._write(batch, work), work.deadline)

    def remove(self, ids: Sequence[str], work: SourceWork) -> None:
        """Remove products everywhere; settled and raising as `write`."""
        _in_batches(ids, _REMOVED_AT_ONCE, lambda batch: self._remove(batch, work), work.deadline)

    def _remove(self, batch: Sequence[str], work: SourceWork) -> None:
        work.claim.renew(work.deadline)
        self._live.remove(batch, work.deadline)
        self._writer.remove_products(batch, work.deadline)
        work.claim.record({}, batch, work.deadline)

    def _write(self, batch: Sequence[PlannedChange], work: SourceWork) -> None:
        work.claim.renew(work.deadline)
        products = self._make_live(batch, work)
        reworded = [change for change in batch if change.change != "repriced"]
        chunks, embedded = self._reindex(reworded, products, work)
        repriced = [products[c.product.id] for c in batch if c.change == "repriced"]
        if repriced:
            self._writer.refresh(repriced, work.deadline)
        settled = {
            c.product.id: (
                with_chunks(c.hashes[0], chunks.get(c.product.id, c.chunks or 0)),
                c.hashes[1],
            )
            for c in batch
        }
        work.claim.record(settled, (), work.deadline, embedded=embedded)

    def _make_live(self, batch: Sequence[PlannedChange], work: SourceWork) -> dict[str, Product]:
        """Put live facts; the products as they are sold: an inventory file may know better."""
        overruled = self._live.put(
            [change.product.live_facts(work.revision) for change in batch],
            work.deadline,
            source=work.source,
            uncounted={change.product.id for change in batch if not change.counted},
        )
        if work.age:  # the put of a copy may have changed nothing
            overruled = [change.product.id for change in batch]
        facts = self._live.get(overruled, work.deadline) if overruled else {}
        return {
            c.product.id: c.product.with_live(facts[c.product.id])
            if c.product.id in facts
            else c.product
            for c in batch
        }

    def _reindex(
        self, changes: Sequence[PlannedChange], products: dict[str, Product], work: SourceWork
    ) -> tuple[dict[str, int], int]:
        """Embed and upsert products; (product id -> how many chunks it now has, texts embedded)."""
        by_product = {
            c.product.id: product_chunks(products[c.product.id], work.source, self._vocabulary)
            for c in changes
        }
        chunks = [chunk for listed in by_product.values() for chunk in listed]
        embedded = self._indexer.index(chunks, work.deadline, may_write=work.renew)
        stale = [
            product_chunk_id(c.product.id, number)
            for c in changes
            for number in range(
                len(by_product[c.product.id]), MAX_CHUNKS if c.chunks is None else c.chunks
            )
        ]
        if stale:
            self._writer.remove_chunks(stale, work.deadline)
        return {product_id: len(listed) for product_id, listed in by_product.items()}, embedded


def _in_batches(
    items: Iterable[T], size: int, act: Callable[[list[T]], None], deadline: Deadline
) -> None:
    """Act on items, batch by batch, each of which is settled when it returns; after the first the rest may be handed on."""
    settled = False
    for batch in batches(items, size):
        if settled and deadline.remaining() < RESERVE_SECONDS:
            raise HandOnError("the time is over")
        try:
            act(batch)
        except (DependencyError, DeadlineExceededError) as error:
            if not settled:
                raise
            raise HandOnError(str(error), delay_seconds=_WAIT_SECONDS) from error
        settled = True
