"""Object pronouns grown onto a verb or standing beside it: `zidha`, `أضفه`, `mets-le`, `je le prends`."""

from typing import Final

from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.vocabulary import Match

_OBJECT_ARABIC: Final = ("ها", "هم", "هما", "هن", "ه", "وه")
_OBJECT_LATIN: Final = ("ha", "hom", "houm", "oh", "ouh", "ih", "houma")
_MOST_LINKS: Final = 3  # words between a pronoun and what describes it: `li fih l`, `à la`, `with`
_LONGEST_LINK: Final = 4
_FRENCH_OBJECTS: Final = frozenset({"le", "la", "les", "l", "en"})


def object_of(reading: Reading, verb: Match) -> bool:
    """Whether a verb carries its object: `zidha`, `أضفه`, `mets-le`, `je le prends`."""
    word = reading.word(verb.end - 1)
    if reading.language in {"ar", "ary"}:
        return len(word) > 3 and word.endswith(_OBJECT_ARABIC)
    if reading.language == "ary-latn" and word.endswith(_OBJECT_LATIN) and len(word) > 4:
        return True
    if reading.language not in {"fr", "ary-latn"}:
        return False
    if reading.word(verb.end) in _FRENCH_OBJECTS and _is_last(reading, verb.end):
        return True
    return reading.word(verb.start - 1) in {"le", "la", "les", "l"} or any(
        reading.word(i) in {"le", "la", "les"} for i in range(verb.start, verb.end - 1)
    )


def pronouns(reading: Reading) -> list[Match]:
    """The pronouns that point by themselves; `celui à la rose`, `هاداك اللي فيه العود` describes instead."""
    return [m for m in reading.of("pronoun") if not _is_described(reading, m)]


def _is_described(reading: Reading, pronoun: Match) -> bool:
    facets = {m.start for kind in ("note", "family") for m in reading.of(kind)}
    for position in range(pronoun.end, pronoun.end + _MOST_LINKS + 1):
        if position in facets:
            return position > pronoun.end
        word = reading.word(position)
        if not 0 < len(word) <= _LONGEST_LINK or reading.covered(position, "action"):
            return False
        if reading.covered(position, "joint") or reading.covered(position, "negation"):
            return False
    return False


def _is_last(reading: Reading, position: int) -> bool:
    """A French `le` behind a verb is a pronoun when no noun follows: `mets-le dans le panier`."""
    after = position + 1
    return (
        after >= len(reading.tokens)
        or reading.sign(after) != ""
        or reading.word(after) in {"dans", "au", "a", "svp", "stp", "moi", "aussi", "direct", "de", "du", "tout", "deux"}
        or reading.tokens[after].value is not None
    )  # fmt: skip
