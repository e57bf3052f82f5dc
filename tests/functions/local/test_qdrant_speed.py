"""Local mode by index finds what local mode finds by looking at everything."""

import random
from typing import Any

import pytest
from qdrant_client import QdrantClient, models
from qdrant_client.local import local_collection
from qdrant_client.local.payload_filters import calculate_payload_mask
from qdrant_client.local.sparse_distances import calculate_distance_sparse

from functions.local.qdrant_speed import payload_mask, sparse_scores

TERMS = ["rose", "oud", "summer", "kind:set"]


def payload(draw: random.Random) -> dict[str, Any]:
    values: dict[str, Any] = {
        "kind": draw.choice(["description", "notes", "product"]),
        "terms": draw.sample(TERMS, draw.randrange(4)),
        "price_low": draw.choice([0, 1, 100, 250.5]),
        "in_stock": draw.choice([True, False]),
        "gender": draw.choice(["women", "men", None]),
        "prices": [draw.randrange(5) for _ in range(draw.randrange(3))],
        "product": {"id": "x", "sizes": [1, 2]},
    }
    return {key: value for key, value in values.items() if draw.random() < 0.85}


def condition(draw: random.Random) -> dict[str, Any]:
    return draw.choice(
        [
            {"key": "kind", "match": {"value": "notes"}},
            {"key": "kind", "match": {"any": ["notes", "product", "else"]}},
            {"key": "terms", "match": {"value": draw.choice(TERMS)}},
            {"key": "terms", "match": {"any": draw.sample(TERMS, 2)}},
            {"key": "in_stock", "match": {"value": draw.choice([True, False])}},
            {"key": "price_low", "match": {"value": draw.choice([0, 1, 100])}},
            {"key": "price_low", "range": {"gte": 1, "lt": draw.choice([100, 251])}},
            {"key": "prices", "range": {"gt": 1, "lte": 3}},
            {"key": "product.id", "match": {"value": "x"}},
            {"key": "product.sizes[]", "range": {"gte": 2}},
            {"is_null": {"key": "gender"}},
            {"key": "terms", "match": {"except": ["rose"]}},
            {"has_id": [1, 2, 3]},
            {"must_not": [{"key": "gender", "match": {"value": "men"}}]},
        ]
    )


def where(draw: random.Random) -> models.Filter:
    parts = {
        part: [condition(draw) for _ in range(draw.randrange(1, 3))]
        for part in ("must", "must_not", "should")
        if draw.random() < 0.5
    }
    return models.Filter.model_validate(parts)


@pytest.mark.parametrize("seed", range(6))
def test_filters_let_the_same_points_through_whatever_changes_in_between(seed: int) -> None:
    draw = random.Random(seed)
    payloads: list[Any] = [payload(draw) for _ in range(40)]
    for _ in range(60):
        match draw.randrange(4):
            case 0:
                payloads[draw.randrange(len(payloads))] = payload(draw)
            case 1:
                payloads.append(payload(draw))
            case _:
                pass
        wanted = where(draw)
        ids: list[Any] = list(range(len(payloads)))
        given = (payloads, wanted, ids, dict[str, Any]())
        assert list(payload_mask(*given)) == list(calculate_payload_mask(*given)), wanted


def vector(draw: random.Random) -> models.SparseVector:
    indices = sorted(draw.sample(range(12), draw.randrange(1, 6)))
    return models.SparseVector(indices=indices, values=[draw.random() - 0.2 for _ in indices])


@pytest.mark.parametrize("empty_is_zero", [True, False])
def test_sparse_scores_are_the_same_whatever_changes_in_between(empty_is_zero: bool) -> None:
    draw = random.Random(3)
    vectors = [vector(draw) for _ in range(30)]
    for _ in range(40):
        vectors[draw.randrange(len(vectors))] = vector(draw)
        vectors.append(vector(draw))
        asked = vector(draw)
        expected = calculate_distance_sparse(asked, vectors[:], empty_is_zero)
        assert sparse_scores(asked, vectors[:], empty_is_zero) == pytest.approx(expected, abs=1e-5)


def test_the_client_searches_through_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names that are replaced are those that local mode calls."""
    seen: list[str] = []

    def mask(**given: Any) -> Any:
        seen.append("mask")
        return payload_mask(**given)

    def scores(*given: Any) -> Any:
        seen.append("scores")
        return sparse_scores(*given)

    monkeypatch.setattr(local_collection, "calculate_payload_mask", mask)
    monkeypatch.setattr(local_collection, "calculate_distance_sparse", scores)
    client = QdrantClient(location=":memory:")
    client.create_collection(
        "c", vectors_config={}, sparse_vectors_config={"s": models.SparseVectorParams()}
    )
    client.upsert(
        "c",
        [
            models.PointStruct(
                id=i,
                vector={"s": models.SparseVector(indices=[1], values=[float(i)])},
                payload={"kind": "notes" if i % 2 else "usage"},
            )
            for i in range(1, 7)
        ],
    )
    found = client.query_points(
        "c",
        query=models.SparseVector(indices=[1], values=[1.0]),
        using="s",
        query_filter=models.Filter.model_validate(
            {"must": [{"key": "kind", "match": {"value": "notes"}}]}
        ),
        limit=2,
    )
    client.close()
    assert [point.id for point in found.points] == [5, 3]
    assert {"mask", "scores"} <= set(seen)
