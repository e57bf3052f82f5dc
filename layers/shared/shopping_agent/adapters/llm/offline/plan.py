"""From a situation to what should happen: cart changes, look-ups, or a question. A plan is derived anew for every
model call from the same facts, so that what was already observed is never done twice.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shopping_agent.adapters.llm.offline import changes, lines, targets
from shopping_agent.adapters.llm.offline.pending import agreed, settle
from shopping_agent.adapters.llm.offline.situation import Situation
from shopping_agent.adapters.llm.offline.steps import Plan, Step, observed, search
from shopping_agent.adapters.llm.offline.swaps import swap
from shopping_agent.adapters.llm.offline.targets import Target
from shopping_agent.domain.query import Order

_NEW: Final = ("add", "swap")
_MOST_LOOKED_AT: Final = 4


def make_plan(situation: Situation) -> Plan:
    """The plan of a situation: an answer to our open question, else the cart changes that the message asks for."""
    settled = settle(situation)
    if settled is not None:
        return settled
    query = situation.query
    if query.action == "checkout":
        return Plan((Step("checkout", {}),)) if situation.cart_items() else Plan()
    if not query.orders:
        return (agreed(situation) if query.action == "none" else None) or Plan()
    plans = [_plan_of(situation, orders) for orders in _grouped(query.orders)]
    steps = [step for plan in plans for step in plan.steps]
    # The same call again is no second change: the loop would only repeat its result.
    return Plan(
        tuple(s for i, s in enumerate(steps) if not any(_same(s, x) for x in steps[:i])),
        tuple(doubt for plan in plans for doubt in plan.doubts),
    )


def _same(one: Step, other: Step) -> bool:
    return one.tool == other.tool and dict(one.arguments) == dict(other.arguments)


def _grouped(orders: Sequence[Order]) -> list[list[Order]]:
    """Each order by itself; those of one exchange, and all that shall be kept, together."""
    groups: list[list[Order]] = []
    for order in orders:
        joined = groups and order.change in ("swap", "keep")
        if joined and groups[-1][-1].change == order.change:
            groups[-1].append(order)
        else:
            groups.append([order])
    return groups


def _plan_of(situation: Situation, orders: list[Order]) -> Plan:
    order = orders[0]
    if order.change == "clear":
        return Plan((Step("clear_cart", {}),))
    if order.change == "swap":
        return swap(situation, orders)
    if order.change == "keep":
        return _keep(situation, orders)
    if order.both:
        return _both(situation, order)
    at = _at(situation, order)
    target = _meant(at, order)
    if target.doubt == "not_in_cart" and _is_new(situation, order):
        # "Mets-en deux", "put four of them in", of what is not in the cart yet.
        return _plan_of(situation, [replace(order, change="add")])
    if target.doubt == "look_up":
        return _look_up(at, target)
    if target.item is None or target.doubt:
        looks = _looks_at_lines(at, order, target)
        return Plan(looks) if looks else Plan(doubts=(target,))
    step = changes.step(at, order, target.item, delegated=target.delegated)
    if step is None:
        asked = Target(doubt="how_many", name=target.item.name, choices=(target.item,))
        return Plan(doubts=(asked,))
    return Plan((step,))


def _is_new(situation: Situation, order: Order) -> bool:
    """Whether a number is of a product named or just talked about that the cart does not hold."""
    meant = order.name or (situation.focus and order.ordinal is None)
    return order.change == "set" and bool(order.quantity and meant)


def _both(situation: Situation, order: Order) -> Plan:
    """Both of two; where there are not two it is not clear which."""
    items = situation.shown if order.change == "add" else situation.cart_items()
    if len(items) != 2:
        choices = tuple(items[: targets.MOST_CHOICES])
        return Plan(
            doubts=(Target(doubt="which_product" if choices else "nothing_meant", choices=choices),)
        )
    steps = [changes.step(situation, order, item) for item in items]
    return Plan(tuple(step for step in steps if step is not None))


def _at(situation: Situation, order: Order) -> Situation:
    """The situation as one of several orders sees it: its own product, position, size and number."""
    query = situation.query
    if len(query.orders) == 1 and order.ordinal in (None, query.ordinal):
        return situation
    mine = replace(
        query,
        action="add" if order.change == "add" else "remove",
        ordinal=order.ordinal,
        quantity=order.quantity,
        size_ml=order.size_ml,
        pronoun=order.pronoun,
        cheapest=order.cheapest,
        delegated=order.cheapest or (query.delegated and not order.points),
        product_name=order.name,
        references=tuple(r for r in query.references if r.name == order.name),
    )
    return replace(situation, query=mine)


def _meant(situation: Situation, order: Order) -> Target:
    """The product that an order is about."""
    if order.change == "add":
        if order.name:
            return targets.named(situation, order.name)
        if order.unknown:
            return targets.looked_for(situation, order.unknown)
        return targets.to_add(situation)
    if order.name:
        target = targets.named(situation, order.name, among=situation.cart_items())
        return Target(doubt="not_in_cart", name=order.name) if target.doubt == "unknown" else target
    if order.unknown:
        return Target(doubt="not_in_cart", name=order.unknown)
    return lines.to_change(situation)


def _looks_at_lines(situation: Situation, order: Order, target: Target) -> tuple[Step, ...]:
    """Look-ups of lines that the message may describe and whose scent was not observed, each once."""
    if target.doubt != "which_product" or order.change in _NEW:
        return ()
    steps = [
        Step("get_product", {"productId": line.id}, line)
        for line in lines.unknown_lines(situation)[:_MOST_LOOKED_AT]
    ]
    return tuple(s for s in steps if s.tool in situation.tools and observed(s, situation) is None)


def _look_up(situation: Situation, target: Target) -> Plan:
    look = search(situation, target.name)
    if look.tool in situation.tools and observed(look, situation) is None:
        return Plan((look,))
    return Plan(doubts=(Target(doubt="unknown" if target.name else "none_fits", name=target.name),))


def _keep(situation: Situation, orders: Sequence[Order]) -> Plan:
    """Everything leaves but what shall be kept; nothing leaves while that is not certain."""
    meant = [_meant(_at(situation, order), order) for order in orders]
    doubts = tuple(t for t in meant if t.item is None or t.doubt)
    if doubts:
        return Plan(doubts=doubts)
    kept = {t.item.id for t in meant if t.item is not None}
    return Plan(
        tuple(
            Step("remove_from_cart", {"productId": line.id}, line)
            for line in situation.cart_items()
            if line.id not in kept
        )
    )
