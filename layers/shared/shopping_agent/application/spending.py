"""A paid model within the day's money and tokens; beyond them the model that costs nothing answers, under its own name."""

import math
from dataclasses import dataclass
from typing import Final

from shopping_agent.domain.conversation import ModelReply, ModelRequest
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import (
    DAY_SECONDS,
    MICROS,
    Charge,
    Limit,
    LimitName,
    Limits,
    charges,
)
from shopping_agent.errors import LanguageModelError, StateUnavailableError, TooManyRequestsError
from shopping_agent.observability import count, logger
from shopping_agent.ports import LanguageModel, RateLimiter

RESERVE_SECONDS: Final = 2.0
_CHARACTERS_PER_TOKEN: Final = 2
"""Fewer than in any of our languages: what is reserved is more than what is used."""
_UNBILLED: Final = frozenset(
    {"rate_limited", "quota_exhausted", "too_large", "auth", "model_gone", "bad_request"}
)


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """Dollars for a million tokens."""

    input: float
    output: float

    def micros(self, input_tokens: int, output_tokens: int) -> int:
        """Millionths of a dollar, rounded up."""
        return math.ceil(self.input * input_tokens + self.output * output_tokens)


def spend_limits(dollars_a_day: float, limits: Limits) -> Limits:
    """The limits that a model's calls are counted towards; 0 dollars is no limit."""
    found: dict[LimitName, Limit] = {n: limit for n, limit in limits.items() if n == "tokens"}
    if dollars_a_day > 0:
        found["spend"] = Limit(round(dollars_a_day * MICROS), DAY_SECONDS)
    return found


class CappedModel:
    """`LanguageModel` that reserves before each call.

    What was reserved beyond (or short of) what was used is carried into the next reservation of this process, so a
    call costs one round trip.
    """

    def __init__(
        self,
        *,
        model: LanguageModel,
        fallback: LanguageModel,
        price: TokenPrice,
        limiter: RateLimiter,
        limits: Limits,
    ) -> None:
        self.name, self.model = model.name, model.model
        self._model = model
        self._fallback = fallback
        self._price = price
        self._limiter = limiter
        self._limits = limits
        self._carried_tokens = self._carried_micros = 0

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        tokens = _most_input_tokens(request)
        reserved = (
            tokens + request.max_tokens,
            self._price.micros(tokens, request.max_tokens),
        )
        if not self._reserve(reserved, deadline):
            count("SpendLimitReached")
            logger.warning("spend limit reached", extra={"fallback": self._fallback.name})
            return self._fallback.complete(request, deadline)
        used = reserved
        try:
            reply = self._model.complete(request, deadline)
            usage = reply.usage
            used = (
                usage.input_tokens + usage.output_tokens,
                self._price.micros(usage.input_tokens, usage.output_tokens),
            )
            return reply
        except LanguageModelError as error:
            if error.kind in _UNBILLED:
                used = (0, 0)
            raise
        finally:
            self._carried_tokens += used[0] - reserved[0]
            self._carried_micros += used[1] - reserved[1]

    def _reserve(self, wanted: tuple[int, int], deadline: Deadline) -> bool:
        """Whether the call may be made. Where nobody can say, it may not: money that is not counted has no limit."""
        tokens = max(0, wanted[0] + self._carried_tokens)
        micros = max(0, wanted[1] + self._carried_micros)
        due: tuple[Charge, ...] = (
            *charges(self._limits, {"tokens": "all"}, tokens),
            *charges(self._limits, {"spend": "all"}, micros),
        )
        try:
            self._limiter.admit(due, deadline.capped(RESERVE_SECONDS))
        except (TooManyRequestsError, StateUnavailableError):
            return False
        self._carried_tokens += wanted[0] - tokens
        self._carried_micros += wanted[1] - micros
        return True


def _most_input_tokens(request: ModelRequest) -> int:
    size = len(request.system) + len(repr(request.messages)) + len(repr(request.tools))
    return size // _CHARACTERS_PER_TOKEN
