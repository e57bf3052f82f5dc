"""Orders: which changes a message asks for, in which order, about which product, how many."""

import pytest
from shopping_agent.domain.query import Order

NAMES = ("Dune Claire", "Minuit Argan - 50 ml", "Minuit Argan - 100 ml", "Minuit Argan")


@pytest.fixture
def orders(reading, shown):
    def of(text, **context):
        given = {"shown": shown, "names": NAMES, "previous_intent": "cart", **context}
        return reading(text, **given).query.orders

    return of


@pytest.mark.parametrize(
    "text",
    [
        "take Dune Claire out",
        "take Dune Claire back out of my bag",
        "put Dune Claire back",
        "get rid of Dune Claire",
        "leave Dune Claire out",
        "forget Dune Claire",
        "oublie Dune Claire",
        "laisse tomber Dune Claire",
        "انس Dune Claire",
        "بلاش من Dune Claire",
        "حيد Dune Claire",
        "7iyed lia Dune Claire",
        "blach mn Dune Claire",
    ],
)
def test_verbs_that_take_out_remove(orders, text):
    assert orders(text) == (Order("remove", "Dune Claire"),)


@pytest.mark.parametrize(
    "text",
    [
        "put it back in my cart",
        "is it out of stock?",
        "take 20% off",
        "take me to my cart",
        "can you take off the tax?",
        "don't remove it",
        "what if I take the second one out?",
        "something without rose, leave out the vanilla",
    ],
)
def test_nothing_is_removed_where_nothing_shall_leave(orders, text):
    assert all(order.change == "add" for order in orders(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add the first and the third", [("add", 1), ("add", 3)]),
        ("ajoute le premier et le troisième", [("add", 1), ("add", 3)]),
        ("أضف الأول والثالث", [("add", 1), ("add", 3)]),
        ("zid lowel w talet", [("add", 1), ("add", 3)]),
        ("actually remove the second and add the first", [("remove", 2), ("add", 1)]),
        ("حيد الأول وزيد التاني", [("remove", 1), ("add", 2)]),
        ("empty the cart and add the first", [("clear", None), ("add", 1)]),
        ("add the first two", [("add", 1), ("add", 2)]),
        ("les deux derniers, ajoute-les", [("add", -2), ("add", -1)]),
        ("remove everything except the first", [("keep", 1)]),
        ("I'd like to remove the first", [("remove", 1)]),
        ("add the second, no, the third", [("add", 3)]),
    ],
)
def test_several_changes_come_in_their_order(orders, text, expected):
    assert [(order.change, order.ordinal) for order in orders(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add 2 Dune Claire and one Minuit Argan 50 ml", (2, 1)),
        ("mets deux Dune Claire et trois Minuit Argan 50 ml", (2, 3)),
        ("زيد ليا جوج Dune Claire وتلاتة Minuit Argan 50 ml", (2, 3)),
        ("zid jouj dune claire w minuit argan 50", (2, None)),
        ("remove the first one and the second one", (None, None)),
    ],
)
def test_every_product_has_its_own_number(orders, text, expected):
    assert tuple(order.quantity for order in orders(text)) == expected


@pytest.mark.parametrize(
    ("text", "change", "quantity"),
    [
        ("remove one", "less", 1),
        ("enlève-en un", "less", 1),
        ("احذف واحدة", "less", 1),
        ("حيد وحدة", "less", 1),
        ("7yed wa7da", "less", 1),
        ("n9es wa7da", "less", 1),
        ("two fewer please", "less", 2),
        ("reduce it to 1", "set", 1),
        ("one is enough", "set", 1),
        ("un seul suffit", "set", 1),
        ("واحدة تكفي", "set", 1),
        ("one more", "more", 1),
        ("make it 4", "set", 4),
        ("make the first one 3", "set", 3),
        ("finalement j'en veux juste deux", "set", 2),
    ],
)
def test_a_number_is_a_new_quantity_or_a_difference(orders, text, change, quantity):
    [order] = orders(text, added=True)
    assert (order.change, order.quantity) == (change, quantity)


@pytest.mark.parametrize(
    "text",
    [
        "no, the 100 ml",
        "finalement non, mets plutôt le 100 ml",
        "لا، غيّرت رأيي، أريد حجم 100 مل بدلا منه",
        "لا لا، دير ليا ديال 100 ml بلاصتو",
        "la la, dir lia dyal 100 ml f blasto",
    ],
)
def test_second_thoughts_replace_what_was_just_added(orders, text):
    [order] = orders(text, added=True)
    assert (order.change, order.size_ml) == ("swap", 100)
    assert all(o.change != "swap" for o in orders(text, added=False))


@pytest.mark.parametrize("text", ["no, the other one", "non, l'autre", "لا، الآخر", "la, lakhor"])
def test_the_other_one_replaces_what_was_just_added(orders, text):
    assert orders(text, added=True) == (Order("swap", other=True),)
    assert orders(text, added=False) == ()


def test_an_addition_after_a_no_takes_nothing_away(orders):
    assert orders("no, add the first", added=True) == (Order("add", ordinal=1),)
    assert orders("no problem, add the first", added=True) == (Order("add", ordinal=1),)


@pytest.mark.parametrize("text", ["non", "no thanks", "no", "merci", "w l7em?"])
def test_a_plain_no_changes_nothing(orders, text):
    assert orders(text, added=True) == ()


@pytest.mark.parametrize("text", ["and the first one too", "et le premier aussi", "w 7ta lowel"])
def test_too_goes_on_with_an_addition(orders, text):
    assert orders(text, added=True) == (Order("add", ordinal=1),)
    assert orders(text, added=False) == ()


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("add both", "add"),
        ("ajoute les deux", "add"),
        ("أضفهما", "add"),
        ("zidhom bjouj", "add"),
        ("remove both of them", "remove"),
        ("enlève les deux", "remove"),
        ("احذفهما", "remove"),
    ],
)
def test_both_are_two_and_no_quantity(orders, text, change):
    assert orders(text) == (Order(change, both=True),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("add Chanel Bleu", "Chanel Bleu"),
        ("add p-999999 to my cart", "p-999999"),
        ("zid lia chanel bleu", "chanel bleu"),
        ("ajoute le produit ZZ-404", "ZZ-404"),
        ("remove my subscription", "subscription"),
    ],
)
def test_words_in_a_products_place_are_no_known_product(orders, text, words):
    [order] = orders(text)
    assert (order.unknown, order.name, order.pronoun) == (words, None, False)


def test_a_size_without_its_unit_belongs_to_the_name(orders):
    assert orders("add minuit argan 50") == (Order("add", "Minuit Argan - 50 ml"),)


def test_a_scent_is_no_name_only_because_a_size_was_taken_off(reading):
    query = reading("something with rose", names=["Rose", "Rose - 50 ml"]).query
    assert (query.references, query.notes) == ((), ("rose",))


@pytest.mark.parametrize(
    ("text", "spoken", "language"),
    [
        ("50 ml", "fr", "fr"),
        ("50 ml", "ar", "ar"),
        ("50 ml", None, "en"),
        ("Dune Claire", "ary", "ary"),
        ("2", "ary-latn", "ary-latn"),
        ("ok", "fr", "fr"),
        ("do you deliver to Fes?", "fr", "en"),
    ],
)
def test_a_message_without_a_language_stays_in_that_of_the_conversation(
    reading, text, spoken, language
):
    understood = reading(text, spoken=spoken, names=["Dune Claire"])
    assert understood.query.language == language


@pytest.mark.parametrize(
    "text",
    [
        "what is my total?",
        "شحال الطوطال؟",
        "c'est combien en tout ?",
        "كم المجموع؟",
        "ch7al total?",
    ],
)
def test_the_total_is_a_look_at_the_cart(reading, text):
    assert reading(text).query.action == "view"


def test_which_lasts_longest_has_no_position_and_compares(reading, shown):
    query = reading("which of these lasts longest?", shown=shown).query
    assert (query.ordinal, query.compare) == (None, True)


def test_a_budget_holds_beside_a_name(reading):
    query = reading("my budget is 800 MAD, add Dune Claire", names=["Dune Claire"]).query
    assert query.max_price == 80000
    query = reading("add Dune Claire, it costs 420 MAD", names=["Dune Claire"]).query
    assert query.max_price is None


@pytest.mark.parametrize(
    "text",
    [
        "which perfumes are on sale right now?",
        "c'est quoi vos promos ?",
        "ما هي العطور المخفضة حاليا؟",
        "شنو عندكم فالتخفيض دابا؟",
        "chno kayn f promo daba?",
    ],
)
def test_sales_are_asked_for_and_reach_the_tools(reading, text):
    understood = reading(text)
    assert (understood.query.on_sale, understood.route) == (True, "agent")
    assert not reading("can I return a perfume bought on sale?").query.on_sale


@pytest.mark.parametrize(
    "text",
    [
        "Dune Claire no, Minuit Argan yes, add it",
        "Dune Claire non, ajoute Minuit Argan",
        "Dune Claire لا، زيد Minuit Argan",
        "Dune Claire la, zid Minuit Argan",
    ],
)
def test_a_product_that_is_turned_down_is_not_ordered(reading, text):
    query = reading(text, names=["Dune Claire", "Minuit Argan"]).query
    assert [o.name for o in query.orders] == ["Minuit Argan"]
    assert query.product_name == "Minuit Argan"


@pytest.mark.parametrize(
    "text", ["make it 50 ml", "passe-le en 50 ml", "ردها 50 مل", "اجعلها 50 مل", "redha 50 ml"]
)
def test_another_size_of_what_was_just_added_takes_its_place(reading, text):
    [order] = reading(text, added=True, previous_intent="cart").query.orders
    assert (order.change, order.size_ml) == ("swap", 50)
    assert all(o.change != "swap" for o in reading(text).query.orders)


@pytest.mark.parametrize(
    "text",
    [
        "the cheapest one please, 2 of them",
        "le moins cher s'il vous plaît, deux flacons",
        "الأرخص من فضلك، اثنين منها",
        "الأرخص عافاك، جوج منو",
        "lli rkhes 3afak, jouj mno",
    ],
)
def test_so_many_of_the_cheapest_shown_is_an_order_without_a_verb(reading, shown, text):
    orders = reading(text, shown=shown).query.orders
    assert [(o.change, o.cheapest, o.quantity) for o in orders] == [("add", True, 2)]
    assert reading(text).query.orders == ()


@pytest.mark.parametrize(
    "text",
    [
        "which is the cheapest?",
        "which is the cheapest, 2 of them?",
        "show me the 2 cheapest",
        "the 2 cheapest please",
        "how much is the cheapest one, 2 of them",
        "the cheapest one under 300, 2 of them",
        "the cheapest one please",
        "only the floral ones please",
        "just the woody ones, 2 of them",
        "under 300 MAD please",
        "2 for women please",
        "lequel est le moins cher ?",
        "seulement ceux à moins de 400 s'il vous plaît",
        "ما هو الأرخص؟",
        "شكون أرخص واحد؟",
        "achmn wa7ed rkhes?",
    ],
)
def test_a_question_or_a_refinement_of_what_is_shown_orders_nothing(reading, shown, text):
    query = reading(text, shown=shown, previous_intent="recommendation").query
    assert query.orders == ()
    assert query.action != "add"
