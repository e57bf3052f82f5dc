"""Text folded for comparison: one form for case, accents, Arabic letter variants, digits and punctuation."""

import re
import unicodedata
from typing import Final

from shopping_agent.domain.patterns import late

_LETTERS: Final = str.maketrans(
    {
        # Letters that stay are told too: one that the table lacks costs five times the time of one that it has.
        **{chr(code): chr(code) for code in range(0x20, 0x700)},
        **dict.fromkeys("أإآٱ", "ا"),
        "ى": "ي",
        "ئ": "ي",
        "ؤ": "و",
        "ة": "ه",
        "ـ": "",  # tatweel
        "گ": "ك",
        "ڭ": "ك",
        "پ": "ب",
        "ڤ": "ف",
        "œ": "oe",
        "æ": "ae",
        "ß": "ss",
        "’": "'",
        "ʼ": "'",
        "٫": ".",
        "٬": ",",
        **{chr(0x660 + i): str(i) for i in range(10)},
        **{chr(0x6F0 + i): str(i) for i in range(10)},
    }
)
# Combining accents and Arabic vowel marks (with the hamza that decomposition sets apart).
_MARKS: Final = (
    *range(0x300, 0x370),
    *range(0x610, 0x61B),
    *range(0x64B, 0x660),
    0x670,
    *range(0x6D6, 0x6DD),
    *range(0x6DF, 0x6E5),
    0x6E7,
    0x6E8,
    *range(0x6EA, 0x6EE),
    *range(0xFE20, 0xFE30),
)
# One table, one pass: a pattern of these ranges takes as long to compile as a message to read.
_FOLDED: Final = {**_LETTERS, **dict.fromkeys(_MARKS)}
_WORD: Final = re.compile(r"[^\W_]+(?:'(?=[^\W_]))?", re.UNICODE)
_SIZE: Final = late(r"[-–—,/·(]*\s*\d+\s*(?:ml|مل)\b\)?", re.IGNORECASE)


def fold(text: str) -> str:
    """Lower case without accents or Arabic diacritics, letter variants unified, digits as 0-9.

    Punctuation and spacing stay. Source of the Arabic letter classes: the usual light normalisation
    (alef forms, alef maqsura, ta marbuta, hamza carriers, tatweel).
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return decomposed.translate(_FOLDED)


def words(text: str) -> list[str]:
    """The folded words of a text, without punctuation: `"L'Été, 50 ml"` -> `["l'", "ete", "50", "ml"]`."""
    return _WORD.findall(fold(text))


def name_key(name: str) -> str:
    """The key under which a product name is looked up: its folded words joined by one space."""
    return " ".join(words(name))


def family_name(name: str) -> str:
    """A name without its size: what the variants of one product share."""
    return " ".join(_SIZE().sub(" ", name).split()).rstrip(" -–—,/·(") or name


def family_key(name: str) -> str:
    """The key of a name without its size."""
    return name_key(family_name(name))


def name_keys(text: str, longest: int = 8, most: int = 200) -> list[str]:
    """Every run of up to `longest` words of a message, as name keys, without repeats, at most `most`."""
    tokens = words(text)
    keys = (
        " ".join(tokens[i : i + size])
        for size in range(min(longest, len(tokens)), 0, -1)
        for i in range(len(tokens) - size + 1)
    )
    return list(dict.fromkeys(keys))[:most]


def estimated_tokens(text: str) -> int:
    """About how many tokens a model's tokenizer makes of a text: one for 4 ASCII characters, one for 2 others."""
    others = 0 if text.isascii() else sum(not c.isascii() for c in text)
    return (len(text) - others + 3) // 4 + (others + 1) // 2
