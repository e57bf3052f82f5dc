"""`make eval`: conversations, write gates, understanding and truth, measured without a key; `make eval PROVIDER=groq` with a real model.

Prints one table, writes build/eval.json, and ends with 1 when something is below `evaluation/thresholds.json`, naming it.
With PROVIDER, the conversations are played by that provider alone (its key from the environment, as the chat function
takes it), and their cost is told; the other parts involve no model of a provider.
"""

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO, get_args

from shopping_agent import bootstrap
from shopping_agent.errors import ConfigurationError
from shopping_agent.settings import Provider, Settings

from evaluation.client import ROOT
from evaluation.gates import gate_score
from evaluation.intervals import Metric
from evaluation.report import as_json, fallen, kinds_table, table, thresholds
from evaluation.scenario_score import Spent, scenario_score
from evaluation.staging import demo_shop, handlers_with
from evaluation.truth import stage
from evaluation.truth_score import truth_score
from evaluation.understanding import understanding_metrics

PARTS = ("scenarios", "gates", "understanding", "truth")
Say = Callable[[str], None]


@dataclass
class Measured:
    """All that a run found.

    Attributes:
        details: for the JSON file: single faults, kinds, cost.
        notes: lines to print below the table.
    """

    metrics: list[Metric] = field(default_factory=list[Metric])
    details: dict[str, Any] = field(default_factory=dict[str, Any])
    notes: list[str] = field(default_factory=list[str])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make eval", description=__doc__)
    parser.add_argument("--only", default="", help=f"some of {','.join(PARTS)}")
    parser.add_argument("--provider", default="offline", choices=get_args(Provider))
    parser.add_argument("--json", type=Path, default=ROOT / "build/eval.json", metavar="FILE")
    options = parser.parse_args(arguments)
    everything = PARTS if options.provider == "offline" else ("scenarios",)
    parts = options.only.split(",") if options.only else everything
    if unknown := set(parts) - set(PARTS):
        parser.error(f"--only: {', '.join(sorted(unknown))} is none of {', '.join(PARTS)}")
    own = provider_variables(options.provider)
    try:
        bootstrap.check_models(Settings.from_mapping(own))
    except ConfigurationError as error:
        print(f"eval: {error}", file=sys.stderr)
        return 2
    options.json.parent.mkdir(parents=True, exist_ok=True)
    with _logged(options.json.with_suffix(".log")) as output:
        return evaluate(
            parts,
            options.provider,
            own,
            options.json,
            lambda line: print(line, file=output, flush=True),
        )


def evaluate(parts: Sequence[str], provider: str, own: dict[str, str], file: Path, say: Say) -> int:
    """Measure the parts, say and write what was found; the exit code."""
    measured = Measured()
    started = time.monotonic()
    if "understanding" in parts:
        found, skipped = understanding_metrics()
        measured.metrics += found
        measured.notes += [f"skipped {reason}" for reason in skipped]
    if {"scenarios", "gates", "truth"} & set(parts):
        with demo_shop(EMBEDDING_PROVIDER="none", **own) as settings:
            if "scenarios" in parts:
                _scenarios(measured, settings)
            if "gates" in parts:
                _gates(measured, settings)
            if "truth" in parts:
                _truth(measured, settings)
    rules = thresholds("always", "offline" if provider == "offline" else "provider")
    below = list(fallen(measured.metrics, rules))
    say(table(measured.metrics, rules))
    for note in measured.notes:
        say(note)
    kept = {
        "provider": provider,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "below": below,
    }
    file.write_text(as_json(measured.metrics, **kept, **measured.details), encoding="utf-8")
    say(f"{time.monotonic() - started:.0f} s; every figure and fault is in {_short(file)}")
    for line in below:
        say(f"BELOW: {line}")
    return 1 if below else 0


def provider_variables(provider: str) -> dict[str, str]:
    """What the environment says of one provider; nothing else of it reaches the shop that is measured."""
    names = [
        n.upper() for n in Settings.model_fields if n.startswith((f"{provider}_", "llm_t", "llm_m"))
    ]
    own = {name: os.environ[name] for name in (*names, "MODEL_PRICES") if os.environ.get(name)}
    # Its own faults are to be seen, not what would answer in its place.
    alone = {"LLM_FALLBACKS": "none", "CIRCUIT_BREAKER": "off"} if provider != "offline" else {}
    return {**own, "LLM_PROVIDER": provider, **alone}


def _scenarios(measured: Measured, settings: Settings) -> None:
    with handlers_with(settings):
        score = scenario_score()
    measured.metrics += score.metrics
    failing = {fault["id"] for fault in score.faults}
    known = {fault["id"] for fault in score.faults if "gap" in fault}
    measured.details |= {"scenarios": score.faults, "spent": asdict(score.spent)}
    measured.notes.append(
        f"{score.conversations} conversations, {len(failing)} with a fault ({len(known)} known)"
    )
    if settings.llm_provider != "offline":
        measured.notes.append(_cost(score.spent))


def _cost(spent: Spent) -> str:
    dollars = (
        "an unknown cost (set MODEL_PRICES)" if spent.dollars is None else f"${spent.dollars:.4f}"
    )
    return (
        f"{spent.turns} turns, {spent.calls} model calls, {spent.input_tokens} tokens in, "
        f"{spent.output_tokens} out, {dollars}"
    )


def _gates(measured: Measured, settings: Settings) -> None:
    with handlers_with(settings) as understudy:
        score = gate_score(understudy)
    measured.metrics += score.metrics()
    measured.details["gates"] = score.faults


def _truth(measured: Measured, settings: Settings) -> None:
    with stage(settings) as stand:
        score = truth_score(stand)
    measured.metrics += score.metrics
    measured.details |= {"kinds": score.kinds, "truth": score.wrong}
    measured.notes.append(kinds_table(score.kinds))


def _short(file: Path) -> Path:
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file


@contextlib.contextmanager
def _logged(log: Path) -> Generator[TextIO]:
    """The standard output for people; what the handlers log there goes into a file."""
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as output, log.open("wb") as file:
        os.dup2(file.fileno(), 1)
        try:
            yield output
        finally:
            sys.stdout.flush()
            os.dup2(output.fileno(), 1)


if __name__ == "__main__":
    sys.exit(main())
