"""The changes that a message asks for, one by one: which verb, which product, how many."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shopping_agent.domain.query import Change, Order
from shopping_agent.domain.understanding.actions import Acts, Doing, spares
from shopping_agent.domain.understanding.afterthoughts import NO_VERB, change_of_mind, goes_on
from shopping_agent.domain.understanding.last_states import last_states
from shopping_agent.domain.understanding.message_parts import Part, Said, Thing
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.understanding.strangers import strangers

_MOST: Final = 8
_MILD: Final = ("want", "take", "put")  # verbs that another verb of the message explains
_SHORT: Final = 5
_BESIDE: Final = 1  # tokens between a verb of adding and its `one more`
_OF_PRODUCTS: Final = frozenset({"price", "stock", "size", "comparison"})


def orders(reading: Reading, done: Acts, said: Said) -> tuple[Order, ...]:
    """The changes in their order; none where nothing shall change."""
    whole = Part(reading, said, 0, len(reading.tokens))
    replacing = change_of_mind(whole, done)
    if replacing:
        return replacing
    changes = _telling(reading, done.changes, said)
    if not changes:
        return _without_verb(whole, done)
    found: list[Order] = []
    for doing in changes:
        part = _part_of(reading, changes, doing, said)
        found += [*_of_verb(part, doing, alone=len(changes) == 1), *_of_strangers(part, doing)]
    told = [o for o in found[:_MOST] if not _is_about_terms(reading, o)]
    return tuple(last_states(told))


def _is_about_terms(reading: Reading, order: Order) -> bool:
    """`take off the tax`, `remove the delivery fee`: no product, but what a question is about."""
    terms = [m for m in reading.of("topic") if m.concept not in _OF_PRODUCTS]
    changing = order.change not in ("add", "clear")
    return changing and bool(terms) and not order.points and order.quantity is None


# --- verbs ------------------------------------------------------------------------------------------


def _part_of(reading: Reading, changes: Sequence[Doing], doing: Doing, said: Said) -> Part:
    """The words of one verb: up to those of the next."""
    at = changes.index(doing)
    end = _begin(reading, changes, at + 1) if at + 1 < len(changes) else len(reading.tokens)
    return Part(reading, said, _begin(reading, changes, at), end)


def _begin(reading: Reading, changes: Sequence[Doing], index: int) -> int:
    """Where the words of a verb begin: behind the verb before, at the latest where its clause begins."""
    if index == 0:
        return 0
    start = changes[index].start
    while start > changes[index - 1].end and reading.same_clause(start - 1, start):
        start -= 1
    return start


def _telling(reading: Reading, changes: Sequence[Doing], said: Said) -> list[Doing]:
    """The verbs that count: `I want to remove it` removes, and of `add, ok, add the second` one is enough."""
    kept = [d for d in changes if not _is_instead(reading, d) and not _is_more(reading, changes, d)]
    for doing in reversed(list(kept)):
        if len(kept) == 1:
            break
        part = _part_of(reading, kept, doing, said)
        own = doing.has_object or doing.action == "clear" or part.things() or part.points()
        again = any(d.action == doing.action for d in kept if d is not doing)
        if not own and (doing.concept in _MILD or again):
            kept.remove(doing)
    return kept


def _is_instead(reading: Reading, doing: Doing) -> bool:
    """`A instead of B`: no verb of its own."""
    return doing.concept == "change" and reading.covered(doing.start, "order", "instead")


def _without_verb(whole: Part, done: Acts) -> tuple[Order, ...]:
    """`and the first one too` right after an addition; `a couple of Kenza Sport`."""
    if done.action == "add":
        return tuple(_of_verb(whole, NO_VERB, alone=True))
    if done.action != "none":
        return ()
    if _differs(whole, done):
        change = "less" if whole.reading.has("order", "less") else "more"
        return (Order(change, quantity=whole.count()),)
    if not goes_on(whole, done):
        return ()
    found = _of_verb(whole, NO_VERB, alone=True)
    return tuple(o for o in found if o.name or o.ordinal or o.cheapest)


def _differs(whole: Part, done: Acts) -> bool:
    """`two fewer please`, `encore deux`: a difference and nothing else, while the cart is talked about."""
    reading, said = whole.reading, whole.said
    if not said.carting or said.wishes or reading.asks or done.hypothetical or whole.things():
        return False
    few = len(reading.tokens) <= _SHORT
    return few and reading.has("order", "less", "more") and whole.count() is not None


def _is_more(reading: Reading, changes: Sequence[Doing], doing: Doing) -> bool:
    """The `one more` of `add one more of X`: no verb of its own, as the one of `add X, double it` is."""
    doubles = reading.covered(doing.start, "order", "double")
    return (
        not doubles
        and doing.concept == "change"
        and any(d.action == "add" and 0 <= doing.start - d.end <= _BESIDE for d in changes)
    )


# --- orders of one verb -----------------------------------------------------------------------------


def _of_verb(part: Part, doing: Doing, *, alone: bool) -> list[Order]:
    """The orders of one verb: one for each product that it names or points at."""
    things = part.things()
    if things and _spares(part.reading, doing):
        return [Order("keep", thing.name, thing.ordinal) for thing in things]
    if doing.action == "clear":
        return [Order("clear")]
    if not things and (part.has("order", "both") or (doing.has_object and _is_dual(part, doing))):
        return [Order("remove" if doing.action == "remove" else "add", both=True)]
    if len(things) > 1:
        return _of_things(part, doing, things)
    order = part.order(doing)
    count = part.said.count if alone else part.count(things[0] if things else None)
    if count is None and order.cheapest:
        count = part.count()
    order = replace(order, quantity=count)
    return [_of_the_dearest(part, replace(order, change=_kind(part, doing, order)))]


def _of_strangers(part: Part, doing: Doing) -> list[Order]:
    """Beside products that are known: those of the list that are not."""
    things = part.things()
    if doing.action != "add" or not things or part.reading.has("order", "instead"):
        return []
    start = max(part.start, doing.end)
    return [Order("add", unknown=name) for name in strangers(part, start, things)]


def _of_the_dearest(part: Part, order: Order) -> Order:
    """`add the priciest`: by its name."""
    name = part.said.dearest if part.has("choice", "dearest") else None
    if name is None or order.change != "add" or order.name or order.ordinal:
        return order
    return replace(order, name=name, pronoun=False, unknown="")


def _is_dual(part: Part, doing: Doing) -> bool:
    """`أضفهما`, `احذفهما`: them both."""
    return part.reading.word(doing.end - 1).endswith("هما")


def _spares(reading: Reading, doing: Doing) -> bool:
    """`remove everything except the first`, `vide le panier sauf Musc Tendre`."""
    whole = doing.action == "clear" or (
        doing.action == "remove" and reading.has("action", "everything")
    )
    return whole and spares(reading)


def _of_things(part: Part, doing: Doing, things: Sequence[Thing]) -> list[Order]:
    """One order for each product, with the number beside it; two products may be an exchange."""
    found: list[Order] = []
    after = part.start
    for i, thing in enumerate(things):
        until = things[i + 1].start if i + 1 < len(things) else part.end
        size = replace(part, end=until).size(after=thing.end) if thing.name else None
        count = part.count(thing, after)
        order = Order("add", thing.name, thing.ordinal, count, size, cheapest=thing.cheapest)
        found.append(replace(order, change=_kind(part, doing, order)))
        after = thing.end
    exchanged = part.reading.has("order", "instead") or (
        doing.concept == "change" and all(o.quantity is None for o in found)
    )
    if exchanged and len(found) == 2:
        return [replace(o, change="swap") for o in found]
    return found


def _kind(part: Part, doing: Doing, order: Order) -> Change:
    if doing.action == "remove" or doing.concept == "keep":
        return _removal(doing, order)
    if doing.action == "update":
        # `بدلها جوج`: with a number and no other product nothing is exchanged.
        counted = order.quantity is not None and not (order.name or order.ordinal)
        swaps = doing.concept == "swap" and not counted
        return "swap" if swaps else _update(part.reading, doing, order)
    whole = part.reading.has("joint", "only") or part.reading.has("action", "total")
    only = part.said.added and whole  # "just one", "deux en tout"
    corrects = only and not order.name and not order.ordinal and order.quantity is not None
    return "set" if corrects else "add"


def _removal(doing: Doing, order: Order) -> Change:
    if doing.concept == "keep":
        return "keep" if order.quantity is None and order.points else "set"
    return "remove" if order.quantity is None else "less"


def _share(reading: Reading, order: Order) -> Change:
    """A new quantity that is said as a share of the old one: `halve it`, `double it`."""
    if order.quantity is None and reading.has("order", "half"):
        return "half"
    return "double" if order.quantity is None and reading.has("order", "double") else "set"


def _update(reading: Reading, doing: Doing, order: Order) -> Change:
    """A new quantity, or a difference: `make it 3`, `two more`, `reduce it by one`."""
    to = any(
        reading.starts(i, "bound", "to") or reading.starts(i, "phrasal", "to")
        for i in range(doing.start, len(reading.tokens))
    )
    if order.quantity is None or to:
        return _share(reading, order)
    if reading.has("order", "less"):
        return "less"
    return "more" if reading.has("order", "more") else "set"
