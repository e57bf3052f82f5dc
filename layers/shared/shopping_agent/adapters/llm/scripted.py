"""A model that follows a script: for tests, fault drills and demonstrations of the loop. It decides nothing."""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shopping_agent.domain.conversation import ModelReply, ModelRequest, TokenUsage, ToolCall
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.values import frozen
from shopping_agent.errors import LanguageModelError


@frozen
class Hang:
    """A step of a script that ignores every limit for `seconds`, then answers `text`."""

    seconds: float
    text: str = ""


Step = ModelReply | Exception | Hang
Script = Sequence[Step] | Callable[[ModelRequest], Step]


def proposes(*calls: tuple[str, Mapping[str, Any]], text: str = "") -> ModelReply:
    """A reply that proposes tool calls, given as (name, arguments). Ids are left to the loop."""
    return ModelReply(
        text=text,
        tool_calls=tuple(ToolCall("", name, arguments) for name, arguments in calls),
        finish="tool_calls",
    )


def says(text: str) -> ModelReply:
    """A reply that ends the turn."""
    return ModelReply(text=text)


class ScriptedModel:
    """Replies from a list, one per call, or from a function of the request.

    A list that is used up fails as a provider would (`malformed`), so that a loop that asks too often shows.

    Attributes:
        requests: every request received, oldest first.
    """

    def __init__(self, script: Script, *, name: str = "scripted") -> None:
        self.name = self.model = name
        self.requests: list[ModelRequest] = []
        self._script = script

    def complete(self, request: ModelRequest, deadline: Deadline) -> ModelReply:
        del deadline  # a script may misbehave: keeping time is the loop's task
        position = len(self.requests)
        self.requests.append(request)
        if callable(self._script):
            step = self._script(request)
        elif position < len(self._script):
            step = self._script[position]
        else:
            raise LanguageModelError("malformed", f"the script has no reply number {position + 1}")
        return self._play(step)

    def _play(self, step: Step) -> ModelReply:
        if isinstance(step, Exception):
            raise step
        if isinstance(step, Hang):
            threading.Event().wait(step.seconds)
            step = says(step.text)
        usage = step.usage if step.usage.calls else TokenUsage(calls=1)
        return ModelReply(
            text=step.text,
            tool_calls=step.tool_calls,
            finish=step.finish,
            usage=usage,
            provider=step.provider or self.name,
            model=step.model or self.model,
            spent=step.spent,
            asked=step.asked,
            opaque=step.opaque,
            choices=step.choices,
            asks=step.asks,
        )
