"""The command `shopping-agent`. Each subcommand is a module with `add_arguments` and `run`, imported when asked for."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from shopping_agent.errors import ConfigurationError

COMMANDS = {
    "ask": "ask the assistant, as a shopper does",
    "upload": "bring a catalog, an inventory or a guide in and print the report",
    "remove": "delete a file from the bucket, and with it what it brought in",
    "reindex": "ingest everything in the bucket anew, such as for another embedding model",
    "redrive": "put messages of the dead letters back into the queue of ingestion",
    "replay": "run a recorded turn again with the replies of its model, and show what differs",
    "doctor": "check the local stack or a deployment, and say what to mend",
    "index": "the collections behind search: list them, serve another one, drop one",
    "normalize": "read a catalog file as the ingestion would, without storing anything",
    "rules": "check an edited table of rules and what it covers of a catalog",
    "understand": "what the rules understand of a message, without a model",
    "recommend": "products for a profile by the shop's rules, with score and reasons",
}


class CommandError(Exception):
    """A command cannot do what was asked; the message says why and what would work."""


def main(argv: Sequence[str] | None = None) -> int:
    _speak_utf8()
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(
        prog="shopping-agent", description="The shop on the command line; each command has --json."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    module = None
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        if arguments[:1] == [name]:
            module = importlib.import_module(f"functions.local.{name}")
            module.add_arguments(command)
    if module is not None and hasattr(module, "prepared"):
        arguments = module.prepared(arguments)
    options = parser.parse_args(arguments)
    if module is None:
        parser.error(f"put the command first: shopping-agent {options.command} ...")
    try:
        return int(module.run(options) or 0)
    except (CommandError, ConfigurationError) as error:
        print(f"shopping-agent: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has enough; Python's own flush at exit would complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _speak_utf8() -> None:
    """Whatever the terminal's own encoding: names of products are in every script, and JSON is UTF-8."""
    for stream, errors in ((sys.stdin, "strict"), (sys.stdout, "replace"), (sys.stderr, "replace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)


def shown(text: str) -> str:
    """Text of others for a terminal: what would move its cursor, colour it or turn its lines is told, not done."""
    return "".join(
        c if c == "\n" or c.isprintable() else f"\\u{ord(c):04x}" if ord(c) < 0x10000 else "?"
        for c in text
    )


def typed(text: str) -> str:
    """An argument as text: bytes that are no UTF-8 come in as lone surrogates, which nothing can send."""
    return os.fsencode(text).decode("utf-8", "replace")
