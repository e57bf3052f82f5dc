"""What is kept of a shopper: all of it in the registry, all of it exported, all of it erased, and nothing too personal."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter
from shopping_agent import bootstrap
from shopping_agent.adapters.redis.keys import FAMILIES, family_of
from shopping_agent.domain.deadline import Deadline

from functions.store import app as store

PRIVATE = {
    "migraines": "something fresh for summer, I get migraines",
    "enceinte": "je suis enceinte, un parfum léger pour moi ?",
    "7assasiya": "3ndi 7assasiya, bghit chi ri7a khfifa",
    "حساسية": "عندي حساسية، أريد عطراً خفيفاً",
    "0612345678": "call me on 0612345678 about my order",
    "salma.k@example.com": "my e-mail is salma.k@example.com, what is on sale?",
    "4111111111111111": "my card is 4111 1111 1111 1111, add the first one",
    "Ibn Batouta": "do you deliver to 12 rue Ibn Batouta, Casablanca?",
}


class Store:
    """The store handler with the shopper's token."""

    def __init__(self, say: Any) -> None:
        self._say = say

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        if self._say.token:
            headers["authorization"] = f"Bearer {self._say.token}"
        event = {
            "version": "2.0",
            "rawPath": path.partition("?")[0],
            "headers": headers,
            "queryStringParameters": dict(
                part.split("=", 1) for part in path.partition("?")[2].split("&") if part
            ),
            "requestContext": {
                "requestId": "r",
                "stage": "$default",
                "http": {"method": method, "path": path, "sourceIp": "127.0.0.1"},
            },
            "body": None if body is None else json.dumps(body),
            "isBase64Encoded": False,
        }
        return store.lambda_handler(event, None)


@pytest.fixture
def say(settings, use, new_shopper):
    """A shopper of a store that keeps all it can, recordings of turns too."""
    use(settings.model_copy(update={"record_turns": 24}))
    return new_shopper()


@pytest.fixture
def shop(say) -> Store:
    return Store(say)


@pytest.fixture
def redis(settings):
    connection = bootstrap.redis(settings)
    return lambda *command: connection.run(list(command), Deadline.after(10))


@pytest.fixture
def everything(settings, redis):
    """All keys and values of the store's keyspace."""
    connection = bootstrap.redis(settings)
    reads = {
        "string": ("GET",),
        "hash": ("HGETALL",),
        "zset": ("ZRANGE", 0, -1),
        "set": ("SMEMBERS",),
        "list": ("LRANGE", 0, -1),
    }

    def read() -> dict[str, str]:
        found: dict[str, str] = {}
        for key in redis("KEYS", connection.key("*")):
            kind = redis("TYPE", key)
            if kind == "none":  # another test's key, whose time ended meanwhile
                continue
            how = reads[kind]
            found[key] = json.dumps(redis(how[0], key, *how[1:]), ensure_ascii=False)
        return found

    return read


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the structured logger writes, at every level."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LambdaPowertoolsFormatter())
    underlying = logging.getLogger("shopping-agent")
    level = underlying.level
    underlying.addHandler(handler)
    underlying.setLevel(logging.DEBUG)
    yield stream
    underlying.setLevel(level)
    underlying.removeHandler(handler)


def live(say, shop: Store) -> str:
    """A shopper's life: turns and requests of every kind; answers the session's id."""
    session = say("hello").json["sessionId"]
    first = say("show me something fresh for summer under 800 MAD", turnId="t-1").json["products"]
    say("add the second one", turnId="t-2")
    say("do you deliver to Agadir?")
    say("add neroli bloom")
    say("my phone is 0612345678 and I get migraines", turnId="t-3")
    headers = {"idempotency-key": "k-1"}
    item = {"productId": first[0]["id"], "quantity": 2}
    assert shop("POST", "/api/v1/cart/items", item, **headers)["statusCode"] == 200
    path = f"/api/v1/cart/items/{first[0]['id']}"
    assert shop("PATCH", path, {"quantity": 1})["statusCode"] == 200
    assert shop("POST", "/api/v1/cart/undo")["statusCode"] == 200
    shop("POST", "/api/v1/cart/checkout", {})
    return session


def exported(shop: Store) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = []
    cursor = ""
    while True:
        query = f"?cursor={cursor}" if cursor else ""
        answer = shop("GET", f"/api/v1/sessions/current/export{query}")
        assert answer["statusCode"] == 200
        body = json.loads(answer["body"])
        records += body["records"]
        cursor = body.get("nextCursor")
        if cursor is None:
            return records


def test_every_key_is_of_a_registered_family_and_a_shoppers_keys_end(
    settings, say, shop, redis
) -> None:
    live(say, shop)
    connection = bootstrap.redis(settings)
    for key in redis("KEYS", connection.key("*")):
        family = family_of(connection, key)
        assert family is not None, key
        if family.owner == "shop":
            continue
        left = redis("TTL", key)
        if left == -2:  # it has just ended
            continue
        # The records of requests are fields, which end one by one.
        fields = redis("HKEYS", key) if left < 0 and redis("TYPE", key) == "hash" else []
        lefts = redis("HTTL", key, "FIELDS", len(fields), *fields) if fields else [left]
        assert all(n == -2 or 0 <= n <= (family.seconds or 0) for n in lefts), key


def test_all_that_is_kept_of_a_shopper_is_exported_and_erased(
    say, shop, everything, new_shopper
) -> None:
    other = new_shopper()
    neighbour = other("show me something fresh", turnId="t-1").json["sessionId"]
    session = live(say, shop)
    before = everything()
    mine = {key for key, value in before.items() if session in key or session in value}
    assert {f.name for f in FAMILIES if f.owner in ("shopper", "session")} - {
        key.split(":")[1] for key in mine
    } <= {"handoff"}
    records = exported(shop)
    assert mine <= {r["key"] for r in records}
    shown = json.dumps(records, ensure_ascii=False)
    for told in ("show me something fresh for summer under 800 MAD", '"undo"', '"attempt"'):
        assert told in shown
    answer = shop("DELETE", "/api/v1/sessions/current")
    assert (answer["statusCode"], answer["body"]) == (204, "")
    after = everything()
    assert not [key for key, value in after.items() if session in key or session in value]
    assert set(before) - set(after) >= mine
    kinds = {key.split(":")[1] for key in after if neighbour in key}
    assert {"conversation", "journal", "kept"} <= kinds


def test_an_erasure_may_be_repeated_and_the_session_goes_on_empty(say, shop) -> None:
    live(say, shop)
    for _ in range(2):
        answer = shop("DELETE", "/api/v1/sessions/current", **{"idempotency-key": "k"})
        assert answer["statusCode"] == 204
    assert json.loads(shop("GET", "/api/v1/cart")["body"])["count"] == 0
    assert say("what's in my cart").status == 200


@pytest.mark.parametrize("method", ["DELETE", "GET"])
def test_without_a_bearer_nothing_is_exported_or_erased(shop, method: str) -> None:
    path = "/api/v1/sessions/current" + ("/export" if method == "GET" else "")
    assert shop(method, path)["statusCode"] == 401


def test_a_large_export_comes_page_by_page(say, shop, monkeypatch) -> None:
    from shopping_agent.adapters.redis import shopper_records

    monkeypatch.setattr(shopper_records, "PAGE_CHARACTERS", 10)
    monkeypatch.setattr(shopper_records, "KEYS_A_TRIP", 2)
    live(say, shop)
    records = exported(shop)
    monkeypatch.undo()
    keys = [r["key"] for r in records]
    assert len(keys) == len(set(keys)) > 4
    assert {r["kind"] for r in records} >= {"cart", "conversation", "journal", "idempotency"}


@pytest.mark.parametrize(("secret", "message"), PRIVATE.items())
def test_no_word_of_health_and_no_contact_detail_is_in_any_key_value_or_log_line(
    say, everything, log, secret: str, message: str
) -> None:
    say("hello")
    say("show me something for summer")
    body = json.dumps({"message": message, "turnId": f"t {secret[:3]}"})
    headers = {
        "content-type": "application/json",
        "idempotency-key": "k",
        "Authorization": f"Bearer {say.token}",
    }
    answer = say.send(body, headers=headers)
    assert answer.status == 200
    assert say("what's in my cart", turnId="t-2").status == 200
    kept = everything()
    said = [v for k, v in kept.items() if ":conversation:" in k and "[" in v]
    assert said
    whole = json.dumps(kept, ensure_ascii=False)
    digits = secret.isdigit()
    for text in (whole, log.getvalue()):
        assert secret not in (text.replace(" ", "") if digits else text)
