"""How many and how big: the quantity to put in the cart, the size in ml."""

from collections.abc import Iterable, Sequence
from typing import Final

from shopping_agent.domain.understanding.amounts import has_unit
from shopping_agent.domain.understanding.figures import Figure
from shopping_agent.domain.understanding.places import ARTICLES, NOT_COUNTED, Place
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.understanding.repeats import repeated, repeated_beside
from shopping_agent.domain.vocabulary import Match

_MOST: Final = 999
_MOST_PARTICLES: Final = 2
_OF: Final = frozenset({"of", "de", "du", "d", "dyal", "mn", "men", "من", "ديال", "د"})
_LONGEST_ANSWER: Final = 4  # words of a message that is a number and little else
_BUYING: Final = ("add", "put", "take", "change", "want", "remove")
_POINTING: Final = frozenset({"the", "that", "this", "my"})
_BEFORE_DATES: Final = frozenset({"le", "la", "au", "du"})
_PLURAL_ARTICLES: Final = frozenset(
    {"des", "les", "ces", "the", "these", "those", "mes", "hadok", "had"}
)


def size_ml(reading: Reading, numbers: Iterable[Figure]) -> int | None:
    """The size named: `50 ml`, or a usual size after a size particle (`d 50`, `en 30`)."""
    for figure in numbers:
        if has_unit(reading, figure, "size") and figure.value == int(figure.value):
            return int(figure.value)
    return None


def quantity(
    reading: Reading, numbers: Sequence[Figure], *, money: frozenset[int], taken: Sequence[Place]
) -> int | None:
    """How many pieces: `2 bottles`, `x4`, `jouj d ...`, `make it two`, `a dozen`, `زجاجتين`.

    Args:
        money: starts of the figures that are amounts.
        taken: positions, whose own figures are no quantities.
    """
    counted = [f for f in numbers if _may_count(reading, f, money, taken)]
    surely = [f for f in counted if _is_counted(reading, f) or _is_of_place(reading, f, taken)]
    for figure in surely:
        return int(figure.value)
    pairs = [m for m in reading.of("pair") if not _of_people(reading, m.end)]
    pairs = [m for m in pairs if not (_is_part(reading, m) or _is_told(reading, m.start))]
    times = repeated(reading, numbers)
    if pairs or times:
        return int(pairs[0].concept) if pairs else times
    buying = [f for f in counted if f.value > 1 or f.written or _only(reading, f)]
    buying = [f for f in buying if _buys_near(reading, f)]
    if reading.has("action", "change") and buying:
        return int(_target(reading, buying).value)
    return int(buying[0].value) if buying else None


def _is_part(reading: Reading, pair: Match) -> bool:
    """The `dozen` of `half a dozen`."""
    return any(
        m.start <= pair.start and pair.end <= m.end and m.end - m.start > pair.end - pair.start
        for m in reading.of("number")
    )


def bare_number(
    reading: Reading, numbers: Sequence[Figure], *, taken: Sequence[Place]
) -> int | None:
    """`3`, `then four`, `جوج`: the number of a message that holds little else, as an answer to our question."""
    said = [t for t in reading.tokens if t.kind != "sign"]
    if len(said) > _LONGEST_ANSWER or taken or reading.names:
        return None
    counted = [f for f in numbers if _may_count(reading, f, frozenset(), ())]
    values = [int(f.value) for f in counted] or [int(m.concept) for m in reading.of("pair")]
    return values[0] if len(values) == 1 else None


def quantity_beside(
    reading: Reading,
    numbers: Sequence[Figure],
    span: tuple[int, int],
    *,
    after: int,
    money: frozenset[int],
    taken: Sequence[Place],
) -> int | None:
    """How many pieces of one of several products: the number before it, or an `x2` right behind it.

    Args:
        span: the tokens of the product.
        after: where the one before it ends.
    """
    start, end = span
    counted = [f for f in numbers if _may_count(reading, f, money, taken)]
    counted = [f for f in counted if f.value > 1 or f.written or not _stands_for(f, taken, after)]
    before = [(f.start, int(f.value)) for f in counted if after <= f.start < start]
    before += [(m.start, int(m.concept)) for m in reading.of("pair") if after <= m.start < start]
    if before:
        return max(before)[1]
    times = {end, end + 1} if reading.word(end) in {"x", "×"} else set[int]()
    behind = [
        f for f in counted if f.start in times or (f.start == end and reading.word(f.end) == "x")
    ]
    return int(behind[0].value) if behind else repeated_beside(reading, numbers, span, after)


def _stands_for(figure: Figure, taken: Sequence[Place], after: int) -> bool:
    """The `one` of `the first one`."""
    return figure.start == after or any(p.end == figure.start for p in taken)


def _target(reading: Reading, figures: list[Figure]) -> Figure:
    """`make it three instead of one`, `from 2 to 4`: the figure that shall hold."""
    for figure in figures:
        if reading.starts(figure.start - 1, "bound", "to") and not reading.starts(
            figure.start - 1, "joint"
        ):
            return figure
    return figures[0]


def _may_count(
    reading: Reading, figure: Figure, money: frozenset[int], taken: Sequence[Place]
) -> bool:
    if figure.start in money or not 0 < figure.value <= _MOST or figure.value != int(figure.value):
        return False
    if _is_measure(reading, figure) or reading.sign(figure.end) == "%":
        return False
    if any(p.start <= figure.start < p.end for p in taken):
        return False
    if _is_refused_number(reading, figure) or _is_definite(reading, figure):
        return False
    if _is_told(reading, figure.start):
        return False
    if reading.word(figure.start - 1) in _PLURAL_ARTICLES:
        return False  # `des trois`, `les deux`, `the two`: those already named
    kinds = ("age", "order") if figure.written else ("age",)  # no order number is written in words
    told = any(0 <= figure.start - m.end <= 1 for m in reading.of("reference", *kinds))
    return not told and reading.sign(figure.start - 1) not in {"#", "+"}


def _is_told(reading: Reading, position: int) -> bool:
    """`I bought three last month`: a quantity of the past; `if I bought three` asks about one to come."""
    return not (reading.asks or reading.has("modality", "if")) and any(
        reading.same_clause(m.start, position) for m in reading.of("modality", "past")
    )


def _is_refused_number(reading: Reading, figure: Figure) -> bool:
    """`one, not two`; Arabic `غير` before a number is Moroccan `only`."""
    return any(
        m.end == figure.start and reading.word(m.start) != "غير"
        for m in reading.of("negation", "not")
    )


def _is_definite(reading: Reading, figure: Figure) -> bool:
    """`le 12`, `au 3 rue ...`, `taille 50`, `الأربعين`: a date, an address, a size, a place in a row."""
    if any(m.end == figure.start for m in reading.of("topic", "size")):
        return True
    if not figure.written:
        return reading.word(figure.start).startswith("ال")
    return reading.word(figure.start - 1) in _BEFORE_DATES


def _is_measure(reading: Reading, figure: Figure) -> bool:
    """Millilitres, years, hours, people; not the `times` of `deux fois Bahja`."""
    times = any(start == figure.end + 1 for start, _ in reading.names)
    return has_unit(reading, figure, *(u for u in NOT_COUNTED if u != "time" or not times))


def _is_place(reading: Reading, figure: Figure) -> bool:
    before = figure.start - 1
    return (
        reading.sign(before) == "#"
        or reading.word(before) in ARTICLES
        or any(m.end == figure.start for m in reading.of("position"))
        or reading.covered(figure.start, "ordinal")
    )


def _is_counted(reading: Reading, figure: Figure) -> bool:
    """A number that counts pieces wherever it stands: before a name, a piece word, beside `x`."""
    if reading.word(figure.start - 1) in {"x", "×"} or reading.word(figure.end) in {"x", "×"}:
        return True
    if figure.value == 1 and not figure.written:
        return False
    if has_unit(reading, figure, "piece"):
        return True
    name_at = [start for start, _ in reading.names]
    return any(0 <= start - figure.end <= 1 for start in name_at) and not _is_place(reading, figure)


def _is_of_place(reading: Reading, figure: Figure, taken: Sequence[Place]) -> bool:
    """`four of the first`, `reb3a mn lowel`: so many of one of those shown."""
    linked = reading.word(figure.end) in _OF and (figure.value > 1 or figure.written)
    return linked and any(0 < p.start - figure.end <= _MOST_PARTICLES for p in taken)


def _only(reading: Reading, figure: Figure) -> bool:
    """`just one`, `غير وحدة`, `remove one`: a one that is meant as a number."""
    only = reading.of("joint", "only")
    near = (*reading.of("action", "keep"), *only)
    changed = reading.has("action", "change")
    if changed and any(m.start == figure.end or m.start == figure.start for m in only):
        return True  # "واحدة فقط", "لوحدة"
    if reading.covered(figure.start, "action", "change") or any(
        m.end == figure.start for m in near
    ):
        return True
    if any(m.end == figure.start for m in reading.of("action", "change")):  # "mets-en un"
        return True
    if reading.starts(figure.end, "action", "change"):  # "one is enough", "واحدة تكفي"
        return True
    if reading.has("action", "change") and reading.starts(figure.start - 1, "bound", "to"):
        return not reading.starts(figure.start - 1, "joint")  # "down to one"
    taking = (*reading.of("action", "remove"), *reading.of("order", "less", "more"))
    return any(
        0 <= figure.start - m.end <= _MOST_PARTICLES
        and all(_is_small(reading, i) for i in range(m.end, figure.start))
        for m in taking
    )


def _is_small(reading: Reading, position: int) -> bool:
    """A word between a verb and its number: `enleve-en un`, `7yed lia wa7da`, `remove just one`.

    No article: the one of `remove the oud one` stands for a product.
    """
    if reading.sign(position) or reading.word(position) in _POINTING:
        return False
    return len(reading.word(position)) <= 3 or reading.covered(position, "joint", "only")


def _buys_near(reading: Reading, figure: Figure) -> bool:
    """A number in a clause that buys or changes, or in the clause of a name."""
    clause = reading.clause_of(figure.start)
    verbs = [*reading.of("action", *_BUYING), *reading.of("modality", "past")]
    if any(m.end == figure.start for m in reading.of("action", "swap")):
        return True  # `بدلها جوج`: right behind it the number is no other product's size
    if any(reading.clause_of(m.start) == clause for m in verbs):
        return True
    if any(reading.clause_of(start) == clause for start, _ in reading.names):
        return not reading.covered(figure.end, "family")
    return any(reading.clause_of(m.start) in {clause - 1} for m in verbs) and not reading.asks


def _of_people(reading: Reading, position: int) -> bool:
    return reading.covered(position, "unit", "person") or reading.covered(
        position + 1, "unit", "person"
    )
