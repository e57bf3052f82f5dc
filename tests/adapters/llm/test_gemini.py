"""Gemini through the real SDK over real HTTP: what is sent, and how calls end."""

import json
import logging
import subprocess
import sys
import time
from datetime import UTC, datetime

import httpx
import pytest
from shopping_agent.adapters.llm.gemini import GeminiModel
from shopping_agent.domain.conversation import (
    AssistantMessage,
    DataBlock,
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
        "properties": {"query": {"type": "string"}, "maxPrice": {"type": "integer"}},
        "required": ["query"],
    },
)
CART = ToolSpec("get_cart", "The cart.", {"type": "object", "properties": {}})
STAND_IN = "skip_thought_signature_validator"


def text_reply(text="Hello", **candidate):
    content = {"role": "model", "parts": [{"text": text}]}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0, **candidate}],
        "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 2, "totalTokenCount": 11},
        "modelVersion": "gemini-3.8-flash",
        "responseId": "r",
    }


def parts_reply(*parts, finish="STOP"):
    return text_reply(content={"role": "model", "parts": list(parts)}, finishReason=finish)


def asking(*messages, **fields):
    return ModelRequest(
        system="You sell perfume.",
        messages=messages or (UserMessage("something fresh"),),
        tools=fields.pop("tools", (SEARCH, CART)),
        query=ShopperQuery("something fresh", "en"),
        **fields,
    )


@pytest.fixture
def gemini(provider_server):
    """Makes a model that talks to the test's server."""
    made = []

    def make(model="gemini-3.8-flash", path="/ok", key="sekret"):
        made.append(
            GeminiModel(
                base_url=provider_server.url + path,
                api_key=key,
                model=model,
                temperature=0.2,
                max_tokens=700,
            )
        )
        return made[-1]

    yield make
    for model in made:
        model.close()


@pytest.fixture
def sent(provider_server, gemini):
    """The body that a request becomes."""

    def send(request, **options):
        provider_server.replies = [text_reply()]
        gemini(**options).complete(request, Deadline.after(10))
        return provider_server.bodies[-1]

    return send


def test_a_call_is_one_post_with_the_key_in_a_header_and_nothing_else(provider_server, gemini):
    provider_server.replies = [text_reply("Bonjour")]
    model = gemini()
    reply = model.complete(asking(), Deadline.after(10))
    assert provider_server.paths == ["/ok/v1beta/models/gemini-3.8-flash:generateContent"]
    assert provider_server.headers[0]["x-goog-api-key"] == "sekret"
    assert "x-server-timeout" not in provider_server.headers[0]
    assert (reply.text, reply.finish, reply.provider) == ("Bonjour", "stop", "gemini")
    assert (model.name, model.model) == ("gemini", "gemini-3.8-flash")


def test_the_body_declares_tools_by_json_schema_and_the_system_apart(sent):
    body = sent(asking(UserMessage("hi", (DataBlock("cart", {"lines": []}),))))
    assert body["systemInstruction"] == {"parts": [{"text": "You sell perfume."}]}
    [tools] = body["tools"]
    assert [tool["name"] for tool in tools["functionDeclarations"]] == [
        "search_products",
        "get_cart",
    ]
    assert tools["functionDeclarations"][0]["parametersJsonSchema"]["required"] == ["query"]
    assert "toolConfig" not in body
    [turn] = body["contents"]
    assert turn["role"] == "user"
    assert turn["parts"][0]["text"].startswith('<data name="cart">')


def test_a_last_answer_keeps_the_tools_declared_under_mode_none(sent):
    body = sent(asking(tool_choice="none"))
    assert body["tools"]
    assert body["toolConfig"] == {"functionCallingConfig": {"mode": "NONE"}}


def test_without_tools_none_are_declared(sent):
    body = sent(asking(tools=(), tool_choice="none"))
    assert "tools" not in body
    assert "toolConfig" not in body


@pytest.mark.parametrize(
    ("model", "plain", "expected"),
    [
        (
            "gemini-3.8-flash",
            False,
            {"maxOutputTokens": 1624, "thinkingConfig": {"thinkingLevel": "LOW"}},
        ),
        ("gemini-3.8-flash", True, {"maxOutputTokens": 4696}),
        ("gemini-2.5-flash", False, {"maxOutputTokens": 4696, "temperature": 0.2}),
        ("gemini-2.5-flash", True, {"maxOutputTokens": 4696}),
        ("gemini-4-argon", False, {"maxOutputTokens": 4696}),
        ("gemini-flash-latest", False, {"maxOutputTokens": 4696}),
    ],
)
def test_a_family_gets_only_the_parameters_that_it_is_known_to_take(sent, model, plain, expected):
    assert sent(asking(plain=plain), model=model)["generationConfig"] == expected


def test_the_temperature_and_the_tokens_of_a_request_come_first(sent):
    body = sent(asking(temperature=0.0, max_tokens=100), model="gemini-2.5-flash")
    assert body["generationConfig"] == {"maxOutputTokens": 4196, "temperature": 0.0}


def test_history_begins_and_ends_with_the_user_and_holds_no_empty_turn(sent):
    body = sent(
        asking(
            AssistantMessage("Welcome!"),
            UserMessage("  "),
            AssistantMessage(""),
            UserMessage("oud"),
            AssistantMessage("Here is one."),
            AssistantMessage("And another."),
        )
    )
    roles = [turn["role"] for turn in body["contents"]]
    assert roles == ["user", "model", "user", "model", "user"]
    assert body["contents"][3]["parts"] == [{"text": "Here is one."}, {"text": "And another."}]
    assert all(part["text"].strip() for turn in body["contents"] for part in turn["parts"])


def test_a_conversation_without_any_text_is_still_a_request(sent):
    assert sent(asking(UserMessage("")))["contents"][0]["role"] == "user"


def test_a_broken_character_never_reaches_the_provider(sent):
    body = sent(
        asking(
            UserMessage("rose \ud83d"),
            AssistantMessage(tool_calls=(ToolCall("c1", "get_cart", {"q": "\udc00"}),)),
            ToolResult("c1", "get_cart", {"note": "\ud83d"}),
        )
    )
    assert "\\ud83d" not in json.dumps(body)
    assert "\\udc00" not in json.dumps(body)


TWO_CALLS = (
    {
        "functionCall": {"name": "search_products", "args": {"query": "a"}},
        "thoughtSignature": "c2ln",
    },
    {"functionCall": {"name": "search_products", "args": {"query": "b"}}},
)


def loop_once(
    provider_server, gemini, *parts, answers=None, after=(), plain=False, model="gemini-3.8-flash"
):
    """One step as the loop makes it: the model calls, the calls get ids and results, the model is asked again."""
    provider_server.replies = [parts_reply(*parts), text_reply("Done.")]
    model = gemini(model)
    asked = UserMessage("a and b")
    reply = model.complete(asking(asked), Deadline.after(10))
    calls = tuple(
        ToolCall(call.id or f"made-up-{i}", call.name, call.arguments, call.fault)
        for i, call in enumerate(reply.tool_calls)
    )
    results = [ToolResult(call.id, call.name, {"n": i}) for i, call in enumerate(calls)]
    history = (asked, AssistantMessage(reply.text, calls, reply.opaque))
    answers = reversed(results) if answers is None else answers(results)
    model.complete(asking(*history, *answers, *after, plain=plain), Deadline.after(10))
    return provider_server.bodies[-1]["contents"]


def test_parallel_results_are_one_turn_in_the_order_of_the_calls_without_made_up_ids(
    provider_server, gemini
):
    contents = loop_once(provider_server, gemini, *TWO_CALLS, after=(UserMessage("and?"),))
    assert [turn["role"] for turn in contents] == ["user", "model", "user", "user"]
    assert contents[1] == {"role": "model", "parts": list(TWO_CALLS)}
    assert contents[2]["parts"] == [
        {"functionResponse": {"name": "search_products", "response": {"n": 0}}},
        {"functionResponse": {"name": "search_products", "response": {"n": 1}}},
    ]
    assert contents[3]["parts"] == [{"text": "and?"}]
    assert "made-up" not in json.dumps(contents)


def test_ids_that_the_provider_gave_come_back_with_their_results(provider_server, gemini):
    calls = (
        {
            "functionCall": {"id": "0b3pdf3o", "name": "get_cart", "args": {}},
            "thoughtSignature": "s",
        },
        {"functionCall": {"id": "call_4162774", "name": "get_cart"}},
    )
    contents = loop_once(provider_server, gemini, *calls)
    assert contents[1]["parts"] == list(calls)
    assert [part["functionResponse"]["id"] for part in contents[2]["parts"]] == [
        "0b3pdf3o",
        "call_4162774",
    ]


def test_a_call_left_without_a_result_gets_an_error_as_its_result(provider_server, gemini):
    contents = loop_once(provider_server, gemini, *TWO_CALLS, answers=lambda results: results[:1])
    responses = [part["functionResponse"]["response"] for part in contents[2]["parts"]]
    assert responses[0] == {"n": 0}
    assert list(responses[1]) == ["error"]


def test_what_the_model_sent_goes_back_unchanged_but_for_empty_parts(provider_server, gemini):
    parts = (
        {"text": "hmm", "thought": True},
        {"text": "", "thoughtSignature": "url-safe_base64=="},
        {"text": ""},
        {"thoughtSignature": "only"},
        {},
        {"functionCall": {"name": "get_cart", "newField": {"x": [1]}}, "thoughtSignature": "b-_=="},
    )
    contents = loop_once(provider_server, gemini, *parts)
    assert contents[1]["parts"] == [parts[0], parts[1], parts[5]]


@pytest.mark.parametrize("model", ["gemini-3.8-flash", "gemini-flash-latest"])
def test_a_plain_request_puts_the_stand_in_for_every_signature_and_drops_ids(
    provider_server, gemini, model
):
    call = {
        "functionCall": {"id": "0b3", "name": "get_cart", "args": {}},
        "thoughtSignature": "c2ln",
    }
    contents = loop_once(provider_server, gemini, call, plain=True, model=model)
    assert contents[1]["parts"] == [
        {"functionCall": {"name": "get_cart", "args": {}}, "thoughtSignature": STAND_IN}
    ]
    assert contents[2]["parts"] == [
        {"functionResponse": {"name": "get_cart", "response": {"n": 0}}}
    ]


@pytest.mark.parametrize(
    ("model", "signed"), [("gemini-3.8-flash", True), ("gemini-2.5-flash", False)]
)
def test_calls_of_another_provider_carry_the_stand_in_on_the_first_where_signatures_are_asked(
    sent, model, signed
):
    calls = (ToolCall("call_1", "get_cart", {}), ToolCall("call_2", "get_cart", {}))
    body = sent(
        asking(
            UserMessage("cart?"),
            AssistantMessage("Looking.", calls, ("groq", {"reasoning": "secret thought"})),
            ToolResult("call_1", "get_cart", {"ok": True}),
            ToolResult("call_2", "get_cart", {"ok": True}),
        ),
        model=model,
    )
    text, first, second = body["contents"][1]["parts"]
    assert text == {"text": "Looking."}
    assert first.get("thoughtSignature") == (STAND_IN if signed else None)
    assert "thoughtSignature" not in second
    assert "secret thought" not in json.dumps(body)
    assert "call_1" not in json.dumps(body)


@pytest.mark.parametrize(
    "call",
    [
        {"name": "", "args": {}},
        {"args": {"query": "x"}},
        {"name": "what is this?", "args": {}},
        {"name": "default_api.get_cart", "args": {}},
        {"name": "search_products", "args": "not an object"},
        {"name": "search_products", "args": ["x"]},
        {"name": 7},
    ],
)
def test_a_call_that_the_api_would_not_take_back_is_sent_in_a_form_that_it_takes(
    provider_server, gemini, call
):
    contents = loop_once(provider_server, gemini, {"functionCall": call, "thoughtSignature": "s"})
    [back] = contents[1]["parts"]
    [result] = contents[2]["parts"]
    assert back["thoughtSignature"] == STAND_IN
    name = back["functionCall"]["name"]
    assert name == result["functionResponse"]["name"]
    assert name.replace("_", "a").isalnum()
    assert isinstance(back["functionCall"]["args"], dict)


def test_calls_that_the_loop_left_out_are_left_out_of_the_history_too(sent):
    kept = {"parts": [dict(part) for part in TWO_CALLS]}
    call = ToolCall("c", "search_products", {"query": "a"})
    body = sent(
        asking(
            UserMessage("x"),
            AssistantMessage("", (call,), ("gemini", kept)),
            ToolResult("c", "search_products", {"products": []}),
        )
    )
    assert [len(turn["parts"]) for turn in body["contents"]] == [1, 1, 1]


def test_facts_of_any_kind_become_json(sent):
    body = sent(
        asking(
            UserMessage("x"),
            AssistantMessage("", (ToolCall("c", "get_cart", {}),)),
            ToolResult("c", "get_cart", {"at": datetime(2026, 1, 1, tzinfo=UTC)}),
        )
    )
    assert "2026" in json.dumps(body["contents"][2])


# --- how a call ends ---------------------------------------------------------------------------


def failing(model, deadline=None):
    with pytest.raises(LanguageModelError) as failed:
        model.complete(asking(), deadline or Deadline.after(10))
    return failed.value


def test_the_reply_names_who_answered_and_what_it_cost(provider_server, gemini):
    usage = {
        "promptTokenCount": 100,
        "cachedContentTokenCount": 64,
        "candidatesTokenCount": 7,
        "thoughtsTokenCount": 30,
        "totalTokenCount": 137,
    }
    provider_server.replies = [text_reply() | {"usageMetadata": usage, "modelVersion": "gemini-4"}]
    reply = gemini().complete(asking(), Deadline.after(10))
    assert reply.model == "gemini-4"
    assert (reply.usage.calls, reply.usage.input_tokens) == (1, 100)
    assert (reply.usage.output_tokens, reply.usage.cached_tokens) == (37, 64)


RATE_LIMITED = {
    "error": {
        "code": 429,
        "message": "You exceeded your current quota. Key AIzaSyEcho",
        "status": "RESOURCE_EXHAUSTED",
        "details": [
            {"@type": "type.googleapis.com/google.rpc.Help", "links": []},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.4s"},
        ],
    }
}
BAD_KEY = {
    "error": {
        "code": 400,
        "message": "API key not valid. Please pass a valid API key.",
        "status": "INVALID_ARGUMENT",
        "details": [
            {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
        ],
    }
}
UNSIGNED = {
    "error": {
        "code": 400,
        "message": "Function call is missing a thought_signature in functionCall parts.",
        "status": "INVALID_ARGUMENT",
    }
}


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (429, RATE_LIMITED, "rate_limited"),
        (429, [RATE_LIMITED], "rate_limited"),
        (400, BAD_KEY, "auth"),
        (
            404,
            {"error": {"code": 404, "status": "NOT_FOUND", "message": "not found"}},
            "model_gone",
        ),
        (503, {"error": {"code": 503, "status": "UNAVAILABLE", "message": "later"}}, "overloaded"),
        (503, {"error": "a string"}, "overloaded"),
        (503, [], "overloaded"),
        (503, [{}, {}], "overloaded"),
        (502, b"<html><body>502 Bad Gateway</body></html>", "overloaded"),
        (502, "<html>Passerelle indisponible \xe9\xff</html>".encode("latin-1"), "overloaded"),
        (500, b"", "overloaded"),
        (500, b"null", "overloaded"),
    ],
)
def test_an_error_of_any_shape_is_one_of_ours_after_one_attempt(
    provider_server, gemini, status, body, kind
):
    provider_server.replies = [(status, {}, body)]
    error = failing(gemini())
    assert error.kind == kind
    assert len(provider_server.paths) == 1
    assert "AIza" not in str(error)


def test_the_wait_that_google_asks_for_is_kept(provider_server, gemini):
    provider_server.replies = [(429, {}, RATE_LIMITED)]
    assert failing(gemini()).retry_after == pytest.approx(34.4)


def test_a_refused_signature_asks_for_a_plain_request(provider_server, gemini):
    provider_server.replies = [(400, {}, UNSIGNED)]
    assert failing(gemini()).remedy == "plain"


def test_a_redirect_is_not_followed(provider_server, gemini):
    provider_server.replies = [(302, {"location": "/elsewhere"}, b""), text_reply()]
    failing(gemini())
    assert len(provider_server.paths) == 1


@pytest.mark.parametrize("body", [b"", b"not json", b"[]", b"null", b'"x"', b"\xff\xfe", b"<html>"])
def test_a_200_that_is_no_reply_is_malformed(provider_server, gemini, body):
    provider_server.replies = [(200, {}, body)]
    error = failing(gemini())
    assert (error.kind, error.remedy) == ("malformed", "again")


def test_a_200_that_holds_an_error_is_that_error(provider_server, gemini):
    provider_server.replies = [RATE_LIMITED]
    assert failing(gemini()).kind == "rate_limited"


def drip(handler):
    handler.send_response(200)
    handler.send_header("content-length", "100000")
    handler.end_headers()
    while True:
        handler.wfile.write(b" ")
        time.sleep(0.02)


def hang(handler):
    time.sleep(1.0)
    handler.close_connection = True


@pytest.mark.parametrize("reply", [drip, hang])
def test_a_reply_that_drips_or_never_comes_ends_at_the_deadline(provider_server, gemini, reply):
    provider_server.replies = [reply]
    model = gemini()
    begun = time.monotonic()
    assert failing(model, Deadline.after(0.3)).kind == "timeout"
    assert time.monotonic() - begun < 0.9


def test_no_time_left_sends_nothing(provider_server, gemini):
    assert failing(gemini(), Deadline.after(-1)).kind == "timeout"
    assert provider_server.connections == 0


def test_a_reply_without_end_is_cut(provider_server, gemini):
    def pour(handler):
        handler.send_response(200)
        handler.send_header("content-length", str(1 << 30))
        handler.end_headers()
        while True:
            handler.wfile.write(b" " * 1_000_000)

    provider_server.replies = [pour]
    assert failing(gemini()).kind in ("malformed", "connection")


def test_a_connection_that_died_while_kept_is_replaced_at_once(provider_server, gemini):
    def answer_and_die(handler):
        content = json.dumps(text_reply("one")).encode()
        handler.send_response(200)
        handler.send_header("content-length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)
        handler.close_connection = True

    provider_server.replies = [answer_and_die, text_reply("two"), text_reply("three")]
    model = gemini()
    texts = [model.complete(asking(), Deadline.after(10)).text for _ in range(3)]
    assert texts == ["one", "two", "three"]
    assert provider_server.connections == 2
    assert len(provider_server.paths) == 3


def test_a_server_that_is_not_there_is_a_connection_error():
    def refuse(request):
        raise httpx.ConnectError("refused", request=request)

    model = GeminiModel(
        base_url="",
        api_key="k",
        model="gemini-3.8-flash",
        temperature=0.2,
        max_tokens=700,
        transport=httpx.MockTransport(refuse),
    )
    assert failing(model).kind == "connection"


def test_without_a_base_the_call_goes_to_google_whatever_the_environment_says(monkeypatch, caplog):
    for name, value in {
        "GOOGLE_API_KEY": "other",
        "GOOGLE_GEMINI_BASE_URL": "http://elsewhere.test",
        "GOOGLE_GENAI_USE_VERTEXAI": "true",
        "GOOGLE_GENAI_USE_ENTERPRISE": "true",
        "GOOGLE_GENAI_API_VERSION": "v9",
        "GOOGLE_GENAI_HTTP_CLIENT": "httpx2",
        "GOOGLE_CLOUD_PROJECT": "p",
        "HTTPS_PROXY": "http://proxy.test",
    }.items():
        monkeypatch.setenv(name, value)
    requests = []

    def reply(request):
        requests.append(request)
        return httpx.Response(200, json=text_reply())

    model = GeminiModel(
        base_url="",
        api_key="",
        model="gemini-3.8-flash",
        temperature=0.2,
        max_tokens=700,
        transport=httpx.MockTransport(reply),
    )
    with caplog.at_level(logging.WARNING):
        model.complete(asking(), Deadline.after(5))
    [request] = requests
    assert str(request.url) == (
        "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:generateContent"
    )
    assert request.headers["x-goog-api-key"] == "none"
    assert not caplog.records


def run(program):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_sdk_is_imported_without_a_warning():
    assert run("import shopping_agent.adapters.llm.gemini") == []


def test_who_does_not_choose_gemini_loads_neither_the_sdk_nor_its_http_library():
    imports = "bootstrap, adapters.transport, adapters.llm.faults, adapters.embedding.gemini"
    lines = [f"import shopping_agent.{name}" for name in imports.split(", ")]
    loaded = "import sys; print(*(m for m in ('google.genai', 'httpx2') if m in sys.modules))"
    assert run("\n".join([*lines, loaded])) == []
