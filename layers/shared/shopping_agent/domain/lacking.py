"""What a text says to be without: "no parabens", "sans alcool", "بدون كحول", "sugar-free", "stemless"."""

import re
from collections.abc import Iterator
from itertools import dropwhile, islice, takewhile
from typing import Final

from shopping_agent.domain.text import words

_NEGATORS: Final = frozenset(words("without no non not sans bla blach bidoun bdoun بدون بلا دون"))
_MAYBE: Final = re.compile(rf"\b(?:{'|'.join(sorted(_NEGATORS))})\b", re.IGNORECASE)
"""Most texts refuse nothing: they are not read a second time."""
_ARTICLES: Final = frozenset(words("a an any the le la les l l' d d' de du un une"))
_CLAUSE_END: Final = re.compile(r"[,.;:!?()\n،؛؟]+")
_FREE: Final = re.compile(r"\b([^\W_]+)-free\b|\b([^\W_]{3,})less\b", re.IGNORECASE)
_SPAN: Final = 2
"""Words: "without led lamp", "no artificial colours"."""


def refused_words(text: str, little: frozenset[str]) -> tuple[str, ...]:
    """The folded words that a negator of the text refuses, negators included: at most two of each, in its clause.

    Args:
        little: words of grammar, at which a refusal ends: "without rose for her".
    """
    return tuple(dict.fromkeys(w for found in _refusals(text, little) for w in found))


def lacked_words(text: str, little: frozenset[str], *, compounds: bool) -> tuple[str, ...]:
    """The folded words for what the text says to be without.

    Args:
        compounds: whether "sugar-free" and "stemless" say it too.
    """
    found = [word for _, *refused in _refusals(text, little) for word in refused]
    if compounds and ("less" in (low := text.lower()) or "-free" in low):
        found += [w for m in _FREE.finditer(text) for w in words(m[1] or m[2])]
    return tuple(dict.fromkeys(found))


def _refusals(text: str, little: frozenset[str]) -> Iterator[list[str]]:
    """Each negator with what it refuses. A number is none of that: "No 5"."""
    for clause in _CLAUSE_END.split(text) if _MAYBE.search(text) else ():
        said = words(clause)
        for place, word in enumerate(said):
            if word in _NEGATORS:
                rest = dropwhile(_ARTICLES.__contains__, said[place + 1 :])
                told = takewhile(lambda w: not (w in little or w in _NEGATORS or w.isdigit()), rest)
                if refused := list(islice(told, _SPAN)):
                    yield [word, *refused]
