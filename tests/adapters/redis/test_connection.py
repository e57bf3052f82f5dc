import time
from collections.abc import Callable
from uuid import uuid4

import httpx
import pytest
from shopping_agent.adapters.redis.cart_store import RedisCartStore
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import StateUnavailableError


def answering(handler) -> RedisConnection:
    return RedisConnection(
        url="http://redis.example", token="t", prefix="p", transport=httpx.MockTransport(handler)
    )


@pytest.mark.parametrize(
    ("status", "content"),
    [
        (200, b"<html>gateway</html>"),
        (502, b""),
        (200, b'{"result":"T0'),
        (200, b"\xff\xfe"),
        (200, b"[]"),
        (200, b"null"),
        (200, b'"text"'),
        (200, b'{"message":"Forbidden"}'),
        (200, b'{"result":"%%% not base64"}'),
        (200, b'{"result":{"a":"map"}}'),
        (401, b'{"error":"Unauthorized"}'),
        (400, b'{"error":"ERR max daily request limit exceeded"}'),
    ],
)
@pytest.mark.parametrize("pipelined", [False, True])
def test_whatever_is_no_proper_answer_is_an_outage(status, content, pipelined, deadline) -> None:
    if pipelined and content.startswith(b'{"result"'):
        content = b"[" + content + b"]"
    connection = answering(lambda request: httpx.Response(status, content=content))
    ask: Callable[..., object] = connection.pipeline if pipelined else connection.run
    command = ["GET", "k"]
    with pytest.raises(StateUnavailableError):
        ask([command] if pipelined else command, deadline)


def test_a_pipeline_with_fewer_answers_than_commands_is_an_outage(deadline: Deadline) -> None:
    connection = answering(lambda request: httpx.Response(200, json=[{"result": 1}]))
    with pytest.raises(StateUnavailableError):
        connection.pipeline([["GET", "a"], ["GET", "b"]], deadline)


def test_a_clients_own_writes_are_asked_for_by_the_token_of_the_last_answer(deadline) -> None:
    sent: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers["upstash-sync-token"])
        return httpx.Response(200, json={"result": 1}, headers={"Upstash-Sync-Token": "s1"})

    connection = answering(answer)
    connection.run(["INCR", "k"], deadline)
    connection.run(["INCR", "k"], deadline)
    assert sent == ["", "s1"]


@pytest.mark.parametrize(
    "error",
    [
        httpx.ConnectError("secret-host refused"),
        httpx.ReadTimeout("slow"),
        httpx.RemoteProtocolError("cut"),
    ],
)
def test_whatever_fails_on_the_way_is_an_outage_without_its_details(error, deadline) -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        raise error

    with pytest.raises(StateUnavailableError) as outage:
        answering(fail).run(["GET", "k"], deadline)
    assert str(error) not in str(outage.value)


def test_nothing_is_sent_twice_and_nothing_told_to_the_vendor(deadline: Deadline) -> None:
    sent: list[httpx.Request] = []

    def fail(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(500, text="no")

    begun = time.monotonic()
    with pytest.raises(StateUnavailableError):
        answering(fail).run(["GET", "k"], deadline)
    assert len(sent) == 1
    assert time.monotonic() - begun < 1
    assert not [name for name in sent[0].headers if "telemetry" in name]


@pytest.mark.parametrize(
    "reply",
    [
        ["ok", -1, "", 1, "not json"],
        ["ok", -1, "", 1, '[["a"]]', ""],
        ["ok", -1, ""],
        ["odd", -1, "", 1, "[]"],
        "text",
        None,
    ],
)
def test_a_cart_that_cannot_be_read_is_an_outage(reply, connection, deadline, shopper) -> None:
    store = RedisCartStore(connection=connection, currency="MAD")
    with pytest.raises(StateUnavailableError):
        store.cart_of(reply)


def test_a_ping_is_answered(connection: RedisConnection, deadline: Deadline) -> None:
    connection.ping(deadline)


def test_an_expired_deadline_is_an_outage_at_once(connection: RedisConnection) -> None:
    with pytest.raises(StateUnavailableError):
        connection.ping(Deadline.after(-1))


def test_while_valkey_is_gone_calls_fail_at_once_and_then_work_again(
    connection: RedisConnection, redis_stack, deadline: Deadline
) -> None:
    key = f"kept-{uuid4().hex}"
    connection.run(["SET", key, "é"], deadline)
    redis_stack.kill_valkey()
    try:
        begun = time.monotonic()
        with pytest.raises(StateUnavailableError):
            connection.run(["GET", key], deadline)
        assert time.monotonic() - begun < 2
    finally:
        redis_stack.start_valkey()
    for _ in range(100):
        try:
            assert connection.run(["GET", key], deadline) == "é"
            break
        except StateUnavailableError:
            time.sleep(0.05)
    else:
        pytest.fail("the connection did not recover")
