"""What a model can get wrong about a tool comes back to it as an observation."""

import pytest
from shopping_agent.adapters.llm.scripted import proposes, says

ASK = "something woody for winter"


def observe(shop, *calls, message=ASK):
    shop.say(message, [proposes(*calls), says("ok")])
    return shop.results()


def test_an_unknown_tool_is_answered_with_those_there_are(shop):
    [result] = observe(shop, ("open_file", {"path": "/etc/passwd"}))
    assert result["error"]["code"] == "unknown_tool"
    assert "search_products" in result["error"]["message"]


def test_a_call_without_a_name_gets_a_short_answer(shop):
    [result] = observe(shop, ("", {}))
    assert result["error"]["code"] == "unknown_tool"
    assert "Available" not in result["error"]["message"]


@pytest.mark.parametrize(
    "name", ["default_api.get_cart", "functions.get_cart", "default_api:get_cart"]
)
def test_a_prefix_of_the_models_own_making_is_taken_off(shop, name):
    [result] = observe(shop, (name, {}))
    assert result["ok"] is True


def test_bad_arguments_are_answered_with_what_is_wrong(shop):
    [result] = observe(shop, ("get_product", {"id": "x"}))
    assert result["error"] == {"code": "invalid_arguments", "message": "productId: Field required"}


def test_a_tool_that_is_not_on_the_intents_list_runs_all_the_same(shop):
    [result] = observe(shop, ("search_guides", {"query": "delivery fees"}))
    assert "search_guides" not in {spec.name for spec in shop.model.requests[0].tools}
    assert result["passages"]


def test_a_search_is_ranked_and_says_what_it_could_not_meet(shop):
    [result] = observe(
        shop, ("search_products", {"query": "woody", "maxPrice": "400", "notes": ["cedar"]})
    )
    assert [p["id"] for p in result["products"]] == ["sold-out"]
    assert "best" not in result
    [result] = observe(
        shop, ("search_products", {"query": "woody", "maxPrice": 10, "notes": "cedar"})
    )
    assert result["relaxed"] == ["price"]
    assert "nearest" in result["note"]


def test_a_product_is_shown_with_its_text(shop):
    [result] = observe(shop, ("get_product", {"productId": "oud-nuit"}))
    assert result["product"]["name"] == "Oud Nuit"
    assert result["product"]["description"].startswith("Oud Nuit is")
    [result] = observe(shop, ("get_product", {"productId": "nothing"}))
    assert result["error"]["code"] == "unknown_product"


def test_a_comparison_names_what_is_not_sold(shop):
    ids = ["oud-nuit", "nothing", "cap-vert"]
    [result] = observe(shop, ("compare_products", {"productIds": ids}))
    assert [p["id"] for p in result["products"]] == ["oud-nuit", "cap-vert"]
    assert result["note"] == "Not sold here: nothing"


def test_guides_are_found_with_their_source(shop):
    [result] = observe(shop, ("search_guides", {"query": "delivery to Agadir"}))
    passage = result["passages"][0]
    assert (passage["source"], passage["heading"]) == ("delivery", "Delivery times")


def test_the_contact_of_the_store_is_given_in_the_shoppers_language(shop):
    [result] = observe(
        shop, ("contact_store", {"reason": "retour"}), message="je veux parler à quelqu'un"
    )
    assert result["contact"]["phone"] == "+212 5 00 00 00 00"
    assert "samedi" in result["contact"]["hours"]
