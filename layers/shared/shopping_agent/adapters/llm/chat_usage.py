"""Token counts of the chat-completions shape, in every provider the same way."""

import math
from collections.abc import Mapping
from typing import Any, cast

from shopping_agent.domain.conversation import TokenUsage


def usage_of(body: Mapping[str, Any], provider: str) -> TokenUsage:
    """The usage of one call; zeros where the reply does not say.

    All that is not input was generated: where the total is larger than its parts, it decides. xAI leaves reasoning out
    of `completion_tokens`, the others count it in.
    """
    usage = _mapping(body.get("usage")) or _mapping(_mapping(body.get("x_groq")).get("usage"))
    total = _count(usage.get("total_tokens"))
    sent = _count(usage.get("prompt_tokens") or usage.get("input_tokens"))
    generated = _count(usage.get("completion_tokens") or usage.get("output_tokens"))
    if provider == "xai":
        details = _mapping(usage.get("completion_tokens_details"))
        generated += _count(details.get("reasoning_tokens"))
    if not sent:
        sent = max(0, total - generated)
    if total > sent:
        generated = total - sent if provider == "xai" else max(generated, total - sent)
    cached = _count(_mapping(usage.get("prompt_tokens_details")).get("cached_tokens"))
    return TokenUsage(1, sent, generated, min(cached, sent))


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return 0
    return max(0, int(value))
