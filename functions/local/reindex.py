"""`shopping-agent reindex`: everything in the bucket is ingested anew, for a new embedding model or an index that was lost.

Each object is copied onto itself (where it was refused: the version of it that was applied last), so that S3 tells of it as of an upload: the same on a laptop and in an account, in
order with uploads meanwhile, and it needs no right but the bucket's. Searches read the index they read before until
the new one is complete. Ends with 0 when every file is applied, else with 1.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from shopping_agent.application.ingestion import is_source

from functions.local.applied import refused_over, version_of
from functions.local.cli import CommandError
from functions.local.kinds import FOLDERS
from functions.local.reports import POLL_SECONDS, CatalogBucket, PendingReport, ReplacedError
from functions.local.shown import show_report
from functions.local.upload import (
    add_bucket_arguments,
    bucket_errors,
    bucket_of,
    no_report,
    telling,
)

Outcome = tuple[PendingReport, dict[str, Any] | None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--only",
        action="append",
        choices=list(FOLDERS),
        help="files of this kind alone; may be repeated (default: all)",
    )
    add_bucket_arguments(parser)


def run(options: argparse.Namespace) -> int:
    bucket = bucket_of(options)
    with bucket_errors(f"cannot copy in {bucket.bucket}"):
        keys = [
            key
            for kind in options.only or FOLDERS
            for key in bucket.keys(FOLDERS[kind])
            if is_source(key)
        ]
        if not keys:
            raise CommandError(f"{bucket.bucket} holds no catalog, guide or inventory to read")
        with telling(quiet=options.json) as tell:
            pending = list(_copied(bucket, keys, tell))
            outcomes = list(_finished(pending, options.timeout, tell))
    reports = [report for _, report in outcomes if report]
    _show(reports, json_wanted=options.json)
    if late := [waiting for waiting, report in outcomes if report is None]:
        raise CommandError(f"{len(late)} of {len(outcomes)} files: {no_report(late[0], options)}")
    return 0 if all(report["status"] == "applied" for report in reports) else 1


def _copied(
    bucket: CatalogBucket, keys: list[str], tell: Callable[[str], None] | None
) -> Iterator[PendingReport]:
    for number, key in enumerate(keys, start=1):
        if tell:
            tell(f"{number} of {len(keys)}: {key}")
        yield bucket.copy(key, _applied_version(bucket, key))


def _applied_version(bucket: CatalogBucket, key: str) -> str:
    """The version that was applied last, where what replaced it was refused; else empty: the object as it is."""
    applied = refused_over(bucket, key)
    if applied is None:
        return ""
    if version := version_of(bucket, key, applied) if applied else "":
        said = "was refused; what was applied before takes its place again"
    else:
        said = (
            "was refused, and no version of it that was applied is kept: upload a good one, "
            f"or take it away: shopping-agent remove {key}"
        )
    print(f"{key}: the file in the bucket {said}", file=sys.stderr)
    return version


def _finished(
    pending: list[PendingReport], seconds: float, tell: Callable[[str], None] | None
) -> Iterator[Outcome]:
    """Each file with its report, as they come; without one when none comes for so many seconds.

    A file that somebody else uploads meanwhile is ingested as well, by its own event.
    """
    left = list(pending)
    until = time.monotonic() + seconds
    while left and time.monotonic() < until:
        for waiting in list(left):
            try:
                report = waiting.poll()
            except ReplacedError:
                left.remove(waiting)
                continue
            if report:
                left.remove(waiting)
                until = time.monotonic() + seconds
                yield waiting, report
        if tell and left:
            done = len(pending) - len(left)
            tell(f"{done} of {len(pending)} files ingested; {left[0].progress() or left[0].source}")
        time.sleep(POLL_SECONDS)
    yield from ((waiting, None) for waiting in left)


def _show(reports: list[dict[str, Any]], *, json_wanted: bool) -> None:
    if json_wanted:
        print(json.dumps(reports, ensure_ascii=False, indent=2))
        return
    for report in reports:
        show_report(report)
    embedded = sum(report["counts"]["embedded"] for report in reports)
    applied = sum(report["status"] == "applied" for report in reports)
    if applied == len(reports):
        print(f"{applied} files ingested anew, {embedded} texts embedded")
        return
    print("a new model's index is served once every file whose products are live is applied")
    print(
        f"{applied} of {len(reports)} files ingested anew, {embedded} texts embedded{_others(reports)}"
    )


def _others(reports: list[dict[str, Any]]) -> str:
    """The files that are not applied, by what became of them."""
    named: dict[str, list[str]] = {}
    for report in reports:
        if report["status"] != "applied":
            named.setdefault(report["status"], []).append(report["source"])
    return "".join(f", {len(keys)} {status}: {', '.join(keys)}" for status, keys in named.items())
