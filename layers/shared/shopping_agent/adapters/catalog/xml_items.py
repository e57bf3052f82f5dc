"""The items of an XML feed, cut out of the text one by one: a broken item costs itself only, and none is kept."""

import re
from collections.abc import Generator
from typing import Final, TextIO

from shopping_agent.errors import CatalogFileError

MAX_ITEM: Final = 2_000_000
_PIECE: Final = 256 * 1024
_LONGEST_MARK: Final = 64
_NAME: Final = r"(?:[\w.-]{1,40}:)?(?:item|entry)"
_SKIPPED: Final = {"<!--": "-->", "<![CDATA[": "]]>"}


def xml_items(stream: TextIO) -> Generator[str | None]:
    """The texts of the `<item>` or `<entry>` elements in file order; None for one that is too long or never closes.

    Raises:
        CatalogFileError: a document type or entity declaration, which no feed needs and attacks are made of.
    """
    cutter = _Cutter(stream)
    mark = _next(cutter, _marks(_NAME))
    marks = _marks(re.escape(mark.lstrip("</"))) if mark else _marks(_NAME)
    inside = False
    while mark is not None:
        opens = not mark.startswith("</")
        if inside:
            yield None if opens or cutter.length > MAX_ITEM else cutter.element()
        inside = opens
        if opens:
            cutter.start()
        mark = _next(cutter, marks)
    if inside:
        yield None


def _marks(name: str) -> re.Pattern[str]:
    return re.compile(rf"</?{name}(?=[\s/>])|<!--|<!\[CDATA\[|<!(?i:DOCTYPE|ENTITY)")


def _next(cutter: "_Cutter", marks: re.Pattern[str]) -> str | None:
    mark = cutter.next_mark(marks)
    if mark and mark.startswith("<!"):
        raise CatalogFileError(
            "unsafe_xml", f"the file declares a document type or entities ({mark}): remove it"
        )
    return mark


class _Cutter:
    """A window on a text that remembers where the present element starts."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._text = ""
        self._at: int = 0
        self._mark: int = 0
        self._start: int | None = None
        self._ended = False
        self._gone: int = 0
        self._searched: dict[str, int] = {}

    @property
    def length(self) -> int:
        """Characters since the start of the present element."""
        return 0 if self._start is None else self._at - self._start

    def start(self) -> None:
        """The present element starts at the last mark."""
        self._start = self._mark

    def element(self) -> str:
        """The text from the start of the element to the end of the last mark's tag."""
        closing = self._find(">", self._at)
        end: int = len(self._text) if closing < 0 else closing + 1
        text = self._text[self._start : end]
        self._at, self._start = end, None
        return text

    def next_mark(self, marks: re.Pattern[str]) -> str | None:
        """The next mark outside comments and CDATA; None at the end of the text."""
        while True:
            found = marks.search(self._text, self._at)
            if found and (self._ended or found.end() < len(self._text)):
                self._mark, self._at = found.start(), found.end()
                closing = _SKIPPED.get(found.group())
                if closing is None:
                    return found.group()
                end = self._find(closing, self._at)
                # One that never closes is read as if it had not been opened.
                self._at = self._at if end < 0 else end + len(closing)
            elif not self._more(found.start() if found else len(self._text) - _LONGEST_MARK):
                return None

    def _find(self, text: str, at: int) -> int:
        """Where a text stands behind a place of the window, not further than an item may be long; else -1."""
        while True:
            # What was searched for another mark in vain is not searched again.
            searched = self._searched.get(text, 0) - self._gone
            end = self._text.find(text, max(at, searched))
            if end >= 0:
                return end
            self._searched[text] = self._gone + max(0, len(self._text) - len(text) + 1)
            if len(self._text) - at > MAX_ITEM or not self._read():
                return -1

    def _more(self, keep: int) -> bool:
        """Read on; what stands before the element, or before `keep` without one, is let go."""
        self._at = max(self._at, min(keep, len(self._text)))
        if self._start is not None and self.length > MAX_ITEM:
            self._start = self._at - MAX_ITEM - 1
        gone = self._at if self._start is None else self._start
        self._text = self._text[gone:]
        self._gone += gone
        self._at, self._mark = self._at - gone, self._mark - gone
        self._start = None if self._start is None else 0
        return self._read()

    def _read(self) -> bool:
        piece = "" if self._ended else self._stream.read(_PIECE)
        self._ended = self._ended or not piece
        self._text += piece
        return bool(piece)
