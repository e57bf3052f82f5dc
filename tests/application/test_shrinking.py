"""A request made smaller: what goes first, what never goes, and when it is not worth it."""

import json
import random
from typing import Any

from shopping_agent.application.shrinking import smaller
from shopping_agent.domain.conversation import (
    AssistantMessage,
    DataBlock,
    Message,
    ModelRequest,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from shopping_agent.domain.query import ShopperQuery

TEXT = "add the second one"
CART = DataBlock("cart", {"items": [], "total": 0})


def history(exchanges: int, size: int = 300) -> list[Message]:
    told = [(UserMessage(f"q{i} " + "x" * size), f"a{i} " + "y" * size) for i in range(exchanges)]
    return [m for user, answer in told for m in (user, AssistantMessage(answer))]


def products(count: int) -> dict[str, Any]:
    return {
        "ok": True,
        "products": [{"id": f"p{i}", "description": "d" * 200} for i in range(count)],
    }


def turn(*results: dict[str, Any], data: tuple[DataBlock, ...] = (CART,)) -> list[Message]:
    calls = tuple(ToolCall(f"c{i}", "search_products", {"query": "q"}) for i in range(len(results)))
    said: list[Message] = [UserMessage(TEXT, data)]
    if calls:
        said.append(AssistantMessage("", calls))
    return said + [ToolResult(f"c{i}", "search_products", r) for i, r in enumerate(results)]


def request(messages: list[Message], **fields: Any) -> ModelRequest:
    spec = ToolSpec("search_products", "find", {"type": "object", "properties": {}})
    return ModelRequest("be kind", messages, (spec,), ShopperQuery(TEXT, "en"), **fields)


def size(of: ModelRequest) -> int:
    return len(repr(of.messages)) + of.max_tokens * 3


def test_the_oldest_exchanges_go_first_and_whole() -> None:
    before = request(history(6) + turn(), max_tokens=300)
    after = smaller(before)
    assert after
    said = [m.text[:2] for m in after.messages if isinstance(m, UserMessage)]
    assert said == ["q4", "q5", "ad"]
    assert list(after.messages) == list(before.messages)[-len(after.messages) :]


def test_history_alone_suffices_where_it_does() -> None:
    result = products(4)
    after = smaller(request(history(6, 1000) + turn(result)))
    assert after
    assert after.messages[-1] == ToolResult("c0", "search_products", result)


def test_long_results_and_facts_are_cut_to_valid_json() -> None:
    data = (
        CART,
        DataBlock("search_products", products(20)),
        DataBlock("shown", [{"id": "x" * 90}] * 90),
    )
    before = request(turn(products(30), products(1), data=data))
    after = smaller(before)
    assert after
    assert size(after) < size(before) * 0.7
    user = next(m for m in after.messages if isinstance(m, UserMessage))
    assert [block.name for block in user.data] == ["cart", "search_products", "shown"]
    assert user.data[0] == CART
    assert isinstance(user.data[2].content, list)
    results = [m for m in after.messages if isinstance(m, ToolResult)]
    assert results[0].content["products"][0] == {"id": "p0", "description": "d" * 200}
    assert results[1].content == products(1)
    assert all(json.loads(json.dumps(r.content))["ok"] for r in results)


def test_the_reply_is_asked_to_be_shorter_too() -> None:
    after = smaller(request(history(6) + turn(), max_tokens=700))
    assert after
    assert after.max_tokens == 350
    lone = smaller(request(turn(), max_tokens=8000))
    assert lone
    assert lone.max_tokens == 4000


def test_what_is_small_already_is_not_worth_a_second_attempt() -> None:
    assert smaller(request(turn(products(1)), max_tokens=256)) is None
    assert smaller(request(turn(), max_tokens=100)) is None
    big_prompt = request(turn(), max_tokens=300)
    long = ModelRequest("s" * 50_000, big_prompt.messages, (), big_prompt.query, max_tokens=300)
    assert smaller(long) is None


def test_a_nudge_after_the_turn_is_not_taken_for_the_shoppers_message() -> None:
    messages = [*history(4), UserMessage(TEXT), *turn(products(2))[1:], UserMessage("Answer now.")]
    after = smaller(request(messages))
    assert after
    assert UserMessage(TEXT) in after.messages
    assert after.messages[-1] == UserMessage("Answer now.")


def test_whatever_the_request_every_call_keeps_its_result_and_the_shopper_their_words() -> None:
    rng = random.Random(7)
    shrunk = 0
    for _ in range(200):
        results = [products(rng.randrange(40)) for _ in range(rng.randrange(5))]
        data = (CART, DataBlock("search_products", products(rng.randrange(30))))
        before = request(
            history(rng.randrange(8), rng.randrange(600)) + turn(*results, data=data),
            max_tokens=rng.randrange(64, 2000),
        )
        after = smaller(before)
        if after is None:
            continue
        shrunk += 1
        assert size(after) < size(before)
        assert (after.system, after.tools, after.query) == (
            before.system,
            before.tools,
            before.query,
        )
        assert isinstance(after.messages[0], UserMessage)
        assert sum(isinstance(m, UserMessage) and m.text == TEXT for m in after.messages) == 1
        called = [
            c.id for m in after.messages if isinstance(m, AssistantMessage) for c in m.tool_calls
        ]
        answered = [m.call_id for m in after.messages if isinstance(m, ToolResult)]
        assert called == answered == [f"c{i}" for i in range(len(results))]
    assert shrunk > 100
