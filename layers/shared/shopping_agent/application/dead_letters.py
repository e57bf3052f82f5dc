"""The last delivery of a message before the dead letters: whatever happens to it, a report says so.

The report is written before the try, because a file that kills the process leaves nobody to write it afterwards; it is
deleted again when the try succeeds.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

from shopping_agent.application.ingestion_report import IngestionReport, ReportFiles
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import ShoppingAgentError
from shopping_agent.ports import ObjectStore

UNREADABLE: Final = "undelivered"
"""Below `reports/`: of messages that name no file, by message id."""
_INTERRUPTED: Final = (
    "not_applied",
    "the last try ended without a word: the function ran out of memory or time; the message is in the dead-letter "
    "queue. Upload the file again, in smaller files if it is large",
)


class LastTry:
    """Reports on the files that one message is about.

    Args:
        bucket: of reports on a message that names none.
        subjects: (bucket, source, sequencer) of each file.
    """

    def __init__(
        self,
        *,
        objects: ObjectStore,
        bucket: str,
        message_id: str,
        subjects: Sequence[tuple[str, str, str]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._objects = objects
        self._reports = ReportFiles(objects=objects, clock=clock)
        now = clock()
        named = subjects or [(bucket, f"{UNREADABLE}/{message_id}", "")]
        self._pending = [
            (where, IngestionReport(source, sequencer, now, status="failed", named_at=now))
            for where, source, sequencer in named
        ]

    def begin(self, deadline: Deadline) -> None:
        self._write(*_INTERRUPTED, deadline)

    def failed(self, error: Exception, deadline: Deadline) -> None:
        """What stopped the last try."""
        # Only our own errors' words are made for people, and hold no one's data.
        said = str(error) if isinstance(error, ShoppingAgentError) else type(error).__name__
        message = (
            f"not applied after several tries: {said}; the message is in the dead-letter queue. Upload the file "
            "again once this is mended"
        )
        self._write("not_applied", message, deadline)

    def succeeded(self, deadline: Deadline) -> None:
        for bucket, report in self._pending:
            self._objects.delete(bucket, [report.key], deadline)

    def _write(self, code: str, message: str, deadline: Deadline) -> None:
        for bucket, report in self._pending:
            report.error = {"code": code, "message": message}
            self._reports.put(bucket, report, deadline)
