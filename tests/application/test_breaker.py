"""The circuit breaker: what opens it and for how long, one trial at a time, and what it is blind to."""

import threading

import pytest
from shopping_agent.application.breaker import Breaker
from shopping_agent.errors import LanguageModelError, LanguageModelFault


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock) -> Breaker:
    return Breaker(clock=clock)


def error(kind: LanguageModelFault, retry_after: float | None = None) -> LanguageModelError:
    return LanguageModelError(kind, "no", retry_after=retry_after)


def test_a_provider_that_nothing_is_known_of_may_be_asked(breaker) -> None:
    assert breaker.admits("p")
    assert breaker.admits("p")
    assert breaker.remaining("p") == 0
    assert breaker.opened_for("p") is None


@pytest.mark.parametrize(
    ("kind", "retry_after", "seconds"),
    [
        ("auth", None, 60),
        ("model_gone", None, 60),
        ("quota_exhausted", None, 60),
        ("quota_exhausted", 5, 60),
        ("quota_exhausted", 300, 300),
        ("quota_exhausted", 86_400, 600),
        ("rate_limited", 20, 20),
        ("rate_limited", None, 5),
        ("rate_limited", 3_600, 600),
        ("timeout", None, 15),
    ],
)
def test_one_such_failure_opens_it_for_as_long_as_it_is_sure_to_last(
    breaker, clock, kind, retry_after, seconds
) -> None:
    assert breaker.failed("p", error(kind, retry_after))
    assert breaker.opened_for("p") == kind
    assert breaker.remaining("p") == seconds
    clock.now += seconds - 0.1
    assert not breaker.admits("p")
    clock.now += 0.1
    assert breaker.admits("p")


@pytest.mark.parametrize("kind", ["overloaded", "connection"])
def test_an_outage_opens_it_at_the_third_failure_in_a_row(breaker, kind) -> None:
    assert not breaker.failed("p", error(kind))
    assert not breaker.failed("p", error(kind))
    assert breaker.admits("p")
    assert breaker.failed("p", error(kind))
    assert not breaker.admits("p")


def test_an_answer_between_them_starts_the_count_anew(breaker) -> None:
    for _ in range(5):
        breaker.failed("p", error("overloaded"))
        breaker.failed("p", error("overloaded"))
        breaker.succeeded("p")
    assert breaker.admits("p")


@pytest.mark.parametrize("kind", ["malformed", "bad_request", "too_large", "content_refused"])
def test_a_reply_that_we_cannot_use_is_an_answer(breaker, kind) -> None:
    for _ in range(5):
        assert not breaker.failed("p", error(kind))
        breaker.failed("p", error("connection"))
    assert breaker.admits("p")


def test_providers_are_judged_apart(breaker) -> None:
    breaker.failed("p", error("auth"))
    assert breaker.admits("q")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("timeout", [15, 30, 60, 60, 60]), ("overloaded", [5, 10, 20, 40, 60])],
)
def test_each_outage_of_a_trial_doubles_the_pause_up_to_a_minute(
    breaker, clock, kind, expected
) -> None:
    pauses = []
    breaker.failed("p", error("connection"))
    breaker.failed("p", error("connection"))
    for _ in range(5):
        assert breaker.admits("p")
        breaker.failed("p", error(kind))
        pauses.append(breaker.remaining("p"))
        clock.now += pauses[-1]
    assert pauses == expected


def test_calls_that_were_under_way_when_it_opened_count_once(breaker) -> None:
    for _ in range(8):
        breaker.failed("p", error("timeout"))
    assert breaker.remaining("p") == 15


def test_after_the_pause_exactly_one_call_tries_it(breaker, clock) -> None:
    breaker.failed("p", error("timeout"))
    clock.now += 15
    assert [breaker.admits("p") for _ in range(3)] == [True, False, False]
    breaker.succeeded("p")
    assert [breaker.admits("p") for _ in range(3)] == [True, True, True]


def test_a_trial_that_could_not_be_made_leaves_its_place(breaker, clock) -> None:
    breaker.failed("p", error("timeout"))
    clock.now += 15
    assert breaker.admits("p")
    breaker.released("p")
    assert breaker.admits("p")


def test_a_trial_that_never_ends_is_given_up(breaker, clock) -> None:
    breaker.failed("p", error("timeout"))
    clock.now += 15
    assert breaker.admits("p")
    clock.now += 31
    assert breaker.admits("p")


def test_a_trial_that_is_answered_badly_closes_it(breaker, clock) -> None:
    breaker.failed("p", error("timeout"))
    clock.now += 15
    assert breaker.admits("p")
    breaker.failed("p", error("malformed"))
    assert breaker.opened_for("p") is None


def test_of_many_threads_one_gets_the_trial(breaker, clock) -> None:
    for _ in range(20):
        breaker.failed("p", error("rate_limited", 1))
        clock.now += 1
        admitted, start = [], threading.Barrier(8)

        def ask(admitted=admitted, start=start) -> None:
            start.wait()
            admitted.append(breaker.admits("p"))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(admitted) == [False] * 7 + [True]


def test_one_that_is_off_never_opens(clock) -> None:
    breaker = Breaker(enabled=False, clock=clock)
    for kind in ("auth", "timeout", "rate_limited", "overloaded"):
        for _ in range(5):
            assert not breaker.failed("p", error(kind, 99))
    assert breaker.admits("p")
    assert breaker.remaining("p") == 0


def test_a_client_is_told_the_providers_own_wait_though_we_may_try_it_sooner(
    breaker, clock
) -> None:
    breaker.failed("p", error("quota_exhausted", 86_400))
    clock.now += 100
    assert (breaker.remaining("p"), breaker.wait("p")) == (500, 86_300)
    breaker.failed("q", error("quota_exhausted", 5))
    assert breaker.wait("q") == breaker.remaining("q") == 60
    breaker.succeeded("p")
    assert breaker.wait("p") == 0
