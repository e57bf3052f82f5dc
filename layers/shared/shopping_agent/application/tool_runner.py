"""Runs the calls of a model's step: bounded in number, side by side where that is safe, never the same one twice."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

from shopping_agent.application.bounded import all_within
from shopping_agent.domain.conversation import JsonObject, ToolCall, ToolResult, ToolSpec
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import DeadlineExceededError
from shopping_agent.observability import count, logger

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


class ToolRunner:
    """The calls of one turn.

    Attributes:
        left: calls that may still run.
        cut: a step proposed more calls than were left.
        repeated: a call came again that could only have had the same result.
    """

    def __init__(self, tools: Toolbox, limit: int, deadline: Deadline, turn_id: str) -> None:
        self.left = limit
        self.cut = False
        self.repeated = False
        self._tools = tools
        self._deadline = deadline
        self._turn_id = turn_id
        self._step = 0
        self._results: dict[str, JsonObject] = {}
        self._changes = 0
        self._ids: set[str] = set()
        self._records: list[ToolResult] = []

    def identified(self, calls: Sequence[ToolCall]) -> list[ToolCall]:
        """The calls with ids that are unique in this turn (some providers send none, or the same twice)."""
        return [self._identified(call) for call in calls]

    def run(self, calls: Sequence[ToolCall], step: int) -> list[ToolResult]:
        """A result for every call, in their order; calls beyond the limit are answered without being run."""
        self._step, self._records = step, []
        running, cut = calls[: self.left], calls[self.left :]
        self.left -= len(running)
        self.cut = bool(cut)
        for group in self._groups(running):
            if len(group) == 1 and self._tools.writes(group[0].name):
                self._write(group[0])
            else:
                self._read(group)
        for call in cut:
            self._record(call, failure("step_limit", "Not run: no tool call is left in this turn."))
        return self._records

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

    def _write(self, call: ToolCall) -> None:
        key = _key(call)
        earlier = self._results.get(key)
        if earlier is not None and earlier.get("ok"):
            self._repeat(call)
            return
        started = time.perf_counter()
        result = self._in_time(call)
        if result == earlier:
            self.repeated = True
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
            self._results[key] = failure("tool_unavailable", "No time left.") if late else result
        ran = {id(call): self._results[key] for key, call in fresh.items()}
        for call in calls:
            if id(call) in ran:
                self._record(call, ran[id(call)], started)
            else:
                self._repeat(call)

    def _in_time(self, call: ToolCall) -> JsonObject:
        if self._deadline.expired():
            return failure("tool_unavailable", "No time left.")
        return self._tools.run(call, self._deadline)

    def _repeat(self, call: ToolCall) -> None:
        self.repeated = True
        self._record(call, _REPEATED)

    def _record(self, call: ToolCall, result: JsonObject, started: float | None = None) -> None:
        self._records.append(ToolResult(call.id, call.name, result))
        ok = result.get("ok") is not False and "error" not in result
        count("ToolCalls")
        logger.info(
            "step",
            turn=self._turn_id,
            step=self._step,
            kind="tool",
            tool=call.name[:64],
            argument_keys=sorted(str(key)[:40] for key in call.arguments)[:12],
            ok=ok,
            ms=0.0 if started is None else milliseconds_since(started),
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


def failure(code: str, message: str) -> JsonObject:
    """The observation for a call that did not run."""
    return {"ok": False, "error": {"code": code, "message": message}}


def milliseconds_since(started: float) -> float:
    """Milliseconds from a `time.perf_counter()`."""
    return round((time.perf_counter() - started) * 1000, 1)
