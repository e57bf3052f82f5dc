"""A local stack of its own for a run, on free ports and in a folder of its own; what its processes and its Redis use."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from shopping_agent.settings import Settings

from functions.local.children import LAUNCHER, ROOT
from functions.local.variables import LOCAL_REDIS_TOKEN

START_SECONDS: Final = 300
STOP_SECONDS: Final = 30
ANSWER_SECONDS: Final = 10
FAKE_MODEL: Final = "fake"
LIFTED: Final = {"RATE_LIMITS": "off", "CIRCUIT_BREAKER": "off", "LLM_FALLBACKS": "none"}
"""What would spare a busy shop, or hide a failure."""
MAKES_OWN: Final = ("PORT", "DATA", "CATALOG")


class StartError(Exception):
    """A process does not come up; the message is what it printed."""


@dataclass(frozen=True)
class Process:
    """What one process has used so far.

    Attributes:
        cpu_seconds: 0 where the system does not tell.
    """

    pid: int
    memory_kb: float
    cpu_seconds: float


@dataclass(frozen=True)
class Redis:
    """What the database holds and was asked."""

    memory_bytes: int
    keys: int


class LocalStack:
    """A running stack."""

    def __init__(self, data: Path, url: str) -> None:
        self.url = url
        self._file = data / "stack.json"
        self._logs = data / "logs"
        self._endpoints: Mapping[str, str] = self._facts()["endpoints"]

    def _facts(self) -> dict[str, Any]:
        return json.loads(self._file.read_text())

    def processes(self) -> dict[str, Process]:
        """By name, such as `chat-1`; those that just end or begin are left out."""
        pids = {name: int(child["pid"]) for name, child in self._facts()["children"].items()}
        measured = {name: measure(pid) for name, pid in pids.items() if pid}
        return {name: process for name, process in measured.items() if process}

    def redis(self) -> Redis:
        return Redis(
            memory_bytes=int(self._told("memory")["used_memory"]), keys=int(self.command("DBSIZE"))
        )

    def log_bytes(self, function: str) -> int:
        """What all workers of a function have logged so far."""
        return sum(log.stat().st_size for log in self._logs.glob(f"{function}-*.log"))

    def traffic(self, part: str) -> dict[str, int]:
        """What `redis` or `qdrant` was asked since it started: requests, commands, bytesIn, bytesOut."""
        return _json(urllib.request.Request(f"{self._endpoints[part]}/__traffic"))

    def _told(self, section: str) -> dict[str, str]:
        lines = str(self.command("INFO", section)).splitlines()
        pairs = (line.partition(":") for line in lines if ":" in line)
        return {name: value for name, _, value in pairs}

    def command(self, *command: str) -> Any:
        """One of Redis's, by its bridge."""
        headers = {"authorization": f"Bearer {LOCAL_REDIS_TOKEN}"}
        body = json.dumps(command).encode()
        request = urllib.request.Request(self._endpoints["redis"], body, headers)
        return _json(request)["result"]


class FakeModel:
    """The fake provider in a process of its own."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self._root = base_url.removesuffix("/v1")

    def bodies(self) -> list[dict[str, Any]]:
        """Of the requests since it last forgot."""
        asked = _json(urllib.request.Request(f"{self._root}/__requests"))
        return [request["body"] for request in asked]

    def forget(self) -> None:
        """It keeps every request, for tests; a long run lets it drop them."""
        _json(urllib.request.Request(f"{self._root}/__script", method="DELETE"))


def _json(request: urllib.request.Request) -> Any:
    with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
        return json.load(answer)


@contextlib.contextmanager
def local_stack(data: Path, variables: Mapping[str, str]) -> Generator[LocalStack]:
    """`make run` with these settings and none of the caller's, until the block ends.

    Raises:
        StartError: it does not come up.
    """
    data.mkdir(parents=True, exist_ok=True)
    settings = {name.upper() for name in Settings.model_fields}
    kept = {n: v for n, v in os.environ.items() if n not in settings and n not in MAKES_OWN}
    command = [sys.executable, "-m", "functions.local", "--port", "0", "--with-parent"]
    command += ["--data", str(data), "--catalog", str(ROOT / "demo")]
    with _running(command, data / "run.log", {**kept, **LIFTED, **variables}) as process:
        yield LocalStack(data, _ready(process, data))


@contextlib.contextmanager
def fake_model(folder: Path, delay_ms: float) -> Generator[FakeModel]:
    """A fake provider that answers after a delay, until the block ends.

    Raises:
        StartError: it does not come up.
    """
    command = [sys.executable, "-m", "functions.local.fake_provider", "--delay-ms", str(delay_ms)]
    # It must not outlive us either.
    command = [sys.executable, "-I", "-S", str(LAUNCHER), str(os.getpid()), *command]
    log = folder / "fake.log"
    with _running(command, log, dict(os.environ)) as process:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and process.poll() is None:
            for line in log.read_text().splitlines():
                if line.startswith("OPENAI_BASE_URL="):
                    yield FakeModel(line.partition("=")[2])
                    return
            time.sleep(0.05)
        raise StartError(log.read_text())


def _ready(process: "subprocess.Popen[bytes]", data: Path) -> str:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError, ValueError):
            facts = json.loads((data / "stack.json").read_text())
            if facts.get("ready"):
                return facts["url"]
        time.sleep(0.1)
    raise StartError((data / "run.log").read_text())


@contextlib.contextmanager
def _running(
    command: list[str], log: Path, environment: Mapping[str, str]
) -> "Generator[subprocess.Popen[bytes]]":
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def measure(pid: int) -> Process | None:
    """Of a process; None when it is gone."""
    try:
        if sys.platform.startswith("linux"):
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks = int(fields[11]) + int(fields[12])
            memory = pages * os.sysconf("SC_PAGE_SIZE") / 1024
            return Process(pid, memory, ticks / os.sysconf("SC_CLK_TCK"))
        told = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True
        )
        return Process(pid, float(told.stdout), 0.0)
    except (OSError, ValueError, IndexError, subprocess.CalledProcessError):
        return None
