"""Write gates: what must hold before a proposed change reaches the cart. The model proposes; this decides."""

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.tools.amounts import Amounts
from shopping_agent.application.tools.asked import Asked
from shopping_agent.application.tools.line_gate import LineGate
from shopping_agent.application.tools.meant import Meant
from shopping_agent.application.tools.product_gate import ProductGate
from shopping_agent.application.tools.refusals import refusal
from shopping_agent.application.tools.spoken import spoken_in
from shopping_agent.application.turn import ActionType
from shopping_agent.domain.cart import CartLine
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.vocabulary import Vocabulary


class WriteGates:
    """The gates of one turn. Each answers None, or the error that goes back to the model."""

    def __init__(
        self, context: TurnContext, observed: Observations, vocabulary: Vocabulary
    ) -> None:
        self._context = context
        self._observed = observed
        spoken, earlier = spoken_in(context, observed, vocabulary)
        meant = Meant(context, observed, spoken)
        self._amounts = Amounts(context, observed, meant, spoken, earlier)
        self._asked = Asked(context, observed, vocabulary, meant, spoken)
        self._products = ProductGate(context, observed, vocabulary, meant, self._asked)
        self._lines = LineGate(context, observed, meant, self._asked)

    def change(self) -> JsonObject | None:
        """Any change at all: not when the shopper refuses or only wonders."""
        query = self._context.query
        talk_only = self._context.understanding.hypothetical or query.denies
        if talk_only and query.action in ("none", "view"):
            return refusal("negated", "The shopper did not ask for a change now. Change nothing.")
        return None

    def asked(self, kind: ActionType, product_id: str | None = None) -> JsonObject | None:
        """Whether the shopper asked for such a change: no text that a model has read can ask for one."""
        if (error := self.change()) is not None:
            return error
        if not self._asked.for_change(kind, product_id):
            return refusal(
                "not_asked",
                "The shopper did not ask for this change. Change nothing: answer, or ask the shopper first.",
            )
        if product_id is not None and self._asked.is_enough(kind, product_id):
            return refusal(
                "not_asked", "That is more than the shopper asked for. Ask the shopper first."
            )
        return None

    def checkout(self) -> JsonObject | None:
        """Whether the shopper wants to order or pay now."""
        if (error := self.change()) is not None:
            return error
        if self._asked.for_checkout():
            return None
        return refusal(
            "not_asked", "The shopper did not ask to check out. Prepare no checkout, or ask first."
        )

    def pieces(self, product_id: str, pieces: int) -> JsonObject | None:
        """Whether so many pieces to add follow from what the shopper said, with what this turn added before."""
        allowed = self._amounts.allows_more(product_id, pieces)
        return None if allowed else self._not_said(pieces)

    def total(self, kind: ActionType, line: CartLine, total: int) -> JsonObject | None:
        """Whether the new quantity of a line follows from what the shopper said; 0 removes it."""
        allowed = self._amounts.allows(kind, line.product_id, total)
        return None if allowed else self._not_said(total)

    def _not_said(self, quantity: int) -> JsonObject:
        said = self._amounts.said()
        asked = f"said {' and '.join(map(str, said))}" if said else "said no number"
        return refusal(
            "not_asked",
            f"The shopper {asked}, from which a quantity of {quantity} does not follow. "
            "Use the quantity that the shopper said, else 1, or ask.",
        )

    def shown(self, product_id: str) -> JsonObject | None:
        """Whether this shopper has seen the product: in this turn, this session, its page or the cart."""
        context, observed = self._context, self._observed
        known = (
            product_id in observed.products
            or product_id in context.conversation.seen
            or product_id in context.pending_ids
            or product_id in context.named_ids
            or (context.page is not None and context.page.id == product_id)
            or observed.cart.line(product_id) is not None
        )
        if known:
            return None
        return refusal(
            "not_shown",
            "This id was not shown to the shopper. Use an id from the data or find the product with search_products.",
        )

    def add(self, product: Product) -> JsonObject | None:
        """Whether this product is what the shopper meant to add."""
        return self._products.check(product)

    def line(self, kind: ActionType, line: CartLine) -> JsonObject | None:
        """Whether a line of the cart is the one that the shopper meant to change."""
        return self._lines.check(kind, line)
