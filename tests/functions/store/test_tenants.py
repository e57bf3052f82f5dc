"""One shopper never reads or changes what is another's: every route of the document, asked by somebody else."""

import json
import time
from typing import Any

import pytest

from functions.chat import app as chat
from functions.local import openapi
from functions.store import app as store

DOCUMENT = openapi.document()
SECRET_WORDS = "zellige-lantern-7431"
OPERATIONS = [
    (method.upper(), path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
]


def reads_a_shopper(operation: dict[str, Any]) -> bool:
    return any("session" in scheme for scheme in operation.get("security", ()))


class Context:
    aws_request_id = "r"

    def get_remaining_time_in_millis(self) -> int:
        return 20_000


def send(method: str, path: str, body: Any = None, token: str = "", **headers: str):
    """To the function that API Gateway would ask."""
    app = chat if method == "POST" and path.startswith("/api/v1/ai/") else store
    sent = {"content-type": "application/json", **headers}
    if token:
        sent["authorization"] = f"Bearer {token}"
    event = {
        "version": "2.0",
        "rawPath": path,
        "headers": sent,
        "requestContext": {
            "requestId": "r",
            "stage": "$default",
            "timeEpoch": int(time.time() * 1000),
            "http": {"method": method, "path": path, "sourceIp": "127.0.0.1"},
        },
        "body": None if body is None else json.dumps(body),
        "isBase64Encoded": False,
    }
    return app.lambda_handler(event, Context())


@pytest.fixture
def victim(call) -> dict[str, str]:
    """A shopper with a cart, a conversation and a stored reply; what must never be shown to another."""
    session = json.loads(send("POST", "/api/v1/sessions")["body"])
    token = session["token"]
    turn = "turn-of-the-victim"
    said = {"message": f"hello, I am looking for {SECRET_WORDS}", "turnId": turn}
    assert send("POST", "/api/v1/ai/cart", said, token)["statusCode"] == 200
    added = send(
        "POST", "/api/v1/cart/items", {"productId": "rose"}, token, **{"idempotency-key": "k"}
    )
    assert added["statusCode"] == 200
    return {"token": token, "session": session["sessionId"], "turn": turn}


def filled(path: str, victim: dict[str, str]) -> str:
    return (
        path.replace("{productId}", "rose")
        .replace("{token}", "x.y")
        .replace("{turnId}", victim["turn"])
    )


def body_of(operation: dict[str, Any], victim: dict[str, str]) -> Any:
    if "requestBody" not in operation:
        return None
    [content] = operation["requestBody"]["content"].values()
    example = json.loads(json.dumps(content["example"]).replace("sahra-50", "rose"))
    # As much of the victim as a body could name.
    return {**example, "sessionId": victim["session"], "shopperId": victim["session"]}


def cart_of(token: str) -> Any:
    return json.loads(send("GET", "/api/v1/cart", token=token)["body"])


@pytest.mark.parametrize(
    ("method", "path", "operation"), OPERATIONS, ids=[f"{m} {p}" for m, p, _ in OPERATIONS]
)
def test_with_another_shoppers_token_nothing_of_the_victim_is_read_or_changed(
    victim, method, path, operation
) -> None:
    before = cart_of(victim["token"])
    thief = json.loads(send("POST", "/api/v1/sessions")["body"])
    for headers in ({}, {"idempotency-key": "k"}, {"x-session-token": victim["token"]}):
        answer = send(
            method, filled(path, victim), body_of(operation, victim), thief["token"], **headers
        )
        assert answer["statusCode"] < 500 or "unavailable" in answer["body"]
        for secret in (SECRET_WORDS, victim["session"], victim["token"]):
            assert secret not in answer["body"]
            assert secret not in json.dumps(answer["headers"])
        assert answer["headers"].get("Idempotency-Replayed") is None
    assert cart_of(victim["token"]) == before


@pytest.mark.parametrize(
    ("method", "path", "operation"),
    [o for o in OPERATIONS if reads_a_shopper(o[2])],
    ids=[f"{m} {p}" for m, p, o in OPERATIONS if reads_a_shopper(o)],
)
def test_a_forged_bearer_is_401_on_every_route_that_reads_one(
    victim, method, path, operation
) -> None:
    good = victim["token"]
    for forged in (good[:-4] + "AAAA", "eyJhbGciOiJub25lIn0.e30.", "g1.k.x.y", "null"):
        answer = send(method, filled(path, victim), body_of(operation, victim), forged)
        assert answer["statusCode"] == 401
        assert json.loads(answer["body"])["code"] in ("unauthorized", "session_expired")


def test_a_victims_turn_id_in_the_thiefs_session_is_a_turn_of_the_thiefs_own(victim) -> None:
    thief = json.loads(send("POST", "/api/v1/sessions")["body"])
    said = {"message": "hello", "turnId": victim["turn"]}
    answer = json.loads(send("POST", "/api/v1/ai/cart", said, thief["token"])["body"])
    assert answer["sessionId"] == thief["sessionId"]
    assert answer["cart"]["items"] == []
    assert SECRET_WORDS not in json.dumps(answer)
