"""Numbers of days: added up, and told as percentiles."""

from hypothesis import given
from hypothesis import strategies as st
from shopping_agent.domain.statistics import (
    CLASSES_MS,
    LONGEST_TEXT,
    Day,
    brief,
    duration_class,
    percentile,
    whole,
)


def test_a_group_has_its_own_counts_by_value() -> None:
    day = Day("2026-12-01", {"intent:cart": 2, "intent:general": 1, "turns": 3, "intents": 9})
    assert day.group("intent") == {"cart": 2, "general": 1}


def test_days_add_up_and_the_most_frequent_texts_come_first() -> None:
    monday = Day("a", {"turns": 2}, {"searches": (("oud", 2), ("rose", 1))}, {"MAD": 500})
    tuesday = Day("b", {"turns": 1, "x": 1}, {"searches": (("rose", 4),)}, {"MAD": 100, "EUR": 7})
    total = whole([monday, tuesday], most_texts=1)
    assert total.counts == {"turns": 3, "x": 1}
    assert total.texts["searches"] == (("rose", 5),)
    assert total.texts["questions"] == ()
    assert total.revenue == {"MAD": 600, "EUR": 7}


def test_nothing_has_no_percentile() -> None:
    assert percentile({}, 0.5) is None


def test_a_percentile_lies_where_its_share_is_reached() -> None:
    durations = {100: 50, 200: 50}
    assert percentile(durations, 0.25) == 50
    assert percentile(durations, 0.5) == 100
    assert percentile(durations, 0.75) == 150
    assert percentile(durations, 1.0) == 200


def test_what_takes_longer_than_all_classes_counts_in_the_last() -> None:
    assert duration_class(10 * CLASSES_MS[-1]) == CLASSES_MS[-1]
    assert duration_class(0) == CLASSES_MS[0]


@given(
    st.lists(st.floats(min_value=0, max_value=CLASSES_MS[-1]), min_size=1, max_size=200),
    st.sampled_from([0.5, 0.9, 0.95, 0.99]),
)
def test_a_percentile_is_in_the_class_of_the_true_one(values: list[float], share: float) -> None:
    histogram: dict[int, int] = {}
    for value in values:
        end = duration_class(value)
        histogram[end] = histogram.get(end, 0) + 1
    ordered = sorted(values)
    needed = next(n for n in range(1, len(ordered) + 1) if n >= share * len(ordered))
    told = percentile(histogram, share)
    assert told is not None
    assert duration_class(told) == duration_class(ordered[needed - 1])


def test_a_text_is_one_short_line() -> None:
    assert brief("  rose\n\n and\toud ") == "rose and oud"
    assert len(brief("x" * 1000)) == LONGEST_TEXT
