"""What a clause does to the verb that stands in it: negation, condition, time, question."""

from shopping_agent.domain.understanding.denials import breaks, in_idiom, is_denial, is_inversion
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.vocabulary import Match

_FAR = 7  # tokens between a negation and what it still reaches
_CONDITIONAL = frozenset(
    {"d", "would", "could", "prendrais", "prendrai", "acheterais", "commanderais", "koun", "كون"}
)
_NO = frozenset({"no", "non", "la", "لا"})
_NEAR = 4  # tokens between `if` and the verb that it makes hypothetical


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
            blocked = any(breaks(reading, i) for i in wished) or any(
                reading.covered(i, "note") for i in between
            )
            said_alone = in_idiom(reading, negation) or _is_interjection(reading, negation)
            if not (blocked or said_alone or is_inversion(reading, negation)):
                return True
    return _unwanted(reading, position) or _negated_after(reading, position)


def declined(reading: Reading, start: int, end: int) -> bool:
    """Whether a product named is refused: `not Tafukt`, `Tafukt no, the other one`."""
    alone = end + 1 >= len(reading.tokens) or reading.sign(end + 1) != ""
    return negated(reading, start) or (alone and reading.word(end) in _NO)


def _is_interjection(reading: Reading, negation: Match) -> bool:
    """Moroccan `لا بدلها`: no, change it. Its verbs are negated by `ما ... ش`; `لا تزيد` is borrowed."""
    alone = negation.start == 0 and reading.word(0) == "لا" and negation.end == 1
    return alone and reading.language == "ary" and not reading.word(1).startswith(("ت", "ن", "ي"))


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
        reading.same_clause(m.start, position) and not _softens(reading, m)
        for m in reading.of("modality", "uncertain")
    )


def _softens(reading: Reading, uncertain: Match) -> bool:
    """`could you maybe add it?`: a request made softer."""
    return any(
        0 <= uncertain.start - m.end <= 1 for m in reading.of("modality", "request", "politeness")
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
    """`take it back`, `how do I add`: the verb belongs to a longer phrase that means something else.

    So does `عمري ٢٧`, my age, which is also an imperative.
    """
    counted = reading.value(verb.end) is not None or reading.starts(verb.end, "number")
    if counted and reading.covered(verb.start, "reference", "age"):
        return True
    return any(
        m.start <= verb.start and verb.end <= m.end and m.end - m.start > verb.end - verb.start
        for kind in ("topic", "service", "ordinal", "repeat")
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
