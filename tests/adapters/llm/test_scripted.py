"""The scripted model: it replies as told, records what it was asked, and fails on demand."""

import pytest
from shopping_agent.adapters.llm.scripted import Hang, ScriptedModel, proposes, says
from shopping_agent.domain.conversation import ModelRequest, TokenUsage, UserMessage
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.errors import LanguageModelError

REQUEST = ModelRequest("", [UserMessage("hi")], (), ShopperQuery("hi", "en"))


def test_it_replies_in_order_and_keeps_every_request():
    model = ScriptedModel([proposes(("get_cart", {})), says("done")], name="m")
    replies = [model.complete(REQUEST, Deadline.after(1)) for _ in range(2)]
    assert [c.name for c in replies[0].tool_calls] == ["get_cart"]
    assert (replies[1].text, replies[1].model, replies[1].usage) == ("done", "m", TokenUsage(1))
    assert model.requests == [REQUEST, REQUEST]


def test_it_can_decide_from_the_request():
    model = ScriptedModel(lambda request: says(request.query.text.upper()))
    assert model.complete(REQUEST, Deadline.after(1)).text == "HI"


def test_a_used_up_script_fails_as_a_provider_would():
    with pytest.raises(LanguageModelError) as error:
        ScriptedModel([]).complete(REQUEST, Deadline.after(1))
    assert error.value.kind == "malformed"


def test_it_fails_and_hangs_as_told():
    model = ScriptedModel([LanguageModelError("rate_limited", "slow down"), Hang(0.01, "late")])
    with pytest.raises(LanguageModelError):
        model.complete(REQUEST, Deadline.after(1))
    assert model.complete(REQUEST, Deadline.after(0)).text == "late"
