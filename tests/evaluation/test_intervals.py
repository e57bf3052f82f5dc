"""Metrics and their intervals."""

from collections import Counter

import pytest

from evaluation.intervals import f1, figure, macro_f1, metric, share


def test_the_same_rows_give_the_same_interval_around_their_value() -> None:
    rows = [(1, 1)] * 30 + [(0, 1)] * 10
    one, two = figure(list(rows), share), figure(list(rows), share)
    assert one == two
    assert one is not None
    assert one.low < one.value == 0.75 < one.high
    assert one.rows == 40


def test_more_rows_give_a_narrower_interval() -> None:
    few = figure([(1, 1), (1, 1), (1, 1), (0, 1)] * 5, share)
    many = figure([(1, 1), (1, 1), (1, 1), (0, 1)] * 100, share)
    assert few is not None
    assert many is not None
    assert many.high - many.low < few.high - few.low


def test_rows_without_an_error_still_leave_doubt_and_fewer_leave_more() -> None:
    ten, hundred = figure([(0, 1)] * 10, share), figure([(0, 1)] * 100, share)
    assert ten is not None
    assert hundred is not None
    assert (ten.low, ten.high) == (0.0, pytest.approx(0.3085, abs=1e-4))
    assert hundred.high == pytest.approx(0.0362, abs=1e-4)


def test_rows_in_which_nothing_was_judged_do_not_count() -> None:
    found = figure([(1, 1)] * 10 + [(0, 0)] * 90, share)
    assert found is not None
    assert found.rows == 10
    assert figure([(0, 0)] * 9, share) is None


def test_f1_counts_what_is_wrong_and_what_is_missed() -> None:
    assert f1(Counter({(1, 0, 0): 6, (0, 1, 1): 2})) == pytest.approx(0.75)
    assert f1(Counter({(0, 0, 0): 6})) is None


def test_macro_f1_gives_every_label_the_same_weight() -> None:
    rows = Counter({("cart", "cart"): 98, ("general", "cart"): 1, ("general", "general"): 1})
    assert macro_f1(rows) == pytest.approx((2 * 98 / 197 + 2 / 3) / 2)


def test_a_metric_is_pooled_and_by_language() -> None:
    rows = [("en", (1, 1)), ("en", (0, 1)), ("ar", (1, 1))]
    measured = metric("x.y", "x", rows, share)
    assert measured.pooled
    assert measured.pooled.value == pytest.approx(2 / 3)
    assert {k: v.value for k, v in measured.languages.items() if v} == {"en": 0.5, "ar": 1.0}
