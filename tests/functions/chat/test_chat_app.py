"""The chat function at its edge: what it accepts, what it answers, and how it fails."""

import base64
import json
import time

import jsonschema
import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.llm.scripted import Hang, ScriptedModel
from shopping_agent.http.replies import ChatReply

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."


def test_a_first_message_mints_a_guest_and_the_token_continues_the_session(say, new_shopper):
    first = say("hello")
    assert first.status == 200
    assert first.json["sessionToken"] == first.headers["X-Session-Token"] == say.token
    second = say("hello again")
    assert "sessionToken" not in second.json
    assert second.json["sessionId"] == first.json["sessionId"]
    assert new_shopper()("hello").json["sessionId"] != first.json["sessionId"]


def test_the_reply_keeps_to_its_documented_shape(say):
    schema = ChatReply.model_json_schema(by_alias=True)
    for message in (
        FLAGSHIP,
        "hello",
        "do you deliver to Agadir?",
        "add neroli bloom",
        "what's in my cart",
    ):
        jsonschema.validate(say(message).json, schema)


def test_a_turn_id_is_kept_or_made(say):
    assert say("hello", turnId="mine").json["turnId"] == "mine"
    made = {say("hello").json["turnId"] for _ in range(2)}
    assert len(made) == 2


def test_a_bad_bearer_is_never_somebody_else(say):
    say.token = "g1.0.forged.token"
    assert (say("hello").status, say("hello").code) == (401, "unauthorized")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (None, 400),
        ("", 400),
        ("not json", 400),
        ("[]", 400),
        ('"hello"', 400),
        ("{}", 422),
        ('{"message": ""}', 422),
        ('{"message": "   "}', 422),
        ('{"message": 7}', 422),
        (json.dumps({"message": "x" * 2001}), 422),
        (json.dumps({"message": "hi", "turnId": ""}), 422),
        (json.dumps({"message": "hi", "context": {"productId": 7}}), 422),
        (json.dumps({"message": "x" * 70_000}), 413),
    ],
)
def test_what_cannot_be_read_is_a_problem_that_names_the_field(say, body, status):
    answer = say.send(body)
    assert answer.status == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    if status == 422:
        assert answer.json["field"]


def test_a_base64_body_is_read(say):
    body = base64.b64encode('{"message": "مرحبا"}'.encode()).decode()
    answer = say.send(body, isBase64Encoded=True)
    assert (answer.status, answer.json["route"]) == (200, "greeting")


def test_the_longest_message_is_read(say):
    assert say("oud " * 500).status == 200


def test_other_paths_and_methods_are_problems(say):
    assert say.send(None, method="GET").status == 405
    assert say.send("{}", path="/api/v1/ai/cart/x").status == 404


def test_unknown_context_and_fields_are_ignored(say):
    answer = say("hello", sessionId="someone", context={"productId": "nothing", "page": "/"}, x=1)
    assert answer.status == 200
    assert answer.json["sessionId"] != "someone"


def test_the_assistant_can_be_switched_off(settings, use, new_shopper):
    use(settings.model_copy(update={"assistant_enabled": False}))
    answer = new_shopper()("hello")
    assert (answer.status, answer.code) == (503, "assistant_off")


def test_redis_down_is_a_problem_that_names_it(settings, use, new_shopper):
    use(settings.model_copy(update={"upstash_redis_rest_url": "http://127.0.0.1:9"}))
    answer = new_shopper()(FLAGSHIP)
    assert (answer.status, answer.code) == (503, "redis_unavailable")
    assert answer.json["dependency"] == "redis"
    assert answer.headers["Retry-After"]


def test_search_down_is_a_problem_for_search_and_rag_while_cart_turns_go_on(say, qdrant):
    _, stand_in = qdrant
    added = say(FLAGSHIP)
    [product_id] = added.cart
    stand_in.fault = "all"
    try:
        for message in (FLAGSHIP, "do you deliver to Agadir?", "something woody"):
            answer = say(message)
            assert (answer.status, answer.json.get("dependency")) == (503, "search"), message
        assert say("make it two").cart == {product_id: 2}
        assert say("what's in my cart?").cart == {product_id: 2}
        assert say("add neroli bloom 50 ml to my cart").cart == {
            product_id: 2,
            "neroli-bloom-50": 1,
        }
        asked = say("add citron beldi")
        assert (asked.json["finish"], len(asked.json["choices"])) == ("clarify", 3)
        assert say("the 100 ml").cart["citron-beldi-100"] == 1
        assert say("empty my cart").cart == {}
    finally:
        stand_in.fault = "none"
    assert say(FLAGSHIP).status == 200


def test_a_model_that_hangs_is_answered_for_before_lambda_ends(
    settings, use, new_shopper, monkeypatch
):
    use(settings.model_copy(update={"max_tool_calls": 9}))
    monkeypatch.setattr(bootstrap, "language_model", lambda settings: ScriptedModel([Hang(30)]))
    body = json.dumps({"message": FLAGSHIP})
    started = time.monotonic()
    answer = new_shopper().send(body, seconds=2.0)
    assert time.monotonic() - started < 2.0
    assert (answer.status, answer.json["finish"]) == (200, "deadline")
    assert "MAD" in answer.json["answer"]
    bootstrap.assistant.cache_clear()


def test_a_request_that_waited_at_the_gateway_has_less_time(
    settings, use, new_shopper, monkeypatch
):
    use(settings.model_copy(update={"max_tool_calls": 8}))
    monkeypatch.setattr(bootstrap, "language_model", lambda settings: ScriptedModel([Hang(30)]))
    waited = {"requestContext": _context(seconds_ago=27.0)}
    started = time.monotonic()
    answer = new_shopper().send(json.dumps({"message": FLAGSHIP}), **waited)
    assert time.monotonic() - started < 2.0
    assert answer.json["finish"] == "deadline"
    bootstrap.assistant.cache_clear()


def _context(seconds_ago: float):
    return {
        "requestId": "r1",
        "stage": "$default",
        "timeEpoch": int((time.time() - seconds_ago) * 1000),
        "http": {"method": "POST", "path": "/api/v1/ai/cart"},
    }


def test_a_clients_turn_id_is_in_no_log_line(say, caplog):
    with caplog.at_level("DEBUG"):
        assert say("add it", turnId="the-turn-of-salma").json["turnId"] == "the-turn-of-salma"
    assert caplog.records
    assert not any("turn-of-salma" in str(record.__dict__) for record in caplog.records)
