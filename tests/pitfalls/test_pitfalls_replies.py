"""Pitfalls 24-30: replies with status 200 that hold no answer, or less than they seem to."""

import json

import pytest
from shopping_agent.adapters.llm.faults import fault_of

from functions.local.fake_provider import Answer, Call, Move
from tests.pitfalls.turns import (
    FLAGSHIP,
    LIKE_OPENAI,
    PROVIDERS,
    QUESTION,
    assert_added,
    assert_honest,
    conversation,
    results,
    spread,
)

PART = {"functionCall": {"name": "add_to_cart", "args": {"productId": "@", "quantity": 3}}}


def candidate(reason: str, parts: list | None = None, **more) -> Answer:
    """Gemini's reply with one candidate; `content` is an empty object where there are no parts."""
    content = {} if parts is None else {"role": "model", "parts": parts}
    return Answer(body={"candidates": [{"content": content, "finishReason": reason, **more}]})


@pytest.mark.parametrize(
    "parts", [None, [], [{"text": "", "thoughtSignature": "c2ln"}], [{"thoughtSignature": "c2ln"}], [PART]]
)  # fmt: skip
def test_pitfall_24_a_malformed_function_call_is_tried_again_and_never_run(talk, fake, best, parts):
    given = json.loads(json.dumps(parts).replace("@", best))
    words = "Malformed function call: print(add_to_cart(product"
    fake.on(1, candidate("MALFORMED_FUNCTION_CALL", given, finishMessage=words))
    assert_added(talk("gemini")(FLAGSHIP), best)
    assert len(fake.requests) == 3
    assert [r.refused for r in fake.requests] == [""] * 3


def test_pitfall_24_malformed_for_ever_is_answered_by_the_fallback(talk, fake, best):
    fake.always(candidate("MALFORMED_FUNCTION_CALL", []))
    assert_added(talk("gemini")(FLAGSHIP), best)
    assert len(fake.requests) <= 4
    fake.reset()
    fake.always(candidate("MALFORMED_FUNCTION_CALL", []))
    assert_honest(talk("gemini", LLM_FALLBACKS="none")(FLAGSHIP), best)
    assert len(fake.requests) <= 4


def test_pitfall_25_unexpected_tool_call_with_no_content(talk, fake, best):
    fake.on(2, Answer(body={"candidates": [{"finishReason": "UNEXPECTED_TOOL_CALL"}]}))
    answer = talk("gemini")(FLAGSHIP)
    assert_honest(answer, best)
    assert answer.cart == {best: 1}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_25_tools_stay_declared_for_the_last_answer(talk, fake, best, provider):
    fake.always(Move(calls=[Call("search_products", {"query": "fresh"})]))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    for request in fake.requests:
        seen = conversation(request)
        assert seen.declared or not seen.called
    assert not conversation(fake.requests[-1]).tools


BLOCKED = {
    "safety": candidate("SAFETY"),
    "armor": candidate("MODEL_ARMOR"),
    "prohibited": candidate("PROHIBITED_CONTENT", []),
    "recitation": candidate("RECITATION", [{"text": "I added"}]),
    "prompt": Answer(body={"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": "m"}),
    "prompt_and_null": Answer(
        body={"candidates": None, "promptFeedback": {"blockReason": "BLOCKLIST"}}
    ),
}


@pytest.mark.parametrize("kind", sorted(BLOCKED))
def test_pitfall_26_blocked_content_is_a_polite_refusal_without_another_try(talk, fake, best, kind):
    fake.on(1, BLOCKED[kind])
    shopper = talk("gemini", LLM_FALLBACKS="groq,offline")
    answer = shopper(FLAGSHIP)
    assert_honest(answer, best)
    assert (answer.json["finish"], answer.cart) == ("refused", {})
    assert len(fake.requests) == 1
    # What was blocked is not told to the model again.
    fake.reset()
    shopper("do you have something woody?")
    assert FLAGSHIP not in str(fake.requests[0].body)


@pytest.mark.parametrize("provider", LIKE_OPENAI)
def test_pitfall_26_a_content_filter_is_a_polite_refusal(talk, fake, best, provider):
    fake.on(1, Move(finish="content_filter"))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    assert (answer.json["finish"], len(fake.requests)) == ("refused", 1)


@pytest.mark.parametrize("provider", LIKE_OPENAI)
def test_pitfall_26_a_refusal_text_is_shown_as_a_refusal(talk, fake, best, provider):
    message = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    fake.on(1, Answer(body={"model": "m", "choices": [choice]}))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    assert len(fake.requests) == 1


@pytest.mark.parametrize(
    ("provider", "choices"),
    spread([[], None, [None], [{}], [{"index": 0, "message": None}]], gemini=False),
)
def test_pitfall_27_no_choice_is_tried_again(talk, fake, best, provider, choices):
    fake.on(1, Answer(body={"model": "m", "choices": choices, "usage": {"total_tokens": 3}}))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert len(fake.requests) == 3


NO_REPLIES = [
    b"", b"null", b"[]", b"true", b"12", b'"text"', b"{}", b"\xff\xfe\x00", b"<html>", b"{" * 100_000,
    b'{"choices": "x", "candidates": "y"}', b'{"error": "boom"}', b'{"detail": "not found"}',
    b'{"error": {"code": 429, "message": "slow"}}', b"data: [DONE]\n\n",
    b'{"choices": [{"message": {"content": {"a": 1}}}], "candidates": [{"content": {"parts": {"text": "x"}}}]}',
    b'{"choices": [{"message": {"content": null, "tool_calls": null}}], "candidates": [{"content": {"parts": [{}]}}]}',
    b'{"choices": [{"message": {"tool_calls": [null]}}], "candidates": [{"content": {"parts": [{"functionCall": null}]}}]}',
]  # fmt: skip


@pytest.mark.parametrize(("provider", "body"), spread(NO_REPLIES))
def test_pitfall_27_a_body_that_is_no_reply_is_left_to_the_next_provider(
    talk, fake, best, provider, body
):
    fake.always(Answer(body=body))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert len(fake.requests) <= 4


def test_pitfall_27_a_last_chunk_without_choices_against_the_decoder():
    chunk = {"object": "chat.completion.chunk", "choices": [], "usage": {"total_tokens": 9}}
    fault = fault_of(200, {}, json.dumps(chunk), provider="xai")
    assert fault.kind == "malformed"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_28_an_empty_text_after_a_tool_result_is_asked_for_once_more(
    talk, fake, best, provider
):
    fake.on(2, Move("", reasoning="The add worked, so I am done."))
    answer = talk(provider)(FLAGSHIP)
    assert_added(answer, best)
    assert "so I am done" not in answer.json["answer"]
    assert len(fake.requests) == 3


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_28_empty_texts_for_ever_are_answered_from_the_results(talk, fake, best, provider):
    fake.always(Move("", reasoning="Nothing to add: secret thoughts."))
    fake.on(1, Move(calls=[Call("add_to_cart", {"productId": best})]))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    assert answer.cart == {best: 1}
    assert "secret thoughts" not in answer.json["answer"]
    assert "MAD" in answer.json["answer"]
    assert len(fake.requests) <= 4


@pytest.mark.parametrize(
    ("provider", "text"),
    spread(
        [
            "I'll check the catalog for you.",
            "Let me look for that.",
            "One moment please, searching...",
        ]
    ),
)
def test_pitfall_29_an_announcement_instead_of_an_act_is_nudged_once(
    talk, fake, best, provider, text
):
    fake.on(1, Move(text))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert len(fake.requests) == 3
    assert [r.refused for r in fake.requests] == [""] * 3


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_29_announcements_for_ever_end(talk, fake, best, provider):
    fake.always(Move("I'll check that for you right away."))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    assert len(fake.requests) <= 3


@pytest.mark.parametrize("model", ["gemini-2.5-flash", "gemini-3.5-flash"])
def test_pitfall_30_only_declarations_are_sent_and_no_step_is_forced(talk, fake, best, model):
    assert_added(talk("gemini", "searches", GEMINI_MODEL=model)(FLAGSHIP), best)
    assert len(fake.requests) == 3
    for request in fake.requests:
        [tool] = request.body["tools"]
        assert set(tool) == {"functionDeclarations"}
        config = (request.body.get("toolConfig") or {}).get("functionCallingConfig") or {}
        assert config.get("mode", "AUTO") != "ANY"


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("at", [1, 2])
def test_pitfall_30_a_reply_cut_by_the_token_limit_is_never_an_empty_answer(
    talk, fake, best, provider, at
):
    finish = "MAX_TOKENS" if provider == "gemini" else "length"
    fake.on(at, Move(finish=finish))
    assert_honest(talk(provider)(FLAGSHIP), best)
    fake.reset()
    fake.on(1, Move(calls=[Call("add_to_cart", {"productId": best, "quantity": 1})], finish=finish))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_30_a_lie_about_the_cart_is_not_shown(talk, fake, best, provider):
    fake.always(Move("Done! I added it to your cart for 123 MAD."))
    answer = talk(provider)(FLAGSHIP)
    assert_honest(answer, best)
    assert "123" not in answer.json["answer"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_30_a_question_is_one_call_from_the_guides(talk, fake, provider):
    answer = talk(provider)(QUESTION)
    assert answer.status == 200
    assert len(fake.requests) == 1
    assert "According to our guide" in answer.json["answer"]
    assert results(fake.requests[0]) == []
