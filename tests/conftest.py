"""Fixtures that tests of several parts share.

`stack`: the whole shop as `make run` starts it, once per test session, on free ports and a folder of its own.
A test that asks for it is slow. It gives a `RunningStack`: `stack.url`, `stack.post(path, body, token)`,
`stack.endpoints` (aws, redis, qdrant, embeddings, lambda), `stack.bucket`, `stack.pids()` by child name,
`stack.data` (DATA). Tests that break parts of it must wait until it has recovered (`stack.wait_healthy()`), and a
test that changes the store's files starts a stack of its own: `with start_stack(tmp_path) as stack`
(fixture `start_stack`).
"""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 240.0

StackStarter = Callable[..., AbstractContextManager["RunningStack"]]


@dataclass(frozen=True)
class HttpAnswer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class RunningStack:
    """A local stack that runs as a process of its own. `log` is what it printed."""

    data: Path
    process: "subprocess.Popen[bytes]"
    log: Path

    @property
    def facts(self) -> dict[str, Any]:
        return json.loads((self.data / "stack.json").read_text())

    @property
    def url(self) -> str:
        return self.facts["url"]

    @property
    def endpoints(self) -> dict[str, str]:
        return self.facts["endpoints"]

    @property
    def bucket(self) -> str:
        return self.facts["bucket"]

    def pids(self) -> dict[str, int]:
        return {name: child["pid"] for name, child in self.facts["children"].items()}

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> HttpAnswer:
        """One request to the gateway; `body` is sent as JSON."""
        sent = {"content-type": "application/json", **(headers or {})}
        if token:
            sent["authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=40) as answer:
                return HttpAnswer(answer.status, dict(answer.headers), answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return HttpAnswer(error.code, dict(error.headers), error.read())

    def get(self, path: str, **rest: Any) -> HttpAnswer:
        return self.request("GET", path, **rest)

    def post(self, path: str, body: Any = None, token: str = "", **rest: Any) -> HttpAnswer:
        return self.request("POST", path, {} if body is None else body, token=token, **rest)

    def wait_healthy(self, seconds: float = 15) -> None:
        """Wait until every dependency is ready again."""
        until = time.monotonic() + seconds
        while (answer := self.get("/api/v1/health")).status != 200:
            assert time.monotonic() < until, answer.body
            time.sleep(0.2)


def _wait_ready(stack: RunningStack) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        assert stack.process.poll() is None, stack.log.read_text()
        try:
            if stack.facts.get("ready"):
                return
        except (OSError, ValueError):
            pass
        time.sleep(0.1)
    raise AssertionError(f"not ready:\n{stack.log.read_text()}")


@contextmanager
def _started(
    data: Path, *, catalog: Path = ROOT / "demo", **variables: str
) -> Generator[RunningStack]:
    data.mkdir(parents=True, exist_ok=True)
    log = data / "make-run.log"
    command = [sys.executable, "-m", "functions.local", "--port", "0", "--with-parent"]
    command += ["--data", str(data), "--catalog", str(catalog)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    stack = RunningStack(data=data, process=process, log=log)
    try:
        _wait_ready(stack)
        yield stack
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise


@pytest.fixture(scope="session")
def start_stack() -> StackStarter:
    """Starts another stack: `with start_stack(data, catalog=folder, LLM_PROVIDER="offline") as stack`."""
    return _started


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    """The shop with the demo store, shared by the session (see this module's docstring)."""
    with _started(tmp_path_factory.mktemp("stack")) as running:
        yield running
