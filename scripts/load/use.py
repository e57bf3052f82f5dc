"""What a turn uses, from measured figures and stated assumptions: durations by our processor time, round trips and the model's."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from shopping_agent.domain.conversation import TokenUsage

from functions.local.children import ROOT
from scripts.load.shopper import STORE, TURNS

FULL_PROCESSOR_MB: Final = 1769
"""Memory at which AWS gives a function one whole vCPU; below it the share is in proportion."""
MODEL_SECONDS: Final = 1.0
REDIS_SECONDS: Final = 0.003
INDEX_SECONDS: Final = 0.010
"""Assumed: a call of the model; a round trip of Redis and of the index in the functions' region, the search included."""
POLLS: Final = (0.35, 1.35, 1.6)
"""The widget's first pause before it asks for steps, by what a pause grows, and the longest (`functions/store/widget/progress.js`)."""


@dataclass(frozen=True)
class Use:
    """What one turn uses on the average of the mix, its share of the store's requests included.

    Attributes:
        chat_seconds, store_seconds: durations of one invocation.
        reads: requests to the store function for each turn, polls of the widget included.
        redis_bytes: of bodies, both ways.
    """

    calls: float
    tokens: TokenUsage
    chat_seconds: float
    store_seconds: float
    reads: float
    redis_trips: float
    redis_commands: float
    redis_bytes: float
    index_trips: float
    index_bytes: float
    log_bytes: float
    visits: float


def use_of(measured: Mapping[str, Any], memory: Mapping[str, int]) -> Use:
    """From docs/capacity.json and the functions' megabytes."""
    turn = Mean(measured, TURNS)
    page = Mean(measured, STORE)
    poll: Mapping[str, float] = measured["bills"]["steps"]
    chat = _duration(
        measured["cpu_ms"]["chat"], memory["chat"], turn("redis_requests"), turn("qdrant_requests")
    )
    chat += turn("model_calls") * MODEL_SECONDS
    polls = polls_within(chat)
    reads = page.total + polls
    by_read = (page("redis_requests") + polls * poll["redis_requests"]) / reads
    by_search = page("qdrant_requests") / reads
    store = _duration(measured["cpu_ms"]["store"], memory["store"], by_read, by_search)

    def both(figure: str) -> float:
        return turn(figure) + page(figure) + polls * poll.get(figure, 0.0)

    return Use(
        calls=turn("model_calls"),
        tokens=TokenUsage(
            calls=round(1000 * turn("model_calls")),
            input_tokens=round(1000 * turn("input_tokens")),
            output_tokens=round(1000 * turn("output_tokens")),
            cached_tokens=round(1000 * turn("prefix_tokens")),
        ),
        chat_seconds=chat,
        store_seconds=store,
        reads=reads,
        redis_trips=both("redis_requests"),
        redis_commands=both("redis_commands"),
        redis_bytes=both("redis_bytesIn") + both("redis_bytesOut"),
        index_trips=both("qdrant_requests"),
        index_bytes=both("qdrant_bytesOut"),
        log_bytes=measured["log_bytes_per_turn"],
        visits=measured["visits_per_turn"],
    )


class Mean:
    """A figure of the bills for one turn: by how often each kind of request comes in a turn."""

    def __init__(self, measured: Mapping[str, Any], kinds: Sequence[str]) -> None:
        self._bills: Mapping[str, Mapping[str, float]] = measured["bills"]
        self._shares = {kind: float(measured["per_turn"].get(kind, 0.0)) for kind in kinds}

    @property
    def total(self) -> float:
        return sum(self._shares.values())

    def __call__(self, figure: str) -> float:
        return sum(
            share * self._bills[kind].get(figure, 0.0)
            for kind, share in self._shares.items()
            if share
        )


def _duration(cpu_ms: float, megabytes: int, redis: float, index: float) -> float:
    """Seconds of an invocation without its model: processor time at its share of a vCPU, and round trips."""
    share = min(1.0, megabytes / FULL_PROCESSOR_MB)
    return cpu_ms / 1000 / share + redis * REDIS_SECONDS + index * INDEX_SECONDS


def polls_within(seconds: float) -> int:
    """How often the widget asks what a turn of this length is doing."""
    pause, growth, longest = POLLS
    asked, at = 0, pause
    while at < seconds:
        asked += 1
        pause = min(pause * growth, longest)
        at += pause
    return asked


def memories() -> dict[str, int]:
    """Megabytes of the functions, from the template."""
    template = (ROOT / "template.yaml").read_text(encoding="utf-8")
    found: dict[str, int] = {}
    for name in ("chat", "store"):
        block = template.split(f"\n  {name.capitalize()}Function:\n")[1]
        size = re.search(r"^ {6}MemorySize: (\d+)$", block, re.MULTILINE)
        if size is None:
            raise ValueError(f"the template gives {name} no memory")
        found[name] = int(size[1])
    return found


def taken(told: Mapping[str, Any], on: str) -> dict[str, Any]:
    """What the computation needs of the figures of `make load JSON=file`."""
    runs = {run["scenario"]: run for run in told["scenarios"]}
    offline, delayed = runs["offline"], runs["delayed"]
    counts = {kind: held["count"] for kind, held in offline["latency_ms"].items()}
    turns = offline["turns"]
    # Keys of the warm-up are there too.
    all_turns = turns + offline["warm_up_turns"]
    return {
        "at": told["at"],
        "on": on,
        "per_turn": {k: round(counts[k] / turns, 4) for k in (*TURNS, *STORE) if k in counts},
        "visits_per_turn": round(offline["visits"] / turns, 4),
        "cpu_ms": {name: delayed["cpu_ms"][f"{name}, a request"] for name in ("chat", "store")},
        "log_bytes_per_turn": round(sum(delayed["log_bytes"].values()) / delayed["turns"], 1),
        "bills": delayed["bills"],
        "keys": {
            name: {"per_turn": round(held["count"] / all_turns, 4), "bytes": held["bytes"]}
            for name, held in offline["redis"]["families"].items()
        },
    }
