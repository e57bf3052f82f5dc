"""No wrong door, through the real handler with a scripted model: what the classifier gets wrong costs tokens, never an answer or an action."""

from collections.abc import Generator
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.llm.scripted import Script, ScriptedModel, proposes, says
from shopping_agent.domain.conversation import ModelReply, ModelRequest, ToolResult, UserMessage

UNSURE = 2.0  # no probability is as high: every question lands in the agent
PRODUCT = "tabac-miel"


@pytest.fixture
def played(settings: Any, use: Any, monkeypatch: pytest.MonkeyPatch) -> Generator[Any]:
    """Makes the handler's model follow a script."""

    def follow(script: Script) -> ScriptedModel:
        model = ScriptedModel(script)
        use(settings)
        monkeypatch.setattr(bootstrap, "language_model", lambda settings: model)
        bootstrap.assistant.cache_clear()
        return model

    yield follow
    bootstrap.assistant.cache_clear()


@pytest.fixture
def unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A classifier that is sure of nothing."""
    intents = import_module("shopping_agent.domain.understanding.intents")
    doubtful = replace(intents.trained(), certain=UNSURE)
    monkeypatch.setattr(intents, "trained", lambda: doubtful)


def data_of(request: ModelRequest) -> dict[str, Any]:
    return {
        block.name: block.content
        for message in request.messages
        if isinstance(message, UserMessage)
        for block in message.data
    }


def reads_out(request: ModelRequest) -> ModelReply:
    """A model that answers from the first text that came with the question."""
    return says(data_of(request)["search_guides"]["passages"][0]["text"])


def adds(count: int) -> Script:
    def script(request: ModelRequest) -> ModelReply:
        if any(isinstance(m, ToolResult) and m.content.get("ok") for m in request.messages):
            return says("Tabac Miel: OK.")
        return proposes(("add_to_cart", {"productId": PRODUCT, "quantity": count}))

    return script


@pytest.mark.parametrize(
    "question",
    [
        "how long does delivery to Agadir take?",
        "vous livrez à Agadir en combien de jours ?",
        "كم تستغرق التوصيلة إلى أكادير؟",
        "شحال كتبقى التوصيلة لأكادير؟",
        "ch7al katb9a livraison l agadir?",
    ],
)
@pytest.mark.usefixtures("unsure")
def test_a_knowledge_question_that_lands_in_the_agent_is_answered_in_one_model_call(
    played: Any, new_shopper: Any, question: str
) -> None:
    model = played(reads_out)
    answer = new_shopper()(question)
    [request] = model.requests
    assert request.tools, "the agent's call has tools"
    assert (answer.json["route"], answer.json["finish"]) == ("agent", "answered")
    assert answer.json["usage"]["calls"] == 1
    told = data_of(request)["search_guides"]["passages"][0]["text"]
    assert told.split(".")[0].split("،")[0] in answer.json["answer"]
    assert answer.cart == {}


@pytest.mark.parametrize(
    ("message", "count"),
    [
        ("how long does delivery to Fes take? and put two Tabac Miel in my cart", 2),
        ("is Tabac Miel in stock? if so add it", 1),
        ("could you maybe pop a Tabac Miel in my basket?", 1),
        ("vous livrez à Fès ? mettez deux Tabac Miel dans mon panier", 2),
        ("Tabac Miel est en stock ? si oui ajoutez-le", 1),
        ("هل توصلون إلى فاس؟ أضف اثنين من Tabac Miel إلى السلة", 2),
        ("واش Tabac Miel كاين؟ زيدو ليا", 1),
        ("wach kat3tiw livraison l fes? w zid lia jouj Tabac Miel", 2),
    ],
)
def test_an_action_that_is_hidden_in_a_question_is_carried_out(
    played: Any, new_shopper: Any, message: str, count: int
) -> None:
    model = played(adds(count))
    answer = new_shopper()(message)
    assert "add_to_cart" in {tool.name for tool in model.requests[0].tools}
    assert answer.json["route"] == "agent"
    assert answer.cart == {PRODUCT: count}


@pytest.mark.usefixtures("unsure")
def test_a_question_that_orders_nothing_adds_nothing_whatever_the_model_proposes(
    played: Any, new_shopper: Any
) -> None:
    played(adds(1))
    assert new_shopper()("how long does Tabac Miel last on the skin?").cart == {}
