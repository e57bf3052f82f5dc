"""Products in a list that the store does not know: the `Zibroto` of `add Tabac Miel and Zibroto`. None is dropped in silence."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from shopping_agent.domain.understanding.message_parts import Part, Thing
from shopping_agent.domain.understanding.reading import Reading, Span

_COMMAS: Final = frozenset({",", "،", "+", "&"})
_WITHIN_NAMES: Final = frozenset({"-", "'", "’"})
_GOODS: Final = ("note", "family", "accord")
# What may stand beside a name and is none: "to my cart", "please", numbers, articles.
_BESIDE: Final = ("courtesy", "number", "unit", "position", "joint", "bound", "phrasal", "answer")
_SAYS_NOTHING: Final = frozenset({"language"})
_SHORT: Final = 3
_LONGEST: Final = 60
_MOST_WORDS: Final = 5
_MOST: Final = 3

Role = Literal["thing", "name", "beside", "other"]


def strangers(part: Part, start: int, things: Sequence[Thing]) -> list[str]:
    """The names in a list of products, as typed, that are no products of the store.

    Args:
        start: where the words behind the verb begin.

    A list is of neighbours: words that a list does not join to a known product are no names.
    """
    roles: list[Role] = [_role(part.reading, i, things) for i in range(part.end)]
    items = list(_items(part.reading, start, part.end))
    known = [k for k, (a, b) in enumerate(items) if "thing" in roles[a:b]]
    if not known:
        return []
    before = range(known[0] - 1, -1, -1)
    after = range(known[-1] + 1, len(items))
    between = [k for k in range(known[0], known[-1]) if k not in known]
    found = {k: _name(part.reading, items[k], roles) for k in between}
    for places, neighbour in ((before, known[0]), (after, known[-1])):
        if not _is_bare(items[neighbour], roles, ends=neighbour == known[-1] and places == after):
            continue
        for k in places:
            found[k] = _name(part.reading, items[k], roles)
            if not found[k]:
                break
    return [name for _, name in sorted(found.items()) if name][:_MOST]


def _items(reading: Reading, start: int, end: int) -> Iterator[Span]:
    """The parts of a list, without what joins them."""
    joints = {m.start: m.end for m in reading.of("joint", "and") if not reading.in_name(m.start)}
    at = start
    i = start
    while i < end:
        if i in joints or reading.sign(i) in _COMMAS:
            yield at, i
            at = i = max(i + 1, joints.get(i, 0))
            continue
        if _is_joined(reading, i) and i > at:
            yield at, i
            at = i
        i += 1
    yield at, end


def _is_joined(reading: Reading, position: int) -> bool:
    """An Arabic `and` grown onto the word: `وشمعة`."""
    word = reading.word(position)
    return len(word) > _SHORT and word[0] == "و" and not reading.in_name(position)


def _is_bare(item: Span, roles: Sequence[Role], *, ends: bool) -> bool:
    """Whether nothing of weight stands between a product and the end of its item that the next one joins."""
    inside = list(roles[slice(*item)])
    edge = inside[::-1] if ends else inside
    return all(role == "beside" for role in edge[: edge.index("thing")])


def _name(reading: Reading, item: Span, roles: Sequence[Role]) -> str:
    """The words of an item that can be a product's name; "" where it says something else."""
    places = [i for i in range(*item) if roles[i] == "name"]
    inside = roles[slice(*item)]
    if not places or len(places) > _MOST_WORDS or not set(inside) <= {"name", "beside"}:
        return ""
    first, last = places[0], places[-1]
    while first > item[0] and reading.covered(first - 1, "unit", "piece"):
        first -= 1  # "the candle Ambre"
    begin = reading.tokens[first].start + (1 if _is_joined(reading, first) else 0)
    text = reading.text[begin : reading.tokens[last].end]
    after_comma = reading.sign(item[0] - 1) in _COMMAS
    certain = any(c.isupper() or c.isdigit() for c in text) or _is_goods(reading, first)
    return text[:_LONGEST] if certain or not after_comma else ""


def _role(reading: Reading, position: int, things: Sequence[Thing]) -> Role:
    if any(t.start <= position < t.end for t in things):
        return "thing"
    sign = reading.sign(position)
    if sign:
        return "beside" if sign in _WITHIN_NAMES else "other"
    if _is_goods(reading, position):
        return "name"
    kinds = {m.kind for m in reading.matches if m.start <= position < m.end} - _SAYS_NOTHING
    if reading.covered(position, "action", "cart") or reading.tokens[position].kind != "word":
        return "beside"
    if not kinds:
        known = reading.covered(position, "language")
        return "beside" if known or len(reading.word(position)) <= _SHORT else "name"
    return "beside" if kinds <= set(_BESIDE) else "other"


def _is_goods(reading: Reading, position: int) -> bool:
    return any(reading.covered(position, kind) for kind in _GOODS)
