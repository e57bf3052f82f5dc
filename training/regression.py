"""Multinomial logistic regression on sparse rows, in numpy: full-batch Adam, the same on every run."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shopping_agent.domain.understanding.classifier import INTENTS
from shopping_agent.domain.understanding.signals import BUCKETS, Signals

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_STEPS = 150
_RATE = 0.12
_SLOWER = 0.3  # the last part of the way, in smaller steps
_SLOW_FROM = 0.6


@dataclass(frozen=True)
class Rows:
    """Messages as one sparse matrix: buckets and values of row `i` stand from `starts[i]` on."""

    buckets: Integers
    values: Floats
    starts: Integers

    @classmethod
    def of(cls, messages: Sequence[Signals]) -> "Rows":
        """Rows whose groups weigh the same however many signals they hold, as the classifier reads them."""
        buckets: list[int] = []
        values: list[float] = []
        starts: list[int] = []
        for message in messages:
            starts.append(len(buckets))
            for group in message.groups:
                buckets += sorted(group)
                values += [max(1, len(group)) ** -0.5] * len(group)
        return cls(np.array(buckets), np.array(values), np.array(starts))


@dataclass(frozen=True)
class Model:
    """Weights (intents x buckets) and bias of each intent."""

    weights: Floats
    bias: Floats

    def logits(self, rows: Rows) -> Floats:
        """Scores (messages x intents)."""
        sums = [np.add.reduceat(w[rows.buckets] * rows.values, rows.starts) for w in self.weights]
        return np.stack(sums, axis=1) + self.bias


def softmax(logits: Floats) -> Floats:
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


def fit(rows: Rows, labels: Integers, importance: Floats, l2: float) -> Model:
    """Weights that fit the labels.

    Args:
        labels: index of the intent of each row.
        importance: of each row.
        l2: how much large weights cost.
    """
    count = len(INTENTS)
    shape = (count, BUCKETS + 1)  # the last column is the bias
    learned = np.zeros(shape)
    mean, square = np.zeros(shape), np.zeros(shape)
    row_of = np.repeat(np.arange(len(labels)), np.diff(np.append(rows.starts, len(rows.buckets))))
    target = np.eye(count)[labels]
    share = (importance / importance.sum())[:, None]
    for step in range(1, _STEPS + 1):
        model = Model(learned[:, :-1], learned[:, -1])
        error = (softmax(model.logits(rows)) - target) * share
        gradient = np.empty(shape)
        for i in range(count):
            each = error[row_of, i] * rows.values
            gradient[i, :-1] = np.bincount(rows.buckets, weights=each, minlength=BUCKETS)
        gradient[:, :-1] += l2 * learned[:, :-1]
        gradient[:, -1] = error.sum(axis=0)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        rate = _RATE * (_SLOWER if step > _STEPS * _SLOW_FROM else 1)
        learned -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return Model(learned[:, :-1], learned[:, -1])


def temperature(logits: Floats, labels: Integers) -> float:
    """What to divide unseen logits by so that probabilities mean what they say (lowest cross-entropy)."""
    candidates = np.arange(0.5, 2.51, 0.02)
    losses = [
        -np.log(softmax(logits / t)[np.arange(len(labels)), labels]).mean() for t in candidates
    ]
    return round(float(candidates[int(np.argmin(losses))]), 2)
