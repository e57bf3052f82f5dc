"""Calls that end in time even when what they call does not: each runs in a thread that may be left behind."""

import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Final, Generic, TypeVar

from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import DeadlineExceededError

_T = TypeVar("_T")

_MOST_FREE: Final = 8


class _Worker:
    """A thread that runs one call after another; starting one for each would cost more than most calls."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def take(self, call: Callable[[], None]) -> None:
        self._calls.put(call)

    def _work(self) -> None:
        while True:
            self._calls.get()()
            if len(_free) >= _MOST_FREE:
                return
            _free.append(self)


# Those whose call hangs are missing here until it ends.
_free: list[_Worker] = []


def _free_worker() -> _Worker:
    try:
        return _free.pop()
    except IndexError:
        return _Worker()


class _Job(Generic[_T]):
    """One call and what became of it."""

    def __init__(self, work: Callable[[], _T]) -> None:
        self._work = work
        self._done = threading.Event()
        self._value: list[_T] = []
        self._error: BaseException | None = None
        _free_worker().take(partial(copy_context().run, self._run))

    def _run(self) -> None:
        try:
            self._value.append(self._work())
        except BaseException as error:  # noqa: BLE001  (handed to the waiting thread)
            self._error = error
        finally:
            self._done.set()

    def result(self, deadline: Deadline) -> _T:
        if not self._done.wait(deadline.remaining()):
            raise DeadlineExceededError("a call did not end in its time")
        if self._error is not None:
            raise self._error
        return self._value[0]


def aside(work: Callable[[], None]) -> None:
    """Run `work`, which raises nothing, beside the caller, who does not wait for it."""
    _free_worker().take(partial(copy_context().run, work))


def within(work: Callable[[], _T], deadline: Deadline) -> _T:
    """The result of `work`, or `DeadlineExceededError` at the deadline: adapters keep their own time, this is the net below
    them (a name look-up or a lock can outlast every socket timeout)."""
    deadline.check()
    return _Job(work).result(deadline)


def all_within(
    works: Sequence[Callable[[], _T]], deadline: Deadline
) -> list[_T | DeadlineExceededError]:
    """The results of a few independent calls run side by side, in their order; a late one is its error."""
    jobs = [_Job(work) for work in works]
    results: list[_T | DeadlineExceededError] = []
    for job in jobs:
        try:
            results.append(job.result(deadline))
        except DeadlineExceededError as error:
            results.append(error)
    return results
