"""Texts to vectors in requests that a provider takes: as many texts as it allows, again when that helps, in time."""

import random
import time
from collections.abc import Callable, Sequence
from typing import Final, Literal

from shopping_agent.adapters.embedding.rest import EmbeddingRequestError
from shopping_agent.adapters.embedding.texts import LONGEST_PASSAGE, LONGEST_QUERY, readable
from shopping_agent.domain.deadline import Deadline

InputType = Literal["query", "passage"]
Vectors = list[list[float]]

# A query's share of a turn: search goes on with words alone when it is over.
_QUERY_SECONDS: Final = 4.0
_SHORTEST: Final = 200
# After a wait that the server named; after one that we guessed; after a failure of the server or the way to it.
_TOLD_WAITS: Final = 6
_GUESSED_WAITS: Final = 2
_REPEATS: Final = 1
_GUESSED_SECONDS: Final = 2.0
_REPEAT_SECONDS: Final = 0.1
_RESERVE_SECONDS: Final = 1.0
"""What must be left of the deadline after a wait."""


class Batches:
    """Sends the texts of an embedder.

    A request that is refused for its size is cut in half, down to one text, which is then shortened. Where the server
    is down for a moment it is asked once more; where it limits our rate, passages wait as long as the deadline
    allows and a query does not.

    Args:
        send: vectors of a few texts, in their order, or `EmbeddingRequestError`.
        most: texts in one request.
        pause: sleeps, for tests.
    """

    def __init__(
        self,
        send: Callable[[Sequence[str], InputType, Deadline], Vectors],
        *,
        most: int,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._send = send
        self._most = most
        self._size = most
        self._pause = pause

    def query(self, text: str, deadline: Deadline) -> list[float]:
        return self._one(readable(text, LONGEST_QUERY), "query", deadline.capped(_QUERY_SECONDS))

    def passages(self, texts: Sequence[str], deadline: Deadline) -> Vectors:
        vectors: Vectors = []
        while len(vectors) < len(texts):
            rest = texts[len(vectors) : len(vectors) + self._size]
            vectors += self._batch([readable(text, LONGEST_PASSAGE) for text in rest], deadline)
        return vectors

    def _batch(self, texts: list[str], deadline: Deadline) -> Vectors:
        """The vectors of all the texts, or of none when the next batch should be smaller."""
        if len(texts) == 1:
            return [self._one(texts[0], "passage", deadline)]
        try:
            return self._patiently(texts, "passage", deadline)
        except EmbeddingRequestError as fault:
            if not fault.too_much:
                raise
            self._size = len(texts) // 2
            return []

    def _one(self, text: str, kind: InputType, deadline: Deadline) -> list[float]:
        while True:
            try:
                return self._patiently([text], kind, deadline)[0]
            except EmbeddingRequestError as fault:
                if fault.kind != "too_large" or len(text) <= _SHORTEST:
                    self._size = self._most  # the number of texts was not what it minded
                    raise
                text = text[: len(text) // 2]

    def _patiently(self, texts: Sequence[str], kind: InputType, deadline: Deadline) -> Vectors:
        failures = 0
        while True:
            try:
                return self._send(texts, kind, deadline)
            except EmbeddingRequestError as fault:
                failures += 1
                wait = _wait(fault, kind, failures)
                if wait is None or wait + _RESERVE_SECONDS > deadline.remaining():
                    raise
            self._pause(wait)


def _wait(fault: EmbeddingRequestError, kind: InputType, failures: int) -> float | None:
    """Seconds after which it is worth another try; None when it is not."""
    jitter = random.uniform(1.0, 1.5)
    if fault.kind in ("overloaded", "connection") and failures <= _REPEATS:
        told = fault.retry_after if kind == "passage" else None
        return told or _REPEAT_SECONDS * jitter
    if fault.kind != "rate_limited" or kind == "query":
        return None
    if fault.retry_after is not None and failures <= _TOLD_WAITS:
        return fault.retry_after + _REPEAT_SECONDS * jitter
    return _GUESSED_SECONDS * failures * jitter if failures <= _GUESSED_WAITS else None
