"""The confirmation of an order that was carried out, from facts alone: a turn that needs no second model call."""

from collections.abc import Sequence

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.summary import Summary
from shopping_agent.application.turn import CartAction
from shopping_agent.domain.cart import Cart
from shopping_agent.domain.query import Order, ShopperQuery
from shopping_agent.domain.store import StorePack


def confirmation(pack: StorePack, context: TurnContext, observed: Observations) -> str:
    """What the turn changed, and the total; "" where the message asks for more than was done, or a fact is missing."""
    understood = context.understanding
    if not (understood.plain_order and understood.sure_of_language) or observed.refusal:
        return ""
    if not _carried_out(_orders(context.query), observed):
        return ""
    return Summary(pack, context, observed).changes()


def _orders(query: ShopperQuery) -> Sequence[Order]:
    if query.orders:
        return query.orders
    if query.action == "add":
        return (Order("add", quantity=query.quantity),)
    return (Order("clear"),) if query.action == "clear" else ()


def _carried_out(orders: Sequence[Order], observed: Observations) -> bool:
    """Whether the changes made are those that were ordered, each once, in their quantities."""
    open_orders = list(orders)
    for action in observed.actions:
        met = next((order for order in open_orders if _meets(action, order, observed)), None)
        if met is None:
            return False
        open_orders.remove(met)
    return bool(orders) and not open_orders


def _meets(action: CartAction, order: Order, observed: Observations) -> bool:
    if order.both:
        return False
    if action.type == "clear" or order.change == "clear":
        return action.type == order.change == "clear" and not observed.cart.items
    product_id = action.product_id or ""
    if not observed.written_names.get(product_id):
        return False
    before, after = _held(observed.before, product_id), _held(observed.cart, product_id)
    stated = order.quantity
    match order.change:
        case "add" | "more":
            return after - before == (stated or 1)
        case "set":
            return after == stated
        case "less":
            return before - after == (stated or 1)
        case "remove":
            return after == 0 and stated in (None, before)
        case _:
            return False


def _held(cart: Cart, product_id: str) -> int:
    line = cart.line(product_id)
    return line.quantity if line else 0
