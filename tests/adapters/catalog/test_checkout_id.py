"""What the shop's checkout calls a product comes from the file to the cart as it was written."""

import io

import pytest
from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.adapters.redis.live_facts import decode_facts, encode_facts
from shopping_agent.domain.catalog import PriceTag, Product
from shopping_agent.domain.documents import product_document, product_from_document
from shopping_agent.domain.feed import ProductRow


def read(text: str) -> Product:
    [row] = CatalogFileReader(currency="MAD").read(io.BytesIO(text.encode()))
    assert isinstance(row, ProductRow)
    return row.product


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"id": "a", "name": "A", "price": 1, "checkoutId": "44123456789012345"}', None),
        ('{"id": "a", "name": "A", "price": 1, "checkoutId": 44123456789012345}', None),
        ('{"id": "a", "name": "A", "price": 1, "variant_id": "44123456789012345"}', None),
        ("id,name,price,Checkout ID\na,A,1, 44123456789012345 \n", None),
        ("id;name;price;variant id\na;A;1;44123456789012345\n", None),
        ('{"id": "a", "name": "A", "price": 1, "checkoutId": null}', ""),
        ('{"id": "a", "name": "A", "price": 1, "checkoutId": true}', ""),
        ("id,name,price\na,A,1\n", ""),
    ],
)
def test_it_is_read_from_its_own_column(text: str, expected: str | None) -> None:
    assert read(text).checkout_id == ("44123456789012345" if expected is None else expected)


@pytest.mark.parametrize("checkout_id", ["", "44123456789012345", "sku/é 7"])
def test_it_survives_the_index_and_the_live_facts(checkout_id: str) -> None:
    product = Product("a", "A", PriceTag(100, "MAD"), checkout_id=checkout_id)
    assert product_from_document(product_document(product)) == product
    key, body = encode_facts(product.live_facts(3))
    assert decode_facts(f"3\n{key}\n{body}") == product.live_facts(3)
    assert product.view(0).get("checkoutId", "") == checkout_id


def test_a_product_without_one_is_stored_as_before() -> None:
    assert "checkoutId" not in product_document(Product("a", "A", PriceTag(100, "MAD")))
