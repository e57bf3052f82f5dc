"""Large catalogs in parts: changed products as JSON lines under `staging/`, a message each, written by many workers.

Delivery is at least once and in any order. A part is done when its number is in a set that the event's fence guards;
whoever makes the set complete finishes the event: sweeps what disappeared, reports, settles.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO, Final, cast

from shopping_agent.application.catalog_diff import PlannedChange, planned_change
from shopping_agent.application.index_batches import batches
from shopping_agent.application.index_rebuild import IndexRebuild
from shopping_agent.application.ingestion_report import IngestionReport, ReportFiles
from shopping_agent.application.product_writer import ProductWriter
from shopping_agent.application.source_claim import SourceClaim, SupersededError
from shopping_agent.application.source_work import Settlement, SourceWork
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.values import frozen
from shopping_agent.errors import MalformedRequestError, ObjectsUnavailableError
from shopping_agent.ports import (
    CatalogManifest,
    IngestionPlan,
    ObjectStore,
    PartLedger,
    SourceState,
    WorkQueue,
)

STAGING: Final = "staging/"
MESSAGE: Final = "ingestPart"
STAGED_REPORT: Final = "report.json"
_LEAVING: Final = "leaving.json"
_TYPES: Final = {
    "bucket": str,
    "source": str,
    "sequencer": str,
    "folder": str,
    "step": int,
    "number": int,
    "age": str,
    "etag": str,
}


@frozen
class Part:
    """One message: a part of an event.

    Attributes:
        step: of the claim under which it was planned.
        number: from 1.
        age: as `SourceWork.age`.
        etag: of the file.
    """

    bucket: str
    source: str
    sequencer: str
    folder: str
    step: int
    number: int
    age: str = ""
    etag: str = ""

    @property
    def key(self) -> str:
        return f"{self.folder}part-{self.number:05d}.jsonl"

    def message(self) -> str:
        return json.dumps({MESSAGE: {name: getattr(self, name) for name in _TYPES}})

    @classmethod
    def of(cls, body: Any) -> "Part | None":
        """The part of a message; None when it is about something else.

        Raises:
            MalformedRequestError: it is a part that cannot be read.
        """
        if not isinstance(body, Mapping) or MESSAGE not in body:
            return None
        fields: Any = cast(Mapping[str, Any], body)[MESSAGE]
        known: dict[str, Any] = {"age": ""}
        if isinstance(fields, Mapping):
            known |= cast(Mapping[str, Any], fields)
        if any(type(known.get(name)) is not kind for name, kind in _TYPES.items()):
            raise MalformedRequestError("a part must name its bucket, source, step and number")
        return cls(**{name: known[name] for name in _TYPES})


class PartPlanner:
    """Splits planned changes.

    Args:
        size: products in a part; a file that changes fewer is not split.
    """

    def __init__(
        self, *, objects: ObjectStore, ledger: PartLedger, queue: WorkQueue, size: int
    ) -> None:
        self._objects = objects
        self._ledger = ledger
        self._queue = queue
        self.size = size

    def send(
        self,
        changes: Iterable[PlannedChange],
        disappeared: Sequence[str],
        leaving: Sequence[str],
        work: SourceWork,
    ) -> None:
        """Stage the parts and put them into the queue; the workers that take them finish the event.

        Args:
            disappeared: products that the file no longer has; `leaving`: of these, those that no other file has.

        Raises:
            SupersededError: a newer event took the source.
        """
        folder = f"{STAGING}{work.source}/{work.sequencer}-{work.claim.step}/"
        parts: list[Part] = []
        for number, batch in enumerate(batches(changes, self.size), start=1):
            work.claim.renew(work.deadline)
            at = work.bucket, work.source, work.sequencer, folder, work.claim.step
            part = Part(*at, number, work.age, work.report.etag)
            lines = [json.dumps(c.document(), ensure_ascii=False) + "\n" for c in batch]
            self._put(part.key, "".join(lines), work)
            parts.append(part)
        work.report.status = "planned"
        report = json.dumps(work.report.document(), ensure_ascii=False)
        self._put(folder + STAGED_REPORT, report, work)
        gone = {"disappeared": list(disappeared), "leaving": list(leaving)}
        self._put(folder + _LEAVING, json.dumps(gone, ensure_ascii=False), work)
        plan = IngestionPlan(
            sequencer=work.sequencer,
            token=work.claim.token,
            started_at=work.report.started_at,
            parts=len(parts),
            folder=folder,
            counts=work.report.counts,
        )
        if not self._ledger.open(work.source, work.claim.token, plan, work.deadline):
            raise SupersededError(work.source)
        self._queue.send([part.message() for part in parts], work.deadline)
        self._ledger.sent(work.source, work.claim.token, work.deadline)

    def _put(self, key: str, text: str, work: SourceWork) -> None:
        self._objects.put(
            work.bucket, key, text.encode(), work.deadline, content_type="application/json"
        )


class PartService:
    """Does parts, and finishes events."""

    def __init__(
        self,
        *,
        objects: ObjectStore,
        manifest: CatalogManifest,
        ledger: PartLedger,
        writer: ProductWriter,
        reports: ReportFiles,
        rebuild: IndexRebuild,
    ) -> None:
        self._objects = objects
        self._manifest = manifest
        self._ledger = ledger
        self._writer = writer
        self._reports = reports
        self._rebuild = rebuild

    def apply(self, part: Part, deadline: Deadline) -> IngestionReport:
        """Write a part; the report of the whole event where this was the last one, else an empty one.

        Raises:
            HandOnError: a piece of it is done, the rest is not.
            DependencyError, DeadlineExceededError: try again; nothing is lost.
        """
        claim = SourceClaim(manifest=self._manifest, source=part.source, sequencer=part.sequencer)
        work = SourceWork(
            bucket=part.bucket,
            source=part.source,
            sequencer=part.sequencer,
            claim=claim,
            state=SourceState(),
            report=self._empty(part),
            deadline=deadline,
            age=part.age,
        )
        try:
            claim.join(part.step, deadline)
            self._write(part, work)
            done = self._ledger.done(part.source, claim.token, part.number, deadline)
            plan = self._ledger.find(part.source, deadline)
            if done is None or plan is None or plan.token != claim.token:
                raise SupersededError(part.source)
            if done < plan.parts:
                work.report.status = "planned"
                return work.report
            return self._finish(plan, work)
        except SupersededError:
            self._objects.delete(part.bucket, [part.key], deadline)
            return work.report

    def _write(self, part: Part, work: SourceWork) -> None:
        with self._object(part.bucket, part.key, work.deadline) as body:
            changes = [planned_change(json.loads(line)) for line in body.read().splitlines()]
        ids = [change.product.id for change in changes]
        entries = self._manifest.entries(work.source, ids, work.deadline)
        left = [change for change in changes if not change.settled_in(entries)]
        self._writer.write(left, work)

    def _finish(self, plan: IngestionPlan, work: SourceWork) -> IngestionReport:
        """May be done twice, by workers of the same last part: each step bears it."""
        deadline = work.deadline
        report = IngestionReport.from_document(self._json(plan.folder + STAGED_REPORT, work))
        gone = self._json(plan.folder + _LEAVING, work)
        left = self._manifest.entries(work.source, gone["leaving"], deadline)
        self._writer.remove(list(left), work)
        report.status = "applied"
        report.counts["embedded"] = plan.embedded
        report.named_at = plan.started_at
        work.claim.renew(deadline)
        self._rebuild.finish(work, Settlement(removed=gone["disappeared"]))
        self._reports.put(work.bucket, report, deadline)
        work.claim.settle(report.etag, {}, gone["disappeared"], deadline)
        self._objects.delete(
            work.bucket, list(self._objects.keys(work.bucket, plan.folder, deadline)), deadline
        )
        return report

    def _json(self, key: str, work: SourceWork) -> Any:
        with self._object(work.bucket, key, work.deadline) as body:
            return json.load(body)

    def _object(self, bucket: str, key: str, deadline: Deadline) -> BinaryIO:
        stored = self._objects.open(bucket, key, deadline)
        if stored is None:
            raise ObjectsUnavailableError("a staged object is gone")
        return stored.body

    def _empty(self, part: Part) -> IngestionReport:
        now = self._reports.clock()
        return IngestionReport(
            part.source, part.sequencer, started_at=now, status="ignored", finished_at=now
        )
