"""How far the cart is from free delivery: the amount is read from the text that says it, in whatever language."""

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.llm.offline.basket import Basket
from shopping_agent.adapters.llm.offline.situation import Situation
from shopping_agent.adapters.llm.offline.wording import Wording
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.store import StorePack
from shopping_agent.settings import Settings


@pytest.fixture(scope="module")
def pack() -> StorePack:
    return bootstrap.store_pack(Settings.from_mapping({"SESSION_SECRET": "only:tests"}))


def _told(pack, total: float, text: str) -> list[str]:
    cart = {"items": [{"productId": "x", "name": "X", "quantity": 1}], "total": total}
    query = ShopperQuery(text="", language="en")
    situation = Situation(query=query, currency="MAD", tools={}, cart=cart)
    return Basket(situation, Wording(pack, query)).until_free_delivery([text])


@pytest.mark.parametrize(
    "text",
    [
        "Delivery is free from 600 MAD of goods. Same-day delivery stays at 60 MAD.",
        "La livraison est gratuite à partir de 600 dirhams d'achats.",
        "التوصيل مجاني ابتداءً من 600 درهم من المشتريات.",
    ],
)
def test_what_is_missing_is_the_amount_of_the_text_less_the_total(pack, text):
    (line,) = _told(pack, 590, text)
    assert "590 MAD" in line
    assert "10 MAD" in line


def test_a_cart_that_comes_to_the_amount_has_free_delivery(pack):
    (line,) = _told(pack, 600, "Delivery is free from 600 MAD of goods.")
    assert "600 MAD" in line
    assert "enough" in line


def test_a_text_without_an_amount_of_the_cart_s_currency_tells_nothing(pack):
    assert _told(pack, 590, "Delivery is free from 60 EUR, within 3 days.") == []


def test_thousands_are_read(pack):
    (line,) = _told(pack, 990, "Free delivery from 1,200 MAD.")
    assert "210 MAD" in line
