"""Which line of the cart a change means when no product is named."""

from collections.abc import Sequence

from shopping_agent.adapters.llm.offline.situation import Item, Situation
from shopping_agent.adapters.llm.offline.targets import (
    MOST_CHOICES,
    Target,
    first_of,
    one,
    positioned,
)
from shopping_agent.domain.kinds import MAIN
from shopping_agent.domain.text import fold


def to_change(situation: Situation) -> Target:
    """Which line of the cart an update or removal means when no product is named."""
    lines = situation.cart_items()
    if not lines:
        return Target(doubt="not_in_cart")
    rules = (
        _line_at,
        _line_by_price,
        _line_of_kind,
        _described_line,
        _line_talked_about,
        _only_line,
    )
    found = first_of(situation, rules)
    return _which_line(situation) if found.doubt == "nothing_meant" else found


def _which_line(situation: Situation, lines: Sequence[Item] = ()) -> Target:
    choices = tuple(lines or situation.cart_items())
    return Target(doubt="which_product", choices=choices[:MOST_CHOICES])


def _line_at(situation: Situation) -> Target | None:
    lines = situation.cart_items()
    shown = positioned(situation, situation.shown)
    if shown and shown.item and shown.item.id in {line.id for line in lines}:
        return shown
    return positioned(situation, lines)


def _line_by_price(situation: Situation) -> Target | None:
    """`remove the cheapest`, `حيد الغالي فيهم`."""
    query = situation.query
    priced = [line for line in situation.cart_items() if line.price is not None]
    if not (query.cheapest or query.dearest) or not priced:
        return None
    extreme = min if query.cheapest else max
    return Target(extreme(priced, key=lambda line: line.price or 0))


def _line_of_kind(situation: Situation) -> Target | None:
    """`remove the candle`: the one line of that sort; where there is none, nothing else leaves in its place."""
    query = situation.query
    if query.kind is None or query.pronoun:
        return None
    lines = situation.cart_items()
    fitting = [line for line in lines if situation.kinds.get(line.id, MAIN) == query.kind]
    if query.kind == MAIN and len(fitting) == len(lines):
        return None  # "remove the perfume", of perfumes only, says nothing
    if not fitting:
        return Target(doubt="not_in_cart")
    return Target(fitting[0]) if len(fitting) == 1 else _which_line(situation, fitting)


def _described_line(situation: Situation) -> Target | None:
    """`remove the vanilla one`: the one line that has it, as far as its facts are known; else it is asked."""
    query, lines = situation.query, situation.cart_items()
    wished = {*query.notes, *query.families}
    if not wished or query.pronoun:
        return None
    said = set(fold(query.text).split())
    fitting = [line for line in lines if said & _long_words(line.name)]
    if not fitting:
        fitting = [line for line in lines if wished & _traits_of(situation, line)]
    return Target(fitting[0]) if len(fitting) == 1 else _which_line(situation, fitting)


def _line_talked_about(situation: Situation) -> Target | None:
    """The line that "it" is; "it" that is no line, but something only talked about, is asked."""
    held = {line.id for line in situation.cart_items()}
    candidates = [*one(situation.focus), *one(situation.page)]
    meant = next((item for item in candidates if item.id in held), None)
    if meant is not None:
        return Target(meant)
    return _which_line(situation) if situation.query.pronoun and situation.focus else None


def _only_line(situation: Situation) -> Target | None:
    lines = situation.cart_items()
    return Target(lines[0]) if len(lines) == 1 and situation.query.ordinal is None else None


def described_beside(situation: Situation, named: Sequence[Item]) -> list[Item] | None:
    """The lines that an exchange describes beside the product that it names, `the vanilla one`; None without a description."""
    query, lines = situation.query, situation.cart_items()
    said = set(fold(query.beside_names()).split())
    fitting = [line for line in lines if said & _long_words(line.name)]
    if fitting or query.pronoun:
        return fitting or None
    wished = {*query.notes, *query.families}.difference(*map(_traits, named))
    if not wished:
        return None
    return [line for line in lines if wished & _traits_of(situation, line)]


def _long_words(name: str) -> set[str]:
    return {word for word in fold(name).split() if len(word) > 3}


def unknown_lines(situation: Situation) -> list[Item]:
    """Lines whose facts were not observed, where the message describes one of several by its scent."""
    query, lines = situation.query, situation.cart_items()
    if len(lines) < 2 or query.references or not (query.notes or query.families):
        return []
    known = [situation.item(line.id) or line for line in lines]
    return [item for item in known if "notes" not in item.facts and "families" not in item.facts]


def _traits_of(situation: Situation, line: Item) -> set[str]:
    return _traits(situation.item(line.id) or line) | situation.traits.get(line.id, frozenset())


def _traits(item: Item) -> set[str]:
    """Families and notes of a product as far as they are known, and the words of its name."""
    return {
        *item.values("families"),
        *(fold(note) for note in item.values("notes")),
        *fold(item.name).split(),
    }
