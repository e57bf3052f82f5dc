"""The store's edge where no other test stands: routes of the other function, odd headers, odd bodies."""

import pytest


def test_the_chat_path_with_another_method_is_405_and_says_which_would_do(call) -> None:
    for method in ("GET", "PUT", "TRACE", "DELETE", "HEAD"):
        answer = call(method, "/api/v1/ai/cart")
        assert (answer.status, answer.headers["Allow"]) == (405, "POST")
    assert call("GET", "/api/v1/ai/nothing").status == 404


@pytest.mark.parametrize("value", ["", " ", "x", '"-1"', '"1", "2"', "1" * 16])
def test_a_precondition_that_cannot_be_read_is_refused_and_named(call, value) -> None:
    answer = call("DELETE", "/api/v1/cart", headers={"if-match": value})
    assert (answer.status, answer.json["field"]) == (422, "If-Match")


def test_where_a_bearer_is_required_its_absence_is_401_whatever_else_is_wrong(call) -> None:
    answer = call("POST", "/api/v1/cart/merge", {}, headers={"idempotency-key": "k"})
    assert (answer.status, answer.code) == (401, "unauthorized")


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer a,Bearer b"},
        {"authorization": "Bearer " + "x" * 100_000},
        {"authorization": "Bearer \x00"},
        {"authorization": "Bearer"},
    ],
)
def test_repeated_giant_and_broken_bearers_are_401(call, headers) -> None:
    assert call("GET", "/api/v1/cart", headers=headers).status == 401


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/json; x=y"]
)
def test_a_json_body_is_read_whatever_its_content_type_says(call, kind) -> None:
    headers = {"content-type": kind} if kind else {}
    answer = call("POST", "/api/v1/cart/items", {"productId": "rose"}, headers=headers)
    assert answer.status == 200


def test_a_form_is_no_json(call) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    answer = call("POST", "/api/v1/cart/items", "productId=rose", headers=headers)
    assert (answer.status, answer.code) == (400, "malformed_request")


def test_every_reply_carries_the_request_id_and_the_security_headers(call) -> None:
    for method, path in (("GET", "/api/v1/cart"), ("GET", "/nope"), ("PUT", "/api/v1/cart")):
        headers = call(method, path).headers
        assert headers["X-Request-Id"] == "r1"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
