"""What an operator is told of the shop's days: numbers and a few texts, nobody's name.

A count's name is a group and a value, `intent:cart`; `turns` and `unanswered` stand alone. Durations are counted in
classes, so that days can be added up and percentiles still be told.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Final, Literal

from shopping_agent.domain.values import frozen

Topic = Literal["searches", "questions"]
"""`searches` that found nothing that meets them, `questions` that the store's texts do not answer."""
TOPICS: Final[tuple[Topic, ...]] = ("searches", "questions")
LONGEST_TEXT: Final = 120
DURATION: Final = "ms"
# Upper ends of the classes of durations, in milliseconds; what takes longer is counted in the last.
CLASSES_MS: Final = (100, 200, 300, 500, 800, 1200, 2000, 3000, 5000, 8000, 12000, 20000, 30000)

Histogram = Mapping[int, int]
"""Upper end of a class in milliseconds -> how many."""


@frozen
class Tally:
    """What one event adds to the statistics of its day.

    Attributes:
        counts: by name, see above.
        texts: what a shopper wrote, ready to be kept.
    """

    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    texts: Mapping[Topic, str] = field(default_factory=dict[Topic, str])


@frozen
class Day:
    """The statistics of one day (UTC).

    Attributes:
        date: `2026-12-01`.
        texts: with how often each came, most frequent first.
        revenue: orders that the assistant led to: amounts in minor units by currency, and how many by `<currency>:orders`.
    """

    date: str
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    texts: Mapping[Topic, tuple[tuple[str, int], ...]] = field(
        default_factory=dict[Topic, tuple[tuple[str, int], ...]]
    )
    revenue: Mapping[str, int] = field(default_factory=dict[str, int])

    def group(self, name: str) -> dict[str, int]:
        """The counts of a group by their values."""
        start = f"{name}:"
        return {n.removeprefix(start): c for n, c in self.counts.items() if n.startswith(start)}


def whole(days: Iterable[Day], *, most_texts: int) -> Day:
    """Several days as one, without a date."""
    days = tuple(days)
    counts, revenue = Counter[str](), Counter[str]()
    texts: dict[Topic, Counter[str]] = {topic: Counter() for topic in TOPICS}
    for day in days:
        counts.update(day.counts)
        revenue.update(day.revenue)
        for topic, found in day.texts.items():
            texts[topic].update(dict(found))
    return Day(
        "",
        dict(counts),
        {topic: tuple(found.most_common(most_texts)) for topic, found in texts.items()},
        dict(revenue),
    )


def brief(text: str) -> str:
    """A text on one line, cut where it gets long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_TEXT else f"{line[: LONGEST_TEXT - 1]}…"


def duration_class(milliseconds: float) -> int:
    """The upper end of the class that a duration counts in."""
    return next((end for end in CLASSES_MS if milliseconds <= end), CLASSES_MS[-1])


def percentile(durations: Histogram, share: float) -> float | None:
    """The duration, in milliseconds, that a share of them does not exceed: interpolated within its class; None of none.

    Args:
        share: 0.95 for the 95th percentile.
    """
    total = sum(durations.values())
    wanted, below, start = share * total, 0, 0
    for end in CLASSES_MS:
        count = durations.get(end, 0)
        if count and below + count >= wanted:
            return start + (end - start) * (wanted - below) / count
        below, start = below + count, end
    return None if total == 0 else float(CLASSES_MS[-1])
