"""Limits as counters in Redis: all of a request's are checked and counted in one script, or none is counted."""

import math
from collections.abc import Sequence
from typing import Any, Final, cast

from shopping_agent.adapters.redis.connection import Command, RedisConnection, script
from shopping_agent.adapters.redis.keys import NETWORK, REQUESTS, TRAFFIC, TURNS, digest
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge, LimitName
from shopping_agent.errors import StateUnavailableError, TooManyRequestsError

# `admit(k, a)`: counters are KEYS[k..], three arguments each from ARGV[a]: limit, milliseconds, cost.
# Answers which charge is refused (the one that takes longest to allow it) and for how many milliseconds, or nothing.
ADMIT_LUA: Final = """
local function admit(k, a)
  local refused, wait = 0, 0
  for i = k, #KEYS do
    local at = a + 3 * (i - k)
    local held = tonumber(redis.call('GET', KEYS[i]) or '0')
    if held + tonumber(ARGV[at + 2]) > tonumber(ARGV[at]) then
      local left = redis.call('PTTL', KEYS[i])
      if left < 0 then left = tonumber(ARGV[at + 1]) end
      if left >= wait then refused, wait = i - k + 1, left end
    end
  end
  if refused > 0 then return refused, wait end
  for i = k, #KEYS do
    local at = a + 3 * (i - k)
    redis.call('INCRBY', KEYS[i], ARGV[at + 2])
    if redis.call('PTTL', KEYS[i]) < 0 then redis.call('PEXPIRE', KEYS[i], ARGV[at + 1]) end
  end
end
"""

_ADMIT: Final = ADMIT_LUA + "local refused, wait = admit(1, 1) return {refused or 0, wait or 0}"

_MESSAGES: Final[dict[LimitName, str]] = {
    "session": "Too many requests in this session. Please slow down.",
    "ip": "Too many requests from this address. Please slow down.",
    "store": "The store is very busy. Please try again soon.",
    "turns": "This session has used up its messages for now. Please come back later.",
    "tokens": "The assistant is used up for today. Please come back later.",
    "spend": "The assistant is used up for today. Please come back later.",
}


class RedisRateLimiter:
    """`RateLimiter` on Redis."""

    def __init__(self, *, connection: RedisConnection) -> None:
        self._connection = connection

    def admit(self, charges: Sequence[Charge], deadline: Deadline) -> None:
        if charges:
            [command] = admission(self._connection, charges)
            check_admission(charges, [self._connection.run(command, deadline)])


def admission(connection: RedisConnection, charges: Sequence[Charge]) -> list[Command]:
    """The command that counts the charges, if there are any; its reply is for `check_admission`."""
    if not charges:
        return []
    return [script(_ADMIT, counter_keys(connection, charges), charge_arguments(charges))]


def check_admission(charges: Sequence[Charge], replies: Sequence[Any]) -> None:
    """Raises:
    TooManyRequestsError: one of the limits is reached; `code` names it.
    StateUnavailableError: the reply is not one of ours.
    """
    if not charges:
        return
    try:
        refused, wait = (int(part) for part in cast(Sequence[Any], replies[0]))
        if refused:
            raise refusal(charges[refused - 1], wait)
    except (ValueError, TypeError, LookupError) as error:
        raise StateUnavailableError("redis holds an unreadable limit") from error


def refusal(charge: Charge, wait_milliseconds: int) -> TooManyRequestsError:
    """Why a request is refused, and after how many whole seconds it would not be."""
    return TooManyRequestsError(
        _MESSAGES[charge.name],
        retry_after=max(1, math.ceil(wait_milliseconds / 1000)),
        code=f"{charge.name}_limit",
    )


def counter_keys(connection: RedisConnection, charges: Sequence[Charge]) -> list[str]:
    return [_counter_key(connection, charge) for charge in charges]


def _counter_key(connection: RedisConnection, charge: Charge) -> str:
    match charge.name:
        case "session":
            return REQUESTS.key(connection, charge.whose)
        case "turns":
            return TURNS.key(connection, charge.whose)
        case "ip":
            return NETWORK.key(connection, digest(charge.whose))
        case "store" | "tokens" | "spend":
            return TRAFFIC.key(connection, charge.name)


def charge_arguments(charges: Sequence[Charge]) -> list[int]:
    return [n for c in charges for n in (c.limit.count, c.limit.seconds * 1000, c.cost)]
