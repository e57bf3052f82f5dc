"""Our JSON formats and ACP's: one object a line (JSONL), one array, or `{"products": [...]}`, read object by object."""

import json
import re
from collections.abc import Generator, Mapping
from decimal import Decimal
from typing import Any, Final, TextIO, cast

from shopping_agent.adapters.catalog.acp import acp_records, is_acp
from shopping_agent.adapters.catalog.columns import Columns
from shopping_agent.adapters.catalog.feed_text import FeedText
from shopping_agent.adapters.catalog.fields import Record
from shopping_agent.adapters.catalog.formats import Records, malformed
from shopping_agent.errors import CatalogFileError

MAX_RECORD: Final = 2_000_000
_PIECE: Final = 256 * 1024
_LINES_LOOKED_AT: Final = 20
_LONG_LINE: Final = 32 * 1024
_DOCUMENT_HEAD: Final = 4096
_PRODUCTS: Final = re.compile(r'"products"\s*:\s*\[')
_NEXT: Final = re.compile(r"[\s,]*")
_STRING_END: Final = re.compile(r'["\\]')
_STRUCTURE: Final = re.compile(r'["{}\[\]]')
_READ: Final[dict[str, Any]] = {
    "parse_float": Decimal,
    "parse_constant": Decimal,  # NaN and Infinity: a price that is no number
    "strict": False,
}
_DECODER: Final = json.JSONDecoder(**_READ)


class JsonLinesFeed:
    """One product a line."""

    name = "JSON lines"

    def recognises(self, text: FeedText) -> bool:
        if text.head[0] not in "{[":
            return False
        lines = [line for line in text.head.splitlines() if line.strip()][:_LINES_LOOKED_AT]
        values = [_value(line) for line in lines]
        first: Any = values[0]
        if isinstance(first, dict):
            return not _is_document(cast(dict[str, Any], first))
        if text.head[0] == "[":
            return isinstance(first, list) and len(lines) > 1
        # The first line is broken, or longer than the head.
        cut = len(lines) == 1 and len(lines[0]) >= _LONG_LINE
        return not _PRODUCTS.search(text.head[:_DOCUMENT_HEAD]) and (
            cut or any(isinstance(value, dict) for value in values)
        )

    def records(self, text: FeedText, columns: Columns) -> Records:
        with text.open() as stream:
            for line, content in _lines(stream, text.first_line):
                if content is None:
                    yield malformed(line, f"the line is longer than {MAX_RECORD} characters")
                elif content.strip():
                    value = _value(content)
                    yield from _records(line, value, columns)


class JsonDocumentFeed:
    """One array of products, or an object whose `products` is one."""

    name = "JSON"

    def recognises(self, text: FeedText) -> bool:
        return text.head[0] == "[" or bool(text.head[0] == "{" and _PRODUCTS.search(text.head))

    def records(self, text: FeedText, columns: Columns) -> Records:
        opening = re.match(r"\[", text.head) or _PRODUCTS.search(text.head)
        with text.open() as stream:
            stream.read(opening.end() if opening else 0)
            for ordinal, (found, value) in enumerate(_elements(stream), start=1):
                if found:
                    yield from _records(ordinal, value, columns)
                else:
                    yield malformed(ordinal, "the item is not valid JSON")


def _records(line: int, value: Any, columns: Columns) -> Records:
    if not isinstance(value, dict):
        yield malformed(line, "write one JSON object for each product")
        return
    fields = cast(dict[str, Any], value)
    if is_acp(fields):
        yield from acp_records(line, fields)
        return
    keys = list(fields)
    named = columns.of(keys)
    yield Record(line, {column: fields[keys[at[0]]] for column, at in named.items()})


def _is_document(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("products"), list) and "id" not in value


def _value(text: str) -> Any:
    """The JSON value of a text; None when it is not JSON."""
    try:
        return json.loads(text, **_READ)
    except (ValueError, ArithmeticError, RecursionError):
        return None


def _lines(stream: TextIO, first_line: int) -> Generator[tuple[int, str | None]]:
    """Lines with their numbers; None in place of one that is too long."""
    line = first_line
    while content := stream.readline(MAX_RECORD):
        if content.endswith(("\n", "\r")) or len(content) < MAX_RECORD:
            yield line, content
        else:
            while rest := stream.readline(MAX_RECORD):
                if rest.endswith(("\n", "\r")):
                    break
            yield line, None
        line += 1


def _elements(stream: TextIO) -> Generator[tuple[bool, Any]]:
    """The values of an array whose `[` has been read: (True, value), or (False, None) for a broken one."""
    buffer, position, ended = "", 0, False
    while True:
        position = cast(re.Match[str], _NEXT.match(buffer, position)).end()
        if buffer.startswith("]", position) or (ended and position >= len(buffer)):
            return
        end, found, value = _element(buffer, position, ended=ended)
        if end is not None:
            yield found, value
            position = end
            continue
        buffer, position = buffer[position:], 0
        if len(buffer) > MAX_RECORD:
            raise CatalogFileError("malformed_json", "an item has no end: is a bracket missing?")
        piece = stream.read(max(_PIECE, len(buffer)))
        ended = not piece
        buffer += piece


def _element(buffer: str, position: int, *, ended: bool) -> tuple[int | None, bool, Any]:
    """(end, whether it is JSON, value) of the element at a position; end None when more text is needed."""
    if position >= len(buffer):
        return None, False, None
    try:
        value, end = _DECODER.raw_decode(buffer, position)
        # A bare number may go on in the next piece.
        if buffer[position] in '{["' or end < len(buffer) or ended:
            return end, True, value
    except (ValueError, ArithmeticError, RecursionError):
        end = _end_of(buffer, position)
        if end is not None:
            return end, False, None
    return (len(buffer), False, None) if ended else (None, False, None)


def _end_of(buffer: str, position: int) -> int | None:
    """Where an element ends by its brackets alone; None when it does not end in this text."""
    if buffer[position] not in "{[":
        separator = re.compile(r"[,\]]").search(buffer, position)
        return separator.start() if separator else None
    depth = 0
    while found := _STRUCTURE.search(buffer, position):
        position = found.end()
        if found.group() == '"':
            position = _after_string(buffer, position)
        else:
            depth += 1 if found.group() in "{[" else -1
            if depth == 0:
                return position
    return None


def _after_string(buffer: str, position: int) -> int:
    while found := _STRING_END.search(buffer, position):
        position = found.end()
        if found.group() == '"':
            return position
        position += 1
    return len(buffer)
