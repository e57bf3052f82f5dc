"""What must hold before a proposed change reaches the cart: each gate refuses, and lets the right change through."""

from dataclasses import replace

from shopping_agent.adapters.llm.scripted import proposes, says
from shopping_agent.domain.conversation import Conversation


def add(product_id, quantity=1):
    return proposes(("add_to_cart", {"productId": product_id, "quantity": quantity}))


ASKED = says("As you wish.")


# --- known to this shopper ---------------------------------------------------------------------


def test_an_id_that_does_not_exist_is_refused(shop):
    shop.say("add something fresh", [add("P999"), ASKED])
    assert shop.errors() == ["unknown_product"]
    assert shop.cart() == {}


def test_a_product_never_shown_to_this_shopper_is_refused(shop):
    turn = shop.say("add something woody", [add("dahab-intense"), ASKED])
    assert shop.errors() == ["not_shown"]
    assert turn.actions == ()


def test_what_another_shopper_was_shown_does_not_count(shop):
    shop.show("dahab-intense", shopper="ben")
    shop.say("please add it", [add("dahab-intense"), ASKED], shopper="ana")
    assert shop.errors() == ["not_shown"]


def test_what_this_session_was_shown_counts(shop):
    shop.show("dahab-intense")
    shop.say("add the first one", [add("dahab-intense"), ASKED])
    assert shop.cart() == {"dahab-intense": 1}


def test_what_a_tool_just_observed_counts(shop):
    look = proposes(("get_product", {"productId": "dahab-intense"}))
    shop.say("add a leather perfume to my cart", [look, add("dahab-intense"), ASKED])
    assert shop.cart() == {"dahab-intense": 1}


def test_what_only_a_tool_observed_is_not_what_it_means(shop):
    look = proposes(("get_product", {"productId": "dahab-intense"}))
    shop.say("please add it", [look, add("dahab-intense"), ASKED])
    assert shop.errors() == ["which_product"]
    assert shop.cart() == {}


def test_a_product_that_is_no_longer_sold_is_unknown_even_if_it_was_shown(shop):
    shop.show("dahab")
    shop.live.remove(["dahab"], None)
    shop.say("add the first one", [add("dahab"), ASKED])
    assert shop.errors() == ["unknown_product"]


# --- stock and caps ----------------------------------------------------------------------------


def test_too_many_is_refused_with_what_would_work(shop):
    turn = shop.say("add 3 Dernier Souffle", [add("last-one", 3), says("")])
    assert shop.results()[0]["error"]["limit"] == 1
    assert shop.errors() == ["out_of_stock"]
    assert (
        "at most 1 can be ordered" in shop.say("add 3 Dernier Souffle", [add("last-one", 3)]).answer
    )
    assert turn.cart.items == ()


def test_a_quantity_below_one_is_refused(shop):
    shop.say("add Dahab", [add("dahab", 0), add("dahab", -2), ASKED])
    assert shop.errors() == ["invalid_quantity", "invalid_quantity"]
    assert shop.cart() == {}


def test_another_currency_is_refused(shop):
    shop.say("add Valise to my cart", [add("euro"), ASKED])
    assert shop.errors() == ["currency_mismatch"]


# --- a choice left to us -----------------------------------------------------------------------


FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."


def test_a_delegated_choice_over_the_budget_is_refused_with_the_best_named(shop):
    shop.say(
        FLAGSHIP, [proposes(("get_product", {"productId": "grand-bleu"})), add("grand-bleu"), ASKED]
    )
    assert shop.errors() == ["constraint_violated"]
    assert shop.results()[1]["error"]["best"] == "cap-vert"
    assert "at most 800 MAD" in shop.results()[1]["error"]["message"]
    assert shop.cart() == {}


def test_another_candidate_than_the_best_is_sent_back_once_and_then_accepted(shop):
    shop.say(FLAGSHIP, [add("brise"), add("brise"), ASKED])
    assert shop.errors() == ["not_the_best"]
    assert shop.results()[0]["error"]["best"] == "cap-vert"
    assert shop.cart() == {"brise": 1}


def test_the_best_is_accepted_at_once_after_a_correction(shop):
    shop.say(FLAGSHIP, [add("brise"), add("cap-vert"), ASKED])
    assert shop.cart() == {"cap-vert": 1}


def test_a_search_of_the_model_cannot_change_what_the_best_is(shop):
    search = proposes(("search_products", {"query": "mint", "notes": "mint"}))
    shop.say(FLAGSHIP, [search, add("brise"), ASKED])
    assert shop.errors() == ["not_the_best"]


def test_a_search_of_the_model_keeps_the_shoppers_budget(shop):
    search = proposes(("search_products", {"query": "fresh summer perfume"}))
    shop.say(FLAGSHIP, [search, ASKED])
    assert all(p["price"] <= 800 for p in shop.results()[0]["products"])


def test_refused_notes_hold_for_a_delegated_choice(shop):
    message = "add the best amber perfume without leather to my cart"
    look = proposes(("get_product", {"productId": "dahab-intense"}))
    shop.say(message, [look, add("dahab-intense"), add("dahab"), ASKED])
    assert shop.errors() == ["constraint_violated"]
    assert shop.cart() == {"dahab": 1}


def test_the_best_of_those_shown_is_the_first_that_fits(shop):
    shop.show("sold-out", "grand-bleu", "brise")
    shop.say("add the best of these to my cart", [add("brise"), add("grand-bleu"), ASKED])
    assert shop.errors() == ["not_the_best"]
    assert shop.cart() == {"grand-bleu": 1}


def test_the_cheapest_of_those_shown_is_the_cheapest(shop):
    shop.show("grand-bleu", "brise", "cap-vert")
    shop.say("add the cheapest one to my cart", [add("cap-vert"), add("brise"), ASKED])
    assert shop.cart() == {"brise": 1}


# --- a product the shopper named -----------------------------------------------------------------


def test_a_named_product_over_the_stated_budget_is_confirmed_once(shop):
    message = "add Oud Nuit to my cart, under 800 MAD"
    turn = shop.say(message, [add("oud-nuit"), says("It costs 1200 MAD. Shall I add it anyway?")])
    assert shop.errors() == ["over_budget_confirm"]
    assert (turn.finish, shop.cart()) == ("clarify", {})
    assert [(c.label, c.product_id) for c in turn.choices] == [("Yes, add it", "oud-nuit")]
    assert shop.turns.kept["ana"].pending == {
        "tool": "add_to_cart",
        "arguments": {"productId": "oud-nuit", "quantity": 1},
        "choices": [{"productId": "oud-nuit", "label": "Yes, add it"}],
    }
    turn = shop.say("yes, add it", [add("oud-nuit"), says("Added Oud Nuit.")])
    assert shop.blocks()["pending"]["tool"] == "add_to_cart"
    assert shop.cart() == {"oud-nuit": 1}
    assert shop.turns.kept["ana"].pending is None


def test_a_budget_lives_for_its_request(shop):
    shop.say("something fresh under 300 MAD", [says("Nothing that cheap.")])
    shop.say("add Oud Nuit to my cart", [add("oud-nuit"), ASKED])
    assert shop.cart() == {"oud-nuit": 1}


def test_a_neighbour_of_an_exact_name_is_refused(shop):
    look = proposes(("get_product", {"productId": "dahab-intense"}))
    shop.say("add Dahab to my cart", [look, add("dahab-intense"), add("dahab"), ASKED])
    assert shop.errors() == ["which_product"]
    assert shop.cart() == {"dahab": 1}
    shop.say("add Dahab Intense to my cart", [add("dahab"), add("dahab-intense"), ASKED])
    assert shop.errors() == ["which_product"]
    assert shop.cart() == {"dahab": 1, "dahab-intense": 1}


def test_removing_another_line_than_the_one_named_is_refused(shop):
    shop.put_in_cart("dahab")
    shop.put_in_cart("dahab-intense")
    remove = proposes(("remove_from_cart", {"productId": "dahab-intense"}))
    shop.say("remove Dahab from my cart", [remove, ASKED])
    assert shop.errors() == ["which_product"]
    assert shop.cart() == {"dahab": 1, "dahab-intense": 1}


# --- sizes ---------------------------------------------------------------------------------------


def test_a_bare_family_name_with_several_sizes_asks_which_one(shop):
    turn = shop.say("add Jardin Secret to my cart", [add("jardin-50"), says("Which size?")])
    assert shop.errors() == ["which_variant"]
    assert (turn.finish, shop.cart()) == ("clarify", {})
    assert [c.product_id for c in turn.choices] == ["jardin-30", "jardin-50", "jardin-100"]
    shop.say("the second one", [add("jardin-50"), ASKED])
    assert shop.cart() == {"jardin-50": 1}


def test_a_size_stated_later_settles_it(shop):
    shop.say("add Jardin Secret to my cart", [add("jardin-50"), says("Which size?")])
    shop.say("50 ml", [add("jardin-50"), ASKED])
    assert shop.cart() == {"jardin-50": 1}


def test_an_exact_name_with_its_size_asks_nothing(shop):
    shop.say("add Jardin Secret 100 ml to my cart", [add("jardin-100"), ASKED])
    assert shop.cart() == {"jardin-100": 1}


def test_a_size_in_the_message_lets_no_other_size_through(shop):
    shop.say("add Jardin Secret 100 ml to my cart", [add("jardin-30"), ASKED])
    assert shop.cart() == {}
    assert shop.errors() != []


def test_a_card_that_was_shown_fixes_the_size(shop):
    shop.show("jardin-50", "dahab")
    shop.say("add Jardin Secret to my cart", [add("jardin-50"), ASKED])
    assert shop.cart() == {"jardin-50": 1}


def test_a_delegated_choice_fixes_the_size(shop):
    message = "add the best floral perfume under 300 MAD to my cart"
    shop.say(message, [add("jardin-30"), ASKED])
    assert shop.cart() == {"jardin-30": 1}


def test_sizes_that_are_sold_out_are_not_offered(shop):
    for size in ("jardin-30", "jardin-100"):
        shop.live.facts[size] = _sold_out(shop.live.facts[size])
    shop.say("add Jardin Secret to my cart", [add("jardin-50"), ASKED])
    assert shop.cart() == {"jardin-50": 1}


def _sold_out(facts):
    return replace(facts, stock=0)


# --- talk that asks for no change ------------------------------------------------------------------


def test_a_negated_purchase_changes_nothing(shop):
    shop.show("dahab")
    shop.say("don't add Dahab to my cart yet", [add("dahab"), ASKED])
    assert shop.errors() == ["negated"]
    assert shop.cart() == {}


def test_a_hypothetical_purchase_changes_nothing(shop):
    shop.show("dahab")
    shop.say("if I bought Dahab, would delivery be free?", [add("dahab"), ASKED])
    assert shop.cart() == {}


def test_no_problem_add_it_adds(shop):
    shop.show("dahab", focus="dahab")
    shop.say("no problem, add it", [add("dahab"), ASKED])
    assert shop.cart() == {"dahab": 1}


def test_a_refusal_of_our_question_changes_nothing(shop):
    shop.say("add Oud Nuit to my cart, under 800 MAD", [add("oud-nuit"), says("Anyway?")])
    shop.say("no", [add("oud-nuit"), ASKED])
    assert shop.cart() == {}


def test_clearing_is_refused_when_the_shopper_says_not_to(shop):
    shop.put_in_cart("dahab")
    shop.say("don't empty my cart", [proposes(("clear_cart", {})), ASKED])
    assert shop.cart() == {"dahab": 1}


# --- changing lines ---------------------------------------------------------------------------------


def test_only_lines_of_the_cart_can_be_changed(shop):
    shop.put_in_cart("dahab")
    update = proposes(("update_cart_item", {"productId": "cap-vert", "quantity": 2}))
    shop.say("make it two", [update, ASKED])
    [result] = shop.results()
    assert result["error"]["code"] == "unknown_product"
    assert result["error"]["choices"] == [{"productId": "dahab", "label": "Dahab"}]


def test_a_quantity_of_zero_removes(shop):
    shop.put_in_cart("dahab")
    update = proposes(("update_cart_item", {"productId": "dahab", "quantity": 0}))
    turn = shop.say("remove it", [update, ASKED])
    assert shop.cart() == {}
    assert [a.type for a in turn.actions] == ["remove"]


def test_every_cart_tool_answers_with_the_cart_and_its_total(shop):
    shop.turns.kept["ana"] = Conversation()
    shop.put_in_cart("dahab", 2)
    shop.say(
        "show my cart, then empty it",
        [proposes(("get_cart", {}), ("clear_cart", {}), ("get_cart", {})), ASKED],
    )
    assert [r["cartTotal"] for r in shop.results()] == [1120, 0, 0]
    assert all(r["ok"] and r["cart"]["total"] == r["cartTotal"] for r in shop.results())
