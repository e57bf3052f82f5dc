"""Whether what we depend on answers: each checked at most once in a while, side by side, and never for long."""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.values import frozen
from shopping_agent.errors import ShoppingAgentError

CHECK_SECONDS: Final = 2.0
# A failure is asked again soon, whatever its check costs: what has recovered shall not be called down.
FAILURE_SECONDS: Final = 5.0


@frozen
class Check:
    """How to ask one dependency.

    Attributes:
        ask: raises one of our errors when the dependency is not ready.
        keep_seconds: how long a good answer holds.
        vital: without it the store cannot serve at all.
    """

    ask: Callable[[Deadline], object]
    keep_seconds: float = 5.0
    vital: bool = True


@frozen
class Readiness:
    """One dependency's answer. `milliseconds` is how long it took."""

    ready: bool
    milliseconds: int
    vital: bool


class ReadinessBoard:
    """The last answers of all dependencies."""

    def __init__(
        self, checks: Mapping[str, Check], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._checks = dict(checks)
        self._clock = clock
        self._known: dict[str, tuple[float, Readiness]] = {}

    def read(self, deadline: Deadline) -> dict[str, Readiness]:
        """Every dependency's readiness, asked again where the last answer is too old."""
        now = self._clock()
        due = [name for name, check in self._checks.items() if self._is_due(name, check, now)]
        if due:
            with ThreadPoolExecutor(len(due)) as threads:
                asked = [threads.submit(self._ask, self._checks[n], deadline) for n in due]
                self._known.update({n: (now, a.result()) for n, a in zip(due, asked, strict=True)})
        return {name: self._known[name][1] for name in self._checks}

    def _is_due(self, name: str, check: Check, now: float) -> bool:
        if name not in self._known:
            return True
        asked, answer = self._known[name]
        keep = check.keep_seconds if answer.ready else min(check.keep_seconds, FAILURE_SECONDS)
        return now - asked >= keep

    def _ask(self, check: Check, deadline: Deadline) -> Readiness:
        begun = time.monotonic()
        try:
            check.ask(deadline.capped(CHECK_SECONDS))
            ready = True
        except ShoppingAgentError:
            ready = False
        return Readiness(ready, round((time.monotonic() - begun) * 1000), check.vital)
