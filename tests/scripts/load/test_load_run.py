"""`make load`, a short one: the real stack with the fake model, and what makes a run fail."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from shopping_agent.adapters.redis.keys import FAMILIES

from functions.local.children import ROOT
from scripts.load import __main__ as load
from scripts.load.closed_loop import Outcome
from scripts.load.report import summary, table
from scripts.load.scenario import Findings, Scenario
from scripts.load.shopper import TURNS, Sample
from scripts.load.stack import Process, Redis, measure

NAMES = ("chat-1", "chat-2", "store-1", "gateway")


def look(memory_kb: float = 70_000.0, **pids: int) -> Mapping[str, Process]:
    return {n: Process(pids.get(n.replace("-", "_"), 7), memory_kb, 1.0) for n in NAMES}


def findings(
    *looks: tuple[int, Mapping[str, Process]], errors: list[str] | None = None
) -> Findings:
    samples = [Sample("flagship", 0.1), Sample("cart", 0.01)]
    return Findings(
        scenario=Scenario(name="offline", clients=1, turns=1, seconds=1, warm_up=1),
        outcome=Outcome(samples=samples, errors=errors or [], seconds=2.0, carts=1),
        looks=looks,
        redis=(Redis(1000, 10), Redis(2000, 20)),
        log_bytes={"chat": 10, "store": 0},
    )


def test_a_run_without_errors_passes_and_is_told_whole():
    told = summary(findings((0, look()), (1, look())))
    assert told["faults"] == []
    assert (told["turns"], told["turns_per_second"], told["turns_per_second_per_worker"]) == (
        1,
        0.5,
        0.25,
    )
    assert told["latency_ms"]["flagship"] == {"count": 1, "p50": 100.0, "p95": 100.0, "p99": 100.0}
    lines = "\n".join(table(told))
    for part in ("flagship", "chat-1", "store-1", "10 -> 20 keys"):
        assert part in lines


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        (
            findings((0, look()), (1, look()), errors=["order (fr): the cart is {}"]),
            "the cart is {}",
        ),
        (findings((0, look()), (1, look(chat_2=8))), "chat-2: ended during the run"),
        (findings((0, look()), (5000, look()), (9000, look(90_000))), "memory grew by 28.6%"),
    ],
)
def test_an_error_a_lost_worker_and_growing_memory_each_fail_the_run(
    monkeypatch, capsys, found, fault
):
    monkeypatch.setattr(load, "run", lambda scenario, say: found)
    assert load.main(["--only", "offline", "--turns", "1"]) == 1
    assert fault in capsys.readouterr().out


def test_a_run_of_no_turns_fails(monkeypatch):
    empty = findings((0, look()), (0, look()))
    empty.outcome.samples.clear()
    monkeypatch.setattr(load, "run", lambda scenario, say: empty)
    assert load.main(["--only", "offline"]) == 1


def test_a_process_is_measured_and_a_gone_one_is_none():
    held = measure(os.getpid())
    assert held is not None
    assert held.memory_kb > 10_000
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    assert measure(process.pid) is None


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_short_run_on_a_stack_of_its_own_has_no_error_and_counts_what_turns_ask_of_others(
    tmp_path: Path,
):
    file = tmp_path / "load.json"
    command = [sys.executable, "-m", "scripts.load", "--only", "delayed", "--delayed-turns", "60"]
    command += ["--delay-ms", "5", "--embeddings", "none", "--clients", "3", "--json", str(file)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    [told] = json.loads(file.read_text())["scenarios"]
    assert told["faults"] == []
    assert told["turns"] >= 60
    assert told["errors"] == 0
    assert told["visits"] > 0
    bills: dict[str, dict[str, Any]] = told["bills"]
    assert set(TURNS) <= set(bills)
    assert bills["flagship"]["model_calls"] >= 2 > bills["knowledge"]["model_calls"] >= 1
    for kind in TURNS:
        assert bills[kind]["input_tokens"] > bills[kind]["prefix_tokens"] > 0
        assert 0 < bills[kind]["redis_requests"] <= bills[kind]["redis_commands"]
    assert set(told["redis"]["families"]) <= {family.name for family in FAMILIES}
    assert {"cart", "conversation", "journal"} <= set(told["redis"]["families"])
