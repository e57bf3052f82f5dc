"""nDCG@10 and recall@10 of ranked answers, with bootstrap intervals; two systems are compared query by query."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from evaluation.intervals import ALPHA, RESAMPLES, SEED
from evaluation.retrieval_sets import JudgedQuery

CUT: Final = 10
Measure = Callable[[JudgedQuery, Sequence[str]], float]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its 95 % interval."""

    value: float
    low: float
    high: float


def ndcg(query: JudgedQuery, ranked: Sequence[str]) -> float:
    """Järvelin and Kekäläinen (2002), with the gains as they are and log2 discounts."""
    best = sorted(query.gains.values(), reverse=True)[:CUT]
    ideal = _dcg(best)
    return _dcg([query.gains.get(key, 0.0) for key in ranked[:CUT]]) / ideal if ideal else 0.0


def recall(query: JudgedQuery, ranked: Sequence[str]) -> float:
    """The share of the relevant products among ten; of more than ten relevant ones, ten are all that fit."""
    relevant = query.relevant
    found = sum(key in relevant for key in ranked[:CUT])
    return found / min(CUT, len(relevant)) if relevant else 0.0


MEASURES: Final[dict[str, Measure]] = {"nDCG@10": ndcg, "recall@10": recall}


def interval(values: Sequence[float]) -> Interval:
    """Percentile bootstrap over queries; for a difference, `values` are the queries' differences."""
    mean = math.fsum(values) / len(values)
    draw = random.Random(SEED)
    means = sorted(
        math.fsum(draw.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES)
    )
    cut = int(RESAMPLES * ALPHA / 2)
    return Interval(mean, means[cut], means[-1 - cut])


def _dcg(gains: Sequence[float]) -> float:
    return math.fsum(gain / math.log2(place + 2) for place, gain in enumerate(gains))
