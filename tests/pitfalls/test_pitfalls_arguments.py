"""Pitfalls 1-7 and 13: arguments as models spell them, through the real SDKs, the loop and the handler."""

import json

import pytest

from functions.local.fake_provider import Answer, Call, Move
from functions.local.fake_provider.refusals import error_body
from tests.pitfalls.turns import (
    FLAGSHIP,
    LIKE_OPENAI,
    PROVIDERS,
    assert_added,
    assert_honest,
    conversation,
    errors,
    results,
    spread,
)


def failed_generation(text: str | None, message: str = "Failed to call a function.") -> Answer:
    """Groq's refusal of a call that its model wrote."""
    body = error_body("groq", 400, message, code="tool_use_failed")
    if text is not None:
        body["error"]["failed_generation"] = text
    return Answer(400, body)


@pytest.mark.parametrize(("provider", "spelling"), spread(["1", "1.0", " 1 "]))
def test_pitfall_01_integer_sent_as_a_string(talk, fake, best, provider, spelling):
    fake.on(1, Move(calls=[Call("add_to_cart", {"productId": best, "quantity": spelling})]))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert len(fake.requests) == 2
    assert errors(fake.requests[1]) == []


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_01_a_limit_sent_as_a_string_limits(talk, fake, best, provider):
    search = {"query": "fresh citrus for summer", "limit": "2", "maxPrice": "800"}
    fake.on(1, Move(calls=[Call("search_products", search)]))
    assert_added(talk(provider)(FLAGSHIP), best)
    [(name, found)] = results(fake.requests[1])
    assert name == "search_products"
    assert len(found["products"]) <= 2
    assert all(p["price"] <= 800 for p in found["products"])


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("product", ["2", 2])
def test_pitfall_01_digits_stay_a_string_where_the_schema_says_string(
    talk, fake, best, provider, product
):
    fake.on(1, Move(calls=[Call("get_product", {"productId": product})]))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert errors(fake.requests[1]) == ["unknown_product"]


def sent_back(fake, name):
    """The arguments of the first call of a tool, as our next request tells them to the model."""
    calls = [c for m in fake.requests[1].body["messages"] for c in m.get("tool_calls") or ()]
    [first, *_] = [c["function"] for c in calls if c["function"]["name"] == name]
    return json.loads(first["arguments"])


@pytest.mark.parametrize(
    ("provider", "given", "meant"),
    [
        (LIKE_OPENAI[number % 3], given, meant)
        for number, (given, meant) in enumerate(
            [
                ({"limit": "5"}, {"limit": 5}),
                ({"limit": "5.0"}, {"limit": 5}),
                ({"limit": "5."}, {"limit": 5}),
                ({"limit": " +5 "}, {"limit": 5}),
                ({"limit": "٥"}, {"limit": 5}),
                ({"limit": "۵"}, {"limit": 5}),
                ({"limit": 5.0}, {"limit": 5}),
                ({"limit": "5.5"}, {"limit": "5.5"}),
                ({"maxPrice": "800"}, {"maxPrice": 800}),
                ({"maxPrice": "799.50"}, {"maxPrice": 799.5}),
                ({"maxPrice": "٨٠٠"}, {"maxPrice": 800}),
                ({"maxPrice": "٧٩٩٫٥"}, {"maxPrice": 799.5}),
                ({"max_price": "800"}, {"maxPrice": 800}),
                ({"MaxPrice": 800}, {"maxPrice": 800}),
                ({"gender": " Women "}, {"gender": "women"}),
                ({"gender": None, "limit": 3}, {"limit": 3}),
                ({"limit": "null"}, {}),
                ({"maxPrice": " None "}, {}),
                ({"limit": [5]}, {"limit": 5}),
                ({"limit": ["5"]}, {"limit": 5}),
                ({"limit": ""}, {}),
                ({"limit": "5 bottles"}, {"limit": "5 bottles"}),
                ({"colour": "red"}, {}),
                ({"notes": "citrus"}, {"notes": ["citrus"]}),
                ({"notes": '["citrus", "musk"]'}, {"notes": ["citrus", "musk"]}),
                ({"notes": "['citrus']"}, {"notes": ["citrus"]}),
                ({"notes": ""}, {"notes": []}),
                ({"notes": ["citrus", None]}, {"notes": ["citrus"]}),
                ({"query": 2}, {"query": "2"}),
                ({"query": 2.0}, {"query": "2"}),
                ({"query": ["fresh"]}, {"query": "fresh"}),
            ]
        )
    ],
)
def test_pitfall_01_each_kind_of_value_goes_on_in_the_type_of_the_schema(
    talk, fake, provider, given, meant
):
    search = {"query": "fresh", **given}
    fake.on(1, Move(calls=[Call("search_products", search)]))
    talk(provider)(FLAGSHIP)
    told = sent_back(fake, "search_products")
    expected = {"query": "fresh", **meant}
    assert told == expected
    assert {k: type(v) for k, v in told.items()} == {k: type(v) for k, v in expected.items()}


@pytest.mark.parametrize(("provider", "spelling"), spread([[1], ["1"], "", 1.0, "1.0", " 1 ", "١"]))
def test_pitfall_01_a_quantity_in_another_shape_is_the_quantity(
    talk, fake, best, provider, spelling
):
    fake.on(1, Move(calls=[Call("add_to_cart", {"productId": best, "quantity": spelling})]))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert errors(fake.requests[1]) == []


@pytest.mark.parametrize(
    ("provider", "spelling"), spread(["2 bottles", "deux", [2, 3], {"value": 2}, 1.5, "2,0"])
)
def test_pitfall_01_a_quantity_that_is_no_number_is_refused_with_what_would_work(
    talk, fake, best, provider, spelling
):
    fake.on(1, Move(calls=[Call("add_to_cart", {"productId": best, "quantity": spelling})]))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert errors(fake.requests[1]) == ["invalid_arguments"]
    [(_, result)] = results(fake.requests[1])
    assert "quantity" in result["error"]["message"]
    assert "integer" in result["error"]["message"]


@pytest.mark.parametrize("provider", LIKE_OPENAI)
@pytest.mark.parametrize("text", ['[{"query": "fresh"}]', '["{}", "{}"]'])
def test_pitfall_01_arguments_in_a_list_of_one_are_the_arguments(talk, fake, best, provider, text):
    fake.on(1, Move(calls=[Call("search_products", text)]))
    assert_honest(talk(provider)(FLAGSHIP), best)
    if text.startswith("[{"):
        assert sent_back(fake, "search_products") == {"query": "fresh"}
    else:
        assert errors(fake.requests[1]) == ["invalid_arguments"]


@pytest.mark.parametrize("provider", LIKE_OPENAI)
@pytest.mark.parametrize("wrapper", ["arguments", "parameters", "args", "input", "kwargs"])
@pytest.mark.parametrize("twice", [False, True])
def test_pitfall_01_arguments_wrapped_in_another_object_or_text_are_the_arguments(
    talk, fake, provider, wrapper, twice
):
    arguments = {wrapper: {"query": "fresh", "limit": "3"}}
    text = json.dumps(json.dumps(arguments)) if twice else json.dumps(arguments)
    fake.on(1, Move(calls=[Call("search_products", text)]))
    talk(provider)(FLAGSHIP)
    assert sent_back(fake, "search_products") == {"query": "fresh", "limit": 3}


@pytest.mark.parametrize(
    "generation",
    [
        '<function=add_to_cart>{"productId": "%s", "quantity": "1"}</function>',
        '<function=add_to_cart{"productId": "%s", "quantity": "1"}</function>',
        '{"name": "add_to_cart", "arguments": {"productId": "%s", "quantity": "1"}}',
        '[{"name": "add_to_cart", "parameters": {"productId": "%s", "quantity": "1"}}]',
    ],
)
def test_pitfall_01_a_call_that_groq_refuses_is_recovered(talk, fake, best, generation):
    fake.on(1, failed_generation(generation % best, "tool call validation failed"))
    assert_added(talk("groq")(FLAGSHIP), best)
    assert len(fake.requests) <= 3
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_02_integer_sent_as_a_float(talk, fake, best, provider):
    search = {"query": "fresh citrus for summer", "limit": 3.0, "maxPrice": 800.0}
    fake.on(1, Move(calls=[Call("search_products", search)]))
    fake.on(2, Move(calls=[Call("add_to_cart", {"productId": best, "quantity": 1.0})]))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert len(results(fake.requests[1])[0][1]["products"]) <= 3
    assert errors(fake.requests[2]) == []


@pytest.mark.parametrize(("provider", "quantity"), spread([1.5, "1.5", "one and a half", [], {}]))
def test_pitfall_02_what_is_no_integer_is_a_clear_error_and_adds_nothing(
    talk, fake, best, provider, quantity
):
    fake.on(1, Move(calls=[Call("add_to_cart", {"productId": best, "quantity": quantity})]))
    fake.on(2, Move("Let me know which one you would like."))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    if len(fake.requests) > 1:
        [(_, content)] = results(fake.requests[1])
        assert content["error"]["code"] == "invalid_arguments"
        assert "quantity" in content["error"]["message"]


@pytest.mark.parametrize("times", [1, 2, 9])
def test_pitfall_03_array_expected_got_string_and_no_failed_generation(talk, fake, best, times):
    words = "tool call validation failed: `/notes`: expected array, but got string"
    for number in range(1, times + 1):
        fake.on(number, failed_generation(None, words))
    answer = talk("groq")(FLAGSHIP)
    assert_honest(answer, best)
    if times == 1:
        assert_added(answer, best)
    assert len(fake.requests) <= 4


@pytest.mark.parametrize(
    ("provider", "notes"), spread(["citrus, musk", '["citrus"]', "citrus", ["citrus"]])
)
def test_pitfall_03_a_list_sent_as_one_text_is_a_list(talk, fake, best, provider, notes):
    search = {"query": "a summer scent", "notes": notes, "excludeNotes": "oud"}
    fake.on(1, Move(calls=[Call("search_products", search)]))
    assert_honest(talk(provider)(FLAGSHIP), best)
    assert errors(fake.requests[1]) == []


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_04_null_for_absent_optional_fields(talk, fake, best, provider):
    search = {"query": "oud", "maxPrice": None, "gender": None, "notes": None, "limit": None}
    fake.on(1, Move(calls=[Call("search_products", search)]))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    [(_, found)] = results(fake.requests[1])
    assert found["products"]


def test_pitfall_04_groq_may_send_null_for_what_is_optional(talk, fake):
    talk("groq")(FLAGSHIP)
    schemas = {
        t["function"]["name"]: t["function"]["parameters"] for t in fake.requests[0].body["tools"]
    }
    for schema in schemas.values():
        for name, part in schema["properties"].items():
            kinds = part.get("type") if isinstance(part.get("type"), list) else [part.get("type")]
            assert (name in schema.get("required", ())) != ("null" in kinds), (name, part)


@pytest.mark.parametrize(
    ("provider", "arguments"), spread([{"query": None}, {"query": ""}, {"limit": 3}])
)
def test_pitfall_04_null_for_a_required_field_is_an_error_that_names_it(
    talk, fake, best, provider, arguments
):
    fake.on(1, Move(calls=[Call("search_products", arguments)]))
    assert_honest(talk(provider)(FLAGSHIP), best)
    [(_, content)] = results(fake.requests[1])
    assert content["error"]["code"] == "invalid_arguments"
    assert "query" in content["error"]["message"]


@pytest.mark.parametrize(
    ("provider", "text"), spread(["null", "", " ", "{}", '"{}"', "[]"], gemini=False)
)
def test_pitfall_05_arguments_are_the_json_text_null(talk, fake, best, provider, text):
    fake.on(1, Move(calls=[Call("get_cart", text)]))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert [name for name, _ in results(fake.requests[1])] == ["get_cart"]
    assert errors(fake.requests[1]) == []
    assert [r.refused for r in fake.requests] == [""] * 3


@pytest.mark.parametrize("name", ["get_cart", "contact_store"])
def test_pitfall_06_gemini_function_call_without_args(talk, fake, best, name):
    fake.on(1, Move(calls=[Call(name, None)]))
    assert_added(talk("gemini")(FLAGSHIP), best)
    [(called, content)] = results(fake.requests[1])
    assert called == name
    assert "arguments" not in str(content.get("error", ""))


@pytest.mark.parametrize("provider", LIKE_OPENAI)
@pytest.mark.parametrize("drop", [True, False])
def test_pitfall_06_a_call_without_an_arguments_key(talk, fake, best, provider, drop):
    function = {"name": "get_cart"} if drop else {"name": "get_cart", "arguments": None}
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_x1", "type": "function", "function": function}],
    }
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    fake.on(1, Answer(body={"object": "chat.completion", "model": "m", "choices": [choice]}))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert [name for name, _ in results(fake.requests[1])] == ["get_cart"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_07_extra_arguments_are_dropped(talk, fake, best, provider):
    arguments = {"productId": best, "quantity": 1, "foo": "bar", "note": {"gift": True}, "": 1}
    fake.on(1, Move(calls=[Call("add_to_cart", arguments)]))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert len(fake.requests) == 2


@pytest.mark.parametrize(
    ("provider", "arguments"), spread([{"foo": "bar"}, {"name": "the best"}, {"id": "best"}])
)
def test_pitfall_07_unknown_arguments_alone_are_an_error_that_names_what_is_missing(
    talk, fake, best, provider, arguments
):
    fake.on(1, Move(calls=[Call("remove_from_cart", arguments)]))
    fake.on(2, Move("What would you like me to remove?"))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    [(_, content)] = results(fake.requests[1])
    assert content["error"]["code"] == "invalid_arguments"
    assert "productId" in content["error"]["message"]


@pytest.mark.parametrize(
    ("provider", "control"), spread(["\n", "\t", "\r\n", "\x0b", "\x1f"], gemini=False)
)
def test_pitfall_13_raw_control_characters_in_the_arguments(talk, fake, best, provider, control):
    text = f'{{"query": "fresh{control}summer citrus", "maxPrice": 800}}'
    fake.on(1, Move(calls=[Call("search_products", text)]))
    assert_added(talk(provider)(FLAGSHIP), best)
    [(_, found)] = results(fake.requests[1])
    assert found["products"]
    assert [r.refused for r in fake.requests] == [""] * 3


@pytest.mark.parametrize("control", ["\n", "\t", "\x01"])
def test_pitfall_13_raw_control_characters_in_a_gemini_body(talk, fake, best, control):
    call = {"functionCall": {"name": "search_products", "args": {"query": "fresh@summer"}}}
    content = {"role": "model", "parts": [{**call, "thoughtSignature": "c2lnbmVkIDE="}]}
    body = json.dumps({"candidates": [{"content": content, "finishReason": "STOP"}]})
    fake.on(1, Answer(body=body.replace("@", control)))
    assert_added(talk("gemini")(FLAGSHIP), best)
    assert results(fake.requests[1])[0][1]["products"]


@pytest.mark.parametrize(
    ("provider", "text"),
    spread(
        [
            '{"productId": "',
            '{"productId": "x", "quantity": 1',
            "productId=x",
            '{"productId" "x"}',
            '"x"',
            "[1]",
        ],
        gemini=False,
    ),
)
def test_pitfall_13_arguments_that_are_no_json_are_never_run(talk, fake, best, provider, text):
    fake.on(1, Move(calls=[Call("add_to_cart", text)]))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert conversation(fake.requests[-1]).results
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)
