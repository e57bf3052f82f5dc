from dataclasses import replace

import pytest
from shopping_agent.adapters.redis import manifest as module
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.adapters.redis.manifest import RedisManifest
from shopping_agent.domain.deadline import Deadline
from shopping_agent.ports import SourceState

OLD, NEW = "0055AED6DCD90281E5", "0055AED6DCD90281E6"
SOURCE = "catalog/catalog.jsonl"


@pytest.fixture
def manifest(connection: RedisConnection) -> RedisManifest:
    return RedisManifest(connection=connection)


def test_a_source_that_was_never_read_is_empty(manifest, deadline: Deadline) -> None:
    assert manifest.read(SOURCE, deadline) == SourceState()


def test_a_committed_event_is_what_the_source_holds(manifest, deadline: Deadline) -> None:
    assert manifest.begin(SOURCE, OLD, deadline)
    manifest.commit(SOURCE, OLD, "e1", {"a": ("t", "l"), "ب": ("t2", "l2")}, [], deadline)
    state = replace(manifest.read(SOURCE, deadline), latest="")
    assert state == SourceState(OLD, "e1", {"a": ("t", "l"), "ب": ("t2", "l2")})
    assert manifest.begin(SOURCE, NEW, deadline)
    manifest.commit(SOURCE, NEW, "e2", {"c": ("x", "y")}, ["a", "never"], deadline)
    state = replace(manifest.read(SOURCE, deadline), latest="")
    assert state == SourceState(NEW, "e2", {"ب": ("t2", "l2"), "c": ("x", "y")})


def test_a_finished_event_does_not_begin_again(manifest, deadline: Deadline) -> None:
    manifest.begin(SOURCE, OLD, deadline)
    manifest.commit(SOURCE, OLD, "e", {}, [], deadline)
    assert not manifest.begin(SOURCE, OLD, deadline)


def test_an_unfinished_event_may_begin_again(manifest, deadline: Deadline) -> None:
    assert manifest.begin(SOURCE, OLD, deadline)
    assert manifest.begin(SOURCE, OLD, deadline)


def test_an_older_event_never_begins_after_a_newer_one(manifest, deadline: Deadline) -> None:
    manifest.begin(SOURCE, NEW, deadline)
    assert not manifest.begin(SOURCE, OLD, deadline)
    manifest.commit(SOURCE, NEW, "e", {}, [], deadline)
    assert not manifest.begin(SOURCE, OLD, deadline)


def test_an_event_that_lost_the_source_commits_nothing(manifest, deadline: Deadline) -> None:
    manifest.begin(SOURCE, OLD, deadline)
    manifest.begin(SOURCE, NEW, deadline)
    manifest.commit(SOURCE, OLD, "old", {"a": ("t", "l")}, [], deadline)
    state = manifest.read(SOURCE, deadline)
    assert replace(state, latest="") == SourceState()
    assert state.latest.endswith(NEW)
    manifest.commit(SOURCE, NEW, "new", {"b": ("t", "l")}, [], deadline)
    assert manifest.read(SOURCE, deadline).etag == "new"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("FF", "0100"),
        ("0A", "0b"),
        ("2026-11-30T10:00:00.000Z", "2026-11-30T10:00:00.001Z"),
        ("2026-11-30T11:00:00+01:00", "2026-11-30T10:00:01"),
        (OLD, "2026-11-30T10:00:00Z"),
        ("2014-11-30T10:00:00Z", OLD),
        ("no order at all", OLD),
    ],
)
def test_events_are_ordered_by_sequencer_or_by_time(manifest, deadline, earlier, later) -> None:
    assert manifest.begin(SOURCE, later, deadline)
    assert not manifest.begin(SOURCE, earlier, deadline)
    assert manifest.begin("other", earlier, deadline)
    assert manifest.begin("other", later, deadline)


def test_an_event_takes_a_source_only_as_it_was_read(manifest, deadline: Deadline) -> None:
    unread = manifest.read(SOURCE, deadline).latest
    assert manifest.begin(SOURCE, OLD, deadline, seen=unread)
    assert not manifest.begin(SOURCE, NEW, deadline, seen=unread)
    seen = manifest.read(SOURCE, deadline).latest
    manifest.commit(SOURCE, OLD, "e", {}, [], deadline)
    # That the older one finished takes nothing from what was read.
    assert manifest.begin(SOURCE, NEW, deadline, seen=seen)
    assert not manifest.begin(SOURCE, OLD, deadline, seen=manifest.read(SOURCE, deadline).latest)


def test_a_doubted_product_equals_no_content_and_none_is_made(manifest, deadline: Deadline) -> None:
    manifest.begin(SOURCE, OLD, deadline)
    manifest.commit(SOURCE, OLD, "e", {"a": ("t", "l"), "b": ("t", "l")}, [], deadline)
    manifest.doubt(SOURCE, ["a", "nobody"], deadline)
    assert manifest.read(SOURCE, deadline).hashes == {"a": ("", ""), "b": ("t", "l")}


def test_sources_are_apart(manifest, deadline: Deadline) -> None:
    manifest.begin(SOURCE, NEW, deadline)
    assert manifest.begin("catalog/other.csv", OLD, deadline)


def test_large_sources_are_recorded_and_read_in_parts(manifest, deadline, monkeypatch) -> None:
    monkeypatch.setattr(module, "SCAN_COUNT", 500)
    changed = {f"product-{i}": (f"{i:064x}", f"{i:032x}") for i in range(module.BATCH * 3 + 7)}
    manifest.begin(SOURCE, OLD, deadline)
    manifest.commit(SOURCE, OLD, "e", changed, [], deadline)
    assert manifest.read(SOURCE, deadline).hashes == changed
    manifest.begin(SOURCE, NEW, deadline)
    manifest.commit(SOURCE, NEW, "e2", {}, list(changed)[1:], deadline)
    assert list(manifest.read(SOURCE, deadline).hashes) == ["product-0"]
