"""Quantity, size and position told apart."""

import pytest


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("put 4 bottles of Dune Claire in my cart", 4),
        ("add a pair of Dune Claire", 2),
        ("Dune Claire x3 please", 3),
        ("I'll take half a dozen Dune Claire", 6),
        ("mets deux flacons de Dune Claire", 2),
        ("ajoute une douzaine de Dune Claire", 12),
        ("j'en veux trois, du Dune Claire", 3),
        ("أضف خمس قطع من Dune Claire", 5),
        ("أريد زجاجتين من Dune Claire", 2),
        ("زيد ليا تلاتة د Dune Claire", 3),
        ("zid lia jouj d Dune Claire", 2),
        ("bghit mno rb3a, Dune Claire", 4),
        ("dir lia 3 Dune Claire f panier", 3),
    ],
)
def test_a_count_beside_a_product_is_the_quantity(reading, text, count):
    query = reading(text, names=["Dune Claire"]).query
    assert query.quantity == count
    assert query.action == "add"
    assert query.product_name == "Dune Claire"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("make it two", 2),
        ("change it to 5 please", 5),
        ("passe à trois", 3),
        ("mets-en quatre plutôt", 4),
        ("اجعلها ثلاثة", 3),
        ("ردها جوج", 2),
        ("dirha tlata", 3),
        ("redha 6", 6),
    ],
)
def test_make_it_n_updates_the_quantity(reading, shown, text, count):
    query = reading(text, shown=shown[:1]).query
    assert (query.action, query.quantity) == ("update", count)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("add the second one", 2),
        ("I'd like the last one", -1),
        ("take number 3", 3),
        ("mets le premier au panier", 1),
        ("je prends l'avant-dernier", -2),
        ("ajoute le 2", 2),
        ("أضف الثالث", 3),
        ("خذ الأخير", -1),
        ("زيد ليا الأول", 1),
        ("ناخد اللخر", -1),
        ("zid lia talet", 3),
        ("bghit lwel", 1),
    ],
)
def test_an_ordinal_is_a_position_among_the_products_shown(reading, shown, text, place):
    query = reading(text, shown=shown).query
    assert query.ordinal == place
    assert query.action == "add"
    assert query.quantity in {None, 1}


@pytest.mark.parametrize(
    "text", ["for our first date", "pour la première fois", "أول مرة نشري", "my last order is late"]
)
def test_a_first_time_is_no_position(reading, text):
    assert reading(text).query.ordinal is None


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("Dune Claire 50ml", 50),
        ("le 100 ml", 100),
        ("حجم ٣٠ مل", 30),
        ("d 75 ml", 75),
    ],
)
def test_a_size_is_neither_quantity_nor_price(reading, text, size):
    query = reading(text, names=["Dune Claire"]).query
    assert query.size_ml == size
    assert query.quantity is None
    assert query.max_price is None


def test_people_are_not_counted(reading, shown):
    assert reading("a box for two people, add it").query.quantity is None
    assert reading("ajoutez le moins cher des trois", shown=shown).query.quantity is None


@pytest.mark.parametrize(
    "digits", ["9" * 32, "٩" * 40, "1" * 1900, "9" * 13 + " ml", "9" * 20 + "k"]
)
def test_a_number_longer_than_any_amount_is_none(reading, digits):
    query = reading(f"add {digits} of it, under {digits} dh").query
    assert (query.quantity, query.max_price, query.size_ml) == (None, None, None)


@pytest.mark.parametrize(
    "text",
    [
        "what would four of the first cost me?",
        "si je prenais quatre du premier ?",
        "كم سأدفع لو أخذت أربعة من الأول؟",
        "ila khdit reb3a mn lowel ch7al ghadi nkhelles",
    ],
)
def test_so_many_of_one_that_was_shown_are_counted_though_not_ordered(reading, shown, text):
    query = reading(text, shown=shown).query
    assert (query.quantity, query.ordinal, query.action) == (4, 1, "none")


@pytest.mark.parametrize("text", ["put 3 Dune Claire instead of 1", "dir Dune Claire b 3 blast 1"])
def test_another_number_in_the_place_of_one_is_an_update(reading, text):
    query = reading(text, names=["Dune Claire"]).query
    assert (query.action, query.quantity) == ("update", 3)


def test_the_day_of_a_date_is_no_quantity(reading):
    assert reading("ordered a 100ml on 12/04 under order 55871").query.quantity is None
