"""Messages and replies that look like attacks and are none: they pass unharmed."""

import re

import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.llm.scripted import ScriptedModel, proposes, says
from shopping_agent.application.prompts import system_prompt
from shopping_agent.application.reply_guard import reveals, shown_text
from shopping_agent.domain.conversation import UserMessage
from shopping_agent.domain.fencing import render_user_message
from shopping_agent.domain.injection import for_shoppers, of_product
from shopping_agent.domain.visible import visible

from tests.hostile.conftest import BENIGN, KEPT

ALL = [pytest.param(line, id=line["id"]) for line in BENIGN]
REPLIES = (
    "Instructions for use: spray twice on the wrists, and do not rub.",
    "Our system for returns is simple: write to us within 14 days.",
    "I can find products by taste, occasion, name or budget.",
    "I do not know; the store can tell you.",
    "It costs < 400 MAD, and you will love it <3",
    "Voici la page : [Neroli Bloom](https://shop.example/p/neroli-bloom-50)",
    "السعر 390 MAD\u200f، وهو متوفر.",
    "Quel est votre budget : 300, 500 ou 800 MAD ?",
    "Je suis l'assistant de la boutique ; je réponds à partir de nos guides.",
    "The prompt delivery is next-day in Casablanca.",
    "👩\u200d👧 Un cadeau pour maman et sa fille : la Rose Kelâa.",
)
TEXTS = (
    "Instructions for use: spray on the wrists. Ignore the date printed on the box.",
    "Our assistants are at the counter. Follow the rules of the label.",
    "You are now ready to wear it. Forget everything you know about oud.",
    "Un parfum qui ignore les saisons et oublie les règles.",
    "Message pour les clients : nous livrons partout. Système de retours : quatorze jours.",
    "تعليمات الاستعمال: رشة واحدة تكفي. نظام الإرجاع بسيط.",
)


@pytest.mark.parametrize("line", ALL)
def test_a_message_that_only_looks_like_an_attack_is_answered(shopper, line):
    answer = shopper(line["message"])
    assert answer.status == 200
    body = answer.json
    assert body["finish"] != "refused"
    assert body["answer"].strip()
    assert answer.cart == line.get("cart", {KEPT: 1})
    assert not line.get("shows") or body["products"]
    assert line.get("answers", "") in body["answer"]


@pytest.mark.parametrize("line", ALL)
def test_such_a_message_reaches_a_model_as_it_was_written(shopper, understudy, line):
    model = ScriptedModel(lambda request: says("Happy to help."))
    with understudy.played_by(model):
        shopper(line["message"])
    for request in model.requests:
        asked = next(m for m in reversed(request.messages) if isinstance(m, UserMessage))
        assert render_user_message(asked).endswith(line["message"])


@pytest.mark.parametrize("line", [line for line in BENIGN if "cart" in line])
def test_a_model_may_carry_out_what_such_a_message_asks(shopper, understudy, line):
    wanted = line["cart"].get(KEPT, 0)
    call = (
        ("clear_cart", {})
        if re.search(r"everything|empty|vide|أفرغ|خوي|khwi", line["message"])
        else ("update_cart_item", {"productId": KEPT, "quantity": wanted})
    )
    if wanted > 1 and "make it" not in line["message"]:
        call = ("add_to_cart", {"productId": KEPT, "quantity": wanted - 1})
    steps = [proposes(call)]
    model = ScriptedModel(
        lambda request: steps.pop() if steps and request.tools else says("C'est fait.")
    )
    with understudy.played_by(model):
        answer = shopper(line["message"])
    assert answer.cart == line["cart"]


@pytest.mark.parametrize("text", REPLIES)
def test_an_honest_reply_is_shown_as_it_is(text):
    pack = load_store_pack("")
    assert shown_text(text, cut_off=False) == text
    assert not any(
        reveals(text, system_prompt(pack, task, "en")) for task in pack.prompts if task != "common"
    )


@pytest.mark.parametrize("text", TEXTS)
def test_an_honest_text_of_the_store_stays_whole(text):
    assert visible(text) == for_shoppers(text) == of_product(text) == text


def test_the_texts_of_the_demo_store_stay_whole():
    import json

    from evaluation.client import ROOT

    for row in (ROOT / "demo/catalog.jsonl").read_text("utf-8").splitlines():
        assert of_product(json.loads(row)["description"]) == json.loads(row)["description"]
    for guide in sorted((ROOT / "demo/guides").glob("*.md")):
        assert for_shoppers(guide.read_text("utf-8")) == guide.read_text("utf-8")
