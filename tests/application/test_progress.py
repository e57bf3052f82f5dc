"""What a turn tells while it runs: each kind once in a row, never in the turn's way, whatever becomes of the writing."""

import threading
from collections.abc import Callable, Sequence

import pytest
from shopping_agent.application import progress as progress_module
from shopping_agent.application.progress import Progress
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.progress import StepKind, TurnStep
from shopping_agent.errors import StateUnavailableError

SHOPPER = Shopper("g_1", "g_1", "guest")


def wait_for(event: threading.Event) -> None:
    event.wait(5)


class Kept:
    """A store of steps that may hang or fail."""

    def __init__(self, before: Callable[[], None] = lambda: None) -> None:
        self.writes: list[tuple[list[StepKind], bool]] = []
        self._before = before

    def add(
        self,
        shopper: Shopper,
        turn_id: str,
        steps: Sequence[TurnStep],
        *,
        done: bool,
        deadline: Deadline,
    ) -> None:
        del shopper, turn_id, deadline
        self._before()
        self.writes.append(([s.kind for s in steps], done))


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may start a thread late."""
    monkeypatch.setattr(progress_module, "END_SECONDS", 4.0)


@pytest.fixture
def telling() -> Callable[[Kept], Progress]:
    return lambda kept: Progress(
        kept,  # pyright: ignore[reportArgumentType]  (the reading side is not used)
        shopper=SHOPPER,
        turn_id="t",
        deadline=Deadline.after(5),
    )


def test_steps_are_told_in_order_and_the_end_last(telling) -> None:
    kept = Kept()
    progress = telling(kept)
    for kind in ("search", "think", "think", "cart"):
        progress.tell(kind)
        progress.settle()
    progress.done()
    progress.settle()
    told = [kind for kinds, _ in kept.writes for kind in kinds]
    assert told == ["search", "think", "cart"]
    assert [done for _, done in kept.writes][-1]


def test_what_happens_during_a_write_goes_into_the_next_one(telling) -> None:
    begun, going = threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        going.wait(5)

    kept = Kept(slow)
    progress = telling(kept)
    progress.tell("search")
    assert begun.wait(5)
    for kind in ("think", "cart", "think"):
        progress.tell(kind)
    going.set()
    progress.settle()
    assert [kinds for kinds, _ in kept.writes] == [["search"], ["think", "cart", "think"]]


def test_a_turn_does_not_wait_for_a_store_that_hangs(
    telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_module, "END_SECONDS", 0.01)
    going = threading.Event()
    kept = Kept(lambda: wait_for(going))
    progress = telling(kept)
    progress.tell("search")
    progress.done()
    progress.settle()
    assert kept.writes == []
    going.set()


def test_a_store_that_fails_is_no_failure_of_the_turn(telling) -> None:
    def down() -> None:
        raise StateUnavailableError("down")

    progress = telling(Kept(down))
    progress.tell("search")
    progress.done()
    progress.settle()


def test_a_turn_that_nobody_watches_writes_nothing() -> None:
    progress = Progress(None, shopper=SHOPPER, turn_id="t", deadline=Deadline.after(5))
    progress.tell("search")
    progress.done()
    progress.settle()


def test_a_turn_that_never_ends_tells_a_bounded_number(telling) -> None:
    kept = Kept()
    progress = telling(kept)
    for _ in range(100):
        progress.tell("search")
        progress.tell("think")
    progress.settle()
    assert sum(len(kinds) for kinds, _ in kept.writes) == 40
