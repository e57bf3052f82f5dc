"""Replies of compatible servers and proxies in shapes beside the documented ones: read where that is certain, else a fault."""

import json
from typing import Any

import pytest
from shopping_agent.adapters.llm.chat_reply import reply_of
from shopping_agent.adapters.llm.gemini_reply import read_reply
from shopping_agent.domain.conversation import ModelRequest, ToolSpec, UserMessage
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.errors import LanguageModelError

ADD = ToolSpec(
    "add_to_cart",
    "Adds.",
    {
        "type": "object",
        "properties": {"productId": {"type": "string"}},
        "required": ["productId"],
    },
)
REQUEST = ModelRequest(
    system="s", messages=(UserMessage("hello"),), tools=(ADD,), query=ShopperQuery("hello", "en")
)
GIVEN: dict[str, Any] = {"productId": "p-1"}
CALL = {"id": "c1", "type": "function", "function": {"name": "add_to_cart", "arguments": GIVEN}}
ADDED = [("add_to_cart", GIVEN, "")]


def chat(message, reason: Any = "stop", **choice):
    body = {"choices": [{"index": 0, "message": message, "finish_reason": reason, **choice}]}
    return reply_of(json.dumps(body).encode(), REQUEST, "openai", model="m")


def gemini(parts, reason: Any = "STOP"):
    body = {"candidates": [{"content": {"parts": parts}, "finishReason": reason}]}
    return read_reply(json.dumps(body), REQUEST, "m")


def calls(reply):
    return [(c.name, dict(c.arguments), c.fault) for c in reply.tool_calls]


@pytest.mark.parametrize(
    "message",
    [
        "Hello.",
        {"content": {"type": "text", "text": "Hello."}},
        {"content": {"text": "Hello."}},
        {"content": ["Hel", "lo."]},
        {"content": [{"type": "Text", "text": "Hello."}]},
        {"content": [{"type": None, "text": "Hello."}]},
        {"content": [{"text": {"value": "Hello."}}]},
        {"content": [{"type": "thinking", "thinking": "x"}, {"type": "text", "text": "Hello."}]},
        {"content": "Hello.", "refusal": "", "tool_calls": None},
        {"content": "Hello.", "refusal": 0, "tool_calls": {}},
    ],
)
def test_a_text_is_read_however_its_message_is_nested(message):
    assert chat(message).text == "Hello."


@pytest.mark.parametrize(
    "message",
    [None, [], {}, {"content": None}, {"content": 5}, {"content": True}, {"content": [["x"]]},
     {"content": [{"type": "text", "text": None}]}, {"content": {"parts": ["x"]}}, {"reasoning": "x"}],
)  # fmt: skip
def test_a_message_without_a_text_is_malformed(message):
    with pytest.raises(LanguageModelError) as raised:
        chat(message)
    assert (raised.value.kind, raised.value.remedy) == ("malformed", "again")


@pytest.mark.parametrize(
    "message",
    [
        {"tool_calls": [CALL]},
        {"tool_calls": CALL},
        {"tool_calls": json.dumps([CALL])},
        {"toolCalls": [CALL]},
        {"tool_calls": [None, 5, CALL]},
        {"tool_calls": [{"id": "1", "name": "add_to_cart", "input": GIVEN}]},
        {"tool_calls": [{"name": "add_to_cart", "args": GIVEN}]},
        {"tool_calls": [{"function": "add_to_cart", "arguments": GIVEN}]},
        {"tool_calls": [{"function": {"name": "add_to_cart"}, "parameters": GIVEN}]},
        {
            "tool_calls": [
                {"type": "custom", "custom": {"name": "add_to_cart", "input": json.dumps(GIVEN)}}
            ]
        },
        {"function_call": {"name": "add_to_cart", "arguments": json.dumps(GIVEN)}},
        {"content": [{"type": "tool_use", "id": "t", "name": "add_to_cart", "input": GIVEN}]},
    ],
)
@pytest.mark.parametrize(
    "reason", ["stop", "tool_calls", "tool_use", "TOOL_CALLS", None, "", 7, ["x"], "eos", "unknown"]
)
def test_a_call_is_read_however_it_is_nested_and_however_the_reply_ended_whole(message, reason):
    assert calls(chat(message, reason)) == ADDED


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("content-filter", "refused"),
        ("CONTENT_FILTERED", "refused"),
        ("sensitive", "refused"),
        ("recitation", "refused"),
        ("guardrail_intervened", "refused"),
        ("max_output_tokens", "length"),
        ("MODEL_CONTEXT_WINDOW_EXCEEDED", "length"),
        ("repetition_truncation", "length"),
        ("incomplete", "length"),
        ("time_limit", "length"),
        ("end_turn", "stop"),
        ("eos_token", "stop"),
        ({"a": 1}, "stop"),
    ],
)
def test_a_reason_to_finish_is_understood_in_other_words(reason, finish):
    reply = chat({"content": "Hello."}, reason)
    assert reply.finish == finish
    assert reply.text == ("" if finish == "refused" else "Hello.")


@pytest.mark.parametrize(
    "reason",
    ["malformed_function_call", "network_error", "insufficient_system_resource", "timeout", "max_tokens",
     "model_context_window_exceeded", "cancelled", "tool_call_invalid"],
)  # fmt: skip
def test_no_call_is_run_of_a_reply_that_failed_or_was_cut_off(reason):
    with pytest.raises(LanguageModelError) as raised:
        chat({"content": "Adding.", "tool_calls": [CALL]}, reason)
    assert raised.value.kind == "malformed"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": 502, "message": "Provider returned error"}, "overloaded"),
        ({"code": 429, "message": "x"}, "rate_limited"),
        ("Rate limit exceeded", "rate_limited"),
    ],
)
def test_the_error_of_a_choice_is_an_error(error, kind):
    for message in ({"content": ""}, {"content": "Half an ans"}):
        with pytest.raises(LanguageModelError) as raised:
            chat(message, "error", error=error)
        assert raised.value.kind == kind


def test_a_reply_in_a_list_of_one_or_with_one_choice_beside_no_list_is_read():
    choice = {"message": {"content": "Hello."}, "finish_reason": "stop"}
    for body in ([{"choices": [choice]}], {"choices": choice}, {"choices": [None, choice]}):
        assert reply_of(json.dumps(body).encode(), REQUEST, "openai").text == "Hello."
    for empty in ({"choices": []}, {"choices": {}}, {"choices": None}, [], [{}, {}]):
        with pytest.raises(LanguageModelError):
            reply_of(json.dumps(empty).encode(), REQUEST, "openai")


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", "stop"),
        ("FINISH_REASON_STOP", "stop"),
        ("FINISH_REASON_UNSPECIFIED", "stop"),
        (0, "stop"),
        (1, "stop"),
        (2, "length"),
        (3, "refused"),
        (4, "refused"),
        (99, "length"),
        ("FINISH_REASON_SAFETY", "refused"),
        ("SOMETHING_NEW", "length"),
    ],
)
def test_geminis_reason_to_finish_is_understood_by_number_and_by_its_full_name(reason, finish):
    reply = gemini([{"text": "Hello."}], reason)
    assert reply.finish == finish


@pytest.mark.parametrize("reason", [2, 5, "FINISH_REASON_MAX_TOKENS", "SOMETHING_NEW"])
def test_no_call_of_geminis_is_run_unless_the_reply_is_whole(reason):
    part = {"functionCall": {"name": "add_to_cart", "args": GIVEN}}
    assert calls(gemini([part], 1)) == ADDED
    with pytest.raises(LanguageModelError):
        gemini([part], reason)


@pytest.mark.parametrize(
    "call",
    [
        {"name": "add_to_cart", "args": GIVEN},
        {"name": "add_to_cart", "args": json.dumps(GIVEN)},
        {"name": "add_to_cart", "arguments": GIVEN},
        {"name": "default_api.add_to_cart", "args": {"product_id": "p-1"}},
    ],
)
def test_a_call_of_geminis_is_read_however_its_arguments_are_given(call):
    assert calls(gemini([{"functionCall": call}])) == ADDED


def test_geminis_text_beside_a_call_that_cannot_be_read_is_asked_for_again():
    with pytest.raises(LanguageModelError) as raised:
        gemini([{"text": 'All done. <tool_call>{"name": "add_to_cart", "argum'}])
    assert (raised.value.kind, raised.value.remedy) == ("malformed", "again")
