"""What a Gemini reply means, whatever its parts and its reason to finish: bodies through the real SDK over real HTTP."""

from typing import Any

import pytest
from shopping_agent.adapters.llm.gemini import GeminiModel
from shopping_agent.domain.conversation import ModelRequest, ToolSpec, UserMessage
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.errors import LanguageModelError

SEARCH = ToolSpec(
    "search_products",
    "Finds products.",
    {
        "type": "object",
        "properties": {"query": {"type": "string"}, "maxPrice": {"type": "integer"}},
        "required": ["query"],
    },
)
CART = ToolSpec("get_cart", "The cart.", {"type": "object", "properties": {}})
USAGE = {"promptTokenCount": 10, "candidatesTokenCount": 3, "totalTokenCount": 20}
CALL = {"functionCall": {"name": "get_cart", "args": {}}}
ABSENT = object()


def body(*parts, finish="STOP", content=ABSENT, **fields):
    candidate = {"finishReason": finish, "index": 0, **fields}
    if content is ABSENT:
        content = {"role": "model", "parts": list(parts)}
    return {
        "candidates": [candidate if content is None else {"content": content, **candidate}],
        "usageMetadata": USAGE,
        "modelVersion": "gemini-3.8-flash",
    }


@pytest.fixture
def answered(provider_server):
    """Our reading of a body."""
    model = GeminiModel(
        base_url=provider_server.url,
        api_key="k",
        model="gemini-3.8-flash",
        temperature=0.2,
        max_tokens=700,
    )

    def answer(reply, *, tools=(SEARCH, CART), tool_choice: Any = "auto"):
        provider_server.replies = [reply]
        request = ModelRequest(
            system="s",
            messages=(UserMessage("hello"),),
            tools=tools,
            query=ShopperQuery("hello", "en"),
            tool_choice=tool_choice,
        )
        return model.complete(request, Deadline.after(10))

    yield answer
    model.close()


@pytest.fixture
def failed(answered):
    def fail(reply, **options):
        with pytest.raises(LanguageModelError) as raised:
            answered(reply, **options)
        assert raised.value.input_tokens == 10
        assert raised.value.output_tokens == 10
        return raised.value

    return fail


@pytest.mark.parametrize(
    ("part", "arguments"),
    [
        (
            {"name": "search_products", "args": {"query": "oud", "maxPrice": "5"}},
            {"query": "oud", "maxPrice": 5},
        ),
        (
            {"name": "search_products", "args": {"query": "oud", "maxPrice": 5.0}},
            {"query": "oud", "maxPrice": 5},
        ),
        ({"name": "search_products", "args": {"query": "oud", "maxPrice": None}}, {"query": "oud"}),
        ({"name": "default_api.search_products", "args": {"query": "oud"}}, {"query": "oud"}),
        ({"name": "search_products", "args": {"query": "a\nb"}}, {"query": "a\nb"}),
    ],
)
def test_a_call_is_read_by_its_schema(answered, part, arguments):
    reply = answered(body({"functionCall": part}))
    [call] = reply.tool_calls
    assert (reply.finish, call.name, call.arguments, call.id) == (
        "tool_calls",
        "search_products",
        arguments,
        "",
    )
    assert not call.fault


def test_a_call_without_arguments_is_one_with_none(answered):
    [call] = answered(body({"functionCall": {"name": "get_cart"}})).tool_calls
    assert (call.name, call.arguments, call.fault) == ("get_cart", {}, "")


def test_parallel_calls_keep_their_order_and_their_ids(answered):
    parts = [{"functionCall": {"id": f"i{n}", "name": "get_cart", "args": {}}} for n in range(3)]
    reply = answered(body({"text": "Let me see."}, *parts))
    assert [call.id for call in reply.tool_calls] == ["i0", "i1", "i2"]
    assert reply.text == "Let me see."


@pytest.mark.parametrize("call", [{"name": ""}, {}, {"name": None, "args": {}}])
def test_a_call_without_a_name_cannot_run(answered, call):
    [read] = answered(body({"functionCall": call})).tool_calls
    assert read.fault


def test_thoughts_are_never_shown(answered):
    reply = answered(
        body(
            {"text": "The user wants oud, so ", "thought": True},
            {"text": "Oud it is."},
            {"text": "", "thoughtSignature": "c2ln"},
        )
    )
    assert reply.text == "Oud it is."


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        (None, {}),
        ({}, {}),
        ({"role": "model"}, {}),
        ({"role": "model", "parts": None}, {}),
        ({"role": "model", "parts": []}, {}),
        ({"role": "model", "parts": [{"thoughtSignature": "c2ln"}]}, {}),
        ({"role": "model", "parts": [{"text": ""}, None, "x", {"text": 5}]}, {}),
        ("text", {}),
        ({}, {"finishReason": None}),
        ({}, {"safetyRatings": None, "newField": {"a": 1}}),
    ],
)
def test_an_empty_reply_is_asked_again_with_advice(failed, content, fields):
    error = failed(body(content=content, **fields))
    assert (error.kind, error.remedy) == ("malformed", "again")
    assert "plain text" in error.hint


@pytest.mark.parametrize("candidates", [[], None, ABSENT, [None], ["x"], {}])
def test_no_candidate_is_asked_again(failed, candidates):
    reply = body() | {"candidates": candidates}
    if candidates is ABSENT:
        del reply["candidates"]
    error = failed(reply)
    assert (error.kind, error.remedy) == ("malformed", "again")


@pytest.mark.parametrize("reason", ["SAFETY", "PROHIBITED_CONTENT", "OTHER", "NOT_KNOWN_YET"])
def test_a_blocked_prompt_is_refused(answered, reason):
    feedback = {"blockReason": reason, "safetyRatings": []}
    reply = answered({"promptFeedback": feedback, "usageMetadata": USAGE})
    assert (reply.finish, reply.text, reply.tool_calls) == ("refused", "", ())
    assert reply.model == "gemini-3.8-flash"
    assert answered(body(content=None) | {"promptFeedback": feedback}).finish == "refused"


@pytest.mark.parametrize(
    "reason",
    [
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "MODEL_ARMOR",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "IMAGE_OTHER",
        "ESCALATION",
    ],
)
@pytest.mark.parametrize(
    "content", [None, {}, {"role": "model", "parts": [{"text": "Half a"}, CALL]}]
)
def test_blocked_content_is_refused_without_a_text_or_a_call(answered, reason, content):
    reply = answered(body(content=content, finish=reason, finishMessage="Blocked"))
    assert (reply.finish, reply.text, reply.tool_calls, reply.opaque) == ("refused", "", (), None)


def test_a_text_that_was_cut_off_says_so(answered):
    reply = answered(body({"text": "We have thr"}, finish="MAX_TOKENS"))
    assert (reply.text, reply.finish) == ("We have thr", "length")


@pytest.mark.parametrize("reason", ["MAX_TOKENS", "CONTINUATION"])
def test_a_call_of_a_reply_that_was_cut_off_is_no_call(failed, provider_server, reason):
    error = failed(body(CALL, finish=reason, continuationToken="dG9rZW4="))
    assert (error.kind, error.remedy) == ("malformed", "again")
    assert len(provider_server.paths) == 1


@pytest.mark.parametrize(
    "parts",
    [(), ({"thoughtSignature": "c2ln"},), (CALL,), ({"text": "get_cart(", "thought": False},)],
)
def test_a_malformed_call_is_never_run_and_tried_again_with_advice(failed, parts):
    error = failed(
        body(
            *parts,
            finish="MALFORMED_FUNCTION_CALL",
            finishMessage="Malformed function call: get_cart()",
        )
    )
    assert (error.kind, error.remedy) == ("malformed", "again")
    assert "JSON object" in error.hint
    assert "get_cart" not in error.hint


def test_an_undeclared_function_is_tried_again_with_what_there_is(failed):
    message = "Model tried to call an undeclared function: list_files"
    error = failed(body(content=None, finish="UNEXPECTED_TOOL_CALL", finishMessage=message))
    assert (error.kind, error.remedy) == ("malformed", "again")
    assert error.hint == "There is no function list_files. Available: search_products, get_cart."


def test_an_unexpected_call_of_a_declared_tool_under_a_decorated_name_is_that_call(answered):
    call = {"functionCall": {"name": "default_api:search_products", "args": {"query": "oud"}}}
    reply = answered(body(call, finish="UNEXPECTED_TOOL_CALL"))
    assert [(c.name, c.arguments) for c in reply.tool_calls] == [
        ("search_products", {"query": "oud"})
    ]
    assert reply.finish == "tool_calls"


def test_an_unexpected_call_without_its_arguments_is_not_guessed(failed):
    message = "Model tried to call an undeclared function: default_api.search_products"
    assert failed(body(finish="UNEXPECTED_TOOL_CALL", finishMessage=message)).remedy == "again"


@pytest.mark.parametrize("tools", [(), (SEARCH, CART)])
def test_an_unexpected_call_where_a_text_was_asked_for_is_told_so(failed, tools):
    reply = body(CALL, finish="UNEXPECTED_TOOL_CALL")
    assert "plain text" in failed(reply, tools=tools, tool_choice="none").hint


def test_a_call_where_none_was_allowed_is_not_run(answered, failed):
    assert failed(body(CALL), tool_choice="none").remedy == "again"
    reply = answered(body({"text": "Here you are."}, CALL), tool_choice="none")
    assert (reply.text, reply.tool_calls, reply.finish) == ("Here you are.", (), "stop")


@pytest.mark.parametrize(
    "reason", ["TOO_MANY_TOOL_CALLS", "OTHER", "MALFORMED_RESPONSE", "SOMETHING_NEW"]
)
def test_other_ends_without_a_text_are_tried_again_and_their_calls_not_run(failed, reason):
    for parts in ((), (CALL,)):
        error = failed(body(*parts, finish=reason))
        assert (error.kind, error.remedy) == ("malformed", "again")
        assert error.hint


@pytest.mark.parametrize("reason", ["OTHER", "SOMETHING_NEW"])
def test_a_text_that_ended_for_an_unknown_reason_may_be_cut_off(answered, reason):
    reply = answered(body({"text": "We have"}, finish=reason))
    assert (reply.text, reply.finish) == ("We have", "length")


def test_a_missing_signature_asks_for_a_plain_request(failed):
    assert failed(body(finish="MISSING_THOUGHT_SIGNATURE")).remedy == "plain"


def test_a_limited_account_is_not_asked_again(failed):
    error = failed(body(finish="PUP_LIMITED_DISABLED"))
    assert (error.kind, error.remedy) == ("auth", None)


@pytest.mark.parametrize(
    "text",
    [
        '<function=search_products>{"query": "oud"}</function>',
        'search_products{"query": "oud"}</function>',
        'Malformed function call: search_products(query="oud")',
        '```tool_code\nprint(default_api.search_products(query="oud"))\n```',
        '<tool_call>{"name": "search_products", "arguments": {"query": "oud"}}</tool_call>',
    ],
)
def test_a_call_written_as_text_is_a_call_and_never_shown(answered, text):
    reply = answered(body({"text": text}))
    assert [(c.name, c.arguments) for c in reply.tool_calls] == [
        ("search_products", {"query": "oud"})
    ]
    assert (reply.text, reply.finish, reply.opaque) == ("", "tool_calls", None)


def test_a_call_in_code_to_be_run_is_a_call(answered):
    code = {"language": "PYTHON", "code": 'print(default_api.search_products(query="oud"))'}
    reply = answered(body({"executableCode": code}))
    assert [call.name for call in reply.tool_calls] == ["search_products"]
    assert reply.text == ""


def test_markup_beside_a_real_call_is_neither_shown_nor_run(answered):
    reply = answered(body({"text": "<function=get_cart>{}</function>"}, CALL))
    assert len(reply.tool_calls) == 1
    assert reply.text == ""


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (None, (0, 0, 0)),
        ({}, (0, 0, 0)),
        ({"promptTokenCount": "9", "totalTokenCount": None}, (0, 0, 0)),
        ({"promptTokenCount": 9, "candidatesTokenCount": 4}, (9, 4, 0)),
        ({"promptTokenCount": 9, "thoughtsTokenCount": 5, "candidatesTokenCount": 4}, (9, 9, 0)),
        ({"promptTokenCount": 9, "candidatesTokenCount": 4, "totalTokenCount": 20}, (9, 11, 0)),
        ({"promptTokenCount": 9, "toolUsePromptTokenCount": 3, "totalTokenCount": 14}, (12, 2, 0)),
        ({"candidatesTokenCount": 4, "totalTokenCount": 14}, (10, 4, 0)),
        ({"promptTokenCount": 9, "cachedContentTokenCount": 50}, (9, 0, 9)),
        ({"promptTokenCount": -5, "candidatesTokenCount": 1e300}, (0, 0, 0)),
    ],
)
def test_tokens_are_counted_by_the_total(answered, usage, expected):
    counted = answered(body({"text": "x"}) | {"usageMetadata": usage}).usage
    assert (counted.input_tokens, counted.output_tokens, counted.cached_tokens) == expected


def test_who_answered_is_who_was_asked_where_nothing_is_said(answered):
    assert answered(body({"text": "x"}) | {"modelVersion": None}).model == "gemini-3.8-flash"


def test_a_reply_in_a_list_is_the_reply(answered):
    assert answered([body({"text": "x"})]).text == "x"
