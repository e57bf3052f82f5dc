"""Calls in the spellings of agent frameworks and of smaller models: read for declared tools, else nothing of them is shown."""

import pytest
from shopping_agent.adapters.llm.calls import calls_in_text
from shopping_agent.adapters.llm.reply_text import holds_call_markup
from shopping_agent.application.reply_guard import shown_text
from shopping_agent.domain.conversation import ToolSpec

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
SPECS = (ADD, CART)
GIVEN = '{"productId": "p-1", "quantity": "2"}'

SPELLED = [
    # JSON under other keys
    f'{{"action": "add_to_cart", "action_input": {GIVEN}}}',
    f'```json\n{{"action": "add_to_cart", "action_input": {GIVEN}}}\n```',
    f'Action:\n```json\n{{"action": "add_to_cart", "action_input": {GIVEN}}}\n```',
    f'{{"thought": "they want it", "action": "add_to_cart", "actionInput": {GIVEN}}}',
    f'{{"add_to_cart": {GIVEN}}}',
    f'[{{"add_to_cart": {GIVEN}}}]',
    f'```json\n{{"add_to_cart": {GIVEN}}}\n```',
    f'{{"tool_call": {{"name": "add_to_cart", "arguments": {GIVEN}}}}}',
    f'{{"function_call": {{"name": "add_to_cart", "arguments": {GIVEN}}}}}',
    f'{{"functionCall": {{"name": "add_to_cart", "args": {GIVEN}}}}}',
    f'{{"toolCalls": [{{"toolName": "add_to_cart", "args": {GIVEN}}}]}}',
    f'{{"tool_uses": [{{"recipient_name": "functions.add_to_cart", "parameters": {GIVEN}}}]}}',
    f'{{"type": "tool_use", "id": "x", "name": "add_to_cart", "input": {GIVEN}}}',
    '{"tool": "add_to_cart", "productId": "p-1", "quantity": 2}',
    "{'name': 'add_to_cart', 'arguments': {'productId': 'p-1', 'quantity': 2}}",
    # tags
    f"<tool>add_to_cart</tool><args>{GIVEN}</args>",
    f"<tool>add_to_cart</tool>\n<tool_input>{GIVEN}</tool_input>",
    f"<tool_name>add_to_cart</tool_name><parameters>{GIVEN}</parameters>",
    f"<tool_call><name>add_to_cart</name><arguments>{GIVEN}</arguments></tool_call>",
    "<tool_call><tool_name>add_to_cart</tool_name><parameters><productId>p-1</productId><quantity>2</quantity>"
    "</parameters></tool_call>",
    f"<action>add_to_cart</action><action_input>{GIVEN}</action_input>",
    f"<function>add_to_cart</function>{GIVEN}",
    f'<TOOLCALL>[{{"name": "add_to_cart", "arguments": {GIVEN}}}]</TOOLCALL>',
    '<add_to_cart productId="p-1" quantity="2"/>',
    '<add_to_cart productId="p-1" quantity="2"></add_to_cart>',
    '<invoke name="add_to_cart">\n<productId>p-1</productId>\n<quantity>2</quantity>\n</invoke>',
    "<execute_tool>add_to_cart(productId='p-1', quantity=2)</execute_tool>",
    f'```xml\n<tool_call>{{"name": "add_to_cart", "arguments": {GIVEN}}}</tool_call>\n```',
    # tokens
    f'<|tool_call|>[{{"name": "add_to_cart", "arguments": {GIVEN}}}]<|/tool_call|>',
    f"<|tool_call|>add_to_cart{GIVEN}",
    f"<|tool▁call▁begin|>add_to_cart<|tool▁sep|>{GIVEN}<|tool▁call▁end|>",
    '<|tool_call>call:add_to_cart{productId:<|"|>p-1<|"|>,quantity:2}<tool_call|>',
    "<start_function_call>call:add_to_cart{productId:<escape>p-1<escape>,quantity:2}<end_function_call>",
    'call:add_to_cart{productId: "p-1", quantity: 2}',
    f'<|action_start|><|plugin|>{{"name": "add_to_cart", "parameters": {GIVEN}}}<|action_end|>',
    f"✿FUNCTION✿: add_to_cart\n✿ARGS✿: {GIVEN}\n✿RESULT✿",
    f'[TOOL_CALL]{{"name": "add_to_cart", "arguments": {GIVEN}}}[/TOOL_CALL]',
    f'[TOOL_REQUEST]{{"name": "add_to_cart", "arguments": {GIVEN}}}[END_TOOL_REQUEST]',
    # phrases
    f"[Tool call: add_to_cart({GIVEN})]",
    '[Tool call: add_to_cart(productId="p-1", quantity=2)]',
    f"[Calling add_to_cart with {GIVEN}]",
    f"[Calling tool add_to_cart with arguments {GIVEN}]",
    f"Calling tool: add_to_cart({GIVEN})",
    f"Tool: add_to_cart\nArguments: {GIVEN}",
    f"**Tool:** add_to_cart\n**Arguments:** {GIVEN}",
    f"Function: add_to_cart\nParameters: {GIVEN}",
    f"**Action:** add_to_cart\n**Action Input:** {GIVEN}",
    f"Action: add_to_cart\nInput: {GIVEN}",
    f"Action: add_to_cart\nAction Input:\n```json\n{GIVEN}\n```",
    f"Action: add_to_cart({GIVEN})",
    f"Thought: I add it.\nAction: add_to_cart\nAction Input: {GIVEN}\nObservation: added\nThought: done\nFinal Answer: It is in!",
    f"functions.add_to_cart:0{GIVEN}",
    f"assistant to=functions.add_to_cart json {GIVEN}",
    f"add_to_cart: {GIVEN}",
    f">>>add_to_cart\n{GIVEN}",
    # code
    "print(add_to_cart(productId='p-1', quantity=2))",
    "```tool_code\nprint(add_to_cart(productId='p-1', quantity=2))\n```",
    "```python\nresult = add_to_cart(productId='p-1', quantity=2)\nprint(result)\n```",
]  # fmt: skip


@pytest.mark.parametrize("before", ["", "Sure, I can.\n"])
@pytest.mark.parametrize("text", SPELLED)
def test_a_call_in_a_spelling_of_a_framework_is_read_and_leaves_nothing_behind(text, before):
    shown, calls = calls_in_text(before + text, SPECS)
    assert [(c.name, dict(c.arguments), c.fault) for c in calls] == [
        ("add_to_cart", {"productId": "p-1", "quantity": 2}, "")
    ]
    assert shown == before.strip()


@pytest.mark.parametrize("text", SPELLED)
def test_a_call_of_these_spellings_that_ends_too_early_is_never_taken_in_part(text):
    for end in range(len(text)):
        for call in calls_in_text(text[:end], SPECS)[1]:
            assert dict(call.arguments) == {"productId": "p-1", "quantity": 2}, text[:end]


@pytest.mark.parametrize("text", SPELLED)
def test_nothing_of_such_a_call_is_shown_when_no_tool_of_its_name_is_declared(text):
    shown, calls = calls_in_text(text, (CART,))
    assert calls == ()
    assert shown_text(shown, cut_off=False) in ("", "It is in!")


@pytest.mark.parametrize(
    "text",
    [
        "Sure! add_to_cart(productId='p-1', quantity=2)",
        "Sure! `add_to_cart(productId='p-1')` does it.",
        "Action: add_to_cart[p-1]",
        "/add_to_cart productId=p-1",
        '{"add_to_cart": {"productId": "p-1"',
        '{"action": "add_to_cart", "action_input": {"productId": "p-1"',
        '[TOOL_CALL]{tool => "add_to_cart", args => {--productId "p-1"}}[/TOOL_CALL]',
        "add_to_cart(p-1)",
        "print(add_to_cart('p-1', 2))",
        "<tool>add_to_cart</tool><args>p-1</args>",
        "call:add_to_cart{productId: p-1}",
    ],
)
def test_what_of_a_call_cannot_be_read_is_neither_run_nor_shown(text):
    shown, calls = calls_in_text(text, SPECS)
    assert calls == ()
    assert shown_text(shown, cut_off=False) == ""


def test_calls_of_one_reply_come_in_their_order_in_these_spellings_too():
    for text in (
        f'{{"get_cart": {{}}, "add_to_cart": {GIVEN}}}',
        f'[{{"get_cart": {{}}}}, {{"add_to_cart": {GIVEN}}}]',
        f"[Tool call: get_cart({{}})]\n[Tool call: add_to_cart({GIVEN})]",
        f"<tool>get_cart</tool><args>{{}}</args>\n<tool>add_to_cart</tool><args>{GIVEN}</args>",
        "```python\ncart = get_cart()\n# then\nadded = add_to_cart(productId='p-1')\nprint(added)\n```",
    ):
        shown, calls = calls_in_text(text, SPECS)
        assert [c.name for c in calls] == ["get_cart", "add_to_cart"], text
        assert shown == "", text


ORDINARY = [
    'The feed is JSON, such as {"notes": ["oud"], "size": 50}, and holds no prices.',
    'We export JSON: {"colour": "amber"}.',
    "Action: a brave woody scent by Oud House, 690 MAD.",
    "Action by Oud House (50 ml) and Function by Amber & Co are both in stock.",
    "Call: +212 600 000 000. Calling hours: 10:00-18:00.",
    "Tool: a travel atomiser. Arguments for it: light, refillable.",
    "Prices in braces: {690 MAD}, {1 200 MAD}, [50 ml], (100 ml).",
    "Input: none is needed to order. Parameters: size and price.",
    "<3 this one <b>really</b> <name>",
    "Thought: what would she like? Something green.",
    "Observation: the top notes fade within the hour.",
    "```\nget two, pay for one\n```",
    "Print(ed) labels, call(ed) by name; recommend (warmly) {50 ml}.",
    "Use the tool: add water. Then action!",
    "He wrote: {'a': 1} means nothing here.",
    "✿ Neroli Bloom ✿ 690 MAD",
    "* Action: 690 MAD\n* Input: 480 MAD",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_a_text_that_only_uses_these_words_and_signs_passes_unchanged(text):
    assert calls_in_text(text, SPECS) == (text, ())
    assert not holds_call_markup(text)


@pytest.mark.parametrize(
    "text",
    ["{'a':" * 12_000, "add_to_cart{" * 5_000, "Action: x\n" * 6_000, "`" * 60_000, "a_" * 30_000,
     '<add_to_cart a="b" ' * 3_000, "<tool>a</tool>" * 4_000, "✿FUNCTION✿" * 5_000, "x{'" * 20_000,
     "add_to_cart" + " " * 50_000 + "{", "Thought: x\n" * 5_000],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_hostile_texts_of_these_spellings_are_read_in_bounded_time(text):
    shown, calls = calls_in_text(text, SPECS)
    assert calls == ()
    assert len(shown) <= len(text)
