"""Catalog files: live facts and index follow the file's products, and only what changed is written.

A worker reads the file and plans. Few changes it writes itself; many it hands to the queue in parts (`catalog_parts`).
"""

from collections.abc import Callable, Sequence
from typing import Final

from shopping_agent.application.catalog_diff import CatalogDiff
from shopping_agent.application.catalog_parts import PartPlanner
from shopping_agent.application.content_hashes import Hashes, product_hashes
from shopping_agent.application.handing_on import HandOnError
from shopping_agent.application.product_writer import ProductWriter
from shopping_agent.application.source_claim import SupersededError
from shopping_agent.application.source_work import Settlement, SourceWork
from shopping_agent.domain.feed import ProductRow, RejectedRow
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.errors import CatalogFileError
from shopping_agent.ports import (
    CatalogManifest,
    CatalogReader,
    IngestionPlan,
    Inventory,
    ObjectStore,
    Overtaken,
    PartLedger,
    StoredObject,
)

PREFIX: Final = "catalog/"
FORCE: Final = "force"
MASS_DELETION: Final = "mass_deletion"
_TRUE: Final = frozenset({"1", "true", "yes"})
_MAX_SOURCES: Final = 100
_PLANNED_COUNTS: Final = ("added", "updated", "repriced", "unchanged", "removed")


class CatalogSource:
    """Applies catalog files.

    Args:
        recipe: how texts become vectors; another one embeds every text again.
        parts: None without a queue: every file is written by the worker that reads it.
    """

    def __init__(
        self,
        *,
        objects: ObjectStore,
        manifest: CatalogManifest,
        ledger: PartLedger,
        inventory: Inventory,
        writer: ProductWriter,
        parts: PartPlanner | None,
        reader: CatalogReader,
        vocabulary: Vocabulary,
        recipe: str,
        max_delete_ratio: float,
    ) -> None:
        self._objects = objects
        self._manifest = manifest
        self._ledger = ledger
        self._inventory = inventory
        self._writer = writer
        self._parts = parts
        self._reader = reader
        self._vocabulary = vocabulary
        self._recipe = recipe
        self._max_delete_ratio = max_delete_ratio

    def ingest(self, work: SourceWork, stored: StoredObject) -> Settlement | None:
        forced = stored.metadata.get(FORCE, "").strip().casefold() in _TRUE
        with self._diff(work) as diff:
            for row in self._reader.read(stored.body):
                work.deadline.check()
                work.report.counts["read"] += 1
                if isinstance(row, RejectedRow):
                    work.report.reject(row)
                    # Reported beside the row that replaces it, so it is not one more row.
                    work.report.counts["read"] -= row.reason_code == "duplicate_id"
                diff.add(row)
            if not forced:
                self._refuse_mass_deletion(diff)
            return self._apply(diff, work)

    def remove(self, work: SourceWork) -> Settlement | None:
        with self._diff(work) as diff:
            return self._apply(diff, work)

    def _diff(self, work: SourceWork) -> CatalogDiff:
        hashes: Callable[[ProductRow], Hashes] = lambda row: product_hashes(  # noqa: E731
            row.product, self._vocabulary, self._recipe, counted=row.counted
        )
        overtaken = self._overtaken(work) if work.fresh else {}
        return CatalogDiff(known=work.state.hashes, hashes=hashes, overtaken=overtaken)

    def _refuse_mass_deletion(self, diff: CatalogDiff) -> None:
        leaving, live = diff.leaving()
        if leaving > live * self._max_delete_ratio:
            raise CatalogFileError(
                MASS_DELETION,
                f"the file would delete {leaving} of {live} products, more than the share of "
                f"{self._max_delete_ratio:g} that MAX_DELETE_RATIO allows; if that is meant, upload it "
                f"with the metadata {FORCE}=true (shopping-agent upload --{FORCE})",
            )

    def _apply(self, diff: CatalogDiff, work: SourceWork) -> Settlement | None:
        disappeared = diff.disappeared()
        work.report.counts.update(
            accepted=len(diff.rows), kept=len(diff.kept()), removed=len(disappeared)
        )
        work.report.counts.update(diff.change(product_id) for product_id in diff.rows)
        marks = diff.unsettled()
        work.plan(marks)
        changes = len(marks) - len(disappeared)
        self._resume_counts(work)
        parts = self._parts if self._parts and changes > self._parts.size else None
        if parts is None:
            self._open_plan(work)
        self._overrule_inventory(diff, work)
        if marks:
            self._writer.prepare(work)
        if parts is not None:
            leaving = self._only_here(disappeared, work)
            parts.send(diff.changed(), disappeared, leaving, work)
            return None
        self._writer.write(diff.changed(), work)
        self._writer.remove(self._only_here(disappeared, work), work)
        return Settlement(removed=disappeared)

    def _open_plan(self, work: SourceWork) -> None:
        plan = IngestionPlan(
            sequencer=work.sequencer,
            token=work.claim.token,
            started_at=work.report.started_at,
            counts=work.report.counts,
        )
        if not self._ledger.open(work.source, work.claim.token, plan, work.deadline):
            raise SupersededError(work.source)

    def _resume_counts(self, work: SourceWork) -> None:
        """What an attempt of this event that died had planned is what the event did."""
        earlier = self._ledger.find(work.source, work.deadline)
        if earlier and earlier.sequencer == work.sequencer:
            for name in _PLANNED_COUNTS:
                work.report.counts[name] = earlier.counts.get(name, 0)
            work.report.started_at = earlier.started_at

    def _overrule_inventory(self, diff: CatalogDiff, work: SourceWork) -> None:
        """From here on older inventory files lose; one that came while this file was read must not be missed."""
        if not work.fresh:
            return
        self._inventory.advance(work.source, work.revision, work.deadline)
        if diff.missed(self._overtaken(work)):
            raise HandOnError("an inventory file came in between")

    def _overtaken(self, work: SourceWork) -> dict[str, Overtaken]:
        return self._inventory.overtaken(work.revision, work.deadline)

    def _only_here(self, ids: Sequence[str], work: SourceWork) -> list[str]:
        """Those of some ids that no other catalog file has: a renamed file takes its products along.

        What another file has and says otherwise stays as it is until that file is uploaded again, which then writes it.
        """
        left = list(ids)
        keys = self._objects.keys(work.bucket, PREFIX, work.deadline) if left else ()
        for _, key in zip(range(_MAX_SOURCES), keys, strict=False):
            if left and key != work.source:
                there = self._manifest.entries(key, left, work.deadline)
                known = work.state.hashes
                differing = [i for i, hashes in there.items() if hashes != known.get(i)]
                if differing:
                    self._manifest.doubt(key, differing, work.deadline)
                left = [product_id for product_id in left if product_id not in there]
        return left
