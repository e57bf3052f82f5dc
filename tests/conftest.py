"""Fixtures that several parts need: a real Redis (Valkey behind the REST bridge) on free ports."""

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

from functions.local.redis_bridge import valkey_command

TOKEN = "test-token"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(port: int) -> None:
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
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
        wait_for(self.valkey_port)

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
