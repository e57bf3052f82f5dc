"""The call that makes one ordered change of one product."""

from shopping_agent.adapters.llm.offline.situation import Item, Situation
from shopping_agent.adapters.llm.offline.steps import Step
from shopping_agent.domain.query import Order


def step(situation: Situation, order: Order, item: Item, *, delegated: bool = False) -> Step | None:
    """The call; None when a change of quantity does not say how many."""
    if order.change == "add":
        arguments = {"productId": item.id, "quantity": order.quantity or 1}
        return Step("add_to_cart", arguments, item, delegated=delegated)
    if order.change == "remove":
        return Step("remove_from_cart", {"productId": item.id}, item)
    if order.quantity is None and order.change not in ("half", "double"):
        return None
    quantity = _quantity(situation, order, item.id)
    if quantity <= 0:
        return Step("remove_from_cart", {"productId": item.id}, item)
    return Step("update_cart_item", {"productId": item.id, "quantity": quantity}, item)


def _quantity(situation: Situation, order: Order, product_id: str) -> int:
    """The new quantity of a line: as said, or a difference to what it holds."""
    said = order.quantity or 0
    held = situation.held(product_id)
    changed = {"more": held + said, "less": held - said, "half": held // 2, "double": held * 2}
    return changed.get(order.change, said)
