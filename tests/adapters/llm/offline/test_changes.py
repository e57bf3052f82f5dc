"""The planner and the cart: what it proposes, what it asks, and what it never does."""

import pytest
from shopping_agent.domain.query import Order

LANGUAGES = ("en", "fr", "ar", "ary", "ary-latn")
FLAGSHIP = {
    "en": "something fresh for summer, under 800 MAD, and add the best one to my cart",
    "fr": "un truc frais pour l'été à moins de 800 et mets le meilleur au panier",
    "ar": "شيء منعش للصيف تحت ٨٠٠ درهم وأضف أفضله إلى سلتي",
    "ary": "شي حاجة باردة د الصيف تحت 800 درهم و زيد المزيانة فيهم ف السلة",
    "ary-latn": "bghit chi haja fresh l sif, 9al mn 800 dh, w zidha f panier",
}


def _proposed(reply):
    return [(call.name, dict(call.arguments)) for call in reply.tool_calls]


def _flagship(shop, language):
    return shop.query(
        FLAGSHIP[language],
        language,
        action="add",
        families=("fresh",),
        season="summer",
        max_price=80000,
        delegated=True,
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_delegated_add_takes_the_top_of_the_ranking_in_one_call(shop, language):
    search = shop.found("vent", "dune-30", "zellige")
    reply = shop.say(_flagship(shop, language), cart=shop.cart(), search_products=search)
    assert _proposed(reply) == [("add_to_cart", {"productId": "vent", "quantity": 1})]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_delegated_add_is_confirmed_with_name_size_price_reason_and_total(shop, language):
    search = shop.found("vent", "dune-30")
    done = (
        "add_to_cart",
        {"productId": "vent", "quantity": 1},
        shop.wrote("Vent du Large", 1, shop.cart(vent=1, nuit=1)),
    )
    reply = shop.say(
        _flagship(shop, language), done, cart=shop.cart(nuit=1), search_products=search
    )
    assert not reply.tool_calls
    assert not reply.asks
    for fact in (
        "Vent du Large",
        "100",
        "420 MAD",
        "1110 MAD",
        shop.words("value.family.fresh", language),
    ):
        assert fact in reply.text


def test_a_delegated_add_searches_when_nothing_was_searched_before(shop):
    reply = shop.say(_flagship(shop, "en"), cart=shop.cart())
    [(name, arguments)] = _proposed(reply)
    assert name == "search_products"
    assert arguments["maxPrice"] == 800
    assert arguments["notes"] == ["fresh"]


def test_a_delegated_add_adds_nothing_when_nothing_valid_was_found(shop):
    reply = shop.say(
        _flagship(shop, "en"), cart=shop.cart(), search_products=shop.found("rare", best="")
    )
    assert not reply.tool_calls
    assert shop.words("refused.none_fits") in reply.text
    assert "Ambre Rare" in reply.text


@pytest.mark.parametrize("code", ["not_the_best", "constraint_violated"])
def test_a_choice_sent_back_is_made_again_with_the_product_named(shop, code):
    search = shop.found("vent", "zellige")
    sent_back = (
        "add_to_cart",
        {"productId": "vent", "quantity": 1},
        shop.refused(code, best="zellige"),
    )
    query = _flagship(shop, "en")
    reply = shop.say(query, sent_back, cart=shop.cart(), search_products=search)
    assert _proposed(reply) == [("add_to_cart", {"productId": "zellige", "quantity": 1})]
    done = (
        "add_to_cart",
        {"productId": "zellige", "quantity": 1},
        shop.wrote("Zellige Vert", 1, shop.cart(zellige=1)),
    )
    reply = shop.say(query, sent_back, done, cart=shop.cart(), search_products=search)
    assert "Zellige Vert" in reply.text
    assert "310.50 MAD" in reply.text


def test_the_cheapest_of_the_products_shown_is_meant_without_a_search(shop):
    query = shop.query("the cheapest of these, add it", action="add", cheapest=True, delegated=True)
    reply = shop.say(query, cart=shop.cart(), shown=shop.shown("vent", "dune-30", "nuit"))
    assert _proposed(reply) == [("add_to_cart", {"productId": "dune-30", "quantity": 1})]


@pytest.mark.parametrize(
    ("text", "language"),
    [("add the second one", "en"), ("zid lia tani", "ary-latn"), ("زيد ليا التاني", "ary")],
)
def test_an_ordinal_means_a_product_shown(shop, text, language):
    query = shop.query(text, language, action="add", ordinal=2)
    reply = shop.say(query, cart=shop.cart(), shown=shop.shown("vent", "zellige", "nuit"))
    assert _proposed(reply) == [("add_to_cart", {"productId": "zellige", "quantity": 1})]


def test_the_last_one_in_a_stated_quantity(shop):
    query = shop.query("take the last, three of them", action="add", ordinal=-1, quantity=3)
    reply = shop.say(query, cart=shop.cart(), shown=shop.shown("vent", "zellige"))
    assert _proposed(reply) == [("add_to_cart", {"productId": "zellige", "quantity": 3})]


def test_an_ordinal_beyond_the_list_asks(shop):
    query = shop.query("add the fifth", action="add", ordinal=5)
    reply = shop.say(query, cart=shop.cart(), shown=shop.shown("vent", "zellige"))
    assert reply.asks
    assert {c.product_id for c in reply.choices} == {"vent", "zellige"}


def test_it_means_the_product_last_talked_about(shop):
    query = shop.query("add it", action="add", pronoun=True)
    reply = shop.say(
        query, cart=shop.cart(), focus=shop.card("nuit"), shown=shop.shown("vent", "nuit")
    )
    assert _proposed(reply) == [("add_to_cart", {"productId": "nuit", "quantity": 1})]


def test_it_means_the_only_product_shown(shop):
    query = shop.query("put it in my cart", action="add", pronoun=True)
    reply = shop.say(query, cart=shop.cart(), shown=shop.shown("vent"))
    assert _proposed(reply) == [("add_to_cart", {"productId": "vent", "quantity": 1})]


def test_this_means_the_page_that_the_shopper_is_on(shop):
    query = shop.query("add this", action="add", pronoun=True)
    reply = shop.say(query, cart=shop.cart(), page=shop.catalog["zellige"], focus=shop.card("nuit"))
    assert _proposed(reply) == [("add_to_cart", {"productId": "zellige", "quantity": 1})]


def test_it_between_a_page_and_another_product_asks(shop):
    query = shop.query("add it", action="add", pronoun=True)
    reply = shop.say(query, cart=shop.cart(), page=shop.catalog["zellige"], focus=shop.card("nuit"))
    assert not reply.tool_calls
    assert {c.product_id for c in reply.choices} == {"zellige", "nuit"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_with_nothing_shown_asks_and_writes_nothing(shop, language):
    reply = shop.say(shop.query("…", language, action="add", pronoun=True), cart=shop.cart())
    assert not reply.tool_calls
    assert reply.asks
    assert reply.text == shop.words("ask.nothing_meant", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_with_several_sizes_asks_with_chips(shop, language):
    query = shop.query("Dune Bleue", language, names=["Dune Bleue"], action="add")
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("dune-30", "dune-50"))
    assert not reply.tool_calls
    assert reply.asks
    assert [c.product_id for c in reply.choices] == ["dune-30", "dune-50"]
    assert reply.text == shop.words("turn.refusal.which_variant", language, name="Dune Bleue")


def test_a_stated_size_settles_the_variant(shop):
    query = shop.query("add Dune Bleue in 50 ml", names=["Dune Bleue"], action="add", size_ml=50)
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("dune-30", "dune-50"))
    assert _proposed(reply) == [("add_to_cart", {"productId": "dune-50", "quantity": 1})]


def test_a_size_that_does_not_exist_asks_which(shop):
    query = shop.query("add Dune Bleue in 75 ml", names=["Dune Bleue"], action="add", size_ml=75)
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("dune-30", "dune-50"))
    assert reply.asks
    assert "75" in reply.text


def test_it_in_another_size_is_looked_up_and_added_in_that_size(shop):
    query = shop.query("I take it in 50 ml", action="add", pronoun=True, size_ml=50)
    blocks = {
        "cart": shop.cart(),
        "shown": shop.shown("dune-30"),
        "search_products": shop.found("dune-30", best=""),
    }
    [(name, arguments)] = _proposed(shop.say(query, **blocks))
    assert name == "search_products"
    assert "Dune Bleue" in arguments["query"]
    reply = shop.say(query, (name, arguments, shop.found("dune-50")), **blocks)
    assert _proposed(reply) == [("add_to_cart", {"productId": "dune-50", "quantity": 1})]
    reply = shop.say(query, (name, arguments, shop.found("vent")), **blocks)
    assert reply.asks
    assert reply.text == shop.words("turn.refusal.which_variant", name="Dune Bleue")


def test_the_variant_that_was_shown_is_the_one_meant(shop):
    query = shop.query("add Dune Bleue", names=["Dune Bleue"], action="add")
    reply = shop.say(
        query,
        cart=shop.cart(),
        shown=shop.shown("dune-50", "vent"),
        search_products=shop.found("dune-30", "dune-50"),
    )
    assert _proposed(reply) == [("add_to_cart", {"productId": "dune-50", "quantity": 1})]


def test_an_exact_name_wins_over_its_neighbours(shop):
    shop.catalog["intense"] = {
        **shop.catalog["nuit"],
        "id": "intense",
        "name": "Nuit de Cèdre Intense",
    }
    query = shop.query("add 2 Nuit de Cèdre", names=["Nuit de Cèdre"], action="add", quantity=2)
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("intense", "nuit"))
    assert _proposed(reply) == [("add_to_cart", {"productId": "nuit", "quantity": 2})]


def test_a_name_that_no_data_knows_is_searched_once_and_then_refused(shop):
    query = shop.query("add Lune Rouge", names=["Lune Rouge"], action="add")
    reply = shop.say(query, cart=shop.cart())
    assert _proposed(reply) == [("search_products", {"query": "Lune Rouge"})]
    searched = ("search_products", {"query": "Lune Rouge"}, shop.found("vent"))
    reply = shop.say(query, searched, cart=shop.cart())
    assert not reply.tool_calls
    assert shop.words("refused.unknown_name", name="Lune Rouge") in reply.text
    assert "Vent du Large" in reply.text


def test_two_names_are_two_adds_with_their_own_quantities(shop):
    text = "2 Vent du Large and 1 Zellige Vert please"
    orders = (Order("add", "Vent du Large", quantity=2), Order("add", "Zellige Vert", quantity=1))
    names = ["Vent du Large", "Zellige Vert"]
    query = shop.query(text, names=names, action="add", quantity=2, orders=orders)
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("vent", "zellige"))
    assert _proposed(reply) == [
        ("add_to_cart", {"productId": "vent", "quantity": 2}),
        ("add_to_cart", {"productId": "zellige", "quantity": 1}),
    ]


def test_a_description_that_several_products_fit_asks_which(shop):
    query = shop.query("add a fresh one", action="add", families=("fresh",))
    reply = shop.say(query, cart=shop.cart(), search_products=shop.found("vent", "dune-30"))
    assert reply.asks
    assert "420 MAD" in reply.text
    assert [c.product_id for c in reply.choices] == ["vent", "dune-30"]


def test_a_description_that_one_shown_product_fits_means_it(shop):
    query = shop.query("add the woody one", action="add", families=("woody",))
    reply = shop.say(
        query,
        cart=shop.cart(),
        shown=shop.shown("vent", "nuit"),
        search_products=shop.found("nuit", "rare"),
    )
    assert _proposed(reply) == [("add_to_cart", {"productId": "nuit", "quantity": 1})]


@pytest.mark.parametrize("language", LANGUAGES)
def test_make_it_two_sets_the_quantity_of_the_only_line(shop, language):
    query = shop.query("2", language, action="update", quantity=2, pronoun=True)
    reply = shop.say(query, cart=shop.cart(vent=1))
    assert _proposed(reply) == [("update_cart_item", {"productId": "vent", "quantity": 2})]
    done = (
        "update_cart_item",
        {"productId": "vent", "quantity": 2},
        shop.wrote("Vent du Large", 2, shop.cart(vent=2)),
    )
    reply = shop.say(query, done, cart=shop.cart(vent=1))
    assert "Vent du Large" in reply.text
    assert "840 MAD" in reply.text


def test_remove_it_takes_out_the_product_last_talked_about(shop):
    query = shop.query("remove it", action="remove", pronoun=True)
    reply = shop.say(query, cart=shop.cart(vent=1, nuit=1), focus=shop.card("nuit"))
    assert _proposed(reply) == [("remove_from_cart", {"productId": "nuit"})]


def test_remove_it_among_several_lines_asks_which(shop):
    query = shop.query("remove it", action="remove", pronoun=True)
    reply = shop.say(query, cart=shop.cart(vent=1, nuit=1))
    assert reply.asks
    assert {c.product_id for c in reply.choices} == {"vent", "nuit"}


def test_removing_a_name_means_the_variant_in_the_cart(shop):
    query = shop.query("remove Dune Bleue", names=["Dune Bleue"], action="remove")
    reply = shop.say(
        query, cart=shop.cart(dune_50=1, vent=1), search_products=shop.found("dune-30", "dune-50")
    )
    assert _proposed(reply) == [("remove_from_cart", {"productId": "dune-50"})]


def test_removing_what_is_not_there_says_what_is(shop):
    query = shop.query("remove Nuit de Cèdre", names=["Nuit de Cèdre"], action="remove")
    reply = shop.say(query, cart=shop.cart(vent=1), search_products=shop.found("nuit"))
    assert not reply.tool_calls
    assert shop.words("refused.not_in_cart", name="Nuit de Cèdre") in reply.text
    assert "Vent du Large" in reply.text


def test_an_update_without_a_quantity_asks_how_many(shop):
    query = shop.query("change Vent du Large", names=["Vent du Large"], action="update")
    reply = shop.say(query, cart=shop.cart(vent=1))
    assert reply.asks
    assert reply.text == shop.words("ask.quantity", name="Vent du Large")
    choices = [{"productId": c.product_id, "label": c.label} for c in reply.choices]
    pending = {"tool": "update_cart_item", "arguments": {}, "choices": choices}
    reply = shop.say(shop.query("three", quantity=3), cart=shop.cart(vent=1), pending=pending)
    assert _proposed(reply) == [("update_cart_item", {"productId": "vent", "quantity": 3})]


def test_clearing_empties_the_cart_and_says_so(shop):
    query = shop.query("empty my basket", action="clear")
    assert _proposed(shop.say(query, cart=shop.cart(vent=1))) == [("clear_cart", {})]
    reply = shop.say(
        query,
        ("clear_cart", {}, {"ok": True, "cart": shop.cart(), "cartTotal": 0}),
        cart=shop.cart(vent=1),
    )
    assert reply.text == shop.words("cart.cleared")


def test_several_changes_are_made_in_the_order_of_the_message(shop):
    orders = (Order("remove", ordinal=1), Order("add", ordinal=2, quantity=2), Order("add", "Nuit"))
    text = "remove the first, then two of the second and Nuit"
    query = shop.query(text, names=["Nuit"], action="remove", orders=orders)
    blocks = {"cart": shop.cart(vent=1), "shown": shop.shown("vent", "zellige")}
    assert _proposed(shop.say(query, **blocks)) == [
        ("remove_from_cart", {"productId": "vent"}),
        ("add_to_cart", {"productId": "zellige", "quantity": 2}),
        ("search_products", {"query": "Nuit"}),
    ]


@pytest.mark.parametrize(
    ("change", "quantity", "expected"),
    [
        ("less", 1, ("update_cart_item", {"productId": "vent", "quantity": 2})),
        ("less", 3, ("remove_from_cart", {"productId": "vent"})),
        ("less", 5, ("remove_from_cart", {"productId": "vent"})),
        ("more", 2, ("update_cart_item", {"productId": "vent", "quantity": 5})),
        ("set", 4, ("update_cart_item", {"productId": "vent", "quantity": 4})),
        ("remove", None, ("remove_from_cart", {"productId": "vent"})),
    ],
)
def test_a_number_may_be_a_new_quantity_or_a_difference(shop, change, quantity, expected):
    orders = (Order(change, quantity=quantity, pronoun=True),)
    query = shop.query("change it", action="update", pronoun=True, orders=orders)
    reply = shop.say(query, cart=shop.cart(vent=3, zellige=1), focus=shop.card("vent"))
    assert _proposed(reply) == [expected]


def test_both_are_two_or_it_is_asked(shop):
    query = shop.query("add both", action="add", pronoun=True, orders=(Order("add", both=True),))
    reply = shop.say(query, cart=shop.cart(), shown=shop.shown("vent", "zellige"))
    assert [arguments["productId"] for _, arguments in _proposed(reply)] == ["vent", "zellige"]
    focus = shop.card("vent")
    reply = shop.say(
        query, cart=shop.cart(), shown=shop.shown("vent", "zellige", "nuit"), focus=focus
    )
    assert (reply.tool_calls, reply.asks) == ((), True)
    query = shop.query("remove both", action="remove", orders=(Order("remove", both=True),))
    reply = shop.say(query, cart=shop.cart(vent=1, nuit=2), focus=focus)
    assert [arguments["productId"] for _, arguments in _proposed(reply)] == ["vent", "nuit"]
    reply = shop.say(query, cart=shop.cart(vent=1, nuit=2, zellige=1), focus=focus)
    assert (reply.tool_calls, reply.asks) == ((), True)


def test_keeping_one_removes_the_others(shop):
    query = shop.query("keep only it", action="remove", orders=(Order("keep", "Vent du Large"),))
    reply = shop.say(query, cart=shop.cart(vent=1, zellige=1, nuit=2))
    assert _proposed(reply) == [
        ("remove_from_cart", {"productId": "zellige"}),
        ("remove_from_cart", {"productId": "nuit"}),
    ]
    reply = shop.say(query, cart=shop.cart(zellige=1, nuit=2))
    assert not reply.tool_calls


def test_another_size_takes_the_place_of_what_was_just_added(shop):
    orders = (Order("swap", size_ml=30),)
    query = shop.query("no, the 30 ml", action="update", size_ml=30, denies=True, orders=orders)
    blocks = {
        "cart": shop.cart(**{"dune-50": 2, "vent": 1}),
        "added": [shop.card("dune-50")],
        "search_products": shop.found("dune-30", "dune-50"),
    }
    step = ("add_to_cart", {"productId": "dune-30", "quantity": 2})
    assert _proposed(shop.say(query, **blocks)) == [step]
    done = (*step, shop.wrote("Dune Bleue - 30 ml", 2, shop.cart(**{"dune-50": 2, "dune-30": 2})))
    assert _proposed(shop.say(query, done, **blocks)) == [
        ("remove_from_cart", {"productId": "dune-50"})
    ]


def test_words_that_name_no_product_write_nothing(shop):
    orders = (Order("add", unknown="Chanel Bleu"),)
    query = shop.query("add Chanel Bleu", action="add", orders=orders)
    reply = shop.say(
        query, cart=shop.cart(), focus=shop.card("vent"), search_products=shop.found("zellige")
    )
    assert not reply.tool_calls
    assert shop.words("refused.unknown_name", name="Chanel Bleu") in reply.text
    assert "Zellige Vert" in reply.text


def test_a_swap_puts_the_new_one_in_before_the_old_one_leaves(shop):
    text = "Nuit de Cèdre instead of Vent du Large"
    query = shop.query(text, names=["Nuit de Cèdre", "Vent du Large"], action="update")
    blocks = {"cart": shop.cart(vent=1), "search_products": shop.found("nuit")}
    added = (
        "add_to_cart",
        {"productId": "nuit", "quantity": 1},
        shop.wrote("Nuit de Cèdre", 1, shop.cart(vent=1, nuit=1)),
    )
    removed = (
        "remove_from_cart",
        {"productId": "vent"},
        shop.wrote("Vent du Large", 0, shop.cart(nuit=1)),
    )
    assert _proposed(shop.say(query, **blocks)) == [
        ("add_to_cart", {"productId": "nuit", "quantity": 1})
    ]
    assert _proposed(shop.say(query, added, **blocks)) == [
        ("remove_from_cart", {"productId": "vent"})
    ]
    reply = shop.say(query, added, removed, **blocks)
    assert "Nuit de Cèdre" in reply.text
    assert "Vent du Large" in reply.text
    assert "690 MAD" in reply.text


def test_a_swap_keeps_the_old_one_when_the_new_one_is_refused(shop):
    query = shop.query(
        "Vent du Large -> Nuit de Cèdre", names=["Vent du Large", "Nuit de Cèdre"], action="update"
    )
    refused = ("add_to_cart", {"productId": "nuit", "quantity": 1}, shop.refused("out_of_stock"))
    reply = shop.say(query, refused, cart=shop.cart(vent=1), search_products=shop.found("nuit"))
    assert not reply.tool_calls
    assert shop.words("turn.removed", name="Vent du Large") not in reply.text


def test_a_swap_of_two_products_that_are_both_in_the_cart_asks(shop):
    query = shop.query(
        "replace Vent du Large by Nuit de Cèdre",
        names=["Vent du Large", "Nuit de Cèdre"],
        action="update",
    )
    reply = shop.say(query, cart=shop.cart(vent=1, nuit=1))
    assert not reply.tool_calls
    assert reply.text == shop.words("ask.swap")


def test_a_swap_of_a_product_that_is_not_in_the_cart_says_so(shop):
    query = shop.query(
        "replace Vent du Large by Nuit de Cèdre",
        names=["Vent du Large", "Nuit de Cèdre"],
        action="update",
    )
    reply = shop.say(query, cart=shop.cart(zellige=1))
    assert not reply.tool_calls
    assert shop.words("refused.not_in_cart", name="Vent du Large") in reply.text


# --- our open question ------------------------------------------------------------------------------

PENDING = {
    "tool": "add_to_cart",
    "arguments": {"quantity": 2},
    "choices": [
        {"productId": "dune-30", "label": "Dune Bleue - 30 ml"},
        {"productId": "dune-50", "label": "Dune Bleue - 50 ml"},
    ],
}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("the 50 ml", {"size_ml": 50}),
        ("the second", {"ordinal": 2}),
        ("Dune Bleue - 50 ml", {}),
        ("the last one", {"ordinal": -1}),
    ],
)
def test_an_answer_settles_our_question_with_its_quantity(shop, text, known):
    reply = shop.say(shop.query(text, **known), cart=shop.cart(), pending=PENDING)
    assert _proposed(reply) == [("add_to_cart", {"productId": "dune-50", "quantity": 2})]


def test_yes_settles_a_question_about_one_product(shop):
    pending = {
        "tool": "add_to_cart",
        "arguments": {"productId": "nuit", "quantity": 1},
        "choices": [],
    }
    reply = shop.say(shop.query("yes", affirms=True), cart=shop.cart(), pending=pending)
    assert _proposed(reply) == [("add_to_cart", {"productId": "nuit", "quantity": 1})]


def test_yes_to_a_choice_of_two_asks_again(shop):
    reply = shop.say(shop.query("yes", affirms=True), cart=shop.cart(), pending=PENDING)
    assert not reply.tool_calls
    assert reply.asks
    assert [c.product_id for c in reply.choices] == ["dune-30", "dune-50"]


def test_the_cheapest_settles_our_question_by_price(shop):
    choices = [
        {"productId": "nuit", "label": "Nuit de Cèdre"},
        {"productId": "vent", "label": "Vent du Large"},
    ]
    query = shop.query(
        "2 of the cheapest", action="add", quantity=2, delegated=True, cheapest=True, pronoun=True
    )
    reply = shop.say(
        query,
        cart=shop.cart(),
        shown=shop.shown("nuit", "vent"),
        pending={"tool": "add_to_cart", "arguments": {}, "choices": choices},
    )
    lowest = min(("nuit", "vent"), key=lambda i: shop.catalog[i]["price"])
    assert _proposed(reply) == [("add_to_cart", {"productId": lowest, "quantity": 2})]


def test_a_bare_yes_without_a_question_asks_what_to_add(shop):
    reply = shop.say(shop.query("yes", affirms=True), cart=shop.cart(), shown=shop.shown("vent"))
    assert not reply.tool_calls
    assert reply.asks
    assert reply.text == shop.words("ask.add_it", name="Vent du Large")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_to_our_question_changes_nothing(shop, language):
    reply = shop.say(shop.query("no", language, denies=True), cart=shop.cart(), pending=PENDING)
    assert not reply.tool_calls
    assert reply.text == shop.words("cart.denied", language)


def test_another_request_leaves_our_question_open(shop):
    query = shop.query("something woody", families=("woody",))
    reply = shop.say(query, cart=shop.cart(), pending=PENDING, search_products=shop.found("nuit"))
    assert not reply.tool_calls
    assert "Nuit de Cèdre" in reply.text


# --- refusals and contradictions --------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "code",
    ["out_of_stock", "cart_limit", "unknown_product", "not_shown", "currency_mismatch", "negated"],
)
def test_a_refusal_is_told_in_the_shoppers_language_and_claims_nothing(shop, language, code):
    query = shop.query(
        "Vent du Large", language, names=["Vent du Large"], action="add", quantity=50
    )
    refused = ("add_to_cart", {"productId": "vent", "quantity": 50}, shop.refused(code, limit=9))
    reply = shop.say(
        query, refused, cart=shop.cart(), search_products=shop.found("vent", "zellige")
    )
    assert not reply.tool_calls
    key = (
        f"turn.refusal.{code}_limit"
        if code in ("out_of_stock", "cart_limit")
        else f"turn.refusal.{code}"
    )
    assert (
        shop.words(
            key,
            language,
            name="Vent du Large (100 " + ("مل" if language in ("ar", "ary") else "ml") + ")",
            limit=9,
        )
        in reply.text
    )
    assert shop.words("turn.total", language, total="0 MAD") not in reply.text


def test_an_out_of_stock_refusal_offers_what_is_in_stock(shop):
    query = shop.query("add Ambre Rare", names=["Ambre Rare"], action="add")
    refused = ("add_to_cart", {"productId": "rare", "quantity": 1}, shop.refused("out_of_stock"))
    reply = shop.say(
        query, refused, cart=shop.cart(), search_products=shop.found("rare", "nuit", best="nuit")
    )
    assert "Nuit de Cèdre" in reply.text
    assert [c.product_id for c in reply.choices] == ["nuit"]


def test_over_budget_asks_once_with_the_price_and_the_budget(shop):
    query = shop.query(
        "add Nuit de Cèdre, max 500", names=["Nuit de Cèdre"], action="add", max_price=50000
    )
    choices = [{"productId": "nuit", "label": "Nuit de Cèdre"}]
    refused = (
        "add_to_cart",
        {"productId": "nuit", "quantity": 1},
        shop.refused("over_budget_confirm", choices=choices),
    )
    reply = shop.say(query, refused, cart=shop.cart(), search_products=shop.found("nuit"))
    assert reply.asks
    assert "690 MAD" in reply.text
    assert "500 MAD" in reply.text
    [choice] = reply.choices
    pending = {
        "tool": "add_to_cart",
        "arguments": {"productId": "nuit", "quantity": 1},
        "choices": [{"productId": choice.product_id, "label": choice.label}],
    }
    for answer in (
        shop.query("yes", affirms=True),
        shop.query(choice.label),
        shop.query("add it anyway", action="add", pronoun=True),
    ):
        reply = shop.say(answer, cart=shop.cart(), pending=pending)
        assert _proposed(reply) == [("add_to_cart", {"productId": "nuit", "quantity": 1})]


def test_a_size_asked_by_the_gate_is_asked_of_the_shopper(shop):
    query = shop.query("add it", action="add", pronoun=True)
    choices = [
        {"productId": "dune-30", "label": "Dune Bleue - 30 ml"},
        {"productId": "dune-50", "label": "Dune Bleue - 50 ml"},
    ]
    refused = (
        "add_to_cart",
        {"productId": "dune-30", "quantity": 1},
        shop.refused("which_variant", choices=choices),
    )
    reply = shop.say(query, refused, cart=shop.cart(), focus=shop.card("dune-30"))
    assert reply.asks
    assert [c.product_id for c in reply.choices] == ["dune-30", "dune-50"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tool_that_does_not_answer_is_admitted(shop, language):
    query = shop.query("Vent du Large", language, names=["Vent du Large"], action="add")
    failed = ("add_to_cart", {"productId": "vent", "quantity": 1}, shop.refused("tool_unavailable"))
    reply = shop.say(query, failed, cart=shop.cart(), search_products=shop.found("vent"))
    assert reply.text == shop.words("refused.unavailable", language)


def test_without_tools_nothing_is_proposed_and_nothing_claimed(shop):
    query = shop.query("add Vent du Large", names=["Vent du Large"], action="add")
    reply = shop.say(query, tools=[], cart=shop.cart(), search_products=shop.found("vent"))
    assert not reply.tool_calls
    assert reply.text == shop.words("refused.unavailable")


@pytest.mark.parametrize("action", ["add", "update", "remove"])
@pytest.mark.parametrize(
    "known",
    [
        {"pronoun": True},
        {"ordinal": 1},
        {"delegated": True},
        {"delegated": True, "cheapest": True},
        {"families": ("fresh",)},
        {"product_name": "Vent du Large"},
        {"quantity": 2},
        {},
    ],
)
@pytest.mark.parametrize(
    "observed",
    [
        {},
        {"search_products": {"products": []}},
        {"search_products": {"error": {"code": "tool_unavailable"}}},
    ],
)
def test_without_an_observation_of_a_product_no_write_is_proposed(shop, action, known, observed):
    reply = shop.say(shop.query("x", action=action, **known), cart=shop.cart(), **observed)
    assert not {call.name for call in reply.tool_calls} & {
        "add_to_cart",
        "update_cart_item",
        "remove_from_cart",
        "clear_cart",
    }


def test_a_best_that_the_search_does_not_list_is_not_added(shop):
    search = shop.found("vent", best="ghost")
    reply = shop.say(_flagship(shop, "en"), cart=shop.cart(), search_products=search)
    assert not reply.tool_calls


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_without_an_action_never_writes(shop, language):
    query = shop.query(
        "Vent du Large", language, names=["Vent du Large"], quantity=2, delegated=True, affirms=True
    )
    reply = shop.say(
        query, cart=shop.cart(nuit=1), focus=shop.card("vent"), search_products=shop.found("vent")
    )
    assert not {c.name for c in reply.tool_calls} & {
        "add_to_cart",
        "update_cart_item",
        "remove_from_cart",
        "clear_cart",
    }
