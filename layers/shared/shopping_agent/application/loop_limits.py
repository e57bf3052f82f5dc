"""What a turn may take of a model, and what it has taken: tool calls, tokens, money, time."""

from typing import Final

from shopping_agent.application.attempt_record import ChainFailedError
from shopping_agent.domain.conversation import ModelReply, ModelUsage, TokenUsage
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.values import frozen
from shopping_agent.errors import LanguageModelError
from shopping_agent.ports import LanguageModel

# A model call is not begun with less than this left, in seconds or as a share of what the loop had at its start.
LEAST_CALL_SECONDS: Final = 1.0
LEAST_CALL_SHARE: Final = 0.1


@frozen
class LoopLimits:
    """The bounds of one turn; 0 tokens or micros is no bound.

    Attributes:
        tool_calls: that may run, however they are batched.
        tokens: input and output of all model calls; no further call is begun once they are used.
        micros: millionths of a US dollar, in the same way.
        reply_tokens: of one reply of the model.
    """

    tool_calls: int = 10
    tokens: int = 60_000
    micros: int = 0
    reply_tokens: int = 700

    def used_up(self, tally: "Tally") -> bool:
        """Whether no further model call may be begun."""
        used = tally.tokens.input_tokens + tally.tokens.output_tokens
        over_tokens = 0 < self.tokens <= used
        return over_tokens or 0 < self.micros <= tally.micros


def least_seconds(deadline: Deadline) -> float:
    """How much time a further model call of a loop that begins now must have."""
    return min(LEAST_CALL_SECONDS, LEAST_CALL_SHARE * deadline.remaining())


class Tally:
    """What the model calls of one turn have used.

    Attributes:
        tokens: of all calls, the failed attempts included.
        model: that answered last, as its provider named it.
    """

    def __init__(self) -> None:
        self.tokens = TokenUsage()
        self.model = ""
        self._spent: dict[tuple[str, str], ModelUsage] = {}

    def replied(self, reply: ModelReply, model: LanguageModel) -> None:
        self.model = reply.model or model.name
        alone = ModelUsage(reply.provider or model.name, self.model, reply.usage)
        for usage in reply.spent or (alone,):
            self._add(usage)

    def failed(self, error: LanguageModelError, model: LanguageModel) -> None:
        """A failed call, where its provider said what it billed."""
        if isinstance(error, ChainFailedError):
            for usage in error.spent:
                self._add(usage)
        elif error.input_tokens or error.output_tokens:
            tokens = TokenUsage(1, error.input_tokens, error.output_tokens)
            self._add(ModelUsage(model.name, model.model, tokens))

    @property
    def spent(self) -> tuple[ModelUsage, ...]:
        """By provider and model, in the order of their first call."""
        return tuple(self._spent.values())

    @property
    def micros(self) -> int:
        """Millionths of a US dollar; what has no known price counts as the dearest that is known."""
        return sum((usage.cost_micros or 0) + usage.most_micros for usage in self.spent)

    def _add(self, usage: ModelUsage) -> None:
        self.tokens = self.tokens.plus(usage.tokens)
        key = (usage.provider, usage.model)
        before = self._spent.get(key)
        if before is not None:
            usage = ModelUsage(
                *key,
                before.tokens.plus(usage.tokens),
                _sum(before.cost_micros, usage.cost_micros),
                before.most_micros + usage.most_micros,
            )
        self._spent[key] = usage


def _sum(one: int | None, other: int | None) -> int | None:
    known = [cost for cost in (one, other) if cost is not None]
    return sum(known) if known else None
