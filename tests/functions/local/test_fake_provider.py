"""The fake provider: what the SDKs make of it, what it refuses, and how it breaks."""

import json
import socket
import threading
import time
from collections.abc import Generator
from contextlib import closing
from typing import Any

import groq
import httpx
import httpx2
import pytest
from google import genai
from google.genai import errors, types

from functions.local.fake_provider import Answer, Call, FakeProvider, Move, fake_provider
from functions.local.fake_provider.faults import FAULTS, switch_of

TOOLS: list[Any] = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": "A tool.",
            "parameters": {"type": "object", "properties": {"query": {"type": "string"}}},
        },
    }
    for name in ("search_products", "add_to_cart")
]
ADD = "A fresh one under 800 MAD, and add the best."
FOUND = {
    "products": [
        {"id": "a", "name": "Azur", "price": 900, "currency": "MAD", "inStock": True},
        {"id": "b", "name": "Brise", "price": 300, "currency": "MAD", "inStock": True},
    ],
    "best": "b",
}
ADDED = {
    "ok": True,
    "name": "Brise",
    "quantity": 1,
    "cart": {"currency": "MAD", "items": [{"name": "Brise", "unitPrice": 300}]},
    "cartTotal": 300,
}


@pytest.fixture(scope="module")
def server() -> Generator[FakeProvider]:
    with fake_provider() as running:
        yield running


@pytest.fixture
def fake(server: FakeProvider) -> FakeProvider:
    server.reset()
    return server


def chat(fake: FakeProvider, messages: list[Any], path: str = "/v1", **fields: Any):
    body = {"model": "fake", "messages": messages, **fields}
    headers = {"authorization": "Bearer k"}
    return httpx.post(f"{fake.url}{path}/chat/completions", json=body, headers=headers)


def said(answer: httpx.Response) -> dict[str, Any]:
    return answer.json()["choices"][0]["message"]


def generate(fake: FakeProvider, body: dict[str, Any], model: str = "gemini-3.5-flash"):
    url = f"{fake.url}/v1beta/models/{model}:generateContent"
    return httpx.post(url, json=body, headers={"x-goog-api-key": "k"})


def test_the_groq_sdk_searches_adds_and_confirms(fake):
    messages: list[Any] = [{"role": "user", "content": ADD}]
    results = {"search_products": FOUND, "add_to_cart": ADDED}
    with groq.Groq(api_key="k", base_url=fake.url, max_retries=0) as client:
        for wanted in results:
            reply = client.chat.completions.create(model="m", messages=messages, tools=TOOLS)
            message = reply.choices[0].message
            assert message.tool_calls
            [call] = message.tool_calls
            assert call.function.name == wanted
            messages.append({"role": "assistant", "content": "", "tool_calls": [call.model_dump()]})
            content = json.dumps(results[wanted])
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
        assert "b" in messages[3]["tool_calls"][0]["function"]["arguments"]
        last = client.chat.completions.create(model="m", messages=messages, tools=TOOLS)
    assert last.choices[0].message.content == (
        "I added Brise to your cart (300 MAD). Your cart total is 300 MAD."
    )
    assert [r.refused for r in fake.requests] == ["", "", ""]


def test_the_gemini_sdk_gets_signatures_and_must_give_them_back(fake):
    tool = types.Tool(
        function_declarations=[
            types.FunctionDeclaration(
                name="add_to_cart",
                description="Add.",
                parameters_json_schema={"type": "object", "properties": {}},
            )
        ]
    )
    options = types.HttpOptions(base_url=fake.url)
    config = types.GenerateContentConfig(tools=[tool])
    text = f'<data name="search_products">\n{json.dumps(FOUND)}\n</data>\n{ADD}'
    contents: list[Any] = [types.Content(role="user", parts=[types.Part(text=text)])]
    with closing(genai.Client(api_key="k", http_options=options)) as client:
        reply = client.models.generate_content(
            model="gemini-3.5-flash", contents=contents, config=config
        )
        assert reply.candidates
        content = reply.candidates[0].content
        assert content
        assert content.parts
        call = content.parts[0].function_call
        assert call
        assert content.parts[0].thought_signature
        result = types.FunctionResponse(id=call.id, name=call.name, response=ADDED)
        answer = types.Content(role="user", parts=[types.Part(function_response=result)])
        contents += [content, answer]
        reply = client.models.generate_content(
            model="gemini-3.5-flash", contents=contents, config=config
        )
        assert "added Brise" in (reply.text or "")
        content.parts[0].thought_signature = None
        with pytest.raises(errors.ClientError, match="missing a thought_signature"):
            client.models.generate_content(
                model="gemini-3.5-flash", contents=contents, config=config
            )


def test_older_gemini_models_give_neither_ids_nor_signatures(fake):
    body = {
        "contents": [{"role": "user", "parts": [{"text": ADD}]}],
        "tools": [{"functionDeclarations": [{"name": "search_products", "description": "Find."}]}],
    }
    [part] = generate(fake, body, "gemini-2.5-flash").json()["candidates"][0]["content"]["parts"]
    assert set(part) == {"functionCall"}
    assert "id" not in part["functionCall"]


def test_knowledge_is_answered_from_the_guides(fake):
    passage = {
        "source": "delivery",
        "heading": "Cities",
        "text": "We ship to Fes. In two days. Free.",
    }
    block = f'<data name="search_guides">\n{json.dumps({"passages": [passage]})}\n</data>\n'
    messages = [{"role": "user", "content": block + "do you ship to Fes?"}]
    assert said(chat(fake, messages))["content"] == (
        "According to our guide: We ship to Fes. In two days."
    )


@pytest.mark.parametrize(
    ("message", "tool", "arguments"),
    [
        ("make it two", "update_cart_item", {"productId": "b", "quantity": 2}),
        ("please remove it", "remove_from_cart", {"productId": "b"}),
        ("empty my cart", "clear_cart", {}),
    ],
)
def test_the_cart_is_changed_and_the_change_told(fake, message, tool, arguments):
    cart = {"items": [{"productId": "b", "name": "Brise", "quantity": 1}], "currency": "MAD"}
    block = f'<data name="cart">\n{json.dumps(cart)}\n</data>\n'
    function = {
        "name": tool,
        "description": "A tool.",
        "parameters": TOOLS[0]["function"]["parameters"],
    }
    tools = [{"type": "function", "function": function}]
    messages: list[Any] = [{"role": "user", "content": block + message}]
    [call] = said(chat(fake, messages, tools=tools))["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == arguments
    result = json.dumps({"ok": True, "cart": cart, "cartTotal": 600})
    messages += [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call["id"], "content": result},
    ]
    assert said(chat(fake, messages, tools=tools))["content"] == (
        "Done. Your cart total is 600 MAD."
    )


def test_without_tools_it_never_calls(fake):
    message = said(chat(fake, [{"role": "user", "content": ADD}]))
    assert not message.get("tool_calls")
    message = said(chat(fake, [{"role": "user", "content": ADD}], tools=TOOLS, tool_choice="none"))
    assert not message.get("tool_calls")


CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
USER = {"role": "user", "content": "hello"}
CALLED = {"role": "assistant", "content": "", "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "{}"}


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([USER, {**CALLED, "tool_calls": [{**CALL, "function": {"name": "", "arguments": "{}"}}]}, RESULT], "empty string"),
        ([USER, CALLED, USER], "did not have response messages: c1"),
        ([USER, RESULT], "must be a response to a preceding"),
        ([USER, CALLED, {**RESULT, "tool_call_id": "c2"}], "must be a response to a preceding"),
        ([USER, {"role": "assistant", "content": None}, USER], "must be a string"),
        ([USER, {"role": "assistant", "content": ""}, USER], "must not be empty"),
        ([USER, CALLED, {**RESULT, "content": {"ok": True}}], "must be a string"),
        ([USER, {"role": "assistant", "content": "hi"}], "last message"),
        ([USER, {"role": "assistant", "content": "hi", "reasoning_content": "hm"}, USER], "'reasoning_content' is unsupported"),
        ([], "minimum number of items"),
    ],
)  # fmt: skip
def test_groq_refuses_what_breaks_its_wire(fake, messages, words):
    answer = chat(fake, messages, "/openai/v1")
    assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request_error")
    assert words in answer.json()["error"]["message"]
    assert fake.requests[0].refused


def test_a_whole_exchange_is_taken(fake):
    assert chat(fake, [USER, CALLED, RESULT], "/openai/v1").status_code == 200


def test_grok_takes_its_reasoning_back_but_no_stop(fake):
    messages = [USER, {"role": "assistant", "content": "hi", "reasoning_content": "hm"}, USER]
    assert chat(fake, messages, "/xai/v1").status_code == 200
    refused = chat(fake, messages, "/xai/v1", stop=["x"])
    assert (refused.status_code, set(refused.json())) == (400, {"code", "error"})


MODEL_CALL = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}
RESPONSE = {"functionResponse": {"name": "f", "response": {"ok": True}}}
ASKED = {"role": "user", "parts": [{"text": "hello"}]}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"contents": [ASKED, MODEL_CALL, ASKED]}, "equal to the number of function call parts"),
        ({"contents": [ASKED, MODEL_CALL, {"role": "user", "parts": [RESPONSE, {"text": "x"}]}]}, "function responses only"),
        ({"contents": [ASKED, {**MODEL_CALL, "parts": MODEL_CALL["parts"] * 2}, {"role": "user", "parts": [RESPONSE]}, {"role": "user", "parts": [RESPONSE]}]}, "equal to the number"),
        ({"contents": [ASKED, {"role": "model", "parts": []}, ASKED]}, "parts must not be empty"),
        ({"contents": [ASKED, {"role": "model", "parts": [{"text": ""}]}, ASKED]}, "required oneof field"),
        ({"contents": [ASKED, {"role": "assistant", "parts": [{"text": "x"}]}, ASKED]}, "valid role"),
        ({"contents": [ASKED, {"role": "model", "parts": [{"text": "x"}]}]}, "last turn"),
        ({"contents": [ASKED], "systemPrompt": "x"}, 'Unknown name "systemPrompt"'),
        ({"contents": [ASKED], "tools": [{"functionDeclarations": [{"name": "f", "description": "d", "parameters": {"type": "object", "properties": {"n": {"type": "integer", "exclusiveMinimum": 0}}}}]}]}, 'Unknown name "exclusiveMinimum"'),
        ({"contents": [ASKED], "tools": [{"functionDeclarations": [{"name": "f", "description": "d", "parameters": {"type": "object", "properties": {"n": {"type": ["string", "null"]}}}}]}]}, "Invalid value"),
        ({"contents": [ASKED], "tools": [{"functionDeclarations": [{"name": "f", "description": "d", "parametersJsonSchema": {"type": "object", "properties": []}}]}]}, "must be an object"),
    ],
)  # fmt: skip
def test_gemini_refuses_what_breaks_its_wire(fake, body, words):
    answer = generate(fake, body, "gemini-2.5-flash")
    assert (answer.status_code, answer.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")
    assert words in answer.json()["error"]["message"]


def test_gemini_gives_nothing_for_a_history_of_calls_without_declarations(fake):
    contents = [ASKED, MODEL_CALL, {"role": "user", "parts": [RESPONSE]}]
    [candidate] = generate(fake, {"contents": contents}, "gemini-2.5-flash").json()["candidates"]
    assert candidate["finishReason"] == "UNEXPECTED_TOOL_CALL"
    assert "parts" not in candidate["content"]


def test_bad_keys_and_retired_models_are_refused_in_each_providers_words(fake):
    body = {"model": "llama-3.3-70b-versatile", "messages": [USER]}
    bad, good = {"authorization": "Bearer bad-key"}, {"authorization": "Bearer k"}
    for path, status in {"/v1": 401, "/openai/v1": 401, "/xai/v1": 400}.items():
        answer = httpx.post(f"{fake.url}{path}/chat/completions", json=body, headers=bad)
        assert answer.status_code == status
        answer = httpx.post(f"{fake.url}{path}/chat/completions", json=body, headers=good)
        assert answer.status_code == 404
    url = f"{fake.url}/v1beta/models/gemini-3.5-flash:generateContent"
    answer = httpx.post(url, json={"contents": [ASKED]}, headers={"x-goog-api-key": "bad"})
    assert answer.json()["error"]["details"][0]["reason"] == "API_KEY_INVALID"


def test_calls_are_scripted_by_number_over_http_too(fake):
    script = {
        "calls": {
            "1": {"status": 429, "headers": {"retry-after": "7"}, "body": {"error": "x"}},
            "2": {"calls": [{"name": "add_to_cart", "arguments": {"productId": "z"}}]},
        }
    }
    assert httpx.put(f"{fake.url}/__script", json=script).status_code == 200
    first = chat(fake, [USER])
    assert (first.status_code, first.headers["retry-after"]) == (429, "7")
    [call] = said(chat(fake, [USER]))["tool_calls"]
    assert call["function"]["name"] == "add_to_cart"
    assert said(chat(fake, [USER]))["content"]
    assert [r["number"] for r in httpx.get(f"{fake.url}/__requests").json()] == [1, 2, 3]
    httpx.delete(f"{fake.url}/__script")
    assert httpx.get(f"{fake.url}/__requests").json() == []
    wrong = httpx.put(f"{fake.url}/__script", json={"calls": {"1": {"behaviour": "odd"}}})
    assert wrong.status_code == 400


def test_a_move_is_said_in_every_dialect(fake):
    fake.always(Move(calls=[Call("search_products", {"query": "x"}), Call("get_cart")]))
    for path in ("/v1", "/openai/v1", "/xai/v1"):
        calls = said(chat(fake, [USER], path))["tool_calls"]
        assert [c["function"]["arguments"] for c in calls] == ['{"query": "x"}', "{}"]
        assert len({c["id"] for c in calls}) == 2
    parts = generate(fake, {"contents": [ASKED]}).json()["candidates"][0]["content"]["parts"]
    assert ["thoughtSignature" in p for p in parts] == [True, False]
    assert "args" not in parts[1]["functionCall"]


@pytest.mark.parametrize(
    ("behaviour", "raised"),
    [
        ("reset", (httpx.ReadError, httpx.RemoteProtocolError)),
        ("close", httpx.RemoteProtocolError),
        ("headers", httpx.RemoteProtocolError),
        ("cut", httpx.RemoteProtocolError),
        ("hang", httpx.ReadTimeout),
    ],
)
def test_a_connection_breaks_as_it_was_scripted(fake, behaviour, raised):
    fake.on(1, Answer(behaviour=behaviour))
    url = f"{fake.url}/v1/chat/completions"
    with httpx.Client() as client, pytest.raises(raised):
        client.post(url, json={"model": "m", "messages": [USER]}, timeout=0.3)


def test_a_body_drips(fake):
    fake.on(1, Answer(body="123456", behaviour="drip", pause=0.02))
    started = time.monotonic()
    assert chat(fake, [USER]).text == "123456"
    assert time.monotonic() - started > 0.1


def test_a_stale_connection_drops_the_next_request_without_a_byte(fake):
    fake.on(1, Answer(behaviour="stale"))
    url = f"{fake.url}/v1/chat/completions"
    with httpx.Client() as client:
        body = {"model": "m", "messages": [USER]}
        assert client.post(url, json=body).status_code == 200
        with pytest.raises(httpx.RemoteProtocolError):
            client.post(url, json=body)
        assert client.post(url, json=body).status_code == 200
    assert (len(fake.requests), fake.dropped) == (2, 1)


def test_a_hang_ends_when_the_client_goes(fake):
    fake.on(1, Answer(behaviour="hang"))
    before = threading.active_count()
    port = int(fake.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as client:
        body = json.dumps({"model": "m", "messages": [USER]}).encode()
        head = b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % len(body)
        client.sendall(head + body)
        until = time.monotonic() + 5
        while not fake.requests and time.monotonic() < until:
            time.sleep(0.01)
    until = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.02)
    assert threading.active_count() <= before


def test_faults_are_named_in_the_address(fake):
    assert chat(fake, [USER], "/http503x1/v1").status_code == 503
    assert chat(fake, [USER], "/http503x1/v1").status_code == 200
    fake.reset()
    assert chat(fake, [USER], "/http429ra20@2/v1").status_code == 200
    limited = chat(fake, [USER], "/http429ra20@2/v1")
    assert (limited.status_code, limited.headers["retry-after"]) == (429, "20")
    fake.reset()
    body = {"contents": [ASKED]}
    url = f"{fake.url}/http429ra48/v1beta/models/gemini-3.5-flash:generateContent"
    answer = httpx2.post(url, json=body, headers={"x-goog-api-key": "k"})
    assert answer.json()["error"]["details"][0]["retryDelay"] == "48s"
    assert "retry-after" not in answer.headers
    assert switch_of("nothing") is None
    assert all(switch_of(name) for name in FAULTS)


def test_texts_that_share_words_are_near(fake):
    texts = ["fresh citrus scent", "a fresh citrus", "leather boots"]
    answer = httpx.post(f"{fake.url}/v1/embeddings", json={"model": "m", "input": texts})
    a, b, c = (row["embedding"] for row in answer.json()["data"])
    assert sum(x * y for x, y in zip(a, b, strict=True)) > sum(
        x * y for x, y in zip(a, c, strict=True)
    )
    url = f"{fake.url}/v1beta/models/gemini-embedding-001:batchEmbedContents"
    requests = [{"content": {"parts": [{"text": t}]}, "outputDimensionality": 64} for t in texts]
    answer = httpx.post(url, json={"requests": requests}, headers={"x-goog-api-key": "k"})
    assert [len(e["values"]) for e in answer.json()["embeddings"]] == [64, 64, 64]
    empty = httpx.post(f"{fake.url}/v1/embeddings", json={"model": "m", "input": [""]})
    assert empty.status_code == 400
