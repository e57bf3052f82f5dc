"""The command: its arguments, the checks in their order, and the report for people and as JSON.

Ends with 1 when a check failed. Nothing is changed, and nothing costs money unless `--paid` says so.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from functions.local.ask import data_folder
from functions.local.cli import CommandError
from functions.local.data_folder import StackError
from functions.local.doctor import configuration, index, ingestion, providers, service, state
from functions.local.doctor.findings import Check, Finding, run_all
from functions.local.doctor.subject import Subject, of_deployment, of_local_stack

SECONDS = 10.0
MOST_SECONDS = 600.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base-url", default="", help="a deployment's address (output ApiUrl)")
    parser.add_argument("--bucket", default="", help="its bucket (output CatalogBucketName)")
    parser.add_argument(
        "--settings",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="its settings as JSON, over the environment's; may be repeated: the secret, and what "
        "`aws lambda get-function-configuration --query Environment` prints",
    )
    parser.add_argument("--origin", default="", help="a page's origin that has to be allowed")
    parser.add_argument(
        "--paid", action="store_true", help="ask models and embeddings for real: costs a little"
    )
    parser.add_argument(
        "--timeout", type=_seconds, default=SECONDS, help="seconds that a check may take"
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(options: argparse.Namespace) -> int:
    findings = run_all(checks_of(_subject(options)), options.timeout)
    failed = any(finding.status == "fail" for finding in findings)
    if options.json:
        document = {
            "status": "fail" if failed else "ok",
            "findings": [asdict(finding) for finding in findings],
        }
        print(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        _show(findings)
    return 1 if failed else 0


def checks_of(subject: Subject) -> Sequence[Check]:
    """All checks, in the order of the report."""
    return [
        check
        for part in (configuration, service, state, index, providers, ingestion)
        for check in part.checks(subject)
    ]


def _subject(options: argparse.Namespace) -> Subject:
    common = {"seconds": options.timeout, "paid": options.paid, "origin": options.origin}
    if options.base_url or options.bucket or options.settings:
        return of_deployment(
            base_url=options.base_url, bucket=options.bucket, files=options.settings, **common
        )
    try:
        return of_local_stack(data_folder(), **common)
    except StackError as error:
        raise CommandError(f"{error}, or name a deployment: --base-url URL") from error


def _show(findings: Sequence[Finding]) -> None:
    width = max(len(finding.check) for finding in findings)
    for finding in findings:
        print(f"{finding.status:<11}  {finding.check:<{width}}  {finding.message}")
        if finding.fix:
            print(f"{'':11}  {'':{width}}  -> {finding.fix}")
    counts = Counter(finding.status for finding in findings)
    print(", ".join(f"{number} {status}" for status, number in counts.items()))


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"must be above 0 and at most {MOST_SECONDS:.0f}")
    return seconds
