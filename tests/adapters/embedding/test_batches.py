"""How the embedders over HTTP fill their requests, and what they make of limits and outages."""

import json

import httpx
import pytest
from shopping_agent.adapters.embedding import batches
from shopping_agent.adapters.embedding.gemini import GeminiEmbedder
from shopping_agent.adapters.embedding.openai import OpenAIEmbedder
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import EmbeddingUnavailableError


class Provider:
    """A server of two numbers per text: its length and 1. `refuse(texts)` may answer in its place."""

    def __init__(self, refuse=lambda texts: None):
        self.asked: list[list[str]] = []
        self.requests: list[httpx.Request] = []
        self.refuse = refuse

    def __call__(self, request):
        self.requests.append(request)
        body = json.loads(request.content)
        if "input" in body:
            texts = body["input"]
        else:
            wanted = body.get("requests", [body])
            texts = [one["content"]["parts"][0]["text"] for one in wanted]
        self.asked.append(texts)
        refusal = self.refuse(texts)
        if refusal is not None:
            return refusal
        vectors = [[len(text), 1] for text in texts]
        if "input" in body:
            data = [{"index": i, "embedding": v} for i, v in enumerate(vectors)]
            return httpx.Response(200, json={"data": data})
        if "requests" in body:
            return httpx.Response(200, json={"embeddings": [{"values": v} for v in vectors]})
        return httpx.Response(200, json={"embedding": {"values": vectors[0]}})

    @property
    def sizes(self):
        return [len(texts) for texts in self.asked]


@pytest.fixture(params=["openai", "gemini"])
def made(request):
    def make(provider):
        transport = httpx.MockTransport(provider)
        if request.param == "openai":
            return OpenAIEmbedder(
                base_url="http://e.test/v1",
                api_key="sekret",
                model="nomic-embed-text",
                dimensions=2,
                transport=transport,
            )
        return GeminiEmbedder(
            base_url="",
            api_key="sekret",
            model="gemini-embedding-001",
            dimensions=2,
            transport=transport,
        )

    return make


@pytest.fixture
def pauses(monkeypatch):
    """Waits are noted, not waited."""
    noted = []
    original = batches.Batches.__init__

    def patched(self, send, *, most):
        original(self, send, most=most, pause=noted.append)

    monkeypatch.setattr(batches.Batches, "__init__", patched)
    return noted


@pytest.fixture
def deadline():
    return Deadline.after(120)


def failing_first(times, reply):
    left = [times]

    def refuse(texts):
        left[0] -= 1
        return reply if left[0] >= 0 else None

    return refuse


def at_most(limit, reply):
    return lambda texts: reply if len(texts) > limit else None


def shorter_than(limit, reply):
    return lambda texts: reply if any(len(text) >= limit for text in texts) else None


TEXTS = ["x" * (i + 1) for i in range(230)]
TOO_MANY = [
    httpx.Response(413),
    httpx.Response(
        400,
        json={
            "error": {
                "code": 400,
                "message": "* BatchEmbedContentsRequest.requests: at most 30 requests can be in one batch",
                "status": "INVALID_ARGUMENT",
            }
        },
    ),
    httpx.Response(
        422,
        json={"error": "batch size 64 > maximum allowed batch size 30", "error_type": "Validation"},
    ),
    httpx.Response(
        400, json={"error": {"message": "Requested 412000 tokens, max 300000 tokens per request"}}
    ),
]


def test_no_request_holds_more_texts_than_the_provider_takes(made, deadline):
    provider = Provider()
    vectors = made(provider).embed_passages(TEXTS, deadline)
    assert max(provider.sizes) <= 100
    assert [text for asked in provider.asked for text in asked] == TEXTS
    assert [round(v[0] / v[1]) for v in vectors] == [len(text) for text in TEXTS]


@pytest.mark.parametrize("reply", TOO_MANY, ids=lambda reply: str(reply.status_code))
def test_a_batch_that_is_refused_for_its_size_is_cut_and_the_size_remembered(made, deadline, reply):
    provider = Provider(at_most(30, reply))
    embedder = made(provider)
    vectors = embedder.embed_passages(TEXTS, deadline)
    assert [round(v[0] / v[1]) for v in vectors] == [len(text) for text in TEXTS]
    refused = sum(size > 30 for size in provider.sizes)
    assert refused <= 2
    embedder.embed_passages(TEXTS, deadline)
    assert sum(size > 30 for size in provider.sizes) == refused


def test_a_text_that_is_too_long_by_itself_is_shortened(made, deadline):
    reply = httpx.Response(
        400,
        json={"error": {"message": "the input length exceeds the context length", "code": 400}},
    )
    provider = Provider(shorter_than(600, reply))
    embedder = made(provider)
    assert len(embedder.embed_passages(["x" * 2000, "short"], deadline)) == 2
    assert len(embedder.embed_query("y" * 1000, deadline)) == 2
    assert len(provider.asked) <= 8


def test_a_refusal_that_no_size_mends_ends_after_a_few_requests(made, deadline):
    bad = httpx.Response(400, json={"error": {"message": "no such thing sekret", "code": 400}})
    provider = Provider(lambda _: bad)
    with pytest.raises(EmbeddingUnavailableError) as failed:
        made(provider).embed_passages(TEXTS[:64], deadline)
    assert len(provider.asked) <= 8
    assert "sekret" not in str(failed.value)


RETRY_INFO = {
    "error": {
        "code": 429,
        "status": "RESOURCE_EXHAUSTED",
        "message": "Quota exceeded",
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                "violations": [{"quotaId": "EmbedContentRequestsPerMinutePerUserPerProject"}],
            },
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"},
        ],
    }
}


@pytest.mark.parametrize(
    "reply",
    [httpx.Response(429, headers={"retry-after": "34"}), httpx.Response(429, json=RETRY_INFO)],
)
def test_passages_wait_as_long_as_they_are_told(made, deadline, pauses, reply):
    provider = Provider(failing_first(2, reply))
    assert len(made(provider).embed_passages(["a", "b"], deadline)) == 2
    assert [34 <= pause < 35 for pause in pauses] == [True, True]


def test_a_wait_that_does_not_fit_the_deadline_is_not_begun(made, pauses):
    provider = Provider(lambda _: httpx.Response(429, headers={"retry-after": "34"}))
    with pytest.raises(EmbeddingUnavailableError):
        made(provider).embed_passages(["a"], Deadline.after(30))
    assert pauses == []
    assert len(provider.asked) == 1


def test_waiting_has_an_end(made, deadline, pauses):
    for headers in ({"retry-after": "1"}, {}):
        provider = Provider(lambda _, given=headers: httpx.Response(429, headers=given))
        with pytest.raises(EmbeddingUnavailableError):
            made(provider).embed_passages(["a"], deadline)
        assert len(provider.asked) <= 7


def test_a_query_never_waits_for_a_rate_limit(made, deadline, pauses):
    provider = Provider(lambda _: httpx.Response(429, headers={"retry-after": "1"}))
    with pytest.raises(EmbeddingUnavailableError):
        made(provider).embed_query("rose", deadline)
    assert (len(provider.asked), pauses) == (1, [])


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_an_outage_of_a_moment_is_repeated_once(made, deadline, pauses, status):
    provider = Provider(failing_first(1, httpx.Response(status)))
    embedder = made(provider)
    assert len(embedder.embed_passages(["a"], deadline)) == 1
    provider.refuse = failing_first(1, httpx.Response(status))
    assert len(embedder.embed_query("a", deadline)) == 2
    assert max(pauses) < 1
    provider.refuse = lambda _: httpx.Response(status)
    with pytest.raises(EmbeddingUnavailableError):
        embedder.embed_passages(["a"], deadline)
    assert len(provider.asked) == 6


def test_a_lost_connection_is_repeated_once(made, deadline, pauses):
    lost = [True]

    class Losing(Provider):
        def __call__(self, request):
            if lost.pop() if lost else False:
                raise httpx.ReadError("reset", request=request)
            return super().__call__(request)

    assert len(made(Losing()).embed_passages(["a"], deadline)) == 1


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_no_repeating_mends_is_not_repeated(made, deadline, pauses, status):
    provider = Provider(lambda _: httpx.Response(status, json={"error": {"message": "key sekret"}}))
    with pytest.raises(EmbeddingUnavailableError) as failed:
        made(provider).embed_passages(["a", "b"], deadline)
    assert len(provider.asked) == 1
    assert "sekret" not in str(failed.value)


# --- Gemini's own words ------------------------------------------------------------------------


def gemini(provider, model="gemini-embedding-001", base_url="") -> GeminiEmbedder:
    return GeminiEmbedder(
        base_url=base_url,
        api_key="sekret",
        model=model,
        dimensions=2,
        transport=httpx.MockTransport(provider),
    )


def test_gemini_gets_the_task_in_a_field_and_the_key_in_a_header(deadline):
    provider = Provider()
    embedder = gemini(provider)
    embedder.embed_query("rose", deadline)
    embedder.embed_passages(["oud"], deadline)
    query, passages = provider.requests
    base = "https://generativelanguage.googleapis.com/v1beta/models/gemini-embedding-001"
    assert str(query.url) == f"{base}:embedContent"
    assert str(passages.url) == f"{base}:batchEmbedContents"
    assert query.headers["x-goog-api-key"] == "sekret"
    assert json.loads(query.content) == {
        "model": "models/gemini-embedding-001",
        "outputDimensionality": 2,
        "taskType": "RETRIEVAL_QUERY",
        "content": {"parts": [{"text": "rose"}]},
    }
    [passage] = json.loads(passages.content)["requests"]
    assert passage["taskType"] == "RETRIEVAL_DOCUMENT"


@pytest.mark.parametrize("model", ["gemini-embedding-2", "models/gemini-embedding-2-preview"])
def test_its_successor_gets_the_task_before_the_text(deadline, model):
    provider = Provider()
    embedder = gemini(provider, model, "http://127.0.0.1:1/proxy")
    embedder.embed_query("rose", deadline)
    embedder.embed_passages(["oud"], deadline)
    assert provider.asked == [["task: search result | query: rose"], ["title: none | text: oud"]]
    assert all(b"taskType" not in request.content for request in provider.requests)
    assert provider.requests[0].url.path.startswith("/proxy/v1beta/models/gemini-embedding-2")
    assert not embedder.model.startswith("models/")


@pytest.mark.parametrize(
    "body",
    [
        {"embeddings": [{"values": [1, 0]}]},
        {"embeddings": [{"values": [1, 0]}, {"values": [1, 0, 0]}]},
        {"embeddings": [{"values": [1, 0]}, {"values": [0, 0]}]},
        {"embeddings": [{"values": [1, 0]}, {"values": ["a", "b"]}]},
        {"embeddings": [{"values": [1, 0]}, {}]},
        {"embeddings": [{"values": [1, 0]}, None]},
        {"embeddings": None},
        {},
        [],
        None,
    ],
)
def test_a_wrong_answer_of_gemini_is_unavailable(deadline, body):
    with pytest.raises(EmbeddingUnavailableError):
        gemini(lambda _: httpx.Response(200, json=body)).embed_passages(["a", "b"], deadline)
