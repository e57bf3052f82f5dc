"""OpenAI-compatible servers, xAI and Groq (through its real SDK) over real HTTP."""

import json
import socket
import subprocess
import sys
import time
from typing import Any

import httpx
import pytest
from shopping_agent.adapters.llm.groq import GroqModel
from shopping_agent.adapters.llm.openai import OpenAIModel
from shopping_agent.adapters.llm.xai import XaiModel
from shopping_agent.domain.conversation import (
    AssistantMessage,
    ModelRequest,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.errors import LanguageModelError

SEARCH = ToolSpec(
    "search_products",
    "Finds products.",
    {
        "type": "object",
        "properties": {"query": {"type": "string"}, "maxPrice": {"type": "number"}},
        "required": ["query"],
    },
)
CART = ToolSpec("get_cart", "The cart.", {"type": "object", "properties": {}})
KINDS: dict[str, Any] = {"openai": OpenAIModel, "xai": XaiModel, "groq": GroqModel}
PATHS = {
    "openai": "/v1/chat/completions",
    "xai": "/v1/chat/completions",
    "groq": "/openai/v1/chat/completions",
}
TEXT = {
    "model": "m-1",
    "choices": [
        {"index": 0, "message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}
    ],
    "usage": {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14},
}


def asking(*messages, **given):
    fields: dict[str, Any] = {"tools": (SEARCH, CART), **given}
    return ModelRequest(
        "You sell perfume.",
        messages or (UserMessage("hi"),),
        query=ShopperQuery("hi", "en"),
        **fields,
    )


def made(name, url="", *, model="m-0", api_key="k-secret", transport=None):
    base_url = url + "/v1" if url and name != "groq" else url
    return KINDS[name](
        base_url=base_url,
        api_key=api_key,
        model=model,
        temperature=0.2,
        max_tokens=700,
        transport=transport,
    )


def calling(arguments='{"query":"oud"}', name="search_products"):
    function = {"name": name, "arguments": arguments}
    message = {
        "role": "assistant",
        "tool_calls": [{"id": "c1", "type": "function", "function": function}],
    }
    return {**TEXT, "choices": [{"message": message, "finish_reason": "tool_calls"}]}


def failing(model, request=None, seconds=10.0):
    with pytest.raises(LanguageModelError) as caught:
        model.complete(request or asking(), Deadline.after(seconds))
    assert "secret" not in str(caught.value) + caught.value.hint
    return caught.value


@pytest.fixture(params=list(KINDS))
def provider(request):
    return request.param


@pytest.fixture
def model(provider, provider_server):
    asked = made(provider, provider_server.url)
    yield asked
    asked.close()


def test_a_text_comes_back_with_who_answered_and_what_it_took(model, provider, provider_server):
    provider_server.replies = [TEXT]
    reply = model.complete(asking(), Deadline.after(10))
    assert (reply.text, reply.finish, reply.provider, reply.model) == (
        "Hello.",
        "stop",
        provider,
        "m-1",
    )
    assert (reply.usage.calls, reply.usage.input_tokens, reply.usage.output_tokens) == (1, 10, 4)
    assert provider_server.paths == [PATHS[provider]]
    assert provider_server.headers[0]["authorization"] == "Bearer k-secret"
    assert provider_server.bodies[0]["model"] == "m-0"
    assert "stream" not in provider_server.bodies[0]
    assert (model.name, model.model) == (provider, "m-0")


def test_a_call_and_its_result_make_the_round(model, provider_server):
    provider_server.replies = [calling(), TEXT]
    first = model.complete(asking(), Deadline.after(10))
    [call] = first.tool_calls
    assert (call.id, call.name, dict(call.arguments)) == ("c1", "search_products", {"query": "oud"})
    messages = (
        UserMessage("hi"),
        AssistantMessage(first.text, first.tool_calls, first.opaque),
        ToolResult("c1", "search_products", {"products": []}),
    )
    assert model.complete(asking(*messages), Deadline.after(10)).text == "Hello."
    sent = provider_server.bodies[1]["messages"]
    assert [m["role"] for m in sent] == ["system", "user", "assistant", "tool"]
    assert sent[2]["tool_calls"][0]["id"] == sent[3]["tool_call_id"] == "c1"
    assert json.loads(sent[3]["content"]) == {"products": []}
    assert provider_server.connections == 1


def test_arabic_text_arrives_as_it_was_written(model, provider_server):
    provider_server.replies = [TEXT]
    model.complete(asking(UserMessage("عطر صيفي 🙂 \ud83d")), Deadline.after(10))
    assert provider_server.bodies[0]["messages"][1]["content"] == "عطر صيفي 🙂 ?"


FAULTS = [
    (401, {}, {"error": {"message": "Incorrect API key: k-secret", "code": "invalid_api_key"}}, "auth", None),
    (404, {}, {"error": {"message": "no such model", "code": "model_not_found"}}, "model_gone", None),
    (413, {}, {"error": {"message": "Request too large", "code": "rate_limit_exceeded"}}, "too_large", "smaller"),
    (429, {"retry-after": "20"}, {"error": {"message": "slow down"}}, "rate_limited", None),
    (500, {}, {"error": {"message": "oops"}}, "overloaded", "again"),
    (503, {}, b"", "overloaded", "again"),
    (502, {"content-type": "text/html"}, b"<html>Bad Gateway</html>", "overloaded", "again"),
    (200, {"content-type": "text/html"}, b"<html>Welcome</html>", "malformed", "again"),
    (200, {}, b'{"choices":[', "malformed", "again"),
    (200, {}, b"", "malformed", "again"),
    (200, {}, {"choices": []}, "malformed", "again"),
    (200, {}, {"error": {"message": "Overloaded", "code": 503}}, "overloaded", "again"),
    (400, {}, {"error": {"message": "Unsupported parameter: 'temperature'", "param": "temperature",
                         "code": "unsupported_parameter"}}, "bad_request", "plain"),
    (302, {"location": "/elsewhere"}, b"", "bad_request", None),
]  # fmt: skip


@pytest.mark.parametrize(("status", "headers", "body", "kind", "remedy"), FAULTS)
def test_a_failure_is_our_error_after_one_attempt(
    model, provider_server, status, headers, body, kind, remedy
):
    provider_server.replies = [(status, headers, body)]
    error = failing(model)
    assert (error.kind, error.remedy) == (kind, remedy)
    assert len(provider_server.bodies) == 1
    assert error.retry_after == (20 if headers.get("retry-after") else None)


def test_an_answer_that_drips_ends_with_the_deadline(model, provider_server):
    def drip(handler):
        handler.send_response(200)
        handler.send_header("content-length", "100000")
        handler.end_headers()
        for _ in range(200):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)

    provider_server.replies = [drip]
    started = time.monotonic()
    assert failing(model, seconds=0.4).kind == "timeout"
    assert time.monotonic() - started < 5


def test_a_kept_connection_that_died_is_replaced_at_once(model, provider_server):
    def answer_and_hang_up(handler):
        content = json.dumps(TEXT).encode()
        handler.send_response(200)  # without saying that it closes
        handler.send_header("content-length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)
        handler.wfile.flush()
        handler.close_connection = True

    provider_server.replies = [answer_and_hang_up]
    for _ in range(3):
        assert model.complete(asking(), Deadline.after(10)).text == "Hello."
    assert provider_server.connections == 3


def test_a_server_that_hangs_up_is_a_connection_error(model, provider_server):
    def hang_up(handler):
        handler.close_connection = True
        handler.connection.shutdown(socket.SHUT_RDWR)

    provider_server.replies = [hang_up]
    assert failing(model).kind == "connection"


def test_a_server_that_is_not_there_is_a_connection_error(provider):
    def refuse(request):
        raise httpx.ConnectError("refused", request=request)

    assert (
        failing(made(provider, "http://127.0.0.1:9", transport=httpx.MockTransport(refuse))).kind
        == "connection"
    )


def test_a_stream_that_nobody_asked_for_is_read(model, provider_server):
    frames = [
        {"model": "m-1", "choices": [{"delta": {"content": "Hello."}, "finish_reason": None}]},
        {"choices": [{"delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": TEXT["usage"]},
    ]
    stream = b"".join(b"data: " + json.dumps(f).encode() + b"\n\n" for f in frames)
    headers = {"content-type": "text/event-stream"}
    provider_server.replies = [(200, headers, stream + b"data: [DONE]\n\n"), (200, headers, stream)]
    assert model.complete(asking(), Deadline.after(10)).text == "Hello."
    assert failing(model).kind == "malformed"


def test_a_key_with_blanks_round_it_or_none_at_all_breaks_nothing(provider, provider_server):
    provider_server.replies = [TEXT]
    for key in (" k-1\n", "clé"):
        asked = made(provider, provider_server.url, api_key=key)
        assert asked.complete(asking(), Deadline.after(10)).text == "Hello."
        asked.close()
    assert provider_server.headers[0]["authorization"] == "Bearer k-1"


def test_a_compatible_server_may_want_no_key(provider_server):
    provider_server.replies = [TEXT]
    asked = made("openai", provider_server.url, api_key="")
    asked.complete(asking(), Deadline.after(10))
    asked.close()
    assert "authorization" not in provider_server.headers[0]


# --- what each is sent -----------------------------------------------------------------------


def sent(name, url="", request=None, **fields):
    bodies: list[tuple[str, dict[str, Any]]] = []

    def answer(asked):
        bodies.append((str(asked.url), json.loads(asked.content)))
        return httpx.Response(200, json=TEXT)

    made(name, url, transport=httpx.MockTransport(answer), **fields).complete(
        request or asking(), Deadline.after(10)
    )
    return bodies[0]


def test_without_a_base_url_the_providers_own_is_asked():
    assert sent("openai")[0] == "https://api.openai.com/v1/chat/completions"
    assert sent("xai")[0] == "https://api.x.ai/v1/chat/completions"
    assert sent("groq")[0] == "https://api.groq.com/openai/v1/chat/completions"


def test_the_token_limit_has_the_name_that_the_server_knows():
    own = sent("openai", model="gpt-4.1")[1]
    assert own["max_completion_tokens"] == 600
    assert "max_tokens" not in own
    other = sent("openai", "http://127.0.0.1:11434", model="gpt-4.1")[1]
    assert other["max_tokens"] == 600
    assert "max_completion_tokens" not in other
    plain = sent("openai", "http://127.0.0.1:11434", asking(plain=True))[1]
    assert plain["max_completion_tokens"] == 600
    assert "max_tokens" not in plain


def test_reasoning_models_get_room_to_think_and_no_temperature_where_they_refuse_one():
    for model in ("gpt-5.2", "gpt-6", "o3-mini", "o4"):
        body = sent("openai", model=model, request=asking(temperature=0.0))[1]
        assert "temperature" not in body
        assert body["max_completion_tokens"] > 600
    for model in ("gpt-4.1", "gpt-5-chat-latest", "gpt-4o"):
        assert sent("openai", model=model)[1]["temperature"] == 0.2
    assert sent("openai", "http://127.0.0.1:11434", model="gpt-5.2")[1]["temperature"] == 0.2
    assert sent("xai", model="grok-4.7")[1]["max_tokens"] > 600
    assert sent("xai", model="grok-4.20-0309-non-reasoning")[1]["max_tokens"] == 600


def test_xai_is_sent_nothing_that_its_reasoning_models_refuse():
    assert set(sent("xai", model="grok-4.7")[1]) == {
        "model", "messages", "tools", "tool_choice", "max_tokens", "temperature",
    }  # fmt: skip


def test_groq_leaves_reasoning_out_of_its_replies():
    oss = sent("groq", model="openai/gpt-oss-120b")[1]
    assert oss["include_reasoning"] is False
    assert "reasoning_format" not in oss
    qwen = sent("groq", model="qwen/qwen3-32b")[1]
    assert qwen["reasoning_format"] == "hidden"
    assert "include_reasoning" not in qwen
    llama = sent("groq", model="llama-3.3-70b-versatile")[1]
    assert not [word for word in llama if "reasoning" in word]
    assert "disable_tool_validation" not in llama


def test_a_plain_request_holds_nothing_that_is_optional():
    for name, model in (
        ("groq", "openai/gpt-oss-120b"),
        ("groq", "qwen/qwen3-32b"),
        ("xai", "grok-4.7"),
        ("openai", "gpt-4.1"),
    ):
        body = sent(name, model=model, request=asking(plain=True, temperature=0.5))[1]
        assert set(body) - {"max_tokens", "max_completion_tokens"} == {"model", "messages", "tools"}


def test_another_providers_signature_is_not_sent(provider):
    turn = AssistantMessage(
        "Hm.", (ToolCall("c1", "get_cart", {}),), ("gemini", {"thoughtSignature": "zzz"})
    )
    body = sent(provider, request=asking(UserMessage("x"), turn, ToolResult("c1", "get_cart", {})))[
        1
    ]
    assert "zzz" not in json.dumps(body)


# --- Groq's refused generations --------------------------------------------------------------


def refused(generation=None, message="Failed to call a function.", **error):
    error = {
        "message": message,
        "type": "invalid_request_error",
        "code": "tool_use_failed",
        **error,
    }
    if generation is not None:
        error["failed_generation"] = generation
    return (400, {}, {"error": error})


@pytest.mark.parametrize(
    "generation",
    [
        '<function=search_products>{"query": "oud", "maxPrice": "800"}</function>',
        '<function=search_products{"query": "oud", "maxPrice": "800"}</function>',
        'search_products{"query": "oud", "maxPrice": "800"}</function>',
        '<function=search_products{"query": "oud", "maxPrice": "800"},-----',
        '{"name": "search_products", "arguments": {"query": "oud", "maxPrice": "800"}}',
        '[{"name": "search_products", "parameters": {"query": "oud", "maxPrice": 800}}]',
        '```\n{"tool_calls": [{"id": "pending", "type": "function", "function": {"name": "search_products"}, "parameters": {"query": "oud", "maxPrice": "800"}}]}\n```',
        '<tool_call>{"name": "search_products", "arguments": {"query": "oud", "maxPrice": 800.0, "x": null}}</tool_call>',
    ],
)
def test_a_call_that_groq_refused_is_recovered_from_its_generation(provider_server, generation):
    provider_server.replies = [refused(generation)]
    asked = made("groq", provider_server.url)
    reply = asked.complete(asking(), Deadline.after(10))
    asked.close()
    assert [(c.name, dict(c.arguments)) for c in reply.tool_calls] == [
        ("search_products", {"query": "oud", "maxPrice": 800})
    ]
    assert (reply.finish, reply.provider, reply.model, reply.usage.calls) == (
        "tool_calls",
        "groq",
        "m-0",
        1,
    )


@pytest.mark.parametrize(
    "reply",
    [
        refused(),
        refused(None, "tool call validation failed: parameters for tool x did not match schema"),
        refused(""),
        refused(5),
        refused('<function=search_products>{"query": "ou'),
        refused('<function=brave_search>{"query": "secret"}</function>'),
        refused('{"name": "repo_browser.open_file", "arguments": {"path": "secret"}}'),
        refused("I would rather talk."),
        refused('{"name": "search_products", "arguments": {"query": NaN}}'),
    ],
)
def test_a_generation_that_holds_no_whole_declared_call_is_asked_for_again(provider_server, reply):
    provider_server.replies = [reply]
    asked = made("groq", provider_server.url)
    error = failing(asked)
    asked.close()
    assert (error.kind, error.remedy) == ("malformed", "again")
    assert error.hint


def test_no_call_is_recovered_where_none_was_allowed(provider_server):
    provider_server.replies = [
        refused(
            '{"name": "search_products", "arguments": {"query": "oud"}}',
            "Tool choice is none, but model called a tool",
        )
    ]
    asked = made("groq", provider_server.url)
    assert failing(asked, asking(tool_choice="none")).remedy == "again"
    asked.close()


def test_a_refused_generation_inside_a_stream_is_recovered_too(provider_server):
    error = {"message": "Failed to call a function.", "code": "tool_use_failed", "status_code": 400,
             "failed_generation": '<function=search_products>{"query": "oud"}</function>'}  # fmt: skip
    frames = [{"choices": [{"delta": {"content": "Half an"}}]}, {"error": error}]
    stream = b"".join(b"data: " + json.dumps(f).encode() + b"\n\n" for f in frames)
    provider_server.replies = [(200, {"content-type": "text/event-stream"}, stream)]
    asked = made("groq", provider_server.url)
    reply = asked.complete(asking(), Deadline.after(10))
    asked.close()
    assert (reply.text, [c.name for c in reply.tool_calls]) == ("", ["search_products"])


# --- what is loaded --------------------------------------------------------------------------


@pytest.mark.parametrize("module", ["openai", "xai"])
def test_no_sdk_and_no_pydantic_is_loaded_for_servers_over_httpx(module):
    code = (
        f"import sys, shopping_agent.adapters.llm.{module}; "
        "print([m for m in ('groq', 'google.genai', 'pydantic', 'httpx2', 'openai') if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.strip() == "[]"
