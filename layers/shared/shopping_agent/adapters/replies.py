"""Reads one HTTP/1.1 reply whole: status, header fields and a bounded body.

In place of `http.client`'s reader, whose header fields go through an e-mail parser: a third of what a call costs. Its
exceptions are used: `BadStatusLine`, `LineTooLong`, `IncompleteRead`, or `HTTPException` for the rest.
"""

import io
from collections.abc import Iterator
from http.client import (
    BadStatusLine,
    HTTPException,
    IncompleteRead,
    LineTooLong,
    RemoteDisconnected,
)
from typing import Final

from shopping_agent.domain.values import frozen

_LINE_BYTES: Final = 65_536
_FIELDS: Final = 100
_INTERIM: Final = range(100, 200)
_WITHOUT_BODY: Final = (204, 304)
_PIECE: Final = 64 * 1024
_HEXADECIMAL: Final = b"0123456789abcdefABCDEF"

Field = tuple[bytes, bytes]


@frozen
class Reply:
    """A reply. `keeps`: the connection may carry another request."""

    status: int
    fields: list[Field]
    body: bytes
    keeps: bool


def read_reply(stream: io.BufferedReader, *, method: str, max_bytes: int) -> Reply:
    """The next reply of a connection.

    Raises:
        HTTPException: it is no HTTP/1.x, is cut off, is encoded, or its body is larger than `max_bytes`.
        OSError: the connection broke, or its time is over.
    """
    version, status = _status(stream)
    fields = list(_fields(stream))
    while status in _INTERIM:
        version, status = _status(stream)
        fields = list(_fields(stream))
    named = {name.lower(): value for name, value in reversed(fields)}
    if named.get(b"content-encoding", b"identity").lower() != b"identity":
        raise HTTPException("an encoding not asked for")
    chunked = named.get(b"transfer-encoding", b"").lower() == b"chunked"
    length = None if chunked else _length(named.get(b"content-length"))
    if method == "HEAD" or status in _WITHOUT_BODY:
        chunked, length = False, 0
    pieces = _chunks(stream) if chunked else _pieces(stream, length)
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > max_bytes:
            raise HTTPException("reply too large")
    ends = length is None and not chunked
    return Reply(status, fields, bytes(body), not ends and _stays(version, named))


def _line(stream: io.BufferedReader) -> bytes:
    """The next line, without its end.

    Raises:
        IncompleteRead: the connection ended before the line did.
    """
    line = stream.readline(_LINE_BYTES + 1)
    if len(line) > _LINE_BYTES:
        raise LineTooLong("a line of the reply")
    if not line.endswith(b"\n"):
        raise IncompleteRead(line)
    return line.rstrip(b"\r\n")


def _status(stream: io.BufferedReader) -> tuple[bytes, int]:
    try:
        line = _line(stream)
    except IncompleteRead as cut:
        if not cut.partial:
            raise RemoteDisconnected("closed without a reply") from None
        raise
    version, _, rest = line.partition(b" ")
    code = rest.strip()[:3]
    if not version.startswith(b"HTTP/1.") or not code.isdigit() or len(code) != 3:
        raise BadStatusLine(repr(line[:100]))
    return version, int(code)


def _fields(stream: io.BufferedReader) -> Iterator[Field]:
    for number, line in enumerate(_lines(stream)):
        if number >= _FIELDS:
            raise HTTPException("too many header fields")
        name, colon, value = line.partition(b":")
        if colon:
            yield name.strip(), value.strip()


def _lines(stream: io.BufferedReader) -> Iterator[bytes]:
    """The lines up to an empty one; a line that goes on with white space is one with the line before it."""
    line = _line(stream)
    while line:
        following = _line(stream)
        if following[:1] in (b" ", b"\t"):
            line += b" " + following.strip()
            if len(line) > _LINE_BYTES:
                raise LineTooLong("a header field")
            continue
        yield line
        line = following


def _length(stated: bytes | None) -> int | None:
    """The body's length; None when it is not stated so that it can be read."""
    return int(stated) if stated is not None and stated.isdigit() else None


def _pieces(stream: io.BufferedReader, length: int | None) -> Iterator[bytes]:
    """A body of a length, or up to the end of the connection."""
    left = length
    while left is None or left > 0:
        piece = stream.read1(_PIECE if left is None else min(_PIECE, left))
        if not piece:
            break
        yield piece
        left = None if left is None else left - len(piece)
    if left:
        raise IncompleteRead(b"", left)


def _chunks(stream: io.BufferedReader) -> Iterator[bytes]:
    while size := _chunk_size(_line(stream)):
        yield from _pieces(stream, size)
        if _line(stream):
            raise HTTPException("a chunk longer than it says")
    for _ in _fields(stream):
        pass  # trailers


def _chunk_size(line: bytes) -> int:
    stated = line.partition(b";")[0].strip()
    if not stated or stated.strip(_HEXADECIMAL):
        raise HTTPException("not the size of a chunk")
    return int(stated, 16)


def _stays(version: bytes, named: dict[bytes, bytes]) -> bool:
    wish = named.get(b"connection", b"").lower()
    return b"close" not in wish if version != b"HTTP/1.0" else b"keep-alive" in wish
