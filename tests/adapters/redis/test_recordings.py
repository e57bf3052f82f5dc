"""Recordings of turns: kept for their hours, listed with the shopper's keys, gone with them."""

import pytest
from shopping_agent.adapters.redis.keys import KEPT, RECORDING
from shopping_agent.adapters.redis.recordings import RedisRecordings
from shopping_agent.adapters.redis.shopper_records import RedisShopperRecords
from shopping_agent.adapters.redis.turn_store import RedisTurnStore
from shopping_agent.domain.conversation import Conversation, Exchange, Shopper

DOCUMENT = {"turn": "t1", "message": "[private] et un parfum léger", "steps": [{"said": "Voilà"}]}


@pytest.fixture
def recordings(connection) -> RedisRecordings:
    return RedisRecordings(connection=connection)


@pytest.fixture
def talk(connection, shopper, deadline):
    """Saves a turn, so that there is a conversation; answers it as the next turn loads it."""
    turns = RedisTurnStore(connection=connection, currency="MAD")

    def saved() -> Conversation:
        before = turns.load(shopper, (), deadline).conversation
        after = Conversation(exchanges=(*before.exchanges, Exchange("hello", "hi")))
        turns.save(shopper, before, after, deadline)
        return turns.load(shopper, (), deadline).conversation

    return saved


@pytest.fixture
def keep(recordings, shopper, deadline):
    def kept(turn: str = "t1", whose: Shopper = shopper, known: str = "", seconds: int = 7200):
        recordings.keep(whose, turn, DOCUMENT, known=known, seconds=seconds, deadline=deadline)

    return kept


@pytest.fixture
def held(connection, deadline):
    return lambda turn="t1": connection.run(
        ["HGET", RECORDING.key(connection, turn), "shopper"], deadline
    )


def test_a_recording_ends_after_its_hours_and_is_listed_until_then(
    connection, shopper, deadline, talk, keep
) -> None:
    talk()
    keep(seconds=7200)
    key = RECORDING.key(connection, "t1")
    assert 7100 < connection.run(["TTL", key], deadline) <= 7200
    assert key in connection.run(["ZRANGE", KEPT.key(connection, shopper.id), 0, -1], deadline)


def test_it_is_never_kept_longer_than_the_registry_says(connection, deadline, talk, keep) -> None:
    talk()
    keep(seconds=10**9)
    assert connection.run(["TTL", RECORDING.key(connection, "t1")], deadline) <= RECORDING.seconds


def test_it_is_exported_as_it_is_and_erased_with_everything_else(
    connection, shopper, deadline, talk, keep, held
) -> None:
    records = RedisShopperRecords(connection=connection)
    talk()
    keep()
    (record,) = [r for r in records.export(shopper, "", deadline).records if r.kind == "recording"]
    assert record.data["document"] == DOCUMENT
    records.erase(shopper, deadline)
    assert held() is None
    assert records.export(shopper, "", deadline).records == ()


def test_a_turn_that_still_runs_brings_nothing_back_after_an_erasure(
    connection, shopper, deadline, talk, keep, held
) -> None:
    generation = talk().generation
    RedisShopperRecords(connection=connection).erase(shopper, deadline)
    keep(known=generation)
    assert held() is None
    keep(known="")
    assert held() is None
    talk()
    keep(known=generation)
    assert held() is None
    assert connection.run(["EXISTS", KEPT.key(connection, shopper.id)], deadline) == 0


def test_a_turns_id_that_another_shopper_used_shows_nobody_the_others_turn(
    connection, shopper, deadline, talk, keep, held
) -> None:
    talk()
    keep()
    other = Shopper(id="g_other", session_id="g_other")
    turns = RedisTurnStore(connection=connection, currency="MAD")
    after = Conversation(exchanges=(Exchange("hello", "hi"),))
    turns.save(other, Conversation(), after, deadline)
    keep(whose=other)
    assert held() == shopper.id
    exported = RedisShopperRecords(connection=connection).export(other, "", deadline).records
    assert "recording" not in {record.kind for record in exported}


def test_a_turn_that_is_tried_again_replaces_its_recording(
    recordings, connection, shopper, deadline, talk, keep
) -> None:
    talk()
    keep()
    again = {**DOCUMENT, "message": "again"}
    recordings.keep(shopper, "t1", again, known="", seconds=60, deadline=deadline)
    text = connection.run(["HGET", RECORDING.key(connection, "t1"), "document"], deadline)
    assert '"again"' in text
