"""The planner in the real agent loop: how many calls it takes, and that it ends whatever the tools answer."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from shopping_agent.adapters.llm.offline import OfflineModel
from shopping_agent.application.agent import Agent, Task
from shopping_agent.application.loop_limits import LoopLimits
from shopping_agent.application.tools import arguments
from shopping_agent.domain.conversation import DataBlock, ToolCall, ToolSpec, UserMessage
from shopping_agent.domain.deadline import Deadline

SPECS = [
    ToolSpec("search_products", "", arguments.json_schema(arguments.SearchProducts)),
    ToolSpec("get_product", "", arguments.json_schema(arguments.GetProduct)),
    ToolSpec("compare_products", "", arguments.json_schema(arguments.CompareProducts)),
    ToolSpec("add_to_cart", "", arguments.json_schema(arguments.AddToCart)),
    ToolSpec("update_cart_item", "", arguments.json_schema(arguments.UpdateCartItem)),
    ToolSpec("remove_from_cart", "", arguments.json_schema(arguments.RemoveFromCart)),
    ToolSpec("search_guides", "", arguments.json_schema(arguments.SearchGuides)),
    ToolSpec("contact_store", "", arguments.json_schema(arguments.ContactStore)),
]


class Tools:
    """A toolbox over the small shop; `answer` replaces every result when it is given."""

    def __init__(self, shop: Any, answer: Mapping[str, Any] | None = None) -> None:
        self.shop = shop
        self.answer = answer
        self.calls: list[ToolCall] = []
        self.held: dict[str, int] = {}

    @property
    def specs(self) -> Sequence[ToolSpec]:
        return SPECS

    def writes(self, name: str) -> bool:
        return name.endswith("_cart") or name == "update_cart_item"

    def canonical(self, call: ToolCall) -> Mapping[str, Any]:
        return call.arguments

    def run(self, call: ToolCall, deadline: Deadline) -> Mapping[str, Any]:
        self.calls.append(call)
        if self.answer is not None:
            return self.answer
        if call.name == "search_products":
            return self.shop.found("vent", "zellige")
        product = self.shop.catalog[call.arguments["productId"]]
        if not product["inStock"]:
            return self.shop.refused("out_of_stock")
        self.held[product["id"]] = self.held.get(product["id"], 0) + call.arguments["quantity"]
        return self.shop.wrote(
            product["name"], call.arguments["quantity"], self.shop.cart(**self.held)
        )


def _run(shop: Any, query: Any, tools: Tools, **blocks: Any) -> Any:
    message = UserMessage(query.text, tuple(DataBlock(k, v) for k, v in blocks.items()))
    agent = Agent(model=OfflineModel(pack=shop.pack), limits=LoopLimits(10))
    return agent.run(Task("", [message], query), tools, Deadline.after(10))


def _flagship(shop: Any) -> Any:
    return shop.query(
        "something fresh for summer, and add the best one",
        action="add",
        families=("fresh",),
        season="summer",
        delegated=True,
    )


def test_the_flagship_request_takes_two_model_calls_and_one_tool_call(shop):
    tools = Tools(shop)
    outcome = _run(
        shop,
        _flagship(shop),
        tools,
        cart=shop.cart(),
        search_products=shop.found("vent", "zellige"),
    )
    assert (outcome.usage.calls, [c.name for c in tools.calls]) == (2, ["add_to_cart"])
    assert outcome.finish == "answered"
    assert "Vent du Large" in outcome.text
    assert "420 MAD" in outcome.text


def test_without_a_search_before_it_takes_three(shop):
    tools = Tools(shop)
    outcome = _run(shop, _flagship(shop), tools, cart=shop.cart())
    assert [c.name for c in tools.calls] == ["search_products", "add_to_cart"]
    assert outcome.usage.calls == 3
    assert "420 MAD" in outcome.text


def test_a_question_before_a_write_ends_the_turn_as_clarify(shop):
    tools = Tools(shop)
    query = shop.query("add Dune Bleue", names=["Dune Bleue"], action="add")
    outcome = _run(
        shop, query, tools, cart=shop.cart(), search_products=shop.found("dune-30", "dune-50")
    )
    assert tools.calls == []
    assert outcome.finish == "clarify"
    assert [c.product_id for c in outcome.choices] == ["dune-30", "dune-50"]


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"products": []},
        {"ok": True},
        {"note": "This call was already made with these arguments."},
        {"ok": False, "error": {"code": "tool_unavailable", "message": "No."}},
        {"ok": False, "error": {"code": "not_the_best", "message": "No.", "best": "ghost"}},
        {"ok": False, "error": {"code": "constraint_violated", "message": "No.", "best": "vent"}},
        {"ok": False, "error": {"code": "which_variant", "message": "Which?", "choices": []}},
        {"ok": False, "error": {"code": "unheard_of", "message": "?"}},
        {"passages": [], "products": [{"id": "x"}], "product": {}},
    ],
)
@pytest.mark.parametrize(
    "known",
    [
        {"action": "add", "delegated": True, "families": ("fresh",)},
        {"action": "add", "product_name": "Nowhere"},
        {"action": "add", "ordinal": 1},
        {"action": "update", "quantity": 2, "ordinal": 1},
        {"action": "remove", "ordinal": 1},
        {"families": ("fresh",)},
        {"compare": True},
        {"ordinal": 2},
        {"topics": ("delivery",)},
    ],
)
def test_whatever_the_tools_answer_the_turn_ends_in_words_within_its_bounds(shop, known, answer):
    tools = Tools(shop, answer)
    outcome = _run(
        shop,
        shop.query("x", **known),
        tools,
        cart=shop.cart(vent=1),
        shown=shop.shown("vent", "nuit"),
    )
    assert outcome.finish in ("answered", "clarify")
    assert outcome.text.strip()
    assert len(tools.calls) <= 4
    added = shop.words("turn.added", quantity=1, name="Vent du Large", price="420 MAD")
    assert added not in outcome.text or answer.get("ok")
