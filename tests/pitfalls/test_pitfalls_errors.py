"""Pitfalls 33-43: limits, errors, retries and what a turn is billed for."""

import json
import time

import pytest

from functions.local.fake_provider import Answer, Call, Move
from functions.local.fake_provider.faults import FAULTS, Asked, rate_limited
from functions.local.fake_provider.refusals import error_body
from tests.pitfalls.turns import (
    FLAGSHIP,
    LIKE_OPENAI,
    MODELS,
    PROVIDERS,
    QUESTION,
    assert_added,
    assert_honest,
    spread,
)

# A noisy machine: what is bounded to a second or two in the code.
PROMPT_SECONDS = 3.0


def fault(name: str, provider) -> Answer:
    made = FAULTS[name](Asked(provider, MODELS[provider]))
    assert isinstance(made, Answer)
    return made


def size(request) -> int:
    return len(json.dumps(request.body))


def token_limit(request) -> int:
    """How many tokens a request asks for, at most."""
    return request.body.get("max_tokens") or request.body["max_completion_tokens"]


def told(caplog) -> str:
    """All that was logged, with every field."""
    return "\n".join(str(vars(record)) for record in caplog.records)


@pytest.mark.parametrize("at", [1, 2])
def test_pitfall_33_groqs_413_is_never_sent_again_at_the_same_size(talk, fake, best, at):
    fake.on(at, fault("too_large", "groq"))
    shopper = talk("groq")
    answer = shopper(FLAGSHIP)
    assert_honest(answer, best)
    assert answer.cart == {best: 1}
    for before, after in zip(fake.requests[at - 1 :], fake.requests[at:], strict=False):
        if before.number == at:
            smaller = size(after) < size(before)
            assert smaller or token_limit(after) < token_limit(before)


def test_pitfall_33_a_413_for_ever_is_answered_by_the_fallback(talk, fake, best):
    fake.always(fault("too_large", "groq"))
    assert_added(talk("groq")(FLAGSHIP), best)
    assert len(fake.requests) <= 4
    sizes = [(size(r), token_limit(r)) for r in fake.requests]
    assert len(set(sizes)) > len(sizes) // 2


GEMINI_LIMITS = {
    "retry_info": rate_limited(48),
    "fraction": rate_limited(34.4),
    "bare": rate_limited(None),
}


@pytest.mark.parametrize("kind", sorted(GEMINI_LIMITS))
@pytest.mark.parametrize("wrapped", [False, True])
def test_pitfall_34_geminis_429_without_a_header_is_answered_by_the_fallback_at_once(
    talk, fake, best, kind, wrapped
):
    made = GEMINI_LIMITS[kind](Asked("gemini", "m"))
    assert isinstance(made, Answer)
    fake.always(Answer(429, [made.body] if wrapped else made.body), "gemini")
    started = time.monotonic()
    assert_added(talk("gemini")(FLAGSHIP), best)
    assert time.monotonic() - started < PROMPT_SECONDS
    assert len(fake.requests) <= 4


@pytest.mark.parametrize(("delay", "at_least"), [("48s", 48), ("34.4s", 35), ("0.9s", 1)])
def test_pitfall_34_without_a_fallback_the_delay_in_the_body_is_the_retry_after(
    talk, fake, delay, at_least
):
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}]
    fake.always(Answer(429, error_body("gemini", 429, "Resource exhausted", details=details)))
    answer = talk("gemini", LLM_FALLBACKS="none", REQUEST_BUDGET_SECONDS=4)(FLAGSHIP)
    assert (answer.status, answer.code) == (429, "rate_limited")
    assert at_least <= int(answer.headers["Retry-After"]) <= at_least + 1


@pytest.mark.parametrize("provider", LIKE_OPENAI)
def test_pitfall_34_without_a_fallback_the_header_is_the_retry_after(talk, fake, provider):
    fake.always(rate_limited(20)(Asked(provider, "m")))
    started = time.monotonic()
    answer = talk(provider, LLM_FALLBACKS="none")(FLAGSHIP)
    assert time.monotonic() - started < PROMPT_SECONDS
    assert (answer.status, answer.headers["Retry-After"]) == (429, "20")
    assert len(fake.requests) == 1


RETRY_AFTER = {"20.5": "21", "0": "1", "Wed, 21 Oct 2099 07:28:00 GMT": "86400", "9" * 11: "86400"}
NO_RETRY_AFTER = ["", "abc", "-1", "nan", "inf", "20, 30"]


@pytest.mark.parametrize(("provider", "value"), spread([*RETRY_AFTER, *NO_RETRY_AFTER]))
def test_pitfall_34_every_form_of_retry_after_is_a_whole_number_of_seconds(
    talk, fake, provider, value
):
    fake.always(Answer(429, error_body(provider, 429, "Slow down."), {"retry-after": value}))
    started = time.monotonic()
    answer = talk(provider, LLM_FALLBACKS="none")(FLAGSHIP)
    assert time.monotonic() - started < PROMPT_SECONDS
    assert answer.status == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 86_400
    assert answer.headers["Retry-After"] == RETRY_AFTER.get(value, answer.headers["Retry-After"])


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_34_retry_after_20_with_a_fallback_waits_for_nothing(talk, fake, best, provider):
    fake.always(rate_limited(20)(Asked(provider, "m")))
    started = time.monotonic()
    assert_added(talk(provider)(FLAGSHIP), best)
    assert time.monotonic() - started < PROMPT_SECONDS


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_34_a_used_up_day_goes_to_the_next_provider_without_a_second_try(
    talk, fake, best, provider
):
    second = "groq" if provider != "groq" else "xai"
    fake.always(fault("quota", provider), provider)
    started = time.monotonic()
    assert_added(talk(provider, LLM_FALLBACKS=f"{second},offline")(FLAGSHIP), best)
    assert time.monotonic() - started < PROMPT_SECONDS
    asked = [r.dialect for r in fake.requests]
    assert asked.count(provider) <= 2
    assert asked.count(second) == 2


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_35_a_bad_key_fails_over_and_is_never_told(
    talk, fake, best, provider, capfd, caplog
):
    second = "openai" if provider != "openai" else "groq"
    key = "bad-key-that-is-a-secret"
    upper = provider.upper()
    shopper = talk(provider, LLM_FALLBACKS=f"{second},offline", **{f"{upper}_API_KEY": key})
    answer = shopper(FLAGSHIP)
    assert_added(answer, best)
    assert [r.dialect for r in fake.requests].count(provider) <= 2
    assert key not in answer.text
    seen = "".join([told(caplog), *capfd.readouterr()])
    assert "auth" in seen
    assert key not in seen
    assert "Incorrect API key" not in seen


@pytest.mark.parametrize("name", ["temperature", "parallel_tool_calls"])
@pytest.mark.parametrize("provider", LIKE_OPENAI)
def test_pitfall_36_a_refused_parameter_is_left_out_once(talk, fake, best, provider, name):
    words = f"Model m does not support parameter {name}."
    fake.on(1, Answer(400, error_body(provider, 400, words, code="unsupported_parameter")))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert len(fake.requests) <= 3
    if name in fake.requests[0].body and len(fake.requests) > 1:
        assert name not in fake.requests[1].body


def test_pitfall_36_grok_gets_no_parameter_that_reasoning_models_refuse(talk, fake, best):
    assert_added(talk("xai", "searches")(FLAGSHIP), best)
    refused = {"presence_penalty", "frequency_penalty", "stop", "reasoning_effort"}
    assert not any(refused & set(r.body) for r in fake.requests)


def test_pitfall_36_models_that_want_another_name_for_the_token_limit(talk, fake, best):
    assert_added(talk("openai", OPENAI_MODEL="gpt-5-mini")(FLAGSHIP), best)
    assert fake.requests[-1].refused == ""


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("gemini", "gemini-2.0-flash"),
        ("groq", "llama-3.3-70b-versatile"),
        ("xai", "grok-4-0709"),
        ("openai", "gone-model"),
    ],
)
def test_pitfall_37_a_retired_model_is_not_asked_twice(talk, fake, best, provider, model, caplog):
    second = "openai" if provider != "openai" else "groq"
    upper = provider.upper()
    shopper = talk(
        provider,
        LLM_FALLBACKS=f"{second},offline",
        CIRCUIT_BREAKER="on",
        **{f"{upper}_MODEL": model},
    )
    assert_added(shopper(FLAGSHIP), best)
    assert [r.dialect for r in fake.requests].count(provider) == 1
    assert [r.dialect for r in fake.requests].count(second) == 2
    assert "model_gone" in told(caplog)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_38_the_model_that_answered_is_the_one_reported(talk, fake, provider):
    if provider == "gemini":
        content = {"role": "model", "parts": [{"text": "Hello there."}]}
        reply = {"candidates": [{"content": content, "finishReason": "STOP"}]}
        body = {**reply, "modelVersion": "gemini-3.8-flash-0902"}
    else:
        message = {"role": "assistant", "content": "Hello there."}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = {"model": "another-name", "choices": [choice]}
    fake.always(Answer(body=body))
    answer = talk(provider)("do you have something nice for my mother?")
    assert answer.json["model"] in ("another-name", "gemini-3.8-flash-0902")


OVERFLOWS = {
    "gemini": (400, "The input token count (1200345) exceeds the maximum number of tokens allowed (1048576)."),
    "groq": (400, "Please reduce the length of the messages or completion."),
    "xai": (400, "This model's maximum prompt length is 131072 but the request contains 200345 tokens."),
    "openai": (400, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9120 tokens."),
}  # fmt: skip


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_39_a_context_overflow_is_tried_again_smaller(talk, fake, best, provider):
    shopper = talk(provider)
    for text in ("do you have something woody?", "and for men?", QUESTION, "something with oud?"):
        shopper(text)
    fake.reset()
    status, words = OVERFLOWS[provider]
    code = "context_length_exceeded" if provider in ("openai", "groq") else None
    fake.on(1, Answer(status, error_body(provider, status, words, code=code)))
    answer = shopper(FLAGSHIP)
    assert_honest(answer, best)
    assert answer.cart == {best: 1}
    assert len(fake.requests) <= 4
    assert size(fake.requests[1]) < size(fake.requests[0])


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_39_tool_results_are_capped_and_stay_json(talk, fake, best, provider):
    ids = [Call("search_products", {"query": q, "limit": 50}) for q in ("oud", "rose", "citrus")]
    fake.on(1, Move(calls=ids))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert size(fake.requests[-1]) < 60_000


@pytest.mark.parametrize(("provider", "name"), spread(["http500", "http503", "html502"]))
def test_pitfall_40_an_outage_of_hours_is_two_attempts_then_the_fallback(
    talk, fake, best, provider, name
):
    fake.always(fault(name, provider))
    started = time.monotonic()
    assert_added(talk(provider, CIRCUIT_BREAKER="on")(FLAGSHIP), best)
    assert time.monotonic() - started < 2 * PROMPT_SECONDS
    assert len(fake.requests) <= 4


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("at", [1, 2])
def test_pitfall_40_a_blip_is_invisible(talk, fake, best, provider, at):
    fake.on(at, fault("http503", provider))
    answer = talk(provider)(FLAGSHIP)
    assert_added(answer, best)
    assert answer.json["model"] == MODELS[provider]
    assert len(fake.requests) == 3


@pytest.mark.parametrize("provider", ["gemini", "groq"])
def test_pitfall_41_retries_do_not_multiply(talk, fake, best, provider):
    chain = ",".join(p for p in PROVIDERS if p != provider)
    for name in PROVIDERS:
        fake.always(fault("http503", name), name)
    started = time.monotonic()
    answer = talk(provider, LLM_FALLBACKS=chain)(QUESTION)
    assert answer.status in (200, 503)
    assert time.monotonic() - started < 4 * PROMPT_SECONDS
    assert len(fake.requests) <= 2 * len(PROVIDERS)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_42_a_hang_ends_by_our_own_deadline(talk, fake, best, provider):
    fake.always(Answer(behaviour="hang"))
    shopper = talk(provider, REQUEST_BUDGET_SECONDS=2)
    shopper("hello")  # what is loaded and connected once is no part of a turn
    started = time.monotonic()
    answer = shopper(FLAGSHIP)
    assert time.monotonic() - started < 2 + 0.5
    assert_honest(answer, best)


def test_pitfall_42_gemini_is_never_told_a_time_that_it_refuses(talk, fake, best):
    assert_added(talk("gemini", REQUEST_BUDGET_SECONDS=3)(FLAGSHIP), best)
    for request in fake.requests:
        assert int(request.headers.get("x-server-timeout", "10")) >= 10


@pytest.mark.parametrize(
    ("provider", "used"),
    [
        ("gemini", {"inputTokens": 300, "outputTokens": 130}),
        ("groq", {"inputTokens": 300, "outputTokens": 30}),
        ("xai", {"inputTokens": 300, "outputTokens": 130}),
        ("openai", {"inputTokens": 300, "outputTokens": 30}),
    ],
)
def test_pitfall_43_tokens_are_counted_the_same_way_everywhere(talk, fake, best, provider, used):
    answer = talk(provider)(FLAGSHIP)
    assert_added(answer, best)
    usage = answer.json["usage"]
    assert {k: usage[k] for k in ("calls", *used)} == {
        "calls": 2,
        **{k: 2 * v for k, v in used.items()},
    }


@pytest.mark.parametrize(
    ("provider", "usage"), spread([None, {}, {"prompt_tokens": "x"}, {"promptTokenCount": -3}, []])
)
def test_pitfall_43_a_reply_without_usage_is_a_reply(talk, fake, provider, usage):
    content = {"role": "model", "parts": [{"text": "We have many scents."}]}
    message = {"role": "assistant", "content": "We have many scents."}
    fake.always(
        Answer(
            body={
                "candidates": [{"content": content, "finishReason": "STOP"}],
                "usageMetadata": usage,
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": usage,
            }
        )
    )
    answer = talk(provider)("do you have something nice for my mother?")
    assert answer.status == 200
    assert answer.json["usage"]["inputTokens"] >= 0
