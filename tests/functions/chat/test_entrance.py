"""Idempotency-Key and limits at the chat function's edge."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from shopping_agent import bootstrap
from shopping_agent.domain.deadline import Deadline

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."


@pytest.fixture
def limited(settings, use):
    """Runs the handler with these limits; counters of the store begin anew."""

    def change(limits: str) -> None:
        use(settings.model_copy(update={"rate_limits": limits}))
        connection = bootstrap.redis(settings)
        connection.run(["DEL", connection.key("traffic", "store")], Deadline.after(5))

    return change


@dataclass
class Keyed:
    """Sends messages under an Idempotency-Key."""

    say: Any

    def __call__(self, message: str, key: str = "k", **fields: Any):
        headers = {"content-type": "application/json", "idempotency-key": key}
        if self.say.token:
            headers["authorization"] = f"Bearer {self.say.token}"
        return self.say.send(json.dumps({"message": message, **fields}), headers=headers)


@pytest.fixture
def keyed(say) -> Keyed:
    say("hello")
    return Keyed(say)


def test_a_repeated_message_is_one_turn_and_one_addition(keyed, say) -> None:
    first, second = keyed(FLAGSHIP), keyed(FLAGSHIP)
    assert first.status == second.status == 200
    assert second.json == first.json
    assert second.headers["Idempotency-Replayed"] == "true"
    assert sum(first.cart.values()) == 1
    assert say("what is in my cart?").cart == first.cart


def test_another_key_is_another_turn(keyed) -> None:
    first, second = keyed("hello", "a"), keyed("hello", "b")
    assert first.json["turnId"] != second.json["turnId"]


def test_a_key_names_the_turn_where_the_client_names_none(keyed) -> None:
    unnamed = keyed("hello", "a").json["turnId"]
    assert unnamed
    assert unnamed != "mine"
    assert keyed("hello", "b", turnId="mine").json["turnId"] == "mine"


def test_a_key_for_another_message_is_422(keyed) -> None:
    keyed("hello")
    assert (keyed("goodbye").status, keyed("goodbye").code) == (422, "idempotency_key_reused")


def test_without_a_bearer_a_key_is_400(say, new_shopper) -> None:
    answer = Keyed(new_shopper())("hello")
    assert (answer.status, answer.code) == (400, "idempotency_key_refused")


def test_an_assistant_that_is_off_is_not_kept_as_the_answer(keyed, settings, use) -> None:
    use(settings.model_copy(update={"assistant_enabled": False}))
    assert keyed("hello").code == "assistant_off"
    use(settings)
    assert keyed("hello").status == 200


def test_a_session_has_so_many_turns_and_its_cart_goes_on(say, limited, settings) -> None:
    limited("turns=2/day")
    assert [say("hello").status for _ in range(3)] == [200, 200, 429]
    refused = say("hello")
    assert refused.code == "turns_limit"
    assert 86_000 < int(refused.headers["Retry-After"]) <= 86_400


@pytest.mark.parametrize(
    ("limits", "code"), [("session=1/min", "session_limit"), ("store=1/min", "store_limit")]
)
def test_requests_are_counted_too(say, limited, limits, code) -> None:
    limited(limits)
    say("hello")
    assert say("hello").code == code


def test_a_refused_message_does_nothing(say, limited) -> None:
    say("hello")
    limited("turns=1/day")
    assert say(FLAGSHIP).code == "turns_limit"
    limited("off")
    assert say("what is in my cart?").cart == {}


def test_a_message_that_cannot_be_read_costs_no_turn(say, limited) -> None:
    limited("turns=1/day")
    assert say("").status == 422
    assert say("hello").status == 200


def test_a_refused_turn_is_no_answer_for_its_key(keyed, limited) -> None:
    limited("turns=1/day")
    assert keyed("hello").code == "turns_limit"
    limited("off")
    answer = keyed("hello")
    assert (answer.status, "Idempotency-Replayed" in answer.headers) == (200, False)


def test_a_replay_costs_no_turn(keyed, limited) -> None:
    limited("turns=2/day")
    keyed("hello")
    assert [keyed("hello").status for _ in range(3)] == [200] * 3
