"""What moto lacks of S3: objects that survive the process, and notifications with sequencers and delete markers.

After each request that may change objects, the present objects are compared with those before it. Each difference is
mirrored to disk and told to the queue before the request is answered. moto's own notifications stay unused.
"""

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote_plus

from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.s3.models import FakeBucket, FakeKey, S3Backend, s3_backends

from functions.local.bucket_mirror import BucketMirror, MirroredObject

REGION = "eu-west-1"
CHANGING = frozenset({"PUT", "POST", "DELETE"})
Application = Callable[[dict[str, Any], Any], Iterable[bytes]]
Objects = Mapping[tuple[str, str], FakeKey]


class Sequencers:
    """Hexadecimal numbers in S3's form (zero byte, seconds, fraction), each greater than the one before."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> str:
        self._last = max(self._last + 1, time.time_ns() * 2**32 // 10**9)
        return f"{self._last:018X}"

    def seen(self, sequencer: str) -> None:
        """Later ones are greater than this one, whatever the clock says."""
        self._last = max(self._last, int(sequencer, 16))


class BucketEvents:
    """moto's application with lasting objects and S3's notifications.

    Args:
        send: takes the body of a notification.
        prefixes: of the keys that are notified.
    """

    def __init__(
        self,
        application: Application,
        *,
        mirror: BucketMirror,
        send: Callable[[str], None],
        prefixes: tuple[str, ...],
    ) -> None:
        self._application = application
        self._mirror = mirror
        self._send = send
        self._prefixes = prefixes
        self._sequencers = Sequencers()
        self._lock = threading.Lock()
        self._known: Objects = {}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if not _may_change_objects(environ):
            return self._application(environ, start_response)
        with self._lock:
            answer = self._application(environ, start_response)
            self._compare(_created_by(environ))
            return answer

    def restore(self) -> None:
        """Put back what the mirror holds and tell it again; what was ingested already changes nothing."""
        restored = list(self._mirror.read())
        for mirrored, body in restored:
            self._sequencers.seen(mirrored.sequencer)
            bucket = ensure_bucket(mirrored.bucket)
            if not mirrored.removed:
                for version, former in self._mirror.former(mirrored):
                    _put_back(bucket.name, version, former)
                _put_back(bucket.name, mirrored, body)
        self._known = _objects()
        for mirrored, _ in restored:
            self._tell(mirrored, self._known.get((mirrored.bucket, mirrored.key)))

    def _compare(self, created: str) -> None:
        before, self._known = self._known, _objects()
        for place, key in self._known.items():
            if before.get(place) is not key:
                self._changed(place, created, key)
        for place in before:
            if place not in self._known:
                versioned = (
                    s3().buckets[place[0]].is_versioned if place[0] in s3().buckets else False
                )
                removed = "DeleteMarkerCreated" if versioned else "Delete"
                self._changed(place, f"ObjectRemoved:{removed}", None)

    def _changed(self, place: tuple[str, str], event: str, key: FakeKey | None) -> None:
        headers = {name: str(value) for name, value in key.metadata.items()} if key else {}
        mirrored = MirroredObject(
            bucket=place[0],
            key=place[1],
            sequencer=self._sequencers.next(),
            event=event,
            removed=key is None,
            headers=headers,
            etag=key.etag.strip('"') if key else "",
            modified=key.last_modified.replace(tzinfo=UTC).timestamp() if key else 0.0,
        )
        read = mirrored.key.startswith(self._prefixes)
        self._mirror.write(mirrored, key.value if key else b"", versions=read)
        self._tell(mirrored, key)

    def _tell(self, mirrored: MirroredObject, key: FakeKey | None) -> None:
        if mirrored.key.startswith(self._prefixes):
            self._send(json.dumps({"Records": [_record(mirrored, key)]}))


def s3() -> S3Backend:
    """moto's S3, which is one for the whole process."""
    return s3_backends[DEFAULT_ACCOUNT_ID]["aws"]


def ensure_bucket(name: str) -> FakeBucket:
    """The bucket, made (with versions, as in the template) where it is missing."""
    if name not in s3().buckets:
        s3().create_bucket(name, REGION)
        s3().put_bucket_versioning(name, "Enabled")
    return s3().get_bucket(name)


def _put_back(bucket: str, mirrored: MirroredObject, body: bytes) -> None:
    key = s3().put_object(bucket, mirrored.key, body, etag=mirrored.etag or None)
    key.set_metadata(mirrored.headers)
    if mirrored.modified:
        # moto's own moments are UTC without saying so.
        key.last_modified = datetime.fromtimestamp(mirrored.modified, UTC).replace(tzinfo=None)


def s3_test_event(bucket: str) -> str:
    """What S3 sends to a new target of notifications."""
    return json.dumps(
        {
            "Service": "Amazon S3",
            "Event": "s3:TestEvent",
            "Time": _now(),
            "Bucket": bucket,
            "RequestId": "local",
            "HostId": "local",
        }
    )


def _may_change_objects(environ: Mapping[str, Any]) -> bool:
    """Whether a request is for a bucket (SQS's go to `/` or below an account's number) and no mere reading."""
    place = str(environ.get("PATH_INFO", "")).strip("/").partition("/")[0]
    return environ.get("REQUEST_METHOD") in CHANGING and bool(place) and not place.isdigit()


def _created_by(environ: Mapping[str, Any]) -> str:
    """The name of the event when this request created an object."""
    if environ.get("REQUEST_METHOD") == "POST":
        multipart = "uploadId=" in str(environ.get("QUERY_STRING", ""))
        return f"ObjectCreated:{'CompleteMultipartUpload' if multipart else 'Post'}"
    copied = "HTTP_X_AMZ_COPY_SOURCE" in environ
    return f"ObjectCreated:{'Copy' if copied else 'Put'}"


def _objects() -> Objects:
    """The latest version of every key that is not deleted."""
    latest = (
        ((bucket.name, name), bucket.keys.get(name))
        for bucket in s3().buckets.values()
        for name in list(bucket.keys)
    )
    return {place: key for place, key in latest if isinstance(key, FakeKey)}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _record(mirrored: MirroredObject, key: FakeKey | None) -> dict[str, Any]:
    """One record of an S3 event, as AWS writes it."""
    described: dict[str, Any] = {"key": quote_plus(mirrored.key, safe="/")}
    if key is not None:
        described |= {
            "size": key.size,
            "eTag": key.etag.strip('"'),
            "versionId": key.version_id,
        }
    return {
        "eventVersion": "2.1",
        "eventSource": "aws:s3",
        "awsRegion": REGION,
        "eventTime": _now(),
        "eventName": mirrored.event,
        "userIdentity": {"principalId": "local"},
        "requestParameters": {"sourceIPAddress": "127.0.0.1"},
        "responseElements": {"x-amz-request-id": "local", "x-amz-id-2": "local"},
        "s3": {
            "s3SchemaVersion": "1.0",
            "configurationId": "ingest",
            "bucket": {
                "name": mirrored.bucket,
                "ownerIdentity": {"principalId": "local"},
                "arn": f"arn:aws:s3:::{mirrored.bucket}",
            },
            "object": {**described, "sequencer": mirrored.sequencer},
        },
    }
