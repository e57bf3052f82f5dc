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


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("add Dune Claire twice", 2),
        ("add Dune Claire two times please", 2),
        ("put Dune Claire in my cart three times", 3),
        ("Dune Claire twice please", 2),
        ("ajoute Dune Claire deux fois", 2),
        ("mets Dune Claire trois fois dans le panier", 3),
        ("ajoute trois fois Dune Claire", 3),
        ("ajoute Dune Claire en double", 2),
        ("أضف Dune Claire مرتين", 2),
        ("أضف Dune Claire ثلاث مرات", 3),
        ("أضف Dune Claire 3 مرات من فضلك", 3),
        ("زيد ليا Dune Claire جوج مرات", 2),
        ("زيد Dune Claire تلاتة د المرات عافاك", 3),
        ("zid Dune Claire joj merrat", 2),
        ("zid lia Dune Claire 3 merrat 3afak", 3),
    ],
)
def test_so_many_times_is_so_many_pieces(reading, text, count):
    query = reading(text, names=["Dune Claire"]).query
    found = [(o.change, o.name, o.quantity) for o in query.orders]
    assert found == [("add", "Dune Claire", count)]


@pytest.mark.parametrize(
    "text",
    [
        "I asked you twice",
        "I asked you twice to add Dune Claire",
        "add Dune Claire, I told you twice",
        "add Dune Claire I use it twice",
        "apply it twice a day",
        "add Dune Claire and put it on twice a day",
        "add the one that lasts twice as long",
        "deux fois par jour",
        "je vous l'ai dit deux fois",
        "ajoute Dune Claire je vous l'ai dit deux fois",
        "ajoute celui qui tient deux fois plus longtemps",
        "j'ai commandé Dune Claire deux fois",
        "طلبت منكم مرتين",
        "أستعمل Dune Claire مرتين في اليوم",
        "قلت ليك جوج مرات زيد Dune Claire",
        "gultha lik jouj merrat",
        "katdir jouj merrat f nhar",
    ],
)
def test_how_often_something_was_said_or_is_done_is_no_quantity(reading, shown, text):
    query = reading(text, names=["Dune Claire"], shown=shown).query
    assert query.quantity is None
    assert all(order.quantity is None for order in query.orders)


def test_each_product_of_a_message_has_its_own_number_of_times(reading):
    query = reading(
        "add Dune Claire twice and Minuit Argan three times", names=["Dune Claire", "Minuit Argan"]
    ).query
    assert [(o.name, o.quantity) for o in query.orders] == [("Dune Claire", 2), ("Minuit Argan", 3)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("add Dune Claire, double it", 2),
        ("add 2 Dune Claire and double it", 4),
        ("ajoute Dune Claire, double-le", 2),
        ("أضف Dune Claire وضاعفها", 2),
        ("زيد Dune Claire دوبلها", 2),
        ("zid Dune Claire w doubliha", 2),
    ],
)
def test_an_addition_that_is_doubled_at_once_is_one_of_twice_as_many(reading, text, count):
    query = reading(text, names=["Dune Claire"]).query
    found = [(o.change, o.name, o.quantity) for o in query.orders]
    assert found == [("add", "Dune Claire", count)]


def test_an_addition_that_is_tripled_at_once_is_not_taken_back(reading):
    query = reading("add Dune Claire, and triple it", names=["Dune Claire"]).query
    assert query.orders[0].change == "add"
    assert not any(order.change == "remove" for order in query.orders)


@pytest.mark.parametrize(
    "text", ["prends deux fois le deuxième", "j'en veux deux fois le deuxième", "خذ الثاني مرتين"]
)
def test_so_many_times_one_of_those_shown_is_so_many_pieces_of_it(reading, shown, text):
    orders = reading(text, shown=shown).query.orders
    assert [(o.change, o.ordinal, o.quantity) for o in orders] == [("add", 2, 2)]


@pytest.mark.parametrize(
    "text",
    [
        "for the second time, add Dune Claire",
        "for the third time, add Dune Claire",
        "pour la deuxième fois, ajoute Dune Claire",
        "للمرة الثانية أضف Dune Claire",
        "zid Dune Claire, hadi tani merra",
        "ajoute Dune Claire, je le mets deux fois par jour",
        "add Dune Claire, I put it on twice a day",
    ],
)
def test_the_times_of_a_request_or_a_habit_order_nothing_beside_it(reading, shown, text):
    orders = reading(text, shown=shown, names=["Dune Claire"]).query.orders
    assert [(o.change, o.name, o.ordinal, o.quantity) for o in orders] == [
        ("add", "Dune Claire", None, None)
    ]
