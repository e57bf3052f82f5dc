"""What an ingestion did, as JSON for the people who uploaded the file."""

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal

from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.feed import RejectedRow
from shopping_agent.errors import DeadlineExceededError, StateUnavailableError
from shopping_agent.observability import logger
from shopping_agent.ports import ObjectStore, Statistics

Status = Literal["applied", "refused", "ignored", "planned", "failed"]
MAX_LISTED: Final = 1000
"""Rejected rows that a report lists; the count goes on."""
COUNTS: Final = (
    "read",
    "accepted",
    "rejected",
    "added",
    "updated",
    "repriced",
    "unchanged",
    "kept",
    "removed",
    "embedded",
)


@dataclass(slots=True)
class IngestionReport:
    """The report of one event of one source.

    Attributes:
        status: `refused`: the whole file, for the reason in `error`, nothing changed. `ignored`: a newer event, or
            this very one, was applied already, or other workers are at it. `planned`: they are from now on. `failed`:
            every try failed; a part may have been written.
        counts: the names of `COUNTS`. `kept`: products whose row is now invalid and that stay as they were.
            `embedded`: texts sent to the embedding model.
    """

    source: str
    sequencer: str
    started_at: float
    status: Status = "applied"
    etag: str = ""
    error: dict[str, str] | None = None
    counts: Counter[str] = field(default_factory=Counter[str])
    rejected: list[RejectedRow] = field(default_factory=list[RejectedRow])
    finished_at: float = 0.0
    named_at: float = 0.0
    """The moment in the report's key, if not the end: of several workers that finish it each writes the same one."""

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "IngestionReport":
        """The report of a `document`."""
        counts = Counter({name: int(number) for name, number in document["counts"].items()})
        rejected = [
            RejectedRow(row["line"], row["reasonCode"], row["hint"], row["id"] or "")
            for row in document["rejected"]
        ]
        return cls(
            source=document["source"],
            sequencer=document["sequencer"],
            started_at=datetime.fromisoformat(document["startedAt"]).timestamp(),
            status=document["status"],
            etag=document["etag"],
            error=document["error"],
            counts=counts,
            rejected=rejected,
        )

    def reject(self, row: RejectedRow) -> None:
        """Count a rejected row and list it while there is room."""
        self.counts["rejected"] += 1
        if len(self.rejected) < MAX_LISTED:
            self.rejected.append(row)

    def refuse(self, code: str, message: str) -> None:
        """The whole file is refused."""
        self.status = "refused"
        self.error = {"code": code, "message": message}

    @property
    def key(self) -> str:
        """Where the report is kept: in the order of time, below its source."""
        moment = datetime.fromtimestamp(self.named_at or self.finished_at, UTC)
        return f"reports/{self.source}/{moment:%Y%m%dT%H%M%S.%fZ}.json"

    def document(self) -> dict[str, Any]:
        """The report as JSON; `line` is as in `RejectedRow`."""
        return {
            "source": self.source,
            "status": self.status,
            "error": self.error,
            "etag": self.etag,
            "sequencer": self.sequencer,
            "startedAt": _iso(self.started_at),
            "durationMs": round((self.finished_at - self.started_at) * 1000),
            "counts": {name: self.counts[name] for name in COUNTS},
            "rejected": [
                {"line": r.line, "reasonCode": r.reason_code, "hint": r.hint, "id": r.id or None}
                for r in sorted(self.rejected, key=lambda row: row.line)
            ],
            "rejectedNotListed": self.counts["rejected"] - len(self.rejected),
        }

    def summary(self) -> dict[str, Any]:
        """The report without its rows, and where the whole of it is."""
        told = ("source", "status", "error", "startedAt", "durationMs", "counts")
        whole = self.document()
        return {**{name: whole[name] for name in told}, "key": self.key}


class ReportFiles:
    """Puts reports where the people who uploaded the files find them, and the last of each file where operators look.

    Args:
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        *,
        objects: ObjectStore,
        statistics: Statistics | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._objects = objects
        self._statistics = statistics
        self.clock = clock

    def put(self, bucket: str, report: IngestionReport, deadline: Deadline) -> str:
        """Write a report that is finished now; its key."""
        report.finished_at = self.clock()
        body = json.dumps(report.document(), ensure_ascii=False, indent=1).encode()
        self._objects.put(bucket, report.key, body, deadline, content_type="application/json")
        if self._statistics is not None:
            try:
                self._statistics.keep_report(report.source, report.summary(), deadline)
            except (StateUnavailableError, DeadlineExceededError) as error:
                # The file's own report is written; the operators' page shows the one before.
                logger.warning("report not kept", source=report.source, error=type(error).__name__)
        return report.key


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")
