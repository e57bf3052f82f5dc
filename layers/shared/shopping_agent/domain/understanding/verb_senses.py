"""Verbs of the cart that mean another thing than their first sense, by what stands beside them."""

from shopping_agent.domain.understanding.cart_talk import Context
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.vocabulary import Match


def is_of_new(reading: Reading, verb: Match, context: Context) -> bool:
    """`something fresh, mets-en deux du meilleur`; `le quatrième me plaît, mets-en deux`."""
    if context.wishes and context.delegated:
        return True
    puts = reading.word(verb.start) in {"mets", "mettez"} and not reading.has("order", "instead")
    liked = any(not reading.same_clause(m.start, verb.start) for m in reading.of("ordinal"))
    return puts and liked and context.ordinal is not None and not reading.has("action", "cart")


def is_distaste(reading: Reading, verb: Match, context: Context) -> bool:
    """`I don't want the cheap stuff`: about no line of the cart."""
    refuses = any(
        verb.start <= m.start and m.end <= verb.end for m in reading.of("negation", "dislike")
    )
    return (
        refuses and not context.named and reading.covered(verb.end, "bound", "cheap", "expensive")
    )


def stands_for_number(reading: Reading, quantity: int) -> bool:
    """`put 4 instead of 1`, `dirha b 3 blast 1`, `mets-le à 2`: another number of what is there."""
    instead = any(
        reading.value(m.end) is not None or reading.starts(m.end, "number")
        for m in reading.of("order", "instead")
    )
    return instead or any(
        reading.value(m.end) == quantity or reading.starts(m.end, "number", str(quantity))
        for m in reading.of("phrasal", "to")
    )


def wants_a_number(reading: Reading, verb: Match) -> bool:
    """`I need the quantity of X bumped to 6`: another verb changes how many."""
    changes = any(
        m.start >= verb.end and reading.same_clause(m.start, verb.start)
        for m in reading.of("action", "change")
    )
    return changes and any(
        m.start >= verb.end
        and (reading.value(m.end) is not None or reading.starts(m.end, "number"))
        for m in reading.of("phrasal", "to")
    )
