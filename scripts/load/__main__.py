"""The local stack under load: `make load`. Ends with 1 when anything was answered wrongly or a worker's memory is not flat.

Clients in a closed loop do what shoppers do, in four languages: the flagship message, refinements, questions, changes of the
cart by talking and by the page, reads of products and carts. Every reply's cart is held against what was asked. Two runs, each
on a stack of its own: with the offline planner, and with a fake model that takes its time. Limits and the circuit
breaker are off; the warm-up is not counted.
"""

import argparse
import json
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.load.report import summary, table, tolerance
from scripts.load.scenario import Scenario, run
from scripts.load.stack import StartError

SCENARIOS = ("offline", "delayed")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    told: list[dict[str, Any]] = []
    for scenario in scenarios(options):
        print(
            f"load: {scenario.name}, {scenario.turns} turns of {scenario.clients} clients",
            flush=True,
        )
        try:
            findings = run(scenario, lambda line: print(line, flush=True))
        except StartError as error:
            print(f"load: the stack does not come up\n{error}", file=sys.stderr)
            return 1
        told.append(summary(findings))
        print("\n".join(table(told[-1])), flush=True)
    if options.json:
        figures = {"at": time.strftime("%Y-%m-%d"), "scenarios": told}
        options.json.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    print(f"\n{tolerance()}")
    return int(any(held["faults"] for held in told))


def scenarios(options: argparse.Namespace) -> list[Scenario]:
    """What was asked for. The delayed run waits for most of its time, so it is given fewer turns."""
    warm_up = max(20, min(400, options.turns // 10))
    shared = {"clients": options.clients, "seconds": options.seconds}
    offline = Scenario(
        name="offline",
        turns=options.turns,
        warm_up=warm_up,
        embeddings=options.embeddings,
        **shared,
    )
    delayed = Scenario(
        name="delayed",
        turns=options.delayed_turns or max(60, min(1000, options.turns // 10)),
        warm_up=20,
        delay_ms=options.delay_ms,
        embeddings=options.embeddings,
        rounds=options.rounds,
        **shared,
    )
    return [s for s in (offline, delayed) if s.name in options.only.split(",")]


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make load", description=__doc__)
    parser.add_argument("--clients", type=_positive, default=4)
    parser.add_argument("--turns", type=_positive, default=10_000, help="of the offline run")
    parser.add_argument("--delayed-turns", type=int, default=0, help="0: a tenth, at most 1000")
    parser.add_argument("--seconds", type=_positive, default=1200, help="of each run at most")
    parser.add_argument("--delay-ms", type=float, default=300.0)
    parser.add_argument("--embeddings", choices=("local", "none"), default="local")
    parser.add_argument("--rounds", type=int, default=1, help="of single requests that are counted")
    parser.add_argument("--only", default=",".join(SCENARIOS))
    parser.add_argument("--json", type=Path, help="file for all figures")
    options = parser.parse_args(arguments)
    if unknown := set(options.only.split(",")) - set(SCENARIOS):
        parser.error(f"no such run: {', '.join(sorted(unknown))}")
    return options


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


if __name__ == "__main__":
    # What runs under it is ended too when somebody ends this.
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(1))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
