"""What a running turn is doing, as a shopper may see it: kinds of steps, never what was said or found."""

from typing import Final, Literal

from shopping_agent.domain.intent import Language
from shopping_agent.domain.values import frozen

StepKind = Literal["search", "read", "compare", "cart", "checkout", "contact", "think", "check"]

TOOL_STEPS: Final[dict[str, StepKind]] = {
    "search_products": "search",
    "recommend_products": "search",
    "get_product": "read",
    "search_guides": "read",
    "compare_products": "compare",
    "get_cart": "cart",
    "add_to_cart": "cart",
    "update_cart_item": "cart",
    "remove_from_cart": "cart",
    "clear_cart": "cart",
    "checkout": "checkout",
    "contact_store": "contact",
}
"""What a call of each tool is told as; of others nothing is told."""


@frozen
class TurnStep:
    """One step.

    Attributes:
        number: from 1 in its turn.
        language: the shopper's, for the step's label.
        milliseconds: since the turn began.
    """

    number: int
    kind: StepKind
    language: Language
    milliseconds: int
