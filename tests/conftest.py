"""Fixtures that tests of several parts share.

`redis_stack`: a real Redis (Valkey behind the REST bridge) on free ports.

`aws_stack`: S3 and SQS as `make run` has them, with an empty bucket `catalog`; `own_aws_stack`: one that a test may
kill.

`stack`: the whole shop as `make run` starts it, once per test session, on free ports and a folder of its own.
A test that asks for it is slow. It gives a `RunningStack`: `stack.url`, `stack.post(path, body, token)`,
`stack.endpoints` (aws, redis, qdrant, embeddings, lambda), `stack.bucket`, `stack.pids()` by child name,
`stack.data` (DATA). Tests that break parts of it must wait until it has recovered (`stack.wait_healthy()`), and a
test that changes the store's files starts a stack of its own: `with start_stack(tmp_path) as stack`
(fixture `start_stack`).
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from functions.local.redis_bridge import valkey_command

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 240.0
# What ends a process; SIGALRM is the test runner's own.
PROCESS_SIGNALS = (signal.SIGPIPE, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def _signals_are_left_alone() -> Iterator[None]:
    """A handler that stays behind is another test's trouble: with SIGPIPE at its default a reset connection ends all."""
    before = [signal.getsignal(number) for number in PROCESS_SIGNALS]
    yield
    assert [signal.getsignal(number) for number in PROCESS_SIGNALS] == before


StackStarter = Callable[..., contextlib.AbstractContextManager["RunningStack"]]


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
        while True:
            answer = self.get("/api/v1/health") if self.accepts_connections() else None
            if answer and answer.status == 200 and answer.json()["status"] == "ok":
                return
            assert time.monotonic() < until, answer
            time.sleep(0.2)

    def accepts_connections(self) -> bool:
        """Whether the gateway listens."""
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", int(self.url.rpartition(":")[2]))) == 0


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


@contextlib.contextmanager
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


TOKEN = "test-token"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(port: int, *, ask: bytes = b"", answer: bytes = b"") -> None:
    """Until somebody listens there and, if asked something, answers: Valkey listens while it still loads its data."""
    for _ in range(200):
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", port), 1) as peer,
        ):
            peer.sendall(ask)
            if not ask or peer.recv(100).startswith(answer):
                return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens on {port}")


@dataclass
class RedisStack:
    """A Valkey and a bridge in front of it, each a process of its own."""

    data: Path
    valkey_port: int
    bridge_port: int
    token: str = TOKEN
    valkey: subprocess.Popen[bytes] | None = None
    bridge: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.bridge_port}"

    def start_valkey(self) -> None:
        self.valkey = subprocess.Popen(
            valkey_command(self.valkey_port, self.data), stdout=subprocess.DEVNULL
        )
        wait_for(self.valkey_port, ask=b"PING\r\n", answer=b"+PONG")

    def kill_valkey(self) -> None:
        assert self.valkey
        self.valkey.kill()
        self.valkey.wait()

    def start(self) -> None:
        self.start_valkey()
        arguments = ["--port", self.bridge_port, "--valkey-port", self.valkey_port]
        self.bridge = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "functions.local.redis_bridge",
                *map(str, arguments),
                "--token",
                TOKEN,
            ]
        )
        wait_for(self.bridge_port)

    def stop(self) -> None:
        for process in (self.bridge, self.valkey):
            if process and process.poll() is None:
                process.terminate()
                process.wait(10)


@pytest.fixture(scope="session")
def redis_stack(tmp_path_factory: pytest.TempPathFactory) -> Generator[RedisStack]:
    stack = RedisStack(tmp_path_factory.mktemp("valkey"), free_port(), free_port())
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()


@dataclass
class AwsStack:
    """The stand-in for S3 and SQS, a process of its own. Its objects outlive `kill`."""

    data: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, service: str) -> Any:
        import boto3

        return cast(Any, boto3).client(
            service,
            endpoint_url=self.url,
            region_name="eu-west-1",
            aws_access_key_id="local",
            aws_secret_access_key="local",
        )

    def start(self) -> None:
        arguments = ["--port", self.port, "--data", self.data, "--bucket", "catalog"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "functions.local.aws_server", *map(str, arguments)], cwd=ROOT
        )
        wait_for(self.port)

    def kill(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)

    def clear(self) -> None:
        """An empty bucket and empty queues."""
        s3, sqs = self.client("s3"), self.client("sqs")
        for item in s3.list_objects_v2(Bucket="catalog").get("Contents", []):
            s3.delete_object(Bucket="catalog", Key=item["Key"])
        names = ["VisibilityTimeout", "RedrivePolicy"]
        # A queue may be purged once a minute, and purging leaves what was received: made anew instead.
        for url in sorted(sqs.list_queues()["QueueUrls"], key=len, reverse=True):
            found = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)
            sqs.delete_queue(QueueUrl=url)
            sqs.create_queue(QueueName=url.rpartition("/")[2], Attributes=found["Attributes"])


@pytest.fixture(scope="session")
def shared_aws_stack(tmp_path_factory: pytest.TempPathFactory) -> Generator[AwsStack]:
    stack = AwsStack(tmp_path_factory.mktemp("aws"), free_port())
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()


@pytest.fixture
def aws_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own clients find their credentials in the environment."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "local")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "local")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")


@pytest.fixture
def aws_stack(shared_aws_stack: AwsStack, aws_credentials: None) -> AwsStack:
    shared_aws_stack.clear()
    return shared_aws_stack


@pytest.fixture
def own_aws_stack(tmp_path: Path, aws_credentials: None) -> Generator[AwsStack]:
    stack = AwsStack(tmp_path / "aws", free_port())
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()
