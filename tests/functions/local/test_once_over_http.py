"""Identity, keys and limits over HTTP, through the gateway and parallel execution environments."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

pytestmark = pytest.mark.slow

LINE = {"productId": "atay-vert-50"}


@pytest.fixture(scope="module")
def stack(start_stack: Any, tmp_path_factory: pytest.TempPathFactory):
    variables = {"EMBEDDING_PROVIDER": "none", "RATE_LIMITS": "session=100/min,turns=3/day"}
    with start_stack(tmp_path_factory.mktemp("once"), **variables) as running:
        yield running


@pytest.fixture
def token(stack: Any) -> str:
    return stack.post("/api/v1/sessions").json()["token"]


def at_once(send: Callable[[int], Any], times: int = 50) -> list[Any]:
    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(send, range(times)))


def add(stack: Any, token: str, key: str):
    headers = {"idempotency-key": key}
    return stack.post("/api/v1/cart/items", LINE, token, headers=headers)


def test_of_fifty_identical_requests_exactly_one_writes(stack: Any, token: str) -> None:
    answers = at_once(lambda _: add(stack, token, "once"))
    statuses = [answer.status for answer in answers]
    assert set(statuses) <= {200, 409}
    done = [answer for answer in answers if answer.status == 200]
    assert len([a for a in done if "idempotency-replayed" not in a.headers]) == 1
    assert len({a.body for a in done}) == 1
    for busy in (a for a in answers if a.status == 409):
        assert busy.json()["code"] == "request_in_progress"
        assert int(busy.headers["retry-after"]) >= 1
    cart = stack.get("/api/v1/cart", token=token).json()
    assert (cart["count"], cart["version"]) == (1, 1)
    assert add(stack, token, "once").headers["idempotency-replayed"] == "true"


def test_of_fifty_identical_messages_exactly_one_is_a_turn(stack: Any, token: str) -> None:
    message = {
        "message": "Something fresh for summer, under 800 MAD, and add the best one to my cart."
    }
    headers = {"idempotency-key": "turn"}
    answers = at_once(lambda _: stack.post("/api/v1/ai/cart", message, token, headers=headers))
    done = [answer for answer in answers if answer.status == 200]
    assert {answer.status for answer in answers} <= {200, 409}
    assert len({a.body for a in done}) == 1
    cart = stack.get("/api/v1/cart", token=token).json()
    assert (cart["count"], cart["version"]) == (1, 1)


def test_of_many_at_once_exactly_the_limit_passes(stack: Any, token: str) -> None:
    answers = at_once(lambda _: stack.get("/api/v1/cart", token=token), 130)
    statuses = [answer.status for answer in answers]
    assert (statuses.count(200), statuses.count(429)) == (100, 30)
    refused = next(answer for answer in answers if answer.status == 429)
    assert refused.json()["code"] == "session_limit"
    assert 1 <= int(refused.headers["retry-after"]) <= 60


def test_a_shopper_has_so_many_turns(stack: Any, token: str) -> None:
    statuses = [stack.post("/api/v1/ai/cart", {"message": "hello"}, token).status for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert stack.get("/api/v1/cart", token=token).status == 200
