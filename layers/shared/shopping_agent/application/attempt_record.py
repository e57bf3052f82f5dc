"""What became of the attempts at one request: logged, counted, added up, and told when nobody answered."""

import time
import traceback
from typing import Final

from shopping_agent.application.breaker import LIMITED_SECONDS, REFUSED_SECONDS
from shopping_agent.domain.conversation import ModelReply, ModelRequest, ModelUsage, TokenUsage
from shopping_agent.errors import DeadlineExceededError, LanguageModelError, LanguageModelFault
from shopping_agent.observability import count, logger

LIMITS: Final = frozenset({"rate_limited", "quota_exhausted"})
_LOUD: Final = frozenset({"auth", "model_gone"})
"""Nothing gets better until somebody changes a setting."""
_MOST_TELLING_FIRST: Final[tuple[LanguageModelFault, ...]] = (
    "auth",
    "model_gone",
    "bad_request",
    "too_large",
    "malformed",
    "overloaded",
    "connection",
    "timeout",
    "quota_exhausted",
    "rate_limited",
    "content_refused",
)


class ChainFailedError(LanguageModelError):
    """Nobody answered: the error that tells most, with what the attempts were billed for.

    Attributes:
        spent: by provider and model, oldest first.
    """

    spent: tuple[ModelUsage, ...] = ()


class AttemptRecord:
    """The failures on the way to a reply, and what they cost."""

    def __init__(self, request: ModelRequest) -> None:
        self._request = request
        self._errors: list[LanguageModelError] = []
        self._spent: list[ModelUsage] = []

    def failed(
        self, provider: str, model: str, error: LanguageModelError, attempt: int, started: float
    ) -> None:
        """Take down a failed attempt that was begun at `started` (of `time.perf_counter()`)."""
        self._errors.append(error)
        if error.input_tokens or error.output_tokens:
            tokens = TokenUsage(1, error.input_tokens, error.output_tokens)
            self._spent.append(ModelUsage(provider, model, tokens))
        count("AttemptFailures")
        log = logger.error if error.kind in _LOUD else logger.warning
        log(
            "attempt",
            turn=self._request.turn_id,
            step=self._request.step,
            provider=provider,
            model=model,
            attempt=attempt,
            ok=False,
            error=error.kind,
            remedy=error.remedy,
            ms=round((time.perf_counter() - started) * 1000, 1),
            retry_after=error.retry_after,
            input_tokens=error.input_tokens,
            output_tokens=error.output_tokens,
        )

    def unusable(self, provider: str, error: Exception) -> LanguageModelError:
        """Take down a provider whose SDK or adapter fails in a way that is nobody's but ours."""
        fault = LanguageModelError("bad_request", f"{provider} cannot be used")
        frame = traceback.extract_tb(error.__traceback__)[-1]
        # The text of a stranger's error may hold anything.
        logger.error(
            "provider unusable",
            provider=provider,
            error=type(error).__name__,
            where=f"{frame.name}:{frame.lineno}",
        )
        return fault

    def spared(self, provider: str, kind: LanguageModelFault, seconds: float) -> None:
        """Take down a provider that is not asked until its limit is over."""
        message = f"{provider} is spared: {kind}"
        self._errors.append(LanguageModelError(kind, message, retry_after=seconds))

    def spent_with(self, reply: ModelReply, provider: str, model: str) -> tuple[ModelUsage, ...]:
        """What the failed attempts and the reply were billed for, oldest first."""
        return (*self._spent, *(reply.spent or (ModelUsage(provider, model, reply.usage),)))

    def outcome(self) -> LanguageModelError | DeadlineExceededError:
        """Why nobody answered: limits, where nothing else stood in the way; else what tells most."""
        if not self._errors:
            return DeadlineExceededError("no time left to ask a model")
        if all(error.kind in LIMITS for error in self._errors):
            soonest = min(map(_seconds_to_wait, self._errors))
            message = "every provider is at its limit"
            return self.with_tokens(
                LanguageModelError("rate_limited", message, retry_after=soonest)
            )
        return self.with_tokens(
            min(self._errors, key=lambda error: _MOST_TELLING_FIRST.index(error.kind))
        )

    def with_tokens(self, error: LanguageModelError) -> LanguageModelError:
        """The error, with the tokens of all the attempts that failed."""
        failed = ChainFailedError(
            error.kind,
            str(error),
            retry_after=error.retry_after,
            input_tokens=sum(used.tokens.input_tokens for used in self._spent),
            output_tokens=sum(used.tokens.output_tokens for used in self._spent),
        )
        failed.spent = tuple(self._spent)
        return failed


def _seconds_to_wait(error: LanguageModelError) -> float:
    if error.retry_after is not None:
        return error.retry_after
    return LIMITED_SECONDS if error.kind == "rate_limited" else REFUSED_SECONDS
