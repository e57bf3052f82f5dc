"""The ingest function: S3 events, direct or in SQS messages, each applied by `IngestionService`."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, cast

from shopping_agent import bootstrap
from shopping_agent.adapters.catalog.s3_events import object_events
from shopping_agent.application.ingestion import IngestionService
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import DeadlineExceededError, MalformedRequestError
from shopping_agent.observability import logger

# Left of Lambda's time to report what failed.
MARGIN_SECONDS: Final = 3.0


@cache
def service() -> IngestionService:
    """Built with the first event that needs it, kept for the process."""
    return bootstrap.ingestion(bootstrap.settings())


def lambda_handler(event: Any, context: Any) -> dict[str, Any]:
    """Apply the events of an invocation.

    Returns:
        `{"reports": [...]}` for S3 events; for SQS `{"batchItemFailures": [...]}`, the messages to deliver again.

    Raises:
        MalformedRequestError: the event is neither; nothing was done.
        ShoppingAgentError: an S3 event could not be applied; Lambda delivers it again.
    """
    deadline = Deadline.after(context.get_remaining_time_in_millis() / 1000 - MARGIN_SECONDS)
    messages = _messages(event)
    if messages is None:
        return {"reports": list(_apply(event, deadline))}
    failed = [str(m["messageId"]) for m in messages if not _succeeds(m, deadline)]
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


def _succeeds(message: Mapping[str, Any], deadline: Deadline) -> bool:
    """Apply one message; a failure is logged and leaves the message to be delivered again."""
    try:
        deadline.check()
        for report in _apply(_body(message), deadline):
            logger.debug("applied", report=report)
    except DeadlineExceededError:
        logger.warning("no time left for a message", message_id=message["messageId"])
        return False
    except Exception:  # noqa: BLE001  (whatever is wrong with one, the others are applied)
        logger.exception("a message failed", message_id=message["messageId"])
        return False
    return True


def _body(message: Mapping[str, Any]) -> Any:
    try:
        return json.loads(message["body"])
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedRequestError("the body of a message must be JSON", field="body") from error


def _apply(notification: Any, deadline: Deadline) -> Iterator[dict[str, Any]]:
    for event in object_events(notification):
        report = service().apply(event, deadline)
        logger.info(
            "ingestion",
            source=report.source,
            status=report.status,
            error=report.error,
            counts=dict(report.counts),
        )
        yield report.document()
