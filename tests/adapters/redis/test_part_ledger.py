"""Plans of events and their finished parts, under the manifest's fence."""

import pytest
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.adapters.redis.manifest import RedisManifest
from shopping_agent.adapters.redis.part_ledger import RedisPartLedger
from shopping_agent.ports import IngestionPlan

SOURCE = "catalog/large.csv"
OLD, NEW = "0055AED6DCD90281E5", "0055AED6DCD90281E6"


@pytest.fixture
def manifest(connection: RedisConnection) -> RedisManifest:
    return RedisManifest(connection=connection)


@pytest.fixture
def ledger(connection: RedisConnection) -> RedisPartLedger:
    return RedisPartLedger(connection=connection)


def plan(token: str = OLD, **other) -> IngestionPlan:
    return IngestionPlan(
        sequencer=token,
        token=token,
        started_at=1.5,
        parts=2,
        folder="staging/x/",
        counts={"added": 3},
        **other,
    )


def test_a_plan_is_found_as_it_was_opened(manifest, ledger, deadline) -> None:
    assert ledger.find(SOURCE, deadline) is None
    manifest.begin(SOURCE, OLD, deadline)
    assert ledger.open(SOURCE, OLD, plan(), deadline)
    assert ledger.find(SOURCE, deadline) == plan()
    assert ledger.sent(SOURCE, OLD, deadline)
    assert ledger.find(SOURCE, deadline) == plan(sent=True)


def test_a_part_counts_once_however_often_it_is_done(manifest, ledger, deadline) -> None:
    manifest.begin(SOURCE, OLD, deadline)
    ledger.open(SOURCE, OLD, plan(), deadline)
    assert [ledger.done(SOURCE, OLD, number, deadline) for number in (2, 2, 1)] == [1, 1, 2]
    assert ledger.find(SOURCE, deadline) == plan(done=2)


def test_without_the_source_nothing_is_written(manifest, ledger, deadline) -> None:
    manifest.begin(SOURCE, OLD, deadline)
    ledger.open(SOURCE, OLD, plan(), deadline)
    manifest.begin(SOURCE, NEW, deadline)
    assert not ledger.open(SOURCE, OLD, plan(), deadline)
    assert not ledger.sent(SOURCE, OLD, deadline)
    assert ledger.done(SOURCE, OLD, 1, deadline) is None
    assert not manifest.record(SOURCE, OLD, {"a": ("t", "l")}, [], deadline)
    assert ledger.find(SOURCE, deadline) == plan()


def test_what_was_embedded_is_summed_over_the_attempts_of_one_event(
    manifest, ledger, deadline
) -> None:
    manifest.begin(SOURCE, OLD, deadline)
    ledger.open(SOURCE, OLD, plan(), deadline)
    assert manifest.record(SOURCE, OLD, {"a": ("t", "l")}, [], deadline, embedded=7)
    ledger.open(SOURCE, OLD, plan(), deadline)
    assert manifest.record(SOURCE, OLD, {"b": ("t", "l")}, ["a"], deadline, embedded=5)
    assert ledger.find(SOURCE, deadline) == plan(embedded=12)
    assert manifest.entries(SOURCE, ["a", "b", "never"], deadline) == {"b": ("t", "l")}
    manifest.begin(SOURCE, NEW, deadline)
    ledger.open(SOURCE, NEW, plan(NEW), deadline)
    assert ledger.find(SOURCE, deadline) == plan(NEW)


def test_a_plan_and_its_parts_end_by_themselves(manifest, ledger, connection, deadline) -> None:
    manifest.begin(SOURCE, OLD, deadline)
    ledger.open(SOURCE, OLD, plan(), deadline)
    ledger.done(SOURCE, OLD, 1, deadline)
    for part in ("plan", "parts"):
        key = connection.key("manifest", SOURCE, part)
        assert 0 < connection.run(["TTL", key], deadline) <= 7 * 24 * 3600
