"""Export and erasure of what Redis keeps of one shopper; the edge's tests run them over a shopper's whole life."""

import json

import pytest
from shopping_agent.adapters.redis import shopper_records
from shopping_agent.adapters.redis.cart_store import RedisCartStore
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.adapters.redis.keys import DAY, JOURNAL, KEPT, family_of, keep_commands
from shopping_agent.adapters.redis.live_catalog import RedisLiveCatalog
from shopping_agent.adapters.redis.shopper_records import RedisShopperRecords
from shopping_agent.domain.catalog import LiveFacts, PriceTag
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline


@pytest.fixture
def records(connection: RedisConnection) -> RedisShopperRecords:
    return RedisShopperRecords(connection=connection)


@pytest.fixture
def carts(connection: RedisConnection, deadline: Deadline) -> RedisCartStore:
    facts = [LiveFacts(id="a", name="A", price=PriceTag(100, "MAD"))]
    RedisLiveCatalog(connection=connection).put(facts, deadline)
    return RedisCartStore(connection=connection, currency="MAD")


def keep(connection: RedisConnection, shopper: Shopper, name: str, deadline: Deadline) -> str:
    key = JOURNAL.key(connection, shopper.id, name)
    listing = keep_commands(connection, shopper, key, now=2_000_000_000, seconds=DAY)
    connection.pipeline([["HSET", key, "reply", '{"answer":"é"}'], *listing], deadline)
    return key


def test_nothing_kept_is_an_empty_export_and_nothing_to_erase(records, shopper, deadline) -> None:
    assert records.export(shopper, "", deadline).records == ()
    records.erase(shopper, deadline)


def test_an_export_says_what_each_thing_is_and_reads_what_is_json(
    records, connection, shopper, deadline: Deadline
) -> None:
    keep(connection, shopper, "one", deadline)
    found = {r.kind: r for r in records.export(shopper, "", deadline).records}
    assert found["journal"].data == {"reply": {"answer": "é"}}
    assert found["journal"].holds == JOURNAL.holds
    assert 0 < found["kept"].seconds_left <= (KEPT.seconds or 0)
    json.dumps([r.data for r in found.values()])


def test_pages_follow_each_other_without_gap_or_repeat(
    records, connection, shopper, deadline: Deadline, monkeypatch
) -> None:
    keys = {keep(connection, shopper, f"{n:03}", deadline) for n in range(25)}
    monkeypatch.setattr(shopper_records, "KEYS_A_TRIP", 4)
    monkeypatch.setattr(shopper_records, "PAGE_CHARACTERS", 300)
    seen: list[str] = []
    cursor, pages = "", 0
    while cursor is not None:
        page = records.export(shopper, cursor, deadline)
        seen += [r.key for r in page.records]
        cursor, pages = page.next_cursor, pages + 1
    assert len(seen) == len(set(seen))
    assert keys < set(seen)
    assert pages > 3


def test_an_erasure_that_was_cut_off_can_be_repeated(
    records, connection, shopper, deadline: Deadline
) -> None:
    gone, left = (keep(connection, shopper, n, deadline) for n in ("gone", "left"))
    connection.run(["DEL", gone], deadline)
    records.erase(shopper, deadline)
    assert connection.run(["EXISTS", left, KEPT.key(connection, shopper.id)], deadline) == 0


def test_one_shoppers_erasure_leaves_the_others(
    records, connection, carts, shopper, deadline: Deadline
) -> None:
    other = Shopper(f"{shopper.id}x", f"{shopper.id}x")
    carts.add(other, "a", 1, deadline)
    key = keep(connection, other, "one", deadline)
    carts.add(shopper, "a", 1, deadline)
    records.erase(shopper, deadline)
    assert carts.read(shopper, deadline).count == 0
    assert carts.read(other, deadline).count == 1
    assert connection.run(["EXISTS", key], deadline) == 1


def test_a_users_erasure_reaches_the_guests_cart_that_went_into_theirs(
    records, connection, carts, shopper, deadline: Deadline
) -> None:
    user = Shopper("u_1", "u_1", "user")
    carts.add(shopper, "a", 1, deadline)
    carts.merge(user, shopper, deadline)
    records.erase(user, deadline)
    keys = connection.run(["KEYS", connection.key("*")], deadline)
    families = [family_of(connection, key) for key in keys]
    assert {family.owner for family in families if family} == {"shop"}
    assert None not in families
