"""The stand-in answers as a Qdrant server does, and refuses what one refuses."""

import json
import threading

import httpx
import pytest
from qdrant_client import QdrantClient, models

from functions.local.qdrant_server import build_app
from functions.local.qdrant_standin import QdrantStandIn
from functions.local.serving import serving

POINT = "7f0a2c2e-6a57-4a0e-9d53-0d9b6f6f4a11"


@pytest.fixture
def http():
    stand_in = QdrantStandIn()
    with serving(build_app(stand_in)) as url, httpx.Client(base_url=url, trust_env=False) as client:
        yield client
    stand_in.close()


@pytest.fixture
def collection(http):
    body = {
        "vectors": {"dense": {"size": 2, "distance": "Cosine"}},
        "sparse_vectors": {"sparse": {"modifier": "idf"}},
    }
    assert http.put("/collections/shop", json=body).json()["result"] is True
    point = {
        "id": POINT,
        "vector": {"dense": [1, 0.5], "sparse": {"indices": [7], "values": [1.5]}},
        "payload": {"kind": "a", "price": 3, "nothing": None},
    }
    done = http.put("/collections/shop/points?wait=true", json={"points": [point]}).json()
    assert done["result"]["status"] == "completed"
    return http


def error(reply: httpx.Response) -> str:
    return reply.json()["status"]["error"]


def query(http, **body):
    return http.post("/collections/shop/points/query", json=body)


def test_health_and_version_are_served(http):
    assert http.get("/").json()["title"] == "qdrant - vector search engine"
    assert http.get("/healthz").text == "healthz check passed"
    assert http.get("/readyz").text == "all shards are ready"


def test_a_query_answers_in_the_servers_envelope_without_payload_by_default(collection):
    reply = query(collection, query=[1, 0], using="dense").json()
    assert reply["status"] == "ok"
    assert reply["time"] >= 0
    [point] = reply["result"]["points"]
    assert point["id"] == POINT
    assert point["payload"] is None


def test_payloads_come_back_as_they_were_sent(collection):
    [point] = collection.post("/collections/shop/points", json={"ids": [POINT]}).json()["result"]
    assert point["payload"] == {"kind": "a", "price": 3, "nothing": None}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"query": [1, 0], "using": "dense", "limits": 3}, 400),
        ({"query": [1, 0], "using": "dense", "filter": {"must": {"key": "kind", "is": 1}}}, 400),
        ({"query": {"fusion": "sum"}, "prefetch": []}, 400),
        ({"query": [1, 0], "using": "dense", "limit": 0}, 422),
        ({"query": [1, 0, 0], "using": "dense"}, 400),
        ({"query": [1, 0], "using": "images"}, 400),
        ({"query": [1, 0]}, 400),
    ],
)
def test_a_body_that_the_server_would_refuse_is_refused(collection, body, status):
    reply = query(collection, **body)
    assert reply.status_code == status
    assert error(reply)


def test_a_body_that_is_no_json_is_refused(collection):
    reply = collection.post("/collections/shop/points/query", content=b"{")
    assert reply.status_code == 400
    assert error(reply).startswith("Format error in JSON body")


def test_an_unknown_collection_is_not_found(http):
    reply = query(http, query=[1, 0], using="dense")
    assert reply.status_code == 404
    assert error(reply) == "Not found: Collection `shop` doesn't exist!"


def test_a_collection_cannot_be_created_twice(collection):
    assert collection.put("/collections/shop", json={"vectors": {}}).status_code == 409


@pytest.mark.parametrize(
    ("condition", "kinds"),
    [
        ({"key": "kind", "match": {"value": "a"}}, "keyword, uuid"),
        ({"key": "kind", "match": {"any": ["a"]}}, "keyword, uuid"),
        ({"key": "price", "match": {"value": 3}}, "integer"),
        ({"key": "price", "range": {"lte": 3}}, "float, integer"),
        ({"key": "kind", "match": {"value": True}}, "bool"),
    ],
)
@pytest.mark.parametrize("place", ["filter", "prefetch", "nested filter"])
def test_a_filter_needs_a_payload_index_of_its_type(collection, condition, kinds, place):
    where = {"must": [condition]}
    body = {
        "filter": {"query": [1, 0], "using": "dense", "filter": where},
        "prefetch": {
            "prefetch": [{"query": [1, 0], "using": "dense", "filter": where}],
            "query": {"fusion": "rrf"},
        },
        "nested filter": {"query": [1, 0], "using": "dense", "filter": {"must_not": [where]}},
    }[place]
    reply = query(collection, **body)
    assert reply.status_code == 400
    assert f'Index required but not found for "{condition["key"]}"' in error(reply)
    assert f"[{kinds}]" in error(reply)


def test_with_its_index_the_same_filter_is_served(collection):
    where = {"must": [{"key": "kind", "match": {"value": "a"}}]}
    created = collection.put(
        "/collections/shop/index", json={"field_name": "kind", "field_schema": "keyword"}
    )
    assert created.status_code == 200
    assert (
        len(query(collection, query=[1, 0], using="dense", filter=where).json()["result"]["points"])
        == 1
    )
    schema = collection.get("/collections/shop").json()["result"]["payload_schema"]
    assert schema == {"kind": {"data_type": "keyword", "points": 1}}


def test_deleting_by_a_filter_needs_an_index_too(collection):
    where = {"filter": {"must": [{"key": "kind", "match": {"value": "a"}}]}}
    assert collection.post("/collections/shop/points/delete", json=where).status_code == 400


def test_a_point_id_is_a_number_or_a_uuid(collection):
    point = {"id": "rose", "vector": {}, "payload": {}}
    reply = collection.put("/collections/shop/points", json={"points": [point]})
    assert reply.status_code == 400


def test_a_key_is_asked_for_everywhere_but_on_health():
    stand_in = QdrantStandIn(api_key="k")
    with serving(build_app(stand_in)) as url, httpx.Client(base_url=url, trust_env=False) as client:
        assert client.get("/healthz").status_code == 200
        assert client.get("/collections").status_code == 401
        assert client.get("/collections", headers={"api-key": "other"}).status_code == 401
        assert client.get("/collections", headers={"api-key": "k"}).status_code == 200
    stand_in.close()


def test_the_fault_switch_breaks_searches_and_mends_them(collection):
    collection.put("/__fault", json={"mode": "search"})
    assert query(collection, query=[1, 0], using="dense").status_code == 500
    assert collection.get("/collections/shop").status_code == 200
    collection.put("/__fault", json={"mode": "none"})
    assert query(collection, query=[1, 0], using="dense").status_code == 200


def test_data_and_payload_indexes_outlive_the_process(tmp_path):
    folder = str(tmp_path / "qdrant")
    first = QdrantStandIn(folder)
    first.answer(
        "PUT", "/collections/shop", b'{"vectors": {"dense": {"size": 2, "distance": "Dot"}}}'
    )
    index = {"field_name": "kind", "field_schema": "keyword"}
    first.answer("PUT", "/collections/shop/index", json.dumps(index).encode())
    point = {"id": 1, "vector": {"dense": [1, 0]}, "payload": {"kind": "a"}}
    first.answer("PUT", "/collections/shop/points", json.dumps({"points": [point]}).encode())
    first.close()
    second = QdrantStandIn(folder)
    where = {"filter": {"must": [{"key": "kind", "match": {"value": "a"}}]}}
    count = second.answer("POST", "/collections/shop/points/count", json.dumps(where).encode())
    assert count.count == 1
    second.close()


def test_many_clients_at_once_are_served(collection):
    answers = []

    def ask() -> None:
        with httpx.Client(base_url=collection.base_url, trust_env=False) as client:
            answers.extend(query(client, query=[1, 0], using="dense").status_code for _ in range(5))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 40


def test_qdrant_client_works_against_it(collection):
    client = QdrantClient(url=str(collection.base_url), check_compatibility=False)
    assert client.collection_exists("shop")
    assert client.count("shop").count == 1
    client.set_payload("shop", {"kind": "b"}, points=[POINT])
    [record], _ = client.scroll("shop")
    assert record.payload == {"kind": "b", "price": 3, "nothing": None}
    client.delete("shop", models.PointIdsList(points=[POINT]))
    assert client.count("shop").count == 0
    assert client.delete_collection("shop")
    assert not client.collection_exists("shop")
    client.close()
