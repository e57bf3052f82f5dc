"""`make speed`: CPU of the understanding of a message, and of its import, beside the import of `httpx` in the same run.

CPU time, since a turn on Lambda waits for one processor; each figure is the median of fresh processes that have their
bytecode. Messages are heard once each, in one process: those of training/heldout and tests/scenarios. Runs on CPython 3.13
where there is one (as the deployed functions do), else on the running one. Ends with 1 above a limit.
"""

import json
import os
import site
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
SHARED: Final = ROOT / "layers/shared"
RUNS: Final = 9
NAMES: Final = 20
# Milliseconds.
IMPORT_LIMIT: Final = 30.0
MESSAGE_LIMIT: Final = 2.0

# What fresh processes run; each prints CPU milliseconds as JSON.
_IMPORTS: Final = {
    "understanding and classifier": "shopping_agent.domain.understanding",
    "httpx": "httpx",
    "its own share of the standard library": "collections, dataclasses, decimal, json, re, typing",
}
_IMPORT: Final = """
import os, time
start = time.process_time()
import {modules}
print((time.process_time() - start) * 1000)
"""
_WEIGHTS: Final = """
import time
from shopping_agent.domain.understanding.classifier import trained
start = time.process_time()
trained()
print((time.process_time() - start) * 1000)
"""
_MESSAGES: Final = """
import json, sys, time
from shopping_agent.domain.understanding import understand
from shopping_agent.domain.vocabulary import Vocabulary
given = json.load(sys.stdin)
vocabulary = Vocabulary.from_document(given["vocabulary"])
spent = []
for message in given["messages"]:
    start = time.process_time()
    understand(message, vocabulary=vocabulary, currency=given["currency"], names=given["names"])
    spent.append((time.process_time() - start) * 1000)
print(json.dumps(spent))
"""


def main() -> int:
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as bytecode:
        over = _measured(interpreter(), bytecode)
    print(f"{time.monotonic() - started:.0f} s")
    for line in over:
        print(f"ABOVE: {line}")
    return 1 if over else 0


def _measured(python: str, bytecode: str) -> list[str]:
    """Prints the figures; what is above its limit, in words."""

    def run(code: str, sent: Mapping[str, Any] | None = None) -> Any:
        return run_fresh(python, bytecode, code, sent)

    version = run("import sys; print('.'.join(map(str, sys.version_info[:3])))", None)
    print(f"CPython {version}, CPU milliseconds, median of {RUNS} fresh processes [lowest-highest]")
    # Taken in turns: what else the machine does weighs on all of them alike.
    rounds = [
        {name: run(_IMPORT.format(modules=modules)) for name, modules in _IMPORTS.items()}
        for _ in range(RUNS + 1)
    ][1:]  # the first one writes the bytecode
    imports = {name: [one[name] for one in rounds] for name in _IMPORTS}
    for name, spent in imports.items():
        print(f"  import of {name}: {_median(spent)}")
    ours, yardstick = (
        statistics.median(imports[n]) for n in ("understanding and classifier", "httpx")
    )
    print(f"  ratio to httpx: {ours / yardstick:.2f}")
    print(f"  weights: {_median([run(_WEIGHTS) for _ in range(RUNS)])}")
    over = [f"import: {ours:.1f} of {IMPORT_LIMIT:.0f} ms"] if ours > IMPORT_LIMIT else []
    heard = given()
    print(f"A message, CPU milliseconds, over {len(heard['messages'])} of them, each heard once")
    for names in ([], heard["names"]):
        first, *spent = run(_MESSAGES, {**heard, "names": names})
        median, high = statistics.median(spent), statistics.quantiles(spent, n=20)[-1]
        row = f"with {len(names)} product names"
        print(
            f"  {row}: median {median:.2f}, p95 {high:.2f}, highest {max(spent):.1f}, the first one {first:.1f}"
        )
        if high > MESSAGE_LIMIT:
            over.append(f"message {row}: p95 {high:.2f} of {MESSAGE_LIMIT:.0f} ms")
    return over


def run_fresh(python: str, bytecode: str, code: str, sent: Mapping[str, Any] | None) -> Any:
    variables = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    # The packages of the running interpreter: httpx and what it needs are pure Python.
    variables["PYTHONPATH"] = os.pathsep.join([str(SHARED), *site.getsitepackages()])
    variables["PYTHONPYCACHEPREFIX"] = bytecode
    # -S: a site-packages may load modules of its own at every start.
    done = subprocess.run(
        [python, "-S", "-c", code],
        input=json.dumps(sent or {}),
        env=variables,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    try:
        return json.loads(done.stdout)
    except ValueError:
        return done.stdout.strip()


def interpreter() -> str:
    found = subprocess.run(
        [ROOT / "scripts/python313"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or sys.executable


def _median(spent: list[float]) -> str:
    return f"{statistics.median(spent):.1f} [{min(spent):.1f}-{max(spent):.1f}]"


def given() -> dict[str, Any]:
    """Messages, the default store's vocabulary and currency, and names from all over the demo catalog."""
    pack = SHARED / "shopping_agent/store_pack"
    messages = [
        line["text"]
        for file in sorted((ROOT / "training/heldout").glob("*.jsonl"))
        for line in lines(file)
    ]
    messages += [
        turn["say"]
        for file in sorted((ROOT / "tests/scenarios").glob("*.jsonl"))
        for line in lines(file)
        for turn in line["turns"]
        if "say" in turn
    ]
    names = [line["name"] for line in lines(ROOT / "demo/catalog.jsonl")]
    return {
        "vocabulary": json.loads((pack / "vocabulary.json").read_text("utf-8")),
        "currency": json.loads((pack / "store.json").read_text("utf-8"))["currency"],
        "messages": messages,
        "names": names[:: max(1, len(names) // NAMES)][:NAMES],
    }


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    sys.exit(main())
