import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from shopping_agent.http.deadline import MARGIN_SECONDS, request_deadline


def remaining(event: Callable[[], dict], context, budget: float) -> float:
    return request_deadline(event(), context, budget).remaining()


def lambda_context(milliseconds: int):
    return SimpleNamespace(get_remaining_time_in_millis=lambda: milliseconds)


def gateway_event(seconds_ago: float) -> Callable[[], dict]:
    return lambda: {"requestContext": {"timeEpoch": (time.time() - seconds_ago) * 1000}}


@pytest.mark.parametrize(
    ("event", "context", "budget", "expected"),
    [
        (dict, None, 25, 25),
        (dict, lambda_context(8_000), 25, 8),
        (gateway_event(20), lambda_context(30_000), 25, 9),
        (gateway_event(1), lambda_context(30_000), 5, 5),
        (gateway_event(3600), None, 25, 25),
        (gateway_event(-3600), None, 25, 25),
        (lambda: {"requestContext": {"timeEpoch": "soon"}}, None, 25, 25),
        (lambda: {"requestContext": None}, None, 25, 25),
    ],
)
def test_the_earliest_of_gateway_lambda_and_budget_counts(event, context, budget, expected) -> None:
    assert remaining(event, context, budget) == pytest.approx(expected - MARGIN_SECONDS, abs=0.1)


def test_some_time_is_always_left_to_answer() -> None:
    assert remaining(dict, lambda_context(1), 25) > 0
