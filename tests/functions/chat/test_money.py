"""Tokens and dollars of a turn, through the real handler and a provider over HTTP: told, counted, limited."""

import json
from collections.abc import Generator
from typing import Any
from uuid import uuid4

import pytest
from pydantic import SecretStr
from shopping_agent import bootstrap
from shopping_agent.adapters.redis.keys import TRAFFIC
from shopping_agent.domain.deadline import Deadline
from shopping_agent.observability import logger

from functions.local.fake_provider import Answer, FakeProvider, fake_provider

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
PROVIDERS = ("gemini", "groq", "xai", "openai")


@pytest.fixture(scope="module")
def server() -> Generator[FakeProvider]:
    with fake_provider() as running:
        yield running


@pytest.fixture
def fake(server: FakeProvider) -> FakeProvider:
    """The provider, with nothing scripted and no request seen."""
    server.reset()
    return server


@pytest.fixture
def talk(settings, use, new_shopper, fake: FakeProvider):
    """A new shopper of the demo store, whose models are the fake provider's."""

    def start(first: str, **more: Any):
        endpoints: dict[str, Any] = {"llm_provider": first, "llm_fallbacks": "offline"}
        for name in PROVIDERS:
            endpoints[f"{name}_base_url"] = fake.base_url(name)
            endpoints[f"{name}_api_key"] = SecretStr("a-key")
        endpoints["openai_model"] = "qwen3:8b"
        use(settings.model_copy(update={**endpoints, **more}))
        return new_shopper()

    return start


def metrics_of(printed: str) -> list[dict[str, Any]]:
    """The metric lines by model."""
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith('{"_aws"')]
    return [line for line in lines if "ModelUses" in line]


@pytest.mark.parametrize("provider", ["gemini", "groq", "xai"])
def test_a_turn_tells_its_tokens_and_dollars_by_model(talk, provider: str, capsys) -> None:
    reply = talk(provider)(FLAGSHIP)
    usage = reply.json["usage"]
    (model,) = usage["models"]
    assert model["provider"] == provider
    assert usage["calls"] == model["calls"] == 2
    assert usage["inputTokens"] == model["inputTokens"] > 0
    assert usage["outputTokens"] == model["outputTokens"] > 0
    assert usage["costUsd"] == model["costUsd"] > 0
    (line,) = metrics_of(capsys.readouterr().out)
    assert line["model"].startswith(f"{provider}/")
    assert line["ModelCost"] == [usage["costUsd"]]
    assert line["InputTokens"] == [usage["inputTokens"]]


def test_a_server_of_ones_own_has_tokens_and_no_dollars(talk, capsys) -> None:
    usage = talk("openai")(FLAGSHIP).json["usage"]
    assert usage["inputTokens"] > 0
    assert usage["costUsd"] is None
    (line,) = metrics_of(capsys.readouterr().out)
    assert "ModelCost" not in line


def test_a_server_of_ones_own_costs_what_the_shop_says(talk) -> None:
    prices = '{"qwen3:8b": {"input": 10, "output": 20}}'
    usage = talk("openai", model_prices=prices)(FLAGSHIP).json["usage"]
    (model,) = usage["models"]
    dollars = (10 * model["inputTokens"] + 20 * model["outputTokens"]) / 1e6
    assert usage["costUsd"] == pytest.approx(dollars)


def test_a_turn_of_two_providers_lists_both(talk, fake: FakeProvider) -> None:
    shopper = talk("groq", llm_fallbacks="xai,offline")
    error = {"error": {"message": "Service Unavailable", "type": "internal_server_error"}}
    for call in (2, 3):
        fake.on(call, Answer(503, error))
    reply = shopper(FLAGSHIP)
    assert len(reply.cart) == 1
    assert [m["provider"] for m in reply.json["usage"]["models"]] == ["groq", "xai"]
    assert reply.json["usage"]["costUsd"] > 0


def test_when_the_day_is_used_up_the_offline_model_answers_and_says_so(talk) -> None:
    reply = talk("groq", daily_spend_limit=1e-05)("show me something fresh for summer")
    assert reply.status == 200
    assert reply.json["model"] == "offline"
    assert reply.json["usage"]["costUsd"] == 0


def test_when_the_day_is_used_up_and_nobody_else_may_answer_it_is_a_429(talk, fake) -> None:
    shopper = talk("groq", daily_spend_limit=1e-05, llm_fallbacks="none")
    shopper("hello")
    # The second time the breaker spares the counter, and says the same.
    for _ in range(2):
        reply = shopper("show me something fresh for summer")
        assert reply.status == 429
        assert 3600 < int(reply.headers["Retry-After"]) <= 24 * 3600
    assert not fake.requests


def test_money_of_a_day_is_counted_as_it_is_spent(settings, talk) -> None:
    connection = bootstrap.redis(settings)
    connection.run(["DEL", TRAFFIC.key(connection, "spend")], Deadline.after(5))
    # A process of its own, so that nothing is carried over.
    shopper = talk("groq", daily_spend_limit=5.0, jwt_audience=uuid4().hex)
    usage = shopper(FLAGSHIP).json["usage"]
    held = int(connection.run(["GET", TRAFFIC.key(connection, "spend")], Deadline.after(5)))
    assert held >= usage["costUsd"] * 1e6 > 0


def test_the_log_line_of_a_turn_has_its_tokens_and_dollars(talk, monkeypatch) -> None:
    lines: list[dict[str, Any]] = []
    monkeypatch.setattr(logger, "info", lambda text, **facts: lines.append({"line": text, **facts}))
    usage = talk("groq")(FLAGSHIP).json["usage"]
    (turn,) = [line for line in lines if line["line"] == "turn"]
    assert turn["input_tokens"] == usage["inputTokens"]
    assert turn["cached_tokens"] == usage["cachedTokens"]
    assert turn["cost_usd"] == usage["costUsd"] > 0


@pytest.mark.parametrize("tokens", [200, 1500])
def test_the_longest_reply_is_what_the_setting_says(talk, fake: FakeProvider, tokens: int) -> None:
    talk("openai", llm_max_tokens=tokens)(FLAGSHIP)
    assert {r.body["max_tokens"] for r in fake.requests} == {tokens}


def test_a_turn_ends_when_its_tokens_or_its_money_are_used_up(talk, fake: FakeProvider) -> None:
    for limit in ({"max_turn_tokens": 100}, {"max_turn_spend": 1e-06}):
        fake.reset()
        reply = talk("groq", **limit)(FLAGSHIP)
        assert len(fake.requests) == 1
        assert len(reply.cart) == 1
        assert reply.json["actions"]
