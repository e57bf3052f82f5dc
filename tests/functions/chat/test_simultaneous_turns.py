"""Messages at the same time in one session, over HTTP to several environments of the running stack."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
PAIRS = 20


@pytest.fixture
def names(stack) -> list[str]:
    """Names of two products that have no other size."""
    found = stack.get("/api/v1/products?inStock=true&limit=100").json()["products"]
    alone = [p["name"] for p in found if "variantOf" not in p and (p["stock"] or 0) > 5]
    return alone[:2]


@pytest.fixture
def talk(stack):
    """The exchanges kept of a session, as an export shows them."""

    def of(token: str) -> list[str]:
        records = stack.get("/api/v1/sessions/current/export", token=token).json()["records"]
        [found] = [r for r in records if r["kind"] == "conversation"]
        return [exchange["user"] for exchange in found["data"]["exchanges"]]

    return of


def say(stack, message: str, token: str, **fields: Any):
    return stack.post("/api/v1/ai/cart", {"message": message, **fields}, token)


def test_two_messages_at_once_are_both_answered_and_neither_is_lost(stack, names, talk):

    for number in range(PAIRS):
        token = stack.post("/api/v1/ai/cart", {"message": "hello"}).json()["sessionToken"]
        with ThreadPoolExecutor(2) as pool:
            messages = [f"add {name} to my cart" for name in names]
            answers = list(pool.map(lambda m, t=token: say(stack, m, t), messages))
        assert [a.status for a in answers] == [200, 200], number
        counts = sorted(a.json()["cart"]["count"] for a in answers)
        assert counts in ([1, 2], [2, 2]), number
        cart = stack.get("/api/v1/cart", token=token).json()
        assert sorted((i["name"], i["quantity"]) for i in cart["items"]) == sorted(
            (name, 1) for name in names
        )
        assert cart["version"] == 2
        said = talk(token)
        assert said[0] == "hello"
        assert sorted(said[1:]) == sorted(messages), number
    print(f"pairs: {PAIRS}, answers: {2 * PAIRS}, exchanges lost: 0, carts wrong: 0")


def test_the_same_turn_at_the_same_time_runs_once(stack, talk):
    token = stack.post("/api/v1/ai/cart", {"message": "hello"}).json()["sessionToken"]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: say(stack, FLAGSHIP, token, turnId="t-1"), range(8)))
    assert {a.status for a in answers} <= {200, 409}
    waits = [{k.lower(): v for k, v in a.headers.items()} for a in answers if a.status == 409]
    assert all(int(headers["retry-after"]) >= 1 for headers in waits)
    [reply] = {json.dumps(a.json()["actions"]) for a in answers if a.status == 200}
    assert len(json.loads(reply)) == 1
    assert stack.get("/api/v1/cart", token=token).json()["count"] == 1
    assert talk(token) == ["hello", FLAGSHIP]


def test_an_erasure_while_messages_are_answered_leaves_nothing_of_before(stack, names):
    token = stack.post("/api/v1/ai/cart", {"message": "hello"}).json()["sessionToken"]
    say(stack, f"add {names[0]} to my cart", token)
    with ThreadPoolExecutor(2) as pool:
        late = pool.submit(say, stack, "what do you have for summer?", token)
        assert stack.request("DELETE", "/api/v1/sessions/current", token=token).status == 204
        late.result()
    left = stack.get("/api/v1/sessions/current/export", token=token).json()["records"]
    assert names[0] not in json.dumps([r for r in left if r["kind"] in ("cart", "conversation")])
