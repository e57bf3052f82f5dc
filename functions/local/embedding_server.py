"""The local embedding model behind OpenAI's `/v1/embeddings`, so that containers and built artefacts can use it.

An extra field, `input_type` ("query" or "passage", the default), chooses the prefix that E5 models want.

    python -m functions.local.embedding_server --port P
"""

import argparse
from typing import Any, Literal

import uvicorn
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from shopping_agent.adapters.embedding.local import LocalEmbedder
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import DeadlineExceededError, EmbeddingUnavailableError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

SECONDS_PER_CALL = 120.0
"""A batch of 64 long passages takes seconds on one core."""


class EmbeddingsRequest(BaseModel):
    """What a client may send; token arrays and base64 are not offered."""

    model_config = ConfigDict(extra="forbid")

    model: str
    input: str | list[str] = Field(min_length=1, max_length=2048)
    encoding_format: Literal["float"] = "float"
    dimensions: Literal[384] | None = None
    input_type: Literal["query", "passage"] = "passage"
    user: str | None = None

    def texts(self) -> list[str]:
        return [self.input] if isinstance(self.input, str) else self.input


def build_app() -> Starlette:
    """The server as an ASGI application."""
    embedder = LocalEmbedder()

    async def embeddings(request: Request) -> Response:
        try:
            wanted = EmbeddingsRequest.model_validate_json(await request.body())
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            return _error(400, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
        if wanted.model != embedder.model:
            return _error(404, f"this server has {embedder.model} only")
        try:
            vectors = await run_in_threadpool(_embed, embedder, wanted)
        except (EmbeddingUnavailableError, DeadlineExceededError) as error:
            return _error(503, str(error))
        return JSONResponse(_answer(embedder.model, vectors, wanted.texts()))

    async def models(_: Request) -> Response:
        one = {"id": embedder.model, "object": "model", "created": 0, "owned_by": "local"}
        return JSONResponse({"object": "list", "data": [one]})

    async def health(_: Request) -> Response:
        return PlainTextResponse("ok")

    return Starlette(
        routes=[
            Route("/v1/embeddings", embeddings, methods=["POST"]),
            Route("/v1/models", models),
            Route("/healthz", health),
        ]
    )


def _embed(embedder: LocalEmbedder, wanted: EmbeddingsRequest) -> list[list[float]]:
    deadline = Deadline.after(SECONDS_PER_CALL)
    if wanted.input_type == "query":
        return [embedder.embed_query(text, deadline) for text in wanted.texts()]
    return embedder.embed_passages(wanted.texts(), deadline)


def _answer(model: str, vectors: list[list[float]], texts: list[str]) -> dict[str, Any]:
    tokens = sum(len(text.split()) for text in texts)
    return {
        "object": "list",
        "model": model,
        "data": [
            {"object": "embedding", "index": i, "embedding": vector}
            for i, vector in enumerate(vectors)
        ],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def _error(status: int, message: str) -> JSONResponse:
    kind = "invalid_request_error" if status < 500 else "server_error"
    return JSONResponse({"error": {"message": message, "type": kind, "code": None}}, status)


def main() -> None:
    parser = argparse.ArgumentParser(description="The local embedding model over HTTP")
    parser.add_argument("--port", type=int, required=True)
    options = parser.parse_args()
    uvicorn.run(
        build_app(),
        host="127.0.0.1",
        port=options.port,
        log_level="warning",
        lifespan="off",
        ws="none",
        timeout_keep_alive=75,
    )


if __name__ == "__main__":
    main()
