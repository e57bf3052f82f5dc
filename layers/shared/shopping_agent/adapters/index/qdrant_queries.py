"""The query side of the index through qdrant-client, on a server, in a local folder, or in memory."""

from collections.abc import Mapping, Sequence

from qdrant_client import models

from shopping_agent.adapters.index import payload as points
from shopping_agent.adapters.index import queries
from shopping_agent.adapters.index.qdrant_connection import (
    CollectionMissingError,
    QdrantConnection,
)
from shopping_agent.adapters.index.served_model import ServedModel
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.deadline import Deadline
from shopping_agent.ports import Chunk, IndexFilter, ProductPage, ScoredChunk


class QdrantQueries:
    """`ProductIndex`: reads what the alias stands for.

    Args:
        dense_name: of the vectors of the queries' model (`payload.dense_name`).
    """

    def __init__(self, connection: QdrantConnection, *, alias: str, dense_name: str) -> None:
        self._connection = connection
        self._alias = alias
        self._served = ServedModel(dense_name)

    def close(self) -> None:
        self._connection.close()

    def search(
        self,
        *,
        dense: Sequence[float] | None,
        sparse: Mapping[int, float],
        where: IndexFilter,
        limit: int,
        deadline: Deadline,
    ) -> list[ScoredChunk]:
        def send(body: queries.Json) -> list[ScoredChunk]:
            request = models.QueryRequest.model_validate(body)
            try:
                with self._connection.using(deadline) as client:
                    found = client.query_batch_points(self._alias, [request])[0].points
            except CollectionMissingError:
                return []
            with points.reading_payloads():
                return [
                    points.scored_chunk({"payload": p.payload or {}, "score": p.score})
                    for p in found
                ]

        return self._served.search(send, dense=dense, sparse=sparse, where=where, limit=limit)

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
        where = queries.filter_json(IndexFilter(product_ids=tuple(product_ids)))
        records, _ = self._scroll(where, points.CHUNKS_MAX, None, deadline)
        with points.reading_payloads():
            return [points.chunk_from_payload(r.payload or {}) for r in records]

    def browse(
        self, where: IndexFilter, *, limit: int, cursor: str | None, deadline: Deadline
    ) -> ProductPage:
        start = points.read_cursor(cursor)
        filters = queries.filter_json(where, kinds=(points.CARD,))
        records, after = self._scroll(filters, limit, start, deadline)
        with points.reading_payloads():
            found = tuple(points.product_from_payload(r.payload or {}) for r in records)
        return ProductPage(found, after)

    def ready(self, deadline: Deadline) -> None:
        with self._connection.using(deadline) as client:
            client.get_collection(self._alias)

    def _scroll(
        self, filters: queries.Json, limit: int, start: str | None, deadline: Deadline
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
