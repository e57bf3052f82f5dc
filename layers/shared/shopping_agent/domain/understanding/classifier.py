"""A small trained classifier: multinomial logistic regression over hashed signals, eight-bit weights, no numpy.

The weights file is written by `training/train_intents.py` and read once, in milliseconds.
"""

import json
import math
import os
from binascii import a2b_base64
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from shopping_agent.domain.intent import Intent
from shopping_agent.domain.understanding.signals import BUCKETS, Signals
from shopping_agent.domain.values import frozen_by_identity

INTENTS: Final[tuple[Intent, ...]] = ("knowledge", "cart", "recommendation", "general")
# Without pathlib, which takes 2 ms to import.
WEIGHTS: Final = os.path.join(os.path.dirname(__file__), "intent_weights.json")


@frozen_by_identity
class Classifier:
    """Linear weights of each intent.

    Attributes:
        rows: for each intent one signed byte per bucket.
        scale: what one step of a weight is worth, the temperature included.
        bias: for each intent.
        certain: the probability from which a question is sent to the answer without tools.
    """

    rows: tuple[memoryview, ...]
    scale: float
    bias: tuple[float, ...]
    certain: float

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Classifier":
        """A classifier from `{buckets, scale, bias, certain, weights}`, weights in base64, intent after intent.

        Raises:
            ValueError: when the weights were written for other signals.
        """
        packed = a2b_base64(document["weights"])
        if document["buckets"] != BUCKETS or len(packed) != BUCKETS * len(INTENTS):
            raise ValueError("intent weights of another size: run training/train_intents.py")
        table = memoryview(packed).cast("b")
        rows = tuple(table[i * BUCKETS : (i + 1) * BUCKETS] for i in range(len(INTENTS)))
        bias = tuple(float(value) for value in document["bias"])
        return cls(rows, float(document["scale"]), bias, float(document["certain"]))

    def probabilities(self, signals: Signals) -> dict[Intent, float]:
        """The calibrated probability of each intent; they add up to 1."""
        shares = [(group, 1 / math.sqrt(len(group))) for group in signals.groups if group]
        logits = [
            bias + self.scale * sum(share * sum(map(row.__getitem__, g)) for g, share in shares)
            for row, bias in zip(self.rows, self.bias, strict=True)
        ]
        highest = max(logits)
        odds = [math.exp(logit - highest) for logit in logits]
        total = sum(odds)
        return {intent: odd / total for intent, odd in zip(INTENTS, odds, strict=True)}


@lru_cache(maxsize=1)
def trained() -> Classifier:
    """The classifier of the weights file."""
    with open(WEIGHTS, encoding="ascii") as file:
        return Classifier.from_document(json.load(file))
