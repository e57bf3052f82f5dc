"""The index is written anew where it lacks what is live, and served once nothing that is live is lacking."""

from datetime import UTC, datetime

import pytest
from shopping_agent.application.index_rebuild import REINDEX, age_of_copy
from shopping_agent.domain.feed import sequencer_of_time

GUIDE = "guides/delivery.en.md"
SECOND = "catalog/second.jsonl"
TEXT = "# Delivery\n## Delays\nTwo days.\n"


def rows(perfume):
    return [perfume(number) for number in range(1, 5)]


@pytest.fixture
def stocked(shop, perfume):
    """Two catalogs and a guide."""
    shop.upload(rows(perfume))
    shop.upload([perfume(9)], SECOND)
    shop.upload_text(TEXT, GUIDE)
    return shop


def lose_the_index(shop, *, served=True) -> None:
    """As it is with another embedding model, or after an accident."""
    shop.index.marks.clear()
    shop.index.chunks.clear()
    shop.index.products.clear()
    shop.index.served = served
    shop.embedder.texts.clear()


def test_an_unchanged_file_is_written_anew_where_the_index_lacks_it(stocked, perfume):
    lose_the_index(stocked)
    report = stocked.upload(rows(perfume))
    assert report.counts["updated"] == 4
    assert report.counts["embedded"] == len(stocked.embedder.texts) > 0
    assert set(stocked.index.products) == {"p1", "p2", "p3", "p4"}
    assert stocked.upload(rows(perfume)).counts["unchanged"] == 4


def test_a_guide_is_written_anew_too(stocked):
    lose_the_index(stocked)
    assert stocked.upload_text(TEXT, GUIDE).counts["updated"] == 1
    assert [c.text for c in stocked.index.chunks.values()] == ["Two days."]


def test_the_index_is_served_with_the_last_source_that_was_lacking(stocked, perfume):
    lose_the_index(stocked, served=False)
    stocked.upload(rows(perfume))
    stocked.upload_text(TEXT, GUIDE)
    assert not stocked.index.served
    stocked.upload([perfume(9)], SECOND)
    assert stocked.index.served


def test_a_file_that_never_brought_anything_in_keeps_nothing_waiting(stocked, perfume):
    stocked.upload_text("PK\x03\x04", "catalog/junk.zip")
    stocked.objects.bodies["catalog/not-read-yet.csv"] = b"id\n"
    lose_the_index(stocked, served=False)
    stocked.upload(rows(perfume))
    stocked.upload([perfume(9)], SECOND)
    stocked.upload_text(TEXT, GUIDE)
    assert stocked.index.served


def test_a_refused_file_whose_products_are_live_keeps_the_older_index(stocked, perfume):
    lose_the_index(stocked, served=False)
    stocked.upload([perfume(9)], SECOND)
    stocked.upload_text(TEXT, GUIDE)
    assert stocked.upload([perfume(1)]).status == "refused"
    assert not stocked.index.served
    stocked.upload(rows(perfume))
    assert stocked.index.served


def test_a_deleted_file_keeps_nothing_waiting(stocked, perfume):
    lose_the_index(stocked, served=False)
    stocked.upload(rows(perfume))
    stocked.upload([perfume(9)], SECOND)
    stocked.delete(GUIDE)
    assert stocked.index.served


def test_a_worker_that_dies_while_it_writes_anew_is_resumed(stocked, perfume):
    lose_the_index(stocked)
    stocked.write(rows(perfume))
    event = stocked.event()
    stocked.faults.calls, stocked.faults.fail_at = 0, 5
    with pytest.raises(Exception, match="down"):
        stocked.apply(event)
    stocked.faults.fail_at = 0
    stocked.apply(event)
    assert set(stocked.index.products) == {"p1", "p2", "p3", "p4"}
    assert stocked.index.marks == {"catalog/perfumes.jsonl"}


@pytest.mark.parametrize("after", [False, True])
def test_whatever_fails_the_index_is_served_in_the_end(stocked, perfume, after):
    for fail_at in range(1, 12):
        lose_the_index(stocked, served=False)
        stocked.upload([perfume(9)], SECOND)
        stocked.upload_text(TEXT, GUIDE)
        stocked.write(rows(perfume))
        event = stocked.event()
        stocked.faults.calls, stocked.faults.fail_at, stocked.faults.after = 0, fail_at, after
        try:
            stocked.apply(event)
        except Exception:  # noqa: BLE001  (whatever the fault was, the event comes again)
            stocked.faults.fail_at = 0
            stocked.apply(event)
        stocked.faults.fail_at = 0
        assert stocked.index.served
        assert set(stocked.index.products) == {"p1", "p2", "p3", "p4", "p9"}


def test_a_product_whose_row_is_invalid_is_written_once_the_row_is_valid_again(stocked, perfume):
    lose_the_index(stocked)
    stocked.upload([perfume(1, price="?"), *rows(perfume)[1:]])
    assert "p1" not in stocked.index.products
    assert stocked.upload(rows(perfume)).counts["updated"] == 1
    assert "p1" in stocked.index.products


def test_a_live_product_whose_row_is_invalid_comes_along_as_searches_know_it(stocked, perfume):
    stocked.index.marks.clear()
    stocked.index.chunks.clear()
    report = stocked.upload([perfume(1, price="?"), *rows(perfume)[1:]])
    assert report.counts["kept"] == 1
    owners = {c.product.id for c in stocked.index.chunks.values() if c.product}
    assert owners == {"p1", "p2", "p3", "p4"}
    assert stocked.upload(rows(perfume)).counts["updated"] == 1


def test_a_copy_is_written_anew_though_the_index_has_it(stocked, perfume):
    stocked.embedder.texts.clear()
    stocked.objects.metadata = {REINDEX: "2026-11-30T10:00:00+00:00"}
    report = stocked.upload(rows(perfume))
    assert report.counts["updated"] == 4
    assert report.counts["embedded"] == len(stocked.embedder.texts) > 0


def test_a_copy_is_as_old_as_what_it_was_copied_from():
    moment = datetime(2026, 11, 30, 10, tzinfo=UTC)
    assert age_of_copy({REINDEX: moment.isoformat()}) == sequencer_of_time(moment)
    assert age_of_copy({REINDEX: "2026-11-30T10:00:00"}) == sequencer_of_time(moment)
    assert age_of_copy({}) == age_of_copy({REINDEX: "yesterday"}) == ""


def test_what_a_lost_index_still_had_of_a_source_goes(stocked, perfume):
    stocked.index.marks.clear()
    stray = next(c for c in stocked.index.chunks.values() if c.product and c.product.id == "p4")
    report = stocked.upload(rows(perfume)[:3])
    assert report.counts["removed"] == 1
    assert stray.id not in stocked.index.chunks
