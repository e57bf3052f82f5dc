"""The Lambda service: a Runtime API for each execution environment, and the Invoke API in front of them.

Speaks AWS's protocols, so that our own small client (`environment`), the real `awslambdaric` and boto3
all work against it: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
"""

import json
import select
import socket
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

from functions.local.invocations import EnvironmentState, FunctionQueue, Invocation, Outcome

ACCOUNT, REGION = "000000000000", "eu-west-1"
MAX_PAYLOAD_BYTES = 6 * 1024 * 1024
RUNTIME = "/2018-06-01/runtime"
INVOKE_PREFIX, INVOKE_SUFFIX = "/2015-03-31/functions/", "/invocations"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is an ordinary event here."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    statuses: ClassVar[dict[int, str]] = {200: "OK", 202: "Accepted"}

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (its parent's name)
        """Quiet: what matters is logged by the functions."""

    def read_body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return b"".join(iter(self._read_chunk, b""))
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _read_chunk(self) -> bytes:
        size = int(self.rfile.readline().split(b";")[0], 16)
        chunk = self.rfile.read(size)
        self.rfile.readline()
        return chunk

    def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        """Head and body in one send: AWS's native client loses a body that comes apart from its head."""
        lines = [f"HTTP/1.1 {status} {self.statuses.get(status, 'Error')}"]
        fields = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        lines += [f"{name}: {value}" for name, value in (fields | (headers or {})).items()]
        self.wfile.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    def answer_json(self, status: int, content: object, error_type: str = "") -> None:
        headers = {"X-Amzn-ErrorType": error_type} if error_type else {}
        self.answer(status, json.dumps(content).encode(), headers)

    def is_connected(self) -> bool:
        """False once the client closed the connection; an idle client sends nothing meanwhile."""
        try:
            readable, _, _ = select.select([self.connection], [], [], 0)
            return not readable or self.connection.recv(1, socket.MSG_PEEK) != b""
        except (OSError, ValueError):
            return False


class RuntimeApi:
    """The Runtime API of one execution environment, on a port of its own as in Lambda.

    Args:
        kill: ends the environment's process (a handler over its time).
    """

    def __init__(self, *, functions: FunctionQueue, kill: Callable[[], None]) -> None:
        self._queue = functions
        self.state: EnvironmentState = functions.join(kill)
        api = self

        class Handler(_Handler):
            def do_GET(self) -> None:
                api.get(self)

            def do_POST(self) -> None:
                api.post(self)

        self._server = _serve(Handler)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def address(self) -> str:
        """The value of AWS_LAMBDA_RUNTIME_API."""
        return f"127.0.0.1:{self.port}"

    def is_ready(self) -> bool:
        return self.state.polling

    def ended(self) -> None:
        """Call when the environment's process has ended."""
        self._queue.ended(self.state)

    def close(self) -> None:
        self.ended()
        _close(self._server)

    def get(self, request: _Handler) -> None:
        if request.path != f"{RUNTIME}/invocation/next":
            request.answer_json(404, {"errorType": "NotFound", "errorMessage": request.path})
            return
        generation = self.state.generation
        invocation = self._queue.take(self.state, generation, request.is_connected)
        if invocation is None:
            request.close_connection = True
            return
        request.answer(200, invocation.payload, self._head(invocation))

    def _head(self, invocation: Invocation) -> dict[str, str]:
        return {
            "Lambda-Runtime-Aws-Request-Id": invocation.request_id,
            "Lambda-Runtime-Deadline-Ms": str(int(invocation.deadline * 1000)),
            "Lambda-Runtime-Invoked-Function-Arn": function_arn(self._queue.name),
            "Lambda-Runtime-Trace-Id": f"Root=1-{int(time.time()):08x}-{'0' * 24};Sampled=0",
        }

    def post(self, request: _Handler) -> None:
        body = request.read_body()
        match request.path.removeprefix(RUNTIME).strip("/").split("/"):
            case ["init", "error"]:
                self._queue.init_failed(self.state, Outcome(payload=body, error="Unhandled"))
                accepted = True
            case ["invocation", request_id, "response"]:
                accepted = self._queue.finish(self.state, request_id, _response(body))
            case ["invocation", request_id, "error"]:
                outcome = Outcome(payload=body, error="Unhandled")
                accepted = self._queue.finish(self.state, request_id, outcome)
            case _:
                request.answer_json(404, {"errorType": "NotFound", "errorMessage": request.path})
                return
        if accepted:
            request.answer_json(202, {"status": "OK"})
        else:
            request.answer_json(400, {"errorType": "InvalidRequestID", "errorMessage": "not held"})


class InvokeApi:
    """Lambda's Invoke API over some functions: for the gateway, the event source, boto3 and people."""

    def __init__(self, functions: dict[str, FunctionQueue]) -> None:
        class Handler(_Handler):
            def do_POST(self) -> None:
                _invoke(self, functions)

        self._server = _serve(Handler)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def close(self) -> None:
        _close(self._server)


def function_arn(name: str) -> str:
    """The made-up ARN of a local function."""
    return f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{name}"


def _invoke(request: _Handler, functions: dict[str, FunctionQueue]) -> None:
    body = request.read_body()
    name = request.path.removeprefix(INVOKE_PREFIX).removesuffix(INVOKE_SUFFIX).split(":")[-1]
    function = functions.get(name) if request.path.startswith(INVOKE_PREFIX) else None
    if function is None:
        content = {"Type": "User", "Message": f"Function not found: {function_arn(name)}"}
        request.answer_json(404, content, "ResourceNotFoundException")
        return
    if len(body) > MAX_PAYLOAD_BYTES:
        content = {"Type": "User", "message": f"Request must be smaller than {MAX_PAYLOAD_BYTES}"}
        request.answer_json(413, content, "RequestTooLargeException")
        return
    outcome = function.invoke(body or b"{}")
    if outcome.error == "Throttled":
        content = {"Reason": "ConcurrentInvocationLimitExceeded", "Type": "User"}
        request.answer_json(429, content, "TooManyRequestsException")
        return
    headers = {"X-Amz-Executed-Version": "$LATEST"}
    if outcome.error:
        headers["X-Amz-Function-Error"] = "Unhandled"
    request.answer(200, outcome.payload, headers)


def _response(body: bytes) -> Outcome:
    if len(body) > MAX_PAYLOAD_BYTES:
        message = f"Response payload size exceeded maximum allowed payload size ({MAX_PAYLOAD_BYTES} bytes)."
        return Outcome.failed("Function.ResponseSizeTooLarge", message)
    return Outcome(payload=body)


def _serve(handler: type[_Handler]) -> _Server:
    server = _Server(("127.0.0.1", 0), handler)
    threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True
    ).start()
    return server


def _close(server: _Server) -> None:
    server.shutdown()
    server.server_close()
