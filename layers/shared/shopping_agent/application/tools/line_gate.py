"""Whether a line of the cart that a model changes is the one that the shopper meant."""

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.tools.asked import Asked
from shopping_agent.application.tools.meant import Meant
from shopping_agent.application.tools.refusals import refusal
from shopping_agent.application.tools.wrong_product import wrong_product
from shopping_agent.application.turn import ActionType
from shopping_agent.domain.cart import CartLine
from shopping_agent.domain.conversation import JsonObject


class LineGate:
    """The gate of one turn."""

    def __init__(
        self, context: TurnContext, observed: Observations, meant: Meant, asked: Asked
    ) -> None:
        self._context = context
        self._observed = observed
        self._meant = meant
        self._asked = asked

    def check(self, kind: ActionType, line: CartLine) -> JsonObject | None:
        """Whether a line of the cart is the one that the shopper meant."""
        if self._meant.forbids(kind, line.product_id):
            return wrong_product(self._meant, self._observed, kind, line.name)
        exact = self._meant.exact_names()
        held = [
            x
            for x in self._observed.before.items
            if self._meant.is_named(x.product_id, x.name, exact)
        ]
        if any(order.change == "keep" for order in self._context.query.orders):
            return self._kept(line)
        pointed = self._context.pointed_at() + self._context.leaving()
        if line.product_id in {*pointed, *(x.product_id for x in held)}:
            return None
        held = held or self._asked.other_lines(line)
        if not held:
            return self._names_another(line)
        said = " and ".join(exact or [x.name for x in held])
        return refusal(
            "which_product",
            f"The shopper means {said}, which is not {line.name}.",
            choices=[{"productId": x.product_id, "label": x.name} for x in held],
        )

    def _names_another(self, line: CartLine) -> JsonObject | None:
        """Whether a message without an order that we know names a product, and not this line."""
        query, named = self._context.query, self._meant.references()
        if query.orders or not named or line.product_id in {*named, *self._context.pending_ids}:
            return None
        return wrong_product(self._meant, self._observed, "update", line.name)

    def _kept(self, line: CartLine) -> JsonObject | None:
        """Whether a line may leave where the shopper said what stays."""
        if line.product_id not in self._meant.kept():
            return None
        return refusal("which_product", f"The shopper wants to keep {line.name}.")
