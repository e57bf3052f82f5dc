"""Reads the expert of a store pack (`profile.json`, `glossary.json`, `rules.csv`), and keeps the last good one.

The table is a CSV as spreadsheets write it: UTF-8 with or without a byte order mark, or UTF-16; commas, semicolons or tabs.
"""

import csv
import io
import threading
import time
from collections.abc import Callable
from typing import Final

from shopping_agent.adapters.catalog.store_pack import Read, pack_document, pack_reader
from shopping_agent.domain.glossary import Glossary
from shopping_agent.domain.profile import ProfileSchema
from shopping_agent.domain.recommendation import Expert
from shopping_agent.domain.rules_table import TABLE, read_rules
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.errors import ConfigurationError
from shopping_agent.observability import logger

PROFILE, GLOSSARY = "profile.json", "glossary.json"
FILES: Final = (PROFILE, GLOSSARY, TABLE)
# How old what is in use may be before a place other than the package is looked at again.
REFRESH_SECONDS: Final = 60.0
_BUCKET: Final = "s3://"
_DELIMITERS: Final = ",;\t"

Contents = tuple[bytes, ...]
"""The three files, in the order of `FILES`."""


def load_expert(location: str, vocabulary: Vocabulary, *, endpoint_url: str = "") -> Expert:
    """The expert of a place. Each file that is missing there is the default pack's.

    Args:
        location: "" for the default pack, a folder, or `s3://bucket/prefix`.
        vocabulary: the store's words, in which the glossary's values and the catalog's are canonical.

    Raises:
        ConfigurationError: naming the file, the row or term, its field and what would work.
    """
    return _expert(_contents(pack_reader(location, endpoint_url)), vocabulary)


class ExpertFiles:
    """The expert in use. A place of the operator's own is looked at again each minute; what is wrong there changes nothing.

    Args:
        clock: seconds, monotonic.
    """

    def __init__(
        self,
        location: str,
        vocabulary: Vocabulary,
        *,
        endpoint_url: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._location = location
        self._vocabulary = vocabulary
        self._endpoint_url = endpoint_url
        self._clock = clock
        self._lock = threading.Lock()
        self._read_at = 0.0
        self._contents: Contents = ()
        self._expert: Expert | None = None

    def current(self) -> Expert:
        """The last good expert.

        Raises:
            ConfigurationError: there was never a good one.
        """
        with self._lock:
            if self._expert is None:
                self._expert = self._first()
            elif self._location and self._clock() - self._read_at >= REFRESH_SECONDS:
                self._read_at = self._clock()
                if self._location.startswith(_BUCKET):
                    # No shopper waits for a bucket: the next one has what it holds.
                    good = self._expert
                    threading.Thread(target=self._refresh, daemon=True).start()
                    return good
                self._refresh()
            return self._expert

    def _first(self) -> Expert:
        """A bucket may hold a wrong one that was uploaded since: its good rows must do until it is mended."""
        self._read_at = self._clock()
        contents = self._read()
        try:
            expert = _expert(contents, self._vocabulary)
        except ConfigurationError as error:
            if not self._location.startswith(_BUCKET):
                raise
            logger.error("rules_refused", extra={"reason": str(error)})
            return _expert(contents, self._vocabulary, left_out=[])
        self._contents = contents
        return expert

    def _refresh(self) -> None:
        try:
            contents = self._read()
            if contents != self._contents:
                self._expert = _expert(contents, self._vocabulary)
                self._contents = contents
        except ConfigurationError as error:
            logger.warning("rules_refused", extra={"reason": str(error)})

    def _read(self) -> Contents:
        return _contents(pack_reader(self._location, self._endpoint_url))


def _contents(read: Read) -> Contents:
    standard = pack_reader("", "")
    found: list[bytes] = []
    for name in FILES:
        content = read(name)
        found.append((standard(name) or b"") if content is None else content)
    return tuple(found)


def _expert(
    contents: Contents, vocabulary: Vocabulary, *, left_out: list[str] | None = None
) -> Expert:
    profile, glossary, table = contents
    name = PROFILE
    try:
        schema = ProfileSchema.from_document(pack_document(name, profile))
        name = GLOSSARY
        terms = Glossary.from_document(pack_document(name, glossary), vocabulary)
        name = TABLE
        header, *rows = _rows(table)
        rules = read_rules(header[1], rows, schema, terms, left_out=left_out)
        return Expert(schema, terms, rules)
    except ValueError as error:
        raise ConfigurationError(f"store pack: {name}: {error}") from error


def _rows(table: bytes) -> list[tuple[int, list[str]]]:
    """The rows of the table with the line that each starts on, the header first."""
    encoding = "utf-16" if table[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = table.decode(encoding)
    except UnicodeDecodeError as error:
        raise ValueError("it must be UTF-8: save it as 'CSV UTF-8'") from error
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    rows: list[tuple[int, list[str]]] = []
    start = 1
    try:
        for cells in reader:
            rows.append((start, cells))
            start = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(f"row {start}: {error}: a quote is not closed, or not doubled") from error
    if not rows:
        raise ValueError("the table is empty: it needs its header")
    return rows
