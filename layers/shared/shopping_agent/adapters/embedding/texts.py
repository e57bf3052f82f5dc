"""Texts as embedding models can read them: valid, never empty, no longer than a small model's window."""

from typing import Final

# The small models read 512 tokens, and what is beyond them still costs time: 1,000 characters are 250 words.
LONGEST_QUERY: Final = 1_000
LONGEST_PASSAGE: Final = 2_000


def readable(text: str, longest: int) -> str:
    """The text cut to `longest` characters, without NUL characters and lone surrogates."""
    cut = text[:longest].replace("\0", " ")
    return cut.encode("utf-8", "replace").decode("utf-8") or " "
