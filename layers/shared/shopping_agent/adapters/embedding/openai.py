"""Embeddings from any server that speaks OpenAI's `/v1/embeddings`, over httpx: one call for a query.

E5 models embed a query and a passage differently, which that protocol cannot say: for model names containing "e5"
an extra field `input_type` ("query" or "passage") is sent, which our local embedding server reads.
"""

import math
from collections.abc import Sequence
from typing import Any, Final, Literal, cast

import httpx

from shopping_agent.adapters.embedding.texts import LONGEST_PASSAGE, LONGEST_QUERY, readable
from shopping_agent.adapters.transport import deadline_client, limit
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import EmbeddingUnavailableError

_BATCH: Final = 64
# A query's share of a turn: search goes on with words alone when it is over.
_QUERY_SECONDS: Final = 4.0

InputType = Literal["query", "passage"]


class OpenAIEmbedder:
    """`Embedder` over REST. Vectors are checked for order, length and finiteness, and L2-normalised."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        model: str,
        dimensions: int,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.model = model
        self.dimensions = dimensions
        self._client = deadline_client(
            base_url=base_url,
            headers={"authorization": f"Bearer {api_key}"} if api_key else None,
            transport=transport,
        )

    def close(self) -> None:
        self._client.close()

    def embed_query(self, text: str, deadline: Deadline) -> list[float]:
        return self._embed(
            [readable(text, LONGEST_QUERY)], "query", deadline.capped(_QUERY_SECONDS)
        )[0]

    def embed_passages(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        vectors: list[list[float]] = []
        for start in range(0, len(texts), _BATCH):
            batch = [readable(text, LONGEST_PASSAGE) for text in texts[start : start + _BATCH]]
            vectors += self._embed(batch, "passage", deadline)
        return vectors

    def _embed(
        self, texts: Sequence[str], kind: InputType, deadline: Deadline
    ) -> list[list[float]]:
        body: dict[str, Any] = {
            "model": self.model,
            "input": list(texts),
            "encoding_format": "float",
        }
        if "e5" in self.model.casefold():
            body["input_type"] = kind
        if self.model.startswith("text-embedding-3"):  # the family that can shorten its vectors
            body["dimensions"] = self.dimensions
        try:
            with limit(deadline):
                reply = self._client.post("/embeddings", json=body)
            reply.raise_for_status()
            data = cast(dict[str, Any], reply.json())["data"]
            return self._vectors(data, len(texts))
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            raise EmbeddingUnavailableError(f"the embedding server answered {status}") from error
        except httpx.HTTPError as error:
            raise EmbeddingUnavailableError(f"embeddings: {type(error).__name__}") from error
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise EmbeddingUnavailableError(f"not embeddings: {str(error)[:100]}") from error

    def _vectors(self, data: list[dict[str, Any]], count: int) -> list[list[float]]:
        """Vectors in the order of the texts: a server may answer in any.

        Raises:
            ValueError: when one is missing, doubled, of another length, or no direction at all.
        """
        by_index = {int(item["index"]): item["embedding"] for item in data}
        if len(data) != count or sorted(by_index) != list(range(count)):
            raise ValueError(f"{len(data)} vectors for {count} texts")
        return [self._normalised(by_index[i]) for i in range(count)]

    def _normalised(self, values: Sequence[float]) -> list[float]:
        vector = [float(value) for value in values]
        if len(vector) != self.dimensions:
            raise ValueError(f"a vector of {len(vector)} instead of {self.dimensions}")
        norm = math.sqrt(math.fsum(value * value for value in vector))
        if not math.isfinite(norm) or norm == 0.0:
            raise ValueError("a vector without a direction")
        return [value / norm for value in vector]
