"""Percentiles, the line through a worker's memory, and the gate on it."""

import random
from fractions import Fraction

import pytest

from scripts.load.closed_loop import marks
from scripts.load.figures import LEAST_TURNS_FOR_MEMORY, Memory, percentile, slope


def grown(by_turn: float, *, turns: int = 8000, start: float = 70_000, step: float = 0.0) -> Memory:
    """A worker's memory that grows by so many kilobytes a turn, and once by `step` within the first quarter."""
    points = [
        (t, start + by_turn * t + (step if t else 0)) for t in range(0, turns + 1, turns // 40)
    ]
    return Memory("chat-1", points)


@pytest.mark.parametrize(
    ("share", "value"), [(0.0, 1), (0.5, 50), (0.95, 95), (0.99, 99), (1.0, 100)]
)
def test_a_percentile_is_the_smallest_value_that_so_much_is_not_above(share, value):
    values = list(range(1, 101))
    random.Random(1).shuffle(values)
    assert percentile(values, share) == value


def test_the_99th_percentile_of_few_values_is_the_largest():
    assert percentile([3.0, 1.0, 2.0], 0.99) == 3.0
    assert percentile([], 0.5) == 0.0


def test_the_slope_is_that_of_least_squares():
    points = [(0, 1.0), (1, 2.0), (2, 2.0), (5, 7.0)]
    xs, ys = [Fraction(x) for x, _ in points], [Fraction(y) for _, y in points]
    n, sx, sy = len(points), sum(xs), sum(ys)
    exact = (n * sum(x * y for x, y in zip(xs, ys, strict=True)) - sx * sy) / (
        n * sum(x * x for x in xs) - sx * sx
    )
    assert slope(points) == pytest.approx(float(exact))
    assert slope([(1, 5.0)]) == slope([(1, 5.0), (1, 9.0)]) == 0.0


def test_caches_that_fill_up_are_no_leak():
    assert grown(0.05, step=8000).fault() == ""
    filling = [(t, 75_000 + 1.5 * min(t, 5000)) for t in range(0, 8001, 200)]
    assert Memory("chat-1", filling).fault() == ""


def test_a_kilobyte_a_turn_to_the_end_is_a_leak_however_large_the_worker():
    memory = grown(1.2, start=500_000)
    assert memory.growth < 0.10
    assert memory.fault() == "chat-1: memory grows by 1.20 KB a turn"


def test_a_tenth_more_is_too_much_however_it_came():
    flat = grown(0.0).points
    jumped = [*flat[:-1], (flat[-1][0], flat[-1][1] * 1.11)]
    assert "grew by 11.0%" in Memory("chat-1", jumped).fault()


def test_a_short_run_is_not_judged():
    memory = grown(50.0, turns=LEAST_TURNS_FOR_MEMORY - 40)
    assert not memory.is_judged
    assert memory.fault() == ""


def test_memory_is_told_at_shares_of_the_run():
    memory = grown(1.0, turns=400, start=1000)
    assert [memory.at(share) for share in (0.0, 0.25, 0.5, 1.0)] == [1000, 1100, 1200, 1400]


def test_a_run_is_looked_at_evenly_from_its_start_to_its_end():
    assert marks(1000, 4) == [0, 250, 500, 750, 1000]
