"""Pitfalls 8-12 and 14: calls of no tool, without a name, written as text, failed, forced, and for ever."""

import json

import pytest
from shopping_agent.adapters.llm.faults import fault_of

from functions.local.fake_provider import Answer, Call, Move
from functions.local.fake_provider.refusals import error_body
from tests.pitfalls.turns import (
    FLAGSHIP,
    LIKE_OPENAI,
    PROVIDERS,
    assert_added,
    assert_honest,
    errors,
    results,
    spread,
)

MOST_REQUESTS = 14


@pytest.mark.parametrize(
    ("provider", "name"), spread(["list_files", "brave_search", "repo_browser.open_file"])
)
def test_pitfall_08_a_tool_that_was_never_declared(talk, fake, best, provider, name):
    fake.on(1, Move(calls=[Call(name, {"path": "."})]))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert len(fake.requests) == 3
    assert errors(fake.requests[1]) == ["unknown_tool"]
    assert [r.refused for r in fake.requests] == [""] * 3


@pytest.mark.parametrize(
    ("provider", "prefix"), spread(["default_api.", "default_api:", "functions.", "default_api/"])
)
def test_pitfall_08_a_decorated_name_is_the_tool_that_it_decorates(
    talk, fake, best, provider, prefix
):
    fake.on(1, Move(calls=[Call(f"{prefix}add_to_cart", {"productId": best})]))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert [r.refused for r in fake.requests] == ["", ""]


DECORATED = [
    "default_api. add_to_cart",
    "function.add_to_cart",
    "tools.add_to_cart",
    "tool:add_to_cart",
    "api.add_to_cart",
    "functions::add_to_cart",
    "FUNCTIONS.add_to_cart",
    "functions.default_api.add_to_cart",
    "commentary to=functions.add_to_cart",
    "add_to_cart()",
    "add_to_cart:0",
    "functions.add_to_cart:12",
    "add_to_cart json",
    "add_to_cart code",
    "add_to_cart commentary",
    "add_to_cart<|channel|>commentary",
    "add_to_cart<｜tool▁sep｜>",
    "add_to_cart</function>",
    "`add_to_cart`",
    '"add_to_cart"',
    " add_to_cart ",
    "ADD_TO_CART",
    "addToCart",
    "add-to-cart",
]


@pytest.mark.parametrize(("provider", "name"), spread(DECORATED))
def test_pitfall_08_each_decoration_of_a_name_is_taken_off(talk, fake, best, provider, name):
    fake.on(1, Move(calls=[Call(name, {"productId": best})]))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert len(fake.requests) == 2
    assert [r.refused for r in fake.requests] == ["", ""]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_08_undeclared_tools_for_ever_end_in_an_answer(talk, fake, best, provider):
    fake.always(Move(calls=[Call("list_files", {})]))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    assert len(fake.requests) <= MOST_REQUESTS


@pytest.mark.parametrize("always", [False, True])
def test_pitfall_08_geminis_unexpected_tool_call_never_ends_the_turn_empty(
    talk, fake, best, always
):
    candidate = {
        "content": {},
        "finishReason": "UNEXPECTED_TOOL_CALL",
        "finishMessage": "Model tried to call an undeclared function: read_shelf",
        "index": 0,
    }
    answered = Answer(body={"candidates": [candidate]})
    fake.on(0 if always else 1, answered)
    answer = talk("gemini")(FLAGSHIP)
    assert_honest(answer, best)
    if not always:
        assert_added(answer, best)
    assert len(fake.requests) <= MOST_REQUESTS


@pytest.mark.parametrize(("provider", "arguments"), spread(['""', "{}", '{"productId": "x"}']))
def test_pitfall_09_an_empty_tool_name_is_never_sent_back(talk, fake, best, provider, arguments):
    fake.on(1, Move(calls=[Call("", arguments)]))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)
    assert len(fake.requests) <= 3


@pytest.mark.parametrize(("provider", "name"), spread([None, 7, "   ", {}], gemini=False))
def test_pitfall_09_a_tool_name_that_is_no_text(talk, fake, best, provider, name):
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    fake.on(1, Answer(body={"object": "chat.completion", "model": "m", "choices": [choice]}))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_09_nameless_calls_for_ever_are_no_success(talk, fake, best, provider):
    fake.always(Move(calls=[Call("", {})]))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    assert len(fake.requests) <= MOST_REQUESTS
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)


SPELLINGS = {
    "groq": '<function=add_to_cart>{"productId": "%s", "quantity": "1"}</function>',
    "no_tag": 'add_to_cart{"productId": "%s"}</function>',
    "cut": '<function=add_to_cart{"productId": "%s", "quantity": 1},-----',
    "malformed": 'Malformed function call: add_to_cart(productId="%s", quantity=1)',
    "xai": '<xai:function_call name="add_to_cart"><parameter name="productId">%s</parameter></xai:function_call>',
    "qwen": '<tool_call>\n{"name": "add_to_cart", "arguments": {"productId": "%s"}}\n</tool_call>',
    "code": '```tool_code\nprint(default_api.add_to_cart(productId="%s", quantity=1))\n```',
    "harmony": '<|channel|>commentary to=functions.add_to_cart <|constrain|>json<|message|>{"productId": "%s"}<|call|>',
    "bare": '{"name": "add_to_cart", "arguments": {"productId": "%s", "quantity": 1}}',
    "announced": 'I will add it now.\n<function=add_to_cart>{"productId": "%s"}</function>\nDone!',
    "fun_paren": '<function(add_to_cart)>{"productId": "%s"}</function>',
    "fun_slash": '<function/add_to_cart>{"productId": "%s"}</function>',
    "pytag": '<|python_tag|>add_to_cart{"productId": "%s"}',
    "pytag_json": '<|python_tag|>{"name": "add_to_cart", "parameters": {"productId": "%s"}}<|eom_id|>',
    "space": 'add_to_cart {"productId": "%s"}',
    "fence": 'Adding it.\n```json\n{"name": "add_to_cart", "arguments": {"productId": "%s"}}\n```',
    "invoke": '<function_calls>\n<invoke name="add_to_cart">\n<parameter name="productId">%s</parameter>\n</invoke>\n</function_calls>',
    "mistral": '[TOOL_CALLS][{"name": "add_to_cart", "arguments": {"productId": "%s"}}]',
    "mistral2": '[TOOL_CALLS]add_to_cart[ARGS]{"productId": "%s"}',
    "kimi": '<|tool_calls_section_begin|><|tool_call_begin|>functions.add_to_cart:0<|tool_call_argument_begin|>{"productId": "%s"}<|tool_call_end|><|tool_calls_section_end|>',
    "glm": "<tool_call>add_to_cart\n<arg_key>productId</arg_key>\n<arg_value>%s</arg_value>\n</tool_call>",
    "qwencoder": "<tool_call>\n<function=add_to_cart>\n<parameter=productId>\n%s\n</parameter>\n</function>\n</tool_call>",
    "deepseek": '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>add_to_cart\n```json\n{"productId": "%s"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    "react": 'Thought: add it\nAction: add_to_cart\nAction Input: {"productId": "%s"}',
    "python": 'add_to_cart(productId="%s")',
    "python_list": '[add_to_cart(productId="%s", quantity=1)]',
    "tooluse": '<tool-use>{"tool_call": {"name": "add_to_cart", "parameters": {"productId": "%s"}}}</tool-use>',
    "tool_calls_obj": '{"tool_calls": [{"id": "pending", "type": "function", "function": {"name": "add_to_cart"}, "parameters": {"productId": "%s"}}]}',
    "toolcode_tag": "<tool_code>\nprint(add_to_cart(productId='%s'))\n</tool_code>",
    "functools": 'functools[{"name": "add_to_cart", "arguments": {"productId": "%s"}}]',
    "minimax": '<minimax:tool_call>\n<invoke name="add_to_cart">\n<parameter name="productId">%s</parameter>\n</invoke>\n</minimax:tool_call>',
    "think_call": '<think>I should add</think>\n<tool_call>{"name":"add_to_cart","arguments":{"productId":"%s"}}</tool_call>',
    "harmony2": '<|start|>assistant<|channel|>commentary to=functions.add_to_cart json<|message|>{"productId": "%s"}',
    "fn_attr": '<function name="add_to_cart">{"productId": "%s"}</function>',
    "fn_params": "<function=add_to_cart><parameter=productId>%s</parameter></function>",
    "double": '{"function": "add_to_cart", "args": {"productId": "%s"}}',
    "type": '{"type": "function", "name": "add_to_cart", "parameters": {"productId": "%s"}}',
    "action": '```json\n{"action": "add_to_cart", "action_input": {"productId": "%s"}}\n```',
    "keyed": '{"add_to_cart": {"productId": "%s", "quantity": 1}}',
    "tool_args": '<tool>add_to_cart</tool><args>{"productId": "%s"}</args>',
    "bracketed": '[Tool call: add_to_cart({"productId": "%s"})]',
    "gemma": "<start_function_call>call:add_to_cart{productId:<escape>%s<escape>}<end_function_call>",
    "printed": 'Adding it.\nprint(add_to_cart(productId="%s"))',
    "imagined": 'Action: add_to_cart\nAction Input: {"productId": "%s"}\nObservation: added 5\nFinal Answer: 5 added!',
    "attributes": '<add_to_cart productId="%s" quantity="1"/>',
    "openai_obj": '{"type": "function", "function": {"name": "add_to_cart", "arguments": "{\\"productId\\": \\"%s\\"}"}}',
}


@pytest.mark.parametrize(("provider", "spelling"), spread(sorted(SPELLINGS)))
def test_pitfall_10_a_call_written_inside_the_text_is_run(talk, fake, best, provider, spelling):
    fake.on(1, Move(SPELLINGS[spelling] % best))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert len(fake.requests) <= 3
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)


@pytest.mark.parametrize("spelling", sorted(SPELLINGS))
def test_pitfall_10_a_call_that_is_written_for_ever_is_never_shown(talk, fake, best, spelling):
    fake.always(Move("Great choice! " + SPELLINGS[spelling] % "no-such"))
    answer = talk("gemini")(FLAGSHIP)
    assert_honest(answer, best)
    leaked = [
        bad
        for bad in ("no-such", "add_to_cart", "｜", "Action", "[", "<")
        if bad in answer.json["answer"]
    ]
    assert leaked == []


UNREADABLE = [
    '<tool_call>\n{"name": "add_to_cart", "arguments": {"productId": "neroli',
    '<function=web_search>{"query": "x", "count": "5"}</function>',
    '<function=message{"channel": "cli", "text": ',
    "<tool_call>add_to_cart</tool_call>",
    "Malformed function call: (",
    "<|start|>assistant<|channel|>analysis<|message|>the shopper wants<|end|>",
    "<think>They want the best one. I should add it.</think>",
    "<think>They want the best one",
    "<xai:function_call>",
    '{"add_to_cart": {"productId": "neroli',
    '{"action": "message", "action_input": {"text": "They want',
    "Action: add_to_cart[neroli]",
    "Sure: add_to_cart(productId='neroli') is what I call.",
]


@pytest.mark.parametrize(("provider", "text"), spread(UNREADABLE))
def test_pitfall_10_markup_that_is_no_call_is_never_shown(talk, fake, best, provider, text):
    fake.on(1, Move(text))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert len(fake.requests) <= 4


@pytest.mark.parametrize(("provider", "text"), spread(UNREADABLE))
def test_pitfall_10_markup_for_ever_is_never_shown(talk, fake, best, provider, text):
    fake.always(Move(text))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    assert "They want" not in answer.json["answer"]
    assert len(fake.requests) <= MOST_REQUESTS


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_10_a_text_around_markup_is_shown_without_it(talk, fake, best, provider):
    fake.on(
        2, Move('<think>done</think>All set, it is in your cart.<function=bye>{"a": 1}</function>')
    )
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    assert "bye" not in answer.json["answer"]


def test_pitfall_11_tool_use_failed_inside_a_200_stream_against_the_decoder():
    error = error_body("groq", 400, "Failed to call a function.", code="tool_use_failed")["error"]
    generation = '<function=search_products{"query": "x"}'
    frame = {"error": {**error, "failed_generation": generation, "status_code": 400}}
    as_400 = fault_of(400, {}, json.dumps({"error": error}), provider="groq")
    in_200 = fault_of(200, {}, json.dumps(frame), provider="groq")
    assert (in_200.kind, in_200.remedy) == (as_400.kind, as_400.remedy) == ("malformed", "again")


@pytest.mark.parametrize("provider", LIKE_OPENAI)
@pytest.mark.parametrize("framed", [True, False])
def test_pitfall_11_an_error_inside_a_200_is_an_error(talk, fake, best, provider, framed):
    error = error_body("groq", 400, "Failed to call a function.", code="tool_use_failed")
    error["error"]["status_code"] = 400
    chunk = {"object": "chat.completion.chunk", "choices": [{"delta": {"content": "I added"}}]}
    stream = "".join(f"data: {json.dumps(c)}\n\n" for c in (chunk, chunk, error))
    fake.on(1, Answer(body=stream if framed else error))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert len(fake.requests) <= 3


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_12_a_tool_is_never_named_as_the_choice(talk, fake, best, provider):
    assert_added(talk(provider, "searches")(FLAGSHIP), best)
    for request in fake.requests:
        assert request.body.get("tool_choice", "auto") in ("auto", "none")
        config = (request.body.get("toolConfig") or {}).get("functionCallingConfig") or {}
        assert config.get("mode", "AUTO") in ("AUTO", "NONE", "VALIDATED")


@pytest.mark.parametrize("provider", LIKE_OPENAI)
def test_pitfall_12_a_tool_choice_that_does_not_exist_is_our_error_and_falls_back(
    talk, fake, best, provider
):
    fake.always(Answer(400, error_body(provider, 400, "The requested tool does not exist")))
    answer = talk(provider)(FLAGSHIP)
    assert_added(answer, best)
    assert len(fake.requests) <= 2


@pytest.mark.parametrize(
    ("provider", "call"),
    spread(
        [
            Call("search_products", {"query": "fresh"}),
            Call("get_cart", {}),
            Call("search_guides", {"query": "delivery"}),
            Call("get_product", {"productId": "nothing"}),
        ]
    ),
)
def test_pitfall_14_the_same_call_for_ever(talk, fake, best, provider, call):
    fake.always(Move(calls=[call]))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    assert len(fake.requests) <= 6


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_14_the_same_add_for_ever_adds_once(talk, fake, best, provider):
    fake.always(Move(calls=[Call("add_to_cart", {"productId": best, "quantity": 1})]))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    assert answer.cart == {best: 1}
    assert len(fake.requests) <= 6


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_14_a_call_that_always_differs_meets_the_step_limit(talk, fake, best, provider):
    for number in range(1, 40):
        fake.on(number, Move(calls=[Call("search_products", {"query": f"scent {number}"})]))
    answer = talk(provider, MAX_TOOL_CALLS=5)(FLAGSHIP)
    assert_honest(answer, best)
    assert len(fake.requests) <= 7
    assert sum(len(results(r)) for r in fake.requests[-1:]) <= 5


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_14_calls_in_one_batch_count_towards_the_limit(talk, fake, best, provider):
    calls = [Call("search_products", {"query": f"scent {n}"}) for n in range(12)]
    fake.always(Move(calls=calls))
    answer = talk(provider, MAX_TOOL_CALLS=4)(FLAGSHIP)
    assert_honest(answer, best)
    assert len(fake.requests) <= 3
