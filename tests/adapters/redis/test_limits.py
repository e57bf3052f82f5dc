import time
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from shopping_agent.adapters.redis.limits import RedisRateLimiter
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge, Limit, LimitName
from shopping_agent.errors import StateUnavailableError, TooManyRequestsError


@pytest.fixture
def limiter(connection) -> RedisRateLimiter:
    return RedisRateLimiter(connection=connection)


def admit(limiter: RedisRateLimiter, *charges: Charge) -> None:
    limiter.admit(charges, Deadline.after(5))


def charge(
    count: int,
    seconds: int = 60,
    *,
    name: LimitName = "session",
    whose: str = "g_1",
    cost: int = 1,
) -> Charge:
    return Charge(name, whose, Limit(count, seconds), cost)


def test_a_limit_lets_exactly_its_count_pass_and_then_names_itself(limiter) -> None:
    for _ in range(3):
        admit(limiter, charge(3))
    with pytest.raises(TooManyRequestsError) as refused:
        admit(limiter, charge(3))
    assert refused.value.code == "session_limit"
    assert 55 <= refused.value.retry_after <= 60


def test_after_the_time_told_the_same_request_passes(limiter) -> None:
    admit(limiter, charge(1, 1))
    with pytest.raises(TooManyRequestsError) as refused:
        admit(limiter, charge(1, 1))
    assert refused.value.retry_after == 1
    time.sleep(refused.value.retry_after)
    admit(limiter, charge(1, 1))


def test_counters_of_two_shoppers_addresses_and_limits_are_apart(limiter) -> None:
    admit(limiter, charge(1), charge(1, name="turns"), charge(1, name="ip", whose="10.0.0.1"))
    admit(limiter, charge(1, whose="g_2"), charge(1, name="ip", whose="10.0.0.2"))
    admit(limiter, charge(1, name="store", whose="all"), charge(1, name="tokens", whose="all"))


def test_a_refused_request_is_counted_nowhere_and_waits_for_the_longest_of_its_limits(
    limiter,
) -> None:
    admit(limiter, charge(1, 3600, name="turns"))
    for _ in range(3):
        with pytest.raises(TooManyRequestsError) as refused:
            admit(limiter, charge(1), charge(1, 3600, name="turns"))
        assert (refused.value.code, refused.value.retry_after > 3500) == ("turns_limit", True)
    admit(limiter, charge(1))


def test_every_counter_ends_by_itself(limiter, connection) -> None:
    admit(limiter, charge(5), charge(5, name="ip", whose="::1"), charge(9, 86400, name="spend"))
    keys = connection.run(["KEYS", connection.key("*")], Deadline.after(5))
    assert len(keys) == 3
    for key in keys:
        assert 0 < connection.run(["TTL", key], Deadline.after(5)) <= 86400


def test_an_address_is_not_kept_as_it_is(limiter, connection) -> None:
    admit(limiter, charge(5, name="ip", whose="203.0.113.9"))
    assert connection.run(["KEYS", "*203.0.113.9*"], Deadline.after(5)) == []


def test_many_at_once_never_pass_more_than_the_limit(limiter) -> None:
    def passes(_: int) -> bool:
        try:
            admit(limiter, charge(20))
        except TooManyRequestsError:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(passes, range(60))) == 20


def test_a_cost_counts_as_many_and_what_does_not_fit_whole_is_refused(limiter) -> None:
    admit(limiter, charge(100, name="tokens", whose="all", cost=80))
    with pytest.raises(TooManyRequestsError):
        admit(limiter, charge(100, name="tokens", whose="all", cost=21))
    admit(limiter, charge(100, name="tokens", whose="all", cost=20))


def test_no_charge_asks_nobody(limiter, monkeypatch) -> None:
    monkeypatch.setattr(limiter, "_connection", None)
    admit(limiter)


def test_without_redis_nobody_passes_unseen(limiter, redis_stack) -> None:
    redis_stack.kill_valkey()
    try:
        with pytest.raises(StateUnavailableError):
            admit(limiter, charge(1, whose=uuid4().hex))
    finally:
        redis_stack.start_valkey()
