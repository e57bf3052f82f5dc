"""Which kind an uploaded file is taken for."""

from pathlib import Path

import pytest
from shopping_agent.adapters.catalog.columns import Columns, default_columns, default_headers

from functions.local.children import ROOT
from functions.local.kinds import key_of, kind_of

PRODUCTS = "id,name,price\np1,Oud,10\n"


def kind(tmp_path: Path, name: str, text: str, columns: Columns | None = None) -> str:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return kind_of(file, columns or default_columns())[0]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("delivery.ar.md", "guides/delivery.ar.md"),
        ("inventory-friday.csv", "inventory/inventory-friday.csv"),
        ("Stock.csv", "inventory/Stock.csv"),
        ("products.xml", "catalog/products.xml"),
    ],
)
def test_a_file_goes_where_its_name_says(tmp_path: Path, name: str, key: str) -> None:
    assert key_of(tmp_path / name, kind(tmp_path, name, PRODUCTS)) == key


def test_the_sample_inventory_is_taken_for_one() -> None:
    found, why = kind_of(ROOT / "events/sample-inventory.csv", default_columns())
    assert (found, "header" in why) == ("inventory", True)


@pytest.mark.parametrize(
    "header", ["id;prix;stock", "SKU,Quantity", "\ufeffid\tprice\tcurrency", "المعرف,السعر"]
)
def test_ids_with_prices_or_stocks_alone_are_an_inventory(tmp_path: Path, header: str) -> None:
    assert kind(tmp_path, "monday.csv", f"{header}\n") == "inventory"


@pytest.mark.parametrize(
    "text",
    [
        PRODUCTS,
        "id,Produktbezeichnung,price\n",
        "id\np1\n",
        "price,stock\n",
        '{"id": "p1", "price": 3}',
        "<rss/>",
        "",
        "PK\x03\x04",
        "id,handle,title,body,price,stock\n",
    ],
)
def test_whatever_may_name_products_is_a_catalog(tmp_path: Path, text: str) -> None:
    assert kind(tmp_path, "monday.csv", text) == "catalog"


def test_a_shops_own_headers_are_known(tmp_path: Path) -> None:
    text = "id,Menge am Lager\n"
    own = {"table": {"stock": ["Menge am Lager"]}}
    assert kind(tmp_path, "monday.csv", text) == "catalog"
    columns = Columns.from_document(own, default_headers())
    assert kind(tmp_path, "monday.csv", text, columns) == "inventory"
