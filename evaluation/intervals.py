"""Metrics with 95 % intervals, pooled and by language. The bootstrap's seed is fixed: the same rows give the same interval."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

RESAMPLES = 1000
SEED = 20261130
ALPHA = 0.05
Row = tuple[Any, ...]
Statistic = Callable[[Mapping[Row, int]], float | None]


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its interval, of `rows` independent ones."""

    value: float
    low: float
    high: float
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """What was measured.

    Attributes:
        name: as in the thresholds, `set.what`.
        better: whether high or low values are.
        pooled: over all languages; None when nothing was judged.
    """

    name: str
    title: str
    better: Literal["high", "low"]
    pooled: Figure | None
    languages: Mapping[str, Figure | None]


def metric(
    name: str,
    title: str,
    rows: Iterable[tuple[str, Row]],
    statistic: Statistic,
    *,
    better: Literal["high", "low"] = "high",
) -> Metric:
    """Measure rows, each with its language. Rows are what is resampled: a conversation, a message, a draft."""
    by_language: dict[str, list[Row]] = {}
    for language, row in rows:
        by_language.setdefault(language, []).append(row)
    pooled = [row for group in by_language.values() for row in group]
    return Metric(
        name=name,
        title=title,
        better=better,
        pooled=figure(pooled, statistic),
        languages={language: figure(group, statistic) for language, group in by_language.items()},
    )


def figure(rows: list[Row], statistic: Statistic) -> Figure | None:
    """The statistic with its percentile bootstrap interval.

    Rows that are all alike would give an interval without width. A share of 0 or 1 then has the exact (Clopper-Pearson)
    bound of that many rows.
    """
    rows = [row for row in rows if any(row)]  # where nothing was judged, nothing can vary
    value = statistic(Counter(rows))
    if value is None:
        return None
    if value in (0.0, 1.0):
        reach = 1 - (ALPHA / 2) ** (1 / len(rows))
        return Figure(value, max(0.0, value - reach), min(1.0, value + reach), len(rows))
    draw = random.Random(SEED)
    drawn = (statistic(Counter(draw.choices(rows, k=len(rows)))) for _ in range(RESAMPLES))
    values = sorted(v for v in drawn if v is not None)
    cut = int(len(values) * ALPHA / 2)
    return Figure(value, values[cut], values[-1 - cut], len(rows))


def share(rows: Mapping[Row, int]) -> float | None:
    """Of rows (held, judged): how much of what was judged held."""
    judged = sum(int(row[1]) * n for row, n in rows.items())
    return sum(int(row[0]) * n for row, n in rows.items()) / judged if judged else None


def f1(rows: Mapping[Row, int]) -> float | None:
    """Micro F1 of rows (right, wrongly found, missed)."""
    right, wrong, missed = (sum(int(row[i]) * n for row, n in rows.items()) for i in range(3))
    total = 2 * right + wrong + missed
    return 2 * right / total if total else None


def macro_f1(rows: Mapping[Row, int]) -> float | None:
    """Mean F1 of the labels that occur, of rows (label, predicted)."""
    labels = sorted({row[0] for row in rows})
    if not labels:
        return None
    scores: list[float] = []
    for label in labels:
        right = sum(n for row, n in rows.items() if row == (label, label))
        said = sum(n for row, n in rows.items() if row[1] == label)
        meant = sum(n for row, n in rows.items() if row[0] == label)
        scores.append(2 * right / (said + meant))
    return sum(scores) / len(scores)
