"""The ingest function: S3 events, direct or in SQS messages, and the parts of large files, by `IngestionService`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from shopping_agent import bootstrap
from shopping_agent.adapters.catalog.s3_events import object_events
from shopping_agent.application.catalog_parts import Part
from shopping_agent.application.dead_letters import LastTry, Subject
from shopping_agent.application.handing_on import HandOnError
from shopping_agent.application.ingestion import IngestionService
from shopping_agent.application.ingestion_report import IngestionReport
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import DeadlineExceededError, MalformedRequestError
from shopping_agent.lifecycle import SecretRenewal
from shopping_agent.observability import counting, logger

# Left of Lambda's time to report what failed.
MARGIN_SECONDS: Final = 3.0


renewal = SecretRenewal()


def service() -> IngestionService:
    """Built with the first event that needs it, kept by `bootstrap`."""
    return bootstrap.ingestion(bootstrap.settings())


@counting
def lambda_handler(event: Any, context: Any) -> dict[str, Any]:
    """Apply the events of an invocation.

    Returns:
        `{"reports": [...]}` for S3 events; for SQS `{"batchItemFailures": [...]}`, the messages to deliver again.

    Raises:
        MalformedRequestError: the event is neither; nothing was done.
        ShoppingAgentError: an S3 event could not be applied; Lambda delivers it again.
    """
    renewal.renew()
    seconds = context.get_remaining_time_in_millis() / 1000
    deadline = Deadline.after(seconds - MARGIN_SECONDS)
    messages = _messages(event)
    if messages is None:
        return {"reports": [report.document() for report in _apply(event, deadline)]}
    last_words = Deadline.after(seconds)
    failed = [str(m["messageId"]) for m in messages if not _succeeds(m, deadline, last_words)]
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in failed]}


def _messages(event: Any) -> list[Mapping[str, Any]] | None:
    """The SQS messages of an event; None when it is no SQS event."""
    if not isinstance(event, Mapping):
        raise MalformedRequestError("an event must be an object")
    records: Any = cast(Mapping[str, Any], event).get("Records")
    if not isinstance(records, list):
        return None
    listed = cast(list[Any], records)
    messages = [cast(Mapping[str, Any], r) for r in listed if _is_message(r)]
    if not messages:
        return None
    if len(messages) < len(listed) or not all(m.get("messageId") for m in messages):
        # Without an id a message cannot be reported as failed, and would be lost.
        raise MalformedRequestError("every record must be an SQS message with a messageId")
    return messages


def _is_message(record: Any) -> bool:
    return (
        isinstance(record, Mapping)
        and cast(Mapping[str, Any], record).get("eventSource") == "aws:sqs"
    )


def _succeeds(message: Mapping[str, Any], deadline: Deadline, last_words: Deadline) -> bool:
    """Apply one message; a failure is logged and leaves the message to be delivered again."""
    last_try = _last_try(message, deadline)
    error = _failure(message, deadline, last_words)
    if last_try:
        try:
            last_try.end(error, last_words)
        except Exception:  # noqa: BLE001  (what stands in the bucket stays)
            logger.exception("no report of a last try", message_id=message["messageId"])
    return error is None


def _failure(
    message: Mapping[str, Any], deadline: Deadline, last_words: Deadline
) -> Exception | None:
    """Apply one message; what went wrong, if anything."""
    try:
        deadline.check()
        for report in _apply(_body(message), deadline):
            logger.debug("applied", report=report.document())
    except HandOnError as error:
        return None if _is_handed_on(message, error, last_words) else error
    except DeadlineExceededError as error:
        logger.warning("no time left for a message", message_id=message["messageId"])
        return error
    except Exception as error:  # noqa: BLE001  (whatever is wrong with one, the others are applied)
        logger.exception("a message failed", message_id=message["messageId"])
        return error
    return None


def _last_try(message: Mapping[str, Any], deadline: Deadline) -> LastTry | None:
    """Prepared when this is the last delivery before the dead letters."""
    try:
        settings = bootstrap.settings()
        if int(message["attributes"]["ApproximateReceiveCount"]) < settings.ingest_max_receives:
            return None
        last_try = LastTry(
            objects=bootstrap.object_store(settings),
            bucket=settings.catalog_bucket,
            message_id=str(message["messageId"]),
            subjects=_subjects(message),
            statistics=bootstrap.statistics(settings),
        )
        last_try.begin(deadline)
    except (KeyError, TypeError, ValueError):
        return None
    except Exception:  # noqa: BLE001  (a report that cannot be written must not cost the try)
        logger.exception("no report of a last try", message_id=message["messageId"])
        return None
    return last_try


def _subjects(message: Mapping[str, Any]) -> list[Subject]:
    """The files that a message is about, as far as it can be read."""
    try:
        body = _body(message)
        if part := Part.of(body):
            return [Subject(part.bucket, part.source, part.sequencer, part.etag)]
        return [Subject(e.bucket, e.key, e.sequencer, e.etag) for e in object_events(body)]
    except MalformedRequestError:
        return []


def _is_handed_on(message: Mapping[str, Any], error: HandOnError, deadline: Deadline) -> bool:
    """Put the message into the queue as a new one; where that is not possible it comes again by itself."""
    queue = bootstrap.work_queue(bootstrap.settings())
    if queue is None:
        return False
    try:
        queue.send([message["body"]], deadline, delay_seconds=error.delay_seconds)
    except Exception:  # noqa: BLE001
        logger.exception("a message cannot be handed on", message_id=message["messageId"])
        return False
    logger.info("handed on", message_id=message["messageId"], reason=str(error))
    return True


def _body(message: Mapping[str, Any]) -> Any:
    try:
        return json.loads(message["body"])
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedRequestError("the body of a message must be JSON", field="body") from error


def _apply(body: Any, deadline: Deadline) -> Iterator[IngestionReport]:
    part = Part.of(body)
    if part:
        yield _logged(service().apply_part(part, deadline))
        return
    for event in object_events(body):
        yield _logged(service().apply(event, deadline))


def _logged(report: IngestionReport) -> IngestionReport:
    logger.info(
        "ingestion",
        source=report.source,
        status=report.status,
        error=report.error,
        counts=dict(report.counts),
    )
    return report
