"""Our chat function in the benchmark of agent loops: `make bench`.

The kit is not ours and not here: it is looked for in `$SHARED/bench` and in `../shared/bench`. Without it there is
nothing to compare with, which is said, and is no failure. Its peers are installed into `.tools/bench/peers`.

What is measured is the deployed handler on what is deployed, in processes that run nothing else; Redis behind its bridge and
the index run beside them, filled with the kit's catalog and the demo store's guides by our own ingestion. The exit code
is 1 when a gate fails.
"""

import argparse
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shopping_agent.settings import Settings

from evaluation.artifacts import ROOT, bare_python, python313, search_path
from evaluation.shop import ingest, shop
from tests.bench.recorded import plain_turn

HERE = Path(__file__).parent
WORK = ROOT / ".tools/bench"
FAULTS = 14
GATEWAY_SECONDS = 30
MODEL = "llama-3.3-70b-versatile"
# Rows by name; the first is the one that the gates are about.
ROWS = {
    "ours": {"LLM_PROVIDER": "openai", "OPENAI_MODEL": MODEL},
    "ours_groq": {"LLM_PROVIDER": "groq"},
    "ours_gemini": {"LLM_PROVIDER": "gemini"},
    "ours_fast": {
        "LLM_PROVIDER": "openai",
        "OPENAI_MODEL": MODEL,
        "FAST_CONFIRMATION": "true",
    },
}
WARM_GATES = (
    "ours.warm_cpu < min(peers.warm_cpu)",
    # With a vendor's SDK in the way: beside the framework that uses the same one.
    "ours_groq.warm_cpu < pydantic_ai_groq.warm_cpu",
    "ours.llm_calls <= 2",
    "ours_groq.llm_calls <= 2",
    "ours_gemini.llm_calls <= 2",
    "ours_fast.llm_calls <= 1",
    "ours.bytes <= plain_loop.bytes",
    "ours.connections <= 0.1",
    "ours.redis_trips <= 4",
)
COLD_GATES = (
    "ours.cold_cpu < min(peers.cold_cpu)",
    "ours_groq.cold_cpu < min(peers.cold_cpu)",
)
FAULT_GATES = tuple(
    gate
    for row in ROWS
    for gate in (
        f"{row}.faults_answered == {FAULTS}",
        f"{row}.worst_wait < {GATEWAY_SECONDS}",
    )
)
# Not gates: what design and README aim at.
AIMS = {"cold_cpu": 3.0, "warm_cpu": 4.0}


def find_kit() -> Path | None:
    """The folder of the benchmark kit."""
    shared = (os.environ.get("SHARED"), str(ROOT.parent / "shared"))
    kits = [Path(place) / "bench" for place in shared if place]
    return next((kit for kit in kits if (kit / "run_all.py").is_file()), None)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--peers", default="quick", help="quick, all, or names of the kit's peers")
    parser.add_argument("--phases", default="cold,warm,delay,behaviour")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--requests", type=int, default=100)
    options = parser.parse_args(arguments)
    kit = find_kit()
    if kit is None:
        print(
            "bench: skipped, the benchmark kit is not here. Put it into ../shared/bench, "
            "or set SHARED to the folder that holds bench/."
        )
        return 0
    WORK.mkdir(parents=True, exist_ok=True)
    install(kit, options.peers)
    files = {"catalog/catalog.json": kit / "catalog.json"}
    files |= {f"guides/{guide.name}": guide for guide in sorted(ROOT.glob("demo/guides/*.md"))}
    path = search_path(WORK)
    with tempfile.TemporaryDirectory() as data, shop(Path(data), files) as variables:
        described = {"REDIS_PREFIX": "described", "QDRANT_COLLECTION": "described"}
        files["catalog/catalog.json"] = described_catalog(kit, Path(data))
        ingest(Settings.from_mapping({**variables, **described}), files)
        rows = {**ROWS, "ours_fast": {**ROWS["ours_fast"], **described}}
        commands = {
            name: command({**variables, **row, "PYTHONPATH": path}) for name, row in rows.items()
        }
        recorded = Path(data, "plain.json")
        recorded.write_text(json.dumps(plain_turn(kit, commands["ours"])), encoding="utf-8")
        loop = {"BENCH_PLAIN": str(recorded), "PYTHONPATH": path}
        commands["plain_loop"] = command(loop, script="plain_loop.py")
        return run(kit, commands, options, Path(data, "figures.json"))


def described_catalog(kit: Path, folder: Path) -> Path:
    """The kit's products with family and season as fields, where the kit has them in the description only.

    A wish that no field meets has to be told by the model, so without them no order is confirmed without one.
    """
    products = json.loads((kit / "catalog.json").read_text("utf-8"))
    facets = {"families": ["fresh"], "seasons": ["summer"]}
    file = folder / "described.json"
    file.write_text(json.dumps([{**product, **facets} for product in products]), "utf-8")
    return file


def command(variables: dict[str, str], script: str = "turns.py") -> str:
    """A row's command for the kit's shell."""
    settings = [f"{name}={shlex.quote(value)}" for name, value in variables.items()]
    words = [
        "exec env",
        *settings,
        shlex.quote(str(bare_python(WORK))),
        shlex.quote(str(HERE / script)),
    ]
    return " ".join(words)


def install(kit: Path, peers: str) -> None:
    """The peers that are not there yet, or are pinned otherwise by now."""
    names = {"quick": [], "all": ["all"]}.get(peers, peers.split(","))
    pins = b"".join(file.read_bytes() for file in sorted(kit.glob("requirements/*.txt")))
    marker = WORK / "peers" / f"{peers}-{hashlib.sha256(pins).hexdigest()[:16]}"
    if marker.exists():
        return
    print(f"bench: installing the peers ({peers}) into {marker.parent}", flush=True)
    subprocess.run([kit / "install.sh", *names], env=kit_environment(), check=True)
    marker.touch()


def kit_environment() -> dict[str, str]:
    """The kit's own settings: its peers beside our tools, on the Python that ours are measured with."""
    tools = f"{ROOT / '.tools/bin'}{os.pathsep}{os.environ['PATH']}"
    own = {"BENCH_VENVS": str(WORK / "peers"), "PYTHON": python313(), "PATH": tools}
    return {**os.environ, **own}


def run(kit: Path, commands: dict[str, str], options: argparse.Namespace, figures: Path) -> int:
    """The kit's table and checks; its exit code."""
    phases = options.phases.split(",")
    gates = [g for name, gates in GATES.items() if name in phases for g in gates]
    arguments = ["--peers", options.peers, "--phases", options.phases, "--json", str(figures)]
    arguments += ["--repeats", str(options.repeats), "--requests", str(options.requests)]
    arguments += [part for row in commands.items() for part in ("--external", "=".join(row))]
    arguments += [part for gate in gates for part in ("--check", gate)]
    done = subprocess.run(
        [python313(), kit / "run_all.py", *arguments, "--strict"],
        env=kit_environment(),
        check=False,
    )
    if figures.exists():
        print("\n".join(aims(json.loads(figures.read_text()))))
    return done.returncode


GATES = {"cold": COLD_GATES, "warm": WARM_GATES, "behaviour": FAULT_GATES}


def aims(scores: dict[str, dict[str, Any]]) -> list[str]:
    """How near the first row is to what is aimed at, beyond the gates."""
    ours, floor = scores.get("ours", {}), scores.get("floor_httpx", {})
    return [
        f"aim {metric}: {ours[metric] / floor[metric]:.2f} x floor_httpx, at most {aim:g} "
        f"({'reached' if ours[metric] <= aim * floor[metric] else 'not reached'})"
        for metric, aim in AIMS.items()
        if metric in ours and metric in floor
    ]


if __name__ == "__main__":
    sys.exit(main())
