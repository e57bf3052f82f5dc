"""Pitfalls 15-23: ids, order and what is sent back of what a model said."""

import re
from itertools import permutations

import pytest
from shopping_agent.application.search import SearchService
from shopping_agent.errors import IndexUnavailableError

from functions.local.fake_provider import Answer, Call, Move
from functions.local.fake_provider.refusals import error_body
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

THREE = [
    Call("search_products", {"query": "citrus"}),
    Call("search_products", {"query": "musk"}),
    Call("search_products", {"query": "neroli"}),
]


def responses(request) -> list[dict]:
    """The functionResponse parts of a request's last content."""
    return [p["functionResponse"] for p in request.body["contents"][-1]["parts"]]


def calls_sent(request) -> list[dict]:
    """All functionCall parts of a request."""
    parts = [p for c in request.body["contents"] for p in c["parts"]]
    return [p for p in parts if "functionCall" in p]


@pytest.mark.parametrize("model", ["gemini-2.5-flash", "gemini-3-flash-preview"])
def test_pitfall_15_calls_without_ids_keep_their_places(talk, fake, best, model):
    fake.on(1, Move(calls=THREE))
    assert_added(talk("gemini", GEMINI_MODEL=model)(FLAGSHIP), best)
    sent = fake.requests[1].body["contents"]
    assert [p["functionCall"]["args"]["query"] for p in sent[-2]["parts"]] == [
        "citrus",
        "musk",
        "neroli",
    ]
    assert len(responses(fake.requests[1])) == 3
    assert not any("id" in r for r in responses(fake.requests[1]))
    assert not any("id" in p["functionCall"] for p in calls_sent(fake.requests[2]))
    assert [r.refused for r in fake.requests] == [""] * 3


@pytest.mark.parametrize(
    ("provider", "ids"), spread([("", ""), ("same", "same"), ("call_0", "call_0")], gemini=False)
)
def test_pitfall_15_missing_or_repeated_ids_become_unique(talk, fake, best, provider, ids):
    named = [
        Call("search_products", {"query": q}, i) for q, i in zip(("oud", "musk"), ids, strict=True)
    ]
    fake.on(1, Move(calls=named))
    fake.on(2, Move(calls=[Call("search_products", {"query": "neroli"}, ids[0])]))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert [r.refused for r in fake.requests] == [""] * 4
    messages = fake.requests[-1].body["messages"]
    sent = [c["id"] for m in messages for c in m.get("tool_calls") or ()]
    answered = [m["tool_call_id"] for m in messages if m["role"] == "tool"]
    assert sent == answered
    assert len(set(sent)) == 4


@pytest.mark.parametrize("model", ["gemini-3.5-flash", "gemini-3.8-flash"])
@pytest.mark.parametrize("ids", [("0b3pdf3o", "x9"), ("call_4162774", "call_4162775")])
def test_pitfall_16_ids_of_gemini_are_matched_in_the_responses(talk, fake, best, model, ids):
    calls = [Call("get_cart", {}, ids[0]), Call("search_guides", {"query": "gifts"}, ids[1])]
    fake.on(1, Move(calls=calls))
    assert_added(talk("gemini", GEMINI_MODEL=model)(FLAGSHIP), best)
    assert [(r["id"], r["name"]) for r in responses(fake.requests[1])] == [
        (ids[0], "get_cart"),
        (ids[1], "search_guides"),
    ]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_16_results_stand_in_the_order_of_the_calls(talk, fake, best, provider):
    mixed = [Call("search_guides", {"query": "gift"}), Call("get_cart"), *THREE[:1]]
    fake.on(1, Move(calls=mixed))
    assert_added(talk(provider)(FLAGSHIP), best)
    assert [name for name, _ in results(fake.requests[1])] == [c.name for c in mixed]


@pytest.mark.parametrize("model", ["gemini-2.5-flash", "gemini-3.5-flash"])
def test_pitfall_17_n_calls_are_answered_in_one_content(talk, fake, best, model):
    fake.on(1, Move(calls=THREE))
    fake.on(2, Move(calls=[Call("get_cart"), Call("add_to_cart", {"productId": best})]))
    assert_added(talk("gemini", GEMINI_MODEL=model)(FLAGSHIP), best)
    for request, count in zip(fake.requests[1:], (3, 2), strict=True):
        last = request.body["contents"][-1]
        assert last["role"] == "user"
        assert [set(p) for p in last["parts"]] == [{"functionResponse"}] * count
    assert [r.refused for r in fake.requests] == [""] * 3


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_18_a_call_whose_tool_fails_has_a_result(talk, fake, monkeypatch, provider):
    real, tried = SearchService.find_products, []

    def failing(self, query, *args, **kwargs):
        tried.append(query)
        if query == "musk":
            raise IndexUnavailableError("down")
        return real(self, query, *args, **kwargs)

    monkeypatch.setattr(SearchService, "find_products", failing)
    fake.on(1, Move(calls=[*THREE, Call("nothing_like_it"), Call("get_product", "{}")]))
    answer = talk(provider)(FLAGSHIP)
    assert answer.status == 200
    assert "musk" in tried
    listed = results(fake.requests[1])
    assert [name for name, _ in listed][:3] == ["search_products"] * 3
    assert len(listed) == 5
    assert "error" in listed[1][1]
    assert "products" in listed[0][1]
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_18_calls_beyond_the_limit_have_results_too(talk, fake, best, provider):
    fake.on(1, Move(calls=THREE))
    fake.on(2, Move(calls=[Call("get_cart")]))
    answer = talk(provider, MAX_TOOL_CALLS=3)(FLAGSHIP)
    assert_honest(answer, best)
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_19_no_request_ends_on_the_models_turn(talk, fake, best, provider):
    shopper = talk(provider, "searches")
    assert_added(shopper(FLAGSHIP), best)
    fake.reset()
    fake.on(1, Move("Let me check that for you."))
    fake.on(2, Move(""))
    shopper(QUESTION)
    shopper("add two of the second one")
    for request in fake.requests:
        if request.dialect == "gemini":
            assert request.body["contents"][-1]["role"] == "user"
        else:
            assert request.body["messages"][-1]["role"] in ("user", "tool")
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)


@pytest.mark.parametrize(("provider", "text"), spread(["", "   ", "\n"]))
def test_pitfall_20_an_empty_assistant_text_is_never_sent_back(talk, fake, best, provider, text):
    fake.on(1, Move(text))
    shopper = talk(provider)
    assert_honest(shopper(FLAGSHIP), best)
    shopper("what is in my cart?")
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)


@pytest.mark.parametrize("parts", [[], [{"text": ""}], [{"thoughtSignature": "c2ln"}], None])
def test_pitfall_20_empty_parts_of_gemini_are_never_sent_back(talk, fake, best, parts):
    content = {"role": "model"} if parts is None else {"role": "model", "parts": parts}
    fake.on(1, Answer(body={"candidates": [{"content": content, "finishReason": "STOP"}]}))
    shopper = talk("gemini")
    assert_added(shopper(FLAGSHIP), best)
    shopper(QUESTION)
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)


@pytest.mark.parametrize("model", ["gemini-3-flash-preview", "gemini-3.5-flash"])
def test_pitfall_21_signatures_go_back_unchanged(talk, fake, best, model):
    signed = ["c2lnbmVkIGZpcnN0IHN0ZXA=", "c2lnbmVkIHNlY29uZC1zdGVw"]
    for number, (signature, calls) in enumerate(
        zip(signed, ([THREE[0], THREE[1]], [Call("get_cart")]), strict=True), start=1
    ):
        parts: list[dict] = [{"text": "I look around.", "thought": True}]
        for place, call in enumerate(calls):
            part = {"functionCall": {"name": call.name, "args": call.arguments or {}}}
            parts.append(part if place else {**part, "thoughtSignature": signature})
        content = {"role": "model", "parts": parts}
        fake.on(number, Answer(body={"candidates": [{"content": content}], "modelVersion": model}))
    answer = talk("gemini", GEMINI_MODEL=model)(FLAGSHIP)
    assert_added(answer, best)
    assert "look around" not in answer.json["answer"]
    sent = [p.get("thoughtSignature") for p in calls_sent(fake.requests[3])]
    assert sent[:3] == [signed[0], None, signed[1]]
    assert sent[3]
    assert [r.refused for r in fake.requests] == [""] * 4


def test_pitfall_21_after_a_refused_signature_the_request_is_rebuilt_once(talk, fake, best):
    words = "Function call is missing a thought_signature in functionCall parts."
    fake.on(2, Answer(400, error_body("gemini", 400, words)))
    assert_added(talk("gemini")(FLAGSHIP), best)
    assert len(fake.requests) == 3
    first, second = (calls_sent(r)[0].get("thoughtSignature") for r in fake.requests[1:])
    assert first != second


@pytest.mark.parametrize(("first", "second"), list(permutations(PROVIDERS, 2)))
def test_pitfall_22_history_of_one_provider_is_taken_by_the_next(talk, fake, best, first, second):
    reasoned = Move(
        calls=[Call("search_products", {"query": "citrus"})], reasoning="They want citrus."
    )
    fake.on(1, reasoned, first)
    for number in (2, 3):
        fake.on(number, Answer(503, error_body(first, 503, "overloaded")), first)
    answer = talk(first, LLM_FALLBACKS=f"{second},offline")(FLAGSHIP)
    assert_added(answer, best)
    asked = [r for r in fake.requests if r.dialect == second]
    assert asked
    assert [r.refused for r in fake.requests] == [""] * len(fake.requests)
    text = str(asked[0].body)
    assert "They want citrus" not in text
    assert "reasoning_content" not in text
    assert [name for name, _ in results(asked[0])][:1] == ["search_products"]


def test_pitfall_22_groq_never_gets_foreign_reasoning_keys(talk, fake, best):
    thinking = Move(calls=THREE[:1], reasoning="Some thoughts about it.")
    fake.on(1, thinking)
    assert_added(talk("groq")(FLAGSHIP), best)
    for request in fake.requests:
        for message in request.body["messages"]:
            assert set(message) <= {"role", "content", "tool_calls", "tool_call_id", "name"}


@pytest.mark.parametrize("provider", LIKE_OPENAI)
def test_pitfall_23_contents_are_strings(talk, fake, best, provider):
    shopper = talk(provider, "searches")
    assert_added(shopper(FLAGSHIP), best)
    shopper(QUESTION)
    for request in fake.requests:
        for message in request.body["messages"]:
            assert isinstance(message.get("content", ""), str)
        for tool in request.body.get("tools") or ():
            assert tool["function"]["description"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_pitfall_23_a_later_turn_gets_the_earlier_ones_as_plain_texts(talk, fake, best, provider):
    shopper = talk(provider)
    assert_added(shopper(FLAGSHIP), best)
    fake.reset()
    shopper("do you have something woody too?")
    seen = conversation(fake.requests[0])
    assert not seen.called
    assert any(FLAGSHIP in user for user in seen.users)
    body = fake.requests[0].body
    said = str(body.get("messages") or body["contents"])
    assert not re.search(r"reasoning|thoughtSignature", said)
