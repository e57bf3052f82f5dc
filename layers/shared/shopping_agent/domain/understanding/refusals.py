"""Which notes, families and other wishes a message refuses."""

from typing import Final

from shopping_agent.domain.patterns import late
from shopping_agent.domain.understanding.denials import breaks, in_idiom, is_denial, is_inversion
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.vocabulary import FACETS, Match

_FAR = 7  # tokens between a negation and what it still reaches
_CLOSE = 2  # tokens between a negation and a season, occasion or strength that it refuses
_NEAR = 4  # tokens between `if` and the verb that it makes hypothetical
_SPARED = ("note", "family", "joint")
_DENIED_VERB: Final = late(r"[a-z0-9]{2,}(?:ch|chi|sh)|.{2,}ش")
_FIRST_HALVES = frozenset({"ما", "وما", "ma", "w ma"})
_COMMAS = frozenset({",", "،"})
_EXCEPT = frozenset({"الا", "سوى", "غير", "غي", "ghir", "ghi"})
_CLOSING_NO = frozenset({"la", "لا", "no", "non"})
_NOR = frozenset({"la", "wala", "wla", "ola", "walla"})


def refused(reading: Reading, facet: Match, *, through_lists: bool = True) -> bool:
    """Whether a wish is a refusal: `no oud`, `without vanilla or musk`, `she's allergic to musk`.

    A negation reaches to the end of its clause, and on through a list (`no oud, leather or musk`); it
    stops at a positive verb (`not too sweet, I like spicy`).
    """
    return (
        any(
            _reaches(reading, negation, facet.start, through_lists=through_lists)
            for negation in reading.of("negation", "not", "without", "dislike")
            if negation.end <= facet.start and not _asks_what(reading, negation)
        )
        or (_denied(reading, facet) if through_lists else False)
        or _refused_after(reading, facet)
        or _is_neither(reading, facet)
    )


def _is_neither(reading: Reading, facet: Match) -> bool:
    """`la 3oud la vanille`: neither the one nor the other, in Moroccan Arabic without any verb."""
    if reading.language != "ary-latn" or facet.kind not in FACETS:
        return False
    scents = (*reading.of("note"), *reading.of("family"))
    after = facet.end
    first = reading.word(facet.start - 1) == "la" and reading.word(after) in _NOR
    if first and any(m.start == after + 1 for m in scents):
        return True
    before = facet.start - 1
    return reading.word(before) in _NOR and any(
        m.end == before and reading.word(m.start - 1) == "la" for m in scents
    )


def _denied(reading: Reading, facet: Match) -> bool:
    """`matkounch fiha ri7t jeld`, `ما بغيتهاش حلوة`: a verb with its own negation before it in the clause."""
    first = max(0, facet.start - _FAR)
    return any(
        is_denial(reading, i)
        and reading.same_clause(i, facet.start)
        and not any(
            breaks(reading, j) or reading.word(j) in _EXCEPT for j in range(i + 1, facet.start)
        )
        for i in range(first, facet.start)
    )


def _asks_what(reading: Reading, negation: Match) -> bool:
    """`ما المتوفر`, `ما هو`: a question, no negation."""
    alone = negation.end - negation.start == 1
    following = reading.word(negation.end)
    asks = following.startswith("ال") or following in {"هو", "هي", "هم", "لديكم", "عندكم"}
    return alone and reading.word(negation.start) == "ما" and asks


def _reaches(reading: Reading, negation: Match, position: int, *, through_lists: bool) -> bool:
    between = range(negation.end, position)
    if len(between) > _FAR or in_idiom(reading, negation):
        return False
    if _means_only(reading, negation, position):
        return False
    if between and reading.word(negation.start) == "غير" and negation.end - negation.start == 1:
        return False  # `غير غال وزهري`: only the next word
    if negation.concept == "not" and is_inversion(reading, negation):
        return False
    denied = reading.word(negation.start) in _FIRST_HALVES and _is_second_half(
        reading, negation.end
    )
    if any(breaks(reading, i) for i in between[denied:]):
        return False
    if not through_lists:
        return len(between) <= _CLOSE and not any(
            reading.covered(i, kind) for i in between for kind in FACETS
        )
    return reading.same_clause(negation.start, position) or _is_list(
        reading, negation.end, position
    )


def _means_only(reading: Reading, negation: Match, position: int) -> bool:
    """`il ne porte que du vétiver`, `لا تحب إلا الورد`, `ma kaydir ghir l3oud`: nothing but, which is a wish."""
    words = [reading.word(i) for i in range(negation.end, position)]
    if reading.word(negation.start) in _EXCEPT:  # the `إلا` of `لا ... إلا`
        before = range(max(0, negation.start - _NEAR), negation.start)
        return any(reading.covered(i, "negation", "not", "dislike") for i in before)
    if reading.language in {"ar", "ary", "ary-latn"}:
        return any(word in _EXCEPT for word in words)
    return (
        reading.language == "fr" and reading.word(negation.start) in {"ne", "n"} and "que" in words
    )


def _is_second_half(reading: Reading, position: int) -> bool:
    """`ma bghithach`, `ما بغيتهاش`: the verb that closes a Moroccan negation."""
    return (
        reading.language in {"ary", "ary-latn"}
        and _DENIED_VERB().fullmatch(reading.word(position)) is not None
    )


def _is_list(reading: Reading, start: int, end: int) -> bool:
    """Between the negation and the facet only other facets, commas and `or`: an enumeration ending in `or`."""
    facet_ends = False
    for i in range(start, end):
        if any(reading.covered(i, kind) for kind in _SPARED):
            facet_ends = True
        elif reading.sign(i) not in {",", "،", "/"} and len(reading.word(i)) > 3:
            return False
    return facet_ends and _has_or_after(reading, start, end)


def _has_or_after(reading: Reading, start: int, end: int) -> bool:
    """Whether an `or` closes the enumeration that reaches this far."""
    return any(
        start <= m.start <= end + 4 and not reading.sign(m.start - 1)
        for m in reading.of("joint", "or")
    )


def _refused_after(reading: Reading, facet: Match) -> bool:
    """`musk gives me headaches`, `3ndha allergie d musc, bla bih`: the refusal follows in the clause."""
    disliked = any(
        facet.end <= m.start <= facet.end + 3 and reading.same_clause(facet.start, m.start)
        for m in reading.of("negation", "dislike")
        if not any(reading.covered(i, kind) for kind in FACETS for i in range(m.end, m.end + 4))
    )
    end = facet.end
    last = end + 1 >= len(reading.tokens) or reading.sign(end + 1) != ""
    if reading.word(end) in _CLOSING_NO and last:
        return True  # "lmesk la", "vanilla no"
    return disliked or any(
        m.start == facet.end or (m.start == facet.end + 1 and reading.sign(facet.end) in _COMMAS)
        for m in reading.of("negation", "declined")
    )
