"""Google's product data as XML: the items of an RSS or the entries of an Atom feed."""

import html
import re
from typing import Any, Final
from xml.parsers import expat
from xml.sax.saxutils import escape

from shopping_agent.adapters.catalog.columns import Columns
from shopping_agent.adapters.catalog.csv_feed import with_size_option
from shopping_agent.adapters.catalog.feed_text import FeedText
from shopping_agent.adapters.catalog.fields import Record
from shopping_agent.adapters.catalog.formats import Records, malformed
from shopping_agent.adapters.catalog.xml_items import xml_items
from shopping_agent.errors import CatalogFileError

_MAX_DEPTH: Final = 40
_MAX_FIELDS: Final = 1000
_GOOGLE_PREFIX: Final = re.compile(r"""xmlns:([\w.-]+)\s*=\s*["']https?://base\.google\.com/ns/1""")
_PREDEFINED: Final = frozenset({"amp", "lt", "gt", "quot", "apos"})
_REFERENCE: Final = re.compile(r"&(?:(#\d{1,7};|#[xX][\da-fA-F]{1,6};)|([A-Za-z][\w.-]{0,40});)?")
_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_CDATA: Final = re.compile(r"(<!\[CDATA\[.*?\]\]>)", re.DOTALL)


class GoogleXmlFeed:
    """RSS 2.0 or Atom with Google's `g:` elements."""

    name = "Google XML"

    def recognises(self, text: FeedText) -> bool:
        return text.head[0] == "<" and not re.match(r"(?is)(?:<!doctype\s+html|<html)", text.head)

    def records(self, text: FeedText, columns: Columns) -> Records:
        declared = _GOOGLE_PREFIX.search(text.head)
        prefix = declared.group(1) if declared else "g"
        ordinal = 0
        with text.open() as stream:
            for ordinal, item in enumerate(xml_items(stream), start=1):
                fields = None if item is None else _fields(item, prefix)
                if fields is None:
                    yield malformed(ordinal, "the item is not well-formed XML")
                    continue
                keys = list(fields)
                values: dict[str, Any] = {
                    c: fields[keys[at[0]]] for c, at in columns.of(keys).items()
                }
                yield Record(ordinal, with_size_option(values))
        if not ordinal:
            raise CatalogFileError("unknown_format", "the XML has neither an <item> nor an <entry>")


def _fields(item: str, prefix: str) -> dict[str, str] | None:
    """The fields of an item by name; None when it cannot be read even with its slips mended."""
    return _parsed(item, prefix) or _parsed(_mended(item), prefix)


def _parsed(item: str, prefix: str) -> dict[str, str] | None:
    reader = _ItemReader(prefix)
    try:
        reader.parse(item)
    except (expat.ExpatError, ValueError):
        return None
    return reader.fields()


def _mended(item: str) -> str:
    """An item without the slips of real feeds: bare `&`, HTML's entities, control characters."""

    def reference(found: re.Match[str]) -> str:
        number, name = found.groups()
        if number and not _CONTROLS.search(html.unescape(found.group())):
            return found.group()
        if name in _PREDEFINED:
            return found.group()
        known = html.unescape(found.group()) if name else found.group()
        return escape("" if number else known)

    parts = _CDATA.split(_CONTROLS.sub("", item))
    return "".join(
        part if part.startswith("<![CDATA[") else _REFERENCE.sub(reference, part) for part in parts
    )


class _ItemReader:
    """Reads the children of one element; what is nested deeper (shipping, tax) is no field, save markup in a text."""

    _TEXTS: Final = frozenset({"description", "summary", "content", "title"})
    _NAMES: Final = {"summary": "description", "content": "description"}

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._depth = 0
        self._name = ""
        self._parts: list[str] = []
        self._plain: dict[str, str] = {}
        self._google: dict[str, str] = {}

    def parse(self, item: str) -> None:
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        parser.Parse(item.encode("utf-8", "ignore"), True)

    def fields(self) -> dict[str, str]:
        """Google's own elements before those of RSS or Atom that are named alike."""
        return {**self._google, **{k: v for k, v in self._plain.items() if k not in self._google}}

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ValueError("too deep")
        if self._depth == 2:
            self._name, self._parts = name, []
            if name.endswith("link") and attributes.get("rel", "alternate") == "alternate":
                self._parts.append(attributes.get("href", ""))
        elif self._depth > 2 and self._is_text():
            self._parts.append(f"<{name.rpartition(':')[2]}>")

    def _end(self, name: str) -> None:
        self._depth -= 1
        if self._depth > 1 and self._is_text():
            self._parts.append(f"</{name.rpartition(':')[2]}>")
        elif self._depth == 1:
            self._keep()

    def _characters(self, data: str) -> None:
        if self._depth == 2 or (self._depth > 2 and self._is_text()):
            self._parts.append(data)

    def _keep(self) -> None:
        """Keep a field: the first of a name, of product types all."""
        prefix, _, name = self._name.rpartition(":")
        if prefix not in ("", self._prefix, "atom") or len(self._plain) >= _MAX_FIELDS:
            return
        fields = self._google if prefix == self._prefix else self._plain
        name, value = self._NAMES.get(name, name), "".join(self._parts).strip()
        if name == "product_type" and fields.get(name):
            fields[name] = f"{fields[name]},{value}"
        elif value and not fields.get(name):
            fields[name] = value

    def _is_text(self) -> bool:
        return self._name.rpartition(":")[2] in self._TEXTS

    def _refuse(self, *_: Any) -> None:
        raise ValueError("declarations are refused")
