"""HTTP with a total deadline per call, for every adapter that talks over httpx.

httpx's own timeouts are per read: a body that drips never ends. Here one deadline covers connecting, TLS,
sending, waiting and the whole body, which is read before the call returns and is bounded in size.

    client = deadline_client(base_url="https://example.com", headers={"api-key": key})
    with limit(deadline):  # a domain Deadline; everything sent inside ends by then
        reply = client.post("/points/query", json=body)

Every failure is an `httpx.HTTPError`: time over is `httpx.TimeoutException`; a cut, oversized or encoded body is
`httpx.RemoteProtocolError`. Without `limit`, a call gets the client's `timeout` seconds. `limit` is per thread: enter it
in the thread that calls. A kept connection that turns out to be dead (a frozen function thaws) is
replaced and the request sent once more at once, provided no byte of a reply was seen. The dead peer may in theory
have acted before it closed, so requests must be repeatable; `repeat_stale=False` is for those that are not.
Resolving a host name is the one step that the system bounds, not we. Proxies are not used.

It stands on sockets, not on httpcore, which would cost each cold start 40 ms more.
"""

import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from http.client import HTTPException
from threading import Lock
from typing import Final

import httpx

from shopping_agent.adapters.connections import Connection, Origin, connect
from shopping_agent.adapters.plain_client import PlainClient
from shopping_agent.adapters.replies import read_reply
from shopping_agent.domain.deadline import Deadline

MAX_REPLY_BYTES: Final = 16 * 1024 * 1024
_KEPT_CONNECTIONS: Final = 20

_deadline: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


@contextmanager
def limit(deadline: Deadline) -> Generator[None]:
    """Everything sent inside, in this thread, ends by this deadline (or an earlier one that already holds)."""
    outer = _deadline.get()
    token = _deadline.set(deadline if outer is None or deadline.at < outer.at else outer)
    try:
        yield
    finally:
        _deadline.reset(token)


def deadline_client(
    *,
    base_url: str = "",
    headers: Mapping[str, str] | None = None,
    timeout: float = 10.0,
    max_bytes: int = MAX_REPLY_BYTES,
    repeat_stale: bool = True,
    transport: httpx.BaseTransport | None = None,
) -> httpx.Client:
    """An httpx client whose calls are bounded in time and size.

    Args:
        timeout: seconds for a call outside `limit`.
        transport: takes the place of the network, for tests (`httpx.MockTransport`).
    """
    return PlainClient(
        base_url=base_url,
        headers={"accept-encoding": "identity", **(headers or {})},
        timeout=None,  # DeadlineTransport bounds the call
        trust_env=False,
        transport=transport
        or DeadlineTransport(timeout=timeout, max_bytes=max_bytes, repeat_stale=repeat_stale),
    )


class DeadlineTransport(httpx.BaseTransport):
    """Sends over kept connections; see the module's text for what it promises. Safe to share between threads."""

    def __init__(
        self,
        *,
        timeout: float = 10.0,
        max_bytes: int = MAX_REPLY_BYTES,
        repeat_stale: bool = True,
    ) -> None:
        self._timeout = timeout
        self._max_bytes = max_bytes
        self._repeat_stale = repeat_stale
        self._idle: dict[Origin, list[Connection]] = {}
        self._lock = Lock()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        deadline = _deadline.get() or Deadline.after(self._timeout)
        origin = _origin(request.url)
        wire = _request_bytes(request)
        kept = self._kept(origin)
        if kept is not None:
            try:
                return self._exchange(kept, wire, request, origin, deadline)
            except (httpx.NetworkError, httpx.RemoteProtocolError):
                if not self._repeat_stale or kept.received:
                    raise
        with _httpx_errors(request, httpx.ConnectTimeout, httpx.ConnectError):
            fresh = Connection(connect(origin, deadline))
        return self._exchange(fresh, wire, request, origin, deadline)

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, {}
        for connection in (c for kept in idle.values() for c in kept):
            connection.close()

    def _exchange(
        self,
        connection: Connection,
        wire: bytes,
        request: httpx.Request,
        origin: Origin,
        deadline: Deadline,
    ) -> httpx.Response:
        connection.begin(deadline)
        whole = False
        try:
            with _httpx_errors(request, httpx.WriteTimeout, httpx.WriteError):
                connection.sendall(wire)
            with _httpx_errors(request, httpx.ReadTimeout, httpx.ReadError):
                reply = read_reply(
                    connection.reader(), method=request.method, max_bytes=self._max_bytes
                )
            whole = reply.keeps
            return httpx.Response(
                reply.status, headers=reply.fields, content=reply.body, request=request
            )
        finally:
            if whole:
                self._keep(origin, connection)
            else:
                connection.close()

    def _kept(self, origin: Origin) -> Connection | None:
        with self._lock:
            idle = self._idle.get(origin, [])
            while idle:
                connection = idle.pop()
                if connection.usable():
                    return connection
                connection.close()
        return None

    def _keep(self, origin: Origin, connection: Connection) -> None:
        connection.idle_since = time.monotonic()
        with self._lock:
            idle = self._idle.setdefault(origin, [])
            if len(idle) < _KEPT_CONNECTIONS:
                idle.append(connection)
                return
        connection.close()


def _origin(url: httpx.URL) -> Origin:
    if url.scheme not in ("http", "https") or not url.host:
        raise httpx.UnsupportedProtocol(f"not an http(s) address: {url.scheme}")
    return url.scheme, url.raw_host.decode(), url.port or (443 if url.scheme == "https" else 80)


def _request_bytes(request: httpx.Request) -> bytes:
    body = request.read()
    fields = [
        (name, value)
        for name, value in request.headers.raw
        if name.lower() not in (b"content-length", b"transfer-encoding")
    ]
    if body or request.method not in ("GET", "HEAD"):
        fields.append((b"Content-Length", str(len(body)).encode()))
    lines = [name + b": " + value for name, value in fields]
    if any(b"\r" in line or b"\n" in line for line in lines):
        raise httpx.LocalProtocolError("a header holds a line break", request=request)
    start = request.method.encode() + b" " + request.url.raw_path + b" HTTP/1.1"
    return b"\r\n".join([start, *lines, b"", body])


@contextmanager
def _httpx_errors(
    request: httpx.Request, late: type[httpx.TimeoutException], broken: type[httpx.NetworkError]
) -> Generator[None]:
    """The standard library's errors as httpx's."""
    try:
        yield
    except TimeoutError as error:
        raise late("no time left", request=request) from error
    except HTTPException as error:
        raise httpx.RemoteProtocolError(str(error), request=request) from error
    except OSError as error:
        raise broken(str(error), request=request) from error
    except ValueError as error:
        raise httpx.RemoteProtocolError(str(error), request=request) from error
