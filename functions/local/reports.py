"""The catalog bucket as a shopkeeper uses it: put a file, wait for the report of its ingestion."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mypy_boto3_s3 import S3Client

POLL_SECONDS = 0.2
CONTENT_TYPES = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".md": "text/markdown; charset=utf-8",
    ".tsv": "text/tab-separated-values",
    ".xml": "application/xml",
}


class ReplacedError(Exception):
    """Another file took the place of an upload before it was read: it will have no report of its own."""


class CatalogBucket:
    """Uploads that are followed to their report."""

    def __init__(self, *, client: "S3Client", bucket: str) -> None:
        self._client = client
        self.bucket = bucket

    @classmethod
    def local(cls, facts: "Mapping[str, Any]") -> "CatalogBucket":
        """The bucket of a running local stack (`DataFolder.running_stack`)."""
        import boto3

        client = boto3.client(
            "s3",
            endpoint_url=facts["endpoints"]["aws"],
            region_name="eu-west-1",
            aws_access_key_id="local",
            aws_secret_access_key="local",
        )
        return cls(client=client, bucket=facts["bucket"])

    @classmethod
    def of_account(cls, bucket: str) -> "CatalogBucket":
        """A bucket of the caller's own AWS account, by the usual AWS settings."""
        import boto3

        return cls(client=boto3.client("s3"), bucket=bucket)

    def upload(
        self, file: Path, key: str, progress: "Callable[[int], None] | None" = None
    ) -> "PendingReport":
        """Put a file; `progress` gets the number of bytes of each part that was sent."""
        pending = PendingReport(self, key, after=self._latest_report(key))
        extra = {"ContentType": CONTENT_TYPES.get(file.suffix.lower(), "application/octet-stream")}
        self._client.upload_file(
            str(file), self.bucket, key, ExtraArgs=extra, Callback=progress or _ignore
        )
        pending.etag = self.etag(key)
        return pending

    def etag(self, key: str) -> str:
        """Of the object that is there now; empty when there is none."""
        found = self._client.list_objects_v2(Bucket=self.bucket, Prefix=key, MaxKeys=1)
        return next(
            (
                o.get("ETag", "").strip('"')
                for o in found.get("Contents", [])
                if o.get("Key") == key
            ),
            "",
        )

    def has(self, key: str) -> bool:
        """Whether there is an object of this key."""
        return self.etag(key) != ""

    def delete(self, key: str) -> "PendingReport":
        """Delete a file, and with it what it brought in."""
        pending = PendingReport(self, key, after=self._latest_report(key))
        self._client.delete_object(Bucket=self.bucket, Key=key)
        return pending

    def reports_after(self, key: str, after: str) -> list[tuple[str, dict[str, Any]]]:
        """(key, report) of a source's reports that are newer than the one with the key `after`."""
        keys = self._report_keys(key, after)
        return [
            (name, json.load(self._client.get_object(Bucket=self.bucket, Key=name)["Body"]))
            for name in keys
        ]

    def _latest_report(self, key: str) -> str:
        return max(self._report_keys(key, ""), default="")

    def _report_keys(self, key: str, after: str) -> list[str]:
        prefix = f"reports/{key}/"
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=prefix, StartAfter=after
        )
        return [item.get("Key", "") for page in pages for item in page.get("Contents", [])]


class PendingReport:
    """The report that an upload or a deletion will bring."""

    def __init__(self, bucket: CatalogBucket, source: str, *, after: str) -> None:
        self.source = source
        self.etag = ""
        self._bucket = bucket
        self._after = after

    def poll(self) -> dict[str, Any] | None:
        """The report, once it is there; None as well while the bucket does not answer.

        Raises:
            ReplacedError: the file that was uploaded is no longer there to be read.
        """
        from botocore.exceptions import ConnectionError as NoConnectionError
        from botocore.exceptions import HTTPClientError

        try:
            return self._find()
        except (NoConnectionError, HTTPClientError):
            return None

    def _find(self) -> dict[str, Any] | None:
        for name, report in self._bucket.reports_after(self.source, self._after):
            if not self.etag or str(report.get("etag", "")).strip('"') == self.etag:
                return report
            self._after = name
            if self._bucket.etag(self.source) != self.etag:
                raise ReplacedError(f"another upload has replaced {self.source} meanwhile")
        return None

    def wait(self, seconds: float) -> dict[str, Any] | None:
        """The report; None when there is none in time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if report := self.poll():
                return report
            time.sleep(POLL_SECONDS)
        return None


def _ignore(size: int) -> None:
    """Nobody watches this upload."""


def key_of(file: Path) -> str:
    """Where a file belongs: guides are Markdown, inventories are named so, the rest are catalogs."""
    if file.suffix.lower() == ".md":
        return f"guides/{file.name}"
    if file.stem.lower().startswith(("inventory", "stock")):
        return f"inventory/{file.name}"
    return f"catalog/{file.name}"
