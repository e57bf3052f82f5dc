"""What a 200 of a chat-completions server means."""

import json
from typing import Any

import pytest
from shopping_agent.adapters.llm.chat_wire import decode_frames, read_body, reply_of
from shopping_agent.domain.conversation import ModelRequest, TokenUsage, ToolSpec, UserMessage
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.errors import LanguageModelError

SEARCH = ToolSpec(
    "search_products",
    "Finds products.",
    {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["query"],
    },
)
CART = ToolSpec("get_cart", "The cart.", {"type": "object", "properties": {}})
USAGE = {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14}


def asking(**given):
    fields: dict[str, Any] = {"tools": (SEARCH, CART), **given}
    return ModelRequest("s", (UserMessage("x"),), query=ShopperQuery("x", "en"), **fields)


def whole(message, finish="stop", **fields):
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {"id": "r", "model": "m-1", "choices": [choice], "usage": USAGE, **fields}


def read(body, provider="xai", **fields):
    return reply_of(body, asking(**fields), provider, model="asked")


def called(*calls, finish="tool_calls", **message):
    return whole(
        {"role": "assistant", "content": None, "tool_calls": list(calls), **message}, finish
    )


def a_call(name="search_products", arguments='{"query":"oud"}', call_id: Any = "c1"):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def fails(body, **fields):
    with pytest.raises(LanguageModelError) as caught:
        read(body, **fields)
    return caught.value


def frames(*bodies, done=True):
    lines = [f"data: {json.dumps(body)}" for body in bodies] + (["data: [DONE]"] if done else [])
    return "\n\n".join(lines).encode() + b"\n\n"


def delta(finish=None, **fields):
    return {"model": "m-1", "choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


# --- texts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": "Hello."},
        {"content": " Hello.\n"},
        {"content": "Hello.", "tool_calls": []},
        {"content": "Hello.", "tool_calls": None, "function_call": None, "refusal": None},
        {"content": [{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo."}]},
        {"content": ["Hello."]},
        {"content": [{"type": "thinking", "thinking": "secret"}, {"text": "Hello."}]},
        {"content": [{"type": "output_text", "text": {"value": "Hello."}}, 5, None]},
        {"content": "Hello.", "reasoning": "secret"},
        {
            "content": "Hello.",
            "reasoning_content": "secret",
            "reasoning_details": [{"text": "secret"}],
        },
        {"content": "<think>secret</think>Hello."},
        {"content": "<|channel|>analysis<|message|>secret<|end|><|channel|>final<|message|>Hello."},
    ],
)
@pytest.mark.parametrize(
    "finish", ["stop", None, "eos", "tool_calls", "end_turn", "STOP", "whatever", 7]
)
def test_a_text_is_the_answer_whatever_stands_beside_it(message, finish):
    reply = read(whole(message, finish))
    assert (reply.text, reply.tool_calls, reply.finish) == ("Hello.", (), "stop")
    assert "secret" not in repr(reply)


def test_who_answered_is_the_model_that_the_body_names():
    assert read(whole({"content": "Hello."})).model == "m-1"
    assert read(whole({"content": "Hello."}, model=None)).model == "asked"
    assert read(whole({"content": "Hello."})).provider == "xai"


def test_a_text_in_a_choice_of_the_older_shape_is_read():
    assert read({"choices": [{"text": "Hello.", "finish_reason": "stop"}]}).text == "Hello."


def test_a_reply_is_read_from_its_bytes():
    assert read(json.dumps(whole({"content": "Hello."})).encode()).text == "Hello."
    assert read(b'{"choices":[{"message":{"content":"a\nb"}}]}').text == "a\nb"


# --- calls -----------------------------------------------------------------------------------


@pytest.mark.parametrize("finish", ["tool_calls", "stop", None, "function_call", "whatever"])
def test_calls_are_read_under_every_reason_but_a_cut(finish):
    reply = read(called(a_call(), finish=finish))
    assert reply.finish == "tool_calls"
    [call] = reply.tool_calls
    assert (call.id, call.name, dict(call.arguments), call.fault) == (
        "c1",
        "search_products",
        {"query": "oud"},
        "",
    )


def test_parallel_calls_keep_their_order_and_a_doubled_id_is_left_out():
    reply = read(
        called(a_call(call_id="0"), a_call("get_cart", "{}", "0"), a_call("get_cart", "null", None))
    )
    assert [(c.id, c.name) for c in reply.tool_calls] == [
        ("0", "search_products"), ("", "get_cart"), ("", "get_cart"),
    ]  # fmt: skip


def test_a_call_in_the_legacy_field_is_a_call():
    message = {"content": None, "function_call": {"name": "get_cart", "arguments": "{}"}}
    assert [c.name for c in read(whole(message, "function_call")).tool_calls] == ["get_cart"]


@pytest.mark.parametrize(
    "given",
    [
        {"function": {"name": "get_cart"}},
        {"id": 5, "function": {"name": "get_cart", "arguments": None}},
        {"name": "get_cart", "arguments": "{}"},
        {"function": {"name": "functions.get_cart", "arguments": ""}, "index": 0},
        {"function": {"name": "get_cart", "parameters": {}}},
    ],
)
def test_calls_of_odd_shapes_are_read(given):
    for listed in ([given], [None, "x", given]):
        [call] = read(whole({"tool_calls": listed})).tool_calls
        assert (call.name, dict(call.arguments), call.fault) == ("get_cart", {}, "")
    assert len(read(whole({"tool_calls": given})).tool_calls) == 1


def test_a_text_beside_calls_is_kept_without_markup():
    text = 'Looking.<tool_call>{"name": "get_cart", "arguments": {}}</tool_call>'
    reply = read(called(a_call(), content=text, reasoning_content="secret"))
    assert reply.text == "Looking."
    assert [c.name for c in reply.tool_calls] == ["search_products"]


def test_calls_written_as_text_are_calls_when_there_are_no_others():
    reply = read(
        whole({"content": '<function=search_products>{"query": "oud", "limit": "5"}</function>'})
    )
    assert (reply.text, reply.finish) == ("", "tool_calls")
    assert dict(reply.tool_calls[0].arguments) == {"query": "oud", "limit": 5}


def test_a_broken_call_is_handed_on_with_its_fault():
    reply = read(called(a_call(arguments='{"query":"ou'), a_call(name="")))
    assert [(c.name, dict(c.arguments)) for c in reply.tool_calls] == [
        ("search_products", {}),
        ("", {}),
    ]
    assert all(c.fault for c in reply.tool_calls)


def test_a_call_of_an_undeclared_tool_is_handed_on_for_an_answer():
    [call] = read(called(a_call("brave_search"))).tool_calls
    assert (call.name, call.fault) == ("brave_search", "")


# --- what may not be run or shown ------------------------------------------------------------


@pytest.mark.parametrize("finish", ["length", "max_tokens"])
def test_a_call_that_may_have_been_cut_off_is_never_handed_on(finish):
    for body in (
        called(a_call(), finish=finish),
        called(a_call(arguments='{"query":"ou'), finish=finish),
        whole({"content": '<tool_call>{"name": "get_cart", "arguments": {}}</tool_call>'}, finish),
        whole({"content": 'Looking. <tool_call>{"name": "get_ca'}, finish),
        whole({"content": ""}, finish),
        whole({"content": None, "reasoning": "so long"}, finish),
        whole({"content": "<think>so long"}, finish),
    ):
        error = fails(body)
        assert (error.kind, error.remedy) == ("malformed", "again")
        assert error.hint
        assert (error.input_tokens, error.output_tokens) == (10, 4)


def test_a_text_that_was_cut_off_says_so():
    reply = read(whole({"content": "Neroli Bloom is a fresh"}, "length"))
    assert (reply.text, reply.finish) == ("Neroli Bloom is a fresh", "length")
    assert read(whole({"content": "<think>x</think>Neroli"}, "length")).text == "Neroli"


@pytest.mark.parametrize(
    "message",
    [
        {"content": ""},
        {"content": None},
        {"content": "  \n"},
        {},
        {"content": []},
        {"content": "", "reasoning_content": "They want oud."},
        {"content": "<think>They want oud.</think>"},
        {"content": "<tool_call>nonsense</tool_call>"},
        {"content": "Looking. <tool_call>nonsense</tool_call>"},
        {"content": 'Looking. <function=brave_search>{"q": 1}</function>'},
        {"content": '{"name": "brave_search", "arguments": {}}'},
    ],
)
def test_a_reply_without_an_answer_is_asked_for_again_with_a_hint(message):
    error = fails(whole(message))
    assert (error.kind, error.remedy) == ("malformed", "again")
    assert error.hint
    assert "oud" not in error.hint + str(error)


@pytest.mark.parametrize(
    "body",
    [
        whole({"content": None, "refusal": "I cannot help."}),
        whole({"content": "", "refusal": "I cannot help."}),
        whole({"content": [{"type": "refusal", "refusal": "I cannot help."}]}),
        whole({"content": "Half a bad", "tool_calls": [a_call()]}, "content_filter"),
        whole({"content": None}, "content_filter"),
        whole({"content": None}, "SAFETY"),
    ],
)
def test_a_refused_reply_has_no_text_and_no_call(body):
    reply = read(body)
    assert (reply.text, reply.tool_calls, reply.finish) == ("", (), "refused")
    assert reply.usage.input_tokens == 10


def test_where_no_tool_may_be_called_a_call_is_left_out():
    cases: list[dict[str, Any]] = [{"tool_choice": "none"}, {"tools": ()}]
    for fields in cases:
        assert read(called(a_call(), content="Here it is."), **fields).text == "Here it is."
        assert read(called(a_call(), content="Here it is."), **fields).tool_calls == ()
        assert fails(called(a_call()), **fields).hint
        assert read(whole({"content": "Done. <tool_call>x</tool_call>"}), **fields).text == "Done."


@pytest.mark.parametrize("finish", ["error", "abort"])
def test_a_reply_that_failed_half_way_is_void(finish):
    assert fails(whole({"content": "Half an"}, finish)).remedy == "again"


@pytest.mark.parametrize(
    "body",
    [
        {"choices": []},
        {"choices": None},
        {"choices": [None, 5]},
        {"id": "r", "object": "chat.completion"},
        {},
        whole(None),
        {"choices": [{}]},
        b"",
        b"null",
        b"[]",
        b"ok",
        b'{"choices":[{"message":{"content":"Hel',
        b"<html><body>502 Bad Gateway</body></html>",
        b"\xff\xfe\x00",
        b"[" * 100_000,
    ],
    ids=lambda body: repr(body)[:30],
)
def test_what_is_no_reply_is_malformed_and_may_come_right(body):
    error = fails(body)
    assert error.kind in ("malformed", "overloaded")
    assert error.remedy == "again"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (
            {"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}},
            "rate_limited",
        ),
        ({"error": {"message": "Overloaded", "code": 503}, "choices": []}, "overloaded"),
        (
            {
                "error": {
                    "message": "bad key",
                    "code": "invalid_api_key",
                    "type": "invalid_request_error",
                }
            },
            "auth",
        ),
        ({"code": "unauthenticated", "error": "Incorrect API key provided: sk-secret"}, "auth"),
    ],
)
def test_an_error_inside_a_200_is_that_error(body, kind):
    error = fails(body)
    assert error.kind == kind
    assert "sk-secret" not in str(error)


# --- tokens ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("provider", "usage", "meant"),
    [
        ("openai", {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14}, (10, 4, 0)),
        ("openai", {"prompt_tokens": 10, "completion_tokens": 9, "total_tokens": 19,
                    "completion_tokens_details": {"reasoning_tokens": 5},
                    "prompt_tokens_details": {"cached_tokens": 8}}, (10, 9, 8)),
        ("groq", {"prompt_tokens": 10, "completion_tokens": 9, "total_tokens": 19, "prompt_time": 0.01,
                  "completion_tokens_details": {"reasoning_tokens": 5}}, (10, 9, 0)),
        ("xai", {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 119,
                 "completion_tokens_details": {"reasoning_tokens": 105}}, (10, 109, 0)),
        ("xai", {"prompt_tokens": 10, "completion_tokens": 4,
                 "completion_tokens_details": {"reasoning_tokens": 105}}, (10, 109, 0)),
        ("xai", {"prompt_tokens": 10, "completion_tokens": 109, "total_tokens": 119,
                 "completion_tokens_details": {"reasoning_tokens": 105}}, (10, 109, 0)),
        ("xai", {"prompt_tokens": 200, "completion_tokens": 4, "total_tokens": 204,
                 "prompt_tokens_details": {"cached_tokens": 128.0}}, (200, 4, 128)),
        ("openai", {"prompt_tokens": 10.0, "completion_tokens": 4.0, "total_tokens": 14.0}, (10, 4, 0)),
        ("openai", {"prompt_tokens": None, "completion_tokens": 4, "total_tokens": 14}, (10, 4, 0)),
        ("openai", {"prompt_tokens": 10, "total_tokens": 14}, (10, 4, 0)),
        ("openai", {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 3}, (10, 4, 0)),
        ("openai", {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 20}, (10, 10, 0)),
        ("openai", {"prompt_tokens": -1, "completion_tokens": True, "total_tokens": float("nan")}, (0, 0, 0)),
        ("openai", {"prompt_tokens": "10"}, (0, 0, 0)),
        ("openai", {"prompt_tokens": 10, "prompt_tokens_details": None, "completion_tokens_details": []}, (10, 0, 0)),
        ("openai", {"prompt_tokens": 10, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 99}},
         (10, 1, 10)),
        ("openai", None, (0, 0, 0)),
        ("openai", [], (0, 0, 0)),
    ],
)  # fmt: skip
def test_tokens_are_counted_the_same_way_for_every_provider(provider, usage, meant):
    reply = read(whole({"content": "Hello."}, usage=usage), provider)
    assert reply.usage == TokenUsage(1, *meant)


def test_groqs_own_place_for_the_usage_is_known():
    body = whole({"content": "Hello."}, usage=None, x_groq={"id": "r", "usage": USAGE})
    assert read(body, "groq").usage == TokenUsage(1, 10, 4, 0)


# --- streams that nobody asked for -----------------------------------------------------------


def test_the_pieces_of_a_stream_are_one_reply():
    stream = frames(
        delta(role="assistant", content="", reasoning_content="secret"),
        delta(content="Hel"),
        delta(content="lo."),
        delta("stop"),
        {"choices": [], "usage": USAGE},
    )
    for body in (
        stream,
        b"\n: keep-alive\n\n" + stream,
        stream.replace(b"\n", b"\r\n"),
        b"event: message\n" + stream,
    ):
        reply = read(body)
        assert (reply.text, reply.finish, reply.usage.output_tokens, reply.model) == (
            "Hello.",
            "stop",
            4,
            "m-1",
        )


def test_the_pieces_of_calls_are_joined_by_their_index():
    def piece(index, **fields):
        return delta(tool_calls=[{"index": index, **fields}])

    reply = read(
        frames(
            piece(0, id="a", function={"name": "search_products", "arguments": ""}),
            piece(1, id="b", function={"name": "get_cart", "arguments": "{}"}),
            piece(0, function={"arguments": '{"query":'}),
            piece(0, function={"arguments": '"oud"}'}),
            delta("tool_calls"),
        )
    )
    assert [(c.id, c.name, dict(c.arguments)) for c in reply.tool_calls] == [
        ("a", "search_products", {"query": "oud"}), ("b", "get_cart", {}),
    ]  # fmt: skip


def test_whole_calls_without_an_index_are_told_apart_by_their_ids():
    reply = read(
        frames(
            delta(tool_calls=[{"id": "a", "function": {"name": "get_cart", "arguments": {}}}]),
            delta(
                "tool_calls",
                tool_calls=[{"id": "b", "function": {"name": "get_cart", "arguments": "{}"}}],
            ),
        )
    )
    assert [c.id for c in reply.tool_calls] == ["a", "b"]


def test_an_error_in_a_stream_voids_what_came_before_it():
    stream = frames(
        delta(content="Half an"),
        {"error": {"message": "Failed to call a function.", "type": "invalid_request_error",
                   "code": "tool_use_failed", "failed_generation": "x", "status_code": 400}},
        done=False,
    )  # fmt: skip
    assert "error" in decode_frames(stream)
    error = fails(stream)
    assert (error.kind, error.remedy) == ("malformed", "again")
    assert error.hint
    assert (
        fails(b'event: error\ndata: {"error": {"code": 503, "message": "Overloaded"}}\n\n').kind
        == "overloaded"
    )


@pytest.mark.parametrize(
    "stream",
    [
        frames(delta(content="Half an"), done=False),
        frames(
            delta(tool_calls=[{"index": 0, "function": {"name": "get_cart", "arguments": "{}"}}]),
            done=False,
        ),
        frames(delta(content="Hello."), delta("stop"), done=False)[:-10],
        b"data: {broken\n\ndata: [DONE]\n\n",
        b"data: [DONE]\n\n",
        b": keep-alive\n\n",
        frames({"choices": []}, {"choices": None}, {"choices": [None]}, {}),
    ],
)
def test_a_stream_that_is_cut_off_or_empty_is_no_reply(stream):
    error = fails(stream)
    assert (error.kind, error.remedy) == ("malformed", "again")


def test_frames_may_hold_whole_messages_and_legacy_calls():
    assert (
        read(
            frames({"choices": [{"message": {"content": "Hello."}, "finish_reason": "stop"}]})
        ).text
        == "Hello."
    )
    legacy = frames(
        delta(function_call={"name": "search_products", "arguments": '{"query":'}),
        delta("function_call", function_call={"arguments": '"oud"}'}),
    )
    assert dict(read(legacy).tool_calls[0].arguments) == {"query": "oud"}


@pytest.mark.parametrize(
    "count", ["1" + "0" * 400, "1e300", "Infinity", "-Infinity", "NaN", "-7", '"12"', "true", "[]"]
)
def test_a_count_of_tokens_that_cannot_be_meant_leaves_the_reply_and_is_unknown(count):
    body = json.dumps(whole({"content": "Hello."}, usage=None))[:-1]
    body = body.replace('"usage": null, ', "").replace(', "usage": null', "")
    body += f', "usage": {{"prompt_tokens": {count}, "completion_tokens": 4}}}}'
    reply = read(read_body(body.encode(), "groq"), "groq")
    assert (reply.text, reply.usage) == ("Hello.", TokenUsage(1, 0, 4))
