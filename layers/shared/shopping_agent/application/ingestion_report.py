"""What an ingestion did, as JSON for the people who uploaded the file."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal

from shopping_agent.domain.feed import RejectedRow

Status = Literal["applied", "refused", "ignored"]
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
            this very one, was applied already.
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
        moment = datetime.fromtimestamp(self.finished_at, UTC)
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
                for r in self.rejected
            ],
            "rejectedNotListed": self.counts["rejected"] - len(self.rejected),
        }


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")
