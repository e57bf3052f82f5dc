"""API Gateway on localhost: HTTP in, Lambda invocations behind, with the gateway's own limits and errors.

Run as `python -m functions.local.gateway --port N --invoke-port M --cors ORIGINS`.
"""

import argparse
import http.client
import json
import sys
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import uvicorn

from functions.local.cors import Cors
from functions.local.http_event import (
    BadAnswerError,
    HttpRequest,
    HttpResponse,
    event_of,
    response_of,
)
from functions.local.runtime import INVOKE_PREFIX, INVOKE_SUFFIX

MAX_REQUEST_BYTES = 10 * 1024 * 1024
TIMEOUT_SECONDS = 30.0
CONCURRENCY = 100
CHAT_PREFIX = "/api/v1/ai/"

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


def route_of(method: str, path: str) -> tuple[str, str]:
    """(function, route key): chat has its own function, everything else is the store's."""
    if method == "POST" and path.startswith(CHAT_PREFIX):
        return "chat", f"POST {CHAT_PREFIX}{{proxy+}}"
    return "store", "$default"


@dataclass(frozen=True, slots=True)
class Invoked:
    """What the Invoke API said: its HTTP status, the payload, whether that is a function's error."""

    status: int
    payload: bytes
    is_error: bool


class LambdaClient:
    """Invokes functions; one kept connection per thread."""

    def __init__(self, port: int, *, timeout: float = TIMEOUT_SECONDS) -> None:
        self._port = port
        self._timeout = timeout
        self._kept = threading.local()

    def invoke(self, function: str, event: dict[str, Any]) -> Invoked:
        """Run one event.

        Raises:
            OSError: no answer in time (`TimeoutError`) or no Lambda service.
        """
        body = json.dumps(event).encode()
        path = f"{INVOKE_PREFIX}{function}{INVOKE_SUFFIX}"
        connection = getattr(self._kept, "connection", None)
        if connection is None:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=self._timeout)
            self._kept.connection = connection
        try:
            connection.request("POST", path, body)
            response = connection.getresponse()
            payload = response.read()
            is_error = "X-Amz-Function-Error" in response.headers
            return Invoked(status=response.status, payload=payload, is_error=is_error)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise error if isinstance(error, OSError) else ConnectionError(str(error)) from error

    def close(self) -> None:
        """Close this thread's connection."""
        if connection := getattr(self._kept, "connection", None):
            connection.close()
            self._kept.connection = None


def handle(request: HttpRequest, *, functions: LambdaClient, cors: Cors) -> HttpResponse:
    """One request, start to end, as API Gateway would answer it."""
    if preflight := cors.preflight(request):
        return preflight
    if len(request.body) > MAX_REQUEST_BYTES:
        return cors.apply(request, HttpResponse.message(413, "Request Entity Too Large"))
    function, route = route_of(request.method, request.path)
    event = event_of(request, route=route)
    response = cors.apply(request, _invoke(functions, function, event))
    request_id = event["requestContext"]["requestId"]
    headers = [*response.headers, ("apigw-requestid", request_id)]
    return HttpResponse(response.status, headers, response.body, request_id)


def _invoke(functions: LambdaClient, function: str, event: dict[str, Any]) -> HttpResponse:
    unavailable = HttpResponse.message(503, "Service Unavailable")
    try:
        invoked = functions.invoke(function, event)
    except OSError as error:
        print(f"{function}: no answer ({type(error).__name__})", file=sys.stderr, flush=True)
        return unavailable
    if invoked.status == http.HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return HttpResponse.message(413, "Request Entity Too Large")
    if invoked.status != http.HTTPStatus.OK:
        return unavailable
    if invoked.is_error:
        timed_out = b"Sandbox.Timedout" in invoked.payload
        return unavailable if timed_out else HttpResponse.message(500, "Internal Server Error")
    try:
        return response_of(json.loads(invoked.payload))
    except (BadAnswerError, ValueError) as error:
        print(f"{function}: bad answer: {error}", file=sys.stderr, flush=True)
        return HttpResponse.message(500, "Internal Server Error")


class Gateway:
    """The ASGI side: reads the request, runs `handle` in a thread, writes the response."""

    def __init__(self, *, functions: LambdaClient, cors: Cors) -> None:
        self._handle = partial(handle, functions=functions, cors=cors)
        self._limiter: anyio.CapacityLimiter | None = None

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        self._limiter = self._limiter or anyio.CapacityLimiter(CONCURRENCY)
        body = await _read(receive)
        if body is None:
            return
        request = _request_of(scope, body)
        response = await anyio.to_thread.run_sync(self._handle, request, limiter=self._limiter)
        headers = [(n.encode(), v.encode("utf-8")) for n, v in response.headers]
        if response.status not in (204, 304):
            headers.append((b"content-length", str(len(response.body)).encode()))
        start = {"type": "http.response.start", "status": response.status, "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": response.body})


async def _read(receive: Receive) -> bytes | None:
    """The body, cut one byte after the limit; None when the client went away."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        if size <= MAX_REQUEST_BYTES:
            parts.append(message.get("body", b""))
            size += len(parts[-1])
        if not message.get("more_body"):
            return b"".join(parts)


def _request_of(scope: dict[str, Any], body: bytes) -> HttpRequest:
    headers = [(n.decode("latin-1").lower(), v.decode("latin-1")) for n, v in scope["headers"]]
    return HttpRequest(
        method=scope["method"],
        path=scope["raw_path"].split(b"?")[0].decode("latin-1"),
        query=scope["query_string"].decode("latin-1"),
        headers=headers,
        body=body,
        source_ip=scope["client"][0] if scope.get("client") else "127.0.0.1",
        protocol=f"HTTP/{scope['http_version']}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--invoke-port", type=int, required=True)
    parser.add_argument("--cors", default="*", help="allowed origins, separated by commas")
    options = parser.parse_args()
    gateway = Gateway(functions=LambdaClient(options.invoke_port), cors=Cors.of(options.cors))
    uvicorn.run(
        gateway,  # pyright: ignore[reportArgumentType]  (the smaller ASGI types say enough)
        host="127.0.0.1",
        port=options.port,
        lifespan="off",
        log_level="warning",
        server_header=False,
        ws="none",
        timeout_keep_alive=75,
        timeout_graceful_shutdown=1,
    )


if __name__ == "__main__":
    main()
