"""A refused file changes nothing: not even an older upload that is still being written when it comes."""

from dataclasses import replace

import pytest
from shopping_agent.application.handing_on import HandOnError
from shopping_agent.errors import StateUnavailableError

SIZE = 4
UNREADABLE = "colour;shape\nred;round\n"


def rows(perfume, count=10, **other):
    return [perfume(number, **other) for number in range(1, count + 1)]


def refuse(shop, perfume, reason):
    """A newer upload that is refused."""
    if reason == "unreadable":
        report = shop.upload_text(UNREADABLE, "catalog/perfumes.jsonl")
    else:
        report = shop.upload([perfume(1)])
    assert report.status == "refused"
    return report


def clean_state(new_shop, *files):
    shop = new_shop()
    for content in files:
        shop.upload(content, ratio=1.0)
    return shop.state()


@pytest.fixture
def changed(perfume):
    return [*rows(perfume, 9, description="Other words."), perfume(30)]


@pytest.fixture
def in_parts(shop, perfume, changed):
    """A shop whose second upload waits in three parts."""
    shop.upload(rows(perfume))
    shop.part_size = SIZE
    assert shop.upload(changed).status == "planned"
    return shop


@pytest.mark.parametrize("done", [0, 1, 2])
@pytest.mark.parametrize("reason", ["unreadable", "mass deletion"])
def test_an_upload_in_parts_is_finished_though_a_newer_one_was_refused(
    in_parts, new_shop, perfume, changed, reason, done
):
    for _ in range(done):
        in_parts.work(in_parts.queue.waiting.pop())
    refuse(in_parts, perfume, reason)
    assert in_parts.drain()[-1].status == "applied"
    assert in_parts.state() == clean_state(new_shop, rows(perfume), changed)
    told = {report["status"]: report["counts"]["removed"] for report in in_parts.reports()[1:]}
    assert told == {"applied": 1, "refused": 0}


@pytest.mark.parametrize("after", [False, True], ids=["refused", "answer lost"])
def test_a_crash_at_any_write_around_a_refusal_leaves_nothing_half_done(
    new_shop, perfume, changed, after
):
    def run(fail_at):
        shop = new_shop()
        shop.upload(rows(perfume))
        shop.part_size = SIZE
        shop.faults.calls, shop.faults.fail_at, shop.faults.after = 0, fail_at, after
        shop.objects.versions["v2"] = written(shop, changed)
        older = replace(shop.event(), version="v2")
        again(lambda: shop.apply(older))
        if shop.queue.waiting:
            body = shop.queue.waiting.pop(0)
            again(lambda: shop.work(body))
        shop.write([UNREADABLE])
        newer = shop.event()
        again(lambda: shop.apply(newer))
        while shop.queue.waiting:
            body = shop.queue.waiting.pop(0)
            again(lambda body=body: shop.work(body))
        return shop

    writes = run(0).faults.calls
    assert writes >= 15
    expected = clean_state(new_shop, rows(perfume), changed)
    for number in range(1, writes + 1):
        assert run(number).state() == expected, f"write {number}"


def written(shop, content):
    shop.write(content)
    return shop.objects.bodies["catalog/perfumes.jsonl"]


def again(work):
    try:
        work()
    except StateUnavailableError:
        work()


@pytest.mark.parametrize("reason", ["unreadable", "mass deletion"])
def test_an_upload_that_was_handed_on_is_finished_though_a_newer_one_was_refused(
    shop, perfume, monkeypatch, reason
):
    shop.objects.versions["v1"] = written(shop, rows(perfume, 120))
    older = replace(shop.event(), version="v1")
    monkeypatch.setattr("shopping_agent.application.product_writer.RESERVE_SECONDS", 60)
    with pytest.raises(HandOnError):
        shop.apply(older)
    refuse(shop, perfume, reason)
    with pytest.raises(HandOnError):
        shop.apply(older)
    assert shop.apply(older).counts["added"] == 120
    assert len(shop.live.facts) == 120


def test_a_good_upload_between_is_applied_though_it_comes_after_the_refused_one(shop, perfume):
    shop.upload(rows(perfume))
    between = shop.event()
    refuse(shop, perfume, "unreadable")
    shop.write(rows(perfume, price=7))
    assert shop.apply(between).status == "applied"
    assert shop.facts("p1") == {"p1": (7, 5)}


def test_an_older_upload_that_begins_while_a_newer_one_is_read_makes_it_read_again(
    shop, perfume, monkeypatch
):
    """What the newer one would change was told from a state that is no more."""
    shop.upload(rows(perfume))
    shop.objects.versions["v2"] = written(shop, rows(perfume, 6, price=7))
    older = replace(shop.event(), version="v2")
    newest = [*rows(perfume, 9), perfume(20)]
    begin = shop.manifest.begin

    def overtaken(*arguments, **options):
        monkeypatch.setattr(shop.manifest, "begin", begin)
        shop.apply(older)
        return begin(*arguments, **options)

    monkeypatch.setattr(shop.manifest, "begin", overtaken)
    shop.write(newest)
    newer = shop.event()
    with pytest.raises(HandOnError):
        shop.apply(newer)
    assert shop.facts("p1", "p7") == {"p1": (7, 5)}
    shop.apply(newer)
    assert shop.facts("p1", "p7", "p20") == {"p1": (101, 5), "p7": (107, 5), "p20": (120, 5)}
    assert "p10" not in shop.live.facts
