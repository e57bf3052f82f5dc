"""The collections behind one alias, one for each embedding model and payload schema: which is served, which is written.

A new one is built beside the one that is served and takes the alias when it is complete, so that search is never empty.
Each collection has a mark for every source that is in it whole. A collection that is no longer served loses its marks:
it does not follow what comes in from then on, so when it is wanted again every source is written into it anew.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from qdrant_client import QdrantClient, models

from shopping_agent.adapters.index import payload as points
from shopping_agent.adapters.index import queries
from shopping_agent.adapters.index.qdrant_connection import CollectionMissingError, QdrantConnection
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.values import frozen
from shopping_agent.errors import IndexUnavailableError, MalformedRequestError

_TRUSTED_SECONDS: Final = 20.0
_MARKS_AT_ONCE: Final = 500


@frozen
class Version:
    """One collection behind the alias."""

    name: str
    points: int
    served: bool


class Versions:
    """The collections of one alias.

    Args:
        own: name of the collection that is written.
        clock: seconds.
    """

    def __init__(
        self,
        connection: QdrantConnection,
        *,
        alias: str,
        own: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connection = connection
        self._alias = alias
        self.own = own
        self._clock = clock
        self._seen: tuple[float, str] | None = None

    def served(self, client: QdrantClient, *, now: bool = False) -> str:
        """The collection that the alias stands for, as it was some seconds ago at most; empty without one."""
        if self._seen is None or now or self._clock() - self._seen[0] > _TRUSTED_SECONDS:
            aliases = {a.alias_name: a.collection_name for a in client.get_aliases().aliases}
            self._seen = self._clock(), aliases.get(self._alias, "")
        return self._seen[1]

    def elsewhere(self, client: QdrantClient) -> str:
        """The collection that is served while another is written; empty when there is none."""
        served = self.served(client)
        return "" if served == self.own else served

    def adopt(self, client: QdrantClient) -> None:
        """Serve the written collection where nothing is served."""
        if self.served(client, now=True):
            return
        self._point(client, self.own)

    def held(self, sources: Sequence[str], deadline: Deadline) -> set[str]:
        """Those of some sources that are in the written collection whole."""
        found: set[str] = set()
        for start in range(0, len(sources), _MARKS_AT_ONCE):
            marks: list[Any] = [points.mark_id(s) for s in sources[start : start + _MARKS_AT_ONCE]]
            try:
                with self._connection.using(deadline) as client:
                    there = client.retrieve(self.own, marks, with_payload=["source"])
            except CollectionMissingError:
                return set()
            found |= {str((mark.payload or {}).get("source")) for mark in there}
        return found

    def mark(self, client: QdrantClient, source: str) -> None:
        """All of a source is in the written collection."""
        mark = models.PointStruct(
            id=points.mark_id(source), vector={}, payload=points.mark_payload(source)
        )
        client.upsert(self.own, [mark], wait=True)

    def publish(self, deadline: Deadline) -> None:
        """Serve the written collection."""
        with self._connection.using(deadline) as client:
            self._swap(client, self.own)

    # --- for the people who run the shop ------------------------------------------------------

    def all(self, deadline: Deadline) -> list[Version]:
        """The collections, by name."""
        with self._connection.using(deadline) as client:
            served = self.served(client, now=True)
            names = sorted(c.name for c in client.get_collections().collections)
            return [
                Version(name, client.count(name, exact=True).count, name == served)
                for name in names
                if points.is_version_of(self._alias, name)
            ]

    def serve(self, name: str, deadline: Deadline) -> None:
        """Serve another of the collections at once, as it was when it was served last.

        Raises:
            MalformedRequestError: it is none of them.
        """
        self._known(name, deadline)
        with self._connection.using(deadline) as client:
            self._swap(client, name)

    def drop(self, name: str, deadline: Deadline) -> None:
        """Delete a collection that is not served.

        Raises:
            MalformedRequestError: it is, or it is none of ours.
        """
        if self._known(name, deadline).served:
            raise MalformedRequestError(f"{name} is what searches read: serve another one first")
        with self._connection.using(deadline) as client:
            client.delete_collection(name)

    def _known(self, name: str, deadline: Deadline) -> Version:
        versions = {version.name: version for version in self.all(deadline)}
        if name not in versions:
            there = ", ".join(versions) or "none"
            raise MalformedRequestError(f"{name} is no collection of {self._alias}: {there}")
        return versions[name]

    def _swap(self, client: QdrantClient, name: str) -> None:
        left = self.served(client, now=True)
        if left == name:
            return
        self._point(client, name)
        if left and client.collection_exists(left):
            marks = models.Filter.model_validate(queries.marks_filter())
            client.delete(left, models.FilterSelector(filter=marks), wait=True)

    def _point(self, client: QdrantClient, name: str) -> None:
        swap: list[Any] = []
        if self.served(client):
            swap.append(
                models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=self._alias))
            )
        swap.append(
            models.CreateAliasOperation(
                create_alias=models.CreateAlias(collection_name=name, alias_name=self._alias)
            )
        )
        if not client.update_collection_aliases(swap):
            raise IndexUnavailableError("qdrant did not change the alias")
        self._seen = self._clock(), name
