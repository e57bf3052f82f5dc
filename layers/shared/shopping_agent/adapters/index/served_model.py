"""Searches of a collection that may have been made with another embedding model than the query's."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from shopping_agent.adapters.index.queries import Json, query_json
from shopping_agent.errors import IndexUnavailableError
from shopping_agent.observability import logger
from shopping_agent.ports import IndexFilter, ScoredChunk

REMEMBERED_SECONDS: Final = 60.0


class RefusedError(IndexUnavailableError):
    """Qdrant did not accept what was asked (400)."""


class ServedModel:
    """Hybrid search while the collection knows the model's vectors, by words alone while it does not.

    A model's vectors have a name of their own, so no look-up is needed: a collection of another model refuses the
    query, which is asked again without its vector. For a while after that the vector is not sent at all.

    Args:
        name: of the query model's vectors; empty without a model.
        clock: seconds.
    """

    def __init__(self, name: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._clock = clock
        self._unknown_until = float("-inf")

    def search(
        self,
        send: Callable[[Json], list[ScoredChunk]],
        *,
        dense: Sequence[float] | None,
        sparse: Mapping[int, float],
        where: IndexFilter,
        limit: int,
    ) -> list[ScoredChunk]:
        """The hits of what `send` answers to a query; none where nothing is asked.

        Raises:
            RefusedError: also without the vector.
        """
        known = bool(self._name) and self._clock() >= self._unknown_until
        bodies = [
            query_json(dense=d, dense_name=self._name, sparse=sparse, where=where, limit=limit)
            for d in (dense if known else None, None)
        ]
        first, by_words = bodies
        if first is None:
            return []
        try:
            return send(first)
        except RefusedError:
            if dense is None or not known:
                raise
        hits = send(by_words) if by_words else []
        self._unknown_until = self._clock() + REMEMBERED_SECONDS
        logger.warning("the served collection is of another embedding model: searching by words")
        return hits
