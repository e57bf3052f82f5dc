"""What a run comes to: percentiles, the line through a worker's memory, and whether that line is flat."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LEAST_TURNS_FOR_MEMORY: Final = 4000
"""Of a worker. Until then caches of words and texts, each of a bounded size, are still filling: there is nothing to judge."""
SETTLED: Final = 0.25
MOST_GROWTH: Final = 0.10
"""Of the memory at `SETTLED` of the run, until its end."""
LAST: Final = 0.75
MOST_SLOPE_KB: Final = 1.0
"""Kilobytes a turn of a worker, after `LAST` of the run: a leak of one small object a turn is more."""


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that so much of all is not above (nearest rank); 0 of nothing."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Of the straight line that is nearest to the points (least squares); 0 where there is no line."""
    count = len(points)
    if count < 2:
        return 0.0
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    if spread == 0:
        return 0.0
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


@dataclass(frozen=True)
class Memory:
    """A worker's memory over a run.

    Attributes:
        points: (turns of this worker, resident kilobytes), from the first turn to the last.
    """

    worker: str
    points: Sequence[tuple[float, float]]

    @property
    def turns(self) -> float:
        return self.points[-1][0] if self.points else 0.0

    def after(self, share: float) -> Sequence[tuple[float, float]]:
        """The points since so much of the run was done."""
        return [(x, y) for x, y in self.points if x >= share * self.turns]

    @property
    def slope_kb(self) -> float:
        """Kilobytes a turn in the end."""
        return slope(self.after(LAST))

    @property
    def growth(self) -> float:
        """Share that was added after the first quarter."""
        held = self.after(SETTLED)
        return held[-1][1] / held[0][1] - 1.0 if held and held[0][1] else 0.0

    @property
    def is_judged(self) -> bool:
        return self.turns >= LEAST_TURNS_FOR_MEMORY

    def at(self, share: float) -> float:
        """Kilobytes when so much of the run was done."""
        reached = [y for x, y in self.points if x <= share * self.turns + 0.5]
        return reached[-1] if reached else 0.0

    def fault(self) -> str:
        """What is wrong; "" when it is flat, or too short to tell."""
        if not self.is_judged:
            return ""
        if self.growth >= MOST_GROWTH:
            return f"{self.worker}: memory grew by {self.growth:.1%} after the first quarter"
        if self.slope_kb >= MOST_SLOPE_KB:
            return f"{self.worker}: memory grows by {self.slope_kb:.2f} KB a turn"
        return ""
