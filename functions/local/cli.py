"""The command `shopping-agent`. Each subcommand is a module with `add_arguments` and `run`, imported when asked for."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

COMMANDS = {
    "ask": "ask the assistant, as a shopper does",
    "upload": "bring a catalog, an inventory or a guide in and print the report",
    "normalize": "read a catalog file as the ingestion would, without storing anything",
    "understand": "what the rules understand of a message, without a model",
}


class CommandError(Exception):
    """A command cannot do what was asked; the message says why and what would work."""


def main(argv: Sequence[str] | None = None) -> int:
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
    options = parser.parse_args(arguments)
    if module is None:
        parser.error(f"put the command first: shopping-agent {options.command} ...")
    try:
        return int(module.run(options) or 0)
    except CommandError as error:
        print(f"shopping-agent: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has enough; Python's own flush at exit would complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
