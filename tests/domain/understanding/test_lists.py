"""Several orders in one message: names that the store does not know are told, and the last state of each product counts."""

import pytest

KNOWN = ["Dune Claire", "Minuit Argan"]


def _orders(understood):
    return [
        (o.change, o.name or o.unknown or o.ordinal, o.quantity) for o in understood.query.orders
    ]


@pytest.mark.parametrize(
    ("text", "stranger"),
    [
        ("add Zibroto and Dune Claire", "Zibroto"),
        ("add Dune Claire and Blorptex Noir please", "Blorptex Noir"),
        ("add Dune Claire, Blorptex and Minuit Argan to my cart", "Blorptex"),
        ("add Bougie Ambre and Dune Claire", "Bougie Ambre"),
        ("ajoute Dune Claire et Fleur de Zibro", "Fleur de Zibro"),
        ("mets Zibroto et Dune Claire dans le panier", "Zibroto"),
        ("أضف Dune Claire وزيبروطو", "زيبروطو"),
        ("زيد ليا زيبروطو و Dune Claire", "زيبروطو"),
        ("zid lia Zibroto w Dune Claire", "Zibroto"),
    ],
)
def test_a_name_that_is_not_known_beside_one_that_is_stays_an_order_of_its_own(
    reading, text, stranger
):
    orders = _orders(reading(text, names=KNOWN))
    assert ("add", stranger, None) in orders
    assert ("add", "Dune Claire", None) in orders


@pytest.mark.parametrize(
    "text",
    [
        "add Dune Claire and tell me about delivery",
        "add Dune Claire, thank you so much habibi",
        "add Dune Claire for my friend Youssef and Karim",
        "add Dune Claire and something woody",
        "ajoute Dune Claire et dis-moi le total",
        "ajoute Dune Claire, merci beaucoup",
        "zid lia Dune Claire, lah y7efdek",
        "أضف Dune Claire من فضلك",
    ],
)
def test_other_words_beside_a_product_are_no_product(reading, text):
    assert _orders(reading(text, names=KNOWN)) == [("add", "Dune Claire", None)]


@pytest.mark.parametrize(
    "text",
    [
        "add Dune Claire, remove it, add Minuit Argan",
        "ajoute Dune Claire, enlève-le, ajoute Minuit Argan",
        "أضف Dune Claire، احذفه، أضف Minuit Argan",
        "zid Dune Claire, 7eydo, zid Minuit Argan",
        "add Dune Claire, remove Dune Claire, add Minuit Argan",
    ],
)
def test_what_is_added_and_taken_back_in_one_message_is_not_added(reading, text):
    orders = _orders(reading(text, names=KNOWN))
    assert orders == [("remove", "Dune Claire", None), ("add", "Minuit Argan", None)]


def test_a_place_that_is_taken_back_touches_nothing_else(reading, shown):
    text = "add the first, remove it, add the second"
    assert _orders(reading(text, shown=shown)) == [("add", 2, None)]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("add 3 Dune Claire, remove one", [("add", "Dune Claire", 2)]),
        ("add Dune Claire, make it 2", [("set", "Dune Claire", 2)]),
        ("add Minuit Argan and remove Dune Claire", [("add", "Minuit Argan", None), ("remove", "Dune Claire", None)]),
        ("remove Dune Claire and add Minuit Argan", [("remove", "Dune Claire", None), ("add", "Minuit Argan", None)]),
    ],
)  # fmt: skip
def test_the_last_number_counts_and_other_products_are_left_alone(reading, text, orders):
    assert _orders(reading(text, names=KNOWN)) == orders


@pytest.mark.parametrize(
    "text",
    [
        "set Dune Claire to 2",
        "put Dune Claire up to 2",
        "mets Dune Claire à 2",
        "passe Dune Claire à 2",
        "خلي Dune Claire 2",
        "دير Dune Claire ل 2",
        "اجعل Dune Claire 2",
        "khelli Dune Claire 2",
        "dir Dune Claire l 2",
    ],
)
def test_a_number_to_come_to_is_set_and_not_added(reading, text):
    assert _orders(reading(text, names=KNOWN)) == [("set", "Dune Claire", 2)]


@pytest.mark.parametrize(
    "text", ["mets 2 Dune Claire", "put 2 Dune Claire in the cart", "zid 2 Dune Claire"]
)
def test_a_number_of_pieces_is_still_added(reading, text):
    assert _orders(reading(text, names=KNOWN)) == [("add", "Dune Claire", 2)]
