"""One message that does and undoes: `add X, remove it, add Y` ends with Y alone. The last state of each product counts."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from shopping_agent.domain.query import Order
from shopping_agent.domain.text import family_key

_CORRECTIONS: Final = ("remove", "less", "set", "double")


def last_states(orders: Iterable[Order]) -> list[Order]:
    """The orders without additions that a later one of the same message takes back or corrects."""
    kept: list[Order] = []
    for order in orders:
        added = _corrected(order, kept)
        if added is None:
            kept.append(order)
            continue
        kept.remove(added)
        kept += _after(added, order)
    return kept


def _corrected(order: Order, before: list[Order]) -> Order | None:
    """The addition that an order is about: that of its product, or for a pronoun the one just before."""
    if order.change not in _CORRECTIONS or order.other or order.both or order.cheapest:
        return None
    if order.change == "double" and before and before[-1] == Order("add"):
        return before[-1]  # "add X double it" without a comma: the name stands before both verbs
    if order.change == "set" and order.quantity is None:
        return None  # "triple it": a new number that nobody named
    if order.name:
        same = [o for o in before if o.name and family_key(o.name) == family_key(order.name)]
    elif order.ordinal is not None:
        same = [o for o in before if o.ordinal == order.ordinal]
    else:
        same = [] if order.unknown else before[-1:]
    return same[-1] if same and _adds_one(same[-1], order) else None


def _adds_one(order: Order, later: Order) -> bool:
    certain = bool(order.name or order.ordinal is not None) or later.change == "double"
    return order.change == "add" and certain


def _after(added: Order, order: Order) -> list[Order]:
    """What is left of an addition after its correction.

    What shall leave may have been in the cart before: it is removed by name. A position is no name of a line.
    """
    if order.change == "set" and order.quantity:
        change = "set" if added.name else "add"
        return [replace(added, change=change, quantity=order.quantity)]
    if order.change == "double":
        whose = order if added == Order("add") else added
        return [replace(whose, change="add", quantity=2 * (added.quantity or 1))]
    left = (added.quantity or 1) - (order.quantity or 0) if order.change == "less" else 0
    if left > 0:
        return [replace(added, quantity=left)]
    return [Order("remove", added.name, size_ml=added.size_ml)] if added.name else []
