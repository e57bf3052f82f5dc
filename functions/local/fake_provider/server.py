"""The fake provider over HTTP, in threads: every way in which a connection can misbehave is done to real sockets."""

import contextlib
import json
import select
import socket
import struct
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any, Final

from functions.local.fake_provider.provider import FakeProvider
from functions.local.fake_provider.script import Answer, scripted_of

_LONGEST_HANG: Final = 120.0
_CONNECTIONS: Final = count(1)


@contextmanager
def fake_provider(*, port: int = 0, delay: float = 0.0) -> Generator[FakeProvider]:
    """A provider on 127.0.0.1, in threads of this process.

    Args:
        delay: seconds before each answer.
    """
    provider = FakeProvider(delay=delay)
    stopped = threading.Event()

    class Handler(_Handler):
        fake = provider
        stopping = stopped

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False
        request_queue_size = 64

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that went away is what this is about."""

    server = Server(("127.0.0.1", port), Handler)
    provider.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
    )
    thread.start()
    try:
        yield provider
    finally:
        stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    fake: FakeProvider
    stopping: threading.Event

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._number = next(_CONNECTIONS)
        self._stale = False

    def do_POST(self) -> None:
        body = self._body()
        if self._stale:
            self.fake.drop()
            self.close_connection = True
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._give(self.fake.answer(self.path, headers, body, self._number))

    def do_GET(self) -> None:
        if self.path == "/__requests":
            self._json(200, [asdict(r) for r in self.fake.requests])
        elif self.path.endswith("/models"):
            model = {"id": "fake", "object": "model", "created": 0, "owned_by": "local"}
            self._json(200, {"object": "list", "data": [model]})
        else:
            self._json(404, {"error": {"message": "no such path"}})

    def do_PUT(self) -> None:
        """`/__script`: `{"calls": {"2": ANSWER or MOVE}, "every": ...}`, from the next call on."""
        try:
            given = json.loads(self._body())
            calls = {int(n): scripted_of(value) for n, value in given.get("calls", {}).items()}
            every = scripted_of(given["every"]) if "every" in given else None
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            self._json(400, {"error": {"message": f"not a script: {error}"}})
            return
        self.fake.reset()
        for number, scripted in calls.items():
            self.fake.on(number, scripted)
        if every is not None:
            self.fake.always(every)
        self._json(200, {"calls": sorted(calls)})

    def do_DELETE(self) -> None:
        self.fake.reset()
        self._json(200, {})

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("transfer-encoding", ""):
            return self.rfile.read(int(self.headers.get("content-length", 0)))
        whole = b""
        while size := int(self.rfile.readline(), 16):
            whole += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return whole

    def _json(self, status: int, content: Any) -> None:
        self._give(Answer(status, content))

    def _give(self, answer: Answer) -> None:
        if self._gone_within(answer.delay):
            return
        if answer.behaviour in ("reset", "close", "hang"):
            self._give_nothing(answer)
            return
        self._stale = answer.behaviour == "stale"
        body = answer.content()
        self.send_response(answer.status)
        given = {name.lower(): value for name, value in answer.headers.items()}
        for name, value in {
            "content-type": "application/json",
            "content-length": str(len(body)),
            **given,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self._send(answer, body)

    def _send(self, answer: Answer, body: bytes) -> None:
        if answer.behaviour in ("headers", "cut"):
            self.wfile.write(body[: len(body) // 2] if answer.behaviour == "cut" else b"")
            self.close_connection = True
            return
        if answer.behaviour != "drip":
            self.wfile.write(body)
            return
        for byte in body:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            if self._gone_within(answer.pause):
                return

    def _give_nothing(self, answer: Answer) -> None:
        self.close_connection = True
        if answer.behaviour == "hang":
            self._gone_within(_LONGEST_HANG)
        elif answer.behaviour == "reset":
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()

    def _gone_within(self, seconds: float) -> bool:
        """Wait; True as soon as the client has gone, or the server stops."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            with contextlib.suppress(OSError, ValueError):
                readable, _, _ = select.select([self.connection], [], [], min(left, 0.1))
                if readable and not self.connection.recv(1, socket.MSG_PEEK):
                    self.close_connection = True
                    return True
                if readable:
                    time.sleep(min(left, 0.1))
            if self.stopping.is_set():
                self.close_connection = True
                return True
        return False

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing: `requests` tells."""
