"""What a turn's models were used for, in the words of the HTTP contract."""

from collections.abc import Sequence
from typing import Any

from shopping_agent.application.pricing import by_model, total
from shopping_agent.domain.conversation import ModelUsage, TokenUsage
from shopping_agent.domain.limits import MICROS


def usage_body(usage: TokenUsage, spent: Sequence[ModelUsage]) -> dict[str, Any]:
    """Calls, tokens and dollars of a turn, as a whole and by model. A cost that is not known is null, not 0."""
    return {
        **_tokens(usage),
        "costUsd": _dollars(total(spent)),
        "models": [
            {
                "provider": used.provider,
                "model": used.model,
                **_tokens(used.tokens),
                "costUsd": _dollars(total((used,))),
            }
            for used in by_model(spent)
        ],
    }


def _tokens(usage: TokenUsage) -> dict[str, int]:
    return {
        "calls": usage.calls,
        "inputTokens": usage.input_tokens,
        "outputTokens": usage.output_tokens,
        "cachedTokens": usage.cached_tokens,
    }


def _dollars(micros: int | None) -> float | None:
    return None if micros is None else micros / MICROS
