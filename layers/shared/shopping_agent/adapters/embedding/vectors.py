"""Vectors as an index needs them: as many as texts, of one length, of length 1."""

import math
from collections.abc import Iterable
from typing import Any

from shopping_agent.errors import EmbeddingUnavailableError


def checked(found: Iterable[Any], *, count: int, dimensions: int) -> list[list[float]]:
    """The vectors, L2-normalised.

    Raises:
        EmbeddingUnavailableError: when one is missing, of another length, not of numbers, or no direction at all.
    """
    try:
        vectors = [_normalised(values, dimensions) for values in found]
    except (TypeError, ValueError, OverflowError) as error:
        raise EmbeddingUnavailableError(f"not embeddings: {str(error)[:100]}") from error
    if len(vectors) != count:
        raise EmbeddingUnavailableError(f"{len(vectors)} vectors for {count} texts")
    return vectors


def _normalised(values: Iterable[Any], dimensions: int) -> list[float]:
    vector = [float(value) for value in values]
    if len(vector) != dimensions:
        raise ValueError(f"a vector of {len(vector)} instead of {dimensions}")
    norm = math.sqrt(math.fsum(value * value for value in vector))
    if not math.isfinite(norm) or norm == 0.0:
        raise ValueError("a vector without a direction")
    return [value / norm for value in vector]
