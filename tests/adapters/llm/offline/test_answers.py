"""The planner and questions: what it shows, states, quotes, and when it says that it does not know."""

import pytest

LANGUAGES = ("en", "fr", "ar", "ary", "ary-latn")
DELIVERY = {
    "passages": [
        {
            "source": "delivery",
            "heading": "Agadir",
            "language": "en",
            "text": "In Agadir delivery takes 2 to 3 days. The courier calls first.",
        }
    ]
}

WRITES = {"add_to_cart", "update_cart_item", "remove_from_cart", "clear_cart"}


def _proposed(reply):
    return [(call.name, dict(call.arguments)) for call in reply.tool_calls]


def _wish(shop, language="en", **known):
    return shop.query("fresh summer", language, families=("fresh",), season="summer", **known)


# --- products found ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_up_to_three_products_are_presented_best_first_with_prices_and_reasons(shop, language):
    search = shop.found("dune-30", "zellige", "vent", "dune-50", best="vent")
    reply = shop.say(_wish(shop, language), cart=shop.cart(), search_products=search)
    assert not reply.tool_calls
    assert not reply.asks
    assert [c.product_id for c in reply.choices] == ["vent", "dune-30", "zellige"]
    assert reply.text.index("Vent du Large") < reply.text.index("Dune Bleue - 30 ml")
    assert "Dune Bleue - 50 ml" not in reply.text
    assert "420 MAD" in reply.text
    assert ("310,50 MAD" if language == "fr" else "310.50 MAD") in reply.text
    assert shop.words("value.family.fresh", language) in reply.text
    assert shop.words("found.offer", language) in reply.text


def test_products_out_of_stock_give_way_to_those_in_stock(shop):
    reply = shop.say(
        _wish(shop), cart=shop.cart(), search_products=shop.found("rare", "vent", best="vent")
    )
    assert [c.product_id for c in reply.choices] == ["vent"]
    assert "Ambre Rare" not in reply.text


def test_when_all_is_out_of_stock_it_says_so(shop):
    reply = shop.say(_wish(shop), cart=shop.cart(), search_products=shop.found("rare", best=""))
    assert shop.words("found.all_out") in reply.text
    assert "Ambre Rare" in reply.text
    assert reply.choices == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_when_nothing_is_found_it_says_so(shop, language):
    reply = shop.say(_wish(shop, language), cart=shop.cart(), search_products={"products": []})
    assert reply.text == shop.words("found.none", language)


def test_wishes_that_the_search_dropped_are_named(shop):
    search = shop.found("vent", relaxed=["notes", "season", "something new"])
    reply = shop.say(_wish(shop), cart=shop.cart(), search_products=search)
    assert shop.words("found.nearest") in reply.text
    assert shop.words("found.without", wishes="the notes, the season") in reply.text


def test_a_wish_is_searched_when_nothing_was_searched_before(shop):
    query = _wish(shop, max_price=50000, exclude_notes=("oud",))
    [(name, arguments)] = _proposed(shop.say(query, cart=shop.cart()))
    assert name == "search_products"
    assert arguments["maxPrice"] == 500
    assert arguments["excludeNotes"] == ["oud"]


def test_a_budget_in_another_currency_is_not_taken_for_the_stores(shop):
    query = _wish(shop, max_price=6000, currency="EUR")
    [(_, arguments)] = _proposed(shop.say(query, cart=shop.cart()))
    assert "maxPrice" not in arguments


def test_a_search_that_fails_is_admitted(shop):
    query = _wish(shop)
    [(name, arguments)] = _proposed(shop.say(query, cart=shop.cart()))
    reply = shop.say(query, (name, arguments, shop.refused("tool_unavailable")), cart=shop.cart())
    assert reply.text == shop.words("refused.not_looked_up")


def test_the_cheapest_comes_first_when_that_is_asked(shop):
    found = shop.found("vent", "zellige", "dune-30")
    query = shop.query("the cheapest you have", cheapest=True, delegated=True)
    reply = shop.say(query, cart=shop.cart(), search_products=found)
    assert [c.product_id for c in reply.choices] == ["dune-30", "zellige", "vent"]


def test_the_cheapest_that_meets_a_wish_keeps_the_order_of_the_search(shop):
    found = shop.found("vent", "zellige", "dune-30")
    query = _wish(shop, cheapest=True, delegated=True)
    reply = shop.say(query, cart=shop.cart(), search_products=found)
    assert [c.product_id for c in reply.choices] == ["vent", "zellige", "dune-30"]


def test_something_else_leaves_out_what_was_shown(shop):
    query = shop.query("show me others", families=("fresh",))
    reply = shop.say(
        query,
        cart=shop.cart(),
        shown=shop.shown("vent"),
        search_products=shop.found("vent", "zellige"),
    )
    assert [c.product_id for c in reply.choices] == ["zellige"]


def test_something_cheaper_is_cheaper_than_what_was_shown(shop):
    query = shop.query("something cheaper", families=("fresh",))
    reply = shop.say(
        query,
        cart=shop.cart(),
        shown=shop.shown("vent"),
        search_products=shop.found("nuit", "zellige"),
    )
    assert [c.product_id for c in reply.choices] == ["zellige"]


def test_what_is_on_sale_is_shown_with_its_regular_price(shop):
    query = shop.query("what is on sale?", topics=("discount",))
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("nuit", "vent"))
    assert shop.words("found.on_sale") in reply.text
    assert "520 MAD" in reply.text
    assert "Nuit de Cèdre" not in reply.text
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("nuit"))
    assert shop.words("found.none_on_sale") in reply.text


def test_products_are_no_answer_to_a_question_that_nothing_answers(shop):
    query = shop.query("do you sell phones?")
    reply = shop.say(
        query, cart=shop.cart(), search_products=shop.found("nuit"), search_guides=DELIVERY
    )
    assert reply.text.startswith(shop.words("turn.dont_know"))


# --- the cart ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cart_is_shown_line_by_line_with_its_total(shop, language):
    query = shop.query("cart", language, action="view")
    reply = shop.say(query, cart=shop.cart(vent=2, nuit=1))
    assert "Vent du Large" in reply.text
    assert "840 MAD" in reply.text
    assert "1530 MAD" in reply.text


def test_an_empty_cart_is_said_to_be_empty(shop):
    reply = shop.say(shop.query("my cart?", action="view"), cart=shop.cart())
    assert reply.text == shop.words("turn.cart_empty")


def test_a_change_of_price_is_pointed_out(shop):
    cart = shop.cart(vent=1)
    cart["items"][0]["notice"] = "price_rose"
    reply = shop.say(shop.query("my cart?", action="view"), cart=cart)
    assert shop.words("cart.notice.price_rose") in reply.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_checkout_says_the_total_and_where_to_check_out(shop, language):
    reply = shop.say(shop.query("pay", language, action="checkout"), cart=shop.cart(vent=1))
    assert not reply.tool_calls
    assert "420 MAD" in reply.text
    assert shop.words("cart.checkout", language) in reply.text


def test_checkout_of_an_empty_cart_says_that_it_is_empty(shop):
    reply = shop.say(shop.query("pay", action="checkout"), cart=shop.cart())
    assert shop.words("turn.cart_empty") in reply.text


# --- facts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_price_question_is_answered_from_the_facts(shop, language):
    query = shop.query("Vent du Large ?", language, names=["Vent du Large"], topics=("price",))
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("vent"))
    assert "420 MAD" in reply.text
    assert "520 MAD" in reply.text
    assert not reply.asks


def test_every_size_of_a_name_has_its_price(shop):
    query = shop.query("how much is Dune Bleue", names=["Dune Bleue"], topics=("price",))
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("dune-30", "dune-50"))
    assert "260 MAD" in reply.text
    assert "390 MAD" in reply.text


def test_a_size_that_is_not_sold_is_denied_with_those_that_are(shop):
    query = shop.query("Dune Bleue in 200 ml?", names=["Dune Bleue"], topics=("size",), size_ml=200)
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("dune-30", "dune-50"))
    assert "200" in reply.text
    assert "30 ml" in reply.text
    assert "50 ml" in reply.text
    assert not reply.tool_calls


def test_a_size_is_not_denied_when_the_other_sizes_were_not_observed(shop):
    query = shop.query("is it sold in 50 ml?", pronoun=True, topics=("size",), size_ml=50)
    blocks = {"shown": shop.shown("dune-30"), "search_products": shop.found("dune-30", best="")}
    reply = shop.say(query, tools=[], **blocks)
    assert reply.text.startswith(shop.words("knowledge.product_silent", name="Dune Bleue"))
    [(name, arguments)] = _proposed(shop.say(query, **blocks))
    assert name == "search_products"
    reply = shop.say(query, (name, arguments, shop.found("dune-50")), **blocks)
    assert "390 MAD" in reply.text


def test_stock_is_stated_as_observed(shop):
    query = shop.query("is Ambre Rare in stock?", names=["Ambre Rare"], topics=("stock",))
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("rare", best=""))
    assert reply.text == shop.words("fact.out_of_stock", name="Ambre Rare")
    shop.catalog["rare"] = {**shop.catalog["rare"], "stock": 2, "inStock": True}
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("rare"))
    assert reply.text == shop.words("fact.few_left", name="Ambre Rare", count=2)


def test_the_second_one_is_looked_up_and_described(shop):
    query = shop.query("tell me more about the second one", ordinal=2)
    reply = shop.say(query, cart=shop.cart(), shown=shop.shown("vent", "nuit"))
    assert _proposed(reply) == [("get_product", {"productId": "nuit"})]
    looked = ("get_product", {"productId": "nuit"}, {"product": shop.catalog["nuit"]})
    reply = shop.say(query, looked, cart=shop.cart(), shown=shop.shown("vent", "nuit"))
    assert "690 MAD" in reply.text
    assert "Bergamot" in reply.text


def test_what_neither_facts_nor_texts_say_is_not_known(shop):
    query = shop.query("is Vent du Large vegan?", names=["Vent du Large"], topics=("vegan",))
    passages = [
        {
            "productId": "vent",
            "name": "Vent du Large",
            "kind": "description",
            "text": "A sea breeze.",
        }
    ]
    reply = shop.say(
        query,
        cart=shop.cart(),
        search_products=shop.found("vent"),
        search_guides={"passages": passages},
    )
    assert shop.words("knowledge.product_silent", name="Vent du Large") in reply.text
    assert "+212 5 11" in reply.text
    passages[0]["text"] = "A sea breeze. The formula is vegan."
    reply = shop.say(
        query,
        cart=shop.cart(),
        search_products=shop.found("vent"),
        search_guides={"passages": passages},
    )
    assert reply.text == "Vent du Large: The formula is vegan."


def test_a_question_about_the_cards_is_answered_for_each(shop):
    query = shop.query("how much are they?", topics=("price",))
    found = shop.found("vent", "nuit", best="")
    reply = shop.say(query, tools=[], shown=shop.shown("vent", "nuit"), search_products=found)
    assert "420 MAD" in reply.text
    assert "690 MAD" in reply.text


def test_which_of_the_cards_lasts_longest_is_a_comparison(shop):
    query = shop.query("which one lasts longest?", topics=("longevity",))
    found = shop.found("vent", "nuit", best="")
    reply = shop.say(query, tools=[], shown=shop.shown("vent", "nuit"), search_products=found)
    assert shop.words("compare.longest", name="Nuit de Cèdre") in reply.text


def test_it_without_a_product_is_not_answered_from_another_products_text(shop):
    passages = [{"productId": "vent", "name": "Vent du Large", "text": "The formula is vegan."}]
    query = shop.query("is it vegan?", pronoun=True, topics=("vegan",))
    reply = shop.say(query, tools=[], search_guides={"passages": passages})
    assert reply.text.startswith(shop.words("turn.dont_know"))


def test_it_means_the_sizes_of_the_one_product_shown(shop):
    query = shop.query("how long does it last?", pronoun=True, topics=("longevity",))
    found = shop.found("dune-50", "dune-30", best="")
    reply = shop.say(query, tools=[], shown=shop.shown("dune-50", "dune-30"), search_products=found)
    assert reply.text == shop.words("fact.longevity", name="Dune Bleue", longevity="moderate")


def test_which_of_two_named_products_is_stronger_is_a_comparison(shop):
    text = "is Nuit de Cèdre stronger than Vent du Large?"
    query = shop.query(text, names=["Nuit de Cèdre", "Vent du Large"], topics=("sillage",))
    reply = shop.say(query, tools=[], search_products=shop.found("nuit", "vent", best=""))
    assert shop.words("compare.strongest", name="Nuit de Cèdre") in reply.text


# --- comparisons --------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_products_shown_are_compared_by_their_facts(shop, language):
    query = shop.query("compare", language, compare=True)
    blocks = {"cart": shop.cart(), "shown": shop.shown("dune-30", "nuit")}
    compare = ("compare_products", {"productIds": ["dune-30", "nuit"]})
    assert _proposed(shop.say(query, **blocks)) == [compare]
    reply = shop.say(query, (*compare, shop.found("dune-30", "nuit")), **blocks)
    cheapest = shop.words("compare.cheapest", language, name="Dune Bleue - 30 ml", price="260 MAD")
    assert cheapest in reply.text
    assert shop.words("compare.longest", language, name="Nuit de Cèdre") in reply.text


def test_equal_products_have_no_winner(shop):
    query = shop.query(
        "compare Vent du Large and Dune Bleue", names=["Vent du Large", "Dune Bleue"], compare=True
    )
    reply = shop.say(
        query, cart=shop.cart(), tools=[], search_products=shop.found("vent", "dune-30")
    )
    assert shop.words("compare.longest", name="Vent du Large (100 ml)") not in reply.text
    assert "Dune Bleue - 30 ml" in reply.text


def test_comparing_one_product_asks_for_the_other(shop):
    query = shop.query("compare Vent du Large", names=["Vent du Large"], compare=True)
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("vent"))
    assert reply.text == shop.words("ask.which_to_compare")


def test_a_tie_for_the_first_place_names_all_of_them_first(shop):
    query = shop.query("which one lasts longest?", topics=("longevity",))
    shop.catalog["rare"]["longevity"] = "very long"
    ids = ("vent", "nuit", "rare")
    reply = shop.say(
        query, tools=[], shown=shop.shown(*ids), search_products=shop.found(*ids, best="")
    )
    assert reply.text.startswith(shop.words("compare.longest", name="Nuit de Cèdre and Ambre Rare"))


def test_equal_on_what_is_asked_is_said_with_the_value(shop):
    query = shop.query("which one lasts longest?", topics=("longevity",))
    ids = ("vent", "dune-30")
    reply = shop.say(
        query, tools=[], shown=shop.shown(*ids), search_products=shop.found(*ids, best="")
    )
    names = "Vent du Large (100 ml) and Dune Bleue - 30 ml"
    assert shop.words("compare.equal", names=names, value="moderate") in reply.text


def test_the_cheapest_of_those_shown_is_named_first(shop):
    query = shop.query(
        "which is the cheapest of these", cheapest=True, delegated=True, product_name="Zellige Vert"
    )
    ids = ("vent", "zellige", "nuit")
    reply = shop.say(
        query, tools=[], shown=shop.shown(*ids), search_products=shop.found(*ids, best="")
    )
    assert reply.text.startswith(
        shop.words("compare.cheapest", name="Zellige Vert", price="310.50 MAD")
    )


def test_a_wish_about_a_certain_product_asks_for_its_fact(shop):
    shop.catalog["vent"]["gender"] = "men"
    query = shop.query("is the first one for men?", ordinal=1, gender="men")
    reply = shop.say(
        query, tools=[], shown=shop.shown("vent", "nuit"), search_products=shop.found("vent")
    )
    assert reply.text == shop.words("fact.gender", name="Vent du Large", gender="for men")


# --- texts and people ---------------------------------------------------------------------------------


def test_a_question_is_answered_word_for_word_under_its_heading(shop):
    query = shop.query("how long does delivery to Agadir take?", topics=("delivery",))
    for tools in ([], None):
        reply = shop.say(query, tools=tools, search_guides=DELIVERY)
        assert (
            reply.text == "Agadir: In Agadir delivery takes 2 to 3 days. The courier calls first."
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_that_the_texts_do_not_answer_is_not_guessed(shop, language):
    reply = shop.say(shop.query("vegan?", language, topics=("vegan",)), search_guides=DELIVERY)
    assert reply.text.startswith(shop.words("turn.dont_know", language))
    assert "https://wa.example/1" in reply.text


def test_a_question_is_looked_up_once_when_it_was_not_before(shop):
    query = shop.query("delivery to Agadir?", topics=("delivery",))
    [(name, arguments)] = _proposed(shop.say(query, cart=shop.cart()))
    assert (name, arguments) == ("search_guides", {"query": "delivery to Agadir?"})
    reply = shop.say(query, (name, arguments, DELIVERY), cart=shop.cart())
    assert "2 to 3 days" in reply.text
    reply = shop.say(query, (name, arguments, shop.refused("tool_unavailable")), cart=shop.cart())
    assert shop.words("turn.dont_know") in reply.text


def test_an_action_and_a_question_in_one_message_get_both(shop):
    text = "add Vent du Large, and how long is delivery to Agadir?"
    query = shop.query(text, names=["Vent du Large"], action="add", topics=("delivery",))
    blocks = {"cart": shop.cart(), "search_products": shop.found("vent"), "search_guides": DELIVERY}
    add = ("add_to_cart", {"productId": "vent", "quantity": 1})
    assert _proposed(shop.say(query, **blocks)) == [add]
    reply = shop.say(query, (*add, shop.wrote("Vent du Large", 1, shop.cart(vent=1))), **blocks)
    assert "420 MAD" in reply.text
    assert "2 to 3 days" in reply.text


def test_a_fact_asked_with_an_action_is_told_after_it(shop):
    query = shop.query(
        "does Vent du Large last? add it",
        names=["Vent du Large"],
        action="add",
        topics=("longevity",),
    )
    add = (
        "add_to_cart",
        {"productId": "vent", "quantity": 1},
        shop.wrote("Vent du Large", 1, shop.cart(vent=1)),
    )
    reply = shop.say(query, add, cart=shop.cart(), search_products=shop.found("vent"))
    assert "420 MAD" in reply.text
    assert shop.words("fact.longevity", name="Vent du Large", longevity="moderate") in reply.text


def test_a_product_is_described_by_its_facts_and_its_own_words(shop):
    query = shop.query("tell me about Vent du Large", names=["Vent du Large"], topics=("details",))
    passages = [
        {"productId": "vent", "name": "Vent du Large", "text": "A sea breeze. Dry. Long gone."}
    ]
    reply = shop.say(
        query, tools=[], search_products=shop.found("vent"), search_guides={"passages": passages}
    )
    assert "420 MAD" in reply.text
    assert reply.text.endswith("A sea breeze. Dry.")


def test_a_negated_buy_changes_nothing_and_answers_the_question(shop):
    query = shop.query(
        "don't add it yet, how long is delivery to Agadir?",
        pronoun=True,
        denies=True,
        topics=("delivery",),
    )
    reply = shop.say(query, cart=shop.cart(), focus=shop.catalog["vent"], search_guides=DELIVERY)
    assert not reply.tool_calls
    assert "2 to 3 days" in reply.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_complaint_is_handed_to_a_person(shop, language):
    query = shop.query("my parcel arrived broken", language)
    reply = shop.say(query, cart=shop.cart())
    assert [name for name, _ in _proposed(reply)] == ["contact_store"]
    contact = (
        "contact_store",
        dict(reply.tool_calls[0].arguments),
        {"contact": {"phone": "+212 5 11"}},
    )
    reply = shop.say(query, contact, cart=shop.cart())
    assert shop.words("contact.person", language) in reply.text
    assert "+212 5 11" in reply.text


def test_thanks_are_answered_briefly(shop):
    assert shop.say(shop.query("thank you"), cart=shop.cart()).text == shop.words("help.thanks")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_understood_gets_an_offer_of_help(shop, language):
    reply = shop.say(shop.query("zzz", language), cart=shop.cart())
    assert reply.text == shop.words("help.general", language)
    assert not reply.asks


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "known",
    [
        {},
        {"topics": ("price",)},
        {"compare": True},
        {"pronoun": True},
        {"ordinal": 3},
        {"denies": True},
        {"families": ("oud",)},
        {"delegated": True},
        {"size_ml": 50},
    ],
)
@pytest.mark.parametrize("tools", [None, []])
def test_a_message_without_an_action_is_always_answered_and_never_writes(
    shop, language, known, tools
):
    reply = shop.say(
        shop.query("…", language, **known),
        tools=tools,
        cart=shop.cart(vent=1),
        shown=shop.shown("vent", "nuit"),
    )
    assert not {call.name for call in reply.tool_calls} & WRITES


def test_a_reminder_after_the_results_does_not_hide_the_facts(shop):
    reply = shop.say(
        _wish(shop), cart=shop.cart(), search_products=shop.found("vent"), reminder="Answer now."
    )
    assert "Vent du Large" in reply.text
