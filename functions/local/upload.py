"""`shopping-agent upload FILE`: puts a file into the catalog bucket, shows how far its ingestion is, prints the report.

Ends with 0 when the file is applied (rejected rows are told), with 1 when it is refused, fails, or no report comes.
"""

import argparse
import json
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from shopping_agent.adapters.catalog.store_pack import load_columns
from shopping_agent.application.catalog_source import FORCE
from shopping_agent.application.ingestion import is_source
from shopping_agent.settings import Settings

from functions.local.ask import data_folder
from functions.local.cli import CommandError
from functions.local.data_folder import DataFolder, StackError
from functions.local.kinds import FOLDERS, key_of, kind_of
from functions.local.reports import CatalogBucket, PendingReport, ReplacedError
from functions.local.shown import show_report

WAIT_SECONDS = 900.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--kind", choices=list(FOLDERS), help="default: by the file's name or header"
    )
    place.add_argument("--key", help="object key (default: the kind's folder and the file's name)")
    parser.add_argument(
        "--force", action="store_true", help="also when it deletes more than MAX_DELETE_RATIO"
    )
    add_bucket_arguments(parser)


def add_bucket_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of every command that waits for reports."""
    parser.add_argument("--bucket", help="bucket of your AWS account (default: the local stack's)")
    parser.add_argument(
        "--timeout", type=float, default=WAIT_SECONDS, help="seconds to wait for a report"
    )
    parser.add_argument("--json", action="store_true", help="print reports as JSON")


def run(options: argparse.Namespace) -> int:
    if not options.file.is_file():
        raise CommandError(f"no such file: {options.file}")
    key = options.key or key_of(options.file, options.kind or _kind(options))
    if not is_source(key):
        raise CommandError(
            f"nothing reads {key}: catalogs belong under catalog/, guides to guides/NAME.md (--key)"
        )
    return followed(_upload(bucket_of(options), options, key), options)


def followed(pending: PendingReport, options: argparse.Namespace) -> int:
    """Wait for a report and show it: the command's exit status.

    Raises:
        CommandError: none comes.
    """
    with telling(quiet=options.json) as tell, bucket_errors("cannot read the reports"):
        try:
            report = pending.wait(options.timeout, tell)
        except ReplacedError as error:
            raise CommandError(str(error)) from error
    if report is None:
        raise CommandError(no_report(pending, options))
    if options.json:
        print(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        show_report(report)
    if report["status"] == "refused":
        print(_after_refusal(report), file=sys.stderr)
    return 0 if report["status"] == "applied" else 1


def _kind(options: argparse.Namespace) -> str:
    given = Settings.from_environment()
    columns = load_columns(given.store_pack, endpoint_url=given.aws_endpoint_url)
    try:
        kind, why = kind_of(options.file, columns)
    except OSError as error:
        raise CommandError(f"cannot read {options.file}: {error.strerror}") from error
    if not options.json:
        others = " or ".join(f"--kind {other}" for other in FOLDERS if other != kind)
        print(f"taken for {kind}: {why} ({others} if it is another)", file=sys.stderr)
    return kind


def _after_refusal(report: Mapping[str, Any]) -> str:
    """What can be done about a refused file."""
    key = report["source"]
    lines = [
        f"the shop is as before. The refused file stays at {key} until a good one takes its place, `shopping-agent reindex` "
        "puts back the one that was applied before, or it is taken away, with the products and texts that it has in "
        f"the shop: shopping-agent remove {key}"
    ]
    in_catalog = key.startswith(FOLDERS["catalog"])
    if in_catalog and "no column named" in report["error"]["message"]:
        lines.append(
            "a file of prices or stocks alone is an inventory: upload it with --kind inventory"
        )
    return "\n".join(lines)


def bucket_of(options: argparse.Namespace) -> CatalogBucket:
    """The bucket that the arguments name.

    Raises:
        CommandError: none is named and no local stack runs.
    """
    if options.bucket:
        return CatalogBucket.of_account(options.bucket)
    try:
        return CatalogBucket.local(DataFolder(data_folder()).running_stack())
    except StackError as error:
        raise CommandError(f"{error}, or name a bucket of your account: --bucket NAME") from error


@contextmanager
def bucket_errors(what: str) -> Generator[None]:
    """The bucket's failures as `CommandError`s that begin with `what`."""
    from boto3.exceptions import S3UploadFailedError
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except (BotoCoreError, ClientError, S3UploadFailedError, OSError) as error:
        raise CommandError(f"{what}: {error}") from error


@contextmanager
def telling(*, quiet: bool) -> Generator[Callable[[str], None] | None]:
    """A line on the terminal that says how far it is; None where nobody is to see it."""
    if quiet:
        yield None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("waiting") as status:
        yield lambda line: status.update(Text(line))


def no_report(pending: PendingReport, options: argparse.Namespace) -> str:
    """What to look at when no report came."""
    where = (
        "the ingest function's log, its dead-letter queue, and whether the bucket notifies the queue"
        if options.bucket
        else "the stack's logs/ingest-1.log"
    )
    return (
        f"no report of {pending.source} after {options.timeout:.0f} s; a file that is still worked on will have it "
        f"under reports/{pending.source}/ (--timeout waits longer); if none comes, look at {where}"
    )


def _upload(bucket: CatalogBucket, options: argparse.Namespace, key: str) -> PendingReport:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    file: Path = options.file
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with (
        bucket_errors(f"cannot upload to {bucket.bucket}"),
        Progress(*columns, console=Console(stderr=True), disable=options.json) as progress,
    ):
        task = progress.add_task(f"{key} -> {bucket.bucket}", total=file.stat().st_size)
        metadata = {FORCE: "true"} if options.force else {}
        return bucket.upload(
            file, key, lambda size: progress.advance(task, size), metadata=metadata
        )
