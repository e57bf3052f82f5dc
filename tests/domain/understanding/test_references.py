"""What `it`, `the cheapest`, `the best one` refer to."""

import pytest
from shopping_agent.domain.query import ShownProduct

FLAGSHIPS = [
    "Something fresh for summer, under 800 MAD, and add the best one to my cart.",
    "Quelque chose de frais pour l'été, à moins de 800 MAD, et ajoute le meilleur à mon panier.",
    "شيء منعش للصيف بأقل من 800 درهم وأضف الأفضل إلى سلتي",
    "شي حاجة منعشة للصيف قل من 800 درهم و زيد أحسن واحد ف السلة",
    "bghit chi haja fresh l sif, 9al mn 800 dh, w zidha f panier",
]


@pytest.mark.parametrize("text", FLAGSHIPS)
def test_the_flagship_sentence_is_a_delegated_add(reading, text):
    understood = reading(text)
    query = understood.query
    assert query.action == "add"
    assert query.delegated
    assert query.families == ("fresh",)
    assert query.season == "summer"
    assert query.max_price == 80000
    assert query.product_name is None
    assert (understood.intent, understood.route) == ("cart", "agent")


@pytest.mark.parametrize("text", ["add it", "ajoute-le", "أضفه", "زيدها", "zidha"])
def test_add_it_with_nothing_shown_has_a_pronoun_and_no_product(reading, text):
    query = reading(text).query
    assert (query.action, query.pronoun, query.product_name) == ("add", True, None)
    assert not query.delegated


@pytest.mark.parametrize(
    "text", ["add it", "mets-le dans mon panier", "ديرها ف السلة", "7etha f panier"]
)
def test_a_pronoun_means_the_only_product_shown(reading, shown, text):
    assert reading(text, shown=shown[:1]).query.product_name == "Dune Claire"
    assert reading(text, shown=shown).query.product_name is None


@pytest.mark.parametrize(
    "text",
    ["the cheapest of these, add it", "ajoute le moins cher", "أضف أرخصها", "زيد ليا الرخيص فيهم", "zid lia rkhis fihom"],
)  # fmt: skip
def test_the_cheapest_is_found_among_the_products_shown(reading, shown, text):
    query = reading(text, shown=shown).query
    assert query.cheapest
    assert query.delegated
    assert query.product_name == "Sel de Mogador"
    assert query.action == "add"


def test_the_cheapest_of_a_new_search_is_no_product_shown(reading, shown):
    query = reading("the cheapest vanilla you have", shown=shown).query
    assert query.cheapest
    assert query.product_name is None


@pytest.mark.parametrize(
    "text",
    ["choose for me", "le meilleur, mets-le au panier", "اختر لي أنت", "a7san wahed", "ahsan wahed zidha", "whichever is best"],
)  # fmt: skip
def test_a_choice_left_to_us_is_delegated(reading, text):
    assert reading(text).query.delegated


def test_an_ordinal_keeps_the_name_open(reading, shown):
    query = reading("add the second one", shown=shown).query
    assert (query.ordinal, query.product_name) == (2, None)
    assert reading("add the second one").query.ordinal == 2


def test_products_without_a_known_price_have_no_cheapest(reading):
    shown = [ShownProduct("a", "Vent du Large"), ShownProduct("b", "Nuit de Cèdre", 50_000)]
    assert reading("add the cheapest", shown=shown).query.product_name is None


@pytest.mark.parametrize(
    "text",
    [
        "grab me the priciest one",
        "prends le plus cher",
        "خذ أغلاها سعرا وضعه في السلة",
        "li ghali fihom zido lia",
    ],
)
def test_the_dearest_of_those_shown_is_a_product_and_no_choice_left_to_us(reading, shown, text):
    query = reading(text, shown=shown).query
    assert (query.action, query.product_name) == ("add", "Minuit Argan")
    assert not query.delegated
    assert [o.name for o in query.orders] == ["Minuit Argan"]
