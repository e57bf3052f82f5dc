"""`shopping-agent normalize FILE`: a catalog file as the ingestion reads it, without storing anything.

Prints one product a line as JSON on stdout, and one rejected row a line on stderr.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.adapters.catalog.store_pack import load_columns
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.feed import FeedRow, ProductRow
from shopping_agent.errors import CatalogFileError
from shopping_agent.settings import Settings

from functions.local.cli import CommandError

FIELDS = (
    "id",
    "name",
    "brand",
    "description",
    "price",
    "currency",
    "stock",
    "url",
    "imageUrl",
    "gender",
    "families",
    "notes",
    "accords",
    "sizeMl",
    "variantOf",
    "options",
    "checkoutId",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a catalog file of any supported format")
    parser.add_argument(
        "--currency",
        help="of prices that name none (default: STORE_CURRENCY)",
    )
    parser.add_argument(
        "--pack", help="store pack whose columns.json names more headers (default: STORE_PACK)"
    )
    parser.add_argument("--json", action="store_true", help="the output is JSON lines anyway")


def run(args: argparse.Namespace) -> int:
    """Print the products and the rejected rows.

    Raises:
        CommandError: the file cannot be read at all.
    """
    given = Settings.from_environment()
    currency = args.currency or given.store_currency
    settings = Settings.from_mapping({"STORE_CURRENCY": currency})
    columns = load_columns(args.pack or given.store_pack, endpoint_url=given.aws_endpoint_url)
    reader = CatalogFileReader(currency=settings.store_currency, columns=columns)
    try:
        with _body(args.file) as body:
            # Twice over the file: only the second time is it known which row of an id is the last.
            last = dict(_print_rejected(_rows(reader, body)))
            now = time.time()
            for row in _rows(reader, body):
                if isinstance(row, ProductRow) and last[row.product.id] == row.line:
                    _print(normalised(row.product, now), sys.stdout)
    except CatalogFileError as error:
        raise CommandError(f"{args.file}: {error}") from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(f"cannot read {args.file}: {error.strerror}") from error
    return 0


def normalised(product: Product, now: float) -> dict[str, Any]:
    """A product in the output shape, at the price of the moment `now` (seconds since the epoch)."""
    view = product.view(now)
    return {name: view[name] for name in FIELDS if name in view}


@contextmanager
def _body(file: Path) -> Generator[BinaryIO]:
    """The file's bytes, which can be read again: of a pipe a copy."""
    with file.open("rb") as given, tempfile.TemporaryFile() as copy:
        if given.seekable():
            yield given
        else:
            shutil.copyfileobj(given, copy)
            yield copy


def _rows(reader: CatalogFileReader, body: BinaryIO) -> Iterator[FeedRow]:
    body.seek(0)
    yield from reader.read(body)


def _print_rejected(rows: Iterator[FeedRow]) -> Iterator[tuple[str, int]]:
    """Print the rejected rows; (id, line) of the others."""
    for row in rows:
        if isinstance(row, ProductRow):
            yield row.product.id, row.line
        else:
            rejected = {"line": row.line, "reasonCode": row.reason_code, "hint": row.hint}
            _print(rejected, sys.stderr)


def _print(document: dict[str, Any], stream: Any) -> None:
    print(json.dumps(document, ensure_ascii=False), file=stream)
