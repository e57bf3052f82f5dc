"""Sockets for `transport.py`: connected, kept and read within a deadline."""

import io
import select
import socket
import ssl
import time
from functools import cache
from typing import Any, Final

import httpx

from shopping_agent.domain.deadline import Deadline

_ADDRESSES: Final = 4
_BUFFER_BYTES: Final = 64 * 1024
# Shorter than the idle time-out of the usual load balancers (60 s).
_KEEPALIVE_SECONDS: Final = 45.0

Origin = tuple[str, str, int]
"""Scheme, host and port."""


class Connection:
    """A socket whose every operation gets what is left of the deadline of the exchange that it serves."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._deadline = Deadline(0.0)
        self.received = 0
        self.idle_since = 0.0

    def begin(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self.received = 0

    def usable(self) -> bool:
        """Whether it may carry another request: not too old, and the peer has neither closed it nor sent more."""
        if time.monotonic() - self.idle_since > _KEEPALIVE_SECONDS:
            return False
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return not poll.poll(0)

    def sendall(self, data: bytes) -> None:
        self._socket.settimeout(_left(self._deadline))
        self._socket.sendall(data)

    def recv_into(self, buffer: bytearray | memoryview) -> int:
        self._socket.settimeout(_left(self._deadline))
        count = self._socket.recv_into(buffer)
        self.received += count
        return count

    def reader(self) -> io.BufferedReader:
        """Reads a reply; of no use for the next one."""
        return io.BufferedReader(_Reader(self), _BUFFER_BYTES)

    def close(self) -> None:
        self._socket.close()


class _Reader(io.RawIOBase):
    """What a reply is read from. Closing it leaves the connection open."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        return self._connection.recv_into(buffer)


def connect(origin: Origin, deadline: Deadline) -> socket.socket:
    """A connected socket; the time that is left is shared between the addresses of the host."""
    scheme, host, port = origin
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))[:_ADDRESSES]
    failure: OSError = OSError("no address")
    for tried, address in enumerate(addresses):
        try:
            share = _left(deadline) / (len(addresses) - tried)
            plain = socket.create_connection((address, port), share)
            break
        except OSError as error:
            failure = error
    else:
        raise failure
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if scheme == "http":
        return plain
    try:
        plain.settimeout(_left(deadline))
        return tls().wrap_socket(plain, server_hostname=host)
    except BaseException:
        plain.close()
        raise


@cache
def tls() -> ssl.SSLContext:
    """One context for the process: loading the certificate authorities costs 20 ms."""
    context = httpx.create_ssl_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def _left(deadline: Deadline) -> float:
    left = deadline.remaining()
    if left <= 0:
        raise TimeoutError("no time left")
    return left
