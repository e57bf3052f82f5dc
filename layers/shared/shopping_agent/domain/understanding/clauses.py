"""What a clause does to what stands in it: negation, refusal, condition, time, question."""

import re
from typing import Final

from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.vocabulary import FACETS, Match

_FAR = 7  # tokens between a negation and what it still reaches
_CLOSE = 2  # tokens between a negation and a season, occasion or strength that it refuses
_FIRST_HALVES = frozenset({"ما", "وما", "ma", "w ma"})
_CONDITIONAL = frozenset(
    {"d", "would", "could", "prendrais", "prendrai", "acheterais", "commanderais", "koun", "كون"}
)
_CLOSING_NO = frozenset({"la", "لا", "no", "non"})
_EXCEPT = frozenset({"الا", "سوى", "غير", "غي", "ghir", "ghi"})
_NOR = frozenset({"la", "wala", "wla", "ola", "walla"})
_COMMAS = frozenset({",", "،"})
_NEAR = 4  # tokens between `if` and the verb that it makes hypothetical
_SPARED = ("note", "family", "joint")
# A Moroccan verb with its negation around it: `makat7melch`, `matkounch`, `ماتكونش`, `متكونش`.
_DENIAL: Final = re.compile(
    r"ma[a-z0-9]{3,}(?:ch|chi|sh)|m[tyn][a-z0-9]{3,}ch|ما.{2,}ش|م[تيك].{3,}ش"
)
_SURE_DENIAL: Final = re.compile(
    r"ma[tykn][a-z0-9]{3,}ch"
)  # in whatever language the rest is written
_DENIED_VERB: Final = re.compile(r"[a-z0-9]{2,}(?:ch|chi|sh)|.{2,}ش")


def is_denial(reading: Reading, position: int) -> bool:
    """Whether a token is a verb that carries its own negation (not one like `ma3reftch`, that says something else)."""
    pattern = _DENIAL if reading.language in {"ary", "ary-latn"} else _SURE_DENIAL
    return (
        pattern.fullmatch(reading.word(position)) is not None
        and not reading.covered(position, "negation", "idiom")
        and not any(reading.covered(position, kind) for kind in FACETS)
    )


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
    scents = [m for m in (*reading.of("note"), *reading.of("family"))]
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
            _breaks(reading, j) or reading.word(j) in _EXCEPT for j in range(i + 1, facet.start)
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
    if len(between) > _FAR or _in_idiom(reading, negation):
        return False
    if _means_only(reading, negation, position):
        return False
    if between and reading.word(negation.start) == "غير" and negation.end - negation.start == 1:
        return False  # `غير غال وزهري`: only the next word
    if negation.concept == "not" and _is_inversion(reading, negation):
        return False
    denied = reading.word(negation.start) in _FIRST_HALVES and _is_second_half(
        reading, negation.end
    )
    if any(_breaks(reading, i) for i in between[denied:]):
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
        and _DENIED_VERB.fullmatch(reading.word(position)) is not None
    )


def _in_idiom(reading: Reading, negation: Match) -> bool:
    idioms = reading.of("negation", "idiom")
    return any(i.start <= negation.start and negation.end <= i.end for i in idioms)


def _is_inversion(reading: Reading, negation: Match) -> bool:
    """`non` or `la` alone at the start of a sentence answers; it does not negate what follows a comma."""
    return reading.sign(negation.end) in {",", ".", "!", "،"} and reading.covered(
        negation.start, "answer", "no"
    )


def _breaks(reading: Reading, position: int) -> bool:
    """A positive verb of wish or purchase, or `but`, ends a negation's reach."""
    return (
        reading.starts(position, "search", "want")
        or reading.starts(position, "joint", "but")
        or reading.starts(position, "currency")
        or reading.sign(position) in {".", "!", "?", "؟", ";", "؛"}
    ) and not reading.covered(position, "negation")


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


def negated(reading: Reading, position: int) -> bool:
    """Whether the verb at a token is negated in its clause: `don't add it`, `ma tzidch`, `لا تضف`."""
    if reading.tokens[position].negated:
        return True
    within = any(
        m.start <= position < m.end and m.end - m.start > 1 for m in reading.of("negation", "not")
    )
    if within or _is_behind_denial(reading, position):
        return True
    words = ("not", "nor") if reading.language == "ar" else ("not",)
    for negation in reading.of("negation", *words):
        gap = position - negation.end
        if 0 <= gap <= 3 and reading.same_clause(negation.start, position):
            between = range(negation.end, position)
            wished = range(negation.end + 1, position)  # "I don't want to pay" denies the wish
            blocked = any(_breaks(reading, i) for i in wished) or any(
                reading.covered(i, "note") for i in between
            )
            if not (blocked or _in_idiom(reading, negation) or _is_inversion(reading, negation)):
                return True
    return _unwanted(reading, position) or _negated_after(reading, position)


def _is_behind_denial(reading: Reading, position: int) -> bool:
    """`ma3ndich bach nkhles`, `مابغيتش نخلص`: right behind a verb with its own negation."""
    before = position - 1
    if reading.word(before) in {"bach", "باش"}:
        before -= 1
    return before >= 0 and reading.same_clause(before, position) and is_denial(reading, before)


def _unwanted(reading: Reading, position: int) -> bool:
    """`I don't want to pay`, `je ne veux pas payer`, `mabghitch nkhelles`: the refusal ends at the verb."""
    return any(
        m.start <= position < m.end
        or (
            0 <= position - m.end <= 1
            and all(
                len(reading.word(i)) <= 2 and not reading.sign(i) for i in range(m.end, position)
            )
        )
        for m in reading.of("negation", "dislike")
        if not reading.covered(m.start, "action", "remove")
    )


def _negated_after(reading: Reading, position: int) -> bool:
    """French keeps the second half of the negation behind the verb: `tu n'ajoutes rien`, `ajoute pas`."""
    if reading.language not in {"fr", "ary-latn"}:
        return False
    return any(
        m.start == position + 1 and m.end == m.start + 1 and reading.word(m.start) in {"pas", "rien", "walo", "walou"}
        for m in reading.of("negation", "not")
    )  # fmt: skip


def hypothetical(reading: Reading, position: int) -> bool:
    """Whether the verb stands right behind `if`: `what if I bought two`. `if so, add it` does not."""
    for condition in reading.of("modality", "if"):
        if _is_dreamt(reading, condition, position):
            return True
        gap = position - condition.end
        near = _FAR * 2 if _is_wondered(reading, condition.end, position) else _NEAR
        if not 0 <= gap <= near or not reading.same_clause(condition.start, position):
            continue
        if _is_that(reading, condition):
            continue
        if not (_is_polite(reading, condition) or _is_complete(reading, condition.end, position)):
            return True
    return False


def _is_dreamt(reading: Reading, condition: Match, position: int) -> bool:
    """`I'd buy it if it were cheaper`: a conditional verb before its condition."""
    before = range(max(0, position - 2), position + 2)
    return (
        position < condition.start
        and reading.same_clause(position, condition.start)
        and not _is_polite(reading, condition)
        and any(reading.word(i) in _CONDITIONAL for i in before)
    )


def _is_wondered(reading: Reading, start: int, end: int) -> bool:
    """`if I took two would you throw in a sample?`: the consequence is asked about, not requested."""
    return reading.marked and not any(
        start <= m.start < end for m in reading.of("modality", "request", "politeness")
    )


def _is_that(reading: Reading, condition: Match) -> bool:
    """`أود أن أدفع`: `أن` behind a verb of wish, which is written as `إن`, `if`, once hamzas are off."""
    return reading.word(condition.start) == "ان" and (
        reading.covered(condition.start - 1, "search", "want")
        or reading.covered(condition.start - 1, "modality", "request")
        or reading.covered(condition.start - 1, "action", "want")
    )


def _is_complete(reading: Reading, start: int, end: int) -> bool:
    """Whether the condition has its own content, so that the verb is what follows from it.

    `ila ah zido lia`, `si moins de 300 ajoute`, `ila kan 9el mn 500 dirha f panier`.
    """
    return any(
        reading.covered(i, "answer", "yes")
        or reading.covered(i, "bound", "max", "min")
        or reading.covered(i, "stock")
        for i in range(start, end)
    )


def _is_polite(reading: Reading, condition: Match) -> bool:
    return any(
        m.start <= condition.start and condition.end <= m.end
        for m in reading.of("modality", "politeness")
    )


def postponed(reading: Reading, position: int) -> bool:
    """`not now`, `before I pay`, `when I add`: the verb speaks of another time."""
    if _is_uncertain(reading, position):
        return True
    return any(
        (0 <= position - m.end <= 2 and reading.same_clause(m.start, position))
        or m.start < position < m.end  # "I was going to buy it"
        for m in reading.of("modality", "around")
        if not reading.covered(m.start, "ordinal")  # "the one before the last, add it"
    )


def _is_uncertain(reading: Reading, position: int) -> bool:
    """`maybe I'll take it tomorrow`; a day may also be that of the delivery."""
    return not reading.has("topic", "delivery") and any(
        reading.same_clause(m.start, position) for m in reading.of("modality", "uncertain")
    )


def only_told(reading: Reading, position: int) -> bool:
    """A verb of the past: `the one I bought last month`."""
    return any(
        m.start <= position < m.end and not _is_within_verb(reading, m)
        for m in reading.of("modality", "past")
    )


def _is_within_verb(reading: Reading, past: Match) -> bool:
    """The `commande` of `commande-le`: part of a longer phrase that is no past."""
    return any(
        m.start <= past.start and past.end <= m.end and m.end - m.start > past.end - past.start
        for m in reading.of("action")
    )


def part_of_phrase(reading: Reading, verb: Match) -> bool:
    """`take it back`, `how do I add`: the verb belongs to a longer phrase that means something else."""
    return any(
        m.start <= verb.start and verb.end <= m.end and m.end - m.start > verb.end - verb.start
        for kind in ("topic", "service", "ordinal")
        for m in reading.of(kind)
    )


def asked(reading: Reading, position: int) -> bool:
    """Whether a verb stands in a question that is no request: `how many days does it take`."""
    clause = reading.clause_of(position)
    for question in reading.questions():
        if reading.clause_of(question.start) == clause and question.start < position:
            requested = any(
                reading.same_clause(m.start, position) and m.start < position
                for m in reading.of("modality", "request", "politeness")
            )
            return not requested
    return False
