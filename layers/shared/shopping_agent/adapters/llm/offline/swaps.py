"""One product out, another in: which leaves, which comes, and that nothing leaves before the other one is in."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shopping_agent.adapters.llm.offline import targets
from shopping_agent.adapters.llm.offline.lines import described_beside
from shopping_agent.adapters.llm.offline.situation import Item, Situation
from shopping_agent.adapters.llm.offline.sizes import base_key, in_sizes, sizes_known
from shopping_agent.adapters.llm.offline.steps import Plan, Step, observed, search
from shopping_agent.adapters.llm.offline.targets import MOST_CHOICES, Target
from shopping_agent.domain.query import Order
from shopping_agent.domain.text import fold

_FIGURE: Final = re.compile(r"(?<![\w.,])\d{2,3}(?!\d)")
_SMALLEST_SIZE: Final = 10  # smaller numbers are how many


def swap(situation: Situation, orders: Sequence[Order]) -> Plan:
    """The plan of an exchange: `replace A with B`, `replace it with B`, `the 30 ml instead`, `the other one`."""
    leaving, coming_order = _sides(situation, orders)
    if leaving.item is None or leaving.doubt:
        return Plan(doubts=(leaving,))
    if coming_order is None:
        return Plan(doubts=(Target(doubt="swap"),))
    coming = _coming(situation, coming_order, leaving.item)
    if coming.doubt == "look_up":
        look = search(situation, coming.name)
        if look.tool in situation.tools and observed(look, situation) is None:
            return Plan((look,))
        coming = Target(doubt="unknown" if coming.name else "none_fits", name=coming.name)
    if coming.item is None or coming.doubt:
        return Plan(doubts=(coming,))
    if coming.item.id == leaving.item.id:
        return Plan(doubts=(Target(doubt="swap"),))
    same = base_key(coming.item.name) == base_key(leaving.item.name)
    said = coming_order.quantity if coming_order.quantity != coming.item.size_ml else None
    quantity = said or (situation.held(leaving.item.id) if same else 0) or 1
    add = Step("add_to_cart", {"productId": coming.item.id, "quantity": quantity}, coming.item)
    out = Step("remove_from_cart", {"productId": leaving.item.id}, leaving.item, after=add)
    return Plan((add, out))


def _sides(situation: Situation, orders: Sequence[Order]) -> tuple[Target, Order | None]:
    """What leaves, and the order that says what comes; of two named products the one in the cart leaves."""
    if len(orders) == 1:
        one = orders[0]
        if one.name and situation.query.pronoun is False and not situation.added:
            held = _held(situation, one)
            if held.item is not None and len(situation.cart_items()) > 1:
                return held, None
        return _leaving(situation, one), one
    held = [(o, _held(situation, o)) for o in orders[:2]]
    leaving = [(o, t) for o, t in held if t.doubt != "not_in_cart"]
    if not leaving:
        return held[0][1], None
    if len(leaving) > 1:
        return Target(doubt="swap"), None
    return leaving[0][1], next(o for o in orders if o is not leaving[0][0])


def _held(situation: Situation, order: Order) -> Target:
    lines = situation.cart_items()
    if order.name:
        target = targets.named(situation, order.name, among=lines)
        return Target(doubt="not_in_cart", name=order.name) if target.doubt == "unknown" else target
    shown = targets.by_ordinal(situation.shown, order.ordinal or 0)
    line = next((x for x in lines if shown and x.id == shown.id), None)
    return Target(line) if line else Target(doubt="not_in_cart", name=shown.name if shown else "")


def _leaving(situation: Situation, order: Order) -> Target:
    """The line that leaves where none is named: the one talked about, just added, or the only one."""
    lines = situation.cart_items()
    if not lines:
        return Target(doubt="not_in_cart")
    if order.name:
        coming = [i for i in situation.known() if base_key(i.name) == base_key(order.name)]
        described = described_beside(situation, coming)
        if described is not None:
            known = len(described) == 1
            choices = tuple(described or lines)[:MOST_CHOICES]
            return Target(described[0]) if known else Target(doubt="which_product", choices=choices)
    focus = [line for line in lines if situation.focus and line.id == situation.focus.id]
    added = [line for line in lines if line.id in {a.id for a in situation.added}]
    several = len(added) > 1 and not order.pronoun
    for candidates in (added if several or len(added) == 1 else [], focus, lines):
        if len(candidates) == 1:
            return Target(candidates[0])
        if candidates:
            break
    return Target(doubt="which_product", choices=lines[:MOST_CHOICES])


def _coming(situation: Situation, order: Order, leaving: Item) -> Target:
    if order.name:
        return targets.named(situation, order.name)
    if order.ordinal is not None:
        item = targets.by_ordinal(situation.shown, order.ordinal)
        return Target(item) if item else Target(doubt="which_product", choices=situation.shown)
    if order.unknown:
        return Target(doubt="unknown" if situation.searched else "look_up", name=order.unknown)
    if order.other:
        return _other(situation, leaving)
    size = order.size_ml or _bare_size(situation.query.text)
    if size is not None and not situation.query.wishes():
        sized = replace(situation, query=replace(situation.query, size_ml=size))
        return targets.in_stated_size(sized, Target(leaving))
    return (
        targets.to_add(situation)
        if order.cheapest or situation.query.wishes()
        else Target(doubt="swap")
    )


def _bare_size(text: str) -> int | None:
    """The size that the only number of an exchange is: "the 50 instead"."""
    figures = _FIGURE.findall(fold(text))
    return int(figures[0]) if len(figures) == 1 and int(figures[0]) >= _SMALLEST_SIZE else None


def _other(situation: Situation, leaving: Item) -> Target:
    """The other one of two: the other size, else the other card."""
    family = [i for i in situation.known() if base_key(i.name) == base_key(leaving.name)]
    sizes = [i for i in in_sizes(family) if i.id != leaving.id]
    if len(sizes) == 1:
        return Target(sizes[0])
    if sizes:
        return Target(doubt="which_size", choices=tuple(sizes[:MOST_CHOICES]))
    cards = [i for i in situation.shown if i.id != leaving.id]
    if len(cards) == 1 and len(situation.shown) == 2:
        return Target(cards[0])
    if not cards and not sizes_known(family) and not situation.called("search_products"):
        return Target(doubt="look_up", name=leaving.name)
    return Target(doubt="which_product", choices=tuple(cards[:MOST_CHOICES]))
