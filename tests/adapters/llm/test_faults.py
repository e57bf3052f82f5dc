"""What a provider's failure means, whatever the provider and however it puts it."""

import json
import random
import time
from typing import Any

import pytest
from shopping_agent.adapters.llm.faults import fault_of, transport_fault
from shopping_agent.errors import LanguageModelError


def openai_error(message: str = "", **fields: Any) -> dict[str, Any]:
    return {"error": {"message": message, **fields}}


def google_error(code: int, message: str, status: str, *details: dict[str, Any]) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "status": status, "details": [*details]}}


def reason(name: str) -> dict[str, Any]:
    return {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": name}


def quota(quota_id: str, value: str = "20") -> dict[str, Any]:
    violation = {"quotaMetric": "m/requests", "quotaId": quota_id, "quotaValue": value}
    return {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation]}


def retry_info(delay: Any) -> dict[str, Any]:
    return {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}


GEMINI_QUOTA = (
    "You exceeded your current quota, please check your plan and billing details. For more information on this "
    "error, head to: https://ai.google.dev/gemini-api/docs/rate-limits."
)
GROQ_RATE = (
    "Rate limit reached for model `m` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): "
    "Limit 8000, Used 7900, Requested 900. Please try again in 6.2s. Need more tokens? Upgrade to Dev Tier today at "
    "https://console.groq.com/settings/billing"
)
GROQ_DAY = (
    "Rate limit reached for model `m` on requests per day (RPD): Limit 1000, Used 1000, Requested 1. "
    "Please try again in 1m26.4s."
)
XAI_CREDITS = (
    "Your team 123 has either used all available credits or reached its monthly spending limit. To continue making "
    "API requests, please purchase more credits or raise your spending limit."
)
HTML = "<html>\r\n<head><title>502 Bad Gateway</title></head><body>nginx</body></html>"

REPLIES: list[tuple[str, int, Any, str, str | None]] = [
    # keys
    (
        "gemini",
        400,
        google_error(
            400,
            "API key not valid. Please pass a valid API key.",
            "INVALID_ARGUMENT",
            reason("API_KEY_INVALID"),
        ),
        "auth",
        None,
    ),
    (
        "gemini",
        400,
        google_error(400, "API key expired. Please renew the API key.", "INVALID_ARGUMENT"),
        "auth",
        None,
    ),
    (
        "gemini",
        403,
        google_error(
            403, "Method doesn't allow unregistered callers.", "PERMISSION_DENIED", reason("X")
        ),
        "auth",
        None,
    ),
    (
        "gemini",
        400,
        google_error(400, "User location is not supported for the API use.", "FAILED_PRECONDITION"),
        "auth",
        None,
    ),
    (
        "xai",
        400,
        {
            "code": "Client specified an invalid argument",
            "error": "Incorrect API key provided: xa***Kq. You can obtain an API key from https://console.x.ai.",
        },
        "auth",
        None,
    ),
    (
        "xai",
        400,
        {"code": "invalid-argument", "error": "Incorrect API key provided: xa***Kq."},
        "auth",
        None,
    ),
    (
        "groq",
        401,
        openai_error("Invalid API Key", type="invalid_request_error", code="invalid_api_key"),
        "auth",
        None,
    ),
    (
        "openai",
        403,
        openai_error("Your organization was restricted", code="organization_restricted"),
        "auth",
        None,
    ),
    ("openai", 401, "", "auth", None),
    ("openai", 401, {"detail": "Unauthorized"}, "auth", None),
    (
        "xai",
        403,
        {"code": "permission-denied", "error": "No access to this endpoint."},
        "auth",
        None,
    ),
    # money and daily quotas
    (
        "gemini",
        429,
        google_error(
            429,
            GEMINI_QUOTA,
            "RESOURCE_EXHAUSTED",
            quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
            retry_info("48s"),
        ),
        "quota_exhausted",
        None,
    ),
    (
        "gemini",
        429,
        google_error(
            429, GEMINI_QUOTA + "\n* Quota exceeded for metric: m, limit: 0", "RESOURCE_EXHAUSTED"
        ),
        "quota_exhausted",
        None,
    ),
    (
        "gemini",
        429,
        google_error(
            429, GEMINI_QUOTA, "RESOURCE_EXHAUSTED", quota("RequestsPerMinute", value="0")
        ),
        "quota_exhausted",
        None,
    ),
    (
        "gemini",
        402,
        google_error(402, "Your prepayment credits are depleted.", "RESOURCE_EXHAUSTED"),
        "quota_exhausted",
        None,
    ),
    (
        "gemini",
        429,
        google_error(
            429, "Your project has exceeded its monthly spending cap.", "RESOURCE_EXHAUSTED"
        ),
        "quota_exhausted",
        None,
    ),
    (
        "gemini",
        400,
        google_error(
            400,
            "Gemini API free tier is not available in your country. Please enable billing on your project.",
            "FAILED_PRECONDITION",
        ),
        "quota_exhausted",
        None,
    ),
    (
        "openai",
        429,
        openai_error(GEMINI_QUOTA, type="insufficient_quota", code="insufficient_quota"),
        "quota_exhausted",
        None,
    ),
    (
        "openai",
        402,
        openai_error("Insufficient credits. Add more using https://x.test", code=402),
        "quota_exhausted",
        None,
    ),
    ("xai", 429, {"code": "resource-exhausted", "error": XAI_CREDITS}, "quota_exhausted", None),
    ("xai", 403, {"code": "permission-denied", "error": XAI_CREDITS}, "quota_exhausted", None),
    (
        "xai",
        403,
        {
            "code": "The caller does not have permission to execute the specified operation",
            "error": "Your newly created team doesn't have any credits yet.",
        },
        "quota_exhausted",
        None,
    ),
    (
        "groq",
        429,
        openai_error(GROQ_DAY, type="requests", code="rate_limit_exceeded"),
        "quota_exhausted",
        None,
    ),
    (
        "openai",
        429,
        openai_error("Rate limit exceeded: free-models-per-day.", code=429),
        "quota_exhausted",
        None,
    ),
    # for now
    (
        "gemini",
        429,
        google_error(
            429,
            GEMINI_QUOTA,
            "RESOURCE_EXHAUSTED",
            quota("RequestsPerMinutePerProject", value="10"),
            retry_info("34.4s"),
        ),
        "rate_limited",
        None,
    ),
    (
        "gemini",
        429,
        google_error(429, "Resource has been exhausted (e.g. check quota).", "RESOURCE_EXHAUSTED"),
        "rate_limited",
        None,
    ),
    (
        "groq",
        429,
        openai_error(GROQ_RATE, type="tokens", code="rate_limit_exceeded"),
        "rate_limited",
        None,
    ),
    (
        "groq",
        429,
        openai_error(GROQ_DAY.replace("1m26.4s", "6s"), code="rate_limit_exceeded"),
        "rate_limited",
        None,
    ),
    (
        "xai",
        429,
        {"code": "resource-exhausted", "error": "Too many requests per second."},
        "rate_limited",
        None,
    ),
    ("openai", 429, {"error": "too many requests"}, "rate_limited", None),
    ("openai", 429, "", "rate_limited", None),
    ("openai", 429, HTML, "rate_limited", None),
    # too much in one request
    (
        "groq",
        413,
        openai_error(
            "Request too large for model `m` on tokens per minute (TPM): Limit 8000, Requested 9100",
            type="tokens",
            code="rate_limit_exceeded",
        ),
        "too_large",
        "smaller",
    ),
    (
        "openai",
        429,
        openai_error(
            "Request too large for m (TPM): Limit 30000, Requested 40000",
            type="tokens",
            code="rate_limit_exceeded",
        ),
        "too_large",
        "smaller",
    ),
    (
        "gemini",
        400,
        google_error(
            400,
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            "INVALID_ARGUMENT",
        ),
        "too_large",
        "smaller",
    ),
    (
        "openai",
        400,
        {
            "object": "error",
            "message": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
            "type": "BadRequestError",
            "param": None,
            "code": 400,
        },
        "too_large",
        "smaller",
    ),
    (
        "openai",
        400,
        {
            "error": {
                "code": 400,
                "message": "the request exceeds the available context size",
                "type": "exceed_context_size_error",
            }
        },
        "too_large",
        "smaller",
    ),
    ("openai", 500, {"error": "prompt is too long: 5000 tokens"}, "too_large", "smaller"),
    (
        "groq",
        400,
        openai_error(
            "Please reduce the length of the messages or completion.",
            code="context_length_exceeded",
        ),
        "too_large",
        "smaller",
    ),
    (
        "xai",
        400,
        {
            "code": "invalid-argument",
            "error": "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
        },
        "too_large",
        "smaller",
    ),
    # models that are gone
    (
        "gemini",
        404,
        google_error(
            404, "models/gemini-1.5-flash is not found for API version v1beta", "NOT_FOUND"
        ),
        "model_gone",
        None,
    ),
    (
        "groq",
        404,
        openai_error(
            "The model `x` does not exist or you do not have access to it.", code="model_not_found"
        ),
        "model_gone",
        None,
    ),
    (
        "groq",
        400,
        openai_error(
            "The model `x` has been decommissioned and is no longer supported.",
            code="model_decommissioned",
        ),
        "model_gone",
        None,
    ),
    (
        "xai",
        400,
        {"code": "invalid-argument", "error": "Model not found: grok-3"},
        "model_gone",
        None,
    ),
    (
        "xai",
        403,
        {
            "code": "permission-denied",
            "error": "The model grok-9 does not exist or your team 12 does not have access to it.",
        },
        "model_gone",
        None,
    ),
    (
        "openai",
        404,
        {"error": "model 'llama9' not found, try pulling it first"},
        "model_gone",
        None,
    ),
    ("openai", 410, "", "model_gone", None),
    ("openai", 400, openai_error("bad", param="model"), "model_gone", None),
    # refused
    (
        "xai",
        403,
        {
            "code": "permission-denied",
            "error": "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO",
        },
        "content_refused",
        None,
    ),
    (
        "openai",
        400,
        openai_error(
            "The response was filtered due to the prompt triggering our content management policy.",
            code="content_filter",
        ),
        "content_refused",
        None,
    ),
    (
        "openai",
        403,
        openai_error(
            "Model requires moderation. Your input was flagged for 'violence'.",
            code=403,
            metadata={"reasons": ["violence"], "flagged_input": "..."},
        ),
        "content_refused",
        None,
    ),
    # requests that are not taken
    (
        "gemini",
        400,
        google_error(
            400,
            "Function call is missing a thought_signature in functionCall parts.",
            "INVALID_ARGUMENT",
        ),
        "bad_request",
        "plain",
    ),
    (
        "gemini",
        400,
        google_error(
            400,
            'Invalid JSON payload received. Unknown name "foo": Cannot find field.',
            "INVALID_ARGUMENT",
        ),
        "bad_request",
        "plain",
    ),
    (
        "xai",
        400,
        {
            "code": "Client specified an invalid argument",
            "error": "Argument not supported on this model: presencePenalty",
        },
        "bad_request",
        "plain",
    ),
    (
        "xai",
        400,
        {
            "code": "invalid-argument",
            "error": "Model grok-4.5 does not support parameter reasoningEffort.",
        },
        "bad_request",
        "plain",
    ),
    (
        "openai",
        400,
        openai_error(
            "Unsupported value: 'temperature' does not support 0.2 with this model.",
            param="temperature",
            code="unsupported_value",
        ),
        "bad_request",
        "plain",
    ),
    (
        "groq",
        400,
        openai_error(
            "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property "
            "'reasoning_content' is unsupported)]",
            type="invalid_request_error",
        ),
        "bad_request",
        "plain",
    ),
    (
        "gemini",
        400,
        google_error(
            400,
            "* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties: should be non-empty",
            "INVALID_ARGUMENT",
        ),
        "bad_request",
        None,
    ),
    (
        "groq",
        400,
        openai_error("invalid JSON schema for tool x", type="invalid_request_error"),
        "bad_request",
        None,
    ),
    (
        "openai",
        422,
        {"detail": [{"type": "missing", "loc": ["body", "messages"], "msg": "Field required"}]},
        "bad_request",
        None,
    ),
    ("openai", 405, {"detail": "Method Not Allowed"}, "bad_request", None),
    ("openai", 308, "", "bad_request", None),
    # replies of the model that the provider could not read
    (
        "groq",
        400,
        openai_error(
            "Failed to call a function. Please adjust your prompt.",
            type="invalid_request_error",
            code="tool_use_failed",
            failed_generation="<function=x>",
        ),
        "malformed",
        "again",
    ),
    (
        "groq",
        400,
        openai_error(
            "tool call validation failed: parameters for tool x did not match schema",
            type="invalid_request_error",
            code="tool_use_failed",
        ),
        "malformed",
        "again",
    ),
    (
        "groq",
        200,
        {
            "error": {
                "message": "Failed to call a function.",
                "code": "tool_use_failed",
                "status_code": 400,
            }
        },
        "malformed",
        "again",
    ),
    ("openai", 200, {"choices": []}, "malformed", "again"),
    ("openai", 200, "not json", "malformed", "again"),
    ("openai", 200, "", "malformed", "again"),
    ("openai", 200, HTML, "malformed", "again"),
    ("openai", 200, {"error": {"message": "Provider error", "code": 502}}, "overloaded", "again"),
    ("openai", 200, {"error": {"message": "slow", "code": 429}}, "rate_limited", None),
    (
        "openai",
        200,
        {"object": "error", "message": "The engine failed", "type": "server_error"},
        "overloaded",
        "again",
    ),
    # down
    ("groq", 498, openai_error("capacity", code="capacity_exceeded"), "overloaded", "again"),
    ("gemini", 500, google_error(500, "Internal", "INTERNAL"), "overloaded", "again"),
    (
        "gemini",
        503,
        [google_error(503, "The model is overloaded.", "UNAVAILABLE")],
        "overloaded",
        "again",
    ),
    ("openai", 502, HTML, "overloaded", "again"),
    ("openai", 400, HTML, "overloaded", "again"),
    ("openai", 529, "", "overloaded", "again"),
    ("openai", 504, "upstream", "overloaded", "again"),
    ("xai", 202, {"request_id": "r"}, "overloaded", "again"),
    ("openai", 503, "{broken", "overloaded", "again"),
    ("openai", 503, [1, None, "x"], "overloaded", "again"),
    ("openai", 503, 7, "overloaded", "again"),
    ("gemini", 504, google_error(504, "Late", "DEADLINE_EXCEEDED"), "timeout", None),
    ("openai", 408, "", "timeout", None),
    # the same kinds in other words, of servers that speak one of the dialects
    (
        "openai",
        400,
        {"error": {"message": "The request was rejected as a result of the safety system."}},
        "content_refused",
        None,
    ),
    (
        "openai",
        400,
        {
            "error": {
                "message": "Invalid prompt: your prompt was flagged as potentially violating our usage policy."
            }
        },
        "content_refused",
        None,
    ),
    (
        "openai",
        400,
        {
            "error": {
                "message": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000",
                "type": "validation",
            }
        },
        "too_large",
        "smaller",
    ),
    (
        "openai",
        400,
        {"error": {"message": "litellm.ContextWindowExceededError: x", "code": "400"}},
        "too_large",
        "smaller",
    ),
    (
        "openai",
        400,
        {
            "error": {
                "message": "Provider returned error",
                "code": 400,
                "metadata": {
                    "raw": '{"error":{"message":"Input is too long for requested model."}}'
                },
            }
        },
        "too_large",
        "smaller",
    ),
    (
        "gemini",
        400,
        google_error(
            400, "Request payload size exceeds the limit: 20971520 bytes.", "INVALID_ARGUMENT"
        ),
        "too_large",
        "smaller",
    ),
    (
        "groq",
        400,
        openai_error("`max_tokens` must be less than or equal to `8192`"),
        "too_large",
        "smaller",
    ),
    (
        "gemini",
        400,
        google_error(
            400, "* GenerateContentRequest.model: unexpected model name format", "INVALID_ARGUMENT"
        ),
        "model_gone",
        None,
    ),
    (
        "openai",
        400,
        {"error": {"message": "The requested model is not supported.", "param": None}},
        "model_gone",
        None,
    ),
    ("openai", 404, "404 page not found", "model_gone", None),
    ("openai", 400, {"message": "Invalid bearer token"}, "auth", None),
    (
        "gemini",
        403,
        google_error(403, "Your API key was reported as leaked.", "PERMISSION_DENIED"),
        "auth",
        None,
    ),
    (
        "gemini",
        400,
        google_error(400, "Thinking level is not supported for this model.", "INVALID_ARGUMENT"),
        "bad_request",
        "plain",
    ),
    ("openai", 400, {"error": "gemma:2b does not support tools"}, "bad_request", None),
    (
        "openai",
        400,
        openai_error("tool calling is not supported by this model"),
        "bad_request",
        None,
    ),
    ("openai", 400, openai_error("requested tool does not exist"), "bad_request", None),
    (
        "openai",
        400,
        openai_error("Unrecognized request argument supplied: parallel_tool_calls"),
        "bad_request",
        "plain",
    ),
    (
        "openai",
        400,
        openai_error("An assistant message with 'tool_calls' must be followed by tool messages"),
        "bad_request",
        None,
    ),
    (
        "openai",
        422,
        {
            "detail": [
                {
                    "type": "extra_forbidden",
                    "loc": ["body", "x"],
                    "msg": "Extra inputs are not permitted",
                    "input": "y",
                }
            ]
        },
        "bad_request",
        "plain",
    ),
    (
        "xai",
        429,
        {
            "code": "resource-exhausted",
            "error": "The model is at capacity. Please try again later.",
        },
        "rate_limited",
        None,
    ),
    (
        "openai",
        429,
        {"message": "Requests rate limit exceeded", "type": "rate_limit", "code": "1300"},
        "rate_limited",
        None,
    ),
    ("openai", 429, {"detail": "You've reached your daily limit."}, "quota_exhausted", None),
    (
        "openai",
        400,
        openai_error(
            "Account is not active, please check your billing details.", code="billing_not_active"
        ),
        "quota_exhausted",
        None,
    ),
    (
        "groq",
        400,
        openai_error("Tool choice is none, but model called a tool"),
        "malformed",
        "again",
    ),
    (
        "groq",
        400,
        openai_error(
            "Parsing failed. The model generated output that could not be parsed.",
            code="output_parse_failed",
        ),
        "malformed",
        "again",
    ),
    ("openai", 200, {"error": None, "choices": []}, "malformed", "again"),
    (
        "openai",
        200,
        {"error": {"message": "Upstream idle timeout exceeded", "code": "upstream"}},
        "overloaded",
        "again",
    ),
    (
        "openai",
        500,
        openai_error("tools param requires --jinja flag", type="server_error"),
        "overloaded",
        "again",
    ),
]


@pytest.mark.parametrize(("provider", "status", "body", "kind", "remedy"), REPLIES)
def test_a_reply_has_one_meaning(provider, status, body, kind, remedy) -> None:
    text = body if isinstance(body, str) else json.dumps(body)
    error = fault_of(status, {}, text, provider=provider)
    assert (error.kind, error.remedy) == (kind, remedy)
    assert bool(error.hint) == (kind == "malformed")


@pytest.mark.parametrize(
    ("provider", "status", "body", "kind", "remedy"), [r for r in REPLIES if isinstance(r[2], dict)]
)
def test_the_meaning_is_the_same_in_a_list_and_as_bytes(
    provider, status, body, kind, remedy
) -> None:
    wrapped = json.dumps([body], indent=1).encode()
    assert fault_of(status, {}, wrapped, provider=provider).kind == kind


def test_no_message_or_hint_repeats_what_the_provider_wrote() -> None:
    body = json.dumps(openai_error("Incorrect API key provided: sk-secret42", code="sk-secret42"))
    for status in (200, 400, 401, 403, 404, 413, 429, 500):
        error = fault_of(status, {"retry-after": "sk-secret42"}, body, provider="openai")
        assert "secret" not in f"{error}{error.hint}{error.args}"


def test_a_proxy_that_guards_the_provider_says_nothing_of_our_key() -> None:
    error = fault_of(403, {}, HTML, provider="groq")
    assert (error.kind, error.remedy) == ("overloaded", None)


def test_an_error_inside_a_message_is_read_too() -> None:
    inner = json.dumps(google_error(400, "API key not valid.", "INVALID_ARGUMENT"))
    assert fault_of(400, {}, json.dumps(openai_error(inner)), provider="openai").kind == "auth"


def test_what_the_model_wrote_does_not_decide() -> None:
    body = openai_error(
        "Failed to call a function.", code="tool_use_failed", failed_generation="api key invalid"
    )
    assert fault_of(400, {}, json.dumps(body), provider="groq").kind == "malformed"


def test_a_model_that_called_an_undeclared_tool_is_told_to_call_declared_ones() -> None:
    body = openai_error(
        "attempted to call tool 'brave_search' which was not in request.tools",
        code="tool_use_failed",
    )
    error = fault_of(400, {}, json.dumps(body), provider="groq")
    assert "declared" in error.hint
    assert "brave" not in error.hint


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"retry-after": "20"}, {}, 20),
        ({}, google_error(429, "x", "RESOURCE_EXHAUSTED", retry_info("34.4s")), 34.4),
        (
            {},
            google_error(429, "x", "RESOURCE_EXHAUSTED", retry_info({"seconds": 3, "nanos": 5e8})),
            3.5,
        ),
        ({}, google_error(429, "Please retry in 34.074s.", "RESOURCE_EXHAUSTED"), 34.074),
        ({}, openai_error(GROQ_RATE), 6.2),
        ({}, openai_error("no", metadata={"retry_after_seconds": 12}), 12),
        ({}, openai_error("no"), None),
    ],
)
def test_the_wait_that_a_provider_asks_for_is_known(headers, body, seconds) -> None:
    error = fault_of(429, headers, json.dumps(body), provider="groq")
    assert error.kind == "rate_limited"
    assert error.retry_after == (None if seconds is None else pytest.approx(seconds))


def test_a_short_wait_is_not_believed_of_a_daily_quota() -> None:
    body = google_error(429, "x", "RESOURCE_EXHAUSTED", quota("PerDay"), retry_info("48s"))
    assert fault_of(429, {}, json.dumps(body), provider="gemini").retry_after is None
    body = google_error(429, "x", "RESOURCE_EXHAUSTED", quota("PerDay"), retry_info("42981s"))
    assert fault_of(429, {}, json.dumps(body), provider="gemini").retry_after == 42981


@pytest.mark.parametrize(
    "body",
    [
        "[" * 50_000,
        '{"error":' * 2000 + "1" + "}" * 2000,
        json.dumps({"error": {"message": "a model " * 200_000}}),
        json.dumps({"error": {"message": "tokens " * 9_000 + "exceed context " * 9_000}}),
        json.dumps({"error": [{"message": "x"}] * 20_000}),
        "\ufeff" + json.dumps(openai_error("x")),
        b"\xff\xfe\x00bad",
    ],
)
def test_any_body_is_judged_at_once(body) -> None:
    started = time.process_time()
    for status in (200, 400, 403, 429, 500):
        assert fault_of(status, {}, body, provider="openai").kind
    assert time.process_time() - started < 5


def test_no_body_whatever_breaks_the_reading_of_it() -> None:
    rng = random.Random(3)
    keys = [
        "error",
        "message",
        "code",
        "type",
        "status",
        "details",
        "detail",
        "retryDelay",
        "param",
    ]
    keys += ["retry_after", "quotaValue", "quotaId", "failed_generation", "reason", "metadata", "x"]
    leaves = [None, True, 0, -1, 429, 10**40, 1.5, "", "429", "123456789x", "٤٢٩", "48s", "a\x00b"]
    leaves += ["{", '{"error": 1}', "[[", "nan", [], {}, "limit: 0", "per day", "x" * 5000]

    def value(depth: int) -> Any:
        kind = rng.randrange(4) if depth < 5 else 3
        if kind == 0:
            return [value(depth + 1) for _ in range(rng.randrange(4))]
        if kind in (1, 2):
            return {rng.choice(keys): value(depth + 1) for _ in range(rng.randrange(5))}
        return rng.choice(leaves)

    for _ in range(3000):
        body = json.dumps(value(0))
        if rng.random() < 0.2:
            body = body[: rng.randrange(len(body) + 1)]
        status = rng.choice(
            [0, 200, 202, 301, 400, 401, 403, 404, 408, 413, 422, 429, 498, 500, 504]
        )
        error = fault_of(status, {"retry-after": body[:20]}, body, provider="openai")
        assert error.retry_after is None or 0 <= error.retry_after <= 86_400
        assert str(error) == f"openai answered {status}: {error.kind}"


class TimeoutException(Exception): ...


class NetworkError(Exception): ...


class ProtocolError(Exception): ...


class LocalProtocolError(ProtocolError): ...


class APIConnectionError(Exception): ...


def raised(outer: Exception, inner: Exception) -> Exception:
    try:
        raise outer from inner
    except type(outer) as error:
        return error


@pytest.mark.parametrize(
    ("error", "kind", "remedy"),
    [
        (TimeoutException(), "timeout", None),
        (TimeoutError(), "timeout", None),
        (NetworkError(), "connection", "again"),
        (ProtocolError(), "connection", "again"),
        (LocalProtocolError(), "bad_request", None),
        (ConnectionResetError(), "connection", "again"),
        (raised(APIConnectionError(), TimeoutException()), "timeout", None),
        (raised(APIConnectionError(), NetworkError()), "connection", "again"),
        (raised(ProtocolError(), ValueError()), "connection", "again"),
        (json.JSONDecodeError("x", "y", 0), "malformed", "again"),
        (KeyError("secret"), "bad_request", None),
        (LanguageModelError("auth", "x"), "auth", None),
    ],
)
def test_a_failed_exchange_is_told_by_its_class_and_its_cause(error, kind, remedy) -> None:
    fault = transport_fault(error)
    assert (fault.kind, fault.remedy) == (kind, remedy)
    assert "secret" not in str(fault)


@pytest.mark.parametrize("library", ["httpx", "httpx2"])
def test_the_errors_of_both_http_libraries_are_known(library) -> None:
    errors = pytest.importorskip(library)
    expected = {
        "ConnectTimeout": "timeout",
        "ReadTimeout": "timeout",
        "PoolTimeout": "timeout",
        "ConnectError": "connection",
        "ReadError": "connection",
        "RemoteProtocolError": "connection",
        "UnsupportedProtocol": "bad_request",
        "InvalidURL": "bad_request",
        "DecodingError": "malformed",
    }
    found = {name: transport_fault(getattr(errors, name)("x")).kind for name in expected}
    assert found == expected


def test_the_errors_of_the_groq_sdk_are_known() -> None:
    groq = pytest.importorskip("groq")
    httpx = pytest.importorskip("httpx")
    request = httpx.Request("POST", "http://x.test")
    late = groq.APITimeoutError(request=request)
    assert transport_fault(late).kind == "timeout"
    broken = raised(groq.APIConnectionError(request=request), httpx.ReadError("gone"))
    assert transport_fault(broken).kind == "connection"


def test_a_wrapped_error_that_goes_in_circles_ends() -> None:
    first, second = ValueError(), KeyError()
    first.__cause__, second.__cause__ = second, first
    assert transport_fault(first).kind == "bad_request"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("permission-denied", "auth"),
        ("The caller does not have permission to execute the specified operation", "auth"),
        ("unauthenticated", "auth"),
        ("invalid-argument", "bad_request"),
        ("Client specified an invalid argument", "bad_request"),
        ("not-found", "model_gone"),
        ("resource-exhausted", "rate_limited"),
        ("unavailable", "overloaded"),
        ("deadline-exceeded", "timeout"),
        ("something-new", "overloaded"),
    ],
)
def test_an_error_of_xai_inside_a_200_is_what_its_code_says(code, kind):
    body = json.dumps({"code": code, "error": "Sorry."})
    assert fault_of(200, {}, body, provider="xai").kind == kind


def test_a_status_written_with_a_decimal_point_is_the_status():
    body = json.dumps({"error": {"message": "slow", "code": 429.0}})
    assert fault_of(200, {}, body, provider="openai").kind == "rate_limited"


def test_a_body_that_gateways_handed_on_twice_as_text_keeps_its_delay():
    inner = google_error(429, "Slow down.", "RESOURCE_EXHAUSTED", retry_info("13s"))
    body = {"error": json.dumps({"error": json.dumps(inner)})}
    fault = fault_of(429, {}, json.dumps(body), provider="openai")
    assert (fault.kind, fault.retry_after) == ("rate_limited", 13.0)
