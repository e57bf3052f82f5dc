"""Large files in parts: in any order, more than once, overtaken, with workers that die; one report, once all is done."""

import json
from dataclasses import replace

import pytest
from shopping_agent.application.catalog_parts import Part
from shopping_agent.application.handing_on import HandOnError
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import MalformedRequestError, StateUnavailableError

SIZE = 4


@pytest.fixture
def large(shop):
    shop.part_size = SIZE
    return shop


def rows(perfume, count=10, **other):
    return [perfume(number, **other) for number in range(1, count + 1)]


def staged(shop):
    return [key for key in shop.objects.bodies if key.startswith("staging/")]


def clean_state(new_shop, *files):
    shop = new_shop()
    for content in files:
        shop.upload(content, ratio=1.0)
    return shop.state()


def test_a_large_file_is_finished_by_the_worker_of_the_last_part(large, new_shop, perfume):
    planned = large.upload(rows(perfume))
    assert planned.status == "planned"
    assert len(large.queue.waiting) == 3
    assert not large.live.facts
    assert not large.reports()
    *parts, last = large.drain()
    assert [part.status for part in parts] == ["planned", "planned"]
    assert last.status == "applied"
    assert large.state() == clean_state(new_shop, rows(perfume))
    (report,) = large.reports()
    assert (report["counts"]["added"], report["counts"]["read"]) == (10, 10)
    assert report["counts"]["embedded"] == len(large.embedder.texts) == 30
    assert report["etag"]
    assert not staged(large)


def test_a_file_that_changes_little_is_not_split(large, perfume):
    large.upload(rows(perfume))
    large.drain()
    assert large.upload([*rows(perfume)[1:], perfume(1, price=7)]).status == "applied"
    assert not large.queue.waiting


def test_what_disappeared_leaves_when_all_parts_are_done(large, new_shop, perfume):
    large.upload(rows(perfume))
    large.drain()
    changed = rows(perfume, 8, description="Other words.")
    large.upload(changed)
    large.work(large.queue.waiting.pop())
    assert "p9" in large.live.facts
    large.drain()
    assert "p9" not in large.live.facts
    assert large.state() == clean_state(new_shop, rows(perfume), changed)
    assert large.reports()[-1]["counts"]["removed"] == 2


def test_parts_in_any_order_and_more_than_once_end_the_same(large, new_shop, perfume):
    large.upload(rows(perfume))
    one, two, three = large.queue.waiting
    large.queue.waiting = [three, three, one, three, two, two, one]
    large.drain()
    assert large.state() == clean_state(new_shop, rows(perfume))
    assert len(large.reports()) == 1
    assert len(large.embedder.texts) == 30


def test_the_events_second_delivery_does_not_plan_its_parts_again(large, perfume):
    large.write(rows(perfume))
    event = large.event()
    large.apply(event)
    waiting = list(large.queue.waiting)
    assert large.apply(event).status == "ignored"
    assert large.queue.waiting == waiting
    large.drain()
    assert large.apply(event).status == "ignored"
    assert len(large.reports()) == 1


def test_a_newer_file_supersedes_the_parts_of_an_older_one(large, new_shop, perfume):
    newest = rows(perfume, 9, price=5)
    large.upload(rows(perfume))
    old = list(large.queue.waiting)
    large.queue.waiting.clear()
    large.work(old[0])
    large.upload(newest)
    assert [large.work(body).status for body in old] == ["ignored"] * 3
    large.drain()
    assert large.work(old[1]).status == "ignored"
    assert large.state() == clean_state(new_shop, rows(perfume), newest)
    (report,) = large.reports()
    assert report["counts"]["accepted"] == 9


@pytest.mark.parametrize("after", [False, True], ids=["refused", "answer lost"])
def test_a_crash_at_any_write_is_repaired_by_delivering_the_message_again(new_shop, perfume, after):
    changed = [*rows(perfume, 7, description="Other words."), perfume(20)]

    def run(fail_at):
        shop = new_shop()
        shop.upload(rows(perfume))
        shop.part_size = SIZE
        shop.write(changed)
        shop.faults.calls, shop.faults.fail_at, shop.faults.after = 0, fail_at, after
        event = shop.event()
        try:
            shop.apply(event)
        except StateUnavailableError:
            shop.apply(event)
        while shop.queue.waiting:
            body = shop.queue.waiting.pop(0)
            try:
                shop.work(body)
            except StateUnavailableError:
                shop.work(body)
        return shop

    writes = run(0).faults.calls
    assert writes >= 15
    expected = clean_state(new_shop, rows(perfume), changed)
    for number in range(1, writes + 1):
        assert run(number).state() == expected, f"write {number}"


def test_what_a_dead_worker_settled_is_not_embedded_again(shop, perfume):
    shop.write(rows(perfume, 120))
    event = shop.event()
    clean = type(shop)()
    clean.write(rows(perfume, 120))
    clean.apply(clean.event())
    # Somewhere in the middle of the second of three batches.
    shop.faults.fail_at = clean.faults.calls // 2
    with pytest.raises((HandOnError, StateUnavailableError)):
        shop.apply(event)
    before = len(shop.embedder.texts)
    assert 150 <= before < 360
    report = shop.apply(event)
    assert len(shop.embedder.texts) <= 360 + 150
    assert shop.state() == clean.state()
    assert (report.counts["added"], report.counts["embedded"]) == (120, 360)


def test_a_worker_whose_time_is_over_hands_the_rest_on(shop, perfume, monkeypatch):
    shop.part_size = 200
    shop.write(rows(perfume, 120))
    event = shop.event()
    monkeypatch.setattr("shopping_agent.application.product_writer.RESERVE_SECONDS", 60)
    with pytest.raises(HandOnError):
        shop.apply(event)
    assert len(shop.live.facts) == 50
    with pytest.raises(HandOnError):
        shop.apply(event)
    report = shop.apply(event)
    assert len(shop.live.facts) == 120
    assert len(shop.embedder.texts) == 360
    assert (report.counts["added"], report.counts["embedded"]) == (120, 360)
    assert len(shop.reports()) == 1


@pytest.mark.parametrize("part_size", [0, 50], ids=["one worker", "parts"])
def test_a_large_deletion_is_handed_on_and_nothing_is_deleted_twice(
    shop, perfume, monkeypatch, part_size
):
    shop.upload(rows(perfume, 120))
    monkeypatch.setattr("shopping_agent.application.product_writer._REMOVED_AT_ONCE", 20)
    monkeypatch.setattr("shopping_agent.application.product_writer.RESERVE_SECONDS", 60)
    shop.part_size = part_size
    shop.write(rows(perfume, 60, description="Other words.") if part_size else rows(perfume, 60))
    removed: list[str] = []
    remove = shop.live.remove
    monkeypatch.setattr(
        shop.live, "remove", lambda ids, deadline: (removed.extend(ids), remove(ids, deadline))
    )
    event = shop.event()
    work = [lambda: shop.apply(event)]
    for _ in range(30):
        if not work and not shop.queue.waiting:
            break
        if not work:
            body = shop.queue.waiting.pop(0)
            work.append(lambda body=body: shop.work(body))
        try:
            work[-1]()
        except HandOnError:
            continue
        work.pop()
    assert len(removed) == len(set(removed)) == 60
    assert len(shop.live.facts) == 60
    assert shop.reports()[-1]["counts"]["removed"] == 60


def test_an_outage_after_some_progress_hands_on_and_before_any_fails(shop, perfume):
    shop.write(rows(perfume, 120))
    first = next(
        number for number in range(1, 50) if _fails_with(type(shop), perfume, number) is HandOnError
    )
    assert first > 3
    assert _fails_with(type(shop), perfume, 2) is StateUnavailableError


def _fails_with(make, perfume, fail_at):
    shop = make()
    shop.write(rows(perfume, 120))
    shop.faults.fail_at = fail_at
    try:
        shop.apply(shop.event())
    except (HandOnError, StateUnavailableError) as error:
        return type(error)
    return None


def test_a_part_whose_object_is_gone_is_tried_again(large, perfume):
    large.upload(rows(perfume))
    body = large.queue.waiting[0]
    part = Part.of(json.loads(body))
    assert part is not None
    large.objects.bodies.pop(part.key)
    with pytest.raises(Exception, match="staged object is gone"):
        large.work(body)


@pytest.mark.parametrize("change", [{"step": "1"}, {"number": True}, {"source": None}, None])
def test_a_part_that_cannot_be_read_says_so(change):
    part = Part("catalog", "catalog/a.csv", "00AA", "staging/catalog/a.csv/1/", 1, 2)
    document = json.loads(part.message())
    assert Part.of(document) == part
    assert Part.of({"Records": []}) is None
    document["ingestPart"] = change if change is None else document["ingestPart"] | change
    with pytest.raises(MalformedRequestError):
        Part.of(document)


def test_a_forced_file_may_delete_almost_everything(shop, perfume):
    shop.upload(rows(perfume))
    assert shop.upload([perfume(1)]).status == "refused"
    message = shop.reports()[-1]["error"]["message"]
    assert "force=true" in message
    assert "upload --force" in message
    shop.objects.metadata = {"force": "true"}
    assert shop.upload([perfume(1)]).counts["removed"] == 9
    assert set(shop.live.facts) == {"p1"}


def test_an_event_reads_the_version_that_it_tells_of(shop, perfume):
    shop.objects.versions["v1"] = json.dumps(perfume(1)).encode()
    shop.write([perfume(2)])
    first, second = replace(shop.event(), version="v1"), shop.event()
    shop.apply(first)
    assert set(shop.live.facts) == {"p1"}
    assert shop.apply(second, ratio=1.0).counts["removed"] == 1
    assert set(shop.live.facts) == {"p2"}


def test_a_deadline_that_is_over_before_any_work_leaves_the_part(large, perfume):
    large.upload(rows(perfume))
    part = Part.of(json.loads(large.queue.waiting[0]))
    assert part is not None
    with pytest.raises(Exception, match="time"):
        large.service().apply_part(part, Deadline.after(-1))
    assert large.work(large.queue.waiting[0]).status == "planned"
