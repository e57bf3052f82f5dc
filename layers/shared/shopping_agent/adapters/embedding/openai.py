"""Embeddings from any server that speaks OpenAI's `/v1/embeddings`, Ollama's and vLLM's included: one call for a query.

E5 models embed a query and a passage differently, which that protocol cannot say: for model names containing "e5"
an extra field `input_type` ("query" or "passage") is sent, which our local embedding server reads.
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

_MOST_TEXTS: Final = 64
# The families that can shorten their vectors: others refuse the field, or ignore it.
_SHORTENED: Final = re.compile(r"(?:^|/)(?:text-embedding-3|gemini-embedding)")


class OpenAIEmbedder:
    """`Embedder` over REST. Vectors are checked for order, length and finiteness, and L2-normalised.

    Args:
        base_url: with `/v1`, as OpenAI's SDK takes it.
        api_key: "" where the server asks for none.
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
        self.model = model
        self.dimensions = dimensions
        self._server = EmbeddingServer(
            base_url=base_url,
            headers={"authorization": f"Bearer {api_key}"} if api_key else {},
            provider="openai",
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
        body: dict[str, Any] = {
            "model": self.model,
            "input": list(texts),
            "encoding_format": "float",
        }
        if "e5" in self.model.casefold():
            body["input_type"] = kind
        if _SHORTENED.search(self.model):
            body["dimensions"] = self.dimensions
        reply = self._server.post("/embeddings", body, deadline)
        try:
            found = _in_order(cast(list[dict[str, Any]], reply["data"]))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise EmbeddingUnavailableError(f"not embeddings: {type(error).__name__}") from error
        return checked(found, count=len(texts), dimensions=self.dimensions)


def _in_order(data: Sequence[dict[str, Any]]) -> list[Any]:
    """Embeddings in the order of the texts: a server may answer in any, and some number none.

    Raises:
        ValueError: when one is missing or doubled.
    """
    if all("index" not in item for item in data):
        return [item["embedding"] for item in data]
    by_index = {int(item["index"]): item["embedding"] for item in data}
    return [by_index[position] for position in range(len(data))]
