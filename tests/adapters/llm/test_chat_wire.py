"""Our messages in the chat-completions shape: nothing in them that a server refuses, whoever began the conversation."""

import json
import re
from typing import Any

import pytest
from shopping_agent.adapters.llm.chat_wire import request_body
from shopping_agent.domain.conversation import (
    AssistantMessage,
    DataBlock,
    ModelRequest,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from shopping_agent.domain.query import ShopperQuery

CART = ToolSpec("get_cart", "The cart.", {"type": "object", "properties": {}})
KEYS = {
    "system": {"role", "content"},
    "user": {"role", "content"},
    "assistant": {"role", "content", "tool_calls"},
    "tool": {"role", "content", "tool_call_id"},
}


def asking(*messages, **fields):
    return ModelRequest(
        system=fields.pop("system", "You sell perfume."),
        messages=messages,
        tools=fields.pop("tools", (CART,)),
        query=ShopperQuery("hello", "en"),
        **fields,
    )


def body_of(request, dialect: Any = "openai", **given):
    fields: dict[str, Any] = {"model": "m", "temperature": 0.2, "max_tokens": 700, **given}
    body = request_body(request, dialect=dialect, **fields)
    json.dumps(body, ensure_ascii=False).encode()  # what is sent
    return body


def messages_of(*messages, **fields):
    sent = body_of(asking(*messages, **fields))["messages"]
    for message in sent:
        assert set(message) <= KEYS[message["role"]]
        assert isinstance(message["content"], str)
    return sent


def call(name="get_cart", arguments=None, call_id="c1", fault=""):
    return ToolCall(call_id, name, arguments or {}, fault)


def result(content, call_id="c1", name="get_cart"):
    return ToolResult(call_id, name, content)


def test_a_conversation_is_sent_in_its_order():
    sent = messages_of(
        UserMessage("hi"),
        AssistantMessage("Hello."),
        UserMessage("my cart?", (DataBlock("cart", {"items": []}),)),
        AssistantMessage("", (call(arguments={"é": 1}),)),
        result({"ok": True, "name": "Néroli"}),
    )
    assert [m["role"] for m in sent] == ["system", "user", "assistant", "user", "assistant", "tool"]
    assert sent[3]["content"] == '<data name="cart">\n{"items":[]}\n</data>\nmy cart?'
    assert sent[4]["content"] == ""
    assert sent[4]["tool_calls"] == [
        {"id": "c1", "type": "function", "function": {"name": "get_cart", "arguments": '{"é":1}'}}
    ]
    assert sent[5] == {
        "role": "tool",
        "content": '{"ok":true,"name":"Néroli"}',
        "tool_call_id": "c1",
    }


def test_every_call_has_exactly_one_result_right_behind_it():
    calls = (call(call_id="a"), call(call_id="b"), call("", call_id="c", fault="no name"))
    sent = messages_of(
        UserMessage("x"),
        AssistantMessage("", calls),
        result({"n": 2}, "b"),
        result({"n": 1}, "a"),
        result({"n": 9}, "nobody's"),
        UserMessage("and?"),
    )
    assert [m["role"] for m in sent] == [
        "system",
        "user",
        "assistant",
        "tool",
        "tool",
        "tool",
        "user",
    ]
    assert [m["tool_call_id"] for m in sent[3:6]] == ["a", "b", "c"]
    assert [m["content"] for m in sent[3:6]] == ['{"n":1}', '{"n":2}', '{"error":"no name"}']


def test_a_lost_result_is_an_error_to_the_model():
    sent = messages_of(UserMessage("x"), AssistantMessage("", (call(),)))
    assert json.loads(sent[-1]["content"])["error"]


@pytest.mark.parametrize(
    "given",
    ["", "call-7c3f9a52-1d68-4b7e-9f10-2a1b3c4d5e6f-0-long", "a b", "é", "call:1", "0" * 41],
)
def test_an_id_that_a_server_may_refuse_is_replaced_everywhere(given):
    sent = messages_of(
        UserMessage("x"), AssistantMessage("", (call(call_id=given),)), result({}, given)
    )
    name = sent[2]["tool_calls"][0]["id"]
    assert name.isascii()
    assert 0 < len(name) <= 40
    assert name != given
    assert sent[3]["tool_call_id"] == name


def test_ids_are_unique_over_the_conversation():
    turn = (AssistantMessage("", (call(call_id="0"), call(call_id="call_1"))), result({}, "0"))
    sent = messages_of(UserMessage("x"), *turn, UserMessage("y"), *turn)
    ids = [c["id"] for m in sent for c in m.get("tool_calls", ())]
    assert len(set(ids)) == len(ids) == 4
    assert [m["tool_call_id"] for m in sent if m["role"] == "tool"] == ids


def test_a_name_that_a_server_would_refuse_is_made_harmless():
    for name in ("", "repo_browser.open_file", "a b", "x" * 100, "é"):
        sent = messages_of(UserMessage("x"), AssistantMessage("", (call(name),)), result({}))
        function = sent[2]["tool_calls"][0]["function"]
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", function["name"])


def test_empty_turns_of_the_assistant_are_left_out():
    sent = messages_of(
        UserMessage("a"), AssistantMessage(""), AssistantMessage(" \n"), UserMessage("b")
    )
    assert [(m["role"], m["content"]) for m in sent[1:]] == [("user", "a\n\nb")]


def test_two_texts_of_one_side_in_a_row_are_sent_as_one():
    call = ToolCall("c1", "get_cart", {})
    sent = messages_of(
        UserMessage("a"),
        UserMessage("b"),
        AssistantMessage("x"),
        AssistantMessage("y"),
        AssistantMessage("", (call, ToolCall("c2", "get_cart", {}))),
        UserMessage("c"),
    )
    told = [(m["role"], m["content"]) for m in sent[1:]]
    assert told[:2] == [("user", "a\n\nb"), ("assistant", "x\n\ny")]
    assert len(sent[2]["tool_calls"]) == 2
    assert [role for role, _ in told[2:]] == ["tool", "tool", "user"]


def test_what_another_provider_kept_for_itself_is_not_sent():
    kept = ("gemini", {"parts": [{"thoughtSignature": "c2lnbmF0dXJl"}]})
    sent = messages_of(UserMessage("x"), AssistantMessage("Hm.", (call(),), kept), result({}))
    assert "c2lnbmF0dXJl" not in json.dumps(sent)
    assert "gemini" not in json.dumps(sent)


def test_a_conversation_ends_on_the_users_side():
    for messages in ((), (UserMessage("x"), AssistantMessage("Hello."))):
        assert messages_of(*messages)[-1]["role"] == "user"
    assert messages_of(UserMessage("x"), system=" ")[0]["role"] == "user"


def test_half_a_surrogate_pair_does_not_break_the_request():
    sent = messages_of(
        UserMessage("hi \ud83d"),
        AssistantMessage("\udc00", (call(arguments={"a": "\ud800"}),)),
        system="\ud800 x",
    )
    assert len(sent) == 4


def test_tools_stay_declared_when_none_may_be_called():
    body = body_of(asking(UserMessage("x"), tool_choice="none"))
    assert body["tool_choice"] == "none"
    assert [t["function"]["name"] for t in body["tools"]] == ["get_cart"]
    assert body_of(asking(UserMessage("x")))["tool_choice"] == "auto"


def test_without_tools_no_word_about_them_is_sent():
    for choice in ("auto", "none"):
        body = body_of(asking(UserMessage("x"), tools=(), tool_choice=choice))
        assert set(body) == {"model", "messages", "max_tokens", "temperature"}


def test_the_smaller_of_two_token_limits_counts():
    assert body_of(asking(UserMessage("x"), max_tokens=300))["max_tokens"] == 300
    assert body_of(asking(UserMessage("x"), max_tokens=900))["max_tokens"] == 700


def test_a_requests_own_temperature_counts_and_a_plain_request_has_none():
    assert body_of(asking(UserMessage("x")))["temperature"] == 0.2
    assert body_of(asking(UserMessage("x"), temperature=0.0))["temperature"] == 0.0
    assert "temperature" not in body_of(asking(UserMessage("x")), temperature=None)
    plain = body_of(asking(UserMessage("x"), temperature=0.0, plain=True))
    assert set(plain) == {"model", "messages", "max_tokens", "tools"}
    assert (
        body_of(asking(UserMessage("x"), plain=True, tool_choice="none"))["tool_choice"] == "none"
    )


@pytest.mark.parametrize("dialect", ["openai", "xai", "groq"])
def test_nothing_that_a_reasoning_model_refuses_is_ever_sent(dialect):
    body = body_of(asking(UserMessage("x")), dialect)
    refused = {
        "stop",
        "presence_penalty",
        "frequency_penalty",
        "reasoning_effort",
        "stream",
        "n",
        "top_p",
        "seed",
    }
    assert not refused & set(body)
