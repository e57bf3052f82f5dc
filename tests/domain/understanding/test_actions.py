"""What shall happen to the cart, and what is only talk."""

import pytest

ACTIONS = [
    ("add", "throw it in my basket"),
    ("add", "no problem, add it"),
    ("add", "please add this"),
    ("add", "can you put that in my cart?"),
    ("add", "if so, add it"),
    ("add", "ajoute-le à mon panier"),
    ("add", "tu peux le mettre dans le panier ?"),
    ("add", "mettez-la dans le panier svp"),
    ("add", "pas de souci, ajoutez-le"),
    ("add", "أضفه إلى السلة"),
    ("add", "لا مشكلة، أضفه"),
    ("add", "زيدها ف السلة"),
    ("add", "ماشي مشكل زيدها"),
    ("add", "zidha f panier"),
    ("add", "machi mochkil, zidha"),
    ("add", "7etha lia f panier"),
    ("remove", "get rid of it"),
    ("remove", "take it out of my cart"),
    ("remove", "enlève-le du panier"),
    ("remove", "احذفها من السلة"),
    ("remove", "حيدها"),
    ("remove", "7eyedha mn panier"),
    ("clear", "clear my cart"),
    ("clear", "remove everything"),
    ("clear", "videz le panier"),
    ("clear", "أفرغ سلتي"),
    ("clear", "khwi lia panier"),
    ("view", "what's in my cart?"),
    ("view", "show me my basket"),
    ("view", "montre-moi mon panier"),
    ("view", "ماذا في السلة"),
    ("view", "شنو كاين ف السلة"),
    ("view", "werini lpanier"),
    ("checkout", "I'm ready to pay"),
    ("checkout", "let's check out"),
    ("checkout", "je veux passer commande"),
    ("checkout", "أريد إتمام الطلب"),
    ("checkout", "بغيت نخلص"),
    ("checkout", "bghit nkhelles daba"),
]


@pytest.mark.parametrize(("action", "text"), ACTIONS)
def test_a_cart_verb_acts(reading, shown, action, text):
    understood = reading(text, shown=shown[:1])
    assert understood.query.action == action
    assert understood.intent == "cart"
    assert understood.route == "agent"


@pytest.mark.parametrize(
    "text",
    [
        "don't add it yet",
        "do not put it in my cart",
        "what if I bought two, what would it cost",
        "I bought it last month",
        "how do I add something to the cart",
        "n'ajoute rien pour l'instant",
        "ne le mets pas dans le panier",
        "si j'en prenais deux, ça ferait combien ?",
        "comment ajouter au panier ?",
        "لا تضفه الآن",
        "لو اشتريت اثنين كم السعر",
        "ما تزيدهاش",
        "كون شريت جوج شحال يجيو",
        "matzidhach daba",
        "koun chrit jouj ch7al yjiw",
        "kifach nzid f panier",
    ],
)
def test_negated_hypothetical_past_and_asked_verbs_do_nothing(reading, shown, text):
    assert reading(text, shown=shown[:1]).query.action == "none"


def test_cart_talk_that_does_not_act_is_marked(reading, shown):
    assert reading("don't add it yet").hypothetical
    assert reading("what if I add two?", shown=shown).hypothetical
    assert not reading("add it").hypothetical


@pytest.mark.parametrize(
    "text",
    [
        "I want to buy a perfume for my husband",
        "je veux acheter un parfum pour ma sœur",
        "بغيت نشري شي برفان لراجلي",
        "bghit nchri chi parfum l mrati",
        "take me somewhere warm: something spicy",
    ],
)
def test_a_wish_to_buy_some_perfume_is_a_search(reading, text):
    assert reading(text).query.action == "none"


def test_an_order_already_placed_is_not_the_cart(reading):
    for text in (
        "cancel my order MA-10022",
        "annulez ma commande 10022",
        "nannuler la commande 10022",
    ):
        understood = reading(text)
        assert understood.query.action == "none", text
        assert understood.route == "agent"


@pytest.mark.parametrize("text", ["yes", "oui", "نعم", "واخا", "wakha", "sure, go ahead", "👍"])
def test_a_short_yes_affirms(reading, text):
    understood = reading(text, pending=True)
    assert understood.query.affirms
    assert not understood.query.denies
    assert (understood.intent, understood.route) == ("cart", "agent")


@pytest.mark.parametrize("text", ["no", "non merci", "لا", "لا شكرا", "no thanks", "la chokran"])
def test_a_short_no_denies(reading, text):
    understood = reading(text, pending=True)
    assert understood.query.denies
    assert not understood.query.affirms


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("vire tout du panier on repart à zéro", "clear"),
        ("remove everything except the first", "remove"),
        ("لا بدلها ب 30 مل", "update"),
        ("لا تزيد والو", "none"),
        ("it's lovely, I'm having it", "add"),
        ("I don't want the cheap stuff", "none"),
        ("tu peux sortir le premier du panier", "remove"),
        ("le premier me plaît, mets-en deux", "add"),
        ("عمري ٢٧ سنة", "none"),
        ("could you maybe add it?", "add"),
    ],
)
def test_what_stands_before_a_verb_may_change_its_meaning(reading, shown, text, action):
    assert reading(text, shown=shown[:1], spoken="ary").query.action == action
