"""Steps of running turns: read by number, forgotten by themselves, another attempt's apart, nobody else's."""

import pytest
from shopping_agent.adapters.redis.keys import STEPS
from shopping_agent.adapters.redis.shopper_records import RedisShopperRecords
from shopping_agent.adapters.redis.turn_steps import RedisTurnSteps
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.progress import TurnStep

SEARCH = TurnStep(1, "search", "fr", 12)
THINK = TurnStep(2, "think", "fr", 40)


@pytest.fixture
def steps(connection) -> RedisTurnSteps:
    return RedisTurnSteps(connection=connection)


def test_steps_come_in_order_and_after_the_known_one(steps, shopper, deadline) -> None:
    steps.add(shopper, "t", [SEARCH], done=False, deadline=deadline)
    steps.add(shopper, "t", [THINK], done=False, deadline=deadline)
    assert steps.read(shopper, "t", 0, deadline).steps == (SEARCH, THINK)
    later = steps.read(shopper, "t", 1, deadline)
    assert later.steps == (THINK,)
    assert not later.done


def test_the_end_is_known_however_late_one_asks(steps, shopper, deadline) -> None:
    steps.add(shopper, "t", [SEARCH], done=False, deadline=deadline)
    steps.add(shopper, "t", [], done=True, deadline=deadline)
    assert steps.read(shopper, "t", 5, deadline).done


def test_a_step_that_is_written_twice_is_one_step(steps, shopper, deadline) -> None:
    for _ in range(2):
        steps.add(shopper, "t", [SEARCH, THINK], done=False, deadline=deadline)
    assert len(steps.read(shopper, "t", 0, deadline).steps) == 2


def test_another_attempt_begins_anew(steps, shopper, deadline) -> None:
    steps.add(shopper, "t", [SEARCH, THINK], done=True, deadline=deadline)
    steps.add(shopper, "t", [TurnStep(1, "search", "fr", 3)], done=False, deadline=deadline)
    now = steps.read(shopper, "t", 0, deadline)
    assert [s.milliseconds for s in now.steps] == [3]
    assert not now.done


def test_nobody_reads_another_shoppers_steps(steps, shopper, deadline) -> None:
    steps.add(shopper, "t", [SEARCH], done=True, deadline=deadline)
    other = Shopper("g_other", "g_other", "guest")
    assert steps.read(other, "t", 0, deadline).steps == ()
    assert not steps.read(other, "t", 0, deadline).done


def test_steps_end_by_themselves_and_are_erased_with_the_shopper(
    steps, connection, shopper, deadline
) -> None:
    steps.add(shopper, "t", [SEARCH], done=True, deadline=deadline)
    [key] = [
        k
        for k in connection.run(["KEYS", f"{STEPS.key(connection)}*"], deadline)
        if shopper.id in k
    ]
    assert 0 < connection.run(["TTL", key], deadline) <= (STEPS.seconds or 0)
    RedisShopperRecords(connection=connection).erase(shopper, deadline)
    assert steps.read(shopper, "t", 0, deadline).steps == ()
