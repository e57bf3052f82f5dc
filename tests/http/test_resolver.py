import base64
import io
import json
import logging

import pytest
from shopping_agent.errors import (
    CartRefusedError,
    ConfigurationError,
    DeadlineExceededError,
    EmbeddingUnavailableError,
    ForbiddenError,
    IndexUnavailableError,
    LanguageModelError,
    StateUnavailableError,
    TooManyRequestsError,
    UnauthorizedError,
)
from shopping_agent.http.bodies import MAX_BODY_BYTES, read_body
from shopping_agent.http.models import CartItemRequest, ChatRequest
from shopping_agent.http.resolver import SECURITY_HEADERS, build_resolver
from shopping_agent.http.response import json_reply
from shopping_agent.observability import logger


@pytest.fixture
def app():
    app = build_resolver()

    @app.get("/things/<name>")
    def thing(name: str):
        return json_reply({"name": name})

    @app.post("/chat")
    def chat():
        wanted = read_body(app.current_event, ChatRequest)
        return json_reply(wanted.model_dump(by_alias=True, exclude_none=True))

    @app.post("/items")
    def item():
        return json_reply(read_body(app.current_event, CartItemRequest).model_dump(by_alias=True))

    return app


def failing(error: Exception):
    app = build_resolver()

    @app.get("/fail")
    def fail():
        raise error

    return app


def problem(answer: dict) -> dict:
    assert answer["headers"]["Content-Type"] == "application/problem+json"
    body = json.loads(answer["body"])
    assert body["status"] == answer["statusCode"]
    assert body["requestId"] == answer["headers"]["X-Request-Id"]
    assert {"type", "title", "detail", "code", "instance"} <= set(body)
    return body


def test_a_reply_carries_the_request_id_and_the_security_headers(app, event) -> None:
    answer = app.resolve(event(path="/things/a"), None)
    assert answer["statusCode"] == 200
    assert answer["headers"]["X-Request-Id"] == "req-1"
    assert SECURITY_HEADERS.items() <= answer["headers"].items()


def test_text_in_any_script_is_sent_as_it_is(app, event) -> None:
    assert "ورد é" in app.resolve(event(path="/things/ورد é"), None)["body"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/things/a%20b%2Fc", "a b/c"),
        ("/things/SKU/50ml", "SKU/50ml"),
        ("/things/a'b\"c#d?e", "a'b\"c#d?e"),
        ("/things/" + "x" * 300, "x" * 300),
    ],
)
def test_a_path_names_whatever_a_merchant_calls_it(app, event, path, name) -> None:
    assert json.loads(app.resolve(event(path=path), None)["body"]) == {"name": name}


@pytest.mark.parametrize("path", ["/prod/things/a", "/things/a"])
def test_a_stage_in_the_path_is_optional(app, event, path) -> None:
    assert app.resolve(event(path=path, stage="prod"), None)["statusCode"] == 200


def test_a_stage_that_only_looks_like_a_prefix_is_left_alone(app, event) -> None:
    assert app.resolve(event(path="/things/a", stage="thing"), None)["statusCode"] == 200


def test_an_unknown_path_is_404(app, event) -> None:
    for path in ("/nope", "/things", "/things/", "/chat/", "//chat", ""):
        assert problem(app.resolve(event(path=path), None))["code"] == "not_found"


def test_a_known_path_with_another_method_is_405_and_says_which_would_do(app, event) -> None:
    answer = app.resolve(event("DELETE", "/things/a"), None)
    assert problem(answer)["code"] == "method_not_allowed"
    assert answer["headers"]["Allow"] == "GET"


def test_head_answers_like_get_without_a_body(app, event) -> None:
    answer = app.resolve(event("HEAD", "/things/a"), None)
    assert (answer["statusCode"], answer["body"]) == (200, "")


@pytest.mark.parametrize(
    ("body", "base64_flag"),
    [
        (None, False),
        ("", False),
        ("  ", False),
        ("not json", False),
        ("{", False),
        ("[]", False),
        ('"text"', False),
        ("null", False),
        ("3", False),
        ('{"message":"\\ud800"}', False),
        ("eyJ", True),
        ("%%%%", True),
        (base64.b64encode(b"\xff\xfe{").decode(), True),
        ("[" * 5000, False),
        ('{"message":' * 5000, False),
        (7, False),
    ],
)
def test_a_body_that_is_no_json_object_is_400(app, event, body, base64_flag) -> None:
    answer = app.resolve(event("POST", "/chat", body, isBase64Encoded=base64_flag), None)
    assert (answer["statusCode"], problem(answer)["code"]) == (400, "malformed_request")


def test_a_base64_body_is_read(app, event) -> None:
    body = base64.b64encode('{"message":"سلام"}'.encode()).decode()
    answer = app.resolve(event("POST", "/chat", body, isBase64Encoded=True), None)
    assert json.loads(answer["body"]) == {"message": "سلام"}


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/chat", {}, "message"),
        ("/chat", {"message": None}, "message"),
        ("/chat", {"message": 3}, "message"),
        ("/chat", {"message": ""}, "message"),
        ("/chat", {"message": " \n"}, "message"),
        ("/chat", {"message": "x" * 2001}, "message"),
        ("/chat", {"message": "x", "turnId": 5}, "turnId"),
        ("/chat", {"message": "x", "context": []}, "context"),
        ("/chat", {"message": "x", "context": {"productId": 1}}, "context.productId"),
        ("/items", {"quantity": 1}, "productId"),
        ("/items", {"productId": 5}, "productId"),
        ("/items", {"productId": ""}, "productId"),
        ("/items", {"productId": "a", "quantity": "2"}, "quantity"),
        ("/items", {"productId": "a", "quantity": 1.5}, "quantity"),
        ("/items", {"productId": "a", "quantity": True}, "quantity"),
        ("/items", {"productId": "a", "quantity": 0}, "quantity"),
        ("/items", {"productId": "a", "quantity": -1}, "quantity"),
        ("/items", {"productId": "a", "quantity": 10**30}, "quantity"),
    ],
)
def test_a_wrong_field_is_422_and_named(app, event, path, body, field) -> None:
    answer = app.resolve(event("POST", path, json.dumps(body)), None)
    assert answer["statusCode"] == 422
    assert (problem(answer)["code"], problem(answer)["field"]) == ("invalid_field", field)


def test_a_message_of_exactly_2000_characters_and_unknown_fields_pass(app, event) -> None:
    body = json.dumps({"message": "ش" * 2000, "later": {"more": 1}}, ensure_ascii=False)
    assert app.resolve(event("POST", "/chat", body), None)["statusCode"] == 200


def test_a_body_over_the_limit_is_413(app, event) -> None:
    for body, flag in (
        ("x" * (MAX_BODY_BYTES * 2), False),
        ("é" * (MAX_BODY_BYTES // 2 + 1), False),
        (base64.b64encode(b"x" * (MAX_BODY_BYTES + 1)).decode(), True),
    ):
        answer = app.resolve(event("POST", "/chat", body, isBase64Encoded=flag), None)
        assert (answer["statusCode"], problem(answer)["code"]) == (413, "payload_too_large")


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (UnauthorizedError("no"), 401, "unauthorized"),
        (ForbiddenError("no"), 403, "forbidden"),
        (CartRefusedError("unknown_product", "no"), 404, "unknown_product"),
        (CartRefusedError("out_of_stock", "no", limit=2), 409, "out_of_stock"),
        (CartRefusedError("invalid_quantity", "no"), 422, "invalid_quantity"),
        (TooManyRequestsError("slow", retry_after=7), 429, "rate_limited"),
        (StateUnavailableError("host secret-host"), 503, "redis_unavailable"),
        (IndexUnavailableError("x"), 503, "search_unavailable"),
        (EmbeddingUnavailableError("x"), 503, "embeddings_unavailable"),
        (LanguageModelError("timeout", "x"), 503, "model_unavailable"),
        (LanguageModelError("rate_limited", "x", retry_after=9), 429, "model_rate_limited"),
        (DeadlineExceededError("x"), 503, "deadline_exceeded"),
        (ConfigurationError("SECRET_NAME is wrong"), 500, "internal_error"),
        (RuntimeError("password=hunter2"), 500, "internal_error"),
        (RecursionError("deep"), 500, "internal_error"),
    ],
)
def test_every_error_has_its_status_and_code(event, error, status, code) -> None:
    answer = failing(error).resolve(event(path="/fail"), None)
    assert (answer["statusCode"], problem(answer)["code"]) == (status, code)


def test_an_unexpected_error_says_nothing_about_itself_but_is_logged(event, caplog) -> None:
    with caplog.at_level(logging.ERROR):
        answer = failing(RuntimeError("password=hunter2")).resolve(event(path="/fail"), None)
    assert "hunter2" not in json.dumps(answer)
    assert "Traceback" not in answer["body"]


def test_an_outage_names_the_dependency_and_never_its_message(event) -> None:
    answer = failing(StateUnavailableError("host secret-host")).resolve(event(path="/fail"), None)
    assert problem(answer)["dependency"] == "redis"
    assert "secret-host" not in answer["body"]
    assert int(answer["headers"]["Retry-After"]) > 0


def test_a_refusal_tells_the_most_that_would_be_accepted(event) -> None:
    refused = failing(CartRefusedError("out_of_stock", "only 2", limit=2))
    assert problem(refused.resolve(event(path="/fail"), None))["limit"] == 2


def test_too_many_requests_say_when_to_come_back(event) -> None:
    answer = failing(TooManyRequestsError("slow", retry_after=7)).resolve(event(path="/fail"), None)
    assert answer["headers"]["Retry-After"] == "7"


@pytest.mark.parametrize(
    "broken", [{}, [], None, "text", {"requestContext": None}, {"requestContext": {"http": 1}}]
)
def test_an_event_that_is_no_request_is_400(app, broken) -> None:
    assert app.resolve(broken, None)["statusCode"] == 400


def test_missing_headers_and_parameters_do_no_harm(app, event) -> None:
    bare = event(path="/things/a", headers=None, queryStringParameters=None)
    assert app.resolve(bare, None)["statusCode"] == 200


def test_every_log_line_of_a_request_has_the_id_that_its_reply_names(event, monkeypatch):
    lines = io.StringIO()
    monkeypatch.setattr(logger.registered_handler, "stream", lines)
    answers: list[dict] = []
    for request_id, error in (("r1", StateUnavailableError("x")), ("r2", UnauthorizedError("y"))):
        asked = event(path="/fail")
        asked["requestContext"]["requestId"] = request_id
        answers.append(failing(error).resolve(asked, None))
    logged = [json.loads(line)["request_id"] for line in lines.getvalue().splitlines()]
    assert logged == [problem(answer)["requestId"] for answer in answers] == ["r1", "r2"]
