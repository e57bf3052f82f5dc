"""One execution environment: loads a function's `app.py` as Lambda does and serves its invocations, one at a time.

Run as `python -m functions.local.environment FOLDER`; speaks to the Runtime API at AWS_LAMBDA_RUNTIME_API
like AWS's own client, without being a dependency that must compile.
"""

import http.client
import importlib
import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

RUNTIME = "/2018-06-01/runtime"


class Context:
    """The context object of Lambda's Python runtime, as far as handlers and Powertools use it."""

    def __init__(self, *, request_id: str, deadline_ms: int, arn: str) -> None:
        self.aws_request_id = request_id
        self.invoked_function_arn = arn
        self.function_name = os.environ.get("AWS_LAMBDA_FUNCTION_NAME", "")
        self.function_version = os.environ.get("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST")
        self.memory_limit_in_mb = os.environ.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "")
        self.log_group_name = os.environ.get("AWS_LAMBDA_LOG_GROUP_NAME", "")
        self.log_stream_name = os.environ.get("AWS_LAMBDA_LOG_STREAM_NAME", "")
        self.client_context = None
        self.identity = None
        self._deadline_ms = deadline_ms

    def get_remaining_time_in_millis(self) -> int:
        return max(0, self._deadline_ms - int(time.time() * 1000))


def load_handler(folder: str, name: str) -> Callable[[Any, Context], Any]:
    """The handler `module.function` of a folder, which comes first on the import path."""
    module, _, function = name.rpartition(".")
    sys.path.insert(0, folder)
    return getattr(importlib.import_module(module), function)


def error_of(error: BaseException) -> dict[str, Any]:
    """An exception as the Runtime API takes it."""
    return {
        "errorMessage": str(error),
        "errorType": type(error).__name__,
        "stackTrace": traceback.format_exception(error),
    }


class RuntimeClient:
    """The three calls of the Runtime API, on one kept connection."""

    def __init__(self, address: str) -> None:
        self._connection = http.client.HTTPConnection(address)

    def next(self) -> tuple[bytes, http.client.HTTPMessage]:
        return self._call("GET", "/invocation/next")

    def post(self, path: str, body: bytes) -> None:
        self._call("POST", path, body)

    def _call(
        self, method: str, path: str, body: bytes | None = None
    ) -> tuple[bytes, http.client.HTTPMessage]:
        self._connection.request(method, RUNTIME + path, body)
        response = self._connection.getresponse()
        return response.read(), response.headers


def serve_one(client: RuntimeClient, handler: Callable[[Any, Context], Any]) -> None:
    """Take one event, run the handler, send back its answer or its error."""
    payload, head = client.next()
    request_id = head["Lambda-Runtime-Aws-Request-Id"]
    context = Context(
        request_id=request_id,
        deadline_ms=int(head["Lambda-Runtime-Deadline-Ms"]),
        arn=head["Lambda-Runtime-Invoked-Function-Arn"],
    )
    os.environ["_X_AMZN_TRACE_ID"] = head.get("Lambda-Runtime-Trace-Id", "")
    try:
        answer = json.dumps(handler(json.loads(payload), context)).encode()
    except Exception as error:  # noqa: BLE001  (as Lambda: whatever a handler raises is its answer)
        traceback.print_exc()
        client.post(f"/invocation/{request_id}/error", json.dumps(error_of(error)).encode())
        return
    client.post(f"/invocation/{request_id}/response", answer)


def main() -> None:
    client = RuntimeClient(os.environ["AWS_LAMBDA_RUNTIME_API"])
    try:
        handler = load_handler(sys.argv[1], os.environ.get("_HANDLER", "app.lambda_handler"))
    except BaseException as error:
        client.post("/init/error", json.dumps(error_of(error)).encode())
        raise
    try:
        while True:
            serve_one(client, handler)
    except (http.client.HTTPException, OSError):
        sys.exit("the Lambda service is gone")


if __name__ == "__main__":
    main()
