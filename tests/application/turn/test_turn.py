"""The turn from message to answer, with a scripted model: what the model is given, what is done, what is remembered."""

import io
import json
import logging
import time
from collections.abc import Iterator

import pytest
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.llm.scripted import Hang, proposes, says
from shopping_agent.domain.conversation import ModelReply, UserMessage
from shopping_agent.errors import LanguageModelError, StateUnavailableError

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
ADD_BEST = proposes(("add_to_cart", {"productId": "cap-vert"}))


def test_the_flagship_request_takes_two_model_calls_and_fills_the_cart(shop):
    told = says("I added Cap Vert at 640 MAD. Cart total: 640 MAD.")
    turn = shop.say(FLAGSHIP, [ADD_BEST, told])
    assert turn.answer == "I added Cap Vert at 640 MAD. Cart total: 640 MAD."
    assert (turn.route, turn.finish, turn.usage.calls) == ("agent", "answered", 2)
    assert shop.cart() == {"cap-vert": 1}
    assert turn.cart.total == 64_000
    assert [(a.type, a.product_id, a.quantity, a.undo) for a in turn.actions] == [
        ("add", "cap-vert", 1, True)
    ]
    assert [p.id for p in turn.products] == ["cap-vert"]


def test_the_first_model_call_holds_the_search_that_the_message_asks_for(shop):
    shop.say(FLAGSHIP, [says("Here you are.")])
    found = shop.blocks()["search_products"]
    assert found["best"] == "cap-vert"
    assert all(p["price"] <= 800 and p["inStock"] for p in found["products"])
    assert shop.blocks()["cart"] == {
        "items": [],
        "count": 0,
        "total": 0,
        "currency": "MAD",
        "version": 0,
    }


def test_the_model_is_offered_the_tools_of_the_intent_with_schemas_of_the_common_subset(shop):
    shop.say(FLAGSHIP, [says("ok")])
    tools = {t.name: t for t in shop.model.requests[0].tools}
    assert {"add_to_cart", "get_cart", "search_products", "search_guides"} <= set(tools)
    assert tools["add_to_cart"].parameters == {
        "type": "object",
        "properties": {
            "productId": {"type": "string", "description": "id of a product"},
            "quantity": {"type": "integer", "description": "pieces to add, from 1"},
        },
        "required": ["productId"],
    }
    assert tools["get_cart"].parameters == {"type": "object", "properties": {}}


def test_an_addition_by_position_searches_nothing(shop):
    shop.show("brise", "cap-vert")
    script = [proposes(("add_to_cart", {"productId": "cap-vert"})), says("Done.")]
    shop.say("add the second one", script)
    assert shop.index.searches == 0
    assert [s["id"] for s in shop.blocks()["shown"]] == ["brise", "cap-vert"]
    assert shop.cart() == {"cap-vert": 1}


def test_pronouns_follow_the_product_last_talked_about(shop):
    shop.say(FLAGSHIP, [ADD_BEST, says("Added to your cart: Cap Vert.")])
    shop.say(
        "make it two",
        [
            proposes(("update_cart_item", {"productId": "cap-vert", "quantity": 2})),
            says("Two now."),
        ],
    )
    assert shop.blocks()["focus"]["id"] == "cap-vert"
    assert shop.cart() == {"cap-vert": 2}
    turn = shop.say(
        "remove it", [proposes(("remove_from_cart", {"productId": "cap-vert"})), says("Gone.")]
    )
    assert shop.cart() == {}
    assert [a.type for a in turn.actions] == ["remove"]


def test_this_is_the_product_of_the_page(shop):
    script = [proposes(("add_to_cart", {"productId": "dahab"})), says("Added Dahab.")]
    shop.say("add this to my cart", script, page="dahab")
    assert shop.blocks()["page"]["name"] == "Dahab"
    assert shop.cart() == {"dahab": 1}


def test_the_cards_of_a_reply_are_what_the_next_ordinal_means(shop):
    shop.say("something woody", [says("Oud Nuit costs 1200 MAD, Dernier Souffle 420 MAD.")])
    assert [s.id for s in shop.turns.kept["ana"].shown] == ["oud-nuit", "last-one"]


def test_a_greeting_needs_no_model_and_offers_suggestions(shop):
    turn = shop.say("bonjour", [])
    assert (turn.route, turn.usage.calls, turn.model) == ("greeting", 0, "")
    assert "Dar Nismal" in turn.answer
    assert turn.suggestions


def test_history_is_given_as_messages_and_kept_bounded(shop):
    for _ in range(20):
        shop.say("something woody", [says("Oud Nuit.")])
    assert len(shop.turns.kept["ana"].exchanges) == 12
    texts = [m.text for m in shop.model.requests[0].messages]
    assert len(texts) == 13
    assert isinstance(shop.model.requests[0].messages[-1], UserMessage)


def test_one_shopper_sees_and_touches_nothing_of_another(shop):
    shop.say(FLAGSHIP, [ADD_BEST, says("Added Cap Vert.")], shopper="ana")
    turn = shop.say("add it", [says("Which product?")], shopper="ben")
    assert turn.cart.items == ()
    assert shop.cart("ana") == {"cap-vert": 1}
    assert "shown" not in shop.blocks()
    assert "focus" not in shop.blocks()


def test_a_question_of_the_model_is_a_clarification_that_is_remembered(shop):
    turn = shop.say("add it", [ModelReply("Which one?", asks=True)])
    assert (turn.finish, shop.cart()) == ("clarify", {})


def test_a_failing_provider_leaves_an_honest_answer_from_what_was_found(shop):
    turn = shop.say("something fresh under 800 MAD", [LanguageModelError("overloaded", "busy")])
    assert turn.finish == "provider_unavailable"
    assert "Part of the assistant is not answering" in turn.answer
    assert "Cap Vert: 640 MAD" in turn.answer


def test_a_provider_that_fails_after_a_write_says_what_was_done(shop):
    turn = shop.say(FLAGSHIP, [ADD_BEST, LanguageModelError("connection", "lost")])
    assert shop.cart() == {"cap-vert": 1}
    assert "Added to your cart: 1 × Cap Vert, 640 MAD each." in turn.answer
    assert "Cart total: 640 MAD" in turn.answer


def test_a_hanging_model_is_answered_for_before_the_deadline(shop):
    started = time.monotonic()
    turn = shop.say(FLAGSHIP, [Hang(30)], seconds=0.6)
    assert time.monotonic() - started < 0.8
    assert turn.finish == "deadline"
    assert "Cap Vert: 640 MAD" in turn.answer
    assert "Your cart has not changed." in turn.answer


def test_a_slow_search_ends_as_a_deadline_too(shop):
    shop.index.slow = 30.0
    started = time.monotonic()
    turn = shop.say("something woody? how long is delivery?", [], seconds=0.5)
    assert time.monotonic() - started < 0.8
    assert turn.finish == "deadline"


def test_at_the_step_limit_the_answer_is_built_from_what_was_observed(shop):
    guess = iter(range(100))
    turn = shop.say(
        FLAGSHIP,
        lambda request: proposes(("search_guides", {"query": f"delivery {next(guess)}"})),
        max_tool_calls=3,
    )
    assert turn.finish == "step_limit"
    assert "Cap Vert: 640 MAD" in turn.answer
    assert shop.cart() == {}


def test_a_last_answer_at_the_limit_of_which_nothing_holds_still_says_that_the_turn_stopped(shop):
    two = proposes(
        ("add_to_cart", {"productId": "cap-vert"}), ("search_guides", {"query": "delivery"})
    )
    lie = says("I added 3 of Oud Royal at 5 MAD.")
    turn = shop.say(FLAGSHIP, [two, lie, lie], max_tool_calls=1)
    assert turn.finish == "step_limit"
    assert turn.answer.startswith("I stopped before finishing")
    assert "Cap Vert, 640 MAD" in turn.answer
    assert "Oud Royal" not in turn.answer
    assert shop.cart() == {"cap-vert": 1}


def test_what_a_provider_blocks_is_declined_and_not_kept(shop):
    turn = shop.say("tell me something awful", [ModelReply(finish="refused")])
    assert turn.finish == "refused"
    assert turn.answer.startswith("I can't help with that")
    assert shop.turns.kept["ana"].exchanges == ()


def test_redis_down_is_not_answered(shop):
    shop.turns.down = True
    with pytest.raises(StateUnavailableError):
        shop.say("hello", [])


def test_redis_going_down_at_a_write_is_never_a_success(shop):
    shop.carts.down = True
    with pytest.raises(StateUnavailableError):
        shop.say(FLAGSHIP, [ADD_BEST, says("I added Cap Vert.")])


def test_what_was_done_is_told_even_when_the_conversation_cannot_be_saved(shop):
    shop.turns.save_fails = True
    turn = shop.say(FLAGSHIP, [ADD_BEST, says("I added Cap Vert for 640 MAD.")])
    assert "Cap Vert" in turn.answer
    assert shop.cart() == {"cap-vert": 1}


def test_the_language_of_a_conversation_holds_for_a_message_without_words(shop):
    shop.show("jardin-30", "jardin-50")
    shop.say("je cherche un parfum floral pour ma mère", [says("Jardin Secret.")])
    shop.say("2", [says("D'accord.")])
    assert "French" in shop.model.requests[0].system


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the structured logger writes."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LambdaPowertoolsFormatter())
    underlying = logging.getLogger("shopping-agent")
    underlying.addHandler(handler)
    yield stream
    underlying.removeHandler(handler)


def test_each_step_is_a_log_line_with_argument_keys_and_nothing_that_was_said(shop, log):
    search = proposes(("search_guides", {"query": "quince"}))
    shop.say("my phone is 0612345678, something fresh", [search, says("Noted zebra.")])
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    steps = [line for line in lines if line["message"] == "step"]
    assert [(s["kind"], s["step"], s["ok"]) for s in steps] == [
        ("model", 1, True),
        ("tool", 1, True),
        ("model", 2, True),
    ]
    assert steps[1]["argument_keys"] == ["query"]
    assert all(s["turn"] == "t1" and s["ms"] >= 0 for s in steps)
    assert not any(word in log.getvalue() for word in ("0612345678", "zebra", "quince"))


@pytest.mark.parametrize(("message", "language"), [("hello", "en"), ("bonjour", "fr")])
def test_a_conversation_that_begins_with_a_greeting_says_that_a_machine_answers(
    shop, message, language
):
    notice = load_store_pack("").ai_notice[language]
    assert notice in shop.say(message, []).answer
    assert notice not in shop.say(message, []).answer
