"""Inventory over live facts: what is kept, how much of it, and what a catalog's age does to it."""

import pytest
from shopping_agent.adapters.redis import inventory as module
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.adapters.redis.inventory import RedisInventory
from shopping_agent.adapters.redis.live_catalog import RedisLiveCatalog
from shopping_agent.domain.catalog import LiveFacts, PriceTag
from shopping_agent.domain.feed import InventoryRow
from shopping_agent.ports import Overtaken

SOURCE = "catalog/a.csv"
SALE = PriceTag(9000, "MAD", 7000, None, 1_900_000_000)


@pytest.fixture
def live(connection: RedisConnection) -> RedisLiveCatalog:
    return RedisLiveCatalog(connection=connection)


@pytest.fixture
def inventory(connection: RedisConnection) -> RedisInventory:
    return RedisInventory(connection=connection)


def facts(key: str = "a", revision: int = 10, stock: int | None = 5, **other) -> LiveFacts:
    return LiveFacts(
        id=key, name="Ward", price=PriceTag(8000, "MAD"), stock=stock, revision=revision, **other
    )


def row(key: str = "a", price: PriceTag | None = None, **stock) -> InventoryRow:
    return InventoryRow(1, key, price, counted="stock" in stock, stock=stock.get("stock"))


def kept(connection, deadline):
    return connection.run(["HLEN", connection.key("inventory")], deadline)


def test_a_row_answers_whether_it_changed_anything(live, inventory, deadline) -> None:
    live.put([facts()], deadline, source=SOURCE)
    rows = [row(stock=1), row("nobody", stock=1), row(stock=1)]
    assert inventory.restock(rows, 20, deadline) == ["changed", "unknown", "unchanged"]
    found = live.get(["a"], deadline)["a"]
    assert (found.stock, found.price, found.name) == (1, PriceTag(8000, "MAD"), "Ward")
    assert found.revision > 10


def test_a_sale_of_an_inventory_file_is_on_sale_and_ends_with_a_plain_price(
    live, inventory, deadline
) -> None:
    live.put([facts()], deadline, source=SOURCE)
    inventory.restock([row(price=SALE)], 20, deadline)
    assert [f.price for f in live.on_sale(1_800_000_000, deadline)] == [SALE]
    inventory.restock([row(price=PriceTag(9000, "MAD"))], 21, deadline)
    assert live.on_sale(1_800_000_000, deadline) == []


def test_stock_may_be_uncounted_and_uncounted_is_not_unsaid(live, inventory, deadline) -> None:
    live.put([facts(stock=0)], deadline, source=SOURCE)
    inventory.restock([row(stock=None)], 20, deadline)
    assert live.get(["a"], deadline)["a"].stock is None


def test_a_put_answers_what_a_newer_inventory_decides(live, inventory, deadline) -> None:
    inventory.restock([row(price=SALE)], 20, deadline)
    assert live.put([facts(), facts("b")], deadline, source=SOURCE) == ["a"]
    assert live.get(["a"], deadline)["a"].price == SALE
    assert live.put([facts(revision=30)], deadline, source=SOURCE) == []
    assert live.get(["a"], deadline)["a"].price.regular == 8000


def test_an_older_put_of_the_same_file_changes_nothing(live, deadline) -> None:
    live.put([facts(revision=30, stock=1)], deadline, source=SOURCE)
    live.put([facts(revision=20, stock=2)], deadline, source=SOURCE)
    assert live.get(["a"], deadline)["a"].stock == 1
    live.put([facts(revision=20, stock=2)], deadline, source="catalog/other.csv")
    assert live.get(["a"], deadline)["a"].stock == 2


def test_an_inventory_older_than_the_catalogs_last_file_loses(live, inventory, deadline) -> None:
    live.put([facts()], deadline, source=SOURCE)
    inventory.advance(SOURCE, 30, deadline)
    inventory.advance(SOURCE, 25, deadline)
    assert inventory.restock([row(price=SALE, stock=1)], 20, deadline) == ["unchanged"]
    assert inventory.restock([row(price=SALE, stock=1)], 31, deadline) == ["changed"]


def test_what_a_newer_catalog_overtakes_is_told_and_then_forgotten(
    live, inventory, connection, deadline
) -> None:
    live.put([facts()], deadline, source=SOURCE)
    inventory.restock([row(price=SALE, stock=1)], 20, deadline)
    assert inventory.overtaken(20, deadline) == {}
    assert inventory.overtaken(21, deadline) == {"a": Overtaken(price=True, stock=True)}
    live.put([facts(revision=30)], deadline, source=SOURCE)
    assert inventory.overtaken(40, deadline) == {}
    assert kept(connection, deadline) == 0


def test_a_catalog_that_counts_no_stock_leaves_the_inventorys(live, inventory, deadline) -> None:
    live.put([facts(stock=None)], deadline, source=SOURCE, uncounted={"a"})
    inventory.restock([row(price=SALE, stock=1)], 20, deadline)
    live.put([facts(revision=30, stock=None)], deadline, source=SOURCE, uncounted={"a"})
    found = live.get(["a"], deadline)["a"]
    assert (found.price.regular, found.stock) == (8000, 1)
    assert inventory.overtaken(40, deadline) == {"a": Overtaken(price=False, stock=True)}


def test_of_unknown_products_no_more_is_kept_than_there_is_room_for(
    live, inventory, connection, deadline, monkeypatch
) -> None:
    monkeypatch.setattr(module, "MAX_KEPT", 2)
    live.put([facts()], deadline, source=SOURCE)
    inventory.restock([row(f"x{n}", stock=1) for n in range(5)], 20, deadline)
    assert kept(connection, deadline) == 2
    assert inventory.restock([row(stock=1)], 20, deadline) == ["changed"]
    assert kept(connection, deadline) == 3


def test_many_rows_go_in_batches(live, inventory, deadline, monkeypatch) -> None:
    monkeypatch.setattr(module, "BATCH", 3)
    monkeypatch.setattr(module, "SCAN_COUNT", 2)
    live.put([facts(f"p{n}") for n in range(10)], deadline, source=SOURCE)
    rows = [row(f"p{n}", stock=n) for n in range(10)]
    assert inventory.restock(rows, 20, deadline).count("changed") == 9
    assert len(inventory.overtaken(30, deadline)) == 10
    assert live.get(["p7"], deadline)["p7"].stock == 7
