"""The contract of `Embedder`, in process and over HTTP, and what the HTTP one makes of wrong answers."""

import json
import math
import threading
import time

import httpx
import pytest
from shopping_agent.adapters.embedding.gemini import GeminiEmbedder
from shopping_agent.adapters.embedding.local import LocalEmbedder
from shopping_agent.adapters.embedding.openai import OpenAIEmbedder
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import DeadlineExceededError, EmbeddingUnavailableError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from functions.local.embedding_server import build_app
from functions.local.serving import serving

MODEL = "multilingual-e5-small"
WAX = "Bougie en cire de soja parfumée au cèdre"
ROSE = "A floral perfume with rose and jasmine"
RETURNS = "You may send an unopened item back within fourteen days"


@pytest.fixture(scope="module")
def server():
    with serving(build_app()) as url:
        yield url


@pytest.fixture(scope="module")
def gemini_server():
    """The local model under the methods of Gemini's API."""
    model = LocalEmbedder()

    def vector(wanted):
        text = wanted["content"]["parts"][0]["text"]
        if wanted["taskType"] == "RETRIEVAL_QUERY":
            return {"values": model.embed_query(text, Deadline.after(30))}
        return {"values": model.embed_passages([text], Deadline.after(30))[0]}

    async def embed(request: Request):
        wanted = await request.json()
        if request.path_params["method"] == "embedContent":
            return JSONResponse({"embedding": await run_in_threadpool(vector, wanted)})
        vectors = [await run_in_threadpool(vector, one) for one in wanted["requests"]]
        return JSONResponse({"embeddings": vectors})

    route = Route("/v1beta/models/gemini-embedding-001:{method}", embed, methods=["POST"])
    with serving(Starlette(routes=[route])) as url:
        yield url


@pytest.fixture(params=["in process", "openai", "gemini"])
def embedder(request):
    if request.param == "in process":
        yield LocalEmbedder()
        return
    if request.param == "openai":
        url = request.getfixturevalue("server")
        client = OpenAIEmbedder(base_url=f"{url}/v1", api_key="k", model=MODEL, dimensions=384)
    else:
        url = request.getfixturevalue("gemini_server")
        client = GeminiEmbedder(
            base_url=url, api_key="k", model="gemini-embedding-001", dimensions=384
        )
    yield client
    client.close()


@pytest.fixture
def deadline():
    return Deadline.after(60)


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def test_vectors_are_as_long_as_promised_and_normalised(embedder, deadline):
    for vector in [
        embedder.embed_query("rose", deadline),
        *embedder.embed_passages([ROSE], deadline),
    ]:
        assert len(vector) == embedder.dimensions
        assert math.isclose(cosine(vector, vector), 1.0, rel_tol=1e-4)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("un parfum fleuri pour femme", ROSE),
        ("عطر بالورد والياسمين", ROSE),
        ("can I return my order?", RETURNS),
        ("a candle made of soy wax", WAX),
    ],
)
def test_the_nearest_passage_is_the_one_that_answers(embedder, deadline, question, answer):
    passages = [WAX, ROSE, RETURNS]
    vectors = embedder.embed_passages(passages, deadline)
    query = embedder.embed_query(question, deadline)
    best = max(range(3), key=lambda i: cosine(query, vectors[i]))
    assert passages[best] == answer


def test_a_query_does_not_wait_for_the_passages_of_an_ingestion(embedder, deadline):
    texts = [f"{RETURNS}, said rule {i}. " * 8 for i in range(10)]
    done = threading.Event()

    def ingest():
        embedder.embed_passages(texts, deadline)
        done.set()

    thread = threading.Thread(target=ingest)
    thread.start()
    try:
        time.sleep(0.1)
        for question in ("rose", "returns", "candle"):
            embedder.embed_query(question, deadline)
        assert not done.is_set()
    finally:
        thread.join()
    assert done.is_set()


def test_passages_keep_their_order_over_several_batches(embedder, deadline):
    texts = [f"number {i}" for i in range(70)]
    vectors = embedder.embed_passages(texts, deadline)
    assert len(vectors) == 70
    assert cosine(vectors[69], embedder.embed_passages(["number 69"], deadline)[0]) > 0.999


def test_queries_and_passages_are_embedded_differently(embedder, deadline):
    [passage] = embedder.embed_passages([ROSE], deadline)
    assert cosine(embedder.embed_query(ROSE, deadline), passage) < 0.999


def test_no_texts_make_no_vectors(embedder, deadline):
    assert embedder.embed_passages([], deadline) == []


@pytest.mark.parametrize("text", ["", "\0", "\ud83d lone", "🌹" * 5_000, "كلمة " * 9_000])
def test_any_text_gets_a_vector(embedder, deadline, text):
    assert len(embedder.embed_query(text, deadline)) == embedder.dimensions


def test_when_time_is_over_there_is_no_vector(embedder):
    with pytest.raises((EmbeddingUnavailableError, DeadlineExceededError)):
        embedder.embed_query("rose", Deadline.after(-1))


def test_the_server_lists_its_model_and_refuses_others(server):
    with httpx.Client(base_url=server, trust_env=False) as client:
        assert client.get("/v1/models").json()["data"][0]["id"] == MODEL
        other = client.post("/v1/embeddings", json={"model": "m", "input": "x"})
        assert other.status_code == 404
        empty = client.post("/v1/embeddings", json={"model": MODEL, "input": []})
        assert empty.status_code == 400
        assert empty.json()["error"]["type"] == "invalid_request_error"


def openai(reply, model="some-model") -> OpenAIEmbedder:
    return OpenAIEmbedder(
        base_url="https://embeddings.test/v1",
        api_key="sekret",
        model=model,
        dimensions=2,
        transport=httpx.MockTransport(reply),
    )


def answering(*vectors, order=None) -> httpx.Response:
    order = order or range(len(vectors))
    data = [{"index": i, "embedding": vectors[i]} for i in order]
    return httpx.Response(200, json={"data": data})


def test_vectors_are_put_in_the_order_of_the_texts_and_normalised(deadline):
    embedder = openai(lambda _: answering([0, 5], [3, 4], order=[1, 0]))
    assert embedder.embed_passages(["a", "b"], deadline) == [[0.0, 1.0], [0.6, 0.8]]


def test_a_server_that_numbers_no_vector_answers_in_the_order_of_the_texts(deadline):
    data = [{"embedding": [0, 5]}, {"embedding": [3, 4]}]
    embedder = openai(lambda _: httpx.Response(200, json={"data": data}))
    assert embedder.embed_passages(["a", "b"], deadline) == [[0.0, 1.0], [0.6, 0.8]]


@pytest.mark.parametrize(
    "reply",
    [
        answering([1, 0]),
        answering([1, 0], [1, 0, 0]),
        answering([1, 0], [0, 0]),
        answering([1, 0], ["a", "b"]),
        httpx.Response(200, json={"data": [{"index": 0, "embedding": [1, 0]}] * 2}),
        httpx.Response(200, json={"data": None}),
        httpx.Response(200, json=[]),
        httpx.Response(200, content=b"<html>"),
        httpx.Response(200, content=b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}'),
        httpx.Response(429, json={"error": {"message": "sekret plan"}}),
        httpx.Response(500),
    ],
)
def test_a_wrong_answer_is_unavailable_and_quotes_nothing(reply):
    embedder = openai(lambda _: reply)
    with pytest.raises(EmbeddingUnavailableError) as failed:
        embedder.embed_passages(["a", "b"], Deadline.after(2))
    assert "sekret" not in str(failed.value)


def test_a_server_that_cannot_be_reached_is_unavailable(deadline):
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    with pytest.raises(EmbeddingUnavailableError):
        openai(refuse).embed_query("a", deadline)


@pytest.mark.parametrize(
    ("model", "extra"),
    [
        ("multilingual-E5-large", {"input_type": "query"}),
        ("text-embedding-3-small", {"dimensions": 2}),
        ("openai/text-embedding-3-large", {"dimensions": 2}),
        ("nomic-embed-text", {}),
    ],
)
def test_only_what_a_model_understands_is_sent(model, extra, deadline):
    sent = []

    def reply(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return answering([1, 0])

    openai(reply, model).embed_query("rose", deadline)
    assert sent[0].headers["authorization"] == "Bearer sekret"
    assert str(sent[0].url) == "https://embeddings.test/v1/embeddings"
    assert json.loads(sent[0].content) == {
        "model": model,
        "input": ["rose"],
        "encoding_format": "float",
        **extra,
    }
