"""What a record says of a product besides its price: texts, links, facets. Variants borrow it from their parent."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from decimal import Decimal
from typing import Any, Final, cast
from urllib.parse import urlsplit

from shopping_agent.adapters.catalog.notes import notes_in_description
from shopping_agent.adapters.catalog.plain_text import one_line, plain_text
from shopping_agent.adapters.catalog.words import (
    families_of,
    families_of_tags,
    gender_of_column,
    gender_of_tags,
    split_list,
)
from shopping_agent.domain.catalog import Gender, Notes
from shopping_agent.domain.injection import is_plain
from shopping_agent.domain.values import frozen

MAX_WORD: Final = 120
_MAX_LIST: Final = 50
_MAX_OPTIONS: Final = 10
_MAX_LINK: Final = 2048
_CATEGORY_LEVELS: Final = re.compile(r"\s*>\s*")
_QUOTES: Final = "\"'«»“” "
_NEXT_LINK: Final = re.compile(r"\s*[|\s]\s*|[,;](?=\s*(?:https?:)?//)")


@frozen
class Described:
    """The describing fields of a product, each empty when the record has none."""

    brand: str = ""
    description: str = ""
    url: str = ""
    image_url: str = ""
    gender: Gender | None = None
    families: tuple[str, ...] = ()
    notes: Notes = field(default_factory=Notes)
    accords: tuple[str, ...] = ()
    concentration: str | None = None
    sillage: str | None = None
    longevity: str | None = None
    seasons: tuple[str, ...] = ()
    occasions: tuple[str, ...] = ()

    def over(self, parent: "Described") -> "Described":
        """These fields, and the parent's where there are none."""
        missing = {
            f.name: getattr(parent, f.name)
            for f in fields(self)  # type: ignore[arg-type]
            if f.name != "notes" and not getattr(self, f.name)
        }
        return replace(self, **missing, notes=self.notes if self.notes.all() else parent.notes)


def described(values: Mapping[str, Any]) -> Described:
    """The describing fields of a record's values."""
    description = plain_text(text_of(values, "description"))
    tags = _tags(values)
    return Described(
        brand=_plain(one_line(text_of(values, "brand"))),
        description=description,
        url=link_of(values.get("url")),
        image_url=link_of(values.get("imageUrl")),
        gender=gender_of_column(list_of(values.get("gender"))) or gender_of_tags(tags),
        families=families_of(list_of(values.get("families"))) or families_of_tags(tags),
        notes=_notes(values) or notes_in_description(description),
        accords=list_of(values.get("accords")),
        concentration=one_line(text_of(values, "concentration"), MAX_WORD) or None,
        sillage=one_line(text_of(values, "sillage"), MAX_WORD).casefold() or None,
        longevity=one_line(text_of(values, "longevity"), MAX_WORD).casefold() or None,
        seasons=_lowered(values.get("seasons")),
        occasions=_lowered(values.get("occasions")),
    )


def text_of(values: Mapping[str, Any], column: str) -> str:
    """The text or number of a column, "" for anything else."""
    raw = values.get(column)
    if isinstance(raw, bool) or not isinstance(raw, str | int | Decimal):
        return ""
    return str(raw)


def list_of(raw: Any) -> tuple[str, ...]:
    """A list as the file writes it: a JSON array, or one cell with separators."""
    parts: Iterable[Any] = ()
    if isinstance(raw, str):
        parts = split_list(plain_text(raw))
    elif isinstance(raw, list):
        parts = cast(list[Any], raw)
    words = (one_line(p, MAX_WORD) for p in parts if isinstance(p, str))
    return tuple(dict.fromkeys(word for word in words if _plain(word)))[:_MAX_LIST]


def _plain(word: str) -> str:
    """The word, "" for a sentence to a language model, a link or a price in its place."""
    return word if is_plain(word) else ""


def options_of(raw: Any) -> dict[str, str]:
    """Names and values as written, from an object, a list of names and values, or `size: 30 ml | colour: red`."""
    pairs: Iterable[Sequence[Any]] = ()
    if isinstance(raw, Mapping):
        pairs = tuple(cast(Mapping[str, Any], raw).items())
    elif isinstance(raw, str):
        pairs = [cell.split(":", 1) for cell in raw.split("|") if ":" in cell]
    elif isinstance(raw, list):
        named = [cast(dict[str, Any], one) for one in cast(list[Any], raw) if isinstance(one, dict)]
        pairs = [(one.get("name", ""), one.get("value")) for one in named]
    options = {
        one_line(str(name), MAX_WORD): one_line(str(value), MAX_WORD)
        for name, value in pairs
        if isinstance(value, str | int | Decimal) and not isinstance(value, bool)
    }
    return dict([(k, v) for k, v in options.items() if k and v][:_MAX_OPTIONS])


def link_of(raw: Any) -> str:
    """The first absolute http(s) address of a cell or list, "" without one."""
    cell: Any = cast(Any, raw[0] if isinstance(raw, list) and raw else raw)
    if not isinstance(cell, str) or not cell.strip():
        return ""
    link = _NEXT_LINK.split(cell.strip(), maxsplit=1)[0]
    link = f"https:{link}" if link.startswith("//") else link
    try:
        parts = urlsplit(link)
        absolute = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return ""
    return link if absolute and len(link) <= _MAX_LINK and link.isprintable() else ""


def _lowered(raw: Any) -> tuple[str, ...]:
    return tuple(word.casefold() for word in list_of(raw))


def _tags(values: Mapping[str, Any]) -> list[str]:
    levels = (level for tag in list_of(values.get("tags")) for level in _CATEGORY_LEVELS.split(tag))
    return [level.strip(_QUOTES) for level in levels]


def _notes(values: Mapping[str, Any]) -> Notes | None:
    """The pyramid of the note columns; a flat list without levels counts as heart."""
    raw: Any = values.get("notes")
    levels: Mapping[str, Any] = cast(Mapping[str, Any], raw) if isinstance(raw, Mapping) else {}
    notes = Notes(
        top=list_of(levels.get("top")) or list_of(values.get("notesTop")),
        heart=list_of(levels.get("heart")) or list_of(values.get("notesHeart")) or list_of(raw),
        base=list_of(levels.get("base")) or list_of(values.get("notesBase")),
    )
    return notes if notes.all() else None
