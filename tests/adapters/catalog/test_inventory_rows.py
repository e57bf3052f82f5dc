"""Inventory files as they come: headers in three languages, encodings, decimal commas, exports of whole catalogs."""

import io
import json

import pytest
from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.domain.catalog import PriceTag
from shopping_agent.domain.feed import InventoryRow, RejectedRow
from shopping_agent.errors import CatalogFileError

READER = CatalogFileReader(currency="MAD")


def read(content: str | bytes) -> list[InventoryRow | RejectedRow]:
    body = content.encode() if isinstance(content, str) else content
    return list(READER.read_inventory(io.BytesIO(body)))


def mad(minor: int, **other: int) -> PriceTag:
    return PriceTag(minor, "MAD", **other)


@pytest.mark.parametrize(
    "content",
    [
        "id,price,stock\na,1299.5,4\n",
        "id;price;stock\na;1 299,50;4\n",
        "ID\tPrice\tQuantity\na\t1,299.50\t4 in stock\n",
        "Référence;Prix TTC;Quantité en stock\na;1.299,50 DH;4\n".encode("cp1252"),
        "\ufeffréférence;prix;qté\na;1299,5;4\n",
        "المرجع,السعر,المخزون\na,١٢٩٩٫٥٠,٤\n",
        "id,price,stock\na,1299.5,4\n".encode("utf-16"),
        '{"id":"a","price":1299.5,"stock":4}',
        '[{"id":"a","price":"1299,50","stock":"4"}]',
        '{"products":[{"id":"a","price":1299.5,"stock":4}]}',
        "id,name,price,stock,description\na,A,1299.5,4,Long text.\n",
    ],
    ids=lambda content: repr(content)[:24],
)
def test_the_same_row_in_any_writing(content):
    line = 1 if content[:1] in ("{", "[") else 2
    assert read(content) == [InventoryRow(line, "a", mad(129950), counted=True, stock=4)]


def test_a_row_states_what_it_fills_in():
    assert read("id,price,stock\na,,4\nb,5,\n") == [
        InventoryRow(2, "a", None, counted=True, stock=4),
        InventoryRow(3, "b", mad(500)),
    ]


def test_a_file_may_have_prices_or_stocks_alone():
    assert read("sku,qty\na,4\n") == [InventoryRow(2, "a", None, counted=True, stock=4)]
    assert read("sku;tarif\na;4,50\n") == [InventoryRow(2, "a", mad(450))]


def test_a_sale_price_and_its_window_are_read():
    (row,) = read("id,price,sale price,sale until\na,90,70,2030-01-01\n")
    assert isinstance(row, InventoryRow)
    assert row.price
    assert (row.price.regular, row.price.sale, row.price.sale_from) == (9000, 7000, None)
    assert row.price.sale_until


@pytest.mark.parametrize(
    ("stock", "pieces"),
    [
        ("épuisé", 0),
        ("out of stock", 0),
        ("نفد", 0),
        ("en stock", None),
        ("متوفر", None),
        ("-3", 0),
    ],
)
def test_words_for_stock_are_understood(stock, pieces):
    assert read(f"id,stock\na,{stock}\n") == [
        InventoryRow(2, "a", None, counted=True, stock=pieces)
    ]


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("id,stock\n,4\n", 2, "missing_id"),
        ("id,price,stock\na,,\n", 2, "nothing_stated"),
        ("id,stock\na,call us\n", 2, "nothing_stated"),
        ("id,price,stock\na,0,4\n", 2, "invalid_price"),
        ("id,price,stock\na,free,4\n", 2, "invalid_price"),
        ("id,stock\na,4,5,6\n", 2, "malformed_row"),
        ('{"id":"a","stock":4}\n{broken\n', 2, "malformed_row"),
        ('{"id":"' + "x" * 300 + '","stock":4}', 1, "malformed_row"),
        ("id,stock\na,4\na,5\n", 2, "duplicate_id"),
    ],
)
def test_a_row_that_states_nothing_usable_is_rejected_with_a_reason_and_a_hint(
    content, line, reason
):
    (rejected,) = [row for row in read(content) if isinstance(row, RejectedRow)]
    assert (rejected.line, rejected.reason_code) == (line, reason)
    assert rejected.hint


def test_a_stock_that_cannot_be_read_leaves_the_price_of_its_row():
    assert read("id,price,stock\na,5,call us\n") == [InventoryRow(2, "a", mad(500))]


def test_a_shopify_export_states_its_variants():
    export = (
        "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,"
        "Variant Inventory Policy,Variant Price\n"
        "oud,Oud,Size,30 ml,s1,shopify,4,deny,90.00\n"
        "oud,,Size,50 ml,s2,shopify,0,deny,120.00\n"
    )
    assert [(r.product_id, r.stock) for r in read(export) if isinstance(r, InventoryRow)] == [
        ("oud--30-ml", 4),
        ("oud--50-ml", 0),
    ]


def test_a_catalog_row_says_whether_it_counts_the_stock():
    def counted(row):
        (found,) = READER.read(
            io.BytesIO(json.dumps({"id": "a", "name": "A", "price": 1} | row).encode())
        )
        return getattr(found, "counted", None)

    assert counted({"stock": 0})
    assert counted({"availability": "in stock"})
    assert not counted({})
    assert not counted({"stock": None})


@pytest.mark.parametrize("content", ["colour,shape\nred,round\n", "PK\x03\x04zip", ""])
def test_a_file_without_ids_is_refused(content):
    with pytest.raises(CatalogFileError):
        read(content)
