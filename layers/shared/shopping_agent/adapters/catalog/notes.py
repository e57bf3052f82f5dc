"""The note pyramid that some descriptions spell out: `Top: a, b`, `Heart: c`, `Base: d`."""

import re
from typing import Final

from shopping_agent.adapters.catalog.words import split_list
from shopping_agent.domain.catalog import Notes
from shopping_agent.domain.text import fold

_LABELLED: Final = re.compile(r"^[\s•*–-]*([^:：\n]{2,30}?)\s*[:：]\s*(\S.{0,400})$", re.MULTILINE)
_LABEL_WORDS: Final = frozenset(
    [
        "notes",
        "note",
        "de",
        "of",
        "the",
        "les",
        "olfactives",
        "du",
        "parfum",
        "النوتات",
        "نوتات",
        "النوته",
        "نوته",
        "العطر",
        "النفحات",
    ]
)
_WORD: Final = re.compile(r"[^\W_]+")
_LEVELS: Final = {
    **dict.fromkeys(
        ("top", "head", "tete", "المقدمه", "مقدمه", "القمه", "العليا", "الافتتاحيه"), "top"
    ),
    **dict.fromkeys(("heart", "middle", "coeur", "القلب", "قلب", "الوسطي"), "heart"),
    **dict.fromkeys(("base", "fond", "القاعده", "قاعده", "الاساسيه", "القاعديه"), "base"),
}
_MAX_NOTES: Final = 50
_MAX_WORD: Final = 120


def notes_in_description(description: str) -> Notes:
    """The notes of the labelled lines of a plain-text description, when at least two levels are there."""
    found: dict[str, tuple[str, ...]] = {}
    for label, listed in _LABELLED.findall(description):
        words = [w for w in _WORD.findall(fold(label)) if w not in _LABEL_WORDS]
        level = _LEVELS.get(words[0]) if len(words) == 1 else None
        if level and level not in found:
            parts = (part.strip(" .")[:_MAX_WORD] for part in split_list(listed))
            found[level] = tuple(part for part in parts if part)[:_MAX_NOTES]
    if len(found) < 2:
        return Notes()
    return Notes(found.get("top", ()), found.get("heart", ()), found.get("base", ()))
