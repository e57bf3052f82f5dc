"""A provider's HTTP server whose replies a test writes, so that the real SDKs talk over real sockets."""

import json
import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass
class ProviderServer:
    """Answers each request with the next of `replies`, then with the last of them again.

    A reply is a JSON body for a 200, `(status, headers, body)`, or a function of the request handler that writes it all.
    """

    replies: list[Any] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    bodies: list[Any] = field(default_factory=list)
    connections: int = 0
    url: str = ""

    def next_reply(self) -> Any:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


@pytest.fixture
def provider_server() -> Generator[ProviderServer]:
    server = ProviderServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            server.connections += 1

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", 0)))
            server.paths.append(self.path)
            server.headers.append({k.lower(): v for k, v in self.headers.items()})
            server.bodies.append(json.loads(raw))
            reply = server.next_reply()
            if callable(reply):
                reply(self)
                return
            status, headers, body = reply if isinstance(reply, tuple) else (200, {}, reply)
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"content-type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            del format, args

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            del request, client_address  # a client that hung up

    listener = Server(("127.0.0.1", 0), Handler)
    listener.daemon_threads = True
    server.url = f"http://127.0.0.1:{listener.server_address[1]}"
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join()
