"""Invocations of one function and the environments that wait for them: what the Lambda service keeps in between."""

import json
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

MAX_WAITING = 200
"""Invocations of one function that wait for a free environment; more are throttled."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an invocation ended. `error` is "" or one of Unhandled, Timeout, Throttled."""

    payload: bytes
    error: str = ""

    @classmethod
    def failed(cls, error_type: str, message: str, *, error: str = "Unhandled") -> "Outcome":
        body = {"errorType": error_type, "errorMessage": message}
        return cls(payload=json.dumps(body).encode(), error=error)


@dataclass
class Invocation:
    """One event on its way. `deadline` (Unix seconds) is set when an environment takes it."""

    payload: bytes
    request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    deadline: float = 0.0
    environment: "EnvironmentState | None" = None
    outcome: Outcome | None = None
    moved: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)

    def taken_by(self, environment: "EnvironmentState", deadline: float) -> None:
        self.environment, self.deadline = environment, deadline
        self.moved.set()

    def finish(self, outcome: Outcome) -> None:
        """The first outcome counts."""
        if not self.done.is_set():
            self.outcome = outcome
            self.done.set()
            self.moved.set()


@dataclass
class EnvironmentState:
    """What is known of one execution environment.

    Attributes:
        polling: it asked for its first event, so its init succeeded.
        init_failed: its last init failed and it has not come up since.
        generation: counts its processes, so that a request of an ended one is told apart.
    """

    kill: Callable[[], None]
    polling: bool = False
    init_failed: bool = False
    generation: int = 0
    current: Invocation | None = None


class FunctionQueue:
    """Hands the invocations of one function to its environments, one at a time each.

    Args:
        timeout: seconds that a handler may take; then its environment is killed.
    """

    def __init__(self, *, name: str, timeout: float) -> None:
        self.name = name
        self.timeout = timeout
        self._waiting: deque[Invocation] = deque()
        self._environments: list[EnvironmentState] = []
        self._changed = threading.Condition()
        self._init_error: Outcome | None = None

    def join(self, kill: Callable[[], None]) -> EnvironmentState:
        """Register one more environment."""
        state = EnvironmentState(kill=kill)
        with self._changed:
            self._environments.append(state)
        return state

    # --- the caller's side

    def invoke(self, payload: bytes, *, patience: float = 30.0) -> Outcome:
        """Run one event; waits up to `patience` seconds for a free environment."""
        invocation = Invocation(payload=payload)
        with self._changed:
            if self._init_error and all(e.init_failed for e in self._environments):
                return self._init_error
            if len(self._waiting) >= MAX_WAITING:
                return _throttled()
            self._waiting.append(invocation)
            self._changed.notify_all()
        if not invocation.moved.wait(patience):
            self._withdraw(invocation)
        if invocation.environment:
            invocation.done.wait(max(0.0, invocation.deadline - time.time()))
        return invocation.outcome or self._timed_out(invocation)

    def _withdraw(self, invocation: Invocation) -> None:
        with self._changed:
            if invocation in self._waiting:
                self._waiting.remove(invocation)
                invocation.finish(_throttled())

    def _timed_out(self, invocation: Invocation) -> Outcome:
        message = f"RequestId: {invocation.request_id} Task timed out after {self.timeout:.2f} s"
        outcome = Outcome.failed("Sandbox.Timedout", message, error="Timeout")
        with self._changed:
            invocation.finish(outcome)
            if invocation.environment and invocation.environment.current is invocation:
                invocation.environment.kill()
        return invocation.outcome or outcome

    # --- the environment's side

    def take(
        self, state: EnvironmentState, generation: int, is_connected: Callable[[], bool]
    ) -> Invocation | None:
        """Wait for the next event; None when the process that asks is gone."""
        with self._changed:
            if state.generation != generation or not is_connected():
                return None
            state.polling, state.init_failed = True, False
            if state.current:
                state.current.finish(_exited("the environment asked for the next event"))
                state.current = None
            while not self._waiting:
                self._changed.wait(1.0)
                if state.generation != generation or not is_connected():
                    return None
            if state.generation != generation or not is_connected():
                self._changed.notify()
                return None
            invocation = self._waiting.popleft()
            invocation.taken_by(state, time.time() + self.timeout)
            state.current = invocation
            return invocation

    def finish(self, state: EnvironmentState, request_id: str, outcome: Outcome) -> bool:
        """False when the environment does not hold that invocation."""
        with self._changed:
            invocation = state.current
            if invocation is None or invocation.request_id != request_id:
                return False
            state.current = None
        invocation.finish(outcome)
        return True

    def init_failed(self, state: EnvironmentState, outcome: Outcome) -> None:
        """An environment could not load the function; nobody waits for one that never comes."""
        with self._changed:
            state.init_failed, self._init_error = True, outcome
            if all(e.init_failed for e in self._environments):
                for invocation in self._waiting:
                    invocation.finish(outcome)
                self._waiting.clear()

    def ended(self, state: EnvironmentState) -> None:
        """The process of an environment ended: what it was doing failed."""
        with self._changed:
            state.generation += 1
            state.polling = False
            invocation, state.current = state.current, None
            self._changed.notify_all()
        if invocation:
            invocation.finish(_exited("the environment ended"))


def _exited(how: str) -> Outcome:
    return Outcome.failed("Runtime.ExitError", f"{how} before it answered")


def _throttled() -> Outcome:
    return Outcome.failed("TooManyRequestsException", "Rate exceeded", error="Throttled")
