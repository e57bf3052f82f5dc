"""Which product a message means: by name, position, pronoun, superlative or delegation. In doubt: which to ask about."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Literal

from shopping_agent.adapters.llm.offline.situation import Item, Situation
from shopping_agent.adapters.llm.offline.sizes import (
    bare_name,
    base_key,
    in_sizes,
    names_a_size,
    size_of,
    sizes_known,
)
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.text import fold, name_key
from shopping_agent.domain.values import frozen

Doubt = Literal[
    "",
    "which_size",
    "which_product",
    "nothing_meant",
    "not_in_cart",
    "unknown",
    "none_fits",
    "look_up",
    "how_many",
    "swap",
]
MOST_CHOICES: Final = 4
# "This" points at the page; "it" at what was talked about.
_THIS: Final = re.compile(
    r"\b(?:this|ce|cet|cette|celui-ci|celle-ci|ca|had|hada|hadi)\b|(?:^|\s)(?:هذا|هذه|هاد|هادا|هادي)(?:\s|$)"
)


@frozen
class Target:
    """The product meant, or why it is not certain.

    Attributes:
        choices: what to ask about, at most `MOST_CHOICES`.
        name: the name as the shopper's message has it, where there is one.
        delegated: the choice was left to us.
    """

    item: Item | None = None
    doubt: Doubt = ""
    choices: tuple[Item, ...] = ()
    name: str = ""
    delegated: bool = False

    @property
    def certain(self) -> bool:
        return self.item is not None and not self.doubt


def one_of(candidates: Sequence[Item], *, name: str = "") -> Target:
    """The only candidate, or the question which one: a size where all are variants of one product."""
    if len(candidates) == 1:
        return Target(candidates[0], name=name)
    if not candidates:
        return Target(doubt="unknown", name=name)
    one_product = len({base_key(c.name) for c in candidates}) == 1
    if one_product:
        candidates = in_sizes(candidates)
    return Target(
        doubt="which_size" if one_product else "which_product",
        choices=tuple(candidates[:MOST_CHOICES]),
        name=name,
    )


def named(situation: Situation, name: str, *, among: Sequence[Item] | None = None) -> Target:
    """The product of a name found in the message; a stated size, a card shown or an exact name decides."""
    pool = situation.known() if among is None else among
    by_id = [item for item in pool if item.id == name]
    if by_id:
        return Target(by_id[0], name=by_id[0].name)
    key, size = name_key(name), situation.query.size_ml
    family = [item for item in pool if base_key(item.name) == base_key(name)]
    if not family:
        if among is None and not situation.called("search_products"):
            return Target(doubt="look_up", name=name)
        return Target(doubt="unknown", name=name)
    if size is not None:
        sized = [item for item in family if size_of(item) == size]
        if among is not None or sized:
            return one_of(sized, name=name)
        return in_stated_size(situation, Target(family[0], name=name))
    exact = [item for item in family if name_key(item.name) == key]
    if len(exact) == 1 and (len(family) == 1 or names_a_size(name)):
        return Target(exact[0], name=name)
    cards = {item.id for item in (*situation.shown, *one(situation.focus), *one(situation.page))}
    fixed = [item for item in family if item.id in cards]
    return one_of(fixed if len(fixed) == 1 else family, name=name)


def looked_for(situation: Situation, name: str) -> Target:
    """A name that the store does not know; one of several orders is looked for by itself."""
    found = situation.searched and len(situation.query.orders) == 1
    return Target(doubt="unknown" if found else "look_up", name=name)


def in_stated_size(situation: Situation, target: Target) -> Target:
    """The target in the size that the message states. Sizes that were not observed are looked up, never denied."""
    size, item = situation.query.size_ml, target.item
    if size is None or item is None or size_of(item) == size:
        return target
    family = [i for i in situation.known() if base_key(i.name) == base_key(item.name)]
    sized = [i for i in family if size_of(i) == size]
    if sized:
        return replace(target, item=sized[0])
    if not sizes_known(family) and not situation.called("search_products"):
        return Target(doubt="look_up", name=f"{bare_name(item.name)} {size} ml")
    return Target(doubt="which_size", choices=tuple(in_sizes(family)), name=target.name)


def by_ordinal(items: Sequence[Item], ordinal: int) -> Item | None:
    """The item at a 1-based position; -1 is the last."""
    index = ordinal - 1 if ordinal > 0 else len(items) + ordinal
    return items[index] if 0 <= index < len(items) else None


def to_add(situation: Situation) -> Target:
    """What to put in the cart when no product is named."""
    query = situation.query
    found = first_of(
        situation,
        (
            lambda s: positioned(s, s.shown),
            _cheapest_shown,
            lambda s: _delegated(s) if query.delegated and _describes(query) else None,
            lambda s: _last_talked_about(s) if query.pronoun or not _describes(query) else None,
            lambda s: Target(s.shown[0], delegated=True) if query.delegated and s.shown else None,
            lambda s: _delegated(s) if query.delegated else None,
            _described,
            lambda s: one_of(s.shown) if s.shown else None,
        ),
    )
    return in_stated_size(situation, found)


def first_of(situation: Situation, rules: Sequence[Callable[[Situation], Target | None]]) -> Target:
    found = (rule(situation) for rule in rules)
    return next((t for t in found if t is not None), Target(doubt="nothing_meant"))


def positioned(situation: Situation, items: Sequence[Item]) -> Target | None:
    ordinal = situation.query.ordinal
    if ordinal is None or not items:
        return None
    item = by_ordinal(items, ordinal)
    if item is None:
        return Target(doubt="which_product", choices=tuple(items[:MOST_CHOICES]))
    return Target(item)


def _cheapest_shown(situation: Situation) -> Target | None:
    priced = [item for item in situation.shown if item.price is not None]
    if not situation.query.cheapest or not priced or _describes(situation.query):
        return None
    return Target(min(priced, key=lambda item: item.price or 0))


def _delegated(situation: Situation) -> Target | None:
    """The top of the ranking: never another one, and none where nothing valid was found."""
    if not situation.searched:
        return Target(doubt="look_up")
    best = next((i for i in situation.found if i.id == situation.best), None)
    if best is None:
        return Target(doubt="none_fits", choices=situation.found[:3], delegated=True)
    return Target(best, delegated=True)


def _described(situation: Situation) -> Target | None:
    """A product meant by its attributes ("add the rose one"): certain only when a single one fits."""
    if not _describes(situation.query):
        return None
    if not situation.searched:
        return Target(doubt="look_up")
    shown = {item.id for item in situation.shown}
    among_shown = [item for item in situation.found if item.id in shown]
    if len(among_shown) == 1:
        return Target(among_shown[0])
    if not situation.found:
        return Target(doubt="none_fits")
    return one_of(situation.found[:3])


def _last_talked_about(situation: Situation) -> Target | None:
    """What "it" is: the page for "this"; else the product last talked about or the page, or the only card.

    A page and a talk about another product are a doubt: it asks.
    """
    if situation.page and _THIS.search(fold(situation.query.text)):
        return Target(situation.page)
    candidates = {item.id: item for item in (*one(situation.focus), *one(situation.page))}
    if not candidates and len(situation.shown) == 1:
        return Target(situation.shown[0])
    return one_of(tuple(candidates.values())) if candidates else None


def _describes(query: ShopperQuery) -> bool:
    return query.wishes()


def one(item: Item | None) -> tuple[Item, ...]:
    return (item,) if item else ()
