"""Messages beside the calls that a model makes of them: what goes against the shopper's words, and what follows them."""

import json
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from shopping_agent.adapters.llm.scripted import ScriptedModel, proposes, says
from shopping_agent.domain.conversation import ModelReply, ModelRequest

from evaluation.client import ChatAnswer, ChatClient
from evaluation.staging import Understudy, handlers_with

TOOLS = {
    "add": "add_to_cart",
    "update": "update_cart_item",
    "remove": "remove_from_cart",
    "clear": "clear_cart",
    "checkout": "checkout",
}


def table(name: str) -> list[Any]:
    lines = (Path(__file__).parent / name).read_text("utf-8").splitlines()
    return [pytest.param(row, id=row["id"]) for row in map(json.loads, lines)]


@pytest.fixture(scope="module")
def understudy(settings) -> Generator[Understudy]:
    shop = settings.model_copy(
        update={
            "rate_limits": "off",
            "checkout_url": "https://shop.example/checkout",
            "checkout_webhook_secret": SecretStr("only-for-tests"),
        }
    )
    with handlers_with(shop) as played:
        yield played


class Stage:
    """Plays a row: a cart, what was said before, a message, and the calls that a model makes of it."""

    def __init__(self, understudy: Understudy) -> None:
        self._client, self._understudy = ChatClient(), understudy
        self._cards: list[str] = []

    def play(self, row: Mapping[str, Any]) -> ChatAnswer:
        for product_id, quantity in row["cart"].items():
            body = {"productId": product_id, "quantity": quantity}
            assert self._client.at_store("POST", "/api/v1/cart/items", body).status < 300
        for message in row.get("before", ()):
            self._cards = [p["id"] for p in self._client(message).json["products"]]
        steps = [proposes(call) for call in self._calls(row["calls"])]

        def step(request: ModelRequest) -> ModelReply:
            may_call = request.tools and request.tool_choice == "auto"
            return steps.pop(0) if steps and may_call else says("As you wish.")

        page = {"context": {"productId": row["page"]}} if "page" in row else {}
        with self._understudy.played_by(ScriptedModel(step)):
            return self._client(row["say"], **page)

    def _calls(self, calls: Sequence[Sequence[Any]]) -> list[tuple[str, dict[str, Any]]]:
        """Every product is looked at first: what was not shown is another gate's matter."""
        made: list[tuple[str, dict[str, Any]]] = []
        for name, *rest in calls:
            given = [self.product(rest[0]), *rest[1:]] if rest else []
            made.append((TOOLS[name], dict(zip(("productId", "quantity"), given, strict=False))))
        seen = dict.fromkeys(c["productId"] for _, c in made if "productId" in c)
        return [("get_product", {"productId": i}) for i in seen] + made

    def product(self, name: str) -> str:
        """`@2` is the second card of the reply before."""
        return self._cards[int(name[1:]) - 1] if name.startswith("@") else name

    def expected(self, row: Mapping[str, Any]) -> dict[str, int]:
        return {self.product(i): n for i, n in row["after"].items()}


def assert_as_stated(understudy: Understudy, row: Mapping[str, Any]) -> None:
    stage = Stage(understudy)
    answer = stage.play(row)
    assert answer.status == 200, answer.text
    assert answer.cart == stage.expected(row), (row["say"], row["calls"], answer.json["answer"])
    if "checkout" in row:
        handed = any(a["type"] == "checkout" for a in answer.json["actions"])
        assert handed == row["checkout"], row["say"]


@pytest.mark.parametrize("row", table("write_attacks.jsonl"))
def test_a_model_that_goes_against_the_words_changes_nothing_of_it(understudy, row):
    assert_as_stated(understudy, row)


@pytest.mark.parametrize("row", table("write_orders.jsonl"))
def test_a_model_that_follows_the_words_changes_what_they_say(understudy, row):
    assert_as_stated(understudy, row)
