"""The changes that a message asks for, one by one: which verb, which product, how many."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from shopping_agent.domain.query import Change, Order
from shopping_agent.domain.text import family_name, name_key
from shopping_agent.domain.understanding.actions import Acts, Doing
from shopping_agent.domain.understanding.amounts import has_unit
from shopping_agent.domain.understanding.clauses import negated
from shopping_agent.domain.understanding.figures import Figure
from shopping_agent.domain.understanding.names import FoundName
from shopping_agent.domain.understanding.quantities import Place, quantity_beside
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.understanding.unknown import unknown_words

_MOST: Final = 8
_MILD: Final = ("want", "take", "put")  # verbs that another verb of the message explains
_LETS_GO: Final = ("remove", "keep", "empty", "swap")


@dataclass(frozen=True, slots=True)
class Said:
    """What was found in the message, for orders.

    Attributes:
        count: the quantity of the message as a whole.
        wishes: it describes what to look for, or leaves the choice to us.
        added: the last turn put something into the cart.
        denies: it opens with a no.
    """

    numbers: Sequence[Figure]
    names: Sequence[FoundName]
    places: Sequence[Place]
    money: frozenset[int]
    count: int | None
    wishes: bool
    added: bool
    denies: bool


@dataclass(frozen=True, slots=True)
class _Object:
    start: int
    end: int
    name: str | None = None
    ordinal: int | None = None


def orders(reading: Reading, done: Acts, said: Said) -> tuple[Order, ...]:
    """The changes in their order; none where nothing shall change."""
    replacing = _change_of_mind(reading, done, said)
    if replacing:
        return replacing
    changes = _telling(reading, done.changes, said)
    if not changes:
        return _without_verb(reading, done, said)
    found: list[Order] = []
    for i, doing in enumerate(changes):
        start = _begin(reading, changes, i)
        end = (
            _begin(reading, changes, i + 1) if i + 1 < len(changes) else len(reading.tokens)
        )
        found += _of_verb(reading, doing, (start, end), said, alone=len(changes) == 1)
    return tuple(found[:_MOST])


def _begin(reading: Reading, changes: Sequence[Doing], index: int) -> int:
    """Where the words of a verb begin: behind the verb before, at the latest where its clause begins."""
    if index == 0:
        return 0
    start = changes[index].start
    while start > changes[index - 1].end and reading.same_clause(start - 1, start):
        start -= 1
    return start


def _telling(
    reading: Reading, changes: Sequence[Doing], said: Said
) -> list[Doing]:
    """The verbs that count: `I want to remove it` removes, and of `add, ok, add the second` one is enough."""
    kept = list(changes)
    for i in range(len(changes) - 1, -1, -1):
        if len(kept) == 1:
            break
        doing = changes[i]
        at = kept.index(doing)
        end = _begin(reading, kept, at + 1) if at + 1 < len(kept) else len(reading.tokens)
        begin = _begin(reading, kept, at)
        bare = not (
            doing.has_object
            or doing.action == "clear"
            or _objects(reading, (begin, end), said)
            or _points(reading, (begin, end))
        )
        others = [d for d in kept if d is not doing]
        explained = doing.concept in _MILD or any(d.action == doing.action for d in others)
        if bare and explained:
            kept.remove(doing)
    return kept


def _of_verb(
    reading: Reading, doing: Doing, span: tuple[int, int], said: Said, *, alone: bool
) -> list[Order]:
    """The orders of one verb: one for each product that it names or points at."""
    objects = _objects(reading, span, said)
    if doing.action == "clear":
        return [Order("clear")]
    if len(objects) > 1:
        return _of_objects(reading, doing, span, objects, said)
    count = said.count if alone else _count(reading, span, objects, said)
    order = replace(_described(reading, doing, span, objects, said), quantity=count)
    return [replace(order, change=_kind(reading, doing, order, said))]


def _of_objects(
    reading: Reading,
    doing: Doing,
    span: tuple[int, int],
    objects: Sequence[_Object],
    said: Said,
) -> list[Order]:
    """One order for each product, with the number beside it; two products may be an exchange."""
    found: list[Order] = []
    after = span[0]
    for i, one in enumerate(objects):
        until = objects[i + 1].start if i + 1 < len(objects) else span[1]
        count = quantity_beside(
            reading,
            said.numbers,
            (one.start, one.end),
            after=after,
            money=said.money,
            taken=said.places,
        )
        size = _size(reading, (one.end, until), said) if one.name else None
        order = Order("add", one.name, one.ordinal, count, size)
        found.append(replace(order, change=_kind(reading, doing, order, said)))
        after = one.end
    exchanged = reading.has("order", "instead") or (
        doing.concept == "change" and all(o.quantity is None for o in found)
    )
    if exchanged and len(found) == 2:
        return [replace(o, change="swap") for o in found]
    return found


def _described(
    reading: Reading,
    doing: Doing,
    span: tuple[int, int],
    objects: Sequence[_Object],
    said: Said,
) -> Order:
    one = objects[0] if objects else None
    order = Order(
        "add",
        one.name if one else None,
        one.ordinal if one else None,
        size_ml=_size(reading, span, said),
        pronoun=one is None and (doing.has_object or _within(reading, span, "pronoun")),
        cheapest=one is None and _within(reading, span, "choice", "cheapest"),
        other=one is None and _within(reading, span, "order", "other"),
    )
    if order.points or order.size_ml is not None or said.wishes:
        return order
    return replace(order, unknown=unknown_words(reading, (doing.end, span[1])))


def _kind(reading: Reading, doing: Doing, order: Order, said: Said) -> Change:
    if doing.action == "remove":
        return _removal(doing, order)
    if doing.action == "update":
        return "swap" if doing.concept == "swap" else _update(reading, doing, order)
    corrects = said.added and reading.has("joint", "only") and not order.name and not order.ordinal
    return "set" if corrects and order.quantity is not None else "add"


def _removal(doing: Doing, order: Order) -> Change:
    if doing.concept == "keep":
        return "set" if order.quantity is not None else "keep"
    return "remove" if order.quantity is None else "less"


def _update(reading: Reading, doing: Doing, order: Order) -> Change:
    """A new quantity, or a difference: `make it 3`, `two more`, `reduce it by one`."""
    to = any(
        reading.starts(f - 1, "bound", "to") for f in range(doing.end, len(reading.tokens))
    ) or any(reading.covered(i, "phrasal", "to") for i in range(doing.start, len(reading.tokens)))
    if order.quantity is None or to:
        return "set"
    if reading.has("order", "less"):
        return "less"
    return "more" if reading.has("order", "more") else "set"


# --- changes of mind ------------------------------------------------------------------------------


def _change_of_mind(reading: Reading, done: Acts, said: Said) -> tuple[Order, ...]:
    """`no, the other one`, `finalement plutôt le 30 ml`: it takes the place of what was just added."""
    if not said.added or reading.asks or done.hypothetical:
        return ()
    span = (0, len(reading.tokens))
    if done.action == "none" and said.denies and reading.has("phrasal", "drop"):
        return (Order("remove", pronoun=True),)
    if any(d.concept in _LETS_GO for d in done.changes):
        return ()
    objects = _objects(reading, span, said)
    instead = reading.has("order", "instead")
    turned = instead or said.denies or (reading.has("order", "turned") and not objects)
    if not turned or len(objects) > 1 or reading.has("order", "also"):
        return ()
    order = _described(reading, Doing("add", "add", 0, 0), span, objects, said)
    given = order.name or order.ordinal or order.other or order.cheapest
    if not given and order.size_ml is None:
        return ()
    return (replace(order, change="swap", pronoun=False, unknown="", quantity=said.count),)


def _without_verb(reading: Reading, done: Acts, said: Said) -> tuple[Order, ...]:
    """`and the first one too` right after an addition; `a couple of Kenza Sport`."""
    span = (0, len(reading.tokens))
    objects = _objects(reading, span, said)
    going_on = (
        said.added
        and not reading.asks
        and not done.hypothetical
        and not said.denies
        and (reading.has("order", "also") or _opens_with_and(reading))
    )
    if done.action != "add" and not (done.action == "none" and going_on):
        return ()
    doing = Doing("add", "add", 0, 0)
    found = _of_verb(reading, doing, span, said, alone=True)
    given = [o for o in found if o.name or o.ordinal or o.cheapest]
    return tuple(found if done.action == "add" else given)


def _opens_with_and(reading: Reading) -> bool:
    first = reading.word(0)
    return reading.starts(0, "joint", "and") or (
        reading.language in {"ar", "ary"}
        and first.startswith("و")
        and reading.covered(0, "ordinal")
    )


# --- what stands in a part of the message ---------------------------------------------------------


def _objects(reading: Reading, span: tuple[int, int], said: Said) -> list[_Object]:
    """Products named and positions in a part of the message, in order, refused names left out."""
    spans: dict[tuple[int, int], list[FoundName]] = {}
    for found in said.names:
        if span[0] <= found.start < span[1]:
            spans.setdefault((found.start, found.end), []).append(found)
    meant = {k: v for k, v in spans.items() if not negated(reading, k[0])} or spans
    objects = [_Object(a, b, _one_name(found)) for (a, b), found in meant.items()]
    objects += [
        _Object(p.start, p.end, ordinal=p.value) for p in said.places if span[0] <= p.start < span[1]
    ]
    return sorted(objects, key=lambda o: o.start)


def _one_name(found: Sequence[FoundName]) -> str:
    """The name; of several sizes of one product the name that they share."""
    names = [f.reference.name for f in found]
    if len(names) == 1 or len({name_key(family_name(n)) for n in names}) > 1:
        return names[0]
    return family_name(names[0])


def _points(reading: Reading, span: tuple[int, int]) -> bool:
    return any(
        _within(reading, span, kind, *concepts)
        for kind, concepts in (("pronoun", ()), ("choice", ()), ("order", ("other",)))
    )


def _within(reading: Reading, span: tuple[int, int], kind: str, *concepts: str) -> bool:
    return any(span[0] <= m.start < span[1] for m in reading.of(kind, *concepts))


def _size(reading: Reading, span: tuple[int, int], said: Said) -> int | None:
    for figure in said.numbers:
        inside = span[0] <= figure.start < span[1]
        if inside and has_unit(reading, figure, "size") and figure.value == int(figure.value):
            return int(figure.value)
    return None


def _count(
    reading: Reading, span: tuple[int, int], objects: Sequence[_Object], said: Said
) -> int | None:
    """How many pieces a part of the message says, whatever it is about."""
    one = objects[0] if objects else _Object(span[1], span[1])
    return quantity_beside(
        reading,
        said.numbers,
        (one.start, one.end),
        after=span[0],
        money=said.money,
        taken=said.places,
    )
