"""What is written to the logs: never a token, a key, what a shopper said, or a word about their health."""

import json
import time
from typing import Any

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import StateUnavailableError
from upstash_redis.errors import UpstashError

from functions.chat import app as chat
from functions.store import app as store

SAID = "something against my migraine, I am pregnant, for Sara at 0661234567, sara@example.com"
PRIVATE = ("migraine", "pregnant", "Sara", "0661234567", "sara@example.com", "something against")
KEY = "idempotency-key-that-nobody-should-see"


class Context:
    aws_request_id = "r"

    def get_remaining_time_in_millis(self) -> int:
        return 20_000


def event(method: str, path: str, body: Any, token: str) -> dict[str, Any]:
    headers = {"content-type": "application/json", "idempotency-key": KEY}
    return {
        "rawPath": path,
        "headers": headers | ({"authorization": f"Bearer {token}"} if token else {}),
        "queryStringParameters": {"query": SAID} if method == "GET" else None,
        "requestContext": {
            "requestId": "r",
            "timeEpoch": int(time.time() * 1000),
            "http": {"method": method, "path": path, "sourceIp": "198.51.100.77"},
        },
        "body": body if isinstance(body, str) or body is None else json.dumps(body),
    }


REQUESTS = [
    (chat, "POST", "/api/v1/ai/cart", {"message": SAID}),
    (chat, "POST", "/api/v1/ai/cart", {"message": SAID, "turnId": 7}),
    (chat, "POST", "/api/v1/ai/cart", SAID),
    (chat, "POST", "/api/v1/ai/cart", {"message": SAID * 100}),
    (store, "GET", "/api/v1/products", None),
    (store, "GET", "/api/v1/cart", None),
    (store, "POST", "/api/v1/cart/items", {"productId": SAID}),
    (store, "POST", "/api/v1/cart/items", {"productId": "rose", "quantity": SAID}),
    (store, "PATCH", f"/api/v1/cart/items/{SAID}", {"quantity": 1}),
    (store, "POST", "/api/v1/cart/merge", {"guestToken": SAID}),
    (store, "DELETE", "/api/v1/cart", None),
]


def run(token: str) -> list[int]:
    return [
        app.lambda_handler(event(method, path, body, token), Context())["statusCode"]
        for app, method, path, body in REQUESTS
    ]


def assert_discreet(lines: str, *secrets: str) -> None:
    assert lines.strip(), "nothing was logged at all"
    for secret in (*PRIVATE, KEY, *secrets):
        assert secret.lower() not in lines.lower()


def logged(capfd, caplog) -> str:
    captured = capfd.readouterr()
    records = "\n".join(json.dumps(vars(record), default=str) for record in caplog.records)
    return captured.out + captured.err + records


@pytest.mark.parametrize("down", [False, True], ids=["all is well", "redis is down"])
def test_nothing_that_a_shopper_said_or_holds_is_logged(
    call, settings, redis_stack, capfd, caplog, down
) -> None:
    call.sign_in()
    forged = call.token[:-6] + "AAAAAA"
    if down:
        redis_stack.kill_valkey()
    try:
        with caplog.at_level("INFO"):
            statuses = run(call.token) + run(forged) + run("") + run("eyJhbGciOiJub25lIn0.e30.")
    finally:
        if down:
            redis_stack.start_valkey()
    assert set(statuses) <= {200, 400, 401, 403, 404, 409, 413, 422, 503}
    lines = logged(capfd, caplog)
    secrets = (settings.session_secret, settings.upstash_redis_rest_token)
    assert_discreet(
        lines, call.token, forged, *(s.get_secret_value() for s in secrets), "198.51.100.77"
    )


def test_a_command_that_redis_refuses_is_not_repeated_in_the_error(
    call, settings, monkeypatch, capfd, caplog
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise UpstashError(f'ERR max request size exceeded, command was: ["SET","k","{SAID}"]')

    call.sign_in()
    connection: RedisConnection = bootstrap.redis(settings)
    with monkeypatch.context() as broken, caplog.at_level("INFO"):
        broken.setattr(connection._http, "execute", refuse)
        with pytest.raises(StateUnavailableError, match="max request size exceeded") as error:
            connection.run(["PING"], Deadline.after(5))
        assert error.value.__cause__ is None
        assert call("GET", "/api/v1/cart").status == 503
    assert_discreet(logged(capfd, caplog), call.token)
