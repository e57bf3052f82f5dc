"""Embeddings of Gemini, over its REST API: `embedContent` for a query, `batchEmbedContents` for passages.

gemini-embedding-001 is told by `taskType` what a text is for. Its successors ignore that, and are told by a line before
the text: https://ai.google.dev/gemini-api/docs/embeddings
"""

import re
from collections.abc import Sequence
from typing import Any, Final, cast

import httpx

from shopping_agent.adapters.embedding.batches import Batches, InputType, Vectors
from shopping_agent.adapters.embedding.rest import EmbeddingServer
from shopping_agent.adapters.embedding.vectors import checked
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import EmbeddingUnavailableError

_GOOGLE: Final = "https://generativelanguage.googleapis.com"
_MOST_TEXTS: Final = 100
_BY_TASK_TYPE: Final = re.compile(r"^(?:gemini-embedding-(?:001|exp)|text-embedding-|embedding-)")
_TASK_TYPES: Final = {"query": "RETRIEVAL_QUERY", "passage": "RETRIEVAL_DOCUMENT"}
_PREFIXES: Final = {"query": "task: search result | query: ", "passage": "title: none | text: "}


class GeminiEmbedder:
    """`Embedder` over REST. Vectors are checked for number, length and finiteness, and L2-normalised.

    Args:
        base_url: "" for Google's own.
        dimensions: 128 to 3072; Google recommends 768, 1536 or 3072.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        model: str,
        dimensions: int,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.model = model.removeprefix("models/")
        self.dimensions = dimensions
        self._by_task_type = bool(_BY_TASK_TYPE.search(self.model))
        self._server = EmbeddingServer(
            base_url=base_url or _GOOGLE,
            headers={"x-goog-api-key": api_key},
            provider="gemini",
            transport=transport,
        )
        self._batches = Batches(self._send, most=_MOST_TEXTS)

    def close(self) -> None:
        self._server.close()

    def embed_query(self, text: str, deadline: Deadline) -> list[float]:
        return self._batches.query(text, deadline)

    def embed_passages(self, texts: Sequence[str], deadline: Deadline) -> Vectors:
        return self._batches.passages(texts, deadline)

    def _send(self, texts: Sequence[str], kind: InputType, deadline: Deadline) -> Vectors:
        requests = [self._request(text, kind) for text in texts]
        try:
            if kind == "query":
                reply = self._server.post(self._path("embedContent"), requests[0], deadline)
                embeddings = [reply["embedding"]]
            else:
                body = {"requests": requests}
                reply = self._server.post(self._path("batchEmbedContents"), body, deadline)
                embeddings = reply["embeddings"]
            found = [item["values"] for item in cast(list[dict[str, Any]], embeddings)]
        except (AttributeError, KeyError, TypeError) as error:
            raise EmbeddingUnavailableError(f"not embeddings: {type(error).__name__}") from error
        return checked(found, count=len(texts), dimensions=self.dimensions)

    def _path(self, method: str) -> str:
        return f"/v1beta/models/{self.model}:{method}"

    def _request(self, text: str, kind: InputType) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": f"models/{self.model}",
            "outputDimensionality": self.dimensions,
        }
        if self._by_task_type:
            request["taskType"] = _TASK_TYPES[kind]
        else:
            text = _PREFIXES[kind] + text
        request["content"] = {"parts": [{"text": text}]}
        return request
