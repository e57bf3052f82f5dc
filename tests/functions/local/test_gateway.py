"""The gateway in front of a toy function."""

import http.client
import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from functions.local.children import ChildSpec, Supervisor, accepts_connections, free_port
from functions.local.cors import Cors
from functions.local.gateway import LambdaClient, handle, route_of
from functions.local.http_event import HttpRequest, HttpResponse
from functions.local.lambda_service import FunctionSpec, LambdaService

HANDLER = """
import time

def lambda_handler(event, context):
    path = event["rawPath"]
    if path == "/raise":
        raise ValueError("secret detail")
    if path == "/slow":
        time.sleep(30)
    if path == "/bad":
        return {"statusCode": "none"}
    if path == "/cors":
        return {"statusCode": 200, "headers": {"Access-Control-Allow-Origin": "https://evil.example"}}
    return {"statusCode": 200, "headers": {"content-type": "text/plain"}, "body": path}
"""


@pytest.fixture
def functions(
    service: LambdaService, supervisor: Supervisor, toy: Callable[..., FunctionSpec]
) -> Iterator[LambdaClient]:
    spec = toy(source=HANDLER, timeout=1)
    for name in ("chat", "store"):
        named = FunctionSpec(name=name, folder=spec.folder, timeout=spec.timeout)
        supervisor.wait_ready(service.add(named, {}), 20)
    client = LambdaClient(service.port, timeout=5)
    yield client
    client.close()


def get(functions: LambdaClient, path: str, *, cors: str = "*", **fields: Any) -> HttpResponse:
    fields.setdefault("method", "GET")
    request = HttpRequest(path=path, **fields)
    return handle(request, functions=functions, cors=Cors.of(cors))


@pytest.mark.parametrize(
    ("method", "path", "function"),
    [
        ("POST", "/api/v1/ai/cart", "chat"),
        ("POST", "/api/v1/ai/unknown", "chat"),
        ("GET", "/api/v1/ai/cart", "store"),
        ("POST", "/api/v1/airport", "store"),
        ("GET", "/", "store"),
    ],
)
def test_posts_to_the_assistant_go_to_chat_and_the_rest_to_store(
    method: str, path: str, function: str
) -> None:
    assert route_of(method, path)[0] == function


@pytest.mark.slow
def test_errors_of_a_function_are_the_gateways_own_json_without_details(
    functions: LambdaClient,
) -> None:
    assert get(functions, "/hello").body == b"/hello"
    for path in ("/raise", "/bad"):
        response = get(functions, path)
        assert (response.status, response.body) == (500, b'{"message":"Internal Server Error"}')


@pytest.mark.slow
def test_a_function_over_its_time_is_503_and_the_next_request_is_served(
    functions: LambdaClient,
) -> None:
    response = get(functions, "/slow")
    assert (response.status, response.body) == (503, b'{"message":"Service Unavailable"}')
    assert get(functions, "/next").status == 200


@pytest.mark.slow
def test_the_gateway_gives_up_before_a_function_that_is_too_slow_for_it(
    functions: LambdaClient, service: LambdaService
) -> None:
    impatient = LambdaClient(service.port, timeout=0.2)
    assert get(impatient, "/slow").status == 503
    assert get(functions, "/next").status == 200


def test_no_lambda_service_is_503() -> None:
    response = get(LambdaClient(free_port(), timeout=1), "/")
    assert (response.status, response.body) == (503, b'{"message":"Service Unavailable"}')


def test_a_body_over_ten_megabytes_is_413() -> None:
    nobody = LambdaClient(free_port(), timeout=1)
    response = get(nobody, "/", method="POST", body=b"x" * (10 * 1024 * 1024 + 1))
    assert (response.status, response.body) == (413, b'{"message":"Request Entity Too Large"}')


@pytest.mark.slow
def test_a_body_that_makes_an_event_too_large_for_lambda_is_413(functions: LambdaClient) -> None:
    assert get(functions, "/", method="POST", body=b"x" * (7 * 1024 * 1024)).status == 413


def preflight(cors: str, origin: str) -> HttpResponse:
    headers = [("origin", origin), ("access-control-request-method", "POST")]
    nobody = LambdaClient(free_port(), timeout=1)
    return get(nobody, "/api/v1/cart", cors=cors, method="OPTIONS", headers=headers)


def test_a_preflight_is_answered_by_the_gateway_for_allowed_origins_only() -> None:
    shop = "https://shop.example"
    for cors, allowed in (("*", "*"), (f"https://a.example, {shop}", shop)):
        response = preflight(cors, shop)
        assert response.status == 204
        headers = dict(response.headers)
        assert headers["access-control-allow-origin"] == allowed
        assert "authorization" in headers["access-control-allow-headers"]
        assert "PATCH" in headers["access-control-allow-methods"]
    assert dict(preflight("https://a.example", shop).headers) == {}


@pytest.mark.slow
def test_the_gateway_replaces_a_functions_own_cors_headers(functions: LambdaClient) -> None:
    headers = [("origin", "https://shop.example")]
    response = get(functions, "/cors", cors="https://shop.example", headers=headers)
    values = [v for n, v in response.headers if n == "access-control-allow-origin"]
    assert values == ["https://shop.example"]
    without = get(functions, "/cors", cors="https://other.example", headers=headers)
    assert not [n for n, _ in without.headers if n.startswith("access-control")]


@pytest.fixture
def address(
    functions: LambdaClient, service: LambdaService, supervisor: Supervisor
) -> Iterator[http.client.HTTPConnection]:
    port = free_port()
    command = [sys.executable, "-m", "functions.local.gateway", "--port", str(port)]
    spec = ChildSpec(
        name="gateway",
        command=[*command, "--invoke-port", str(service.port)],
        environment=dict(os.environ),
        ready=lambda: accepts_connections(port),
        port=port,
        tier=3,
    )
    supervisor.wait_ready([supervisor.add(spec)], 20)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    yield connection
    connection.close()


@pytest.mark.slow
def test_requests_over_http_reach_the_function_and_connections_are_kept(
    address: http.client.HTTPConnection,
) -> None:
    for path in ("/caf%C3%A9", "/again"):
        address.request("GET", path)
        answer = address.getresponse()
        assert answer.status == 200
        assert answer.headers["apigw-requestid"]
        assert answer.read().decode() == {"/caf%C3%A9": "/café"}.get(path, path)
    address.request("HEAD", "/head")
    answer = address.getresponse()
    assert (answer.status, answer.read()) == (200, b"")
    address.request("POST", "/", body=b"x" * (10 * 1024 * 1024 + 1))
    answer = address.getresponse()
    assert answer.status == 413
    assert json.loads(answer.read()) == {"message": "Request Entity Too Large"}
