"""Second thoughts: what takes the place of what was just added (`no, the other one`, `plutôt le 30 ml`)."""

from dataclasses import replace
from typing import Final

from shopping_agent.domain.query import Order
from shopping_agent.domain.understanding.actions import Acts, Doing
from shopping_agent.domain.understanding.message_parts import Part

_LETS_GO: Final = ("remove", "keep", "empty", "swap")
NO_VERB: Final = Doing("add", "add", 0, 0)


def change_of_mind(whole: Part, done: Acts) -> tuple[Order, ...]:
    """The order of a message that takes back what the last turn added; none where it does not."""
    reading, said = whole.reading, whole.said
    if not said.added or reading.asks or done.hypothetical:
        return ()
    if done.action == "none" and said.denies and reading.has("phrasal", "drop"):
        return (Order("remove", pronoun=True),)
    if any(d.concept in _LETS_GO for d in done.changes) or reading.has("order", "also"):
        return ()
    things = whole.things()
    if _renumbers(whole, done) and len(things) == 1 and things[0].name:
        return (Order("set", things[0].name, quantity=said.count),)
    if len(things) > 1 or not _is_turned(whole, done, named=bool(things)):
        return ()
    count = whole.count() if said.count is None else said.count
    if not things and count is not None and _corrects(whole):
        return (Order("set", quantity=count, pronoun=True),)
    order = whole.order(NO_VERB)
    given = order.name or order.ordinal or order.other or order.cheapest
    if not given and order.size_ml is None:
        return ()
    return (replace(order, change="swap", pronoun=False, unknown="", quantity=said.count),)


def _renumbers(whole: Part, done: Acts) -> bool:
    """`en fait deux X`, without a verb: how many of what is in the cart, or of what is new."""
    said = whole.said
    plain = not done.changes and not said.denies and said.count is not None
    return plain and whole.reading.has("order", "turned")


def _corrects(whole: Part) -> bool:
    """`sorry, I meant three`: a number, and nothing else that something could be replaced with."""
    reading = whole.reading
    elsewhere = whole.size() is not None or reading.has("order", "other", "instead", "more", "less")
    return reading.has("order", "turned") and not elsewhere


def _is_turned(whole: Part, done: Acts, *, named: bool) -> bool:
    """`instead`; a `no` or `finalement` before a size, "the other one", or a product without any verb.

    "No, add the first" adds for certain; that something else shall leave is not said.
    """
    reading, said = whole.reading, whole.said
    resized = reading.has("action", "change") and whole.size() is not None and not named
    if reading.has("order", "instead") or (resized and said.count is None):
        return True  # "make it 50 ml"
    if said.denies:
        return not (named and done.changes)
    return reading.has("order", "turned") and not named


def goes_on(whole: Part, done: Acts) -> bool:
    """`and the first one too`, right after an addition and without a verb."""
    reading, said = whole.reading, whole.said
    if not said.added or said.denies or reading.asks or done.hypothetical:
        return False
    joined = reading.starts(0, "joint", "and") or (
        reading.language in {"ar", "ary"}
        and reading.word(0).startswith("و")
        and reading.covered(0, "ordinal")
    )
    return reading.has("order", "also") or joined
