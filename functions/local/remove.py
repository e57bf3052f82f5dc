"""`shopping-agent remove KEY`: deletes a file from the catalog bucket, and with it what it brought in; prints the report.

Prices and stocks that an inventory file said stay as they are, and nothing reports its deletion.

Ends with 0 when that is done, with 1 when it is not.
"""

import argparse
import sys

from shopping_agent.application.ingestion import is_inventory, is_source

from functions.local.cli import CommandError
from functions.local.upload import add_bucket_arguments, bucket_errors, bucket_of, followed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", help="of the object, such as catalog/catalog.jsonl")
    parser.add_argument("--yes", action="store_true", help="without asking")
    add_bucket_arguments(parser)


def run(options: argparse.Namespace) -> int:
    key: str = options.key
    if not is_source(key):
        raise CommandError(f"{key} is no catalog, guide or inventory (catalog/..., guides/NAME.md)")
    bucket = bucket_of(options)
    with bucket_errors(f"cannot delete in {bucket.bucket}"):
        if not bucket.has(key):
            raise CommandError(f"{bucket.bucket} holds no {key}")
        if not (options.yes or _confirmed(key, bucket.bucket)):
            raise CommandError("nothing was deleted; --yes deletes without asking")
        pending = bucket.delete(key)
    print(f"{key} is deleted from {bucket.bucket}", file=sys.stderr)
    if is_inventory(key):
        print("what it said holds until another file says otherwise", file=sys.stderr)
        return 0
    return followed(pending, options)


def _confirmed(key: str, bucket: str) -> bool:
    print(
        f"This deletes {key} from {bucket}; products and texts that no other file brought in leave the shop. Go on? [y/N] ",
        end="",
        file=sys.stderr,
        flush=True,
    )
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}
