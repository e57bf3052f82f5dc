"""What was applied of a key whose present object was refused since: that version, for as long as the bucket keeps it."""

import json
from datetime import datetime

from shopping_agent.application.catalog_source import FORCE, MASS_DELETION

from functions.local.reports import CatalogBucket

MAX_REPORTS = 100


def refused_over(bucket: CatalogBucket, key: str) -> str | None:
    """ETag of what was applied last of a key whose present object was refused since.

    Empty when nothing was; None when the present object is what is applied, or is still to be read.
    """
    there = bucket.client.head_object(Bucket=bucket.bucket, Key=key)
    refused = False
    for name in reversed(bucket.report_keys(key)[-MAX_REPORTS:]):
        report = json.load(bucket.client.get_object(Bucket=bucket.bucket, Key=name)["Body"])
        etag = str(report["etag"]).strip('"')
        if refused and report["status"] == "applied":
            return etag
        if not refused:
            refused = (
                report["status"] == "refused"
                and etag == there["ETag"].strip('"')
                and datetime.fromisoformat(report["startedAt"]) >= there["LastModified"]
                # Forced it is never refused for that: the report is of the same file before.
                and not (FORCE in there["Metadata"] and report["error"]["code"] == MASS_DELETION)
            )
            if not refused:
                return None
    return "" if refused else None


def version_of(bucket: CatalogBucket, key: str, etag: str) -> str:
    """The newest version of a key with this content; empty when none is kept."""
    pages = bucket.client.get_paginator("list_object_versions").paginate(
        Bucket=bucket.bucket, Prefix=key
    )
    for page in pages:
        for item in page.get("Versions", []):
            if item.get("Key") == key and item.get("ETag", "").strip('"') == etag:
                return item.get("VersionId", "")
    return ""
