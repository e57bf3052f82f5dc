"""Which column a header names. The headers are data: `columns.json` of the store pack, which a merchant may extend."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

from shopping_agent.domain.text import fold
from shopping_agent.errors import ConfigurationError

FILE: Final = "columns.json"
DEFAULT: Final = Path(__file__).parents[2] / "store_pack" / FILE
KINDS: Final = ("table", "shopify", "woocommerce")
MAX_COLUMNS: Final = 1000
_MAX_HEADER: Final = 200
_MAX_NUMBERED: Final = 30
_IN_BRACKETS: Final = re.compile(r"\(.*?\)|\[.*?\]")
_GOOGLE_PREFIX: Final = re.compile(r"^\s*g:", re.IGNORECASE)
_WORDS: Final = re.compile(r"[^\W_]+")
_SMALL_WORDS: Final = frozenset(["de", "du", "des", "d", "la", "le", "les", "l", "of", "the"])
_SHORT: Final[Mapping[str, str]] = {
    **dict.fromkeys(("no", "n", "nr", "num", "numero"), "number"),
    **dict.fromkeys(("nb", "nbr", "nbre"), "nombre"),
    "ref": "reference",
    "qte": "quantite",
    "qty": "quantity",
    "prod": "product",
    "pu": "prixunitaire",
    "px": "prix",
    "desc": "description",
}
Headers = Mapping[str, Mapping[str, Sequence[str]]]


@lru_cache(maxsize=4096)
def header_key(header: str) -> str:
    """A header without case, accents, spaces and punctuation."""
    return "".join(c for c in fold(_GOOGLE_PREFIX.sub("", header)) if c.isalnum())


def _plain_key(header: str) -> str:
    """As `header_key`, without articles, and with short words in full: `Item No.`, `Qté en stock`."""
    words: list[str] = _WORDS.findall(fold(_GOOGLE_PREFIX.sub("", header)))
    kept = [w for w in words if w not in _SMALL_WORDS]
    return "".join(_SHORT.get(w, w) for w in kept)


class Columns:
    """What headers mean, by kind of file. Numbered columns (`option{n} name`) become `optionName1`, `optionName2`, ...

    Args:
        headers: kind -> column -> headers that name it, the better ones first.
    """

    def __init__(self, headers: Headers) -> None:
        self._kinds = {kind: _ranked(headers.get(kind, {})) for kind in KINDS}
        self._of = lru_cache(maxsize=256)(self._ranked_positions)

    @classmethod
    def from_document(cls, own: Any, base: "Headers | None" = None) -> "Columns":
        """The headers of a document before those of a base.

        Raises:
            ConfigurationError: naming what is wrong in the document.
        """
        checked = _checked(own)
        merged: dict[str, dict[str, list[str]]] = {}
        for document in (checked, base or {}):
            for kind, columns in document.items():
                for column, headers in columns.items():
                    merged.setdefault(kind, {}).setdefault(column, []).extend(headers)
        return cls(merged)

    def of(self, headers: Iterable[str], kind: str = "table") -> dict[str, tuple[int, ...]]:
        """Column -> positions of the headers that name it, the better ones first.

        A header that the kind does not know counts as in any table, after those that it knows.
        """
        return self._of(tuple(headers)[:MAX_COLUMNS], kind)

    def known(self, headers: Iterable[str], kind: str) -> set[str]:
        """The columns of a kind's own that the headers name."""
        return {found[0] for h in headers if (found := _find(self._kinds[kind], h))}

    def _ranked_positions(self, headers: tuple[str, ...], kind: str) -> dict[str, tuple[int, ...]]:
        found: dict[str, list[tuple[bool, int, int]]] = {}
        for position, header in enumerate(headers):
            native = _find(self._kinds[kind], header)
            named = native or _find(self._kinds["table"], header)
            if named:
                found.setdefault(named[0], []).append((native is None, named[1], position))
        return {column: tuple(p for *_, p in sorted(ranked)) for column, ranked in found.items()}


@lru_cache(maxsize=1)
def default_headers() -> Headers:
    """The headers of the default store pack."""
    return _checked(json.loads(DEFAULT.read_bytes()))


@lru_cache(maxsize=1)
def default_columns() -> Columns:
    return Columns(default_headers())


def _find(ranked: Mapping[str, tuple[str, int]], header: str) -> tuple[str, int] | None:
    """The column of a header, else of it without small words, else of what stands before its brackets: `Prix (DH)`."""
    if len(header) > _MAX_HEADER:
        return None
    found = ranked.get(header_key(header)) or ranked.get(_plain_key(header))
    if found is None and ("(" in header or "[" in header):
        found = _find(ranked, _IN_BRACKETS.sub(" ", header).replace("(", " ").replace("[", " "))
    return found


def _ranked(columns: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, int]]:
    ranked: dict[str, tuple[str, int]] = {}
    listed = [(c, rank, h) for c, headers in columns.items() for rank, h in enumerate(headers)]
    for key in (header_key, _plain_key):
        for column, rank, header in listed:
            if "{n}" not in header:
                ranked.setdefault(key(header), (column, rank))
    for column, rank, header in listed:
        for n in range(1, _MAX_NUMBERED + 1) if "{n}" in header else ():
            ranked.setdefault(header_key(header.replace("{n}", str(n))), (f"{column}{n}", rank))
    ranked.pop("", None)
    return ranked


def _checked(document: Any) -> Headers:
    if not isinstance(document, dict):
        raise ConfigurationError(f"store pack: {FILE} must be an object")
    for kind, columns in cast(dict[str, Any], document).items():
        if kind not in KINDS or not isinstance(columns, dict):
            raise ConfigurationError(
                f"store pack: {FILE}: {kind} must be one of {', '.join(KINDS)}"
            )
        for column, headers in cast(dict[str, Any], columns).items():
            listed = cast(list[Any], headers) if isinstance(headers, list) else [None]
            if not all(isinstance(header, str) for header in listed):
                raise ConfigurationError(
                    f"store pack: {FILE}: {kind}.{column} must be a list of texts"
                )
    return cast(Headers, document)
