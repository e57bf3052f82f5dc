"""Inventory files: price and stock of live products, at once and without embedding; the newer upload holds."""

from dataclasses import replace

import pytest
from shopping_agent.domain.deadline import Deadline

pytestmark = pytest.mark.slow

INVENTORY = "inventory/stock.csv"


@pytest.fixture
def shop(redis_shop, perfume):
    shop = redis_shop()
    shop.upload([perfume(number) for number in (1, 2, 3)])
    shop.embedder.texts.clear()
    return shop


def test_a_price_and_a_stock_reach_shoppers_and_filters_without_embedding(shop):
    report = shop.upload_text("id,price,stock\np1,55.50,2\np2,60,0\n", INVENTORY)
    assert shop.facts("p1", "p2", "p3") == {"p1": (55.5, 2), "p2": (60, 0), "p3": (103, 5)}
    assert (report.status, report.counts["accepted"], report.counts["repriced"]) == (
        "applied",
        2,
        2,
    )
    assert not shop.embedder.texts
    assert shop.index.products["p1"].price.regular == 5550
    assert shop.index.products["p2"].stock == 0
    assert shop.index.products["p1"].description == "The text of perfume number 1."


def test_a_row_touches_what_it_states_and_no_other_product(shop):
    report = shop.upload_text("id,price,stock\np1,,7\np2,80,\n", INVENTORY)
    assert shop.facts("p1", "p2", "p3") == {"p1": (101, 7), "p2": (80, 5), "p3": (103, 5)}
    assert report.counts["removed"] == 0


def test_an_unknown_id_and_a_row_that_says_nothing_are_reported(shop):
    report = shop.upload_text("id;prix;stock\np1;50;1\nnobody;5;5\np2;;\np3;gratuit;\n", INVENTORY)
    assert sorted((r.line, r.reason_code, r.id) for r in report.rejected) == [
        (3, "unknown_product", "nobody"),
        (4, "nothing_stated", "p2"),
        (5, "invalid_price", "p3"),
    ]
    assert all(r.hint for r in report.rejected)
    assert (report.counts["read"], report.counts["accepted"], report.counts["rejected"]) == (
        4,
        1,
        3,
    )
    assert shop.reports()[-1]["source"] == INVENTORY


def test_a_sale_price_holds_in_its_window_and_a_new_price_ends_it(shop):
    shop.upload_text("id,price,sale price,sale until\np1,90,70,2030-01-01\n", INVENTORY)
    assert shop.facts("p1") == {"p1": (70, 5)}
    assert shop.live.on_sale(1_796_000_000.0, _soon())[0].id == "p1"
    shop.upload_text("id,price\np1,95\n", INVENTORY)
    assert shop.facts("p1") == {"p1": (95, 5)}
    assert not shop.live.on_sale(1_796_000_000.0, _soon())


def test_a_newer_catalog_wins_even_when_its_file_did_not_change(shop, perfume):
    shop.upload_text("id,price,stock\np1,55,1\n", INVENTORY)
    report = shop.upload([perfume(number) for number in (1, 2, 3)])
    assert shop.facts("p1") == {"p1": (101, 5)}
    assert (report.counts["repriced"], report.counts["unchanged"]) == (1, 2)
    assert shop.index.products["p1"].price.regular == 10100
    assert shop.upload([perfume(number) for number in (1, 2, 3)]).counts["unchanged"] == 3


def test_an_older_inventory_file_that_comes_late_changes_nothing_that_is_newer(shop, perfume):
    late = shop.event(INVENTORY)
    shop.objects.bodies[INVENTORY] = b"id,price,stock\np1,55,1\n"
    shop.upload([perfume(number) for number in (1, 2, 3)])
    report = shop.apply(late)
    assert shop.facts("p1") == {"p1": (101, 5)}
    assert report.counts["unchanged"] == 1


def test_an_older_catalog_that_comes_late_does_not_undo_a_newer_price(redis_shop, perfume):
    shop = redis_shop()
    catalog = shop.event()
    shop.write([perfume(1)])
    report = shop.upload_text("id,price,stock\np1,55,1\n", INVENTORY)
    assert report.rejected[0].reason_code == "unknown_product"
    shop.apply(catalog)
    assert shop.facts("p1") == {"p1": (55, 1)}
    assert shop.index.products["p1"].price.regular == 5500


def test_a_catalog_that_says_nothing_of_stock_leaves_it_to_the_inventory(redis_shop, perfume):
    def rows(**other):
        row = perfume(1, **other)
        del row["stock"]
        return [row]

    shop = redis_shop()
    shop.upload(rows())
    assert shop.facts("p1") == {"p1": (101, None)}
    shop.upload_text("id,stock\np1,3\n", INVENTORY)
    shop.upload(rows(price=90, description="Other words."))
    assert shop.facts("p1") == {"p1": (90, 3)}
    assert shop.upload(rows(price=90, description="Other words.")).counts["unchanged"] == 1
    assert shop.facts("p1") == {"p1": (90, 3)}


def test_what_the_inventory_said_comes_back_with_the_product(redis_shop, perfume):
    rows = [{k: v for k, v in perfume(n).items() if k != "stock"} for n in (1, 2)]
    shop = redis_shop()
    shop.upload(rows)
    shop.upload_text("id,stock\np1,3\n", INVENTORY)
    shop.upload(rows[1:])
    assert shop.facts("p1") == {}
    shop.upload(rows)
    assert shop.facts("p1") == {"p1": (101, 3)}


def test_a_newer_partial_file_leaves_what_an_older_late_one_says_of_others(shop):
    older, newer = shop.event(INVENTORY), shop.event(INVENTORY)
    shop.objects.versions |= {"v1": b"id,stock\np1,1\np2,1\n", "v2": b"id,stock\np1,2\n"}
    shop.apply(replace(newer, version="v2"))
    shop.apply(replace(older, version="v1"))
    assert shop.facts("p1", "p2") == {"p1": (101, 2), "p2": (102, 1)}


def test_the_same_event_twice_is_reported_once(shop):
    shop.objects.bodies[INVENTORY] = b"id,stock\np1,1\n"
    event = shop.event(INVENTORY)
    assert shop.apply(event).status == "applied"
    assert shop.apply(event).status == "ignored"
    assert len([r for r in shop.reports() if r["source"] == INVENTORY]) == 1


def test_deleting_an_inventory_file_changes_nothing(shop):
    shop.upload_text("id,stock\np1,1\n", INVENTORY)
    assert shop.delete(INVENTORY).status == "ignored"
    assert shop.facts("p1") == {"p1": (101, 1)}


def test_a_file_of_no_known_kind_is_refused_with_a_report(shop):
    report = shop.upload_text("colour;shape\nred;round\n", INVENTORY)
    assert (report.status, report.error["code"]) == ("refused", "unknown_format")


def test_an_index_that_a_dead_worker_left_behind_is_mended_by_the_next_delivery(shop, monkeypatch):
    def broken(products, deadline):
        raise ConnectionError

    shop.objects.bodies[INVENTORY] = b"id,stock\np1,1\n"
    event = shop.event(INVENTORY)
    with monkeypatch.context() as patched:
        patched.setattr(shop.index, "refresh", broken)
        with pytest.raises(ConnectionError):
            shop.apply(event)
    assert shop.index.products["p1"].stock == 5
    shop.apply(event)
    assert shop.index.products["p1"].stock == 1


def _soon():
    return Deadline.after(10)
