"""Whole conversations with the demo store: real handler, real Redis, real index, the offline model."""

import json
from pathlib import Path

import pytest

CATALOG = {
    product["id"]: product
    for line in (Path(__file__).resolve().parents[3] / "demo/catalog.jsonl")
    .read_text("utf-8")
    .splitlines()
    if line.strip()
    for product in [json.loads(line)]
}


@pytest.mark.parametrize(
    "event",
    [
        "chat-flagship",
        "chat-flagship-fr",
        "chat-flagship-ar",
        "chat-flagship-ary",
        "chat-flagship-ary-latn",
    ],
)
def test_the_flagship_request_puts_one_fresh_product_within_budget_in_the_cart(say, event):
    answer = say.event(event)
    reply = answer.json
    assert (answer.status, reply["route"], reply["finish"]) == (200, "agent", "answered")
    [item] = reply["cart"]["items"]
    product = CATALOG[item["productId"]]
    assert {"fresh", "citrus", "aquatic", "green"} & set(product["families"])
    assert product["stock"] is None or product["stock"] > 0
    assert item["unitPrice"] <= 800
    assert item["quantity"] == 1
    assert item["name"] in reply["answer"]
    assert str(item["unitPrice"]) in reply["answer"]
    assert str(reply["cart"]["total"]) in reply["answer"]
    assert reply["usage"]["calls"] == 2
    assert [(a["type"], a["productId"], a["undo"]) for a in reply["actions"]] == [
        ("add", item["productId"], True)
    ]


def test_the_flagship_gives_the_same_best_in_every_language(say, new_shopper):
    events = ("chat-flagship", "chat-flagship-fr", "chat-flagship-ar")
    assert len({tuple(new_shopper().event(event).cart) for event in events}) == 1


def test_a_delivery_question_is_answered_from_the_guide_without_touching_the_cart(say):
    reply = say.event("chat-knowledge").json
    assert (reply["route"], reply["intent"]) == ("rag", "knowledge")
    assert "Agadir" in reply["answer"]
    assert reply["cart"]["items"] == []
    assert reply["actions"] == []


def test_what_the_texts_do_not_say_is_not_guessed(say):
    reply = say("Is Neroli Bloom vegan?").json
    assert reply["finish"] == "answered"
    assert reply["answer"].startswith("I don't know")
    assert "+212" in reply["answer"]


def test_it_without_anything_before_asks_and_changes_nothing(say):
    answer = say("add it")
    assert (answer.json["finish"], answer.cart) == ("clarify", {})


def test_an_id_that_does_not_exist_changes_nothing(say):
    answer = say("add product ZZ-404 to my cart")
    assert answer.cart == {}
    assert answer.json["actions"] == []


def test_a_conversation_adds_changes_and_removes(say):
    found = say("something fresh for summer under 900 MAD").json
    assert found["intent"] == "recommendation"
    second = found["products"][1]["id"]
    assert say.event("chat-add-second").cart == {second: 1}
    assert say("make it two").cart == {second: 2}
    assert say("remove it").cart == {}


def test_this_is_the_page_the_shopper_is_on(say):
    assert say.event("chat-add-this").cart == {"neroli-bloom-50": 1}


def test_a_family_name_asks_for_the_size_and_the_answer_settles_it(say):
    asked = say("add neroli bloom to my cart")
    assert (asked.json["finish"], asked.cart) == ("clarify", {})
    assert {c["productId"] for c in asked.json["choices"]} == {
        "neroli-bloom-30",
        "neroli-bloom-50",
        "neroli-bloom-100",
    }
    assert say("the 50 ml one").cart == {"neroli-bloom-50": 1}


def test_shoppers_do_not_share_anything(say, new_shopper):
    say.event("chat-flagship")
    other = new_shopper()
    assert other("what's in my cart?").cart == {}
    assert other("add it").json["finish"] == "clarify"
    assert len(say("what's in my cart?").cart) == 1


def test_recommendations_and_greetings_change_nothing(say):
    for event, route in (("chat-recommendation", "agent"), ("chat-greeting", "greeting")):
        reply = say.event(event).json
        assert reply["route"] == route
        assert reply["cart"]["items"] == []
        assert reply["suggestions"] or reply["products"]
