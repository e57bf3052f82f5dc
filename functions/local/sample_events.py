"""Sample events made as good as new: the time of a request or an object event, and the objects that they point at."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

from shopping_agent.domain.signing import shared_secrets, sign_message

from functions.local.data_folder import StackError
from functions.local.gateway import route_of
from functions.local.reports import CatalogBucket

REPORT_SECONDS = 120.0


def read_event(path: Path) -> Any:
    """The event in a file.

    Raises:
        StackError: there is none.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StackError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise StackError(f"{path} is not JSON: {error}") from error


def function_of(event: Any) -> str:
    """Which function an event is for.

    Raises:
        StackError: it is none of the shapes that ours take.
    """
    match event:
        case {"Records": [_, *_]} | {"Event": "s3:TestEvent"}:
            return "ingest"
        case {"rawPath": str(path), "requestContext": {"http": {"method": str(method)}}}:
            return route_of(method, path)[0]
        case _:
            raise StackError("neither an HTTP API event (payload 2.0) nor an S3 or SQS event")


def as_of_now(event: Any) -> Any:
    """The event as if it happened just now: an old request has no time left, an old object event is out of date."""
    now = time.time()
    match event:
        case {"requestContext": dict(context)}:
            times = {
                "timeEpoch": int(now * 1000),
                "time": time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now)),
            }
            return {**event, "requestContext": {**context, **times}}
        case {"Records": list(records)}:
            return {**event, "Records": [_record_of_now(record) for record in records]}
        case _:
            return event


def signed_now(event: Any, secret: str) -> Any:
    """A webhook of the shop's checkout as the running stack's shop would sign it now; any other event as it is."""
    match event:
        case {
            "headers": {"x-checkout-signature": str()} as headers,
            "body": str(body),
            "isBase64Encoded": False,
        }:
            if not secret:
                return event
            now = int(time.time())
            signature = sign_message(now, body.encode(), shared_secrets(secret)[0])
            signed = {**headers, "x-checkout-signature": f"t={now},v1={signature}"}
            return {**event, "headers": signed}
        case _:
            return event


def _record_of_now(record: Any) -> Any:
    match record:
        case {"eventSource": "aws:sqs", "body": str(body)}:
            try:
                return {**record, "body": json.dumps(as_of_now(json.loads(body)))}
            except ValueError:
                return record
        case {"s3": {"object": dict(described)} as s3}:
            fresh = {k: v for k, v in described.items() if k not in ("versionId", "sequencer")}
            fresh["sequencer"] = f"{time.time_ns() * 2**32 // 10**9:018X}"
            moment = time.strftime("%Y-%m-%dT%H:%M:%S.999Z", time.gmtime())
            return {**record, "eventTime": moment, "s3": {**s3, "object": fresh}}
        case _:
            return record


def object_changes(event: Any) -> Iterator[tuple[str, bool]]:
    """(key, whether it was created or else removed) of the objects of an event, within SQS messages too."""
    match event:
        case {"Records": list(records)}:
            for record in records:
                yield from object_changes(record)
        case {"eventSource": "aws:sqs", "body": str(body)}:
            try:
                yield from object_changes(json.loads(body))
            except ValueError:
                return
        case {"eventName": str(name), "s3": {"object": {"key": str(key)}}}:
            yield unquote_plus(key), name.startswith("ObjectCreated")
        case _:
            return


def prepare_bucket(event: Any, folder: Path, bucket: CatalogBucket) -> None:
    """Make the bucket as the event says, for objects that lie as files in `folder`: the event's own samples."""
    for key, created in dict.fromkeys(object_changes(event)):
        file = folder / Path(key).name
        if not file.is_file() or bucket.has(key) == created:
            continue
        change = bucket.upload(file, key) if created else bucket.delete(key)
        change.wait(REPORT_SECONDS)
