"""Inventory files: price and stock of products that are live, in seconds and without any embedding.

A row touches what it states of its product and nothing else. Of each product's price, and of its stock, the newer
upload holds, whatever the order of events: so an older file that comes late still sets what no newer one has set.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from shopping_agent.application.index_batches import batches
from shopping_agent.application.index_rebuild import age_of_copy
from shopping_agent.application.ingestion_report import IngestionReport, ReportFiles
from shopping_agent.application.source_claim import SourceClaim
from shopping_agent.application.source_work import revision_of
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.feed import InventoryRow, ObjectEvent, RejectedRow
from shopping_agent.errors import CatalogFileError
from shopping_agent.ports import (
    CatalogManifest,
    CatalogReader,
    IndexWriter,
    Inventory,
    LiveCatalog,
    ObjectStore,
    ProductIndex,
    StoredObject,
)

PREFIX: Final = "inventory/"
_BATCH: Final = 500
_UNKNOWN: Final = (
    "no catalog file has a product with this id: correct the id, or add the product to a catalog, where "
    "this row will then hold"
)


class InventorySource:
    """Applies inventory files. Deleting one changes nothing: what it said was true when it was uploaded."""

    def __init__(
        self,
        *,
        objects: ObjectStore,
        manifest: CatalogManifest,
        inventory: Inventory,
        live: LiveCatalog,
        index: ProductIndex,
        writer: IndexWriter,
        reader: CatalogReader,
        reports: ReportFiles,
    ) -> None:
        self._objects = objects
        self._manifest = manifest
        self._inventory = inventory
        self._live = live
        self._index = index
        self._writer = writer
        self._reader = reader
        self._reports = reports

    def apply(
        self, event: ObjectEvent, report: IngestionReport, deadline: Deadline
    ) -> IngestionReport:
        """Apply an event. Repeating it changes nothing."""
        claim = SourceClaim(manifest=self._manifest, source=event.key, sequencer=event.sequencer)
        stored = None
        if not event.removed and not claim.is_finished(deadline):
            stored = self._objects.open(
                event.bucket, event.key, deadline, version=event.version or None
            )
        if stored is None:
            report.status = "ignored"
            return report
        report.etag = stored.etag
        newest = claim.begin(deadline)
        revision = revision_of(age_of_copy(stored.metadata) or event.sequencer)
        with stored.body:
            try:
                self._restock(stored, revision, report, deadline)
            except CatalogFileError as error:
                report.refuse(error.code, str(error))
        self._reports.put(event.bucket, report, deadline)
        if newest:
            claim.settle(report.etag, {}, (), deadline)
        return report

    def _restock(
        self, stored: StoredObject, revision: int, report: IngestionReport, deadline: Deadline
    ) -> None:
        for batch in batches(self._rows(stored, report), _BATCH):
            deadline.check()
            words = self._inventory.restock(batch, revision, deadline)
            for row, word in zip(batch, words, strict=True):
                if word == "unknown":
                    report.reject(
                        RejectedRow(row.line, "unknown_product", _UNKNOWN, row.product_id)
                    )
                else:
                    report.counts["accepted"] += 1
                    report.counts["repriced" if word == "changed" else "unchanged"] += 1
            live = [r.product_id for r, w in zip(batch, words, strict=True) if w != "unknown"]
            self._refresh(live, deadline)

    def _rows(self, stored: StoredObject, report: IngestionReport) -> Iterator[InventoryRow]:
        for row in self._reader.read_inventory(stored.body):
            report.counts["read"] += 1
            if isinstance(row, RejectedRow):
                report.reject(row)
                report.counts["read"] -= row.reason_code == "duplicate_id"
            else:
                yield row

    def _refresh(self, ids: Sequence[str], deadline: Deadline) -> None:
        """Prices and stocks in the index as they are live, where they are not: also after a worker that died."""
        facts = self._live.get(ids, deadline) if ids else {}
        indexed = self._index.products(list(facts), deadline) if facts else {}
        live = {i: product.with_live(facts[i]) for i, product in indexed.items()}
        differing = [product for i, product in live.items() if product != indexed[i]]
        if differing:
            self._writer.refresh(differing, deadline)
