"""A Lambda service around a toy function, for the tests of the local stack's own parts."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from functions.local.children import Supervisor
from functions.local.lambda_service import FunctionSpec, LambdaService

TOY = """
import os, signal, time

def lambda_handler(event, context):
    do = event.get("do", "echo")
    if do == "raise":
        raise ValueError("bad event")
    if do == "sleep":
        time.sleep(event["seconds"])
    if do == "exit":
        os._exit(3)
    if do == "big":
        return {"body": "x" * event["bytes"]}
    if do == "http":
        return {"statusCode": 201, "headers": {"X-Toy": "1"}, "body": event["rawPath"]}
    return {
        "event": event,
        "pid": os.getpid(),
        "request_id": context.aws_request_id,
        "name": context.function_name,
        "memory": context.memory_limit_in_mb,
        "arn": context.invoked_function_arn,
        "left": context.get_remaining_time_in_millis(),
    }
"""


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    lines: list[str] = []
    supervisor = Supervisor(logs=tmp_path / "logs", report=lines.append)
    yield supervisor
    supervisor.stop()


@pytest.fixture
def service(supervisor: Supervisor) -> Iterator[LambdaService]:
    service = LambdaService(supervisor=supervisor)
    yield service
    service.close()


@pytest.fixture
def toy(tmp_path: Path) -> Callable[..., FunctionSpec]:
    """Makes the spec of the toy function: `toy(timeout=2, source=...)`."""

    def make(*, source: str = TOY, timeout: float = 10, **rest: object) -> FunctionSpec:
        folder = tmp_path / "toy"
        folder.mkdir(exist_ok=True)
        (folder / "app.py").write_text(source)
        return FunctionSpec(name="toy", folder=folder, timeout=timeout, **rest)  # pyright: ignore[reportArgumentType]

    return make
