"""Embeddings in OpenAI's and Gemini's shapes: words hashed into a vector, so that texts that share words are near."""

import hashlib
import math
import re
from collections.abc import Mapping
from typing import Any, Final

from functions.local.fake_provider.refusals import RefusedError

_DIMENSIONS: Final = 768
_MOST_AT_GEMINI: Final = 100
_MOST_AT_OPENAI: Final = 2048


def vector(text: str, dimensions: int) -> list[float]:
    """A vector of length 1 (of zeros where the text has no word)."""
    values = [0.0] * dimensions
    for word in re.findall(r"\w+", text.lower()):
        digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
        values[int.from_bytes(digest[:4], "big") % dimensions] += 1.0 if digest[4] & 1 else -1.0
    length = math.sqrt(sum(v * v for v in values)) or 1.0
    return [v / length for v in values]


def openai_embeddings(body: Mapping[str, Any]) -> dict[str, Any]:
    """`/v1/embeddings`.

    Raises:
        RefusedError: the input is not one to a few thousand texts.
    """
    given = body.get("input")
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not 1 <= len(texts) <= _MOST_AT_OPENAI:
        raise RefusedError("'input' : must hold 1 to 2048 texts")
    if not all(isinstance(text, str) and text for text in texts):
        raise RefusedError("'input' : empty strings are not allowed")
    size = _size(body.get("dimensions"))
    return {
        "object": "list",
        "model": body.get("model", ""),
        "data": [
            {"object": "embedding", "index": i, "embedding": vector(text, size)}
            for i, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": len(texts) * 8, "total_tokens": len(texts) * 8},
    }


def gemini_embeddings(body: Mapping[str, Any], verb: str) -> dict[str, Any]:
    """`:embedContent` and `:batchEmbedContents`.

    Raises:
        RefusedError: too many requests, or one without a text.
    """
    if verb == "embedContent":
        return {"embedding": {"values": _of_request(body)}}
    requests = body.get("requests")
    if not isinstance(requests, list) or not 1 <= len(requests) <= _MOST_AT_GEMINI:
        raise RefusedError("* BatchEmbedContentsRequest.requests: at most 100 requests")
    return {"embeddings": [{"values": _of_request(request)} for request in requests]}


def _of_request(request: Mapping[str, Any]) -> list[float]:
    parts = (request.get("content") or {}).get("parts") or []
    text = "\n".join(str(part.get("text", "")) for part in parts)
    if not text:
        raise RefusedError("* EmbedContentRequest.content: contents is not specified")
    config = request.get("embedContentConfig") or request
    return vector(text, _size(config.get("outputDimensionality")))


def _size(asked: Any) -> int:
    if asked is None:
        return _DIMENSIONS
    if type(asked) is not int or not 1 <= asked <= 3072:
        raise RefusedError("the number of dimensions must be between 1 and 3072")
    return asked
