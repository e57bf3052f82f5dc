"""The index through qdrant-client: both sides of it, on a server, in a local folder, or in memory."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, TypeVar

from qdrant_client import QdrantClient, models

from shopping_agent.adapters.index import payload as points
from shopping_agent.adapters.index import queries
from shopping_agent.adapters.index.qdrant_connection import QdrantConnection
from shopping_agent.adapters.index.qdrant_points import (
    card_point,
    chunk_point,
    following,
    overwriting,
    owner_of,
)
from shopping_agent.adapters.index.qdrant_queries import QdrantQueries
from shopping_agent.adapters.index.qdrant_versions import Versions
from shopping_agent.adapters.index.served_model import RefusedError
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import IndexUnavailableError
from shopping_agent.observability import logger
from shopping_agent.ports import IndexedChunk

_T = TypeVar("_T")

_UPSERT_BATCH: Final = 128
_PRODUCT_BATCH: Final = 256
_SCROLL_PAGE: Final = 1000
_SCROLL_PAGES_MAX: Final = 50
_SWEEP_PAGE: Final = 10_000
_SWEEP_PAGES_MAX: Final = 2000


class QdrantIndex(QdrantQueries):
    """`ProductIndex` and `IndexWriter`.

    Writes go to the collection of this embedding model and payload schema, reads to the alias. While the alias stands
    for another collection, writes keep that one up to date too (`Versions`).

    Args:
        url: of a Qdrant server; else `path`, a folder for local mode; else memory.
        collection: the alias.
        dimensions: of the dense vectors; 0 for sparse vectors alone.
    """

    def __init__(
        self,
        *,
        url: str,
        path: str,
        api_key: str,
        collection: str,
        model: str,
        dimensions: int,
    ) -> None:
        self._dense_name = points.dense_name(model, dimensions)
        connection = QdrantConnection(url=url, path=path, api_key=api_key)
        super().__init__(connection, alias=collection, dense_name=self._dense_name)
        self._name = points.collection_name(collection, model, dimensions)
        self._versions = Versions(connection, alias=collection, own=self._name)
        self._dimensions = dimensions
        self._there = False

    def prepare(self, deadline: Deadline) -> None:
        self._there = self._exists(deadline) or self._create(deadline)
        with self._connection.using(deadline) as client:
            if self._connection.remote:  # local mode filters without indexes, and warns
                self._index_payload(client)
            self._versions.adopt(client)

    def upsert(self, chunks: Sequence[IndexedChunk], deadline: Deadline) -> None:
        """Writes chunks and the cards of their products. Every chunk of a product names all its terms."""
        cards = {c.chunk.product.id: c.chunk for c in chunks if c.chunk.product is not None}
        shown = [card_point(chunk) for chunk in cards.values()]
        written = [chunk_point(c, self._dense_name, self._dimensions) for c in chunks]
        for batch in _slices([*written, *shown], _UPSERT_BATCH):
            with self._connection.using(deadline) as client:
                client.upsert(self._name, points=batch, wait=True)
        with self._connection.using(deadline) as client:
            served = self._versions.elsewhere(client)
        if served:
            self._follow(served, chunks, shown, deadline)

    def refresh(self, products: Sequence[Product], deadline: Deadline) -> None:
        for batch in _slices(products, _PRODUCT_BATCH):
            by_id = {product.id: product for product in batch}
            with self._connection.using(deadline) as client:
                for name in self._written(client):
                    changes: list[models.UpdateOperation] = [
                        overwriting(points.product_payload(by_id[product_id]), ids)
                        for product_id, ids in self._points_of(client, name, list(by_id)).items()
                    ]
                    if changes:
                        client.batch_update_points(name, changes, wait=True)

    def remove_products(self, ids: Sequence[str], deadline: Deadline) -> None:
        for batch in _slices(ids, _PRODUCT_BATCH):
            selector = models.Filter.model_validate(queries.product_filter(batch))
            self._delete(models.FilterSelector(filter=selector), deadline)

    def remove_chunks(self, ids: Sequence[str], deadline: Deadline) -> None:
        for batch in _slices(ids, _SCROLL_PAGE):
            gone: list[models.ExtendedPointId] = [points.point_id(i) for i in batch]
            self._delete(models.PointIdsList(points=gone), deadline)

    # --- versions -----------------------------------------------------------------------------

    def held(self, sources: Sequence[str], deadline: Deadline) -> set[str]:
        return self._versions.held(sources, deadline)

    def complete(self, source: str, kept: Collection[str], deadline: Deadline) -> None:
        self.prepare(deadline)
        where = models.Filter.model_validate(queries.source_filter(source))
        start: models.ExtendedPointId | None = None
        for _ in range(_SWEEP_PAGES_MAX):
            with self._connection.using(deadline) as client:
                records, after = client.scroll(
                    self._name,
                    scroll_filter=where,
                    limit=_SWEEP_PAGE,
                    offset=start,
                    with_payload=["product_id", "chunk_id"],
                )
                if gone := [r.id for r in records if owner_of(r) not in kept]:
                    client.delete(self._name, models.PointIdsList(points=gone), wait=True)
                if after is None:
                    self._versions.mark(client, source)
                    return
            start = str(after)
        raise IndexUnavailableError("more points of this source than can be")

    def is_served(self, deadline: Deadline) -> bool:
        with self._connection.using(deadline) as client:
            return self._versions.served(client) == self._name

    def publish(self, deadline: Deadline) -> None:
        self._versions.publish(deadline)

    def _written(self, client: QdrantClient) -> list[str]:
        """The collection that is built, once there is one, and the one that is served meanwhile."""
        self._there = self._there or client.collection_exists(self._name)
        own = self._name if self._there else ""
        return [name for name in (own, self._versions.elsewhere(client)) if name]

    def _delete(self, selector: models.PointsSelector, deadline: Deadline) -> None:
        with self._connection.using(deadline) as client:
            for name in self._written(client):
                client.delete(name, selector, wait=True)

    def _follow(
        self,
        served: str,
        chunks: Sequence[IndexedChunk],
        cards: Sequence[models.PointStruct],
        deadline: Deadline,
    ) -> None:
        """Keeps what is served up to date while its successor is built: by words, vectors of its model stay.

        What a collection of an older schema refuses is left out: it is served for a while only.
        """
        try:
            for batch in _slices(chunks, _UPSERT_BATCH):
                with self._connection.using(deadline) as client:
                    client.batch_update_points(served, following(client, served, batch), wait=True)
            for batch in _slices(cards, _UPSERT_BATCH):
                with self._connection.using(deadline) as client:
                    client.upsert(served, points=batch, wait=True)
        except RefusedError as error:
            logger.warning("the served collection does not follow", error=str(error))

    def _exists(self, deadline: Deadline) -> bool:
        with self._connection.using(deadline) as client:
            return client.collection_exists(self._name)

    def _create(self, deadline: Deadline) -> bool:
        dense = {
            self._dense_name: models.VectorParams(
                size=self._dimensions, distance=models.Distance.COSINE
            )
        }
        sparse = {points.SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)}
        try:
            with self._connection.using(deadline) as client:
                return client.create_collection(
                    self._name,
                    vectors_config=dense if self._dimensions else {},
                    sparse_vectors_config=sparse,
                )
        except IndexUnavailableError:
            if self._exists(deadline):  # another worker was faster
                return True
            raise

    def _index_payload(self, client: QdrantClient) -> None:
        there = client.get_collection(self._name).payload_schema
        for field, kind in points.PAYLOAD_INDEXES.items():
            if field not in there:
                client.create_payload_index(
                    self._name, field, field_schema=models.PayloadSchemaType(kind), wait=True
                )

    def _points_of(
        self, client: QdrantClient, name: str, product_ids: Sequence[str]
    ) -> dict[str, list[models.ExtendedPointId]]:
        found: dict[str, list[models.ExtendedPointId]] = {}
        where = models.Filter.model_validate(queries.product_filter(product_ids))
        start: models.ExtendedPointId | None = None
        for _ in range(_SCROLL_PAGES_MAX):
            records, after = client.scroll(
                name,
                scroll_filter=where,
                limit=_SCROLL_PAGE,
                offset=start,
                with_payload=["product_id"],
            )
            for record in records:
                found.setdefault((record.payload or {})["product_id"], []).append(record.id)
            if after is None:
                return found
            start = str(after)
        raise IndexUnavailableError("more points of these products than can be")


def _slices(items: Sequence[_T], size: int) -> Iterable[list[_T]]:
    return (list(items[i : i + size]) for i in range(0, len(items), size))
