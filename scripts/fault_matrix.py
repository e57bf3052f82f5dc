"""Every fault at every provider at every call of the flagship turn, through the real handler, Redis bridge and index.

    make faults                       the whole table
    .venv/bin/python scripts/fault_matrix.py http429 hang      some rows of it

A row is a fault; a column is a provider and the call (of three: search, add, confirm) that it happens to. `once` is at
that call alone, `on` from that call to the end of the turn; the last columns fail over to another provider, the others to
the offline planner. A cell says how the turn ended, what the cart holds and the seconds: A answered, C clarify, D
deadline, P provider_unavailable, R refused, S step_limit. Where a machine is so busy that a turn ended before its planned
fault, it is run again with a longer budget; `~` marks one that did not meet it at any. The exit code is 1 when a turn broke a promise (`!`): it ends within
its budget; one of the right product is in the cart or nothing, as the answer says; sent again, it changes nothing.
"""

import json
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, get_args
from unittest.mock import patch
from uuid import uuid4

from shopping_agent import bootstrap
from shopping_agent.settings import Settings

from evaluation.client import ChatAnswer, ChatClient
from evaluation.shop import shop
from functions.local.fake_provider import FakeProvider, fake_provider
from functions.local.fake_provider.faults import FAULTS, Asked, rate_limited
from functions.local.fake_provider.script import Dialect
from tests.pitfalls.turns import FLAGSHIP, MODELS, PROVIDERS, assert_honest, product_named

ROOT: Final = Path(__file__).resolve().parents[1]
Mode = Literal["once", "on"]
Column = tuple[Dialect, int, Dialect | None]
BUDGET_SECONDS: Final = 6.0
# A machine under load: an earlier call of the turn may time out before the planned one is made.
LONGER_SECONDS: Final = (6.0, 12.0, 24.0)
POSITIONS: Final = (1, 2, 3)
WORKERS: Final = 10
# Far more than a turn takes: what makes more calls than this does not end by itself.
MOST_REQUESTS: Final = 16
ROWS: Final = {
    **{name: FAULTS[name] for name in sorted(FAULTS) if name not in ("ok", "stale", "bad_request")},
    "http429ra1": rate_limited(1),
    "http429ra20": rate_limited(20),
    "stale": FAULTS["stale"],
    "bad_request": FAULTS["bad_request"],
    "ok": FAULTS["ok"],
}
NEXT: Final[dict[Dialect, Dialect]] = {
    "gemini": "groq",
    "groq": "xai",
    "xai": "openai",
    "openai": "gemini",
}


@dataclass(frozen=True)
class Cell:
    """One turn of the matrix.

    Attributes:
        fallback: another provider that comes before the offline planner.
    """

    fault: str
    mode: Mode
    provider: Dialect
    position: int
    fallback: Dialect | None = None


@dataclass(frozen=True)
class Outcome:
    """How a turn ended.

    Attributes:
        broken: which promise it broke; "" when none.
        met: the planned fault happened.
        budget: of the turn, in seconds.
    """

    cell: Cell
    finish: str
    in_cart: int
    seconds: float
    requests: int
    broken: str = ""
    met: bool = True
    budget: float = BUDGET_SECONDS

    @property
    def text(self) -> str:
        mark = "!" if self.broken else " " if self.met else "~"
        return f"{self.finish[:1].upper() or '?'}{self.in_cart} {self.seconds:3.1f}{mark}"


def cells(faults: Sequence[str]) -> Iterator[Cell]:
    """All turns of these rows."""
    for fault in faults:
        for mode in get_args(Mode):
            for provider in PROVIDERS:
                for position in POSITIONS:
                    yield Cell(fault, mode, provider, position)
                yield Cell(fault, mode, provider, 2, NEXT[provider])


def run_cell(cell: Cell, variables: dict[str, str], fake: FakeProvider, best: str) -> Outcome:
    """One turn in which the planned fault happened, or one that kept no promise; the last where none did either."""
    outcome = _run_once(cell, variables, fake, best, LONGER_SECONDS[0])
    for budget in LONGER_SECONDS[1:]:
        if outcome.met or outcome.broken:
            break
        outcome = _run_once(cell, variables, fake, best, budget)
    return outcome


def _run_once(
    cell: Cell, variables: dict[str, str], fake: FakeProvider, best: str, budget: float
) -> Outcome:
    """One turn, and the same turn sent again."""
    fake.reset()
    fault = ROWS[cell.fault](Asked(cell.provider, MODELS[cell.provider]))
    last = cell.position if cell.mode == "once" else MOST_REQUESTS
    for number in range(cell.position, last + 1):
        fake.on(number, fault, cell.provider)
    settings = Settings.from_mapping(_settings(cell, variables, fake, budget))
    with patch.object(bootstrap, "settings", lambda: settings):
        client = ChatClient(_unchecked)
        client("hello")
        body = json.dumps({"message": FLAGSHIP, "turnId": uuid4().hex})
        started = time.monotonic()
        answer = client.send(body)
        seconds = time.monotonic() - started
        again = client.send(body)
    if answer.status != 200:
        return Outcome(cell, "?", 0, seconds, len(fake.requests), f"status {answer.status}")
    broken = _broken(answer, again, best, seconds, budget, fake)
    in_cart = sum(answer.cart.values())
    met = sum(r.dialect == cell.provider for r in fake.requests) >= cell.position
    finish, requests = answer.json["finish"], len(fake.requests)
    return Outcome(cell, finish, in_cart, seconds, requests, broken, met, budget)


def _unchecked(method: str, path: str, answer: dict[str, Any]) -> None:
    """A reply that is not held to the OpenAPI document: other tests do that."""
    del method, path, answer


def _settings(
    cell: Cell, variables: dict[str, str], fake: FakeProvider, budget: float
) -> dict[str, str]:
    found = {
        **variables,
        "LLM_PROVIDER": cell.provider,
        "LLM_FALLBACKS": ",".join(filter(None, (cell.fallback, "offline"))),
        "REQUEST_BUDGET_SECONDS": str(budget),
        "CIRCUIT_BREAKER": "off",
    }
    for name, model in MODELS.items():
        found[f"{name.upper()}_API_KEY"] = "a-key"
        found[f"{name.upper()}_MODEL"] = model
        found[f"{name.upper()}_BASE_URL"] = fake.base_url(name, "searches")
    return found


def _broken(
    answer: ChatAnswer,
    again: ChatAnswer,
    best: str,
    seconds: float,
    budget: float,
    fake: FakeProvider,
) -> str:
    """The promise that a turn broke."""
    try:
        assert_honest(answer, best)
        if answer.cart:
            assert product_named(answer), f"the add is not told: {answer.json['answer']}"
        assert seconds < budget, f"{seconds:.1f} s"
        assert len(fake.requests) <= MOST_REQUESTS, f"{len(fake.requests)} requests"
        assert again.status == 200, f"sent again: status {again.status}"
        assert again.cart == answer.cart, f"sent again: {again.cart}"
        refused = [r.refused for r in fake.requests if r.refused]
        assert not refused, f"refused by the provider: {refused[0]}"
    except AssertionError as error:
        return " ".join(str(error).split())[:300] or "an answer without honesty"
    return ""


# --- in worker processes, each with a provider of its own ------------------------------------------


_open = ExitStack()


@cache
def _provider() -> FakeProvider:
    """A provider of this process, for as long as it lives."""
    return _open.enter_context(fake_provider())


def _work(given: tuple[Cell, dict[str, str], str]) -> Outcome:
    cell, variables, best = given
    _warm(variables, best)
    return run_cell(cell, variables, _provider(), best)


def _best(variables: dict[str, str]) -> str:
    """The product that the flagship message means, as our own planner finds it."""
    settings = Settings.from_mapping({**variables, "LLM_PROVIDER": "offline"})
    with patch.object(bootstrap, "settings", lambda: settings):
        answer = ChatClient(_unchecked)(FLAGSHIP)
    if answer.status != 200 or len(answer.cart) != 1:
        raise RuntimeError(
            f"the shop does not answer by itself: {answer.status} {answer.text[:400]}"
        )
    return next(iter(answer.cart))


@cache
def _warmed() -> set[Dialect]:
    return set()


def _warm(variables: dict[str, str], best: str) -> None:
    """One turn of each provider: no turn of the table pays for ten processes that load SDKs at once."""
    for provider in PROVIDERS:
        if provider not in _warmed():
            _warmed().add(provider)
            run_cell(Cell("ok", "once", provider, 1), variables, _provider(), best)


def _quietly() -> None:
    """Logs and metrics of the turns are not the table."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(faults: Sequence[str], data: Path) -> list[Outcome]:
    """All turns of these rows, several at a time: most of the time of a hang is waiting."""
    files = {"catalog/catalog.jsonl": ROOT / "demo/catalog.jsonl"}
    files |= {f"guides/{f.name}": f for f in sorted((ROOT / "demo/guides").glob("*.md"))}
    with shop(data, files) as variables:
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(WORKERS, mp_context=spawn, initializer=_quietly) as pool:
            best = pool.submit(_best, variables).result()
            return list(pool.map(_work, [(cell, variables, best) for cell in cells(faults)]))


# --- the table ----------------------------------------------------------------------------------


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Lines of the table."""
    found = {o.cell: o for o in outcomes}
    alone: list[Column] = [(p, n, None) for p in PROVIDERS for n in POSITIONS]
    with_next: list[Column] = [(p, 2, NEXT[p]) for p in PROVIDERS]
    columns = [*alone, *with_next]
    heads = [f"{p}>{f}" if f else f"{p} {n}" for p, n, f in columns]
    yield f"{'fault':26}" + "".join(f"{head[:12]:13}" for head in heads)
    rows: list[tuple[str, Mode]] = [(o.cell.fault, o.cell.mode) for o in outcomes]
    for fault, mode in dict.fromkeys(rows):
        row = [found[Cell(fault, mode, p, n, f)].text for p, n, f in columns]
        yield f"{fault + ' ' + mode:26}" + "".join(f"{text:13}" for text in row)


def summary(outcomes: Sequence[Outcome], seconds: float) -> str:
    """What all turns came to, in one line."""
    broken = sum(bool(o.broken) for o in outcomes)
    finishes = {
        f: sum(o.finish == f for o in outcomes) for f in sorted({o.finish for o in outcomes})
    }
    ended = ", ".join(f"{count} {finish}" for finish, count in finishes.items())
    added = sum(o.in_cart == 1 for o in outcomes)
    twice = sum(o.in_cart > 1 for o in outcomes)
    longest = max(outcomes, key=lambda o: o.seconds)
    unmet = sum(not o.met for o in outcomes)
    return (
        f"{len(outcomes)} turns, {len({o.cell.fault for o in outcomes})} faults: {broken} broken promises; "
        f"{added} added the right product, {twice} added twice; {ended}; {unmet} did not meet their fault; "
        f"longest {longest.seconds:.1f} s of {longest.budget:.0f} s; {seconds:.0f} s in all"
    )


def main(arguments: Sequence[str]) -> int:
    unknown = [name for name in arguments if name not in ROWS]
    if unknown:
        print(f"no such fault: {', '.join(unknown)}; there are: {' '.join(ROWS)}", file=sys.stderr)
        return 2
    # What runs under it is ended too when somebody ends this.
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(1))
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as data:
        outcomes = run(arguments or list(ROWS), Path(data))
    print("\n".join(table(outcomes)))
    for outcome in outcomes:
        if outcome.broken:
            print(f"! {outcome.cell}: {outcome.broken}")
    print(summary(outcomes, time.monotonic() - started))
    return int(any(o.broken for o in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
