import time
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
    "reply",
    [
        httpx.Response(200, text="<html>gateway</html>"),
        httpx.Response(502, text=""),
        httpx.Response(200, content=b'[{"result":"T0'),
        httpx.Response(200, content=b"\xff\xfe"),
        httpx.Response(200, json={"result": 1}),
        httpx.Response(200, json={"message": "Forbidden"}),
        httpx.Response(200, json=[]),
        httpx.Response(200, json=[{"other": 1}]),
        httpx.Response(200, json=["text"]),
        httpx.Response(200, json=None),
        httpx.Response(200, json=[{"result": "%%% not base64"}]),
        httpx.Response(200, json=[{"result": {"a": "map"}}]),
        httpx.Response(401, json={"error": "Unauthorized"}),
        httpx.Response(200, json=[{"error": "ERR max daily request limit exceeded"}]),
    ],
)
def test_whatever_is_no_proper_answer_is_an_outage(reply: httpx.Response, deadline) -> None:
    with pytest.raises(StateUnavailableError):
        answering(lambda request: reply).run(["GET", "k"], deadline)


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
