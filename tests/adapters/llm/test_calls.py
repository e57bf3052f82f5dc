"""Calls in the providers' own form: names and arguments as models really send them."""

import json

import pytest
from shopping_agent.adapters.llm.calls import decoded_call
from shopping_agent.domain.conversation import ToolSpec

SEARCH = ToolSpec(
    "search_products",
    "Finds products.",
    {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "maxPrice": {"type": "number"},
            "limit": {"type": "integer"},
            "inStock": {"type": "boolean"},
            "gender": {"type": "string", "enum": ["women", "men", "unisex"]},
            "notes": {"type": "array", "items": {"type": "string"}},
            "sizes": {"type": "array", "items": {"type": "integer"}},
            "profile": {
                "type": "object",
                "properties": {"age": {"type": "integer"}, "skinType": {"type": "string"}},
            },
        },
        "required": ["query"],
    },
)
ADD = ToolSpec(
    "add_to_cart",
    "Adds.",
    {
        "type": "object",
        "properties": {"productId": {"type": "string"}, "quantity": {"type": "integer"}},
        "required": ["productId"],
    },
)
CART = ToolSpec("get_cart", "The cart.", {"type": "object", "properties": {}})
SPECS = (SEARCH, ADD, CART)


def decoded(arguments, name="search_products"):
    return decoded_call("c1", name, arguments, SPECS)


def given(**arguments):
    return decoded({"query": "oud", **arguments}).arguments


@pytest.mark.parametrize(
    "written",
    [
        "add_to_cart",
        " add_to_cart\n",
        "default_api.add_to_cart",
        "default_api:add_to_cart",
        "functions.add_to_cart",
        "function.add_to_cart",
        "Functions.add_to_cart",
        "functions.add_to_cart:0",
        "functions.default_api.add_to_cart",
        "tools/add_to_cart",
        "tool.add_to_cart",
        "add_to_cart<|channel|>commentary",
        "add_to_cart<|constrain|>json",
        "add_to_cart json",
        "add_to_cart()",
        "`add_to_cart`",
        '"add_to_cart"',
        "add-to-cart",
        "addToCart",
        "AddToCart",
        "ADD_TO_CART",
    ],
)
def test_a_declared_tool_is_known_by_a_decorated_name(written):
    call = decoded({"productId": "p-1", "quantity": "2"}, written)
    assert (call.name, call.arguments, call.fault) == (
        "add_to_cart",
        {"productId": "p-1", "quantity": 2},
        "",
    )


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("list_files", "list_files"),
        ("brave_search", "brave_search"),
        ("repo_browser.open_file", "repo_browser.open_file"),
        ("default_api.list_files", "list_files"),
        ("add", "add"),
        ("add_to_cart_now", "add_to_cart_now"),
        ("x" * 500, "x" * 64),
    ],
)
def test_an_undeclared_name_is_kept_for_the_dispatcher_to_answer(written, kept):
    call = decoded('{"path": "."}', written)
    assert (call.name, call.arguments, call.fault) == (kept, {"path": "."}, "")


@pytest.mark.parametrize("name", ["", "  ", None, "``", "functions.", 5, "<|channel|>commentary"])
def test_a_call_without_a_name_cannot_run(name):
    call = decoded('"\\""', name)
    assert (call.name, call.arguments) == ("", {})
    assert call.fault


@pytest.mark.parametrize(
    "sent",
    [None, "", "  ", "null", "None", "{}", {}, '""', '"\\"\\""', '"null"', "```json\n{}\n```"],
)
def test_no_arguments_are_an_empty_object_however_that_is_said(sent):
    call = decoded(sent, "get_cart")
    assert (call.arguments, call.fault) == ({}, "")


@pytest.mark.parametrize(
    "sent",
    [
        {"query": "oud"},
        '{"query":"oud"}',
        ' {"query": "oud"}\n',
        json.dumps('{"query": "oud"}'),
        json.dumps(json.dumps('{"query": "oud"}')),
        '```json\n{"query": "oud"}\n```',
        '{"query": "oud"}<|call|>',
        '{"query": "oud"}<|eot_id|><|im_end|>',
        "{'query': 'oud'}",
        "{'query': 'oud', 'maxPrice': None}",
        '{"query": "oud", "query": "oud"}',
        {"arguments": {"query": "oud"}},
        '{"parameters": {"query": "oud"}}',
        {"Query": "oud"},
        {"query": ["oud"]},
    ],
)
def test_whole_arguments_are_read_in_every_wrapping(sent):
    call = decoded(sent)
    assert (call.arguments, call.fault) == ({"query": "oud"}, "")


@pytest.mark.parametrize(
    "sent",
    [
        '{"query": "oud", "maxPrice": 80',
        '{"query": "oud"',
        '{"query": "ou',
        '{"query": "oud",',
        "{",
        '{"query": "oud"}}',
        '{"query": "oud"} and then some',
        '{"query": "oud"}{"query": "musk"}',
        '{"query": oud}',
        "oud",
        '"oud"',
        "[1]",
        [1],
        "5",
        5,
        True,
        '{"query": "oud", "maxPrice": NaN}',
        '{"query": "oud", "maxPrice": Infinity}',
        '{"query": "oud", "maxPrice": -Infinity}',
        '{"query": "oud", "maxPrice": 1e999}',
        {"query": "oud", "maxPrice": float("nan")},
        {"query": "oud", "sizes": [float("inf")]},
        '{"query": "oud", "query": "musk"}',
        "{'query': 'oud', 'query': 'musk'}",
        "{'query': open('x')}",
        '{"query": "' + "x" * 30_000 + '"}',
        {"query": "x" * 30_000},
        '{"query": ' + "[" * 50 + "]" * 50 + "}",
        '{"query": ' + "[" * 5_000 + "]" * 5_000 + "}",
        {"query": "oud", "notes": ["x"] * 5_000},
        "{" + "(" * 300,
    ],
    ids=lambda sent: repr(sent)[:40],
)
def test_arguments_that_are_not_whole_clear_and_bounded_cannot_run(sent):
    call = decoded(sent)
    assert call.fault
    assert call.arguments == {}
    assert "oud" not in call.fault


def test_raw_control_characters_in_a_text_are_its_own():
    assert decoded('{"query":"line1\nline2\ttab"}').arguments == {"query": "line1\nline2\ttab"}


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("5", 5), (" 5 ", 5), ("5.0", 5), (5.0, 5), ("-3", -3), ("+3", 3), (5, 5), ("٥", 5), ("۱۲", 12),
        ("٥٫٠", 5), (5.5, 5.5), ("5.5", "5.5"), ("five", "five"), ("5 pieces", "5 pieces"), (True, True),
        ("1e3", "1e3"), (1e300, 1e300), ("9" * 40, "9" * 40), ("1,000", "1,000"), ("5-6", "5-6"),
        ([5], 5), (["5"], 5), ([5.0], 5), ([5, 6], [5, 6]), ([[5]], [5]), ([], []), ({"value": 5}, {"value": 5}), ("2 bottles", "2 bottles"),
        ("deux", "deux"), ("٢", 2), ("2,0", "2,0"), ("½", "½"),
    ],
)  # fmt: skip
def test_whole_numbers_are_read_where_that_is_certain(sent, meant):
    read = given(limit=sent)["limit"]
    assert read == meant
    assert type(read) is type(meant)


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("800", 800), ("800.50", 800.5), (".5", 0.5), (120000.0, 120000.0), ("٨٠٠", 800), ("٨٠٠٫٥", 800.5),
        ("١٬٢٠٠", 1200), ("800 MAD", "800 MAD"), ("1,200", "1,200"), ("eight hundred", "eight hundred"),
        ("nan", "nan"), ("inf", "inf"), ("0x10", "0x10"), ("1_000", "1_000"),
    ],
)  # fmt: skip
def test_amounts_are_read_where_that_is_certain(sent, meant):
    assert given(maxPrice=sent)["maxPrice"] == meant


@pytest.mark.parametrize(
    ("sent", "meant"),
    [("true", True), ("False", False), (" TRUE ", True), (True, True), ("yes", "yes")],
)
def test_truth_values_are_read_from_text(sent, meant):
    assert given(inStock=sent)["inStock"] is meant or given(inStock=sent)["inStock"] == meant


@pytest.mark.parametrize(
    ("sent", "meant"),
    [("2", "2"), (2, "2"), (2.0, "2"), (2.5, "2.5"), ("007", "007"), ("5.0", "5.0"), ("true", "true"),
     ("null", "null"), ([2], "2"), (["p-1"], "p-1"), (["a", "b"], ["a", "b"]), ("[1]", "[1]"), (True, True), ({"a": 1}, {"a": 1})],
)  # fmt: skip
def test_what_is_a_text_stays_one(sent, meant):
    read = decoded({"productId": sent}, "add_to_cart").arguments["productId"]
    assert read == meant
    assert type(read) is type(meant)


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("citrus", ["citrus"]),
        (["citrus", "oud"], ["citrus", "oud"]),
        ('["citrus", "oud"]', ["citrus", "oud"]),
        ("['citrus', 'oud']", ["citrus", "oud"]),
        ("[citrus", ["[citrus"]),
        ([None, "citrus", 5], ["citrus", "5"]),
        ("", []),
        ([], []),
        (7, ["7"]),
        ("citrus, oud", "citrus, oud"),  # how several are separated is the tool's own affair
    ],
)
def test_one_value_or_a_list_in_a_text_is_a_list(sent, meant):
    assert given(notes=sent)["notes"] == meant


def test_members_of_lists_and_objects_are_coerced_too():
    assert given(sizes=["50", 100.0, "x"])["sizes"] == [50, 100, "x"]
    assert given(profile={"age": "30", "skin_type": "dry", "x": 1})["profile"] == {
        "age": 30,
        "skinType": "dry",
    }
    assert given(profile='{"age": "30"}')["profile"] == {"age": 30}
    assert given(profile="{broken")["profile"] == "{broken"


def test_a_choice_is_known_in_another_case():
    assert given(gender="Women")["gender"] == "women"
    assert given(gender=" UNISEX ")["gender"] == "unisex"
    assert given(gender="kids")["gender"] == "kids"


def test_nulls_of_optional_arguments_are_dropped_and_a_required_one_stays():
    assert given(maxPrice=None, gender=None, notes=None) == {"query": "oud"}
    assert decoded({"query": None, "limit": None}).arguments == {"query": None}


@pytest.mark.parametrize("sent", ["", "  ", [None], "null", " None "])
def test_nothing_is_an_absent_option_and_stays_where_it_is_required(sent):
    for name in ("limit", "maxPrice", "inStock"):
        assert given(**{name: sent}) == {"query": "oud"}
    quantity = ToolSpec(
        "set",
        "Sets.",
        {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
    )
    [left] = decoded_call("c1", "set", {"n": sent}, (quantity,)).arguments.values()
    assert not isinstance(left, int)


def test_an_empty_text_is_no_choice_of_several_and_stays_a_text_elsewhere():
    assert given(gender="") == {"query": "oud"}
    assert decoded({"query": ""}).arguments == {"query": ""}


def test_names_in_another_spelling_are_the_declared_ones():
    assert given(max_price=5, in_stock="true") == {"query": "oud", "maxPrice": 5, "inStock": True}
    assert given(max_price=5, maxPrice=7) == {"query": "oud", "maxPrice": 7}


def test_unknown_names_are_dropped_when_nothing_required_is_missing():
    assert given(foo="bar", sort="price") == {"query": "oud"}
    assert decoded({"foo": "bar"}).arguments == {"foo": "bar"}
    assert decoded({"foo": "bar"}, "get_cart").arguments == {}


@pytest.mark.parametrize("sent", ["abc", "", None, 5])
def test_only_a_text_is_an_id(sent):
    assert decoded_call(sent, "get_cart", "{}", SPECS).id == (sent if isinstance(sent, str) else "")
