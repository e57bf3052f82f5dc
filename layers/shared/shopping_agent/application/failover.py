"""A chain of providers that answers as one model: who is asked, how often, for how long, and who comes next.

This is the only place that repeats a model call. At most two attempts at each provider, the second one only where it
can help; each is capped so that one hang leaves the next provider its time; all of it ends by the turn's deadline.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from shopping_agent.application.attempt_record import LIMITS, AttemptRecord
from shopping_agent.application.attempts import MOST_ATTEMPTS, allowed_seconds, next_attempt
from shopping_agent.application.bounded import within
from shopping_agent.application.breaker import Breaker
from shopping_agent.domain.conversation import ModelReply, ModelRequest
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.values import frozen
from shopping_agent.errors import DeadlineExceededError, LanguageModelError
from shopping_agent.observability import count
from shopping_agent.ports import KeepsTime, LanguageModel

OFFLINE: Final = "offline"
_LEAST_SECONDS: Final = 0.5
"""Less is not worth asking a provider for when there is a model that needs none."""
_LONGEST_TEXT: Final = 8_000
"""Characters of a reply: more than any limit on tokens allows is no answer, and every check costs its length."""
_LONGEST_MODEL: Final = 120
_T = TypeVar("_T")
_TELLING_SECONDS: Final = 1.0
"""A provider that had less than this to answer is not down because it did not."""


@frozen
class Provider:
    """One of a chain.

    Attributes:
        name: as `LLM_PROVIDER` names it.
        build: makes its model when it is asked first: its SDK is not loaded before. One that raises is a failed provider.
    """

    name: str
    build: Callable[[], LanguageModel]


class Failover(KeepsTime):
    """`LanguageModel` over a chain of them.

    Args:
        providers: in the order in which they are asked.
        breaker: kept for the life of the process; by default a new one.
        sleep: waits for seconds.
        jitter: a number from 0 to 1.
    """

    def __init__(
        self,
        providers: Sequence[Provider],
        breaker: Breaker | None = None,
        *,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.providers = tuple(providers)
        self.breaker = breaker or Breaker()
        self.sleep = sleep
        self.jitter = jitter
        self.name = self.model = self.providers[0].name
        self._models: dict[str, LanguageModel] = {}

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        """The first reply that one of them gives.

        Raises:
            LanguageModelError: `content_refused` by the one that was asked; else none answered. `rate_limited` when
                nothing but limits stood in the way: `retry_after` is then the soonest that one may answer.
            DeadlineExceededError: the time was over before one could be asked.
        """
        deadline.check()
        return _Run(self, request, deadline).reply()

    def model_of(self, provider: Provider) -> LanguageModel:
        """The provider's model, made when it is wanted first."""
        model = self._models.get(provider.name)
        if model is None:
            model = self._models.setdefault(provider.name, provider.build())
            if provider is self.providers[0]:
                self.model = model.model
        return model


class _Run:
    """One request on its way along the chain."""

    def __init__(self, chain: Failover, request: ModelRequest, deadline: Deadline) -> None:
        self._chain = chain
        self._breaker = chain.breaker
        self._request = request
        self._deadline = deadline
        self._record = AttemptRecord(request)

    def reply(self) -> ModelReply:
        spared: list[Provider] = []
        for position, provider in enumerate(self._chain.providers):
            later = self._askable(self._chain.providers[position + 1 :])
            if not self._has_time(provider, later):
                continue
            if not self._breaker.admits(provider.name):
                spared.append(provider)
                continue
            reply = self._ask(provider, later)
            if reply is not None:
                return reply
        return self._ask_spared(spared)

    def _askable(self, providers: Sequence[Provider]) -> list[str]:
        """Names of those that would be asked if it came to them."""
        return [p.name for p in providers if self._breaker.remaining(p.name) <= 0.0]

    def _has_time(self, provider: Provider, later: Sequence[str]) -> bool:
        if provider.name == OFFLINE or OFFLINE not in later:
            return not self._deadline.expired()
        return self._seconds(later) >= _LEAST_SECONDS

    def _seconds(self, later: Sequence[str]) -> float:
        return allowed_seconds(self._deadline.remaining(), later, OFFLINE)

    def _ask_spared(self, spared: Sequence[Provider]) -> ModelReply:
        """Nobody else answered: one that was down a moment ago is asked all the same, one at its limit is not."""
        down: list[Provider] = []
        for provider in spared:
            kind = self._breaker.opened_for(provider.name)
            if kind in LIMITS:
                seconds = self._breaker.wait(provider.name)
                self._record.spared(provider.name, kind, seconds)
            else:
                down.append(provider)
        reply = self._ask(down[0], ()) if down and not self._deadline.expired() else None
        if reply is None:
            raise self._record.outcome()
        return reply

    def _ask(self, provider: Provider, later: Sequence[str]) -> ModelReply | None:
        """A provider's reply, at its first or second attempt; None when the next one is to be asked."""
        if provider is not self._chain.providers[0]:
            count("FailOvers")
        request: ModelRequest | None = self._request
        for attempt in range(1, MOST_ATTEMPTS + 1):
            outcome = self._attempt(provider, request, attempt, later)
            if isinstance(outcome, ModelReply):
                return outcome
            if attempt == MOST_ATTEMPTS or (later and self._breaker.opened_for(provider.name)):
                return None
            request = self._prepared(outcome, request, alone=not later)
            if request is None:
                return None
        return None

    def _prepared(
        self, error: LanguageModelError, request: ModelRequest, *, alone: bool
    ) -> ModelRequest | None:
        """The request of a second attempt, once its time has come; None when there is to be none."""
        left, jitter = self._deadline.remaining(), self._chain.jitter()
        again = next_attempt(error, request, alone=alone, remaining=left, jitter=jitter)
        if again is None:
            return None
        changed, wait = again
        if wait > 0:
            self._chain.sleep(wait)
        return changed

    def _attempt(
        self, provider: Provider, request: ModelRequest, attempt: int, later: Sequence[str]
    ) -> ModelReply | LanguageModelError:
        started = time.perf_counter()
        model, seconds = provider.name, 0.0
        try:
            # What takes long at a first request is mostly the import of an SDK: it is part of the attempt's time.
            allowed = self._seconds(later)
            limit = self._deadline if provider.name == OFFLINE else self._deadline.capped(allowed)
            asked = self._within(provider, lambda: self._chain.model_of(provider), limit)
            model, seconds = asked.model, allowed
            reply = self._within(provider, lambda: asked.complete(request, limit), limit)
            reply = _presentable(reply)
        except LanguageModelError as error:
            fault = error
        except Exception as error:  # noqa: BLE001  (an SDK or an adapter that breaks is a provider that is down)
            fault = self._record.unusable(provider.name, error)
        else:
            self._breaker.succeeded(provider.name)
            name, answered = reply.provider or provider.name, reply.model or model
            spent = self._record.spent_with(reply, name, answered)
            return replace(reply, provider=name, model=answered, asked=model, spent=spent)
        self._tell_breaker(provider, fault, seconds)
        self._record.failed(provider.name, model, fault, attempt, started)
        if fault.kind == "content_refused":
            raise self._record.with_tokens(fault) from fault
        return fault

    def _within(self, provider: Provider, work: Callable[[], _T], deadline: Deadline) -> _T:
        try:
            return work() if provider.name == OFFLINE else within(work, deadline)
        except DeadlineExceededError as error:
            raise LanguageModelError("timeout", f"{provider.name}: no answer in time") from error

    def _tell_breaker(self, provider: Provider, error: LanguageModelError, seconds: float) -> None:
        if error.kind == "timeout" and seconds < _TELLING_SECONDS:
            self._breaker.released(provider.name)
        elif self._breaker.failed(provider.name, error):
            count("CircuitsOpened")


def _presentable(reply: ModelReply) -> ModelReply:
    """The reply in characters that can be written down, cut where it is longer than any reply may be."""
    text, model = _writable(reply.text), _writable(reply.model)[:_LONGEST_MODEL]
    if len(text) > _LONGEST_TEXT:
        return replace(reply, text=text[:_LONGEST_TEXT], model=model, finish="length")
    if text is reply.text and model is reply.model:
        return reply
    return replace(reply, text=text, model=model)


def _writable(text: str) -> str:
    """The text with halves of surrogate pairs, which UTF-8 has no bytes for, as question marks."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
