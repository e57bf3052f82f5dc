"""A turn that is sent again, at the chat function's edge on a real Redis."""

import json
import time

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.llm.scripted import ScriptedModel, proposes, says
from shopping_agent.domain.deadline import Deadline

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def scripted(settings, use, monkeypatch):
    """Makes the handler's model follow a script."""

    def follow(*steps) -> None:
        def step(request):
            if not left:
                raise Killed
            return left.pop(0)

        left = list(steps)
        use(settings)
        monkeypatch.setattr(bootstrap, "language_model", lambda settings: ScriptedModel(step))
        bootstrap.assistant.cache_clear()

    yield follow
    bootstrap.assistant.cache_clear()


def journal_keys(settings, say) -> list[str]:
    connection = bootstrap.redis(settings)
    identity = bootstrap.identities(settings).guest_of(say.token).id
    return connection.run(["KEYS", connection.key("journal", identity, "*")], Deadline.after(5))


def test_a_turn_sent_again_has_the_same_reply_and_no_second_effect(say):
    say("hello")
    first = say(FLAGSHIP, turnId="t-1")
    again = say(FLAGSHIP, turnId="t-1")
    assert len(first.cart) == 1
    assert again.json == first.json
    assert again.headers["Idempotency-Replayed"] == "true"
    assert say("what's in my cart").cart == first.cart


def test_a_turns_id_is_refused_for_another_message(say):
    say("hello", turnId="t-1")
    other = say("what's in my cart", turnId="t-1")
    assert (other.status, other.code, other.json["field"]) == (422, "turn_reused", "turnId")


def test_a_turns_id_is_the_shoppers_own(say, new_shopper):
    mine = say("hello", turnId="t-1")
    theirs = new_shopper()("what's in my cart", turnId="t-1")
    assert theirs.status == 200
    assert theirs.json["sessionId"] != mine.json["sessionId"]


def test_a_turn_without_an_id_of_the_clients_leaves_no_journal(settings, say):
    say("hello")
    say(FLAGSHIP)
    assert journal_keys(settings, say) == []
    say("hello", turnId="t-1")
    assert len(journal_keys(settings, say)) == 1


def test_a_turn_killed_after_a_write_is_running_and_then_resumed_without_a_second_write(
    say, scripted
):
    say("hello")
    body = json.dumps({"message": "add it please", "turnId": "t-1"})
    shown = say("show me something fresh for summer").json["products"]
    one, other = shown[0]["id"], shown[1]["id"]
    scripted(proposes(("add_to_cart", {"productId": one})))
    with pytest.raises(Killed):
        say.send(body, seconds=2.0)
    scripted(proposes(("add_to_cart", {"productId": other, "quantity": 2})), says("Done."))
    busy = say.send(body)
    assert (busy.status, busy.code) == (409, "turn_in_progress")
    assert 1 <= int(busy.headers["Retry-After"]) <= 4
    answer = until_free(say, body)
    assert answer.cart == {one: 1}
    assert [(a["type"], a["productId"]) for a in answer.json["actions"]] == [("add", one)]


def until_free(say, body: str):
    for _ in range(30):
        answer = say.send(body)
        if answer.status != 409:
            return answer
        time.sleep(0.3)
    raise AssertionError("the turn is never free")
