"""A turn of ours as the fake LLM saw it: the prompt, tools and results that a plain loop gets for comparison."""

import json
import subprocess
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evaluation.artifacts import python313

USER = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
SECONDS = 60.0


@contextmanager
def fake_llm(kit: Path) -> Generator[str]:
    """The address of the kit's scripted LLM."""
    process = subprocess.Popen(
        [python313(), kit / "fake_llm.py"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    with process, process.stdout:
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.terminate()


def plain_turn(kit: Path, command: str) -> dict[str, Any]:
    """What the plain loop needs: `model`, `system`, `tools`, and `results` by tool.

    Raises:
        RuntimeError: the turn did not end with an answer, with what it printed.
    """
    added = _bodies(kit, command, "ok")
    searched = _bodies(kit, command, "loop")
    first = added[0]
    return {
        "model": first["model"],
        "system": first["messages"][0]["content"],
        "tools": first["tools"],
        "results": {
            "add_to_cart": _first_result(added),
            "search_products": _first_result(searched),
        },
    }


def _bodies(kit: Path, command: str, mode: str) -> list[dict[str, Any]]:
    """The requests of one turn."""
    with fake_llm(kit) as url:
        base = f"{url}/{mode}"
        variables = {"LLM_BASE_URL": base, "OPENAI_BASE_URL": f"{base}/v1", "OPENAI_API_KEY": "x"}
        variables |= {
            "BENCH_USER": USER,
            "BENCH_REQUESTS": "1",
            "BENCH_CATALOG": str(kit / "catalog.json"),
        }
        done = subprocess.run(
            command,
            shell=True,
            env=variables,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        with urllib.request.urlopen(f"{url}/_stats", timeout=SECONDS) as reply:
            seen = json.load(reply)
    lines = [line for line in done.stdout.splitlines() if line.startswith("@BENCH ")]
    if not lines or not json.loads(lines[0].removeprefix("@BENCH "))["answer"]:
        raise RuntimeError(f"our turn gave no answer:\n{done.stdout}\n{done.stderr}")
    return [json.loads(body) for body in seen["bodies"]]


def _first_result(bodies: list[dict[str, Any]]) -> str:
    """The first tool result that was sent back."""
    results = [m for body in bodies for m in body["messages"] if m["role"] == "tool"]
    if not results:
        raise RuntimeError("the recorded turn ran no tool")
    return results[0]["content"]
