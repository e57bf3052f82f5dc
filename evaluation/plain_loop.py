"""The yardstick of truth: a hand-written agent loop over the store's own routes, as most are: what the model says is said."""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from shopping_agent.domain.conversation import (
    AssistantMessage,
    Message,
    ModelRequest,
    ToolResult,
    UserMessage,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.ports import LanguageModel

from evaluation.client import ChatClient

MOST_CALLS = 12
_CART = "/api/v1/cart"
_ITEMS = f"{_CART}/items"
_PRODUCTS = "/api/v1/products"
Arguments = Mapping[str, Any]


def _item(arguments: Arguments) -> str:
    return f"{_ITEMS}/{quote(str(arguments['productId']))}"


Tool = Callable[[ChatClient, Arguments], Any]
TOOLS: dict[str, Tool] = {
    "get_product": lambda shop, a: shop.at_store("GET", f"{_PRODUCTS}/{a['productId']}").json,
    "compare_products": lambda shop, a: {
        "products": [shop.at_store("GET", f"{_PRODUCTS}/{i}").json for i in a["productIds"]]
    },
    "search_products": lambda shop, a: (
        shop.at_store("GET", _PRODUCTS, query={"query": str(a.get("query", ""))}).json
    ),
    "get_cart": lambda shop, _: shop.at_store("GET", _CART).json,
    "add_to_cart": lambda shop, a: shop.at_store("POST", _ITEMS, {"quantity": 1, **a}).json,
    "update_cart_item": lambda shop, a: (
        shop.at_store("PATCH", _item(a), {"quantity": a["quantity"]}).json
    ),
    "remove_from_cart": lambda shop, a: shop.at_store("DELETE", _item(a)).json,
    "clear_cart": lambda shop, _: shop.at_store("DELETE", _CART).json,
}


def _named(arguments: Arguments) -> Arguments:
    """Arguments under their names, where a model wrote them with underscores."""
    return {re.sub(r"_(\w)", lambda m: m[1].upper(), name): v for name, v in arguments.items()}


def answer(message: str, model: LanguageModel, shop: ChatClient) -> str:
    """The model's text, after the calls that it made.

    Raises:
        RuntimeError: it never came to one.
    """
    messages: list[Message] = [UserMessage(message)]
    for _ in range(MOST_CALLS):
        query = ShopperQuery(text=message, language="en")
        request = ModelRequest(system="", messages=tuple(messages), tools=(), query=query)
        reply = model.complete(request, Deadline.after(30))
        if not reply.tool_calls:
            return reply.text
        messages.append(AssistantMessage(reply.text, reply.tool_calls))
        for call in reply.tool_calls:
            tool = TOOLS.get(call.name)
            result = tool(shop, _named(call.arguments)) if tool else {"error": "unknown tool"}
            messages.append(ToolResult(call.id, call.name, result))
    raise RuntimeError("the model only calls tools")
