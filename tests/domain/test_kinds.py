"""Sorts of products: what a name, a concentration and a size tell, and which sort a message wishes for."""

import pytest
from shopping_agent import bootstrap
from shopping_agent.domain.catalog import PriceTag, Product
from shopping_agent.domain.kinds import MAIN, is_of_kind, kind_term, kind_terms
from shopping_agent.domain.understanding import understand
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.settings import Settings


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return bootstrap.store_pack(Settings.from_mapping({"SESSION_SECRET": "only:tests"})).vocabulary


def _product(name: str, concentration: str | None = None, size: int | None = None) -> Product:
    price = PriceTag(regular=10000, currency="MAD")
    return Product(id="x", name=name, price=price, concentration=concentration, size_ml=size)


@pytest.mark.parametrize(
    ("name", "concentration", "size", "kind"),
    [
        ("Bougie Figue", None, None, "candle"),
        ("Cedar Candle", None, None, "candle"),
        ("شمعة الورد", None, None, "candle"),
        ("Coffret Sahra", "eau de parfum", None, "set"),
        ("Discovery Set", None, None, "set"),
        ("Brume de Rose", "body mist", 150, "mist"),
        ("Brume d'Automne", "eau de parfum", 50, None),
        ("Sahra", "extrait de parfum", 50, None),
        ("Sahra", None, None, None),
    ],
)
def test_the_catalog_tells_the_sort_of_a_product(vocabulary, name, concentration, size, kind):
    expected = (kind_term(kind),) if kind else ()
    assert kind_terms(_product(name, concentration, size), vocabulary) == expected


def test_what_has_no_stated_sort_may_be_what_the_store_mainly_sells():
    assert is_of_kind((), MAIN)
    assert not is_of_kind((kind_term("candle"),), MAIN)
    assert is_of_kind((kind_term("candle"),), "candle")
    assert not is_of_kind((), "candle")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a scented candle for my sister", "candle"),
        ("une bougie parfumée", "candle"),
        ("أريد شمعة معطرة", "candle"),
        ("bghit chi chem3a", "candle"),
        ("a perfume gift set under 600", "set"),
        ("the best perfume for the evening", MAIN),
        ("a perfume, no candles please", MAIN),
        ("something for the evening", None),
    ],
)
def test_a_message_wishes_for_a_sort_in_its_own_words(vocabulary, text, kind):
    query = understand(text, vocabulary=vocabulary, currency="MAD").query
    assert query.kind == kind
    assert query.wishes() or kind in (None, MAIN)


def test_a_name_in_the_message_says_nothing_of_the_sort(vocabulary):
    query = understand(
        "add Bougie Figue", vocabulary=vocabulary, currency="MAD", names=["Bougie Figue"]
    ).query
    assert query.kind is None
