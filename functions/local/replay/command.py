"""The command: finds the recording, runs the turn again on a private copy of the shop's facts, prints what differs.

Ends with 0 when nothing does, with 1 when something does or it cannot be run. The shop is read, never written: carts,
conversations and hand-offs of the re-run are in a Redis of its own, and no language model is asked.
"""

import argparse
import io
import json
import logging
import os
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import Any

from shopping_agent import bootstrap
from shopping_agent.adapters.llm.scripted import ScriptedModel
from shopping_agent.adapters.redis.recordings import RedisRecordings
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import ShoppingAgentError
from shopping_agent.observability import logger
from shopping_agent.settings import Settings

from functions.local.ask import data_folder
from functions.local.children import ChildFailedError
from functions.local.cli import CommandError, shown
from functions.local.data_folder import StackError
from functions.local.doctor.subject import of_deployment, of_local_stack
from functions.local.replay.differences import Difference, differences
from functions.local.replay.private_shop import SHOPPER, private_shop, restore
from functions.local.replay.recorded import RecordedTurn, find

TURN_SECONDS = 60.0
READ_SECONDS = 10.0
LONGEST_SHOWN = 600
_LIKE_AN_OPTION = re.compile(r"-[\w-]{15}", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "turn", metavar="TURN_ID", help="the reply's turnId, or `turn` of a log line"
    )
    parser.add_argument(
        "--settings",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a deployment's settings as JSON (as for doctor); default: UPSTASH_REDIS_REST_URL and the others "
        "of the environment, else the local stack's",
    )
    parser.add_argument("--anyway", action="store_true", help="also when another version recorded")
    parser.add_argument("--json", action="store_true", help="print the differences as JSON")


def prepared(arguments: Sequence[str]) -> list[str]:
    """The arguments with a turn's id last, behind `--`: one in 64 of ours begins like an option."""
    if "--" in arguments:
        return list(arguments)
    ids = [word for word in arguments if _LIKE_AN_OPTION.fullmatch(word)]
    others = [word for word in arguments if word not in ids]
    return [*others, "--", *ids] if ids else others


def run(options: argparse.Namespace) -> int:
    settings = _settings(options)
    turn = find(settings, options.turn, anyway=options.anyway)
    try:
        with private_shop(settings) as private, _unlogged():
            notes = [*turn.notes, *restore(private, turn)]
            now = run_again(private, turn)
    except ShoppingAgentError as error:
        raise CommandError(f"the turn cannot be run again: {error}") from error
    except ChildFailedError as error:
        raise CommandError(f"the private Redis does not start: {error}") from error
    found = differences(turn.document, now)
    if options.json:
        document = {
            "turn": turn.turn_id,
            "message": turn.message,
            "same": not found,
            "differences": [asdict(one) for one in found],
            "notes": notes,
        }
        print(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        _show(turn, found, notes)
    return 1 if found else 0


def run_again(settings: Settings, turn: RecordedTurn) -> JsonObject:
    """The recording of the re-run in a private shop."""
    model = ScriptedModel(turn.script, name=str(turn.document["model"]) or "recorded")
    bootstrap.assistant(settings, model).reply(
        turn.message,
        shopper=SHOPPER,
        turn_id=turn.turn_id,
        locale=turn.locale,
        page_product_id=turn.page,
        deadline=Deadline.after(TURN_SECONDS),
    )
    recordings = RedisRecordings(connection=bootstrap.redis(settings))
    found = recordings.find(turn.turn_id, Deadline.after(READ_SECONDS))
    if found is None:
        raise CommandError("the re-run could not be recorded")
    return found


@contextmanager
def _unlogged() -> Generator[None]:
    """Without the functions' log and metrics, which go where our answer goes."""
    level = logger.log_level
    logger.setLevel(logging.CRITICAL)
    try:
        with redirect_stdout(io.StringIO()):
            yield
    finally:
        logger.setLevel(level)


def _settings(options: argparse.Namespace) -> Settings:
    common: dict[str, Any] = {"seconds": READ_SECONDS, "paid": False, "origin": ""}
    if options.settings or os.environ.get("UPSTASH_REDIS_REST_URL"):
        subject = of_deployment(base_url="", bucket="", files=options.settings, **common)
    else:
        try:
            subject = of_local_stack(data_folder(), **common)
        except StackError as error:
            raise CommandError(f"{error}, or name a deployment's: --settings FILE") from error
    if subject.wrong:
        raise CommandError(subject.wrong)
    lacking = [n for n in ("UPSTASH_REDIS_REST_URL", "QDRANT_URL") if not subject.given.get(n)]
    if lacking:
        raise CommandError(f"a re-run needs {' and '.join(lacking)}")
    return subject.settings


def _show(turn: RecordedTurn, found: Sequence[Difference], notes: Sequence[str]) -> None:
    print(f"turn {shown(turn.turn_id)}: {shown(turn.message)}")
    for note in notes:
        print(f"note: {shown(note)}")
    for one in found:
        print(f"\n{shown(one.what)}\n  - {_short(one.recorded)}\n  + {_short(one.now)}")
    print(f"\n{len(found)} differences" if found else "the same answer, actions and verdicts")


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    lines = shown(text).replace("\n", "\n    ")
    return lines if len(lines) <= LONGEST_SHOWN else f"{lines[:LONGEST_SHOWN]}… (--json has all)"
