"""The bounded tool loop: the model proposes, the toolbox decides, every proposal gets a result, and it ends in time."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from shopping_agent.application.asking import ask
from shopping_agent.application.tool_runner import Toolbox, ToolRunner, milliseconds_since
from shopping_agent.application.turn import Outcome
from shopping_agent.domain.conversation import (
    AssistantMessage,
    Message,
    ModelReply,
    ModelRequest,
    TokenUsage,
    UserMessage,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.intent import Finish
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.errors import DeadlineExceededError, LanguageModelError
from shopping_agent.observability import count, logger
from shopping_agent.ports import LanguageModel

# Markup of a tool call that a model wrote as text: never shown to a shopper.
_MARKUP: Final = re.compile(
    r"<\s*/?\s*(?:function\b|tool_call|xai:|\|)|^\s*Malformed function call", re.IGNORECASE
)
_NUDGE: Final = UserMessage(
    "Answer the shopper now, in plain words, only from the facts and results above."
)


@dataclass(frozen=True, slots=True)
class Task:
    """What the loop works on: the prompt, the messages up to the shopper's, and the message as understood."""

    system: str
    messages: Sequence[Message]
    query: ShopperQuery
    turn_id: str = ""


class Agent:
    """The loop. At most `max_tool_calls` calls run in a turn, however they are batched."""

    def __init__(self, *, model: LanguageModel, max_tool_calls: int) -> None:
        self._model = model
        self._max_tool_calls = max_tool_calls

    def run(self, task: Task, tools: Toolbox, deadline: Deadline) -> Outcome:
        """Call the model and run what it proposes until it answers or a bound is reached."""
        run = _Run(
            task,
            tools,
            ToolRunner(tools, self._max_tool_calls, deadline, task.turn_id),
            deadline,
        )
        outcome = self._loop(run)
        return replace(outcome, usage=run.usage, model=run.model)

    def _loop(self, run: "_Run") -> Outcome:
        while True:
            try:
                reply = run.receive(self._model)
            except DeadlineExceededError:
                return Outcome("", "deadline")
            except LanguageModelError as error:
                logger.warning("model failed", turn=run.task.turn_id, kind=error.kind)
                count("ModelFailures")
                refused = error.kind == "content_refused"
                return Outcome("", "refused" if refused else "provider_unavailable")
            outcome = run.settle(reply)
            if outcome is not None:
                return outcome


class _Run:
    """One loop at work: its messages and how far it is."""

    def __init__(self, task: Task, tools: Toolbox, runner: ToolRunner, deadline: Deadline) -> None:
        self.task = task
        self.usage = TokenUsage()
        self.model = ""
        self._tools = tools
        self._runner = runner
        self._deadline = deadline
        self._messages = list(task.messages)
        self._steps = 0
        self._last = False
        self._nudged = False

    def receive(self, model: LanguageModel) -> ModelReply:
        """The model's next reply; the last one is asked for without tools."""
        self._steps += 1
        started = time.perf_counter()
        request = ModelRequest(
            system=self.task.system,
            messages=tuple(self._messages),
            tools=() if self._last else self._tools.specs,
            query=self.task.query,
        )
        reply = ask(model, request, self._deadline)
        self.usage = self.usage.plus(reply.usage)
        self.model = reply.model or model.name
        logger.info(
            "step",
            turn=self.task.turn_id,
            step=self._steps,
            kind="model",
            calls=len(reply.tool_calls),
            ok=reply.finish != "refused",
            ms=milliseconds_since(started),
        )
        return reply

    def settle(self, reply: ModelReply) -> Outcome | None:
        """The outcome that a reply means, or None when the loop goes on."""
        if reply.finish == "refused":
            return Outcome("", "refused")
        if reply.tool_calls:
            return Outcome("", "step_limit") if self._last else self._act(reply)
        text = reply.text.strip()
        if text and not _MARKUP.search(text):
            finish: Finish = "clarify" if reply.asks else "answered"
            return Outcome(text, finish, choices=reply.choices, asks=reply.asks)
        if self._nudged:
            return Outcome("", "provider_unavailable")
        self._nudged = True
        self._messages.append(_NUDGE)
        return None

    def _act(self, reply: ModelReply) -> Outcome | None:
        runner = self._runner
        calls = runner.identified(reply.tool_calls)
        self._messages.append(AssistantMessage(reply.text, tuple(calls), reply.opaque))
        self._messages += runner.run(calls, self._steps)
        if self._deadline.expired():
            return Outcome("", "deadline")
        if runner.cut:
            return Outcome("", "step_limit")
        self._last = runner.repeated or runner.left == 0
        return None
