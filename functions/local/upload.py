"""`shopping-agent upload FILE`: puts a file into the catalog bucket and prints the report of its ingestion."""

import argparse
import json
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from shopping_agent.application.ingestion import is_source

from functions.local.ask import data_folder
from functions.local.cli import CommandError
from functions.local.data_folder import DataFolder, StackError
from functions.local.reports import CatalogBucket, PendingReport, ReplacedError, key_of
from functions.local.shown import show_report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--key", help="object key (default: catalog/, guides/ or inventory/ by the file's name)"
    )
    parser.add_argument("--bucket", help="bucket of your AWS account (default: the local stack's)")
    parser.add_argument(
        "--timeout", type=float, default=900.0, help="seconds to wait for the report"
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(options: argparse.Namespace) -> int:
    if not options.file.is_file():
        raise CommandError(f"no such file: {options.file}")
    key = options.key or key_of(options.file)
    if not is_source(key):
        raise CommandError(
            f"nothing reads {key}: catalogs belong under catalog/, guides to guides/NAME.md (--key)"
        )
    pending = _upload(_bucket(options.bucket), options.file, key, options.json)
    report = _wait(pending, options)
    if report is None:
        raise CommandError(
            f"no report after {options.timeout:.0f} s; it will be under reports/{pending.source}/"
        )
    if options.json:
        print(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        show_report(report)
    return 1 if report["status"] == "refused" else 0


def _bucket(name: str | None) -> CatalogBucket:
    if name:
        return CatalogBucket.of_account(name)
    try:
        return CatalogBucket.local(DataFolder(data_folder()).running_stack())
    except StackError as error:
        raise CommandError(f"{error}, or name a bucket of your account: --bucket NAME") from error


def _upload(bucket: CatalogBucket, file: Path, key: str, quiet: bool) -> PendingReport:
    from boto3.exceptions import S3UploadFailedError
    from botocore.exceptions import BotoCoreError, ClientError
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    try:
        with Progress(*columns, console=Console(stderr=True), disable=quiet) as progress:
            task = progress.add_task(f"{key} -> {bucket.bucket}", total=file.stat().st_size)
            return bucket.upload(file, key, lambda size: progress.advance(task, size))
    except (BotoCoreError, ClientError, S3UploadFailedError, OSError) as error:
        raise CommandError(f"cannot upload to {bucket.bucket}: {error}") from error


def _wait(pending: PendingReport, options: argparse.Namespace) -> dict[str, Any] | None:
    from botocore.exceptions import BotoCoreError, ClientError
    from rich.console import Console

    waiting: AbstractContextManager[Any] = nullcontext()
    if not options.json:
        waiting = Console(stderr=True).status("ingesting")
    with waiting:
        try:
            return pending.wait(options.timeout)
        except ReplacedError as error:
            raise CommandError(str(error)) from error
        except (BotoCoreError, ClientError) as error:
            raise CommandError(f"cannot read the reports: {error}") from error
