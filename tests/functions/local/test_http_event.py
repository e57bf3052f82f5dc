"""Requests as payload 2.0 events and answers as responses, as API Gateway's HTTP API maps them."""

import base64
from typing import Any

import pytest

from functions.local.http_event import BadAnswerError, HttpRequest, event_of, response_of


def event(**fields: Any) -> dict[str, Any]:
    fields.setdefault("method", "GET")
    fields.setdefault("path", "/")
    return event_of(HttpRequest(**fields), route="$default")


def test_the_path_is_decoded_and_the_query_string_is_not() -> None:
    made = event(path="/api/v1/products/a%20b", query="query=l%C3%A9ger&x=1&x=2&empty=")
    assert made["rawPath"] == made["requestContext"]["http"]["path"] == "/api/v1/products/a b"
    assert made["rawQueryString"] == "query=l%C3%A9ger&x=1&x=2&empty="
    assert made["queryStringParameters"] == {"query": "léger", "x": "1,2", "empty": ""}


def test_a_request_without_query_body_or_cookies_has_no_such_fields() -> None:
    made = event()
    assert not {"queryStringParameters", "body", "cookies"} & set(made)
    assert made["rawQueryString"] == ""
    assert made["isBase64Encoded"] is False


def test_repeated_headers_are_joined_and_cookies_stand_apart() -> None:
    headers = [("accept", "a"), ("accept", "b"), ("cookie", "a=1; b=2"), ("cookie", "c=3")]
    made = event(headers=headers)
    assert made["headers"]["accept"] == "a,b"
    assert "cookie" not in made["headers"]
    assert made["cookies"] == ["a=1", "b=2", "c=3"]


def test_the_gateway_adds_where_the_request_came_from() -> None:
    headers = [("host", "localhost:8000"), ("x-forwarded-for", "1.2.3.4")]
    made = event(headers=headers, source_ip="127.0.0.9")
    assert made["headers"]["x-forwarded-for"] == "1.2.3.4,127.0.0.9"
    assert made["headers"]["x-forwarded-port"] == "8000"
    assert made["requestContext"]["http"]["sourceIp"] == "127.0.0.9"


@pytest.mark.parametrize(
    "media", ["application/json", "application/problem+json; charset=utf-8", "text/plain"]
)
def test_text_bodies_stay_text(media: str) -> None:
    made = event(method="POST", headers=[("content-type", media)], body="عطر".encode())
    assert (made["body"], made["isBase64Encoded"]) == ("عطر", False)


@pytest.mark.parametrize(
    ("media", "body"),
    [
        ("application/x-www-form-urlencoded", b'{"message":"hi"}'),
        ("image/png", b"\x89PNG"),
        ("", b"{}"),
        ("application/json", b"\xff\xfe"),
    ],
)
def test_other_bodies_come_in_base64(media: str, body: bytes) -> None:
    made = event(method="POST", headers=[("content-type", media)], body=body)
    assert made["isBase64Encoded"] is True
    assert base64.b64decode(made["body"]) == body


def test_every_request_has_its_own_id_and_time() -> None:
    first, second = event()["requestContext"], event()["requestContext"]
    assert first["requestId"] != second["requestId"]
    assert first["timeEpoch"] > 1_600_000_000_000


def test_an_answer_with_a_status_is_mapped_as_it_says() -> None:
    response = response_of(
        {
            "statusCode": 201,
            "headers": {"Content-Type": "application/json", "X-Count": 2, "Content-Length": 99},
            "multiValueHeaders": {"Link": ["a", "b"]},
            "cookies": ["a=1", "b=2"],
            "body": '{"ok":true}',
        }
    )
    assert response.status == 201
    assert response.headers == [
        ("content-type", "application/json"),
        ("x-count", "2"),
        ("link", "a"),
        ("link", "b"),
        ("set-cookie", "a=1"),
        ("set-cookie", "b=2"),
    ]
    assert response.body == b'{"ok":true}'


def test_a_base64_answer_is_decoded() -> None:
    body = base64.b64encode(b"\x89PNG").decode()
    assert (
        response_of({"statusCode": 200, "body": body, "isBase64Encoded": True}).body == b"\x89PNG"
    )


def test_an_answer_without_status_is_json_with_200() -> None:
    response = response_of({"hello": "shop"})
    assert (response.status, response.body) == (200, b'{"hello": "shop"}')


@pytest.mark.parametrize(
    "answer",
    [
        {"statusCode": "abc"},
        {"statusCode": 9999},
        {"statusCode": 200, "body": {"not": "text"}},
        {"statusCode": 200, "headers": ["no"]},
        {"statusCode": 200, "body": "%%%", "isBase64Encoded": True},
        {"statusCode": 200, "headers": {"x": "a\r\nset-cookie: b"}},
    ],
)
def test_an_answer_that_api_gateway_refuses_is_a_bad_answer(answer: dict[str, Any]) -> None:
    with pytest.raises(BadAnswerError):
        response_of(answer)
