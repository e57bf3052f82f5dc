"""What the index adapters do when Qdrant is down, slow, strict, or holds another model's collection."""

import time

import httpx
import pytest
from shopping_agent.adapters.index import payload, queries
from shopping_agent.adapters.index.qdrant import QdrantIndex
from shopping_agent.adapters.index.qdrant_rest import QdrantRestIndex
from shopping_agent.domain.catalog import PriceTag, Product
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import IndexUnavailableError
from shopping_agent.ports import Chunk, IndexedChunk, IndexFilter

ANY = IndexFilter()
EVERYTHING = IndexFilter(
    kinds=("description",),
    language="en",
    product_ids=("a",),
    variant_of=("family",),
    min_price=1,
    max_price=2,
    currency="MAD",
    gender="men",
    terms=("rose",),
    one_of=(("musk",),),
    exclude_terms=("oud",),
    in_stock=True,
)
PRODUCT = Product(id="a", name="A", price=PriceTag(regular=100, currency="MAD"))


def writer_of(server, model="m1", dimensions=2) -> QdrantIndex:
    return QdrantIndex(
        url=server.url,
        path="",
        api_key=server.stand_in.api_key,
        collection="products",
        model=model,
        dimensions=dimensions,
    )


def rest_of(url, key="a-key", **options) -> QdrantRestIndex:
    return QdrantRestIndex(
        url=url, api_key=key, collection="products", model="m1", dimensions=2, **options
    )


@pytest.fixture
def writer(server, deadline):
    index = writer_of(server)
    index.prepare(deadline)
    yield index
    index.close()


@pytest.fixture
def rest(server, writer):
    index = rest_of(server.url)
    yield index
    index.close()


def keys_of(part) -> set[str]:
    if isinstance(part, list):
        return set().union(*map(keys_of, part))
    if isinstance(part, dict):
        own = {part["key"]} if "key" in part else set()
        return own.union(*map(keys_of, part.values()))
    return set()


def test_every_field_that_is_filtered_has_a_payload_index():
    bodies = (
        queries.filter_json(EVERYTHING),
        queries.product_filter(["a"]),
        queries.source_filter("catalog/a.csv"),
        queries.marks_filter(),
    )
    assert set().union(*map(keys_of, bodies)) == set(payload.PAYLOAD_INDEXES)


def test_a_strict_server_serves_the_fullest_filter(rest, writer, deadline):
    for index in (rest, writer):
        hits = index.search(
            dense=[1.0, 0.0], sparse={1: 1.0}, where=EVERYTHING, limit=3, deadline=deadline
        )
        assert hits == []


def test_a_strict_server_refuses_a_filter_without_its_index(server, rest, writer, deadline):
    server.stand_in.answer("DELETE", "/collections/products/index/gender", b"")
    with pytest.raises(IndexUnavailableError, match="400"):
        rest.browse(IndexFilter(gender="men"), limit=3, cursor=None, deadline=deadline)
    writer.prepare(deadline)
    rest.browse(IndexFilter(gender="men"), limit=3, cursor=None, deadline=deadline)


def test_a_failing_search_is_unavailable_while_writes_go_on(server, rest, writer, deadline):
    server.stand_in.fault = "search"
    for index in (rest, writer):
        with pytest.raises(IndexUnavailableError, match="500"):
            index.search(dense=None, sparse={1: 1.0}, where=ANY, limit=3, deadline=deadline)
        with pytest.raises(IndexUnavailableError, match="500"):
            index.products(["a"], deadline)
    writer.remove_products(["a"], deadline)


def test_everything_failing_is_unavailable(server, rest, writer, deadline):
    server.stand_in.fault = "all"
    for index in (rest, writer):
        with pytest.raises(IndexUnavailableError):
            index.ready(deadline)
    with pytest.raises(IndexUnavailableError):
        writer.remove_products(["a"], deadline)


def test_a_server_that_is_gone_is_unavailable(deadline):
    index = rest_of("http://127.0.0.1:9")
    with pytest.raises(IndexUnavailableError):
        index.ready(deadline)
    index.close()


def test_a_slow_server_is_given_up_at_the_deadline(server, rest, writer):
    server.stand_in.fault, server.stand_in.fault_seconds = "slow", 3.0
    for index in (rest, writer):
        started = time.monotonic()
        with pytest.raises(IndexUnavailableError):
            index.chunks_of(["a"], Deadline.after(0.3))
        assert time.monotonic() - started < 1.5


def test_a_wrong_key_is_unavailable_and_never_told(server, writer, deadline):
    index = rest_of(server.url, key="sekret")
    with pytest.raises(IndexUnavailableError) as failed:
        index.ready(deadline)
    assert "sekret" not in str(failed.value)
    index.close()


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"[]",
        b'{"result": {"points": [{"score": 1}]}}',
        b'{"result": {"points": [{"score": 1, "payload": {"kind": "guide"}}]}}',
    ],
)
def test_an_answer_that_is_not_qdrants_is_unavailable(body, deadline):
    transport = httpx.MockTransport(lambda _: httpx.Response(200, content=body))
    index = rest_of("http://qdrant.test", transport=transport)
    with pytest.raises(IndexUnavailableError):
        index.search(dense=None, sparse={1: 1.0}, where=ANY, limit=3, deadline=deadline)


def test_the_key_travels_as_a_header(deadline):
    seen = []

    def reply(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"result": {}})

    index = rest_of("https://qdrant.test:6333", transport=httpx.MockTransport(reply))
    index.ready(deadline)
    assert seen[0].headers["api-key"] == "a-key"
    assert str(seen[0].url) == "https://qdrant.test:6333/collections/products"


def indexed(text="A") -> IndexedChunk:
    chunk = Chunk(
        id="a/1", kind="description", text=text, language="en", source="s", product=PRODUCT
    )
    return IndexedChunk(chunk, dense=None, sparse={1: 1.0})


def test_without_embeddings_the_collection_is_sparse_alone(server, deadline):
    writer = writer_of(server, model="none", dimensions=0)
    writer.prepare(deadline)
    writer.upsert([indexed()], deadline)
    hits = writer.search(dense=None, sparse={1: 1.0}, where=ANY, limit=3, deadline=deadline)
    assert [hit.chunk.id for hit in hits] == ["a/1"]
    writer.close()


def test_a_local_folder_keeps_its_points(tmp_path, deadline):
    def opened() -> QdrantIndex:
        return QdrantIndex(
            url="", path=str(tmp_path), api_key="", collection="products", model="m", dimensions=2
        )

    first = opened()
    first.prepare(deadline)
    first.upsert([indexed()], deadline)
    first.close()
    second = opened()
    assert set(second.products(["a"], deadline)) == {"a"}
    second.close()


def test_point_ids_are_the_same_in_every_process():
    assert payload.point_id("a/1") == "e5bcd9f6-f506-50f7-ab2a-b4ec0d0b62f0"
    assert payload.point_id("a/1") != payload.card_id("a/1")
