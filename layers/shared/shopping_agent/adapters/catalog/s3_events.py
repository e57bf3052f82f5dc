"""S3 event notifications as the shop's object events."""

import string
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, cast
from urllib.parse import unquote_plus

from shopping_agent.domain.feed import ObjectEvent, sequencer_of_time
from shopping_agent.errors import MalformedRequestError

_CREATED: Final = "ObjectCreated:"
_REMOVED: Final = "ObjectRemoved:"


def object_events(notification: Any) -> list[ObjectEvent]:
    """The creations and removals of a notification; none for the test event that S3 sends to a new target.

    Raises:
        MalformedRequestError: when it is no S3 notification; the message says what is wrong.
    """
    if not isinstance(notification, Mapping):
        raise MalformedRequestError("an S3 event must be an object")
    event = cast(Mapping[str, Any], notification)
    if event.get("Event") == "s3:TestEvent":
        return []
    records: Any = event.get("Records")
    if not isinstance(records, list) or not records:
        raise MalformedRequestError("an S3 event must have Records", field="Records")
    return list(_events(cast(list[Any], records)))


def _events(records: list[Any]) -> Iterator[ObjectEvent]:
    for record in records:
        try:
            name = str(record["eventName"]).removeprefix("s3:")
            if not name.startswith((_CREATED, _REMOVED)):
                continue
            described = record["s3"]["object"]
            bucket, key = record["s3"]["bucket"]["name"], described["key"]
            if not (isinstance(bucket, str) and isinstance(key, str) and bucket and key):
                raise MalformedRequestError("an S3 record must name a bucket and a key")
            yield ObjectEvent(
                bucket=bucket,
                # S3 encodes keys as forms do; decoded once, so that `100%25.csv` stays what it was.
                key=unquote_plus(key),
                sequencer=_sequencer(described.get("sequencer"), record.get("eventTime")),
                removed=name.startswith(_REMOVED),
                version=_text(described.get("versionId")),
                etag=_text(described.get("eTag")).strip('"'),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise MalformedRequestError(f"an S3 record lacks {error}", field="Records") from error


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _sequencer(sequencer: Any, time: Any) -> str:
    if isinstance(sequencer, str) and sequencer and set(sequencer) <= set(string.hexdigits):
        return sequencer
    try:
        moment = datetime.fromisoformat(str(time))
    except ValueError as error:
        raise MalformedRequestError(
            "an S3 record must have a sequencer or an eventTime", field="eventTime"
        ) from error
    return sequencer_of_time(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
