"""An execution environment that is photographed, woken, or outlives a rotation of its secret."""

import random
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from shopping_agent import bootstrap, lifecycle
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import ConfigurationError, SecretsUnavailableError
from shopping_agent.lifecycle import RETRY_SECONDS, SECRET_SECONDS, SecretRenewal
from shopping_agent.settings import Settings

ROOT = Path(__file__).parents[1]


class Extension:
    """AWS's extension, as the adapter sees it: what it hands out, and how often it was asked."""

    def __init__(self) -> None:
        self.secret = {"SESSION_SECRET": "a" * 40}
        self.asked = 0
        self.down = False

    def read(self, secret_id: str, *, port: int, token: str) -> dict[str, str]:
        self.asked += 1
        if self.down:
            raise SecretsUnavailableError("no answer")
        return dict(self.secret)


@pytest.fixture(autouse=True)
def own_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is forgotten here is this test's own: other tests of the process keep their connections."""
    for name, kept in list(vars(bootstrap).items()):
        if hasattr(kept, "cache_clear"):
            monkeypatch.setattr(bootstrap, name, cache(kept.__wrapped__))


@pytest.fixture
def extension(own_caches: None, monkeypatch: pytest.MonkeyPatch) -> Extension:
    one = Extension()
    monkeypatch.setenv("SECRETS_ID", "shop")
    monkeypatch.setattr("shopping_agent.adapters.secrets.read_secret", one.read)
    return one


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def invoke(renewal: SecretRenewal) -> str:
    """One invocation; returns the secret that it works with."""
    renewal.renew()
    return bootstrap.settings().session_secret.get_secret_value()


def test_a_rotated_secret_is_in_use_within_a_quarter_of_an_hour(extension: Extension) -> None:
    clock = Clock()
    renewal = SecretRenewal(clock)
    assert invoke(renewal) == "a" * 40
    extension.secret = {"SESSION_SECRET": "b" * 40}
    clock.now += SECRET_SECONDS - 1
    assert invoke(renewal) == "a" * 40
    assert extension.asked == 1
    clock.now += 1
    assert invoke(renewal) == "b" * 40


def test_an_unchanged_secret_keeps_what_was_built(extension: Extension) -> None:
    clock = Clock()
    renewal = SecretRenewal(clock)
    invoke(renewal)
    before = bootstrap.settings()
    clock.now += SECRET_SECONDS
    invoke(renewal)
    assert bootstrap.settings() is before
    assert extension.asked == 2


def test_services_are_made_anew_with_the_new_secret(extension: Extension) -> None:
    clock = Clock()
    renewal = SecretRenewal(clock)
    invoke(renewal)
    old = bootstrap.guest_sessions(bootstrap.settings())
    extension.secret = {"SESSION_SECRET": "b" * 40}
    clock.now += SECRET_SECONDS
    invoke(renewal)
    assert bootstrap.guest_sessions(bootstrap.settings()) is not old


def test_while_the_secret_cannot_be_had_the_old_one_serves_and_it_is_asked_for_once_a_minute(
    extension: Extension,
) -> None:
    clock = Clock()
    renewal = SecretRenewal(clock)
    invoke(renewal)
    extension.down = True
    clock.now += SECRET_SECONDS
    assert [invoke(renewal) for _ in range(3)] == ["a" * 40] * 3
    assert extension.asked == 2
    extension.down, extension.secret = False, {"SESSION_SECRET": "b" * 40}
    clock.now += RETRY_SECONDS
    assert invoke(renewal) == "b" * 40


def test_without_a_secret_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SECRETS_ID", raising=False)
    monkeypatch.setattr(
        "shopping_agent.adapters.secrets.read_secret", lambda *_, **__: pytest.fail("asked")
    )
    bootstrap.forget()
    clock = Clock()
    renewal = SecretRenewal(clock)
    for _ in range(2):
        invoke(renewal)
        clock.now += SECRET_SECONDS
    bootstrap.forget()


# --- snapshots ---------------------------------------------------------------------------------


class Hooks:
    """What Lambda's runtime keeps of `snapshot_restore_py`."""

    def __init__(self) -> None:
        self.before: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        self.after: list[Callable[[], None]] = []

    def register_before_snapshot(self, hook: Callable[..., None], *arguments: Any) -> None:
        self.before.append((hook, arguments))

    def register_after_restore(self, hook: Callable[[], None]) -> None:
        self.after.append(hook)


def test_what_was_built_for_the_snapshot_is_not_in_it(extension: Extension) -> None:
    built: list[Settings] = []

    def build(settings: Settings) -> None:
        built.append(settings)
        bootstrap.guest_sessions(settings)

    lifecycle.prepare_snapshot(build)
    assert len(built) == 1
    assert bootstrap.guest_sessions.cache_info().currsize == 0


def test_a_snapshot_is_prepared_without_its_secret(extension: Extension) -> None:
    seen: list[str] = []

    def build(settings: Settings) -> None:
        seen.append(settings.session_secret.get_secret_value())

    lifecycle.prepare_snapshot(build)
    assert extension.asked == 0
    assert seen
    assert seen[0] != extension.secret["SESSION_SECRET"]


def test_what_cannot_be_built_is_left_to_the_first_request(extension: Extension) -> None:
    def build(settings: Settings) -> None:
        bootstrap.guest_sessions(settings)
        raise ConfigurationError("no store pack")

    lifecycle.prepare_snapshot(build)
    assert bootstrap.guest_sessions.cache_info().currsize == 0


def test_copies_of_a_snapshot_draw_different_numbers_and_ask_for_the_secret(
    extension: Extension,
) -> None:
    bootstrap.settings()
    frozen = random.getstate()
    drawn: set[float] = set()
    for _ in range(3):
        random.setstate(frozen)
        lifecycle.wake()
        drawn.add(random.random())
        bootstrap.settings()
    assert len(drawn) == 3
    assert extension.asked == 4


def test_the_hooks_are_registered_with_the_runtime() -> None:
    hooks = Hooks()
    lifecycle.take_part_in_snapshots(lambda _: None, hooks)
    ((before, arguments),) = hooks.before
    before(*arguments)
    (after,) = hooks.after
    after()


@pytest.mark.parametrize("function", ["chat", "store"])
def test_chat_and_store_take_part(function: str) -> None:
    code = (
        f"import functions.{function}.app, snapshot_restore_py as hooks;"
        "print(len(hooks.get_before_snapshot()), len(hooks.get_after_restore()))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["1", "1"]


class Redis(BaseHTTPRequestHandler):
    """Answers PONG on kept connections, and counts these."""

    protocol_version = "HTTP/1.1"
    connections: ClassVar[list[int]] = []

    def setup(self) -> None:
        super().setup()
        self.connections.append(1)

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        body = b'{"result":"UE9ORw=="}'  # PONG, in Upstash's encoding
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        self.wfile.write(head.encode() + b"\r\n\r\n" + body)


def test_a_restored_function_uses_no_connection_of_before() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Redis)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    Redis.connections.clear()
    settings = Settings(upstash_redis_rest_url=f"http://127.0.0.1:{server.server_address[1]}")
    used = [bootstrap.redis(settings)]
    try:
        for _ in range(2):
            bootstrap.redis(settings).ping(Deadline.after(5))
        assert len(Redis.connections) == 1
        lifecycle.wake()
        used.append(bootstrap.redis(settings))
        used[-1].ping(Deadline.after(5))
        assert len(Redis.connections) == 2
    finally:
        for connection in used:
            connection.close()
        bootstrap.forget()
        server.shutdown()
        server.server_close()
