"""`usage` of a reply: honest about what is not known."""

from shopping_agent.domain.conversation import ModelUsage, TokenUsage
from shopping_agent.http.replies import UsageReply
from shopping_agent.http.usage import usage_body

GROQ = ModelUsage("groq", "openai/gpt-oss-120b", TokenUsage(1, 1000, 50, 200), 165)
LOCAL = ModelUsage("openai", "qwen3:8b", TokenUsage(1, 900, 40))
OFFLINE = ModelUsage("offline", "offline", TokenUsage(calls=2))


def test_every_model_is_listed_with_its_tokens_and_dollars() -> None:
    body = usage_body(TokenUsage(2, 2000, 100, 400), [GROQ, GROQ])
    assert body == {
        "calls": 2,
        "inputTokens": 2000,
        "outputTokens": 100,
        "cachedTokens": 400,
        "costUsd": 0.00033,
        "models": [
            {
                "provider": "groq",
                "model": "openai/gpt-oss-120b",
                "calls": 2,
                "inputTokens": 2000,
                "outputTokens": 100,
                "cachedTokens": 400,
                "costUsd": 0.00033,
            }
        ],
    }
    UsageReply.model_validate(body)


def test_a_cost_that_is_not_known_is_null_and_makes_the_sum_null() -> None:
    body = usage_body(TokenUsage(2, 1900, 90, 200), [GROQ, LOCAL])
    assert body["costUsd"] is None
    assert [part["costUsd"] for part in body["models"]] == [0.000165, None]


def test_the_offline_model_and_no_model_at_all_cost_nothing() -> None:
    assert usage_body(TokenUsage(calls=2), [OFFLINE])["costUsd"] == 0
    assert usage_body(TokenUsage(), []) == {
        "calls": 0,
        "inputTokens": 0,
        "outputTokens": 0,
        "cachedTokens": 0,
        "costUsd": 0,
        "models": [],
    }
