"""RECORD_TURNS: what is kept of a turn, what is not, and that a turn can be run again from it."""

import json
from dataclasses import replace
from typing import Any

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.llm.scripted import ScriptedModel, proposes, says
from shopping_agent.adapters.redis import connection as redis_connection
from shopping_agent.adapters.redis.keys import RECORDING, digest
from shopping_agent.adapters.redis.recordings import RedisRecordings
from shopping_agent.application.recording import MAX_CHARACTERS
from shopping_agent.domain.conversation import ModelReply, ToolCall
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import StateUnavailableError

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."


@pytest.fixture
def recorded(settings, use, say):
    """Switches recording on."""
    use(settings.model_copy(update={"record_turns": 2}))
    return say


@pytest.fixture
def recording(settings):
    """What is kept of a turn."""
    connection = bootstrap.redis(settings)

    def read(turn_id: str) -> dict[str, Any] | None:
        key = RECORDING.key(connection, digest(turn_id))
        text = connection.run(["HGET", key, "document"], Deadline.after(10))
        return json.loads(text) if text else None

    return read


def test_nothing_is_recorded_until_it_is_asked_for(say, recording) -> None:
    turn = say(FLAGSHIP).json["turnId"]
    assert recording(turn) is None


def test_a_turn_is_recorded_with_its_calls_results_and_answer(recorded, recording) -> None:
    reply = recorded(FLAGSHIP).json
    kept = recording(reply["turnId"])
    assert kept["message"] == FLAGSHIP
    assert (kept["answer"], kept["finish"], kept["intent"]) == (
        reply["answer"],
        reply["finish"],
        reply["intent"],
    )
    calls = [call for step in kept["steps"] for call in step.get("calls", ())]
    assert [call["name"] for call in calls] == ["add_to_cart"]
    (result,) = [step for step in kept["steps"] if "tool" in step]
    assert result["tool"] == "add_to_cart"
    assert result["result"]["ok"] is True
    assert "search_products" in {block["name"] for block in kept["data"]}


def test_words_of_health_and_contact_details_are_not_in_it(recorded, recording) -> None:
    text = "I get migraines, call me on 0612345678 about something fresh for summer"
    kept = recording(recorded(text).json["turnId"])
    everything = json.dumps(kept, ensure_ascii=False)
    assert "migraine" not in everything
    assert "0612345678" not in everything
    assert "[private]" in kept["message"]


def test_a_recording_costs_one_round_trip_and_none_when_it_is_off(
    recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded("hello")
    sent: list[object] = []
    for name in ("run", "pipeline"):
        real = getattr(redis_connection.RedisConnection, name)

        def call(self, command, deadline, real=real):
            sent.append(command)
            return real(self, command, deadline)

        monkeypatch.setattr(redis_connection.RedisConnection, name, call)
    recorded(FLAGSHIP)
    assert len(sent) == 5


def test_a_recording_that_fails_takes_nothing_from_the_shopper(recorded, monkeypatch) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise StateUnavailableError("down")

    monkeypatch.setattr(RedisRecordings, "keep", fails)
    reply = recorded(FLAGSHIP)
    assert reply.status == 200
    assert len(reply.cart) == 1


def test_what_a_model_says_at_length_is_cut(
    recorded, settings, use, recording, monkeypatch
) -> None:
    monkeypatch.setattr(
        bootstrap, "language_model", lambda _: ScriptedModel([says("fresh " * 5000)] * 2)
    )
    use(settings.model_copy(update={"record_turns": 2, "max_tool_calls": 9}))
    kept = recording(recorded("show me something fresh").json["turnId"])
    (step,) = [s for s in kept["steps"] if "said" in s][:1]
    assert len(step["said"]) == MAX_CHARACTERS + 1


def test_the_recorded_replies_run_the_turn_again(
    recorded, settings, use, recording, new_shopper, monkeypatch
) -> None:
    found = recorded("show me something fresh for summer under 800 MAD").json["products"]
    script = [proposes(("add_to_cart", {"productId": found[0]["id"]})), says("Done.")]
    monkeypatch.setattr(bootstrap, "language_model", lambda _: ScriptedModel(script))
    use(settings.model_copy(update={"record_turns": 2, "max_tool_calls": 8}))
    first = new_shopper()(FLAGSHIP)
    kept = recording(first.json["turnId"])

    again = ScriptedModel([_reply(step) for step in kept["steps"] if "said" in step])
    monkeypatch.setattr(bootstrap, "language_model", lambda _: again)
    use(settings.model_copy(update={"record_turns": 0, "max_tool_calls": 7}))
    second = new_shopper()(kept["message"])
    assert second.cart == first.cart
    assert second.json["answer"] == first.json["answer"]
    assert second.json["usage"]["calls"] == first.json["usage"]["calls"]


def _reply(step: dict[str, Any]) -> ModelReply:
    calls = tuple(ToolCall(c["id"], c["name"], c["arguments"]) for c in step["calls"])
    reply = ModelReply(text=step["said"], tool_calls=calls)
    return replace(reply, finish="tool_calls" if calls else "stop")
