"""Steps of running turns in Redis: a hash each, by number, that ends by itself, listed with the shopper's keys."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from shopping_agent.adapters.redis.connection import Command, RedisConnection, pairs
from shopping_agent.adapters.redis.keys import STEPS, digest, keep_commands
from shopping_agent.adapters.redis.limits import admission, check_admission
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge
from shopping_agent.domain.progress import TurnStep
from shopping_agent.errors import StateUnavailableError
from shopping_agent.ports import StepsSoFar

_DONE = "done"


class RedisTurnSteps:
    """`TurnSteps` on Redis. Written twice, a step is one step."""

    def __init__(
        self, *, connection: RedisConnection, clock: Callable[[], float] = time.time
    ) -> None:
        self._connection = connection
        self._clock = clock

    def add(
        self,
        shopper: Shopper,
        turn_id: str,
        steps: Sequence[TurnStep],
        *,
        done: bool,
        deadline: Deadline,
    ) -> None:
        key = self._key(shopper, turn_id)
        seconds = STEPS.seconds or 0
        fields: list[str | int] = []
        for step in steps:
            told = [step.kind, step.language, step.milliseconds]
            fields += [step.number, json.dumps(told, separators=(",", ":"))]
        if done:
            fields += [_DONE, 1]
        commands: list[Command] = [
            ["HSET", key, *fields],
            ["EXPIRE", key, seconds],
            *keep_commands(self._connection, shopper, key, now=self._clock(), seconds=seconds),
        ]
        if any(step.number == 1 for step in steps):
            # Another attempt at the turn: what the first one was at is over.
            commands.insert(0, ["DEL", key])
        self._connection.pipeline(commands, deadline)

    def read(
        self,
        shopper: Shopper,
        turn_id: str,
        after: int,
        deadline: Deadline,
        *,
        charges: Sequence[Charge] = (),
    ) -> StepsSoFar:
        commands: list[Command] = [["HGETALL", self._key(shopper, turn_id)]]
        commands += admission(self._connection, charges)
        held, *counted = self._connection.pipeline(commands, deadline)
        check_admission(charges, counted)
        fields = pairs(held)
        steps = sorted(_steps(fields), key=lambda step: step.number)
        return StepsSoFar(tuple(s for s in steps if s.number > after), _DONE in fields)

    def _key(self, shopper: Shopper, turn_id: str) -> str:
        return STEPS.key(self._connection, shopper.id, digest(turn_id))


def _steps(fields: Mapping[str, Any]) -> list[TurnStep]:
    try:
        return [
            TurnStep(int(number), *cast(list[Any], json.loads(told)))
            for number, told in fields.items()
            if number != _DONE
        ]
    except (ValueError, TypeError) as error:
        raise StateUnavailableError("redis holds unreadable steps") from error
