"""One tool: its name and words for a model, its argument model, and the method that runs it."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from shopping_agent.application.tools.arguments import Arguments, json_schema
from shopping_agent.domain.conversation import JsonObject, ToolSpec
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.intent import Intent
from shopping_agent.domain.values import frozen

_CART: Final = (
    "get_cart",
    "add_to_cart",
    "update_cart_item",
    "remove_from_cart",
    "clear_cart",
)
# The tools that a model is offered, by intent. None of them is out of reach by a wrong intent: every list can
# search, answer and add.
OFFERED: Final[dict[Intent, tuple[str, ...]]] = {
    "cart": (*_CART, "checkout", "search_products", "get_product", "search_guides"),
    "recommendation": (
        "search_products",
        "recommend_products",
        "get_product",
        "compare_products",
        "add_to_cart",
        "get_cart",
    ),
    "knowledge": (
        "search_guides",
        "search_products",
        "get_product",
        "compare_products",
        "add_to_cart",
        "get_cart",
        "contact_store",
    ),
    "general": (
        "contact_store",
        "search_guides",
        "search_products",
        "recommend_products",
        "add_to_cart",
        "get_cart",
        "remove_from_cart",
    ),
}


@frozen
class Tool:
    """A tool of one turn.

    Attributes:
        run: takes the parsed arguments (of `arguments`) and the deadline; returns the observation.
        writes: it changes the cart: never run beside another call.
        parameters: their JSON schema, where the model alone does not say it; asked for when the tool is offered.
    """

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Any, Deadline], JsonObject]
    writes: bool = False
    parameters: Callable[[], JsonObject] | None = None

    def spec(self) -> ToolSpec:
        if self.parameters is not None:
            return ToolSpec(self.name, self.description, self.parameters())
        return _spec(self.name, self.description, self.arguments)


@cache
def _spec(name: str, description: str, arguments: type[Arguments]) -> ToolSpec:
    return ToolSpec(name=name, description=description, parameters=json_schema(arguments))
