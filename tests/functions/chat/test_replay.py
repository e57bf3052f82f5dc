"""`shopping-agent replay`: a recorded turn runs again the same way, differences are told, the shop is not touched."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.llm.scripted import ScriptedModel, proposes, says
from shopping_agent.adapters.redis.keys import RECORDING
from shopping_agent.application.verification import Verifier
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.operation import turn_name
from shopping_agent.errors import LanguageModelError

from functions.local.cli import main

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
SHOP = ("QDRANT_URL", "EMBEDDING_PROVIDER", "UPSTASH_REDIS_REST_URL", "REDIS_PREFIX")


@dataclass
class Replayed:
    status: int
    document: dict[str, Any]
    said: str

    def of(self, what: str) -> dict[str, Any]:
        return next(d for d in self.document["differences"] if d["what"] == what)


@pytest.fixture
def recorded(settings, use, say):
    """Switches recording on; a model of a test's own with `recorded.model(script)`."""
    use(settings.model_copy(update={"record_turns": 2}))
    return say


@pytest.fixture
def scripted(settings, use, monkeypatch, new_shopper):
    """A shopper whose next turns have a scripted model."""

    def shopper(*script: Any):
        monkeypatch.setattr(bootstrap, "language_model", lambda _: ScriptedModel(script))
        # Another frozen value, so that the assistant is built anew.
        use(settings.model_copy(update={"record_turns": 2, "max_tool_calls": 10 + len(script)}))
        return new_shopper()

    return shopper


@pytest.fixture
def replay(settings, tmp_path: Path, monkeypatch, capsys) -> Callable[..., Replayed]:
    file = tmp_path / "settings.json"
    given = {name: str(getattr(settings, name.lower())) for name in SHOP}
    token = settings.upstash_redis_rest_token.get_secret_value()
    file.write_text(json.dumps({**given, "UPSTASH_REDIS_REST_TOKEN": token}))

    def run(turn_id: str, *arguments: str) -> Replayed:
        capsys.readouterr()
        status = main(["replay", turn_id, "--json", "--settings", str(file), *arguments])
        shown = capsys.readouterr()
        return Replayed(status, json.loads(shown.out or "{}"), shown.err)

    return run


@pytest.fixture
def everything(settings) -> Callable[[], dict[str, Any]]:
    """All keys of the shop with a digest of their values and when they end."""
    redis = bootstrap.redis(settings)
    state = (
        "return {redis.sha1hex(redis.call('DUMP', KEYS[1])), redis.call('PEXPIRETIME', KEYS[1])}"
    )

    def read() -> dict[str, Any]:
        keys = redis.run(["KEYS", f"{settings.redis_prefix}:*"], Deadline.after(10))
        return {key: redis.run(["EVAL", state, 1, key], Deadline.after(10)) for key in sorted(keys)}

    return read


@pytest.fixture
def change(settings) -> Callable[..., None]:
    """Alters a recording."""
    redis = bootstrap.redis(settings)

    def write(turn_id: str, **fields: Any) -> None:
        key = RECORDING.key(redis, turn_name(turn_id))
        document = json.loads(redis.run(["HGET", key, "document"], Deadline.after(10)))
        for name, value in fields.items():
            if value is None:
                document.pop(name, None)
            else:
                document[name] = value
        redis.run(["HSET", key, "document", json.dumps(document)], Deadline.after(10))

    return write


def test_a_turn_runs_again_to_the_same_answer_cart_and_verdicts(recorded, replay) -> None:
    reply = recorded(FLAGSHIP).json
    again = replay(reply["turnId"])
    assert again.document["differences"] == []
    assert again.status == 0
    assert again.document["same"] is True


def test_a_turn_in_the_middle_of_a_conversation_begins_where_it_began(recorded, replay) -> None:
    recorded("show me something fresh for summer under 800 MAD")
    recorded("add the second one")
    third = recorded("two of it, please").json
    fourth = recorded("remove it again").json
    fifth = recorded("what is in my cart?").json
    for turn in (third, fourth, fifth):
        again = replay(turn["turnId"])
        assert again.document["differences"] == []


def test_nothing_of_the_shop_is_written_not_even_the_cart(recorded, replay, everything) -> None:
    turn = recorded(FLAGSHIP).json["turnId"]
    before = everything()
    assert replay(turn).status == 0
    assert everything() == before


def test_a_turn_that_was_sent_back_for_what_did_not_hold_runs_again(scripted, replay) -> None:
    say = scripted(says("Neroli Dune costs 3 MAD and is free today."), says("I show you some."))
    again = replay(say("show me something fresh").json["turnId"])
    assert again.document["differences"] == []


@pytest.mark.parametrize("kind", ["timeout", "content_refused", "malformed", "auth"])
def test_a_turn_whose_provider_failed_runs_again(scripted, replay, kind) -> None:
    say = scripted(
        proposes(("search_products", {"query": "fresh"})), LanguageModelError(kind, "broken")
    )
    again = replay(say(FLAGSHIP).json["turnId"])
    assert again.document["differences"] == []


def test_a_silent_and_an_announcing_reply_are_heard_again(scripted, replay) -> None:
    say = scripted(says(""), says("Let me search for that now."), says("Nothing more."))
    again = replay(say("add something fresh to my cart").json["turnId"])
    assert again.document["differences"] == []


def test_a_check_that_judges_otherwise_is_a_difference(recorded, replay, monkeypatch) -> None:
    turn = recorded(FLAGSHIP).json["turnId"]
    real = Verifier.check

    def stricter(self: Verifier, text: str) -> Any:
        verdict = real(self, text)
        return type(verdict)(text=text, kept="", faults=("planted",))

    monkeypatch.setattr(Verifier, "check", stricter)
    again = replay(turn)
    assert again.status == 1
    assert again.of("verdict 1")["now"] == ["planted"]
    assert again.of("answer")["recorded"] != again.of("answer")["now"]


def test_a_price_that_changed_since_is_a_difference(recorded, replay, settings) -> None:
    turn = recorded(FLAGSHIP)
    [line] = turn.cart.items()
    live = bootstrap.live_catalog(settings)
    [facts] = live.get([line[0]], Deadline.after(10)).values()
    dearer = type(facts.price)(regular=9_999_900, currency="MAD")
    try:
        live.put([_with(facts, dearer)], Deadline.after(10))
        again = replay(turn.json["turnId"])
        assert again.status == 1
        assert again.document["differences"]
    finally:
        live.put([_with(facts, facts.price)], Deadline.after(10))


def _with(facts: Any, price: Any) -> Any:
    from dataclasses import replace

    return replace(facts, price=price, revision=facts.revision + 1)


def test_what_was_in_the_cart_and_is_sold_no_more_is_told(recorded, replay, change) -> None:
    turn = recorded("what is in my cart?").json["turnId"]
    kept = {"cart": [["gone-for-ever", 1]], "conversation": _EMPTY}
    change(turn, before=kept)
    again = replay(turn)
    assert any("gone-for-ever" in note for note in again.document["notes"])


_EMPTY: dict[str, Any] = {
    "exchanges": [],
    "shown": [],
    "seen": [],
    "focus": None,
    "pending": None,
    "added": [],
    "profile": {},
    "asked": [],
}


def test_words_that_were_taken_out_are_told(recorded, replay) -> None:
    turn = recorded("I get migraines, call 0612345678, show me something fresh").json["turnId"]
    again = replay(turn)
    assert any("personal data" in note for note in again.document["notes"])
    assert "0612345678" not in json.dumps(again.document)
    assert "migraine" not in json.dumps(again.document)


def test_a_turn_that_was_not_recorded_is_told(replay) -> None:
    again = replay("no-such-turn")
    assert (again.status, again.document) == (1, {})
    assert "no recording of no-such-turn" in again.said
    assert "RECORD_TURNS" in again.said


def test_an_expired_recording_is_refused(recorded, replay, change) -> None:
    turn = recorded("hello").json["turnId"]
    change(turn, until=1_000_000)
    again = replay(turn)
    assert again.status == 1
    assert "expired" in again.said


@pytest.mark.parametrize("form", [1, None])
def test_a_recording_of_another_form_is_refused_anyway_or_not(
    recorded, replay, change, form
) -> None:
    turn = recorded("hello").json["turnId"]
    change(turn, format=form)
    assert "cannot run" in replay(turn).said
    assert replay(turn, "--anyway").status == 1


def test_a_recording_of_another_version_is_run_only_when_asked_for(
    recorded, replay, change
) -> None:
    turn = recorded("hello").json["turnId"]
    change(turn, version="0.0.9")
    refused = replay(turn)
    assert refused.status == 1
    assert "version 0.0.9" in refused.said
    assert replay(turn, "--anyway").status == 0


@pytest.mark.parametrize(
    "broken", [{"heard": [{"said": 1}]}, {"before": []}, {"until": "soon"}, {"message": None}]
)
def test_a_recording_that_is_broken_is_told(recorded, replay, change, broken) -> None:
    turn = recorded("hello").json["turnId"]
    change(turn, **broken)
    again = replay(turn)
    assert again.status == 1
    assert "not readable" in again.said


def test_the_name_in_the_log_finds_it_too(recorded, replay) -> None:
    turn = recorded("hello").json["turnId"]
    assert replay(turn_name(turn)).status == 0


def test_without_a_stack_or_settings_it_says_what_it_needs(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.delenv("UPSTASH_REDIS_REST_URL", raising=False)
    monkeypatch.setenv("DATA", str(tmp_path))
    assert main(["replay", "x"]) == 1
    assert "make run" in capsys.readouterr().err


def test_people_see_what_was_and_what_is(recorded, settings, change, capsys, monkeypatch) -> None:
    for name in SHOP:
        monkeypatch.setenv(name, str(getattr(settings, name.lower())))
    token = settings.upstash_redis_rest_token.get_secret_value()
    monkeypatch.setenv("UPSTASH_REDIS_REST_TOKEN", token)
    turn = recorded("hello").json["turnId"]
    change(turn, answer="Good evening, your majesty.")
    assert main(["replay", turn]) == 1
    shown = capsys.readouterr().out
    assert "- Good evening, your majesty." in shown
    assert "1 differences" in shown


def test_the_functions_own_log_is_not_in_the_answer(recorded, replay, caplog) -> None:
    turn = recorded(FLAGSHIP).json["turnId"]
    caplog.clear()
    assert replay(turn).status == 0
    assert not [r for r in caplog.records if r.name == "shopping-agent"]
    assert recorded("hello").status == 200
    assert [r for r in caplog.records if r.name == "shopping-agent"]


def test_what_a_shopper_wrote_cannot_write_on_the_operators_terminal(
    recorded, settings, change, capsys, monkeypatch
) -> None:
    for name in SHOP:
        monkeypatch.setenv(name, str(getattr(settings, name.lower())))
    token = settings.upstash_redis_rest_token.get_secret_value()
    monkeypatch.setenv("UPSTASH_REDIS_REST_TOKEN", token)
    turn = recorded("hello").json["turnId"]
    change(turn, message="hello \x1b[2J", answer="\x1b]0;owned\x07")
    assert main(["replay", turn]) == 1
    assert "\x1b" not in capsys.readouterr().out


def test_a_turn_on_a_products_page_in_another_language_runs_again(recorded, replay) -> None:
    found = recorded("show me something fresh").json["products"][0]["id"]
    body = {"context": {"productId": found}, "locale": "fr-MA"}
    turn = recorded("je le prends", **body)
    assert turn.status == 200
    again = replay(turn.json["turnId"])
    assert again.document["differences"] == []


@pytest.mark.parametrize("turn_id", ["-AbCdEfGhIjKlMn0", "--bCdEfGhIjKlMn0", "plain", "_x", "-"])
def test_an_id_that_begins_like_an_option_is_an_id(recorded, replay, turn_id) -> None:
    assert recorded("hello", turnId=turn_id).status == 200
    assert replay(turn_id, "--anyway").status == 0
