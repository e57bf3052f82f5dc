"""The shop with the real models (`make live`): what our tests of the wires assume, asked of the providers themselves.

Few calls, and no assertion on a model's wording: only on the cart, on truth, and on what the API takes.
"""

import pytest
from shopping_agent import bootstrap
from shopping_agent.domain.conversation import ModelRequest, ToolSpec, UserMessage
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.query import ShopperQuery

from tests.pitfalls.turns import FLAGSHIP, QUESTION, assert_honest

pytestmark = pytest.mark.timeout(90)


def test_the_flagship_turn_adds_one_product_within_the_budget(say, provider):
    answer = say()(FLAGSHIP)
    assert answer.status == 200, answer.text
    [product] = answer.cart
    assert_honest(answer, product)
    [line] = answer.json["cart"]["items"]
    assert line["unitPrice"] <= 800
    assert answer.json["finish"] == "answered"
    assert answer.json["usage"]["inputTokens"] > 0
    assert answer.json["model"] != "offline"


def test_a_question_is_answered_from_the_guides(say, provider):
    answer = say()(QUESTION)
    assert answer.status == 200, answer.text
    assert "Agadir" in answer.json["answer"]
    assert answer.json["cart"]["items"] == []
    assert answer.json["usage"]["calls"] <= 3


def test_a_second_turn_is_taken_with_the_history_of_the_first(say, provider):
    shopper = say()
    first = shopper(FLAGSHIP)
    [product] = first.cart
    second = shopper("Make it two.")
    assert second.status == 200, second.text
    assert second.cart == {product: 2}


KINDS = {
    "text": {"type": "string", "description": "a text"},
    "number": {"type": "number"},
    "whole": {"type": "integer"},
    "flag": {"type": "boolean"},
    "choice": {"type": "string", "enum": ["a", "b"]},
    "list": {"type": "array", "items": {"type": "string"}, "maxItems": 4},
}


def test_every_kind_of_schema_is_taken(say, provider):
    say()
    model = bootstrap.language_model(bootstrap.settings())
    specs = (
        ToolSpec("no_arguments", "Takes none.", {"type": "object", "properties": {}}),
        ToolSpec(
            "all_kinds",
            "Takes all kinds.",
            {"type": "object", "properties": KINDS, "required": ["text"]},
        ),
    )
    request = ModelRequest(
        system="Reply with one word.",
        messages=(UserMessage("Say hello."),),
        tools=specs,
        query=ShopperQuery("Say hello.", language="en"),
    )
    reply = model.complete(request, Deadline.after(30))
    assert reply.text or reply.tool_calls
    assert reply.usage.input_tokens > 0
