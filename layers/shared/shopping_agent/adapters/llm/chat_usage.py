"""Token counts of the chat-completions shape, in every provider the same way."""

from collections.abc import Mapping
from typing import Any, Final, cast

from shopping_agent.domain.conversation import TokenUsage

_MOST_TOKENS: Final = 100_000_000
"""Of one call: more is an error of who counted."""


def usage_of(body: Mapping[str, Any], provider: str) -> TokenUsage:
    """The usage of one call; zeros where the reply does not say.

    All that is not input was generated: where the total is larger than its parts, it decides. xAI leaves reasoning out
    of `completion_tokens`, the others count it in.
    """
    usage = _mapping(body.get("usage")) or _mapping(_mapping(body.get("x_groq")).get("usage"))
    total = token_count(usage.get("total_tokens"))
    sent = token_count(usage.get("prompt_tokens") or usage.get("input_tokens"))
    generated = token_count(usage.get("completion_tokens") or usage.get("output_tokens"))
    if provider == "xai":
        details = _mapping(usage.get("completion_tokens_details"))
        generated += token_count(details.get("reasoning_tokens"))
    if not sent:
        sent = max(0, total - generated)
    if total > sent:
        generated = total - sent if provider == "xai" else max(generated, total - sent)
    cached = token_count(_mapping(usage.get("prompt_tokens_details")).get("cached_tokens"))
    return TokenUsage(1, sent, generated, min(cached, sent))


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def token_count(value: Any) -> int:
    """A number of tokens that can be meant; 0 where it is none, and nothing is known."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    # The comparison is false for what is no number, and exact for integers that no float can hold.
    return int(value) if 0 < value <= _MOST_TOKENS else 0
