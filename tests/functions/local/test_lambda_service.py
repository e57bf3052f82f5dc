"""The Runtime and Invoke APIs with real child environments."""

import json
import os
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config

from functions.local.children import ChildFailedError, Supervisor
from functions.local.lambda_service import FunctionSpec, LambdaService

Toy = Callable[..., FunctionSpec]
pytestmark = pytest.mark.slow


def start(service: LambdaService, supervisor: Supervisor, spec: FunctionSpec) -> list[Any]:
    children = service.add(spec, {})
    supervisor.wait_ready(children, 20)
    return children


def body(service: LambdaService, event: dict[str, Any]) -> dict[str, Any]:
    outcome = service.invoke("toy", event)
    assert outcome.error == ""
    return json.loads(outcome.payload)


def test_a_handler_gets_its_event_and_a_context_whose_time_counts_down(
    service: LambdaService, supervisor: Supervisor, toy: Toy
) -> None:
    start(service, supervisor, toy(timeout=10, memory=512))
    answer = body(service, {"word": "عطر"})
    assert answer["event"] == {"word": "عطر"}
    assert answer["name"] == "toy"
    assert answer["memory"] == "512"
    assert answer["arn"].endswith(":function:toy")
    assert 9_000 < answer["left"] <= 10_000
    assert answer["request_id"] != body(service, {})["request_id"]


def test_an_exception_becomes_an_unhandled_error_and_the_environment_goes_on(
    service: LambdaService, supervisor: Supervisor, toy: Toy
) -> None:
    (child,) = start(service, supervisor, toy())
    pid = child.pid
    outcome = service.invoke("toy", {"do": "raise"})
    assert outcome.error == "Unhandled"
    assert json.loads(outcome.payload)["errorType"] == "ValueError"
    assert body(service, {})["pid"] == pid


def test_a_handler_over_its_time_is_killed_and_replaced(
    service: LambdaService, supervisor: Supervisor, toy: Toy
) -> None:
    (child,) = start(service, supervisor, toy(timeout=0.5))
    pid = child.pid
    began = time.monotonic()
    outcome = service.invoke("toy", {"do": "sleep", "seconds": 30})
    assert outcome.error == "Timeout"
    assert json.loads(outcome.payload)["errorType"] == "Sandbox.Timedout"
    assert time.monotonic() - began < 5
    assert body(service, {})["pid"] != pid


def test_an_environment_that_exits_while_answering_is_an_error_at_once_and_comes_back(
    service: LambdaService, supervisor: Supervisor, toy: Toy
) -> None:
    start(service, supervisor, toy())
    began = time.monotonic()
    outcome = service.invoke("toy", {"do": "exit"})
    assert json.loads(outcome.payload)["errorType"] == "Runtime.ExitError"
    assert time.monotonic() - began < 5
    assert body(service, {})["event"] == {}


def test_a_killed_idle_environment_is_back_and_loses_no_request(
    service: LambdaService, supervisor: Supervisor, toy: Toy
) -> None:
    (child,) = start(service, supervisor, toy())
    pid, process = child.pid, child.process
    os.kill(pid, 9)
    process.wait(5)
    assert body(service, {})["pid"] != pid
    assert child.starts == 2


def test_an_environment_serves_one_event_at_a_time_and_several_serve_in_parallel(
    service: LambdaService, supervisor: Supervisor, toy: Toy
) -> None:
    start(service, supervisor, toy(environments=2))
    began = time.monotonic()
    event = {"do": "sleep", "seconds": 0.5}
    pids: list[int] = []
    threads = [
        threading.Thread(target=lambda: pids.append(body(service, event)["pid"])) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - began
    assert 1.0 <= took < 1.9
    assert len(set(pids)) == 2


def test_a_function_that_cannot_load_answers_with_its_init_error(
    service: LambdaService, supervisor: Supervisor, toy: Toy
) -> None:
    children = service.add(toy(source="raise RuntimeError('no store pack')"), {})
    with pytest.raises(ChildFailedError, match="no store pack"):
        supervisor.wait_ready(children, 20)
    outcome = service.invoke("toy", {})
    assert outcome.error == "Unhandled"
    assert json.loads(outcome.payload)["errorMessage"] == "no store pack"


def test_an_answer_over_six_megabytes_is_refused(
    service: LambdaService, supervisor: Supervisor, toy: Toy
) -> None:
    start(service, supervisor, toy())
    outcome = service.invoke("toy", {"do": "big", "bytes": 6 * 1024 * 1024 + 1})
    assert json.loads(outcome.payload)["errorType"] == "Function.ResponseSizeTooLarge"


def test_the_environment_has_the_given_variables_and_lambdas_own(
    service: LambdaService, supervisor: Supervisor, toy: Toy
) -> None:
    source = "import os\ndef lambda_handler(event, context): return dict(os.environ)"
    children = service.add(toy(source=source), {"QDRANT_URL": "http://127.0.0.1:1"})
    supervisor.wait_ready(children, 20)
    variables = body(service, {})
    assert variables["QDRANT_URL"] == "http://127.0.0.1:1"
    assert variables["AWS_LAMBDA_FUNCTION_NAME"] == "toy"
    assert variables["LAMBDA_TASK_ROOT"].endswith("toy")
    assert "HOME" not in variables


def test_boto3_invokes_a_function_through_the_invoke_api(
    service: LambdaService, supervisor: Supervisor, toy: Toy
) -> None:
    start(service, supervisor, toy())
    client: Any = boto3.client(
        "lambda",
        endpoint_url=f"http://127.0.0.1:{service.port}",
        region_name="eu-west-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
        config=Config(retries={"max_attempts": 0}),
    )
    answer = client.invoke(FunctionName="toy", Payload=b'{"word":"oud"}')
    assert json.loads(answer["Payload"].read())["event"] == {"word": "oud"}
    assert client.invoke(FunctionName="toy", Payload=b'{"do":"raise"}')["FunctionError"]
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.invoke(FunctionName="unknown", Payload=b"{}")
    client.close()


@pytest.mark.skipif(sys.platform != "linux", reason="awslambdaric runs on Linux")
def test_awss_own_runtime_client_runs_against_our_runtime_api(
    service: LambdaService, supervisor: Supervisor, toy: Toy
) -> None:
    pytest.importorskip("awslambdaric")
    command = [sys.executable, "-m", "awslambdaric", "app.lambda_handler"]
    start(service, supervisor, toy(command=command, timeout=10))
    for number in range(3):
        answer = body(service, {"number": number, "word": "زهرة"})
        assert answer["event"] == {"number": number, "word": "زهرة"}
        assert 0 < answer["left"] <= 10_000
    assert json.loads(service.invoke("toy", {"do": "raise"}).payload)["errorType"] == "ValueError"
    assert len(service.invoke("toy", {"do": "big", "bytes": 3_000_000}).payload) > 3_000_000


def test_an_unknown_request_id_is_refused_by_the_runtime_api(
    service: LambdaService, supervisor: Supervisor, toy: Toy, tmp_path: Path
) -> None:
    (child,) = start(service, supervisor, toy())
    address = child.spec.environment["AWS_LAMBDA_RUNTIME_API"]
    url = f"http://{address}/2018-06-01/runtime/invocation/nobody/response"
    with pytest.raises(urllib.request.HTTPError) as refused:
        urllib.request.urlopen(url, data=b"{}", timeout=5)
    with refused.value as answer:
        assert answer.code == 400
        assert json.loads(answer.read())["errorType"] == "InvalidRequestID"
