"""The doctor on Qdrant: nothing indexed, another model, another length, missing payload indexes, products that Redis lost."""

from collections.abc import Callable
from typing import Any

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.index.qdrant import QdrantIndex
from shopping_agent.domain.catalog import PriceTag, Product
from shopping_agent.domain.deadline import Deadline
from shopping_agent.ports import Chunk, IndexedChunk
from shopping_agent.settings import Settings

from functions.local.qdrant_standin import QdrantStandIn
from tests.functions.local.doctor.said import DOWN, Doctor, Liar, Said

OURS = {
    "EMBEDDING_PROVIDER": "openai",
    "EMBEDDING_BASE_URL": DOWN,
    "EMBEDDING_MODEL": "m",
    "EMBEDDING_DIMENSIONS": "3",
}
NAME = "products__m-3_2"
PRODUCT = Product(
    id="p1",
    name="Neroli Dune",
    brand="Atlas",
    price=PriceTag(regular=69000, currency="MAD"),
    stock=3,
)


@pytest.fixture
def indexed(qdrant: tuple[str, QdrantStandIn]) -> Callable[..., None]:
    """Writes the shop's one product with a model's vectors, and serves it."""

    def write(model: str = "m", dimensions: int = 3, *, empty: bool = False) -> None:
        index = QdrantIndex(
            url=qdrant[0],
            path="",
            api_key="",
            collection="products",
            model=model,
            dimensions=dimensions,
        )
        deadline = Deadline.after(10)
        index.prepare(deadline)
        chunk = Chunk("c1", "description", "fresh", "en", "catalog/c.jsonl", PRODUCT)
        dense = [1.0, *[0.0] * (dimensions - 1)] if dimensions else None
        if not empty:
            index.upsert([IndexedChunk(chunk, dense, {7: 1.0})], deadline)
        index.close()

    return write


def of_index(doctor: Doctor, qdrant: tuple[str, QdrantStandIn], **settings: str) -> Any:
    return doctor(QDRANT_URL=qdrant[0], **{**OURS, **settings})


def test_an_index_of_the_settings_model_is_ok(
    doctor: Doctor, qdrant: tuple[str, QdrantStandIn], indexed: Callable[..., None]
) -> None:
    indexed()
    report = of_index(doctor, qdrant)
    assert {status for status, _ in report.of("index")} == {"ok"}
    assert NAME in report.of("index")[0][1]


def test_an_index_without_vectors_is_ok_where_there_are_no_embeddings(
    doctor: Doctor, qdrant: tuple[str, QdrantStandIn], indexed: Callable[..., None]
) -> None:
    indexed("none", 0)
    assert of_index(doctor, qdrant, EMBEDDING_PROVIDER="none").worst("index") == "ok"


def test_nothing_indexed_fails(doctor: Doctor, qdrant: tuple[str, QdrantStandIn]) -> None:
    report = of_index(doctor, qdrant)
    assert report.worst("index") == "fail"
    assert "points at nothing" in report.of("index")[0][1]


def test_an_empty_collection_fails(
    doctor: Doctor, qdrant: tuple[str, QdrantStandIn], indexed: Callable[..., None]
) -> None:
    indexed(empty=True)
    assert ("fail", "it is empty") in of_index(doctor, qdrant).of("index")


@pytest.mark.parametrize(
    "settings", [{"EMBEDDING_MODEL": "another"}, {"EMBEDDING_DIMENSIONS": "4"}]
)
def test_an_index_of_another_model_or_length_says_that_searches_go_by_words(
    doctor: Doctor,
    qdrant: tuple[str, QdrantStandIn],
    indexed: Callable[..., None],
    settings: dict[str, str],
) -> None:
    indexed()
    report = of_index(doctor, qdrant, **settings)
    assert report.worst("index") == "warn"
    assert any("which is not there" in message for _, message in report.of("index"))


def test_an_alias_that_points_at_a_strangers_collection_fails(
    doctor: Doctor, qdrant: tuple[str, QdrantStandIn], indexed: Callable[..., None]
) -> None:
    indexed()
    url, stand_in = qdrant
    stand_in.answer("PUT", "/collections/strangers", b'{"vectors": {"size": 3, "distance": "Dot"}}')
    stand_in.answer(
        "POST",
        "/collections/aliases",
        b'{"actions": [{"delete_alias": {"alias_name": "products"}},'
        b'{"create_alias": {"collection_name": "strangers", "alias_name": "products"}}]}',
    )
    report = of_index(doctor, (url, stand_in))
    assert report.worst("index") == "fail"
    assert NAME in report.of("index")[0][1]


def test_vectors_of_another_length_under_the_right_name_fail(
    doctor: Doctor, qdrant: tuple[str, QdrantStandIn]
) -> None:
    _, stand_in = qdrant
    stand_in.answer(
        "PUT",
        f"/collections/{NAME}",
        b'{"vectors": {"m-3": {"size": 5, "distance": "Cosine"}}, "sparse_vectors": {"sparse": {}}}',
    )
    stand_in.answer(
        "POST",
        "/collections/aliases",
        f'{{"actions": [{{"create_alias": {{"collection_name": "{NAME}", "alias_name": "products"}}}}]}}'.encode(),
    )
    messages = [m for s, m in of_index(doctor, qdrant).of("index") if s == "fail"]
    assert any("5 long" in message for message in messages)


def test_a_missing_payload_index_is_named(
    doctor: Doctor, qdrant: tuple[str, QdrantStandIn], indexed: Callable[..., None]
) -> None:
    indexed()
    qdrant[1].answer("DELETE", f"/collections/{NAME}/index/price_low", b"")
    qdrant[1].answer(
        "PUT",
        f"/collections/{NAME}/index",
        b'{"field_name": "in_stock", "field_schema": "keyword"}',
    )
    fails = [m for s, m in of_index(doctor, qdrant).of("index") if s == "fail"]
    assert fails == ["no payload index on price_low (integer), in_stock (bool)"]


@pytest.mark.parametrize("known", [True, False])
def test_products_of_the_index_must_have_a_live_price(
    doctor: Doctor,
    qdrant: tuple[str, QdrantStandIn],
    indexed: Callable[..., None],
    redis_stack: Any,
    known: bool,
) -> None:
    indexed()
    redis = {
        "UPSTASH_REDIS_REST_URL": redis_stack.url,
        "UPSTASH_REDIS_REST_TOKEN": redis_stack.token,
        "REDIS_PREFIX": f"agreement-{known}",
    }
    if known:
        settings = Settings.from_mapping(redis)
        facts = PRODUCT.live_facts(1)
        bootstrap.live_catalog(settings).put([facts], Deadline.after(10))
    report = of_index(doctor, qdrant, **redis)
    assert report.worst("catalog in the shop") == ("ok" if known else "fail")
    assert known or "p1" in report.of("catalog in the shop")[0][1]


def test_a_qdrant_that_is_down_fails(doctor: Doctor) -> None:
    assert doctor(QDRANT_URL=DOWN, **OURS).worst("index") == "fail"


def test_a_qdrant_that_breaks_fails(doctor: Doctor, qdrant: tuple[str, QdrantStandIn]) -> None:
    qdrant[1].fault = "all"
    assert of_index(doctor, qdrant).worst("index") == "fail"


def test_a_qdrant_that_hangs_is_told_in_time(
    doctor: Doctor, qdrant: tuple[str, QdrantStandIn]
) -> None:
    qdrant[1].fault, qdrant[1].fault_seconds = "slow", 3.0
    report = doctor(QDRANT_URL=qdrant[0], timeout=1, **OURS)
    assert report.worst("index") == "fail"
    assert report.seconds < 10


@pytest.mark.parametrize("body", [b"<html>", {}, {"result": {"collections": "many"}}, [1]])
def test_something_that_is_no_qdrant_fails(doctor: Doctor, liar: Liar, body: object) -> None:
    for path in ("/collections", "/aliases"):
        liar[f"GET {path}"] = Said(body)
    assert doctor(QDRANT_URL=liar.url, **OURS).worst("index") == "fail"


def test_a_key_that_qdrant_refuses_fails_without_saying_the_key(doctor: Doctor, liar: Liar) -> None:
    liar["GET /aliases"] = Said({"status": {"error": "forbidden"}}, 403)
    report = doctor(QDRANT_URL=liar.url, QDRANT_API_KEY="a-key-of-qdrant", **OURS)
    assert report.worst("index") == "fail"
    assert "a-key-of-qdrant" not in report.shown
