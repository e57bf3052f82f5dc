"""Statistics on a real Redis: what a turn adds comes back, each day by itself, and only for a while."""

from datetime import UTC, datetime
from typing import Any

import pytest
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.adapters.redis.keys import REVENUE, STATISTICS
from shopping_agent.adapters.redis.statistics import MOST_REPORTS, MOST_TEXTS, RedisStatistics
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.statistics import Tally
from shopping_agent.errors import StateUnavailableError

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC).timestamp()
DAY = 24 * 3600


class Clock:
    now = NOON

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def statistics(connection: RedisConnection, clock: Clock) -> RedisStatistics:
    return RedisStatistics(connection=connection, clock=clock)


def soon() -> Deadline:
    return Deadline.after(5)


def test_a_quiet_shop_has_empty_days(statistics: RedisStatistics) -> None:
    days = statistics.days(3, soon())
    assert [day.date for day in days] == ["2026-11-29", "2026-11-30", "2026-12-01"]
    assert all(not day.counts and not day.revenue for day in days)
    assert all(set(day.texts.values()) == {()} for day in days)


def test_counts_and_texts_add_up_on_their_day(statistics: RedisStatistics, clock: Clock) -> None:
    statistics.add(Tally({"turns": 1, "intent:cart": 1}, {"searches": "oud"}), soon())
    statistics.add(Tally({"turns": 1}, {"searches": "oud", "questions": "عندكم؟"}), soon())
    clock.now += DAY
    statistics.add(Tally({"turns": 5}), soon())
    yesterday, today = statistics.days(2, soon())
    assert yesterday.counts == {"turns": 2, "intent:cart": 1}
    assert yesterday.texts == {"searches": (("oud", 2),), "questions": (("عندكم؟", 1),)}
    assert today.counts == {"turns": 5}


def test_the_rarest_texts_give_way(statistics: RedisStatistics) -> None:
    for _ in range(2):
        statistics.add(Tally({}, {"searches": "kept"}), soon())
    for n in range(MOST_TEXTS + 5):
        statistics.add(Tally({}, {"searches": f"text {n}"}), soon())
    (today,) = statistics.days(1, soon())
    assert len(today.texts["searches"]) == MOST_TEXTS
    assert today.texts["searches"][0] == ("kept", 2)


def test_days_end_by_themselves(statistics: RedisStatistics, connection: RedisConnection) -> None:
    statistics.add(Tally({"turns": 1}, {"searches": "oud", "questions": "why"}), soon())
    for parts in (("2026-12-01",), ("2026-12-01", "searches"), ("2026-12-01", "questions")):
        left = connection.run(["TTL", STATISTICS.key(connection, *parts)], soon())
        assert 0 < left <= (STATISTICS.seconds or 0)


def test_revenue_comes_with_its_day(
    statistics: RedisStatistics, connection: RedisConnection
) -> None:
    key = REVENUE.key(connection, "2026-12-01")
    connection.run(["HSET", key, "MAD", 69000, "MAD:orders", 1], soon())
    (today,) = statistics.days(1, soon())
    assert today.revenue == {"MAD": 69000, "MAD:orders": 1}


def report(source: str, at: str) -> dict[str, Any]:
    return {"source": source, "startedAt": at, "status": "applied"}


def test_the_last_report_of_each_file_comes_newest_first(statistics: RedisStatistics) -> None:
    statistics.keep_report("a", report("a", "2026-12-01T08:00"), soon())
    statistics.keep_report("b", report("b", "2026-12-01T09:00"), soon())
    statistics.keep_report("a", report("a", "2026-12-01T10:00"), soon())
    assert [r["startedAt"][11:] for r in statistics.reports(soon())] == ["10:00", "09:00"]


def test_reports_of_many_files_stay_bounded(statistics: RedisStatistics) -> None:
    for n in range(MOST_REPORTS + 3):
        statistics.keep_report(f"f{n}", report(f"f{n}", "2026"), soon())
    statistics.keep_report("f0", report("f0", "2027"), soon())
    reports = statistics.reports(soon())
    assert len(reports) == MOST_REPORTS
    assert reports[0]["source"] == "f0"


@pytest.mark.parametrize("part", [(), ("searches",)])
def test_what_is_no_statistics_is_told(
    statistics: RedisStatistics, connection: RedisConnection, part: tuple[str, ...]
) -> None:
    connection.run(["SET", STATISTICS.key(connection, "2026-12-01", *part), "x"], soon())
    with pytest.raises(StateUnavailableError):
        statistics.days(1, soon())
