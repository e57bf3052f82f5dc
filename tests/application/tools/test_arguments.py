"""Tool arguments as models spell them."""

from decimal import Decimal
from typing import Any

import pytest
from shopping_agent.application.tools.arguments import (
    AddToCart,
    Arguments,
    CompareProducts,
    ContactStore,
    GetProduct,
    InvalidArgumentsError,
    NoArguments,
    RemoveFromCart,
    SearchGuides,
    SearchProducts,
    UpdateCartItem,
    json_schema,
    parse_arguments,
)

MODELS: list[type[Arguments]] = [
    AddToCart,
    CompareProducts,
    ContactStore,
    GetProduct,
    NoArguments,
    RemoveFromCart,
    SearchGuides,
    SearchProducts,
    UpdateCartItem,
]


@pytest.mark.parametrize("quantity", [2, "2", 2.0, "2.0", " 2 "])
def test_whole_numbers_are_read_however_they_are_spelled(quantity):
    parsed = parse_arguments(AddToCart, {"productId": "a", "quantity": quantity})
    assert parsed.quantity == 2


@pytest.mark.parametrize("quantity", [2.5, "2.5", "two", "", [2], {}])
def test_what_is_no_whole_number_is_refused_by_name(quantity):
    with pytest.raises(InvalidArgumentsError, match="quantity"):
        parse_arguments(AddToCart, {"productId": "a", "quantity": quantity})


def test_null_is_the_same_as_absent():
    parsed = parse_arguments(SearchProducts, {"query": "oud", "maxPrice": None, "gender": None})
    assert (parsed.max_price, parsed.gender, parsed.limit) == (None, None, 5)
    with pytest.raises(InvalidArgumentsError, match="productId"):
        parse_arguments(GetProduct, {"productId": None})


def test_unknown_arguments_are_dropped_and_missing_ones_named():
    assert parse_arguments(GetProduct, {"productId": "a", "foo": "bar"}).product_id == "a"
    with pytest.raises(InvalidArgumentsError, match="productId"):
        parse_arguments(GetProduct, {"foo": "bar"})


def test_ids_stay_text():
    assert parse_arguments(GetProduct, {"productId": "2"}).product_id == "2"
    assert parse_arguments(GetProduct, {"productId": 2}).product_id == "2"
    assert parse_arguments(GetProduct, {"product_id": "2"}).product_id == "2"


@pytest.mark.parametrize(
    "notes",
    [["rose", "oud"], "rose, oud", '["rose", "oud"]', "rose; oud", "rose، oud"],
)
def test_a_list_may_come_as_a_text(notes):
    assert parse_arguments(SearchProducts, {"query": "x", "notes": notes}).notes == ["rose", "oud"]


def test_prices_are_exact():
    parsed = parse_arguments(SearchProducts, {"query": "x", "maxPrice": 690.1, "minPrice": "100"})
    assert (parsed.max_price, parsed.min_price) == (Decimal("690.1"), Decimal(100))


@pytest.mark.parametrize("price", [-1, "NaN", "Infinity", 1e30, True])
def test_a_price_that_cannot_be_is_refused(price):
    with pytest.raises(InvalidArgumentsError, match="maxPrice"):
        parse_arguments(SearchProducts, {"query": "x", "maxPrice": price})


def test_a_gender_is_read_without_its_case():
    assert parse_arguments(SearchProducts, {"query": "x", "gender": "Women"}).gender == "women"


@pytest.mark.parametrize("ids", [["a"], ["a", "b", "c", "d", "e"], []])
def test_a_comparison_is_of_two_to_four(ids):
    with pytest.raises(InvalidArgumentsError, match="productIds"):
        parse_arguments(CompareProducts, {"productIds": ids})


def test_the_error_does_not_repeat_what_was_sent():
    with pytest.raises(InvalidArgumentsError) as error:
        parse_arguments(AddToCart, {"productId": "a", "quantity": "secret words"})
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("model", MODELS)
def test_schemas_keep_to_what_every_provider_accepts(model):
    schema = json_schema(model)
    assert schema["type"] == "object"
    assert isinstance(schema["properties"], dict)
    assert _keys(schema) <= {
        "type",
        "description",
        "properties",
        "items",
        "required",
        "enum",
        "minItems",
        "maxItems",
    }


def _keys(schema: dict[str, Any]) -> set[str]:
    found = set(schema)
    for inner in schema.get("properties", {}).values():
        found |= _keys(inner)
    return found | (_keys(schema["items"]) if "items" in schema else set())
