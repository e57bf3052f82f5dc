"""Pitfalls 44-48: warm processes, frozen connections, the gateway's limit, and events that are no request."""

import base64
import json
import threading
import time

import pytest

from functions.local.fake_provider import Answer
from tests.pitfalls.turns import (
    FLAGSHIP,
    MODELS,
    PROVIDERS,
    QUESTION,
    assert_added,
    assert_honest,
    spread,
)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_44_warm_invocations_work_in_any_thread(talk, fake, best, provider):
    shopper = talk(provider)
    assert_added(shopper(FLAGSHIP), best)
    assert shopper("what is in my cart?").cart == {best: 1}
    answers = []
    other = talk(provider)
    thread = threading.Thread(target=lambda: answers.append(other(FLAGSHIP)))
    thread.start()
    thread.join(20)
    assert_added(answers[0], best)
    assert {r.dialect for r in fake.requests} == {provider}
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_44_warm_calls_share_a_connection(talk, fake, best, provider):
    shopper = talk(provider)
    for _ in range(3):
        assert shopper(QUESTION).status == 200
    assert len({r.connection for r in fake.requests}) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("at", [1, 2])
def test_pitfall_45_a_stale_connection_is_replaced_at_once(talk, fake, best, provider, at):
    fake.on(at, Answer(behaviour="stale"))
    shopper = talk(provider, LLM_FALLBACKS="none")
    started = time.monotonic()
    answer = shopper(FLAGSHIP)
    assert_added(answer, best)
    assert shopper(QUESTION).status == 200
    assert time.monotonic() - started < 3
    assert answer.json["usage"]["calls"] == 2
    assert (len(fake.requests), fake.dropped) == (3, 1)


@pytest.mark.parametrize(("provider", "behaviour"), spread(["reset", "close", "headers", "cut"]))
def test_pitfall_45_a_broken_connection_is_tried_again(talk, fake, best, provider, behaviour):
    shopper = talk(provider)
    fake.on(2, Answer(behaviour=behaviour))
    answer = shopper(FLAGSHIP)
    assert_added(answer, best)
    assert len(fake.requests) == 3
    assert answer.json["model"] == MODELS[provider]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(("behaviour", "at"), [("hang", 1), ("drip", 2)])
def test_pitfall_46_the_shopper_is_answered_before_the_gateway_gives_up(
    talk, fake, best, provider, behaviour, at
):
    fake.on(at, Answer(behaviour=behaviour, pause=0.3))
    body = json.dumps({"message": FLAGSHIP, "turnId": f"{provider}-{behaviour}-{at}"})
    shopper = talk(provider)
    shopper("hello")
    started = time.monotonic()
    answer = shopper.send(body, seconds=2.5)
    assert time.monotonic() - started < 2.5
    assert_honest(answer, best)
    # What was missed at the gateway is there for the one who asks again.
    again = shopper.send(body, seconds=10)
    assert again.cart == answer.cart
    assert again.json["answer"] == answer.json["answer"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_46_no_call_is_begun_with_no_time_left(talk, fake, best, provider):
    shopper = talk(provider)
    shopper("hello")
    fake.always(Answer(behaviour="hang"))
    answer = shopper.send(json.dumps({"message": FLAGSHIP}), seconds=0.4)
    if answer.status == 200:
        assert_honest(answer, best)
    assert len(fake.requests) <= 1


@pytest.mark.parametrize(
    ("body", "encoded"),
    [
        (None, False),
        ("", False),
        ("eyJ", True),
        ("eyJhIjogMX0=", True),
        ("%%%", True),
        ("not json", False),
        ("[]", False),
        ("null", False),
        ('"text"', False),
        ("\ud800", False),
        ('{"message": null}', False),
    ],
)
def test_pitfall_47_a_body_that_is_no_message_is_the_clients_fault(talk, fake, body, encoded):
    answer = talk("gemini").send(body, isBase64Encoded=encoded)
    assert answer.status in (400, 422)
    assert fake.requests == []


def test_pitfall_47_a_base64_body_is_read(talk, fake, best):
    body = base64.b64encode(json.dumps({"message": FLAGSHIP}).encode()).decode()
    assert_added(talk("gemini").send(body, isBase64Encoded=True), best)


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/api/v1/ai/cart/x", "POST", 404),
        ("/api/v1/ai/carts", "POST", 404),
        ("/api/v1/ai", "POST", 404),
        ("/api/v1/ai/cart/123/source_networks", "POST", 404),
        ("/x/api/v1/ai/cart", "POST", 404),
        ("/api/v1/ai/car", "POST", 404),
        ("/api/v1/ai/cart", "GET", 405),
        ("/api/v1/ai/cart", "DELETE", 405),
    ],
)
def test_pitfall_48_near_misses_of_the_route_are_not_the_route(talk, fake, path, method, status):
    answer = talk("groq").send(json.dumps({"message": FLAGSHIP}), method=method, path=path)
    assert answer.status == status
    assert fake.requests == []
