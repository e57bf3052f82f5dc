"""Chunks and cards as qdrant-client's points, and the changes of points that are there."""

from collections.abc import Mapping, Sequence
from typing import Any

from qdrant_client import QdrantClient, models

from shopping_agent.adapters.index import payload as points
from shopping_agent.adapters.index.queries import sparse_json
from shopping_agent.errors import IndexUnavailableError
from shopping_agent.ports import Chunk, IndexedChunk


def chunk_point(indexed: IndexedChunk, dense_name: str, dimensions: int) -> models.PointStruct:
    """The point of a chunk.

    Raises:
        IndexUnavailableError: its dense vector is of another length than the collection's.
    """
    vector: dict[str, Any] = {}
    if indexed.dense is not None:
        if len(indexed.dense) != dimensions:
            raise IndexUnavailableError(
                f"a vector of {len(indexed.dense)} for a collection of {dimensions}"
            )
        vector[dense_name] = list(indexed.dense)
    if indexed.sparse:
        vector[points.SPARSE] = models.SparseVector(**sparse_json(indexed.sparse))
    return models.PointStruct(
        id=points.point_id(indexed.chunk.id),
        vector=vector,
        payload=points.chunk_payload(indexed.chunk),
    )


def card_point(chunk: Chunk) -> models.PointStruct:
    """The card of a chunk's product."""
    product = chunk.product
    assert product is not None  # noqa: S101  (the caller's filter)
    return models.PointStruct(
        id=points.card_id(product.id), vector={}, payload=points.card_payload(chunk, product)
    )


def overwriting(
    payload: Mapping[str, Any], ids: Sequence[models.ExtendedPointId]
) -> models.SetPayloadOperation:
    """New values of some payload fields."""
    return models.SetPayloadOperation(
        set_payload=models.SetPayload(payload=dict(payload), points=list(ids))
    )


def owner_of(record: models.Record) -> str:
    """The product of a product's point, else the chunk: what the manifest of a file names."""
    payload = record.payload or {}
    return str(payload.get("product_id") or payload.get("chunk_id"))


def following(
    client: QdrantClient, collection: str, chunks: Sequence[IndexedChunk]
) -> list[models.UpdateOperation]:
    """Changes that bring chunks into a collection of another model: its own dense vectors stay where the words do."""
    by_words = [IndexedChunk(c.chunk, dense=None, sparse=c.sparse) for c in chunks]
    written = [chunk_point(chunk, "", 0) for chunk in by_words]
    ids: list[models.ExtendedPointId] = [point.id for point in written]
    there = {r.id: r.payload or {} for r in client.retrieve(collection, ids, with_payload=True)}
    same = {
        point.id
        for point, chunk in zip(written, chunks, strict=True)
        if point.id in there and points.same_words(there[point.id], chunk.chunk)
    }
    changes: list[models.UpdateOperation] = [
        overwriting(point.payload or {}, [point.id]) for point in written if point.id in same
    ]
    vectors = [
        models.PointVectors(id=p.id, vector=p.vector) for p in written if p.id in same and p.vector
    ]
    if vectors:
        changes.append(
            models.UpdateVectorsOperation(update_vectors=models.UpdateVectors(points=vectors))
        )
    if other := [point for point in written if point.id not in same]:
        changes.append(models.UpsertOperation(upsert=models.PointsList(points=other)))
    return changes
