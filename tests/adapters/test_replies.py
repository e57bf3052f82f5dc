"""Replies as servers and proxies write them, byte by byte as they may arrive."""

import io
from http.client import HTTPException, IncompleteRead, RemoteDisconnected
from typing import Any

import pytest
from shopping_agent.adapters.replies import Reply, read_reply

OK = b"HTTP/1.1 200 OK\r\n"


class Dripping(io.RawIOBase):
    """A peer that sends a few bytes at a time and then ends."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data = data
        self._size = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        piece = self._data[: min(self._size, len(buffer))]
        self._data = self._data[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)


@pytest.fixture(params=[1, 7, 100_000], ids=lambda size: f"{size} bytes at a time")
def read(request):
    def read(data: bytes, *, method: str = "POST", max_bytes: int = 1000) -> Reply:
        stream: Any = io.BufferedReader(Dripping(data, request.param), 64 * 1024)
        return read_reply(stream, method=method, max_bytes=max_bytes)

    return read


@pytest.mark.parametrize(
    ("data", "body", "keeps"),
    [
        (OK + b"Content-Length: 3\r\n\r\nabcNEXT", b"abc", True),
        (OK + b"content-length:0\r\n\r\n", b"", True),
        (OK + b"\r\nup to the end", b"up to the end", False),
        (OK + b"Content-Length: many\r\n\r\nabc", b"abc", False),
        (OK + b"Content-Length: -3\r\n\r\nabc", b"abc", False),
        (OK + b"Content-Length: 3\r\nConnection: Close\r\n\r\nabc", b"abc", False),
        (OK + b"Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nT: r\r\n\r\n",
         b"abc0123456789", True),
        (OK + b"Transfer-Encoding: chunked\r\nContent-Length: 99\r\n\r\n1\r\na\r\n0\r\n\r\n", b"a", True),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", b"a", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\na", b"a", True),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n" + OK + b"Content-Length: 1\r\n\r\na",
         b"a", True),
        (b"HTTP/1.1 204\r\n\r\n", b"", True),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", b"", True),
        (OK + b"no field at all\r\nContent-Length: 1\r\n\r\na", b"a", True),
        (b"HTTP/1.1 200 OK\nContent-Length: 1\n\na", b"a", True),
    ],
)  # fmt: skip
def test_a_reply_is_read_up_to_its_own_end(read, data, body, keeps) -> None:
    reply = read(data)
    assert (reply.body, reply.keeps) == (body, keeps)


def test_the_reply_to_head_has_no_body_whatever_it_says(read) -> None:
    reply = read(OK + b"Content-Length: 5\r\n\r\n", method="HEAD")
    assert (reply.body, reply.keeps) == (b"", True)


def test_fields_come_in_order_with_those_that_go_on_joined(read) -> None:
    reply = read(OK + b"A: 1\r\nB:  two \r\n\tlines\r\nA: 3\r\nContent-Length: 0\r\n\r\n")
    assert reply.fields[:3] == [(b"A", b"1"), (b"B", b"two  lines"), (b"A", b"3")]


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1",
        OK,
        OK + b"Content-Len",
        OK + b"Content-Length: 3\r\n",
        OK + b"Content-Length: 3\r\n\r\nab",
        OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\nab",
        OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n",
    ],
)
def test_a_reply_that_is_cut_anywhere_is_never_half_an_answer(read, data) -> None:
    with pytest.raises((IncompleteRead, RemoteDisconnected)):
        read(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\r\n\r\n",
        b"ICY 200 OK\r\n\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 2x0 OK\r\n\r\n",
        b"HTTP/1.1 20\r\n\r\n",
        OK + b"Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\na",
        OK + b"Content-Length: 1001\r\n\r\n" + b"a" * 1001,
        OK + b"\r\n" + b"a" * 1001,
        OK + b"Transfer-Encoding: chunked\r\n\r\n-3\r\nabc\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n\r\nabc\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
        OK + b"a: b\r\n" * 101 + b"\r\n",
        OK + b"a: " + b"b" * 70_000 + b"\r\n\r\n",
        OK + b"a: b\r\n" + (b" " + b"b" * 30_000 + b"\r\n") * 3 + b"\r\n",
    ],
)
def test_what_is_no_proper_reply_is_refused(read, data) -> None:
    with pytest.raises(HTTPException):
        read(data)
