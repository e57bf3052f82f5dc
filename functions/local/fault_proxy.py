"""A bad network in front of a good server: passes requests on, and now and then breaks what comes back. For tests.

Faults come from a seeded source, so a run can be repeated. Those named `late_` break the reply of a request that was
carried out; the others keep it from the server. `twice` carries a request out two times, as a retrying middleman would.
"""

import json
import random
import socket
import struct
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

PASSED: Final = ("authorization", "content-type", "upstash-encoding", "upstash-sync-token")
_QUOTA: Final = b'{"error":"ERR max daily request limit exceeded. Limit: 10000, Usage: 10000."}'
_GARBAGE: Final = b"<html><body>502 Bad Gateway</body>\xff\xfe"


@dataclass
class FaultProxy:
    """What the proxy does, and what it did.

    Attributes:
        share: of the requests that meet a fault.
        slow_seconds: how long a delay lasts at most, and a dripping body at least.
        met: how often each fault came, and `requests`.
    """

    target: str
    seed: int = 0
    share: float = 0.3
    slow_seconds: float = 1.5
    met: Counter[str] = field(default_factory=Counter[str])
    url: str = ""

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._lock = threading.Lock()

    @property
    def faults(self) -> int:
        return sum(count for name, count in self.met.items() if name != "requests")

    def draw(self) -> tuple[str, float]:
        """The fault that the next request meets ("" for none), and how long it takes."""
        with self._lock:
            self.met["requests"] += 1
            if self._random.random() >= self.share:
                return "", 0.0
            fault = self._random.choice(list(_FAULTS))
            self.met[fault] += 1
            return fault, self._random.uniform(0.05, self.slow_seconds)


@contextmanager
def fault_proxy(target: str, **options: Any) -> Generator[FaultProxy]:
    """A proxy on 127.0.0.1 in front of `target`, in threads of this process."""
    proxy = FaultProxy(target, **options)

    class Handler(_Handler):
        faults = proxy

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that went away is what this is about."""

    server = Server(("127.0.0.1", 0), Handler)
    proxy.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    faults: FaultProxy

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        fault, seconds = self.faults.draw()
        _FAULTS.get(fault, _pass)(self, body, seconds)

    def carry_out(self, body: bytes) -> tuple[int, bytes]:
        headers = {name: self.headers[name] for name in PASSED if name in self.headers}
        request = urllib.request.Request(self.faults.target + self.path, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:
                return reply.status, reply.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def reply(self, status: int, body: bytes, *, announced: int | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body) if announced is None else announced))
        self.end_headers()
        self.wfile.write(body)

    def cut(self) -> None:
        """End the connection with a reset."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing: a test counts."""


def _pass(handler: _Handler, body: bytes, seconds: float) -> None:
    del seconds
    handler.reply(*handler.carry_out(body))


def _delay(handler: _Handler, body: bytes, seconds: float) -> None:
    time.sleep(seconds)
    handler.reply(*handler.carry_out(body))


def _late_delay(handler: _Handler, body: bytes, seconds: float) -> None:
    status, reply = handler.carry_out(body)
    time.sleep(seconds)
    handler.reply(status, reply)


def _late_drip(handler: _Handler, body: bytes, seconds: float) -> None:
    status, reply = handler.carry_out(body)
    handler.reply(status, b"", announced=len(reply))
    for byte in reply:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        time.sleep(max(seconds, 1.0) / len(reply))


def _reset(handler: _Handler, body: bytes, seconds: float) -> None:
    del body, seconds
    handler.cut()


def _late_reset(handler: _Handler, body: bytes, seconds: float) -> None:
    del seconds
    handler.carry_out(body)
    handler.cut()


def _late_truncated(handler: _Handler, body: bytes, seconds: float) -> None:
    del seconds
    status, reply = handler.carry_out(body)
    handler.reply(status, reply[: len(reply) // 2], announced=len(reply))
    handler.close_connection = True


def _late_half(handler: _Handler, body: bytes, seconds: float) -> None:
    """Valid JSON with a part of the results, or without the result."""
    del seconds
    status, reply = handler.carry_out(body)
    results = json.loads(reply)
    half = results[: len(results) // 2] if isinstance(results, list) else {}
    handler.reply(status, json.dumps(half).encode())


def _failing(status: int, text: bytes) -> Callable[[_Handler, bytes, float], None]:
    return lambda handler, _body, _seconds: handler.reply(status, text)


def _late_failing(status: int, text: bytes) -> Callable[[_Handler, bytes, float], None]:
    def fail(handler: _Handler, body: bytes, seconds: float) -> None:
        del seconds
        handler.carry_out(body)
        handler.reply(status, text)

    return fail


def _twice(handler: _Handler, body: bytes, seconds: float) -> None:
    del seconds
    handler.carry_out(body)
    handler.reply(*handler.carry_out(body))


_FAULTS: Final[Mapping[str, Callable[[_Handler, bytes, float], None]]] = {
    "delay": _delay,
    "late_delay": _late_delay,
    "late_drip": _late_drip,
    "reset": _reset,
    "late_reset": _late_reset,
    "late_truncated": _late_truncated,
    "late_half": _late_half,
    "error_500": _failing(500, b'{"error":"ERR internal"}'),
    "late_error_500": _late_failing(500, b'{"error":"ERR internal"}'),
    "garbage": _failing(200, _GARBAGE),
    "late_garbage": _late_failing(200, _GARBAGE),
    "quota": _failing(400, _QUOTA),
    "quota_429": _failing(429, _QUOTA),
    "twice": _twice,
}
