"""What a warm turn costs outside the process."""

import pytest
from shopping_agent.adapters.redis import connection
from shopping_agent.domain.deadline import Deadline


@pytest.fixture
def redis_requests(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every request sent to Redis from now on, but for the steps, which are written beside the turn."""
    sent: list[object] = []

    def counted(name: str):
        real = getattr(connection.RedisConnection, name)

        def call(self, commands, deadline: Deadline):
            if ":steps:" not in str(commands):
                sent.append(commands)
            return real(self, commands, deadline)

        monkeypatch.setattr(connection.RedisConnection, name, call)

    counted("run")
    counted("pipeline")
    return sent


def test_the_flagship_turn_takes_four_redis_round_trips_and_two_model_calls(say, redis_requests):
    say("hello")
    redis_requests.clear()
    answer = say.event("chat-flagship")
    assert answer.json["usage"]["calls"] == 2
    assert len(answer.cart) == 1
    assert len(redis_requests) == 4


def test_a_turn_that_can_be_sent_again_takes_no_round_trip_more(say, redis_requests):
    say("hello")
    redis_requests.clear()
    message = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
    answer = say(message, turnId="t-1")
    assert len(answer.cart) == 1
    assert len(redis_requests) == 4
    redis_requests.clear()
    assert say(message, turnId="t-1").json == answer.json
    assert len(redis_requests) == 1
