"""`shopping-agent index`: the collections behind search, one for each embedding model; serves another one, or drops one.

A roll-back is the former model's settings deployed, then `--serve` of its collection: that is as it was when it was
served last, and `shopping-agent reindex` brings it up to date. Of an account it reads QDRANT_URL, QDRANT_API_KEY and
QDRANT_COLLECTION.
"""

import argparse
import json
import os
from dataclasses import asdict

from shopping_agent.adapters.index.qdrant_connection import QdrantConnection
from shopping_agent.adapters.index.qdrant_versions import Version, Versions
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import IndexUnavailableError, MalformedRequestError
from shopping_agent.settings import Settings

from functions.local.ask import data_folder
from functions.local.cli import CommandError
from functions.local.data_folder import DataFolder, StackError

SECONDS = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--serve", metavar="NAME", help="let searches read this collection")
    change.add_argument("--drop", metavar="NAME", help="delete this collection")
    parser.add_argument("--json", action="store_true", help="print them as JSON")


def run(options: argparse.Namespace) -> int:
    settings = Settings.from_mapping(os.environ)
    connection = QdrantConnection(
        url=settings.qdrant_url or _local_url(),
        path="",
        api_key=settings.qdrant_api_key.get_secret_value(),
    )
    versions = Versions(connection, alias=settings.qdrant_collection)
    deadline = Deadline.after(SECONDS)
    try:
        if options.serve:
            versions.serve(options.serve, deadline)
        if options.drop:
            versions.drop(options.drop, deadline)
        listed = versions.all(deadline)
    except (MalformedRequestError, IndexUnavailableError) as error:
        raise CommandError(str(error)) from error
    finally:
        connection.close()
    if options.json:
        print(json.dumps([asdict(version) for version in listed], indent=2))
    else:
        print("\n".join(map(_line, listed)) or "nothing is indexed yet")
    return 0


def _line(version: Version) -> str:
    return f"{'*' if version.served else ' '} {version.name}  {version.points} points"


def _local_url() -> str:
    try:
        return DataFolder(data_folder()).running_stack()["endpoints"]["qdrant"]
    except (StackError, KeyError) as error:
        raise CommandError(f"{error}, or name your own: QDRANT_URL, QDRANT_API_KEY") from error
