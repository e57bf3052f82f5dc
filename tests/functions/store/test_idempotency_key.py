"""`Idempotency-Key` at the store's edge: what is repeated happens once, and is answered alike."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from shopping_agent import bootstrap
from shopping_agent.adapters.redis import connection
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import StateUnavailableError
from shopping_agent.http import idempotent
from shopping_agent.http.response import json_reply
from shopping_agent.http.visit import HttpEvent

from functions.store import app as store

ROSE = {"productId": "rose"}


def add(call, body=ROSE, *, key="k1", **options):
    headers = {"idempotency-key": key, **options.pop("headers", {})}
    return call("POST", "/api/v1/cart/items", body, headers=headers, **options)


@pytest.fixture
def signed_in(call):
    call.sign_in()
    return call


def test_a_repeated_addition_adds_once_and_says_that_it_is_a_replay(signed_in) -> None:
    first, second = add(signed_in), add(signed_in)
    assert (first.status, first.json["version"]) == (200, 1)
    assert second.json == first.json
    assert "Idempotency-Replayed" not in first.headers
    assert second.headers["Idempotency-Replayed"] == "true"
    for name in ("Content-Type", "ETag"):
        assert second.headers[name] == first.headers[name]
    assert second.headers["Cache-Control"] == "no-store"
    assert signed_in("GET", "/api/v1/cart").json["count"] == 1


def test_a_replay_is_counted_with_its_own_request(signed_in, capsys) -> None:
    add(signed_in)
    assert "RequestsReplayed" not in capsys.readouterr().out
    add(signed_in)
    assert '"RequestsReplayed":[1.0]' in capsys.readouterr().out


def test_two_keys_are_two_additions(signed_in) -> None:
    add(signed_in, key="a")
    assert add(signed_in, key="b").json["count"] == 2


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "/api/v1/cart/items/rose", {"quantity": 2}),
        ("DELETE", "/api/v1/cart/items/rose", None),
        ("DELETE", "/api/v1/cart", None),
        ("POST", "/api/v1/cart/undo", None),
    ],
)
def test_every_change_can_be_repeated(signed_in, method, path, body) -> None:
    add(signed_in, key="first")
    headers = {"idempotency-key": "k"}
    first = signed_in(method, path, body, headers=headers)
    second = signed_in(method, path, body, headers=headers)
    assert (first.status, second.status, second.json) == (200, 200, first.json)
    assert second.headers["Idempotency-Replayed"] == "true"
    assert signed_in("GET", "/api/v1/cart").json["version"] == first.json["version"] == 2


def test_one_key_on_two_routes_is_two_requests(signed_in) -> None:
    add(signed_in)
    answer = signed_in("DELETE", "/api/v1/cart", headers={"idempotency-key": "k1"})
    assert (answer.status, answer.json["items"]) == (200, [])


@pytest.mark.parametrize(
    ("path", "body", "query"),
    [
        ("/api/v1/cart/items/rose", {"quantity": 3}, None),
        ("/api/v1/cart/items/plain", {"quantity": 2}, None),
        ("/api/v1/cart/items/rose", {"quantity": 2}, {"x": "1"}),
    ],
)
def test_a_key_for_something_else_is_422(signed_in, path, body, query) -> None:
    headers = {"idempotency-key": "k"}
    signed_in("PATCH", "/api/v1/cart/items/rose", {"quantity": 2}, headers=headers)
    answer = signed_in("PATCH", path, body, headers=headers, query=query)
    assert (answer.status, answer.code) == (422, "idempotency_key_reused")
    assert answer.json["field"] == "Idempotency-Key"


def test_two_shoppers_may_use_the_same_key(call) -> None:
    call.sign_in()
    add(call)
    call.sign_in()
    other = add(call)
    assert (other.json["version"], "Idempotency-Replayed" in other.headers) == (1, False)


def test_a_refusal_is_answered_again_though_the_shop_would_now_accept(signed_in) -> None:
    first = add(signed_in, {"productId": "oud"})
    second = add(signed_in, {"productId": "oud"})
    assert first.status == second.status == 409
    assert second.headers["Idempotency-Replayed"] == "true"
    assert second.json == first.json


@pytest.mark.parametrize("key", ["", "x" * 256, "with space", "tab\t", "clé", "مفتاح", "a\x7f"])
def test_a_malformed_key_is_422_and_changes_nothing(signed_in, key) -> None:
    answer = add(signed_in, key=key)
    assert (answer.status, answer.code) == (422, "invalid_idempotency_key")
    assert signed_in("GET", "/api/v1/cart").json["version"] == 0


def test_the_longest_key_of_any_visible_characters_is_taken(signed_in) -> None:
    key = ("".join(map(chr, range(0x21, 0x7F))) * 3)[:255]
    assert add(signed_in, key=key).status == 200
    assert add(signed_in, key=key).headers["Idempotency-Replayed"] == "true"


def test_without_a_bearer_a_key_is_refused(call) -> None:
    answer = add(call)
    assert (answer.status, answer.code) == (400, "idempotency_key_refused")
    assert "X-Session-Token" not in answer.headers


def test_a_new_session_takes_no_key(call) -> None:
    for _ in range(2):
        answer = call("POST", "/api/v1/sessions", headers={"idempotency-key": "k"})
        assert (answer.status, answer.code) == (400, "idempotency_key_refused")
        call.sign_in()


def test_a_wrong_bearer_is_401_before_its_key_is_looked_at(call) -> None:
    call.token = "g1.test.forged.token"
    assert add(call).status == 401


def test_reading_ignores_a_key(signed_in) -> None:
    for _ in range(2):
        answer = signed_in("GET", "/api/v1/cart", headers={"idempotency-key": "k"})
        assert "Idempotency-Replayed" not in answer.headers


def test_a_body_too_large_is_413_with_a_key_too(signed_in) -> None:
    assert add(signed_in, "x" * 200_000).status == 413


def test_while_the_first_one_runs_the_second_is_409_and_told_when_to_come_back(
    signed_in, monkeypatch
) -> None:
    answers = []
    real = idempotent.Once._finish

    def meanwhile(once, owner, reply) -> None:
        answers.append(add(signed_in))
        real(once, owner, reply)

    monkeypatch.setattr(idempotent.Once, "_finish", meanwhile)
    assert add(signed_in).status == 200
    [second] = answers
    assert (second.status, second.code) == (409, "request_in_progress")
    assert 1 <= int(second.headers["Retry-After"]) <= 2


def die(*_: object) -> None:
    raise SystemExit


def test_what_died_halfway_is_run_again_when_its_lease_is_over_and_adds_once(
    signed_in, settings, monkeypatch
) -> None:
    with monkeypatch.context() as killed:
        killed.setattr(idempotent.Once, "_finish", die)
        with pytest.raises(SystemExit):
            add(signed_in)
    assert add(signed_in).code == "request_in_progress"
    records: Any = bootstrap.idempotency_store(settings)
    clock = records._clock
    monkeypatch.setattr(records, "_clock", lambda: clock() + 60)
    again = add(signed_in)
    assert (again.status, again.json["version"], again.json["count"]) == (200, 1, 1)
    assert add(signed_in).headers["Idempotency-Replayed"] == "true"


def test_a_reply_that_cannot_be_kept_is_given_all_the_same(signed_in, monkeypatch) -> None:
    def unavailable(*_: object, **__: object) -> None:
        raise StateUnavailableError("gone")

    records = bootstrap.idempotency_store(bootstrap.settings())
    with monkeypatch.context() as broken:
        broken.setattr(records, "finish", unavailable)
        assert add(signed_in).json["count"] == 1


def test_an_outage_is_not_kept(signed_in, redis_stack, monkeypatch) -> None:
    class Down:
        def add(self, *_: object, **__: object) -> None:
            raise StateUnavailableError("down")

    with monkeypatch.context() as broken:
        broken.setattr(bootstrap, "cart_store", lambda _: Down())
        assert add(signed_in).status == 503
    answer = add(signed_in)
    assert (answer.status, "Idempotency-Replayed" in answer.headers) == (200, False)


def test_a_bug_is_not_kept(signed_in, monkeypatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(bootstrap, "cart_store", lambda _: None)
        assert add(signed_in).status == 500
    assert add(signed_in).status == 200


def test_a_refusal_by_limit_is_not_kept(signed_in, use) -> None:
    use(RATE_LIMITS="session=1/min")
    assert add(signed_in, key="a").status == 200
    limited = add(signed_in, key="b")
    assert (limited.status, limited.code) == (429, "session_limit")
    # A replay is no new request: it is answered even now.
    assert add(signed_in, key="a").headers["Idempotency-Replayed"] == "true"
    use(RATE_LIMITS="off")
    assert add(signed_in, key="b").json["count"] == 2


def test_a_key_costs_two_redis_round_trips_of_which_one_counts_the_limits(
    signed_in, monkeypatch
) -> None:
    sent = []
    for name in ("run", "pipeline"):
        real = getattr(connection.RedisConnection, name)
        monkeypatch.setattr(
            connection.RedisConnection,
            name,
            lambda self, *args, real=real: (sent.append(args), real(self, *args))[1],
        )
    signed_in("POST", "/api/v1/cart/items", ROSE)
    assert len(sent) == 2
    sent.clear()
    add(signed_in)
    assert len(sent) == 3
    sent.clear()
    add(signed_in)
    assert len(sent) == 1


def test_of_fifty_at_once_one_writes(call, settings) -> None:
    call.sign_in()
    token = call.token

    # The handler serves one request at a time, as Lambda does: here each thread asks the parts behind it.
    entrance = bootstrap.entrance(settings)
    visits = []

    def request(_: int) -> int:
        event = HttpEvent(
            "POST",
            "/api/v1/cart/items",
            {
                "headers": {"authorization": f"Bearer {token}", "idempotency-key": "once"},
                "body": '{"productId":"plain"}',
            },
        )
        rules = next(r for r in store.app.rules() if r.path == "/api/v1/cart/items")

        def respond(visit):
            visits.append(visit)
            cart = bootstrap.cart_store(settings).add(visit.who.shopper, "plain", 1, visit.deadline)
            return json_reply(cart.view())

        deadline = Deadline.after(5)
        try:
            return entrance.enter(event, rules, deadline, respond).status
        except idempotent.InProgressError as error:
            return error.status

    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(request, range(50)))
    assert len(visits) == 1
    assert set(statuses) <= {200, 409}
    assert call("GET", "/api/v1/cart").json["version"] == 1
