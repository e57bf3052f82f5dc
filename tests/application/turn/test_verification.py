"""Replies against the facts of their turn: every planted lie is replaced, no truthful reply is altered."""

import pytest
from shopping_agent.adapters.llm.scripted import proposes, says

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
FLAGSHIP_IN_ARABIC = "أريد شيئاً منعشاً للصيف بأقل من 800 درهم وأضف الأفضل إلى سلتي"
ADD_BEST = proposes(("add_to_cart", {"productId": "cap-vert"}))

TRUE_AFTER_ADDING = [
    "I added Cap Vert to your cart: 640 MAD. Total: 640 MAD.",
    "Done! Cap Vert (640 MAD) is within your 800 MAD budget.",
    "I've added it. Brise d'Asilah would have been 480 MAD.",
    "Brise d'Asilah costs 480 MAD and Cap Vert 640 MAD, so I added Cap Vert.",
    "Cap Vert is 160 MAD more than Brise d'Asilah.",
    "For 640 MAD, Cap Vert is yours; 480 MAD would buy Brise d'Asilah.",
    "Two of Cap Vert would be 1280 MAD (2 x 640 MAD).",
    "Cap Vert and Brise d'Asilah cost 640 MAD and 480 MAD.",
    "Two Cap Vert would be 1280 MAD in total.",
    "I did not add Brise d'Asilah.",
    "Shall I add Brise d'Asilah as well?",
    "If you like, Brise d'Asilah can be added to your cart too.",
    "J'ai ajouté Cap Vert à votre panier : 640,00 MAD, total 640 DH.",
    "Cap Vert a bien été ajouté à votre panier. Je n'ai pas ajouté Brise d'Asilah.",
    "لقد أضفت Cap Vert إلى سلتك بسعر ٦٤٠ درهم.",
    "زدت Cap Vert فالسلة، 640 درهم.",
    "zedt Cap Vert f panier dyalek, 640 dh. Total 640 dh.",
    "Cap Vert : 12800 ryal, zedtha f panier.",
    "It lasts long: https://shop.example/p/cap-vert",
]
LIES_AFTER_ADDING = [
    "I added Cap Vert to your cart: 540 MAD.",
    "I added Cap Vert, 640 EUR.",
    "I added Cap Vert. The total is 1,640 MAD.",
    "I added Cap Vert for 480 MAD.",
    "Cap Vert costs 480 MAD and Brise d'Asilah 640 MAD.",
    "I added Brise d'Asilah to your cart.",
    "I removed Cap Vert from your cart.",
    "J'ai ajouté Brise d'Asilah à votre panier.",
    "J'ai ajouté Cap Vert : 599 MAD.",
    "لقد أضفت Brise d'Asilah إلى سلتك.",
    "أضفت Cap Vert بسعر ٥٤٠ درهم.",
    "zedt Cap Vert f panier, 540 dh.",
    "€ 640 for Cap Vert.",
    "Three Cap Vert would be 1280 MAD.",
]
LIES_WITHOUT_A_CHANGE = [
    "I added Cap Vert to your cart.",
    "Cap Vert has been added to your cart!",
    "Added to your cart: Cap Vert.",
    "J'ai mis Cap Vert dans votre panier.",
    "Cap Vert est ajouté au panier.",
    "تمت إضافة Cap Vert إلى سلتك.",
    "زدت ليك Cap Vert فالسلة.",
    "safi, zedt Cap Vert l panier.",
]
TRUE_WITHOUT_A_CHANGE = [
    "Cap Vert costs 640 MAD.",
    "Nothing was added to your cart.",
    "I couldn't add it: Cap Vert was not what you meant.",
    "Rien n'a été ajouté au panier.",
    "لم أضف أي شيء إلى سلتك.",
    "ما زدت والو فالسلة.",
    "ma zedtch Cap Vert f panier.",
    "Would you like it added to your cart?",
]


def in_language_of(reply: str, english: str, arabic: str) -> str:
    """The message in the language that the reply answers."""
    return english if all(letter < "\u0621" for letter in reply) else arabic


@pytest.mark.parametrize("reply", TRUE_AFTER_ADDING)
def test_a_true_reply_about_a_change_is_left_as_it_is(shop, reply):
    message = in_language_of(reply, FLAGSHIP, FLAGSHIP_IN_ARABIC)
    assert shop.say(message, [ADD_BEST, says(reply)]).answer == reply


@pytest.mark.parametrize("reply", LIES_AFTER_ADDING)
def test_a_lie_about_a_change_is_replaced_by_what_was_done(shop, reply):
    answer = shop.say(FLAGSHIP, [ADD_BEST, says(reply)]).answer
    assert answer == (
        "Added to your cart: 1 × Cap Vert, 640 MAD each.\nCart total: 640 MAD, before delivery."
    )


@pytest.mark.parametrize("reply", LIES_WITHOUT_A_CHANGE)
def test_a_change_that_was_not_made_is_not_claimed(shop, reply):
    answer = shop.say("something fresh under 800 MAD", [says(reply)]).answer
    assert answer.startswith("Here is what I found:\n")
    assert "Cap Vert: 640 MAD" in answer


@pytest.mark.parametrize("reply", TRUE_WITHOUT_A_CHANGE)
def test_a_true_reply_without_a_change_is_left_as_it_is(shop, reply):
    message = in_language_of(
        reply, "something fresh under 800 MAD", "أريد شيئاً منعشاً بأقل من 800 درهم"
    )
    assert shop.say(message, [says(reply)]).answer == reply


@pytest.mark.parametrize(
    "reply",
    [
        "هذا ما وجدته لك: Cap Vert بسعر 640 درهماً، وهو منعش ومناسب للصيف.",
        "Voici ce que je vous propose pour cet été : Cap Vert est à 640 MAD et il est très frais pour vous.",
    ],
)
def test_a_reply_in_a_language_that_the_shopper_does_not_write_is_not_shown(shop, reply):
    answer = shop.say("I would like something fresh under 800 MAD", [says(reply)]).answer
    assert answer.startswith("Here is what I found:\n")


@pytest.mark.parametrize(
    "lie",
    [
        "Your payment went through.",
        "I've reserved one for you.",
        "I have just emailed you the receipt.",
        "Added!",
        "Your order is on its way.",
        "It is the favourite of all our customers.",
        "It's a limited edition.",
        "Pay at darnismal[.]com please.",
        "Pay at dar-nismal dot com please.",
        "Send me your card number and the CVV.",
        "Could you tell me your password?",
        "Just transfer it to MA64 0115 1900 0001 2050 0053 4921.",
        "We are open 24/7 and always answer.",
        "You get a free candle with it.",
    ],
)
def test_what_no_tool_did_and_no_text_says_is_not_told(shop, lie):
    reply = f"Cap Vert costs 640 MAD and Brise d'Asilah 480 MAD, both fresh. {lie}"
    assert lie not in shop.say("something fresh under 800 MAD", [says(reply)]).answer


def test_a_refused_write_is_not_claimed_and_the_reply_says_why(shop):
    add = proposes(("add_to_cart", {"productId": "last-one", "quantity": 4}))
    answer = shop.say("add 4 Dernier Souffle", [add, says("I added 4 Dernier Souffle!")]).answer
    assert answer == "There are not enough of Dernier Souffle: at most 1 can be ordered."


def test_what_is_already_in_the_cart_may_be_said_to_be_there(shop):
    shop.put_in_cart("dahab")
    reply = "I had already added Dahab to your cart: 560 MAD."
    assert shop.say("what's in my cart?", [says(reply)]).answer == reply


def test_the_present_total_counts_not_the_one_before(shop):
    shop.put_in_cart("dahab")
    stale = says("I added Cap Vert. Your total is 560 MAD.")
    answer = shop.say(FLAGSHIP, [ADD_BEST, stale]).answer
    assert "Cart total: 1200 MAD" in answer
    moved = "I added Cap Vert: your total went from 1200 MAD to 1840 MAD."
    assert shop.say("add Cap Vert to my cart", [ADD_BEST, says(moved)]).answer == moved


def test_figures_of_the_guides_quoted_may_be_repeated_and_others_not(shop):
    true = "Delivery costs 35 MAD and is free from 600 MAD."
    question = "how much is the delivery fee?"
    assert shop.say(question, lambda request: says(true)).answer.startswith(true)
    assert "25 MAD" not in shop.say(question, lambda request: says("It is 25 MAD.")).answer


def test_what_is_missing_to_a_threshold_of_the_guides_may_be_told(shop):
    shop.put_in_cart("brise")
    reply = "Delivery is free from 600 MAD: 120 MAD more and it is free for you."
    turn = shop.say("is delivery free for my cart?", lambda request: says(reply))
    assert turn.answer.startswith(reply)


def test_unknown_links_are_taken_out_and_known_ones_stay(shop):
    reply = "See https://evil.example/x or [the page](https://shop.example/p/cap-vert) of Cap Vert."
    answer = shop.say("something fresh under 800 MAD", [says(reply)]).answer
    assert answer == "See  or [the page](https://shop.example/p/cap-vert) of Cap Vert."
    markdown = "Look [here](https://evil.example/x)."
    assert shop.say("something fresh", [says(markdown)]).answer == "Look here."


def test_the_price_of_one_size_is_not_told_of_another(shop):
    look = "something floral under 700 MAD"
    true = "Jardin Secret - 50 ml costs 390 MAD."
    assert shop.say(look, [says(true)]).answer == true
    wrong = "Jardin Secret - 50 ml costs 250 MAD."
    assert shop.say(look, [says(wrong)]).answer != wrong
