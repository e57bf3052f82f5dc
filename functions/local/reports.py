"""The catalog bucket as a shopkeeper uses it: put a file, wait for the report of its ingestion."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shopping_agent.application.catalog_parts import STAGED_REPORT, STAGING
from shopping_agent.application.index_rebuild import REINDEX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from mypy_boto3_s3 import S3Client

POLL_SECONDS = 0.2
PROGRESS_SECONDS = 1.0
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
        self.client = client
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
        self,
        file: Path,
        key: str,
        progress: "Callable[[int], None] | None" = None,
        *,
        metadata: "Mapping[str, str] | None" = None,
    ) -> "PendingReport":
        """Put a file; `progress` gets the number of bytes of each part that was sent."""
        pending = PendingReport(self, key, after=self._latest_report(key))
        extra: dict[str, Any] = {
            "ContentType": CONTENT_TYPES.get(file.suffix.lower(), "application/octet-stream"),
            "Metadata": dict(metadata or {}),
        }
        self.client.upload_file(
            str(file), self.bucket, key, ExtraArgs=extra, Callback=progress or _ignore
        )
        pending.etag = self.etag(key)
        return pending

    def copy(self, key: str, version: str = "") -> "PendingReport":
        """Put an object in its own place again, so that it is ingested anew; the copy says how old the object is.

        Args:
            version: of the object, to take the place of the present one; empty for the present one.
        """
        which: Any = {"VersionId": version} if version else {}
        source: Any = {"Bucket": self.bucket, "Key": key, **which}
        there = self.client.head_object(Bucket=self.bucket, Key=key, **which)
        metadata = {REINDEX: there["LastModified"].isoformat(), **there["Metadata"]}
        pending = PendingReport(self, key, after=self._latest_report(key))
        reply = self.client.copy_object(
            Bucket=self.bucket,
            Key=key,
            CopySource=source,
            CopySourceIfMatch=there["ETag"],
            ContentType=there["ContentType"],
            Metadata=metadata,
            MetadataDirective="REPLACE",
        )
        pending.etag = reply["CopyObjectResult"].get("ETag", "").strip('"')
        return pending

    def keys(self, prefix: str) -> list[str]:
        """The keys below a prefix, the oldest object's first."""
        pages = self.client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=prefix
        )
        listed: list[tuple[datetime, str]] = [
            (item["LastModified"], item["Key"])  # pyright: ignore[reportTypedDictNotRequiredAccess]
            for page in pages
            for item in page.get("Contents", [])
        ]
        return [key for _, key in sorted(listed)]

    def planned(self, key: str, etag: str) -> dict[str, Any] | None:
        """The report so far of a file that workers write in parts, and how many `parts` these are."""
        prefix = f"{STAGING}{key}/"
        found = self.client.list_objects_v2(Bucket=self.bucket, Prefix=prefix)
        names = [item.get("Key", "") for item in found.get("Contents", [])]
        for name in reversed(names):
            folder, _, last = name.rpartition("/")
            if last == STAGED_REPORT:
                report = json.load(self.client.get_object(Bucket=self.bucket, Key=name)["Body"])
                if str(report.get("etag", "")).strip('"') == etag:
                    parts = sum(n.startswith(f"{folder}/part-") for n in names)
                    return {**report, "parts": parts}
        return None

    def etag(self, key: str) -> str:
        """Of the object that is there now; empty when there is none."""
        found = self.client.list_objects_v2(Bucket=self.bucket, Prefix=key, MaxKeys=1)
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
        self.client.delete_object(Bucket=self.bucket, Key=key)
        return pending

    def reports_after(self, key: str, after: str) -> list[tuple[str, dict[str, Any]]]:
        """(key, report) of a source's reports that are newer than the one with the key `after`."""
        keys = self.report_keys(key, after)
        return [
            (name, json.load(self.client.get_object(Bucket=self.bucket, Key=name)["Body"]))
            for name in keys
        ]

    def _latest_report(self, key: str) -> str:
        return max(self.report_keys(key), default="")

    def report_keys(self, key: str, after: str = "") -> list[str]:
        """The keys of a source's reports that are newer than the one with the key `after`, the oldest first."""
        prefix = f"reports/{key}/"
        pages = self.client.get_paginator("list_objects_v2").paginate(
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

    def progress(self) -> str:
        """What is known of the ingestion so far, in words; empty while nothing is."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            planned = self._bucket.planned(self.source, self.etag)
        except (BotoCoreError, ClientError):
            return ""
        if planned is None:
            return ""
        counts = planned["counts"]
        writing = counts["added"] + counts["updated"] + counts["repriced"]
        return (
            f"{counts['read']} rows read, {counts['rejected']} rejected, "
            f"writing {writing} products in {planned['parts']} parts"
        )

    def wait(
        self, seconds: float, tell: "Callable[[str], None] | None" = None
    ) -> dict[str, Any] | None:
        """The report; None when there is none in time.

        Args:
            tell: is told how far it is, many times.
        """
        began = asked = time.monotonic()
        known = ""
        while (now := time.monotonic()) < began + seconds:
            if report := self.poll():
                return report
            if tell:
                if now - asked > PROGRESS_SECONDS:
                    known, asked = self.progress(), now
                tell(f"{known or 'waiting for the report'} ({now - began:.0f} s)")
            time.sleep(POLL_SECONDS)
        return None


def _ignore(size: int) -> None:
    """Nobody watches this upload."""
