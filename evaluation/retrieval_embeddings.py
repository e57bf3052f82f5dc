"""The local embedding model with a memory on disk: a second `make eval-search` embeds nothing that the first one did."""

import os
import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from shopping_agent.adapters.embedding.local import LocalEmbedder
from shopping_agent.domain.deadline import Deadline

_BATCH: Final = 32
_SECONDS: Final = 600.0
# What the dense vector of a text is made of: its time grows with the length, and names and first sentences tell most.
LONGEST: Final = 250


class RememberingEmbedder:
    """`Embedder` of the local model; vectors are kept in `folder`, by the text that they are of.

    Args:
        folder: may be deleted at any time.
    """

    model = LocalEmbedder.model
    dimensions = LocalEmbedder.dimensions

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._kept = sqlite3.connect(folder / f"{self.model}.sqlite", check_same_thread=False)
        self._kept.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB)")
        self._inner = LocalEmbedder()

    def close(self) -> None:
        self._kept.close()

    def embed_query(self, text: str, deadline: Deadline) -> list[float]:
        key = _key("query", text)
        known = self._known(key)
        if known is None:
            known = self._inner.embed_query(text, deadline)
            self._keep([(key, known)])
        return known

    def embed_passages(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        cut = [text[:LONGEST] for text in texts]
        missing = [t for t in dict.fromkeys(cut) if self._known(_key("passage", t)) is None]
        if len(missing) > _BATCH:
            self._embed_side_by_side(missing)
        elif missing:
            vectors = self._inner.embed_passages(missing, deadline)
            self._keep([(_key("passage", t), v) for t, v in zip(missing, vectors, strict=True)])
        return [self._known(_key("passage", text)) or [] for text in cut]

    def _embed_side_by_side(self, texts: Sequence[str]) -> None:
        """On all processors: the model uses one."""
        batches = list(_batches(texts))
        with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
            for batch, vectors in zip(batches, pool.map(_embedded, batches), strict=True):
                self._keep([(_key("passage", t), v) for t, v in zip(batch, vectors, strict=True)])

    def _known(self, key: str) -> list[float] | None:
        row = self._kept.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        return array("f", row[0]).tolist() if row else None

    def _keep(self, vectors: Sequence[tuple[str, Sequence[float]]]) -> None:
        rows = [(key, array("f", vector).tobytes()) for key, vector in vectors]
        with self._kept:
            self._kept.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)


def _embedded(texts: Sequence[str]) -> list[list[float]]:
    return LocalEmbedder().embed_passages(texts, Deadline.after(_SECONDS))


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    return (texts[i : i + _BATCH] for i in range(0, len(texts), _BATCH))


def _key(kind: str, text: str) -> str:
    return sha256(f"{kind}\0{text}".encode("utf-8", "replace")).hexdigest()
