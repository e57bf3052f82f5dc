"""A paid model within the day's money and tokens: reserved before each call; beyond them it is used up for the day."""

from dataclasses import dataclass
from typing import Final

from shopping_agent.domain.conversation import ModelReply, ModelRequest, TokenUsage
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
from shopping_agent.domain.prices import ModelPrice
from shopping_agent.domain.values import frozen
from shopping_agent.errors import LanguageModelError, StateUnavailableError, TooManyRequestsError
from shopping_agent.observability import count, logger
from shopping_agent.ports import LanguageModel, RateLimiter

RESERVE_SECONDS: Final = 2.0
_CHARACTERS_PER_TOKEN: Final = 2
"""Fewer than in any of our languages: what is reserved is more than what is used."""
_THINKING_TOKENS: Final = 1024
"""What adapters let most models think beside the answer; what one took beyond it is settled by the next call."""
_UNBILLED: Final = frozenset(
    {
        "rate_limited",
        "quota_exhausted",
        "too_large",
        "auth",
        "model_gone",
        "bad_request",
        "overloaded",
        "connection",
    }
)
"""Failures before any token was made. After the others (a timeout, an unreadable reply) it may have been."""


def spend_limits(dollars_a_day: float, limits: Limits) -> Limits:
    """The limits that a model's calls are counted towards; 0 dollars is no limit."""
    found: dict[LimitName, Limit] = {n: limit for n, limit in limits.items() if n == "tokens"}
    if dollars_a_day > 0:
        found["spend"] = Limit(round(dollars_a_day * MICROS), DAY_SECONDS)
    return found


@dataclass(slots=True)
class Carried:
    """What a process has reserved beyond (or short of) what was used; one for all its models, as the limits are."""

    tokens: int = 0
    micros: int = 0


@frozen
class _Cost:
    tokens: int = 0
    micros: int = 0


class CappedModel:
    """`LanguageModel` that reserves before each call.

    What was reserved beyond (or short of) what was used is carried into the next reservation of this process, so a
    call costs one round trip. When the day's tokens or money are used up, or nobody can count them, it fails with
    `quota_exhausted`: whoever comes next in the chain answers.

    Args:
        price: of its model; needed only where money is limited.
    """

    def __init__(
        self,
        *,
        model: LanguageModel,
        price: ModelPrice | None,
        limiter: RateLimiter,
        limits: Limits,
        carried: Carried | None = None,
    ) -> None:
        self.name, self.model = model.name, model.model
        self._model = model
        self._price = price
        self._limiter = limiter
        self._limits = limits
        self._carried = carried or Carried()

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        output = request.max_tokens + _THINKING_TOKENS
        reserved = self._cost(TokenUsage(1, _most_input_tokens(request), output))
        self._reserve(reserved, deadline)
        used = reserved
        try:
            reply = self._model.complete(request, deadline)
            used = self._cost(reply.usage)
            return reply
        except LanguageModelError as error:
            used = self._cost_of_failure(error, reserved)
            raise
        finally:
            self._carried.tokens += used.tokens - reserved.tokens
            self._carried.micros += used.micros - reserved.micros

    def _cost(self, usage: TokenUsage) -> _Cost:
        micros = self._price.micros(usage) if self._price else 0
        return _Cost(usage.input_tokens + usage.output_tokens, micros)

    def _cost_of_failure(self, error: LanguageModelError, reserved: _Cost) -> _Cost:
        """What the provider says it billed; else nothing, or all that was reserved where it may have billed that."""
        if error.input_tokens or error.output_tokens:
            return self._cost(TokenUsage(1, error.input_tokens, error.output_tokens))
        return _Cost() if error.kind in _UNBILLED else reserved

    def _reserve(self, wanted: _Cost, deadline: Deadline) -> None:
        """Count what a call may cost.

        Raises:
            LanguageModelError: the call may not be made. It may not either where nobody can say: money that is not
                counted has no limit.
        """
        tokens = max(0, wanted.tokens + self._carried.tokens)
        micros = max(0, wanted.micros + self._carried.micros)
        due: tuple[Charge, ...] = (
            *charges(self._limits, {"tokens": "all"}, tokens),
            *charges(self._limits, {"spend": "all"}, micros),
        )
        try:
            self._limiter.admit(due, deadline.capped(RESERVE_SECONDS))
        except TooManyRequestsError as error:
            count("SpendLimitReached")
            logger.warning("spend limit reached", provider=self.name, limit=error.code)
            raise LanguageModelError(
                "quota_exhausted",
                "our own limit for a day is reached",
                retry_after=error.retry_after,
            ) from error
        except StateUnavailableError as error:
            logger.warning("spending cannot be counted", provider=self.name)
            raise LanguageModelError("quota_exhausted", "spending cannot be counted") from error
        self._carried.tokens += wanted.tokens - tokens
        self._carried.micros += wanted.micros - micros


def _most_input_tokens(request: ModelRequest) -> int:
    size = len(request.system) + len(repr(request.messages)) + len(repr(request.tools))
    return size // _CHARACTERS_PER_TOKEN
