"""The model calls of one loop: each in time, counted, and one line in the log."""

import time
from typing import Any

from shopping_agent.application.asking import ask
from shopping_agent.application.loop_limits import Tally
from shopping_agent.domain.conversation import ModelReply, ModelRequest
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import DeadlineExceededError, LanguageModelError
from shopping_agent.observability import count, logger, milliseconds_since
from shopping_agent.ports import LanguageModel


class ModelCalls:
    """A model as one loop uses it.

    Attributes:
        calls: made so far.
        tally: what they used.
        heard: what came of each, in order: a reply, or the kind of a failure.
    """

    def __init__(self, model: LanguageModel) -> None:
        self.calls = 0
        self.tally = Tally()
        self.heard: list[ModelReply | str] = []
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    def ask(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        """The next reply.

        Raises:
            LanguageModelError: the provider failed.
            DeadlineExceededError: the time is over.
        """
        self.calls += 1
        started = time.perf_counter()
        try:
            reply = ask(self._model, request, deadline)
        except DeadlineExceededError:
            self.heard.append("deadline")
            self._log(request, started, ok=False, error="deadline")
            raise
        except LanguageModelError as error:
            count("ModelFailures")
            self.heard.append(error.kind)
            self.tally.failed(error, self._model)
            self._log(request, started, ok=False, error=error.kind)
            raise
        self.heard.append(reply)
        self.tally.replied(reply, self._model)
        usage = reply.usage
        self._log(
            request,
            started,
            ok=reply.finish != "refused",
            provider=reply.provider or self._model.name,
            model=reply.asked or self._model.model,
            answered=reply.model,
            finish=reply.finish,
            calls=len(reply.tool_calls),
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cached_tokens=usage.cached_tokens,
        )
        return reply

    def _log(self, request: ModelRequest, started: float, *, ok: bool, **facts: Any) -> None:
        facts.setdefault("model", self._model.model)
        logger.info(
            "step",
            turn=request.turn_id,
            step=request.step,
            kind="model",
            ok=ok,
            ms=milliseconds_since(started),
            **facts,
        )
