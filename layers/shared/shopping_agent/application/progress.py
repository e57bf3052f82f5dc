"""Tells what a turn is doing while it does it: written beside the turn, which never waits for it and never fails by it."""

import threading
import time
from typing import Final

from shopping_agent.application.bounded import aside
from shopping_agent.application.tool_runner import Toolbox
from shopping_agent.domain.conversation import JsonObject, Shopper, ToolCall
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.intent import Language
from shopping_agent.domain.progress import TOOL_STEPS, StepKind, TurnStep
from shopping_agent.errors import DeadlineExceededError, StateUnavailableError
from shopping_agent.observability import count
from shopping_agent.ports import TurnSteps

WRITE_SECONDS: Final = 1.0
END_SECONDS: Final = 0.25
"""How long the end of a turn waits for a write that is under way."""
_MOST: Final = 40


class Progress:
    """Steps of one turn. What happens while a write is under way goes into the next one.

    Args:
        steps: where they are written; None tells nobody.
    """

    def __init__(
        self, steps: TurnSteps | None, *, shopper: Shopper, turn_id: str, deadline: Deadline
    ) -> None:
        self.language: Language = "en"
        self._steps = steps
        self._shopper = shopper
        self._turn_id = turn_id
        self._deadline = deadline
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._idle = threading.Event()
        self._idle.set()
        self._waiting: list[TurnStep] = []
        self._last: StepKind | None = None
        self._told = 0
        self._done = False

    def tell(self, kind: StepKind) -> None:
        """The turn is at this now."""
        if self._steps is None:
            return
        with self._lock:
            if kind == self._last or self._told >= _MOST or self._done:
                return
            self._last = kind
            self._told += 1
            passed = round((time.monotonic() - self._started) * 1000)
            self._waiting.append(TurnStep(self._told, kind, self.language, passed))
        self._begin()

    def done(self) -> None:
        """The turn has its answer."""
        if self._steps is None:
            return
        with self._lock:
            self._done = True
        self._begin()

    def settle(self) -> None:
        """Give a write that is under way a moment: a function that has answered may be frozen."""
        self._idle.wait(min(END_SECONDS, self._deadline.remaining()))

    def _begin(self) -> None:
        with self._lock:
            if not self._idle.is_set():
                return
            self._idle.clear()
        aside(self._write)

    def _write(self) -> None:
        ended = False
        while True:
            with self._lock:
                steps, self._waiting = self._waiting, []
                finished = self._done and not ended
                if not steps and not finished:
                    self._idle.set()
                    return
            ended = ended or finished
            self._put(steps, finished=finished)

    def _put(self, steps: list[TurnStep], *, finished: bool) -> None:
        if self._steps is None:
            return
        try:
            self._steps.add(
                self._shopper,
                self._turn_id,
                steps,
                done=finished,
                deadline=self._deadline.capped(WRITE_SECONDS),
            )
        except (StateUnavailableError, DeadlineExceededError):
            count("StepsNotTold")


class WatchedTools:
    """A toolbox whose calls are told."""

    def __init__(self, tools: Toolbox, progress: Progress) -> None:
        self._tools = tools
        self._progress = progress
        self.specs = tools.specs

    def writes(self, name: str) -> bool:
        return self._tools.writes(name)

    def canonical(self, call: ToolCall) -> JsonObject:
        return self._tools.canonical(call)

    def run(self, call: ToolCall, deadline: Deadline) -> JsonObject:
        kind = TOOL_STEPS.get(call.name)
        if kind:
            self._progress.tell(kind)
        result = self._tools.run(call, deadline)
        self._progress.tell("think")
        return result
