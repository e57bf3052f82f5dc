"""What a check found, and running checks side by side: one that hangs is told as one that hangs."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from shopping_agent.errors import ShoppingAgentError

from functions.local.cli import shown

LONGEST = 500
Status = Literal["ok", "warn", "fail", "not checked"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's report. `fix` says what to do; empty where nothing is to be done."""

    check: str
    status: Status
    message: str
    fix: str = ""


class NotCheckedError(Exception):
    """A check cannot be made; the message says what it needs."""


@dataclass(frozen=True, slots=True)
class Check:
    """A named question. `ask` yields (status, message, fix), one for each thing that it looked at.

    Attributes:
        fix: what to do where `ask` raises or does not end.
    """

    name: str
    ask: Callable[[], Iterator[tuple[Status, str, str]]]
    fix: str


def run_all(checks: Sequence[Check], seconds: float) -> list[Finding]:
    """The findings of all checks, in their order; each has so many seconds, all at once."""
    running = [_Running(check) for check in checks]
    for one in running:
        one.thread.start()
    until = time.monotonic() + seconds
    for one in running:
        one.thread.join(max(0.0, until - time.monotonic()))
    return [finding for one in running for finding in one.findings(seconds)]


class _Running:
    """A check in a thread of its own, which nobody waits for when the process ends."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._found: list[Finding] = []
        self._done = False
        self.thread = threading.Thread(target=self._run, name=check.name, daemon=True)

    def findings(self, seconds: float) -> list[Finding]:
        if self._done:
            return self._found
        late = f"no answer after {seconds:.0f} s"
        return [*self._found, Finding(self._check.name, "fail", late, self._check.fix)]

    def _run(self) -> None:
        try:
            for status, message, fix in self._check.ask():
                self._add(status, message, fix)
        except NotCheckedError as error:
            self._add("not checked", f"needs {error}", "")
        except ShoppingAgentError as error:
            self._add("fail", str(error), self._check.fix)
        except Exception as error:  # noqa: BLE001  (what it looks at may answer anything; its words may hold anything)
            self._add("fail", f"unexpected: {type(error).__name__}", self._check.fix)
        self._done = True

    def _add(self, status: Status, message: str, fix: str) -> None:
        # What a dependency answers is nobody's friend: one line, of bearable length.
        message = shown(" ".join(message.split()))[:LONGEST]
        self._found.append(Finding(self._check.name, status, message, fix))
