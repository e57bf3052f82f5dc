"""Knowledge questions: one call without tools from the store's texts and live facts, or an honest don't-know."""

from dataclasses import replace

import pytest
from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.llm.offline import OfflineModel
from shopping_agent.adapters.llm.scripted import Hang, proposes, says
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import IndexUnavailableError, LanguageModelError

DELIVERY = "How many days does delivery to Agadir take?"


def test_a_question_that_the_guides_answer_takes_one_call_without_tools(shop):
    turn = shop.say(DELIVERY, [says("Delivery to Agadir takes 2 to 3 working days.")])
    assert (turn.route, turn.finish, turn.usage.calls) == ("rag", "answered", 1)
    [request] = shop.model.requests
    assert request.tools == ()
    assert "Agadir" in str(shop.blocks()["search_guides"])
    assert "cart" not in shop.blocks()
    assert turn.actions == ()


def test_the_guide_is_named_once(shop):
    turn = shop.say(DELIVERY, [says("It takes 2 to 3 working days.")])
    assert turn.answer == "It takes 2 to 3 working days.\nSource: Delivery times."
    named = "According to Delivery times, it takes 2 to 3 working days."
    assert shop.say(DELIVERY, [says(named)]).answer == named


def test_what_no_text_says_is_not_asked_of_a_model(shop):
    turn = shop.say("Is Cap Vert vegan?", [])
    assert (turn.finish, turn.usage.calls, turn.unanswered) == ("answered", 0, True)
    assert turn.answer.startswith("I don't know")
    assert "+212 5 00 00 00 00" in turn.answer


@pytest.mark.parametrize(
    ("message", "opening"),
    [
        ("Est-ce que Cap Vert est végan ?", "Je ne sais pas"),
        ("هل عطر Cap Vert نباتي؟", "لا أعرف"),
    ],
)
def test_the_dont_know_is_in_the_shoppers_language(shop, message, opening):
    assert shop.say(message, lambda r: says("?")).answer.startswith(opening)


def test_facts_of_a_named_product_are_live_and_in_the_data(shop):
    facts = shop.live.facts["cap-vert"]
    shop.live.facts["cap-vert"] = type(facts)(
        id="cap-vert", name="Cap Vert", price=type(facts.price)(70_000, "MAD"), stock=2
    )
    turn = shop.say("How much does Cap Vert cost?", lambda r: says("Cap Vert costs 700 MAD."))
    [found] = shop.blocks()["search_products"]["products"]
    assert (found["price"], found["stock"]) == (700, 2)
    assert turn.answer == "Cap Vert costs 700 MAD."
    assert [p.id for p in turn.products] == ["cap-vert"]


def test_a_question_about_these_is_about_the_products_shown(shop):
    shop.show("cap-vert", "oud-nuit")
    shop.say("which one lasts longest?", lambda r: says("Both last long."))
    found = shop.blocks()["search_products"]["products"]
    assert [p["id"] for p in found][:2] == ["cap-vert", "oud-nuit"]
    assert all(p["longevity"] == "long" for p in found[:2])


def test_texts_of_a_product_that_is_sold_no_more_are_not_given(shop):
    shop.show("cap-vert", "oud-nuit")
    for gone in (False, True):
        if gone:
            shop.live.remove(["cap-vert"], Deadline.after(1))
        shop.say("which one lasts longest?", lambda r: says("Both last long."))
        texts = shop.blocks()["search_guides"]["passages"]
        assert ("cap-vert" in {text.get("productId") for text in texts}) is not gone


def test_search_down_is_not_answered_from_nothing(shop):
    shop.index.down = True
    with pytest.raises(IndexUnavailableError):
        shop.say(DELIVERY, [])
    with pytest.raises(IndexUnavailableError):
        shop.say("something woody for winter", [])


def test_cart_turns_go_on_while_search_is_down(shop):
    shop.index.down = True
    add = [proposes(("add_to_cart", {"productId": "dahab"})), says("Added Dahab.")]
    assert shop.say("add Dahab to my cart", add).finish == "answered"
    assert shop.cart() == {"dahab": 1}
    shop.say("what's in my cart?", [says("Dahab.")])
    assert shop.blocks()["cart"]["count"] == 1
    shop.say("add this to my cart", [*add[:1], says("ok")], page="dahab")
    assert shop.cart() == {"dahab": 2}
    shop.say("empty my cart", [proposes(("clear_cart", {})), says("Empty.")])
    assert shop.cart() == {}


def test_a_search_by_the_model_that_fails_is_an_observation(shop):
    shop.show("dahab")
    shop.index.down = True
    script = [proposes(("search_products", {"query": "x"})), says("Search is not answering.")]
    turn = shop.say("add the first one", script)
    assert shop.errors() == ["tool_unavailable"]
    assert turn.finish == "answered"


def test_a_failing_model_leaves_the_passage_itself(shop):
    turn = shop.say(DELIVERY, [LanguageModelError("timeout", "slow")])
    assert turn.finish == "provider_unavailable"
    assert "Delivery to Agadir takes 2 to 3 working days." in turn.answer


def test_a_hanging_model_is_answered_for_in_time(shop):
    turn = shop.say(DELIVERY, [Hang(30)], seconds=0.5)
    assert turn.finish == "deadline"
    assert "2 to 3 working days" in turn.answer


def test_it_with_nothing_spoken_of_is_asked_about(shop):
    turn = shop.say("Is it vegan?", [])
    assert (turn.finish, turn.unanswered) == ("clarify", False)
    assert turn.answer == "Which product do you mean?"
    assert shop.say("Is it vegan?", [], page="dahab").unanswered


def test_a_name_without_its_size_is_found_by_search_and_brings_every_size(shop):
    turn = shop.say(
        "how much is jardin secret?", lambda r: says("Jardin Secret starts at 250 MAD.")
    )
    found = shop.blocks()["search_products"]["products"]
    assert [p["id"] for p in found] == ["jardin-30", "jardin-50", "jardin-100"]
    assert turn.answer == "Jardin Secret starts at 250 MAD."


def test_what_is_on_sale_is_found_by_its_live_price(open_shop, catalog):
    reduced = replace(catalog[1], price=replace(catalog[1].price, sale=30_000, sale_until=2_000))
    ended = replace(catalog[3], price=replace(catalog[3].price, sale=10_000, sale_until=900))
    shop = open_shop([*catalog[:1], reduced, *catalog[2:3], ended])
    shop.say("which perfumes are on sale right now?", lambda r: says("Brise d'Asilah."))
    [found] = shop.blocks()["search_products"]["products"]
    assert (found["name"], found["price"], found["compareAtPrice"]) == ("Brise d'Asilah", 300, 480)


def test_the_cheapest_of_a_large_shop_is_exact(open_shop, catalog):
    many = [
        replace(
            catalog[0],
            id=f"p{i}",
            name=f"Parfum {i}",
            price=replace(catalog[0].price, regular=90_000 - 100 * i),
        )
        for i in range(300)
    ]
    offline = OfflineModel(pack=load_store_pack(""))
    shop = open_shop([*many, *catalog])
    turn = shop.say("what's the cheapest fresh perfume you have?", offline)
    assert turn.products[0].id == "brise"
    assert min(p.price.regular for p in turn.products) == 48_000
    assert shop.say("add two of it", offline).actions[0].product_id == "brise"


def test_thanks_and_goodbyes_are_answered_as_such(shop):
    assert shop.say("thank you!", []).answer.startswith("You are welcome")
    assert shop.say("au revoir", []).answer.startswith("Au revoir")


def test_emptying_an_empty_cart_changes_nothing(shop):
    turn = shop.say("empty my cart", [proposes(("clear_cart", {})), says("It was empty.")])
    assert shop.results()[0]["ok"] is True
    assert (turn.actions, turn.cart.version) == ((), 0)
