"""A catalog file's bytes as text: spooled to disk, its encoding told from its content, never from its name."""

import codecs
import io
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from typing import IO, BinaryIO, Final, TextIO

from shopping_agent.domain.values import frozen
from shopping_agent.errors import CatalogFileError

MAX_FILE_BYTES: Final = 256 * 1024 * 1024
_IN_MEMORY: Final = 4 * 1024 * 1024
_PIECE: Final = 256 * 1024
_HEAD: Final = 64 * 1024
_BLANK: Final = b" \t\r\n"
# Our name of an encoding, and of the handler of its errors.
_MIXED: Final = "utf-8-or-windows-1252"
# What a person may upload in place of text, by its first bytes.
_BINARY: Final = {
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\x1f\x8b": "a gzip archive",
    b"%PDF": "a PDF",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
}
_CONTROLS: Final = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))
_MOST_CONTROLS: Final = 0.05
# UTF-32's little-endian mark begins as UTF-16's does.
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@frozen
class FeedText:
    """The text of a file, blank lines before its first one skipped.

    Attributes:
        head: its first 64 Ki characters at most.
        first_line: physical line on which the text starts, from 1.
    """

    spool: IO[bytes]
    encoding: str
    start: int
    first_line: int
    head: str

    @contextmanager
    def open(self) -> Generator[TextIO]:
        """The text from its start, line ends as they are. One reader at a time."""
        self.spool.seek(self.start)
        reader = _text(self.spool, self.encoding)
        try:
            yield reader
        finally:
            reader.detach()


@contextmanager
def feed_text(body: BinaryIO) -> Generator[FeedText]:
    """Read a file to its end and open it as text.

    Without a byte order mark the bytes are UTF-8, and those that are not valid as such are Windows-1252: files that several
    programs wrote have both.

    Raises:
        CatalogFileError: when it is empty, too large, or no text at all.
    """
    with tempfile.SpooledTemporaryFile[bytes](max_size=_IN_MEMORY) as spool:
        is_utf8 = _copy(body, spool)
        spool.seek(0)
        head = spool.read(_HEAD)
        blank = len(head) - len(head.lstrip(_BLANK))
        what = next((text for magic, text in _BINARY.items() if head.startswith(magic)), None)
        if what:
            raise CatalogFileError("not_text", f"the file is {what}: export it as CSV or JSON")
        marked = any(head.startswith(bom, blank) for bom, _ in _BOMS)
        if not marked and _is_binary(head):
            raise CatalogFileError("not_text", "the file is no text, or UTF-16 without its mark")
        encoding, mark = next(
            ((name, len(bom)) for bom, name in _BOMS if head.startswith(bom, blank)),
            ("utf-8" if is_utf8 else _MIXED, 0),
        )
        lines = _lines(head[:blank].decode("ascii"))
        yield _skip_blank(spool, encoding, blank + mark, 1 + lines)


def _is_binary(head: bytes) -> bool:
    """Whether the bytes are of an image, a database and the like: text has next to no control characters."""
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return controls > len(head) * _MOST_CONTROLS


def _copy(body: BinaryIO, spool: IO[bytes]) -> bool:
    """Copy a file; whether it is valid UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    valid, size = True, 0
    while piece := body.read(_PIECE):
        size += len(piece)
        if size > MAX_FILE_BYTES:
            limit = MAX_FILE_BYTES // 1024 // 1024
            raise CatalogFileError("file_too_large", f"the file is larger than {limit} MB")
        spool.write(piece)
        if valid:
            valid = _decodes(decoder, piece)
    return valid and _decodes(decoder, b"", final=True)


def _decodes(decoder: codecs.IncrementalDecoder, piece: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(piece, final)
    except UnicodeDecodeError:
        return False
    return True


def _skip_blank(spool: IO[bytes], encoding: str, start: int, first_line: int) -> FeedText:
    """The text from its first line that is not blank."""
    spool.seek(start)
    reader = _text(spool, encoding)
    try:
        head = reader.read(_HEAD)
    finally:
        reader.detach()
    text = head.lstrip(" \t\r\n\ufeff")
    if not text.strip("\x00"):
        raise CatalogFileError("empty_file", "the file has no rows")
    skipped = head[: len(head) - len(text)]
    return FeedText(
        spool=spool,
        encoding=encoding,
        start=start + len(skipped.encode("utf-8" if encoding == _MIXED else encoding)),
        first_line=first_line + _lines(skipped),
        head=text,
    )


def _text(spool: IO[bytes], encoding: str) -> io.TextIOWrapper:
    if encoding == _MIXED:
        return io.TextIOWrapper(spool, encoding="utf-8", errors=_MIXED, newline="")
    return io.TextIOWrapper(spool, encoding=encoding, errors="ignore", newline="")


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    """What is no UTF-8, as Windows-1252; bytes that have no meaning there either are left out."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "ignore"), error.end


codecs.register_error(_MIXED, _as_windows_1252)


def _lines(text: str) -> int:
    return len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")) - 1
