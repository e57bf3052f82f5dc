"""Runs the calls of a model's step: bounded in number and size, side by side where that is safe, no change twice."""

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, cast

from shopping_agent.application.bounded import all_within
from shopping_agent.application.result_size import within_size
from shopping_agent.application.tools.refusals import refusal
from shopping_agent.domain.conversation import JsonObject, ToolCall, ToolResult, ToolSpec
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import DeadlineExceededError
from shopping_agent.observability import count, logger, milliseconds_since

# The same call with the same result so often beyond the first time, or so many steps in a row without one call that
# could be run: the model must answer now.
MOST_REPEATS: Final = 2
MOST_FAULTY_STEPS: Final = 3
_FAULTY: Final = frozenset({"invalid_arguments", "unknown_tool"})
_REPEATED: Final[JsonObject] = {
    "note": "This call was already made with these arguments; its result stands above. Go on, or answer the shopper now."
}
_OF_A_CHANGE: Final = ("ok", "name", "quantity")
_NO_TIME: Final = refusal("tool_unavailable", "No time left.")
_CUT: Final = refusal("step_limit", "Not run: no tool call is left in this turn.")

_UNKNOWN: Final = "unknown"
"""In the log, for a tool that was never declared: what a model wrote there may be anything."""


class Toolbox(Protocol):
    """The tools of one turn. `run` never raises for what a model can get wrong."""

    @property
    def specs(self) -> Sequence[ToolSpec]: ...

    def writes(self, name: str) -> bool:
        """Whether a tool changes the cart: such calls run one by one, in order."""
        ...

    def canonical(self, call: ToolCall) -> JsonObject:
        """The arguments as the tool reads them: calls of a tool with equal ones are the same call."""
        ...

    def run(self, call: ToolCall, deadline: Deadline) -> JsonObject: ...


class ToolRunner:
    """The calls of one turn.

    Attributes:
        left: calls that may still run.
        cut: a step proposed more calls than were left.
        ran: calls that were answered so far.
        wrote: the last step changed the cart, and every change that it proposed was made.
    """

    def __init__(self, tools: Toolbox, limit: int, deadline: Deadline, turn_id: str) -> None:
        self.left = limit
        self.cut = False
        self.ran = 0
        self.wrote = False
        self._tools = tools
        self._declared = frozenset(spec.name for spec in tools.specs)
        self._deadline = deadline
        self._turn_id = turn_id
        self._step = 0
        self._results: dict[str, JsonObject] = {}
        self._repeats = Counter[str]()
        self._faulty_steps = 0
        self._changes = 0
        self._records: list[ToolResult] = []

    @property
    def spent(self) -> bool:
        """Whether the model must answer now: nothing is left, or it makes no headway."""
        repeats = max(self._repeats.values(), default=0)
        stuck = repeats >= MOST_REPEATS or self._faulty_steps >= MOST_FAULTY_STEPS
        return stuck or self.left == 0

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
            self._record(call, _CUT)
        faulty = all(_error_code(record.content) in _FAULTY for record in self._records)
        self._faulty_steps = self._faulty_steps + 1 if faulty else 0
        written = [r.content for r in self._records if self._tools.writes(r.name)]
        self.wrote = bool(written) and all(content.get("ok") is True for content in written)
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
        key = self._key(call)
        earlier = self._results.get(key)
        if earlier is not None and earlier.get("ok"):
            # Done is done: whoever asks again may know it, but not an older state of the cart.
            self._repeat(call, key, {k: v for k, v in earlier.items() if k in _OF_A_CHANGE})
            return
        started = time.perf_counter()
        result = self._in_time(call)
        self._changes += bool(result.get("ok"))
        self._record(call, self._noted(key, result), started)

    def _read(self, calls: Sequence[ToolCall]) -> None:
        # A read after a write is a new question: the cart may have changed. One that failed may be asked again.
        fresh: dict[str, ToolCall] = {}
        for call in calls:
            earlier = self._results.get(self._question(call))
            if earlier is None or _error_code(earlier):
                fresh.setdefault(self._question(call), call)
        started = time.perf_counter()
        results = all_within(
            [lambda call=call: self._in_time(call) for call in fresh.values()], self._deadline
        )
        ran: dict[int, JsonObject] = {}
        for (key, call), result in zip(fresh.items(), results, strict=True):
            late = isinstance(result, DeadlineExceededError)
            ran[id(call)] = self._noted(key, _NO_TIME if late else result)
        for call in calls:
            if id(call) in ran:
                self._record(call, ran[id(call)], started)
            else:
                self._repeat(call, self._question(call))

    def _question(self, call: ToolCall) -> str:
        return f"{self._changes} {self._key(call)}"

    def _key(self, call: ToolCall) -> str:
        arguments = json.dumps(self._tools.canonical(call), sort_keys=True, default=str)
        return f"{call.name} {arguments} {call.fault}"

    def _noted(self, key: str, result: JsonObject) -> JsonObject:
        """The result, counted as a repeat when the same call had it before."""
        if result == self._results.get(key):
            self._repeats[key] += 1
        self._results[key] = result
        return result

    def _in_time(self, call: ToolCall) -> JsonObject:
        if self._deadline.expired():
            return _NO_TIME
        return self._tools.run(call, self._deadline)

    def _repeat(self, call: ToolCall, key: str, earlier: JsonObject | None = None) -> None:
        self._repeats[key] += 1
        self._record(call, {**(earlier or {}), **_REPEATED})

    def _record(self, call: ToolCall, result: JsonObject, started: float | None = None) -> None:
        self._records.append(ToolResult(call.id, call.name, within_size(result)))
        self.ran += 1
        code = _error_code(result)
        count("ToolCalls")
        logger.info(
            "step",
            turn=self._turn_id,
            step=self._step,
            kind="tool",
            tool=call.name if call.name in self._declared else _UNKNOWN,
            argument_keys=sorted(str(key)[:40] for key in call.arguments)[:12],
            ok=not code,
            error=code,
            ms=0.0 if started is None else milliseconds_since(started),
        )


def _error_code(result: JsonObject) -> str:
    """Why a call failed; "" where it did not."""
    error: Any = result.get("error")
    if error is None and result.get("ok") is not False:
        return ""
    code = cast(JsonObject, error).get("code") if isinstance(error, Mapping) else None
    return str(code or "failed")[:40]
