"""A stand-in for a Qdrant server: its REST API over qdrant-client's local mode, as strict as Qdrant Cloud.

Every body is read with qdrant-client's own models; what the real server would refuse is refused with its status and
error shape, filters on fields without a payload index among them. `PUT /__fault {"mode": "all" | "search" | "slow" | "none",
"seconds": 1.0}` breaks it on purpose and `GET /__traffic` tells what was asked (routes that Qdrant does not have).

    python -m functions.local.qdrant_server --port P --path DIR [--api-key K]
"""

import argparse
import asyncio
import hmac
import re
import time
import warnings
from collections import Counter
from importlib.metadata import version
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from functions.local.qdrant_rules import RefusalError
from functions.local.qdrant_standin import QdrantStandIn, dumped
from functions.local.traffic import Traffic

# What Qdrant accepts by default (service.max_request_size_mb).
MAX_BODY_BYTES = 32 * 1024 * 1024
_OPEN = {
    "/": "",
    "/healthz": "healthz check passed",
    "/livez": "healthz check passed",
    "/readyz": "all shards are ready",
}
_SEARCHES = re.compile(r"/points(/query|/query/batch|/scroll|/count)?$")


def build_app(server: QdrantStandIn) -> Starlette:
    """The stand-in as an ASGI application; `server.fault` breaks it while it runs."""

    async def endpoint(request: Request) -> Response:
        started = time.perf_counter()
        path = request.url.path
        if path == "/__fault":
            return await _set_fault(server, request)
        server.requests.append((request.method, path))
        try:
            await _apply_fault(server, path)
            if path in _OPEN and request.method == "GET":
                return _open_page(path)
            _authorize(server, request)
            body = await request.body()
            if len(body) > MAX_BODY_BYTES:
                raise RefusalError(413, "Payload error: JSON payload is too large")
            result = await run_in_threadpool(server.answer, request.method, path, body)
        except RefusalError as refused:
            return _envelope({"status": {"error": refused.message}}, started, refused.status)
        return _envelope({"result": dumped(result), "status": "ok"}, started, 200)

    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    return Starlette(
        routes=[Route("/{path:path}", endpoint, methods=methods)],
        middleware=[Middleware(Traffic, counts=Counter[str]())],
    )


def _envelope(content: dict[str, Any], started: float, status: int) -> JSONResponse:
    return JSONResponse({**content, "time": time.perf_counter() - started}, status)


def _open_page(path: str) -> Response:
    if path != "/":
        return PlainTextResponse(_OPEN[path])
    # The client of a release goes with the server of the same minor version.
    return JSONResponse(
        {"title": "qdrant - vector search engine", "version": version("qdrant-client")}
    )


def _authorize(server: QdrantStandIn, request: Request) -> None:
    if not server.api_key:
        return
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    sent = request.headers.get("api-key") or bearer
    if not sent:
        raise RefusalError(401, "Must provide an API key or an Authorization bearer token")
    if not hmac.compare_digest(sent.encode(), server.api_key.encode()):
        raise RefusalError(401, "Invalid API key or JWT")


async def _set_fault(server: QdrantStandIn, request: Request) -> Response:
    wanted = await request.json()
    server.fault = str(wanted.get("mode", "none"))
    server.fault_seconds = float(wanted.get("seconds", 1.0))
    return JSONResponse({"mode": server.fault})


async def _apply_fault(server: QdrantStandIn, path: str) -> None:
    if server.fault == "slow":
        await asyncio.sleep(server.fault_seconds)
    if server.fault == "all" or (server.fault == "search" and _SEARCHES.search(path)):
        raise RefusalError(500, "Service internal error: broken on purpose")


def main() -> None:
    parser = argparse.ArgumentParser(description="A stand-in for a Qdrant server")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--path", default="", help="folder of its data; memory without one")
    parser.add_argument("--api-key", default="")
    options = parser.parse_args()
    # Local mode advises against many points: this is local mode on purpose.
    warnings.filterwarnings("ignore", module="qdrant_client")
    server = QdrantStandIn(options.path, options.api_key)
    try:
        uvicorn.run(
            build_app(server),
            host="127.0.0.1",
            port=options.port,
            log_level="warning",
            lifespan="off",
            ws="none",
            timeout_keep_alive=75,
        )
    finally:
        server.close()


if __name__ == "__main__":
    main()
