"""What the readers of the expert's data (profile, glossary, rules) share: objects, texts by language, ranges, suggestions."""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final, cast

from shopping_agent.domain.intent import LANGUAGES

_RANGE: Final = re.compile(r"^(.*?)\s*\.\.\s*(.*)$")


def read_object(place: str, given: Any) -> Mapping[str, Any]:
    """A JSON object.

    Raises:
        ValueError: it is none; named by its place.
    """
    if not isinstance(given, Mapping):
        raise ValueError(f"{place} must be an object")
    return cast(Mapping[str, Any], given)


def read_texts(place: str, given: Any) -> Mapping[str, str]:
    """A text by language from JSON.

    Raises:
        ValueError: naming the place.
    """
    if not isinstance(given, Mapping):
        raise ValueError(f"{place} must be an object of texts by language")
    texts = cast(Mapping[str, Any], given)
    for language, text in texts.items():
        if language not in LANGUAGES or not isinstance(text, str) or not text.strip():
            raise ValueError(f"{place}.{language} must be a text, of {', '.join(LANGUAGES)}")
    return texts


def did_you_mean(word: str, known: Sequence[str] | Mapping[str, Any]) -> str:
    near = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def read_range(text: str) -> tuple[str, str] | None:
    """The two ends of `low..high`, "" where one is open; a single value is both. None for what is no range."""
    text = " ".join(text.split())
    found = _RANGE.match(text)
    if found is None:
        return (text, text) if text else None
    low, high = found.group(1), found.group(2)
    return (low, high) if low or high else None


def read_amount(text: str, otherwise: float) -> float | None:
    """An amount in major units; `otherwise` for nothing, None for what is none."""
    if not text:
        return otherwise
    return float(text) if text.replace(".", "", 1).isdecimal() and text.isascii() else None
