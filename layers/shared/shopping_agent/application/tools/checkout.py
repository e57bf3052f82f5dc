"""The checkout tool: it hands the cart over; the link goes to the shopper by our code, never through a model."""

from shopping_agent.application.checkout import Checkout
from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.tools.arguments import NoArguments
from shopping_agent.application.tools.gates import WriteGates
from shopping_agent.application.tools.refusals import refusal
from shopping_agent.application.tools.registry import Tool
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.money import to_major
from shopping_agent.errors import CartRefusedError


class CheckoutTools:
    """The checkout tool of one turn."""

    def __init__(
        self,
        *,
        checkout: Checkout,
        gates: WriteGates,
        context: TurnContext,
        observed: Observations,
    ) -> None:
        self._checkout = checkout
        self._gates = gates
        self._shopper = context.shopper
        self._observed = observed

    def tools(self) -> list[Tool]:
        return [
            Tool(
                "checkout",
                "Prepare the checkout of the cart when the shopper wants to order or pay. "
                "The shopper gets the link from us: state none.",
                NoArguments,
                self.begin,
                # Not that it changes the cart, but what changes it in the same step must come first.
                writes=True,
            )
        ]

    def begin(self, arguments: NoArguments, deadline: Deadline) -> JsonObject:
        del arguments
        if (error := self._gates.checkout()) is not None:
            return error
        try:
            link = self._checkout.begin(self._shopper, deadline)
        except CartRefusedError as error:
            return refusal(error.code, str(error))
        self._observed.handed_over(link)
        cart = link.cart
        return {"ok": True, "checkout": "ready", "cartTotal": to_major(cart.total, cart.currency)}
