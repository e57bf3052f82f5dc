"""How far a negation reaches, and which words carry one of their own."""

from typing import Final

from shopping_agent.domain.patterns import late
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.vocabulary import FACETS, Match

# A Moroccan verb with its negation around it: `makat7melch`, `matkounch`, `ماتكونش`, `متكونش`.
_DENIAL: Final = late(r"ma[a-z0-9]{3,}(?:ch|chi|sh)|m[tyn][a-z0-9]{3,}ch|ما.{2,}ش|م[تيك].{3,}ش")
_SURE_DENIAL: Final = late(r"ma[tykn][a-z0-9]{3,}ch")  # in whatever language the rest is written


def is_denial(reading: Reading, position: int) -> bool:
    """Whether a token is a verb that carries its own negation (not one like `ma3reftch`, that says something else)."""
    pattern = _DENIAL if reading.language in {"ary", "ary-latn"} else _SURE_DENIAL
    return (
        pattern().fullmatch(reading.word(position)) is not None
        and not reading.covered(position, "negation", "idiom")
        and not any(reading.covered(position, kind) for kind in FACETS)
    )


def breaks(reading: Reading, position: int) -> bool:
    """A positive verb of wish or purchase, or `but`, ends a negation's reach."""
    return (
        reading.starts(position, "search", "want")
        or reading.starts(position, "joint", "but")
        or reading.starts(position, "currency")
        or reading.sign(position) in {".", "!", "?", "؟", ";", "؛"}
    ) and not reading.covered(position, "negation")


def in_idiom(reading: Reading, negation: Match) -> bool:
    idioms = reading.of("negation", "idiom")
    return any(i.start <= negation.start and negation.end <= i.end for i in idioms)


def is_inversion(reading: Reading, negation: Match) -> bool:
    """`non` or `la` alone at the start of a sentence answers; it does not negate what follows a comma."""
    return reading.sign(negation.end) in {",", ".", "!", "،"} and reading.covered(
        negation.start, "answer", "no"
    )
