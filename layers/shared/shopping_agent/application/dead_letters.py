"""The last delivery of a message before the dead letters: whatever happens to it, a report says so.

A report is written before the try, because a file that kills the process leaves nobody to write it afterwards; it is
deleted again when the try ends. Only the report of an end has the file's etag, by which who uploaded it knows it.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

from shopping_agent.application.ingestion_report import IngestionReport, ReportFiles
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.values import frozen
from shopping_agent.errors import ShoppingAgentError
from shopping_agent.ports import ObjectStore, Statistics

UNREADABLE: Final = "undelivered"
"""Below `reports/`: of messages that name no file, by message id."""
_INTERRUPTED: Final = (
    "not_applied",
    "the last try ended without a word: the function ran out of memory or time; the message is in the dead-letter "
    "queue. Upload the file again, in smaller files if it is large",
)


@frozen
class Subject:
    """A file that a message is about."""

    bucket: str
    source: str
    sequencer: str = ""
    etag: str = ""


class LastTry:
    """Reports on the files that one message is about.

    Args:
        bucket: of reports on a message that names none.
    """

    def __init__(
        self,
        *,
        objects: ObjectStore,
        bucket: str,
        message_id: str,
        subjects: Sequence[Subject],
        statistics: Statistics | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._objects = objects
        self._reports = ReportFiles(objects=objects, statistics=statistics, clock=clock)
        self._subjects = subjects or [Subject(bucket, f"{UNREADABLE}/{message_id}")]
        self._began = clock()
        self._provisional: list[tuple[str, str]] = []

    def begin(self, deadline: Deadline) -> None:
        for subject in self._subjects:
            report = self._report(subject, *_INTERRUPTED)
            self._provisional.append(
                (subject.bucket, self._reports.put(subject.bucket, report, deadline))
            )

    def end(self, error: Exception | None, deadline: Deadline) -> None:
        """The try is over; `error` is what stopped it."""
        for subject in self._subjects if error else ():
            report = self._report(subject, "not_applied", _message(error))
            report.etag = subject.etag
            self._reports.put(subject.bucket, report, deadline)
        for bucket, key in self._provisional:
            self._objects.delete(bucket, [key], deadline)

    def _report(self, subject: Subject, code: str, message: str) -> IngestionReport:
        return IngestionReport(
            subject.source,
            subject.sequencer,
            started_at=self._began,
            status="failed",
            error={"code": code, "message": message},
        )


def _message(error: Exception | None) -> str:
    # Only our own errors' words are made for people, and hold no one's data.
    said = str(error) if isinstance(error, ShoppingAgentError) else type(error).__name__
    return (
        f"not applied after several tries: {said}; the message is in the dead-letter queue. Upload the file again "
        "once this is mended"
    )
