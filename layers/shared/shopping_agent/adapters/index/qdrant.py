"""The index through qdrant-client: both sides of it, on a server, in a local folder, or in memory."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from qdrant_client import QdrantClient, models

from shopping_agent.adapters.index import payload as points
from shopping_agent.adapters.index.qdrant_connection import (
    CollectionMissingError,
    QdrantConnection,
)
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import IndexUnavailableError
from shopping_agent.ports import Chunk, IndexedChunk, IndexFilter, ProductPage, ScoredChunk

_T = TypeVar("_T")

_UPSERT_BATCH: Final = 128
_PRODUCT_BATCH: Final = 256
_SCROLL_PAGE: Final = 1000
_SCROLL_PAGES_MAX: Final = 50


class QdrantIndex:
    """`ProductIndex` and `IndexWriter`.

    Writes go to the collection of this embedding model and payload schema, reads to the alias. `prepare` points
    the alias at this model's collection: a query is embedded with the model of the same deployment, so an older
    model's vectors could not answer it. The older collection is left alone, so that a roll-back finds it.

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
        self._connection = QdrantConnection(url=url, path=path, api_key=api_key)
        self._alias = collection
        self._name = points.collection_name(collection, model)
        self._dimensions = dimensions

    def close(self) -> None:
        self._connection.close()

    # --- query side ---------------------------------------------------------------------------

    def search(
        self,
        *,
        dense: Sequence[float] | None,
        sparse: Mapping[int, float],
        where: IndexFilter,
        limit: int,
        deadline: Deadline,
    ) -> list[ScoredChunk]:
        body = points.query_json(dense=dense, sparse=sparse, where=where, limit=limit)
        if body is None:
            return []
        request = models.QueryRequest.model_validate(body)
        try:
            with self._connection.using(deadline) as client:
                found = client.query_batch_points(self._alias, [request])[0].points
        except CollectionMissingError:
            return []
        with points.reading_payloads():
            return [
                points.scored_chunk({"payload": p.payload or {}, "score": p.score}) for p in found
            ]

    def products(self, ids: Sequence[str], deadline: Deadline) -> dict[str, Product]:
        if not ids:
            return {}
        wanted = [points.card_id(i) for i in dict.fromkeys(ids)]
        try:
            with self._connection.using(deadline) as client:
                found = client.retrieve(self._alias, wanted, with_payload=True)
        except CollectionMissingError:
            return {}
        with points.reading_payloads():
            products = [points.product_from_payload(p.payload or {}) for p in found]
        return {product.id: product for product in products}

    def chunks_of(self, product_ids: Sequence[str], deadline: Deadline) -> list[Chunk]:
        if not product_ids:
            return []
        where = points.filter_json(IndexFilter(product_ids=tuple(product_ids)))
        records, _ = self._scroll(where, points.CHUNKS_MAX, None, deadline)
        with points.reading_payloads():
            return [points.chunk_from_payload(r.payload or {}) for r in records]

    def browse(
        self, where: IndexFilter, *, limit: int, cursor: str | None, deadline: Deadline
    ) -> ProductPage:
        start = points.read_cursor(cursor)
        filters = points.filter_json(where, kinds=(points.CARD,))
        records, after = self._scroll(filters, limit, start, deadline)
        with points.reading_payloads():
            found = tuple(points.product_from_payload(r.payload or {}) for r in records)
        return ProductPage(found, after)

    def ready(self, deadline: Deadline) -> None:
        with self._connection.using(deadline) as client:
            client.get_collection(self._alias)

    def _scroll(
        self, filters: points.Json, limit: int, start: str | None, deadline: Deadline
    ) -> tuple[list[models.Record], str | None]:
        try:
            with self._connection.using(deadline) as client:
                records, after = client.scroll(
                    self._alias,
                    scroll_filter=models.Filter.model_validate(filters),
                    limit=limit,
                    offset=start,
                    with_payload=True,
                )
        except CollectionMissingError:
            return [], None
        return records, None if after is None else str(after)

    # --- write side ---------------------------------------------------------------------------

    def prepare(self, deadline: Deadline) -> None:
        with self._connection.using(deadline) as client:
            if not client.collection_exists(self._name):
                self._create(client)
            if self._connection.remote:  # local mode filters without indexes, and warns
                self._index_payload(client)
            self._point_alias(client)

    def upsert(self, chunks: Sequence[IndexedChunk], deadline: Deadline) -> None:
        """Writes chunks and the cards of their products. Every chunk of a product names all its terms."""
        cards = {c.chunk.product.id: c.chunk for c in chunks if c.chunk.product is not None}
        written = [self._point(chunk) for chunk in chunks]
        written += [_card(chunk) for chunk in cards.values()]
        for batch in _slices(written, _UPSERT_BATCH):
            with self._connection.using(deadline) as client:
                client.upsert(self._name, points=batch, wait=True)

    def refresh(self, products: Sequence[Product], deadline: Deadline) -> None:
        for batch in _slices(products, _PRODUCT_BATCH):
            by_id = {product.id: product for product in batch}
            with self._connection.using(deadline) as client:
                changes: list[models.UpdateOperation] = [
                    models.SetPayloadOperation(
                        set_payload=models.SetPayload(
                            payload=points.product_payload(by_id[product_id]), points=list(ids)
                        )
                    )
                    for product_id, ids in self._points_of(client, list(by_id)).items()
                ]
                if changes:
                    client.batch_update_points(self._name, changes, wait=True)

    def remove_products(self, ids: Sequence[str], deadline: Deadline) -> None:
        for batch in _slices(ids, _PRODUCT_BATCH):
            selector = models.Filter.model_validate(points.product_filter(batch))
            with self._connection.using(deadline) as client:
                client.delete(self._name, models.FilterSelector(filter=selector), wait=True)

    def remove_chunks(self, ids: Sequence[str], deadline: Deadline) -> None:
        for batch in _slices(ids, _SCROLL_PAGE):
            gone: list[models.ExtendedPointId] = [points.point_id(i) for i in batch]
            with self._connection.using(deadline) as client:
                client.delete(self._name, models.PointIdsList(points=gone), wait=True)

    def _create(self, client: QdrantClient) -> None:
        dense = {
            points.DENSE: models.VectorParams(
                size=self._dimensions, distance=models.Distance.COSINE
            )
        }
        sparse = {points.SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)}
        client.create_collection(
            self._name,
            vectors_config=dense if self._dimensions else {},
            sparse_vectors_config=sparse,
        )

    def _index_payload(self, client: QdrantClient) -> None:
        there = client.get_collection(self._name).payload_schema
        for field, kind in points.PAYLOAD_INDEXES.items():
            if field not in there:
                client.create_payload_index(
                    self._name, field, field_schema=models.PayloadSchemaType(kind), wait=True
                )

    def _point_alias(self, client: QdrantClient) -> None:
        aliases = {a.alias_name: a.collection_name for a in client.get_aliases().aliases}
        if aliases.get(self._alias) == self._name:
            return
        swap: list[Any] = []
        if self._alias in aliases:
            swap.append(
                models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=self._alias))
            )
        swap.append(
            models.CreateAliasOperation(
                create_alias=models.CreateAlias(collection_name=self._name, alias_name=self._alias)
            )
        )
        client.update_collection_aliases(swap)

    def _point(self, indexed: IndexedChunk) -> models.PointStruct:
        vector: dict[str, Any] = {}
        if indexed.dense is not None:
            if len(indexed.dense) != self._dimensions:
                raise IndexUnavailableError(
                    f"a vector of {len(indexed.dense)} for a collection of {self._dimensions}"
                )
            vector[points.DENSE] = list(indexed.dense)
        if indexed.sparse:
            vector[points.SPARSE] = models.SparseVector(**points.sparse_json(indexed.sparse))
        return models.PointStruct(
            id=points.point_id(indexed.chunk.id),
            vector=vector,
            payload=points.chunk_payload(indexed.chunk),
        )

    def _points_of(
        self, client: QdrantClient, product_ids: Sequence[str]
    ) -> dict[str, list[models.ExtendedPointId]]:
        found: dict[str, list[models.ExtendedPointId]] = {}
        where = models.Filter.model_validate(points.product_filter(product_ids))
        start: models.ExtendedPointId | None = None
        for _ in range(_SCROLL_PAGES_MAX):
            records, after = client.scroll(
                self._name,
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


def _card(chunk: Chunk) -> models.PointStruct:
    product = chunk.product
    assert product is not None  # noqa: S101  (the caller's filter)
    return models.PointStruct(
        id=points.card_id(product.id), vector={}, payload=points.card_payload(chunk, product)
    )


def _slices(items: Sequence[_T], size: int) -> Iterable[list[_T]]:
    return (list(items[i : i + size]) for i in range(0, len(items), size))
