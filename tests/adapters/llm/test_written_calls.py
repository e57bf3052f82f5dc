"""Tool calls that a model wrote into its text: found for declared tools, cut out in any case, never imagined."""

import pytest
from shopping_agent.adapters.llm.calls import calls_in_text
from shopping_agent.adapters.llm.reply_text import holds_call_markup, shown_text
from shopping_agent.domain.conversation import ToolSpec

SEARCH = ToolSpec(
    "search_products",
    "Finds products.",
    {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "limit": {"type": "integer"},
            "notes": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["query"],
    },
)
CART = ToolSpec("get_cart", "The cart.", {"type": "object", "properties": {}})
SPECS = (SEARCH, CART)
FOUND = ("search_products", {"query": "x", "limit": 5})

ONE_CALL = {
    "llama tag": '<function=search_products>{"query": "x", "limit": "5"}</function>',
    "llama tag without its end": '<function=search_products>{"query": "x", "limit": "5"}',
    "llama tag without a bracket": '<function=search_products{"query": "x", "limit": 5}</function>',
    "llama tag with a comma": '<function=search_products,{"query": "x", "limit": 5}</function>',
    "llama tag in brackets": '<function(search_products)>{"query": "x", "limit": 5}</function>',
    "llama tag and dashes": '<function=search_products{"query": "x", "limit": 5},-----',
    "lost beginning": 'search_products{"query": "x", "limit": "5"}</function>',
    "lost beginning with a space": 'search_products {"query": "x", "limit": "5"} </function>',
    "named tag": '<function name="search_products">{"query": "x", "limit": 5}</function>',
    "hermes": '<tool_call>\n{"name": "search_products", "arguments": {"query": "x", "limit": 5}}\n</tool_call>',
    "hermes without its end": '<tool_call>{"name": "search_products", "arguments": {"query": "x", "limit": 5}}',
    "hermes in capitals": '<TOOL_CALL>{"name": "search_products", "arguments": {"query": "x", "limit": 5}}</TOOL_CALL>',
    "function call tag": '<function_call>{"name": "search_products", "arguments": {"query": "x", "limit": 5}}</function_call>',
    "arguments in a text": '<tool_call>{"name": "search_products", "arguments": "{\\"query\\": \\"x\\", \\"limit\\": 5}"}</tool_call>',
    "name and object": '<tool_call>search_products\n{"query": "x", "limit": 5}</tool_call>',
    "name and brackets": '<tool_call>search_products({"query": "x", "limit": 5})</tool_call>',
    "qwen coder": "<tool_call>\n<function=search_products>\n<parameter=query>\nx\n</parameter>\n<parameter=limit>\n5\n</parameter>\n</function>\n</tool_call>",
    "glm": "<tool_call>search_products\n<arg_key>query</arg_key>\n<arg_value>x</arg_value>\n<arg_key>limit</arg_key>\n<arg_value>5</arg_value>\n</tool_call>",
    "grok": '<xai:function_call name="search_products">\n<parameter name="query">x</parameter>\n<parameter name="limit">5</parameter>\n</xai:function_call>',
    "grok with an object": '<xai:function_call>{"name": "search_products", "arguments": {"query": "x", "limit": 5}}</xai:function_call>',
    "invoke": '<invoke name="search_products"><parameter name="query">x</parameter><parameter name="limit">5</parameter></invoke>',
    "function calls": '<function_calls>\n<invoke name="search_products">\n<parameter name="query">x</parameter>\n<parameter name="limit">5</parameter>\n</invoke>\n</function_calls>',
    "dsml": '<｜DSML｜function_calls>\n<｜DSML｜invoke name="search_products">\n<｜DSML｜parameter name="query" string="true">x</｜DSML｜parameter>\n<｜DSML｜parameter name="limit" string="false">5</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    "deepseek tokens": '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search_products\n```json\n{"query": "x", "limit": 5}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    "newer deepseek tokens": '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search_products<｜tool▁sep｜>{"query": "x", "limit": 5}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    "kimi tokens": '<|tool_calls_section_begin|><|tool_call_begin|>functions.search_products:0<|tool_call_argument_begin|>{"query": "x", "limit": 5}<|tool_call_end|><|tool_calls_section_end|>',
    "gpt-oss channels": '<|channel|>analysis<|message|>They want x.<|end|><|start|>assistant<|channel|>commentary to=functions.search_products <|constrain|>json<|message|>{"query": "x", "limit": 5}<|call|>',
    "mistral": '[TOOL_CALLS][{"name": "search_products", "arguments": {"query": "x", "limit": 5}}]',
    "newer mistral": '[TOOL_CALLS]search_products[ARGS]{"query": "x", "limit": 5}',
    "llama python tag": '<|python_tag|>{"name": "search_products", "parameters": {"query": "x", "limit": 5}}<|eom_id|>',
    "llama python call": '<|python_tag|>search_products.call(query="x", limit=5)<|eom_id|>',
    "gemini's message": 'Malformed function call: search_products(query="x", limit=5)',
    "gemini's message, decorated": "Malformed function call: print(default_api.search_products(query='x', limit=5))",
    "gemini's python": "print(default_api.search_products(query='x', limit=5))",
    "gemini's python in a fence": "```tool_code\nprint(default_api.search_products(query='x', limit=5))\n```",
    "python in a fence": "```python\nprint(search_products(query='x', limit=5))\n```",
    "python alone": 'search_products(query="x", limit=5)',
    "python list": '[search_products(query="x", limit=5)]',
    "json alone": '{"name": "search_products", "arguments": {"query": "x", "limit": 5}}',
    "json with parameters": '{"name": "search_products", "parameters": {"query": "x", "limit": "5"}}',
    "json in a fence": '```json\n{"name": "search_products", "arguments": {"query": "x", "limit": 5}}\n```',
    "json in a bare fence": '```\n{"name": "search_products", "arguments": {"query": "x", "limit": 5}}\n```',
    "json list": '[{"name": "search_products", "arguments": {"query": "x", "limit": 5}}]',
    "openai's object": '{"id": "1", "type": "function", "function": {"name": "search_products", "arguments": "{\\"query\\": \\"x\\", \\"limit\\": 5}"}}',
    "groq's object": '{"tool_calls": [{"id": "pending", "type": "function", "function": {"name": "search_products"}, "parameters": {"query": "x", "limit": 5}}]}',
    "groq's object in a fence": '```\n{\n  "tool_calls": [{"id": "pending", "function": {"name": "search_products"}, "parameters": {"query": "x", "limit": 5}}]\n}\n```',
    "react": 'Thought: I need products\nAction: search_products\nAction Input: {"query": "x", "limit": 5}',
    "tag of its name": '<search_products>{"query": "x", "limit": 5}</search_products>',
    "tags of its names": "<search_products>\n<query>x</query>\n<limit>5</limit>\n</search_products>",
    "decorated json": 'functions.search_products({"query": "x", "limit": 5})',
}  # fmt: skip


@pytest.mark.parametrize("text", ONE_CALL.values(), ids=ONE_CALL)
def test_a_call_is_found_in_every_spelling(text):
    shown, calls = calls_in_text(text, SPECS)
    assert [(c.name, dict(c.arguments), c.fault) for c in calls] == [(*FOUND, "")]
    assert shown == ""


@pytest.mark.parametrize("text", ONE_CALL.values(), ids=ONE_CALL)
def test_what_stands_before_a_call_is_kept(text):
    shown, calls = calls_in_text("Let me look.\n\n" + text, SPECS)
    if text.startswith(("search_products(", "functions.search_products(", "[search_products(")):
        assert shown.startswith(
            "Let me look."
        )  # alone it is a call, in a sentence it may be anything
    else:
        assert len(calls) == 1
        assert shown == "Let me look."


@pytest.mark.parametrize("text", ONE_CALL.values(), ids=ONE_CALL)
def test_a_call_of_no_declared_tool_is_not_taken(text):
    other = ToolSpec("other_tool", "Other.", {})
    _, calls = calls_in_text(text, (other,))
    assert calls == ()
    assert calls_in_text(text, ())[1] == ()


HIDDEN = [
    text for name, text in ONE_CALL.items()
    if name not in ("python alone", "python list", "python in a fence", "tag of its name", "tags of its names",
                    "decorated json")
]  # fmt: skip


@pytest.mark.parametrize("text", HIDDEN)
def test_markup_of_an_undeclared_call_is_not_shown(text):
    foreign = text.replace("search_products", "brave_search")
    shown, calls = calls_in_text("Hello.\n" + foreign, SPECS)
    assert calls == ()
    for sign in ("<", "brave_search(", '"name"', "```", "[TOOL"):
        assert sign not in shown, shown
    assert holds_call_markup(foreign)


@pytest.mark.parametrize("text", ONE_CALL.values(), ids=ONE_CALL)
def test_a_call_that_ends_too_early_is_never_taken(text):
    for end in range(len(text)):
        for call in calls_in_text(text[:end], SPECS)[1]:
            assert (call.name, dict(call.arguments)) == FOUND, text[:end]


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "search_products", "arguments": {"query": "x", "lim',
        '<function=search_products>{"query": "x',
        "print(default_api.search_products(query='x",
        '[TOOL_CALLS][{"name": "search_products", "arguments": {"query":',
        '<invoke name="search_products"><parameter name="query">x',
        "Malformed function call: search_products(query=x)",
        "Malformed function call: search_products('x')",
        "```tool_code\nprint(default_api.search_products(query=f()))\n```",
        "print(default_api.search_products(**{'query': 'x'}))",
        "<function=search_products>nonsense</function>",
    ],
)
def test_an_unreadable_call_is_neither_run_nor_shown(text):
    shown, calls = calls_in_text("One moment.\n" + text, SPECS)
    assert calls == ()
    assert shown == "One moment."
    assert holds_call_markup(text)


def test_several_calls_come_in_their_order():
    texts = (
        '<tool_call>{"name": "get_cart", "arguments": {}}</tool_call>\n<tool_call>{"name": "search_products", "arguments": {"query": "x"}}</tool_call>',
        '<tool_call>\n{"name": "get_cart", "arguments": {}}\n{"name": "search_products", "arguments": {"query": "x"}}\n</tool_call>',
        "```tool_code\nprint(default_api.get_cart())\nprint(default_api.search_products(query='x'))\n```",
        "```tool_code\nget_cart()\nsearch_products(query='x')\n```",
        '[get_cart(), search_products(query="x")]',
        '<|python_tag|>{"name": "get_cart", "parameters": {}}; {"name": "search_products", "parameters": {"query": "x"}}',
        '[{"name": "get_cart", "arguments": {}}, {"name": "search_products", "arguments": {"query": "x"}}]',
        '<function=get_cart></function><function=search_products>{"query": "x"}</function>',
        '<function_calls><invoke name="get_cart"></invoke><invoke name="search_products"><parameter name="query">x</parameter></invoke></function_calls>',
    )
    for text in texts:
        shown, calls = calls_in_text(text, SPECS)
        assert [c.name for c in calls] == ["get_cart", "search_products"], text
        assert shown == "", text


def test_text_on_both_sides_of_a_call_is_kept():
    shown, calls = calls_in_text(
        'Before.\n<tool_call>{"name": "get_cart", "arguments": {}}</tool_call>\nAfter (it).', SPECS
    )
    assert len(calls) == 1
    assert shown.split() == ["Before.", "After", "(it)."]


def test_brackets_and_quotes_inside_arguments_do_not_end_them():
    for text in (
        """print(default_api.search_products(query='a)b"]} \\' (', notes=["(", '[']))""",
        'search_products(query="it\'s )", limit=5)',
    ):
        shown, calls = calls_in_text(text, SPECS)
        assert len(calls) == 1
        assert shown == ""
    assert calls_in_text(r"print(default_api.search_products(query='\d+ \x'))", SPECS)[1] == ()
    assert (
        calls_in_text(r"print(default_api.search_products(query='50\d'))", SPECS)[1][0].arguments[
            "query"
        ]
        == r"50\d"
    )


def test_a_call_that_was_only_thought_about_is_none():
    thought = '<tool_call>{"name": "get_cart", "arguments": {}}</tool_call>'
    for text in (
        f"<think>Maybe {thought}?</think>Hello.",
        f"Maybe {thought}?</think>Hello.",
        f"<|channel|>analysis<|message|>{thought}<|end|><|start|>assistant<|channel|>final<|message|>Hello.",
    ):
        assert calls_in_text(text, SPECS) == ("Hello.", ())


def test_there_is_an_end_to_the_calls_of_a_text():
    text = '<tool_call>{"name": "get_cart", "arguments": {}}</tool_call>\n' * 100
    shown, calls = calls_in_text(text, SPECS)
    assert 0 < len(calls) <= 32
    assert shown == ""


@pytest.mark.parametrize(
    "text",
    ["<" * 5_000, "{" * 5_000, "[" * 5_000, "(" * 5_000, "search_products(" * 500, "<function=" * 500,
     '{"name":' * 500, "a" * 20_000 + "{", "<think>" * 500, "</think>" * 500, "```tool_code\n" * 300,
     "<tool_call>" * 300, "print(" * 500 + "default_api." * 300, "Action:\n" * 500, "x.y" * 3_000 + "{}</function>"],
    ids=lambda text: text[:16],
)  # fmt: skip
def test_hostile_texts_are_read_in_bounded_time(text):
    calls_in_text(text, SPECS)


TRUTHFUL = [
    "I love it <3",
    "Prices < 800 MAD and > 200 MAD",
    "a < b > c",
    "Neroli Bloom (690 MAD) is in your cart.",
    "Its function is to freshen; the function of musk is depth.",
    "Call us: +212 600 000 000 (10:00-18:00)",
    "Use code {SUMMER} at checkout",
    "Use the code `FRESH10` for 10 % off.",
    "The options are {50 ml, 100 ml}.",
    '{"oud": "woody", "neroli": "floral"}',
    '{"name": "Neroli Bloom", "price": 690}',
    "[1] Neroli Bloom\n[2] Oud Royal",
    "[Neroli Bloom](https://shop.example/p/p-102) — 690 MAD",
    "I'll search_products for you? No: here they are.",
    "We tool around; the tool call centre is open.",
    "Thinking of a gift? Think: what does she like?",
    "Analysis: fresh and light.",
    "analysis of the notes: citrus on top",
    "Action: none needed. Your cart is empty.",
    "1 < 2, and x > y | z",
    "🙂 <- that one",
    "أنصحك بعطر نيرولي (690 درهم) <3",
    "واش بغيتي {50 مل} ولا [100 مل]؟",
    "Le prix est < 800 MAD ; l'ajout est fait (quantité : 2).",
    "C'est « frais » – pour l'été…",
    "| name | price |\n|---|---|\n| Neroli | 690 |",
    "**Neroli Bloom** — *690 MAD*\n- top: bergamot\n- base: musk",
    "Print (on the box) is gold; print(ed) too.",
    "```\nNeroli Bloom  690 MAD\nOud Royal    1200 MAD\n```",
    "Reasoning: it is in stock; parameter of choice: longevity.",
    "e-mail: help@shop.example, data name: none",
    "Malformed bottles are replaced.",
    "The default is 50 ml.",
    "Discount = 10% (ends 12/31); total: 1.234,50 MAD",
    "a|b <|> c",
    "He said \"name\": 'arguments' matter.",
    "return to=home",
    "ratio 3:1 {top:heart}",
]  # fmt: skip


@pytest.mark.parametrize("text", TRUTHFUL)
def test_an_ordinary_text_passes_unchanged(text):
    assert calls_in_text(text, SPECS) == (text, ())
    assert shown_text(text) == text
    assert not holds_call_markup(text)
