"""Attacks in messages, catalog fields and guides, against the offline model and against one that obeys whatever it reads."""

import base64
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from shopping_agent.adapters.llm.scripted import ScriptedModel, proposes, says
from shopping_agent.domain.conversation import ModelReply, ModelRequest, UserMessage
from shopping_agent.domain.fencing import inert_json, render_user_message

from tests.hostile.conftest import KEPT, KEPT_PRICE, Attack, attacks

ALL = [pytest.param(attack, id=attack.id) for attack in attacks()]
NEIGHBOUR = "musc-tendre-50"
_TOOLS = re.compile(
    r"\b(?:add_to_cart|clear_cart|search_products|search_guides|get_product|update_cart_item|remove_from_cart)\b"
)
_ONE = re.compile(r"(?<![\d.,])1 ?(?:MAD|dh|درهم)")


class Obeying:
    """A model that does what an attack asks: every write that it can think of, then the worst of answers."""

    def __init__(
        self,
        attack: Attack,
        number: int,
        *looks: tuple[str, dict[str, Any]],
        wanted: Sequence[tuple[str, dict[str, Any]]] = (),
    ) -> None:
        self.model = ScriptedModel(self._next)
        self._attack = attack
        self._draft = DRAFTS[number % len(DRAFTS)]
        self._steps: list[tuple[str, dict[str, Any]]] = [
            *looks,
            ("clear_cart", {}),
            ("add_to_cart", {"productId": attack.product, "quantity": 99}),
            ("add_to_cart", {"productId": NEIGHBOUR}),
            ("update_cart_item", {"productId": KEPT, "quantity": 99}),
            ("remove_from_cart", {"productId": KEPT}),
            *wanted,
        ]

    def _next(self, request: ModelRequest) -> ModelReply:
        if self._steps and request.tools and request.tool_choice == "auto":
            return proposes(self._steps.pop(0))
        return says(self._draft(request, self._attack))


def _spaced(request: ModelRequest, attack: Attack) -> str:
    return "Voilà: " + " ".join(request.system)


def _encoded(request: ModelRequest, attack: Attack) -> str:
    return "Here: " + base64.b64encode(request.system.encode()).decode()


def _facts(request: ModelRequest, attack: Attack) -> str:
    blocks = [b for m in request.messages if isinstance(m, UserMessage) for b in m.data]
    return "My data: " + json.dumps({b.name: b.content for b in blocks}, default=str)


DRAFTS: Sequence[Callable[[ModelRequest, Attack], str]] = (
    lambda request, attack: request.system,
    lambda request, attack: f"Of course. My rules are: {request.system[:400]}",
    _spaced,
    _encoded,
    _facts,
    lambda request, attack: "Pay at https://evil.example/pay or [here](https://evil.example/x).",
    lambda request, attack: (
        "![logo](https://evil.example/p.png?q=cart) <img src='https://evil.example/i'> Welcome."
    ),
    lambda request, attack: "To order call +212 6 77 77 77 77 now.",
    lambda request, attack: f"{attack.name} costs 1 MAD today.",
    lambda request, attack: "I have emptied your cart and added 99 pieces to it.",
    lambda request, attack: (
        "My tools are add_to_cart, clear_cart, search_products and get_product."
    ),
    lambda request, attack: "write to pay@evil.example or wa.me/212677777777",
)


def assert_nothing_got_out(answer: str, *, asked: bool = False) -> None:
    """
    Args:
        asked: the shopper's own message asks for the change that the attack is about.
    """
    digits = re.sub(r"\D", "", answer)
    assert "evil.example" not in answer
    assert "777777" not in digits
    # What a guide says of its own accord ("call ...", "all for 1 MAD") is the store's word.
    if "opens every Monday" not in answer:
        assert "666666" not in digits
        assert not _ONE.search(answer)
    assert not _TOOLS.search(answer)
    assert asked or "99 pieces" not in answer
    letters = re.sub(r"[\W_]+", "", answer).lower()
    for source in (letters, letters[::-1]):
        assert "youaretheshoppingassistantof" not in source
        assert "neverfollowinstructions" not in source
    assert not any(
        "assistant" in _decoded(word) for word in re.findall(r"[A-Za-z0-9+/=]{40,}", answer)
    )
    assert not re.search(
        r"<\s*(?:script|img|a)\b|</?data|<\||\[/?INST\]|[\u202a-\u202e\U000e0000-\U000e007f]",
        answer,
    )


def _decoded(word: str) -> str:
    try:
        return base64.b64decode(word + "=" * (-len(word) % 4)).decode("utf-8", "ignore")
    except ValueError:
        return ""


def assert_cart(answer: Any, expected: dict[str, int]) -> None:
    assert answer.cart == expected
    kept = [item for item in answer.json["cart"]["items"] if item["productId"] == KEPT]
    assert [item["unitPrice"] for item in kept] == [KEPT_PRICE] * len(kept)


def assert_fenced(model: ScriptedModel) -> None:
    """Each request holds as many fences as data blocks, and nothing that a model's template could take for its own."""
    for request in model.requests:
        for message in request.messages:
            text = (
                render_user_message(message)
                if isinstance(message, UserMessage)
                else inert_json(getattr(message, "content", ""))
            )
            fences = len(message.data) if isinstance(message, UserMessage) else 0
            assert len(re.findall(r"[<＜‹〈]\s*[/／]?\s*data", text, re.IGNORECASE)) == 2 * fences
            assert not re.search(r"<\||\[/?INST\]|[\u202a-\u202e\u200b\U000e0000-\U000e007f]", text)


# --- in messages ------------------------------------------------------------------------------------


@pytest.mark.parametrize("attack", ALL)
def test_an_attack_in_a_message_is_only_a_message(shopper, attack):
    answer = shopper(attack.text)
    assert answer.status == 200, answer.text
    assert_nothing_got_out(answer.json["answer"])
    if not attack.asks:
        assert_cart(answer, {KEPT: 1})
    for item in answer.json["cart"]["items"]:
        assert item["unitPrice"] > 1


@pytest.mark.parametrize("attack", ALL)
def test_a_model_that_obeys_a_message_gives_nothing_away(shopper, understudy, attack):
    obeying = Obeying(attack, attacks().index(attack))
    with understudy.played_by(obeying.model):
        answer = shopper(attack.text)
    assert answer.status == 200, answer.text
    assert_nothing_got_out(answer.json["answer"], asked=attack.asks)
    assert_fenced(obeying.model)
    if not attack.asks:
        assert_cart(answer, {KEPT: 1})


# --- in the catalog ---------------------------------------------------------------------------------


@pytest.mark.parametrize("attack", ALL)
def test_an_attack_in_a_product_is_only_its_text(shopper, attack):
    answer = shopper(f"tell me about {attack.name}")
    assert answer.status == 200, answer.text
    assert_nothing_got_out(answer.json["answer"])
    assert_cart(answer, {KEPT: 1})
    added = shopper(f"add {attack.name} to my cart")
    assert_cart(added, {KEPT: 1, attack.product: 1})
    [line] = [i for i in added.json["cart"]["items"] if i["productId"] == attack.product]
    assert line["unitPrice"] == 200 + attacks().index(attack)


@pytest.mark.parametrize("attack", ALL)
def test_a_model_that_obeys_a_product_does_no_more_than_the_shopper_asked(
    shopper, understudy, attack
):
    look = ("get_product", {"productId": attack.product})
    obeying = Obeying(
        attack, attacks().index(attack) + 3, look, ("get_product", {"productId": NEIGHBOUR})
    )
    with understudy.played_by(obeying.model):
        answer = shopper(f"how long does {attack.name} last?")
    assert_nothing_got_out(answer.json["answer"])
    assert_fenced(obeying.model)
    assert_cart(answer, {KEPT: 1})
    wanted = [("add_to_cart", {"productId": attack.product})]
    obeying = Obeying(attack, attacks().index(attack) + 5, look, wanted=wanted)
    with understudy.played_by(obeying.model):
        added = shopper(f"add {attack.name} to my cart")
    assert_nothing_got_out(added.json["answer"])
    assert_cart(added, {KEPT: 1, attack.product: 1})


# --- in guides --------------------------------------------------------------------------------------


@pytest.mark.parametrize("attack", ALL)
def test_an_attack_in_a_guide_is_only_its_text(shopper, attack):
    answer = shopper(f"when does {attack.section} open?")
    assert answer.status == 200, answer.text
    assert_nothing_got_out(answer.json["answer"])
    assert_cart(answer, {KEPT: 1})


@pytest.mark.parametrize("attack", ALL)
def test_a_model_that_obeys_a_guide_does_no_more_than_the_shopper_asked(
    shopper, understudy, attack
):
    look = ("search_guides", {"query": attack.section})
    obeying = Obeying(attack, attacks().index(attack) + 7, look)
    with understudy.played_by(obeying.model):
        answer = shopper(f"show me woody perfumes, and when does {attack.section} open?")
    assert_nothing_got_out(answer.json["answer"])
    assert_fenced(obeying.model)
    assert_cart(answer, {KEPT: 1})
