"""Carts, and carts that were handed over to the shop's checkout."""

from collections.abc import Sequence
from typing import Protocol

from shopping_agent.domain.cart import Cart
from shopping_agent.domain.checkout import CompletedOrder, Completion, HandOff
from shopping_agent.domain.conversation import (
    Shopper,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge
from shopping_agent.domain.operation import Operation


class CartStore(Protocol):
    """Carts. Every change is one atomic script and returns the cart at live prices.

    Raises `CartRefusedError` (nothing changed) or `StateUnavailableError` (never a silent success).
    `expected_version` makes the change conditional (`version_conflict`). `operation` names it: an operation that was
    carried out already changes nothing and answers the cart; without one, every call is a change of its own.
    """

    def read(self, shopper: Shopper, deadline: Deadline, *, charges: Sequence[Charge] = ()) -> Cart:
        """The cart; in the same round trip `charges` are counted.

        Raises:
            TooManyRequestsError: one of the limits that they count towards is reached.
        """
        ...

    def add(
        self,
        shopper: Shopper,
        product_id: str,
        quantity: int,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart: ...

    def set_quantity(
        self,
        shopper: Shopper,
        product_id: str,
        quantity: int,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart:
        """0 removes; an absent line with 0 is no error, with more it is `unknown_product`."""
        ...

    def clear(
        self,
        shopper: Shopper,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart: ...

    def undo(
        self,
        shopper: Shopper,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart:
        """The cart before the last change; a second undo has `nothing_to_undo`."""
        ...

    def merge(
        self,
        user: Shopper,
        guest: Shopper,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart:
        """The guest's lines moved into the user's cart, once, within the caps and the stock.

        The guest's cart is empty afterwards. What did not come over is in the reply's `left_out`. A user's undo takes
        back what came; the guest's cart has nothing to undo.
        """
        ...


class HandOffStore(Protocol):
    """Carts that were handed over to the shop's checkout."""

    def keep(self, shopper: Shopper, given: HandOff, deadline: Deadline) -> None:
        """Remember a hand-off. Raises `CartRefusedError` when the cart has another version by now."""
        ...

    def find(self, reference: str, deadline: Deadline) -> HandOff | None: ...

    def complete(self, order: CompletedOrder, deadline: Deadline) -> Completion:
        """Take what was handed over out of the cart, and count the order; atomic, and once for an order.

        What was added since the hand-off stays. What was ordered cannot be brought back by an undo.
        """
        ...
