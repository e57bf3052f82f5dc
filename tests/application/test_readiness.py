import time

from shopping_agent.application.readiness import Check, ReadinessBoard
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import IndexUnavailableError


class Dependency:
    """Counts how often it is asked; fails while it is down."""

    def __init__(self, *, down: bool = False, seconds: float = 0.0) -> None:
        self.down = down
        self.seconds = seconds
        self.asked: list[Deadline] = []

    def __call__(self, deadline: Deadline) -> None:
        self.asked.append(deadline)
        time.sleep(self.seconds)
        if self.down:
            raise IndexUnavailableError("down")


def test_each_dependency_answers_for_itself() -> None:
    board = ReadinessBoard(
        {"up": Check(Dependency()), "down": Check(Dependency(down=True), vital=False)}
    )
    answers = board.read(Deadline.after(5))
    assert {name: answer.ready for name, answer in answers.items()} == {"up": True, "down": False}
    assert {name: answer.vital for name, answer in answers.items()} == {"up": True, "down": False}


def test_an_answer_holds_for_a_while_and_is_then_asked_anew() -> None:
    now = [100.0]
    dependency = Dependency(down=True)
    board = ReadinessBoard({"x": Check(dependency, keep_seconds=5)}, clock=lambda: now[0])
    board.read(Deadline.after(5))
    dependency.down = False
    now[0] = 104.9
    assert not board.read(Deadline.after(5))["x"].ready
    now[0] = 105.0
    assert board.read(Deadline.after(5))["x"].ready
    assert len(dependency.asked) == 2


def test_a_failure_is_asked_again_soon_although_a_good_answer_is_kept_long() -> None:
    now = [100.0]
    dependency = Dependency(down=True)
    board = ReadinessBoard({"x": Check(dependency, keep_seconds=60)}, clock=lambda: now[0])
    board.read(Deadline.after(5))
    dependency.down = False
    now[0] = 105.0
    assert board.read(Deadline.after(5))["x"].ready
    now[0] = 164.9
    assert board.read(Deadline.after(5))["x"].ready
    assert len(dependency.asked) == 2


def test_dependencies_are_asked_side_by_side_and_not_for_long() -> None:
    slow = {name: Dependency(seconds=0.2) for name in "abc"}
    board = ReadinessBoard({name: Check(one) for name, one in slow.items()})
    begun = time.monotonic()
    answers = board.read(Deadline.after(60))
    assert time.monotonic() - begun < 0.5
    assert all(one.asked[0].remaining() <= 2.0 for one in slow.values())
    assert all(answer.milliseconds >= 190 for answer in answers.values())
