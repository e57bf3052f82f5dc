from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from shopping_agent.adapters.redis import idempotency
from shopping_agent.adapters.redis.idempotency import RedisIdempotencyStore
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge, Limit
from shopping_agent.errors import TooManyRequestsError
from shopping_agent.ports import Attempt, RequestKey, StoredReply

KEY = RequestKey("g_1", "name", "print")
REPLY = StoredReply(201, {"Content-Type": "application/json"}, '{"a":"مرحبا"}')


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(connection, clock) -> RedisIdempotencyStore:
    return RedisIdempotencyStore(connection=connection, clock=clock)


owners = (f"owner{n}" for n in count())


def begin(store, key=KEY, *, owner="", lease=10.0, charges=()) -> Attempt:
    return store.begin(key, owner or next(owners), lease, Deadline.after(5), charges=charges)


def finish(store, key=KEY, reply: StoredReply | None = REPLY, *, owner: str) -> None:
    store.finish(key, owner, reply, Deadline.after(5))


def test_the_first_one_starts_and_once_it_is_finished_all_others_get_its_reply(store) -> None:
    assert begin(store, owner="a").state == "started"
    finish(store, owner="a")
    for _ in range(2):
        assert begin(store) == Attempt("finished", reply=REPLY)


def test_while_it_runs_others_are_told_how_long_at_most(store, clock) -> None:
    begin(store, lease=10)
    clock.now += 4
    running = begin(store)
    assert (running.state, running.seconds_left) == ("running", 6.0)


def test_a_lease_that_is_over_is_taken_and_its_late_owner_writes_nothing(store, clock) -> None:
    begin(store, owner="a", lease=10)
    clock.now += 10.001
    assert begin(store, owner="b").state == "started"
    finish(store, reply=StoredReply(500, {}, "late"), owner="a")
    assert begin(store).state == "running"
    finish(store, owner="b")
    assert begin(store).reply == REPLY


def test_the_same_request_sent_twice_by_the_connection_is_one_start(store) -> None:
    assert begin(store, owner="a").state == begin(store, owner="a").state == "started"


def test_a_key_for_something_else_is_told_apart_while_it_runs_and_later(store) -> None:
    other = RequestKey(KEY.shopper_id, KEY.name, "another")
    begin(store, owner="a")
    assert begin(store, other).state == "other"
    finish(store, owner="a")
    assert begin(store, other).state == "other"


def test_two_shoppers_never_share_a_key(store) -> None:
    begin(store, owner="a")
    finish(store, owner="a")
    assert begin(store, RequestKey("g_2", KEY.name, KEY.fingerprint)).state == "started"


def test_what_is_forgotten_may_run_again(store) -> None:
    begin(store, owner="a")
    finish(store, reply=None, owner="a")
    assert begin(store).state == "started"


def test_a_reply_too_large_to_keep_is_forgotten(store, monkeypatch) -> None:
    monkeypatch.setattr(idempotency, "MAX_REPLY_CHARACTERS", 100)
    begin(store, owner="a")
    finish(store, reply=StoredReply(200, {}, "x" * 100), owner="a")
    assert begin(store).state == "started"


def test_a_limit_refuses_before_anything_starts_and_a_repeat_is_not_charged(store) -> None:
    once = (Charge("session", "g_1", Limit(1, 60)),)
    assert begin(store, owner="a", charges=once).state == "started"
    assert begin(store, charges=once).state == "running"
    finish(store, owner="a")
    assert begin(store, charges=once).state == "finished"
    second = RequestKey("g_1", "second", "print")
    with pytest.raises(TooManyRequestsError) as refused:
        begin(store, second, charges=once)
    assert refused.value.code == "session_limit"
    assert begin(store, second).state == "started"


def test_of_many_at_once_one_starts(store) -> None:
    with ThreadPoolExecutor(16) as pool:
        states = [a.state for a in pool.map(lambda _: begin(store), range(50))]
    assert states.count("started") == 1
    assert states.count("running") == 49


def test_a_shoppers_records_are_one_key_and_each_record_ends_by_itself(store, connection) -> None:
    begin(store, owner="a")
    finish(store, owner="a")
    begin(store, RequestKey("g_1", "second", "print"))
    deadline = Deadline.after(5)
    [key] = connection.run(["KEYS", connection.key("*")], deadline)
    fields = connection.run(["HKEYS", key], deadline)
    ends = connection.run(["HTTL", key, "FIELDS", len(fields), *fields], deadline)
    assert len(fields) == 3
    assert all(0 < end <= 24 * 3600 for end in ends)
