"""Chunks into the index: vectors made in batches, equal texts once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, TypeVar

from shopping_agent.application.chunking import passage
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.sparse import document_vector
from shopping_agent.ports import Chunk, Embedder, IndexedChunk, IndexWriter

EMBED_BATCH: Final = 64
T = TypeVar("T")


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Consecutive lists of at most `size` items."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def chunk_words(chunk: Chunk) -> dict[int, float]:
    """The sparse vector of a chunk."""
    name = chunk.product.name if chunk.product else ""
    return document_vector(passage(chunk), chunk.terms, name)


class ChunkIndexer:
    """Embeds and upserts chunks. Without an embedder they have sparse vectors only."""

    def __init__(self, *, writer: IndexWriter, embedder: Embedder | None) -> None:
        self._writer = writer
        self._embedder = embedder

    @property
    def model(self) -> str:
        return self._embedder.model if self._embedder else "none"

    def index(
        self,
        chunks: Sequence[Chunk],
        deadline: Deadline,
        *,
        may_write: Callable[[], None] = lambda: None,
    ) -> int:
        """Upsert chunks; how many texts were embedded for it.

        Args:
            may_write: raises when a newer event took the source while the texts were embedded, which takes seconds.
        """
        embedded = 0
        for batch in batches(chunks, EMBED_BATCH):
            deadline.check()
            texts = [passage(chunk, sized=False) for chunk in batch]
            vectors = self._embed(texts, deadline)
            may_write()
            self._writer.upsert(
                [
                    IndexedChunk(
                        chunk=chunk,
                        dense=vectors.get(text),
                        sparse=chunk_words(chunk),
                    )
                    for chunk, text in zip(batch, texts, strict=True)
                ],
                deadline,
            )
            embedded += len(vectors)
        return embedded

    def _embed(self, texts: Sequence[str], deadline: Deadline) -> dict[str, list[float]]:
        if self._embedder is None:
            return {}
        distinct = list(dict.fromkeys(texts))
        return dict(zip(distinct, self._embedder.embed_passages(distinct, deadline), strict=True))
