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
Resolving a host name is the one step that the system bounds, not we.
"""

import socket
import ssl
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any, Final, cast

import httpcore
import httpx

from shopping_agent.domain.deadline import Deadline

MAX_REPLY_BYTES: Final = 16 * 1024 * 1024
_PIECE: Final = 64 * 1024
_ADDRESSES: Final = 4
_KEPT_CONNECTIONS: Final = 20
# Shorter than the idle time-out of the usual load balancers (60 s).
_KEEPALIVE_SECONDS: Final = 45.0

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
    return httpx.Client(
        base_url=base_url,
        headers={"accept-encoding": "identity", **(headers or {})},
        timeout=None,  # noqa: S113  (DeadlineTransport bounds the call)
        trust_env=False,
        transport=transport
        or DeadlineTransport(timeout=timeout, max_bytes=max_bytes, repeat_stale=repeat_stale),
    )


@dataclass(slots=True)
class _Attempt:
    """One try of one request, as the connection below saw it."""

    deadline: Deadline
    connected: bool = False
    received: int = 0

    def stale(self) -> bool:
        return not self.connected and self.received == 0


_attempt: ContextVar[_Attempt] = ContextVar("attempt")


class DeadlineTransport(httpx.BaseTransport):
    """Sends over pooled connections; see the module's text for what it promises. Safe to share between threads."""

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
        self._pools: dict[tuple[str, int], httpcore.ConnectionPool] = {}
        self._lock = Lock()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        deadline = _deadline.get() or Deadline.after(self._timeout)
        attempt = _Attempt(deadline)
        try:
            return self._send(request, attempt, keep=_KEPT_CONNECTIONS)
        except (httpx.NetworkError, httpx.RemoteProtocolError):
            if not (self._repeat_stale and attempt.stale()):
                raise
            return self._send(request, _Attempt(deadline), keep=0)

    def close(self) -> None:
        for pool in self._pools.values():
            pool.close()

    def _send(self, request: httpx.Request, attempt: _Attempt, *, keep: int) -> httpx.Response:
        pool = self._pool(request.url.scheme, keep)
        left = attempt.deadline.remaining()
        if left <= 0:
            raise httpx.ConnectTimeout("no time left", request=request)
        wire = httpcore.Request(
            method=request.method,
            url=httpcore.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.read(),
            extensions={"timeout": dict.fromkeys(("connect", "read", "write", "pool"), left)},
        )
        token = _attempt.set(attempt)
        try:
            with _httpx_errors(request):
                return self._read(pool.handle_request(wire), request)
        finally:
            _attempt.reset(token)

    def _read(self, reply: httpcore.Response, request: httpx.Request) -> httpx.Response:
        headers = httpx.Headers(reply.headers)
        body = bytearray()
        try:
            if headers.get("content-encoding", "identity") != "identity":
                raise httpx.RemoteProtocolError("an encoding not asked for", request=request)
            for piece in cast(Iterable[bytes], reply.stream):
                body += piece
                if len(body) > self._max_bytes:
                    raise httpx.RemoteProtocolError("reply too large", request=request)
        finally:
            reply.close()
        return httpx.Response(reply.status, headers=headers, content=bytes(body), request=request)

    def _pool(self, scheme: str, keep: int) -> httpcore.ConnectionPool:
        with self._lock:
            pool = self._pools.get((scheme, keep))
            if pool is None:
                pool = self._pools[scheme, keep] = httpcore.ConnectionPool(
                    ssl_context=_tls() if scheme == "https" else None,
                    max_connections=50,
                    max_keepalive_connections=keep,
                    keepalive_expiry=_KEEPALIVE_SECONDS,
                    network_backend=_DeadlineBackend(),
                )
            return pool


@cache
def _tls() -> ssl.SSLContext:
    """One context for the process: loading the certificate authorities costs 20 ms."""
    return httpx.create_ssl_context()


@contextmanager
def _httpx_errors(request: httpx.Request) -> Generator[None]:
    """httpcore's errors as the httpx errors of the same name."""
    try:
        yield
    except (
        httpcore.TimeoutException,
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.UnsupportedProtocol,
    ) as error:
        kind = cast(type[httpx.TransportError], getattr(httpx, type(error).__name__))
        raise kind(str(error), request=request) from error


class _DeadlineBackend(httpcore.NetworkBackend):
    """Plain sockets whose every operation gets what is left of the attempt's deadline."""

    def __init__(self) -> None:
        self._sockets = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        _attempt.get().connected = True
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))[:_ADDRESSES]
        failure: Exception = httpcore.ConnectError("no address")
        for tried, address in enumerate(addresses):
            share = _left(timeout, httpcore.ConnectTimeout) / (len(addresses) - tried)
            try:
                stream = self._sockets.connect_tcp(
                    address, port, share, local_address, socket_options or ()
                )
                return _DeadlineStream(stream)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure


class _DeadlineStream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._inner.read(max_bytes, _left(timeout, httpcore.ReadTimeout))
        _attempt.get().received += len(data)
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PIECE):
            piece = buffer[start : start + _PIECE]
            self._inner.write(piece, _left(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = _left(timeout, httpcore.ConnectTimeout)
        return _DeadlineStream(self._inner.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _left(timeout: float | None, over: type[httpcore.TimeoutException]) -> float:
    left = _attempt.get().deadline.remaining()
    if left <= 0:
        raise over("no time left")
    return left if timeout is None else min(left, timeout)
