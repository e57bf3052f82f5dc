"""The bounded tool loop: the model proposes, the toolbox decides, every proposal gets a result, and it ends in time."""

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from shopping_agent.application.bounded import all_within, within
from shopping_agent.domain.conversation import (
    AssistantMessage,
    Choice,
    JsonObject,
    Message,
    ModelReply,
    ModelRequest,
    TokenUsage,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.intent import Finish
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.errors import DeadlineExceededError, LanguageModelError
from shopping_agent.observability import count, logger
from shopping_agent.ports import LanguageModel

# One attempt may not eat the whole budget: what is left serves the fallback.
MODEL_ATTEMPT_SECONDS: Final = 15.0
# Markup of a tool call that a model wrote as text: never shown to a shopper.
_MARKUP: Final = re.compile(
    r"<\s*/?\s*(?:function\b|tool_call|xai:|\|)|^\s*Malformed function call", re.IGNORECASE
)
_NUDGE: Final = UserMessage(
    "Answer the shopper now, in plain words, only from the facts and results above."
)
_REPEATED: Final[JsonObject] = {
    "note": "This call was already made with these arguments; its result stands above. Answer the shopper now."
}


class Toolbox(Protocol):
    """The tools of one turn. `run` never raises for what a model can get wrong."""

    @property
    def specs(self) -> Sequence[ToolSpec]: ...

    def writes(self, name: str) -> bool:
        """Whether a tool changes the cart: such calls run one by one, in order."""
        ...

    def run(self, call: ToolCall, deadline: Deadline) -> JsonObject: ...


@dataclass(frozen=True, slots=True)
class Task:
    """What the loop works on: the prompt, the messages up to the shopper's, and the message as understood."""

    system: str
    messages: Sequence[Message]
    query: ShopperQuery
    turn_id: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the loop ended. `text` is empty when the answer must be built from what was observed."""

    text: str
    finish: Finish
    usage: TokenUsage = field(default_factory=TokenUsage)
    model: str = ""
    choices: tuple[Choice, ...] = ()
    asks: bool = False


def ask(model: LanguageModel, request: ModelRequest, deadline: Deadline) -> ModelReply:
    """One call of a model, capped.

    Raises:
        LanguageModelError: the provider failed, or did not answer in its share of the time.
        DeadlineExceededError: the turn's time is over.
    """
    attempt = deadline.capped(MODEL_ATTEMPT_SECONDS)
    try:
        return within(lambda: model.complete(request, attempt), attempt)
    except (DeadlineExceededError, LanguageModelError) as error:
        if deadline.expired():
            raise DeadlineExceededError("no time left for the model") from error
        if isinstance(error, DeadlineExceededError):
            raise LanguageModelError("timeout", "no answer within one attempt") from error
        raise


class Agent:
    """The loop. At most `max_tool_calls` calls run in a turn, however they are batched."""

    def __init__(self, *, model: LanguageModel, max_tool_calls: int) -> None:
        self._model = model
        self._max_tool_calls = max_tool_calls

    def run(self, task: Task, tools: Toolbox, deadline: Deadline) -> Outcome:
        """Call the model and run what it proposes until it answers or a bound is reached."""
        run = _Run(task, tools, self._max_tool_calls, deadline)
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
    """One loop at work: its messages, its counters and what has been called so far."""

    def __init__(self, task: Task, tools: Toolbox, limit: int, deadline: Deadline) -> None:
        self.task = task
        self.usage = TokenUsage()
        self.model = ""
        self._tools = tools
        self._deadline = deadline
        self._left = limit
        self._messages = list(task.messages)
        self._results: dict[str, JsonObject] = {}
        self._changes = 0
        self._steps = 0
        self._ids: set[str] = set()
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
            ms=_milliseconds(started),
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
        calls = [self._identified(call) for call in reply.tool_calls]
        self._messages.append(AssistantMessage(reply.text, tuple(calls), reply.opaque))
        run, cut = calls[: self._left], calls[self._left :]
        self._left -= len(run)
        for group in self._groups(run):
            self._observe(group)
        for call in cut:
            self._record(call, _failure("step_limit", "Not run: no tool call is left in this turn."))
        if self._deadline.expired():
            return Outcome("", "deadline")
        if cut:
            return Outcome("", "step_limit")
        self._last = self._last or self._left == 0
        return None

    def _groups(self, calls: Sequence[ToolCall]) -> list[list[ToolCall]]:
        """Runs of read-only calls, which may go side by side, between single writes."""
        groups: list[list[ToolCall]] = []
        reading = False
        for call in calls:
            if self._tools.writes(call.name):
                groups.append([call])
                reading = False
            elif reading:
                groups[-1].append(call)
            else:
                groups.append([call])
                reading = True
        return groups

    def _observe(self, group: Sequence[ToolCall]) -> None:
        if len(group) == 1 and self._tools.writes(group[0].name):
            self._write(group[0])
        else:
            self._read(group)

    def _write(self, call: ToolCall) -> None:
        key = _key(call)
        earlier = self._results.get(key)
        if earlier is not None and earlier.get("ok"):
            self._repeat(call)
            return
        started = time.perf_counter()
        result = self._in_time(call)
        if result == earlier:
            self._last = True
        self._results[key] = result
        self._changes += bool(result.get("ok"))
        self._record(call, result, started)

    def _read(self, calls: Sequence[ToolCall]) -> None:
        # A read after a write is a new question: the cart may have changed.
        fresh: dict[str, ToolCall] = {}
        for call in calls:
            key = f"{self._changes} {_key(call)}"
            if key not in self._results:
                fresh.setdefault(key, call)
        started = time.perf_counter()
        results = all_within(
            [lambda call=call: self._in_time(call) for call in fresh.values()], self._deadline
        )
        for key, result in zip(fresh, results, strict=True):
            late = isinstance(result, DeadlineExceededError)
            self._results[key] = _failure("tool_unavailable", "No time left.") if late else result
        ran = {id(call): self._results[key] for key, call in fresh.items()}
        for call in calls:
            if id(call) in ran:
                self._record(call, ran[id(call)], started)
            else:
                self._repeat(call)

    def _in_time(self, call: ToolCall) -> JsonObject:
        if self._deadline.expired():
            return _failure("tool_unavailable", "No time left.")
        return self._tools.run(call, self._deadline)

    def _repeat(self, call: ToolCall) -> None:
        self._last = True
        self._record(call, _REPEATED)

    def _record(self, call: ToolCall, result: JsonObject, started: float | None = None) -> None:
        self._messages.append(ToolResult(call.id, call.name, result))
        ok = result.get("ok") is not False and "error" not in result
        count("ToolCalls")
        logger.info(
            "step",
            turn=self.task.turn_id,
            step=self._steps,
            kind="tool",
            tool=call.name[:64],
            argument_keys=sorted(str(key)[:40] for key in call.arguments)[:12],
            ok=ok,
            ms=0.0 if started is None else _milliseconds(started),
        )

    def _identified(self, call: ToolCall) -> ToolCall:
        """The call with an id that is unique in this turn (some providers send none, or the same twice)."""
        name = call.id
        number = len(self._ids)
        while not name or name in self._ids:
            number += 1
            name = f"call_{number}"
        self._ids.add(name)
        return replace(call, id=name)


def _key(call: ToolCall) -> str:
    arguments = {k: v for k, v in call.arguments.items() if v is not None}
    return f"{call.name} {json.dumps(arguments, sort_keys=True, default=str)}"


def _failure(code: str, message: str) -> JsonObject:
    return {"ok": False, "error": {"code": code, "message": message}}


def _milliseconds(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 1)
