"""Catalog, inventory and guide files become live: one object event at a time, only what changed, repairable at any point."""

import time
from collections.abc import Callable
from typing import Final

from shopping_agent.application import catalog_source, guide_source, inventory_source
from shopping_agent.application.catalog_parts import Part, PartPlanner, PartService
from shopping_agent.application.catalog_source import CatalogSource
from shopping_agent.application.guide_source import GuideSource
from shopping_agent.application.index_batches import ChunkIndexer
from shopping_agent.application.index_rebuild import IndexRebuild
from shopping_agent.application.ingestion_report import IngestionReport, ReportFiles
from shopping_agent.application.inventory_source import InventorySource
from shopping_agent.application.product_writer import ProductWriter
from shopping_agent.application.source_claim import SourceClaim, SupersededError
from shopping_agent.application.source_work import Settlement, SourceHandler, SourceWork
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.feed import ObjectEvent
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.errors import CatalogFileError
from shopping_agent.ports import (
    CatalogManifest,
    CatalogReader,
    Embedder,
    IndexWriter,
    Inventory,
    LiveCatalog,
    ObjectStore,
    PartLedger,
    ProductIndex,
    Statistics,
    WorkQueue,
)

RECIPE: Final = "2"
"""Version of chunking and passages: a new one embeds every text again."""
PART_SIZE: Final = 1000


def is_source(key: str) -> bool:
    """Whether objects of this key are read at all: not folders, other prefixes, and guides that are no Markdown."""
    return _is_below(catalog_source.PREFIX, key) or is_inventory(key) or _is_guide(key)


def is_inventory(key: str) -> bool:
    return _is_below(inventory_source.PREFIX, key)


def _is_below(prefix: str, key: str) -> bool:
    return key.startswith(prefix) and not key.endswith("/")


def _is_guide(key: str) -> bool:
    return key.startswith(guide_source.PREFIX) and key.lower().endswith(guide_source.SUFFIX)


class IngestionService:
    """Applies object events, and the parts of large ones.

    Args:
        max_delete_ratio: a file that would delete a larger share of its source is refused whole.
        queue: where parts go; without one every file is written by the worker that reads it.
        part_size: products in a part.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        *,
        objects: ObjectStore,
        manifest: CatalogManifest,
        ledger: PartLedger,
        live: LiveCatalog,
        inventory: Inventory,
        index: ProductIndex,
        writer: IndexWriter,
        embedder: Embedder | None,
        reader: CatalogReader,
        vocabulary: Vocabulary,
        max_delete_ratio: float,
        queue: WorkQueue | None = None,
        part_size: int = PART_SIZE,
        statistics: Statistics | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._objects = objects
        self._manifest = manifest
        self._ledger = ledger
        self._reports = ReportFiles(objects=objects, statistics=statistics, clock=clock)
        indexer = ChunkIndexer(writer=writer, embedder=embedder)
        recipe = f"{RECIPE} {indexer.model}"
        self._rebuild = IndexRebuild(
            objects=objects,
            manifest=manifest,
            index=index,
            writer=writer,
            indexer=indexer,
            vocabulary=vocabulary,
            prefixes=(catalog_source.PREFIX, guide_source.PREFIX),
            is_source=is_source,
        )
        products = ProductWriter(live=live, writer=writer, indexer=indexer, vocabulary=vocabulary)
        self._catalog = CatalogSource(
            objects=objects,
            manifest=manifest,
            ledger=ledger,
            inventory=inventory,
            writer=products,
            parts=PartPlanner(objects=objects, ledger=ledger, queue=queue, size=part_size)
            if queue
            else None,
            reader=reader,
            vocabulary=vocabulary,
            recipe=recipe,
            max_delete_ratio=max_delete_ratio,
        )
        self._parts = PartService(
            objects=objects,
            manifest=manifest,
            ledger=ledger,
            writer=products,
            reports=self._reports,
            rebuild=self._rebuild,
        )
        self._inventories = InventorySource(
            objects=objects,
            manifest=manifest,
            inventory=inventory,
            live=live,
            index=index,
            writer=writer,
            reader=reader,
            reports=self._reports,
        )
        self._guides = GuideSource(writer=writer, indexer=indexer, reader=reader, recipe=recipe)

    def apply(self, event: ObjectEvent, deadline: Deadline) -> IngestionReport:
        """Make the store as the object now is. The same event again, or an older one, changes nothing.

        Raises:
            HandOnError: a piece is done; deliver the event again for the rest.
            DependencyError, DeadlineExceededError: try the event again; nothing is lost.
        """
        now = self._reports.clock()
        report = IngestionReport(event.key, event.sequencer, started_at=now, finished_at=now)
        if is_inventory(event.key):
            return self._inventories.apply(event, report, deadline)
        handler = self._handler(event.key)
        claim = SourceClaim(manifest=self._manifest, source=event.key, sequencer=event.sequencer)
        state = claim.take(deadline) if handler and not self._in_parts(event, deadline) else None
        if handler is None or state is None:
            report.status = "ignored"
            return report
        work = SourceWork(
            bucket=event.bucket,
            source=event.key,
            sequencer=event.sequencer,
            claim=claim,
            state=state,
            report=report,
            deadline=deadline,
            fresh=not event.removed,
        )
        try:
            settlement = self._write(event, work, handler)
        except SupersededError:
            report.status = "ignored"
            return report
        if report.status == "refused":
            self._reports.put(work.bucket, report, work.deadline)
        elif settlement is not None:
            self._finish(work, settlement)
        return report

    def apply_part(self, part: Part, deadline: Deadline) -> IngestionReport:
        """One part of a large file; see `apply`."""
        return self._parts.apply(part, deadline)

    def _handler(self, key: str) -> SourceHandler | None:
        if _is_below(catalog_source.PREFIX, key):
            return self._catalog
        return self._guides if _is_guide(key) else None

    def _in_parts(self, event: ObjectEvent, deadline: Deadline) -> bool:
        """Whether the event's parts are on their way: a second delivery of it must not plan them anew."""
        plan = self._ledger.find(event.key, deadline)
        return plan is not None and plan.sequencer == event.sequencer and plan.sent

    def _write(
        self, event: ObjectEvent, work: SourceWork, handler: SourceHandler
    ) -> Settlement | None:
        # A removal may have brought an older version back, which has no event of its own.
        version = event.version if event.version and not event.removed else None
        stored = self._objects.open(event.bucket, event.key, work.deadline, version=version)
        if stored is not None:
            with stored.body:
                work.report.etag = stored.etag
                try:
                    return handler.ingest(self._rebuild.fit(work, stored), stored)
                except CatalogFileError as error:
                    # Nothing was changed and the source not taken: an older event that still writes goes on.
                    work.report.refuse(error.code, str(error))
                    return None
        if event.removed:
            return handler.remove(work)
        # An object that is gone again has an event of its own that says so.
        work.report.status = "ignored"
        return None

    def _finish(self, work: SourceWork, settlement: Settlement) -> None:
        report = work.report
        plan = self._ledger.find(work.source, work.deadline)
        if plan and plan.sequencer == work.sequencer:
            report.counts["embedded"] = plan.embedded
        self._rebuild.finish(work, settlement)
        self._reports.put(work.bucket, report, work.deadline)
        work.claim.settle(report.etag, settlement.changed, settlement.removed, work.deadline)
