"""The cart tools: look at it, add, change, remove, empty. Every change passes the write gates first."""

from collections.abc import Callable
from typing import Any, Final

from shopping_agent.application.context import TurnContext
from shopping_agent.application.journal import Change
from shopping_agent.application.observations import Observations
from shopping_agent.application.tools.arguments import (
    AddToCart,
    NoArguments,
    RemoveFromCart,
    UpdateCartItem,
)
from shopping_agent.application.tools.catalog import ProductLookup
from shopping_agent.application.tools.gates import WriteGates
from shopping_agent.application.tools.refusals import refusal
from shopping_agent.application.tools.registry import Tool
from shopping_agent.application.turn import ActionType, CartAction
from shopping_agent.domain.cart import Cart
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.money import to_major
from shopping_agent.domain.operation import Operation
from shopping_agent.errors import CartRefusedError
from shopping_agent.ports import CartStore

_UNKNOWN: Final = (
    "No product has this id. Use an id from the data, or find it with search_products."
)


class CartTools:
    """The cart tools of one turn."""

    def __init__(
        self,
        *,
        carts: CartStore,
        lookup: ProductLookup,
        gates: WriteGates,
        context: TurnContext,
        observed: Observations,
    ) -> None:
        self._carts = carts
        self._lookup = lookup
        self._gates = gates
        self._shopper = context.shopper
        self._observed = observed

    def tools(self) -> list[Tool]:
        return [
            Tool("get_cart", "The cart as it is now.", NoArguments, self.get),
            Tool(
                "add_to_cart",
                "Put a product that the shopper was shown into the cart.",
                AddToCart,
                self.add,
                writes=True,
            ),
            Tool(
                "update_cart_item",
                "Set the quantity of a product in the cart.",
                UpdateCartItem,
                self.update,
                writes=True,
            ),
            Tool(
                "remove_from_cart",
                "Take a product out of the cart.",
                RemoveFromCart,
                self.remove,
                writes=True,
            ),
            Tool("clear_cart", "Empty the cart.", NoArguments, self.clear, writes=True),
        ]

    def get(self, arguments: NoArguments, deadline: Deadline) -> JsonObject:
        del arguments
        cart = self._carts.read(self._shopper, deadline)
        self._observed.cart = cart
        return {"ok": True, **_cart(cart)}

    def add(self, arguments: AddToCart, deadline: Deadline) -> JsonObject:
        if (done := self._done("add", arguments.product_id)) is not None:
            return done
        if (error := self._gates.asked("add", arguments.product_id)) is not None:
            return error
        if arguments.quantity < 1:
            return refusal("invalid_quantity", "The quantity to add is at least 1.")
        # Before the product is looked up: what our own look-up observes was not shown to anybody.
        unseen = self._gates.shown(arguments.product_id)
        if unseen is not None:
            exists = self._lookup.exists(arguments.product_id, deadline)
            return unseen if exists else refusal("unknown_product", _UNKNOWN)
        product = self._lookup.product(arguments.product_id, deadline)
        if product is None:
            return refusal("unknown_product", _UNKNOWN)
        self._lookup.variants(product, deadline)
        error = self._gates.add(product) or self._gates.pieces(product.id, arguments.quantity)
        if error is not None:
            return error
        return self._write(
            "add",
            product.id,
            product.name,
            arguments.quantity,
            lambda operation: self._carts.add(
                self._shopper, product.id, arguments.quantity, deadline, operation=operation
            ),
        )

    def update(self, arguments: UpdateCartItem, deadline: Deadline) -> JsonObject:
        return self._change_line(
            "update" if arguments.quantity else "remove",
            arguments.product_id,
            arguments.quantity,
            deadline,
        )

    def remove(self, arguments: RemoveFromCart, deadline: Deadline) -> JsonObject:
        return self._change_line("remove", arguments.product_id, 0, deadline)

    def clear(self, arguments: NoArguments, deadline: Deadline) -> JsonObject:
        del arguments
        if (done := self._done("clear", None)) is not None:
            return done
        if (error := self._gates.asked("clear")) is not None:
            return error
        if not self._observed.cart.items:
            return {"ok": True, "quantity": 0, **_cart(self._observed.cart)}
        return self._write(
            "clear",
            None,
            "",
            0,
            lambda operation: self._carts.clear(self._shopper, deadline, operation=operation),
        )

    def _change_line(
        self, kind: ActionType, product_id: str, quantity: int, deadline: Deadline
    ) -> JsonObject:
        if (done := self._done(kind, product_id)) is not None:
            return done
        if (error := self._gates.asked(kind, product_id)) is not None:
            return error
        if quantity < 0:
            return refusal("invalid_quantity", "The quantity is 0 or more.")
        line = self._observed.cart.line(product_id)
        if line is None:
            lines = self._observed.cart.items
            return refusal(
                "unknown_product",
                "This product is not in the cart."
                if lines
                else "The cart is empty: there is nothing to change.",
                choices=[{"productId": x.product_id, "label": x.name} for x in lines[:4]],
            )
        error = self._gates.line(kind, line) or self._gates.total(kind, line, quantity)
        if error is not None:
            return error
        return self._write(
            kind,
            product_id,
            line.name,
            quantity,
            lambda operation: self._carts.set_quantity(
                self._shopper, product_id, quantity, deadline, operation=operation
            ),
        )

    def _write(
        self,
        kind: ActionType,
        product_id: str | None,
        name: str,
        quantity: int,
        change: Callable[[Operation], Cart],
    ) -> JsonObject:
        action = CartAction(kind, product_id, quantity)
        try:
            cart = change(self._observed.journal.operation(Change(action, name)))
        except CartRefusedError as error:
            return refusal(error.code, str(error), limit=error.limit)
        self._observed.wrote(action, name, cart)
        return self._made(name, quantity)

    def _done(self, kind: ActionType, product_id: str | None) -> JsonObject | None:
        """The result of a change that an earlier attempt at this turn made in this one's place."""
        earlier = self._observed.journal.already(kind, product_id)
        return None if earlier is None else self._made(earlier.name, earlier.action.quantity)

    def _made(self, name: str, quantity: int) -> JsonObject:
        facts: dict[str, Any] = {"ok": True, "name": name, "quantity": quantity}
        return {**{k: v for k, v in facts.items() if v != ""}, **_cart(self._observed.cart)}


def _cart(cart: Cart) -> dict[str, Any]:
    return {"cart": cart.view(), "cartTotal": to_major(cart.total, cart.currency)}
