"""Catalog and guide files become live: one object event at a time, only what changed, repairable at any point."""

import json
import time
from collections.abc import Callable
from typing import Final

from shopping_agent.application import catalog_source, guide_source
from shopping_agent.application.catalog_source import CatalogSource
from shopping_agent.application.guide_source import GuideSource
from shopping_agent.application.index_batches import ChunkIndexer
from shopping_agent.application.ingestion_report import IngestionReport
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
    LiveCatalog,
    ObjectStore,
)

RECIPE: Final = "1"
"""Version of chunking and passages: a new one embeds every text again."""


def is_source(key: str) -> bool:
    """Whether objects of this key are read at all: not folders, other prefixes, and guides that are no Markdown."""
    return _is_catalog(key) or _is_guide(key)


def _is_catalog(key: str) -> bool:
    return key.startswith(catalog_source.PREFIX) and not key.endswith("/")


def _is_guide(key: str) -> bool:
    return key.startswith(guide_source.PREFIX) and key.lower().endswith(guide_source.SUFFIX)


class IngestionService:
    """Applies object events.

    Args:
        max_delete_ratio: a file that would delete a larger share of its source is refused whole.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        *,
        objects: ObjectStore,
        manifest: CatalogManifest,
        live: LiveCatalog,
        writer: IndexWriter,
        embedder: Embedder | None,
        reader: CatalogReader,
        vocabulary: Vocabulary,
        max_delete_ratio: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._objects = objects
        self._manifest = manifest
        self._clock = clock
        indexer = ChunkIndexer(writer=writer, embedder=embedder)
        recipe = f"{RECIPE} {indexer.model}"
        self._catalog = CatalogSource(
            objects=objects,
            manifest=manifest,
            live=live,
            writer=writer,
            indexer=indexer,
            reader=reader,
            vocabulary=vocabulary,
            recipe=recipe,
            max_delete_ratio=max_delete_ratio,
        )
        self._guides = GuideSource(writer=writer, indexer=indexer, reader=reader, recipe=recipe)

    def apply(self, event: ObjectEvent, deadline: Deadline) -> IngestionReport:
        """Make the store as the object now is. The same event again, or an older one, changes nothing.

        Raises:
            DependencyError, DeadlineExceededError: try the event again; nothing is lost.
        """
        now = self._clock()
        report = IngestionReport(event.key, event.sequencer, started_at=now, finished_at=now)
        handler = self._handler(event.key)
        claim = SourceClaim(manifest=self._manifest, source=event.key, sequencer=event.sequencer)
        state = claim.take(deadline) if handler else None
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
        )
        try:
            settlement = self._write(event, work, handler)
        except SupersededError:
            report.status = "ignored"
            return report
        self._put_report(event, report, deadline)
        etag = state.etag if report.status == "refused" else report.etag
        claim.settle(etag, settlement.changed, settlement.removed, deadline)
        return report

    def _handler(self, key: str) -> SourceHandler | None:
        if _is_catalog(key):
            return self._catalog
        return self._guides if _is_guide(key) else None

    def _write(self, event: ObjectEvent, work: SourceWork, handler: SourceHandler) -> Settlement:
        stored = self._objects.open(event.bucket, event.key, work.deadline)
        if stored is not None:
            with stored.body:
                work.report.etag = stored.etag
                try:
                    return handler.ingest(work, stored)
                except CatalogFileError as error:
                    work.report.refuse(error.code, str(error))
        elif event.removed:
            return handler.remove(work)
        # A refused file changes nothing; an object that is gone again has a removal event of its own.
        work.plan({})
        return Settlement()

    def _put_report(self, event: ObjectEvent, report: IngestionReport, deadline: Deadline) -> None:
        report.finished_at = self._clock()
        body = json.dumps(report.document(), ensure_ascii=False, indent=1).encode()
        self._objects.put(event.bucket, report.key, body, deadline, content_type="application/json")
