"""Idempotency records in Redis: one hash for each shopper, so that erasing a shopper is deleting one key.

A record is a field `fingerprint owner lease-end`; its reply is a second field. A finished record has no owner.
"""

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from shopping_agent.adapters.redis.connection import RedisConnection, script
from shopping_agent.adapters.redis.keys import DAY, IDEMPOTENCY
from shopping_agent.adapters.redis.limits import (
    ADMIT_LUA,
    charge_arguments,
    counter_keys,
    refusal,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge
from shopping_agent.errors import StateUnavailableError
from shopping_agent.ports import Attempt, RequestKey, StoredReply

KEEP_SECONDS: Final = IDEMPOTENCY.seconds or DAY
MAX_REPLY_CHARACTERS: Final = 200_000
"""A larger reply is not kept; the request may run again, which changes nothing twice."""

# KEYS: records of the shopper, counters. ARGV: record, fingerprint, owner, now, lease's milliseconds, milliseconds to live,
# then the charges. The same owner again is one request that the connection repeated.
_BEGIN: Final = (
    ADMIT_LUA
    + """
local records, name, now = KEYS[1], ARGV[1], tonumber(ARGV[4])
local held = redis.call('HGET', records, name)
if held then
  local fingerprint, owner, lease = string.match(held, '^(%S+) (%S+) (%d+)$')
  if fingerprint ~= ARGV[2] then return {'other', ''} end
  if owner == '-' then return {'finished', redis.call('HGET', records, name .. '.reply') or ''} end
  if owner == ARGV[3] then return {'started', ''} end
  if now < tonumber(lease) then return {'running', string.format('%.0f', tonumber(lease) - now)} end
end
local refused, wait = admit(2, 7)
if refused then return {'limited', refused, wait} end
local lease = string.format('%.0f', now + tonumber(ARGV[5]))
redis.call('HSET', records, name, ARGV[2] .. ' ' .. ARGV[3] .. ' ' .. lease)
redis.call('HPEXPIRE', records, ARGV[6], 'FIELDS', 1, name)
return {'started', ''}
"""
)

# ARGV: record, fingerprint, owner, milliseconds to live, the reply or '' to forget that it was begun.
_FINISH: Final = """
local records, name = KEYS[1], ARGV[1]
local held = redis.call('HGET', records, name)
if not held or not string.find(held, ARGV[2] .. ' ' .. ARGV[3] .. ' ', 1, true) then return 'lost' end
if ARGV[5] == '' then
  redis.call('HDEL', records, name)
  return 'ok'
end
redis.call('HSET', records, name, ARGV[2] .. ' - 0', name .. '.reply', ARGV[5])
redis.call('HPEXPIRE', records, ARGV[4], 'FIELDS', 2, name, name .. '.reply')
return 'ok'
"""


class RedisIdempotencyStore:
    """`IdempotencyStore` on Redis; each call is one round trip."""

    def __init__(
        self, *, connection: RedisConnection, clock: Callable[[], float] = time.time
    ) -> None:
        self._connection = connection
        self._clock = clock

    def begin(
        self,
        key: RequestKey,
        owner: str,
        lease_seconds: float,
        deadline: Deadline,
        *,
        charges: Sequence[Charge] = (),
    ) -> Attempt:
        arguments = [
            key.name,
            key.fingerprint,
            owner,
            int(self._clock() * 1000),
            int(lease_seconds * 1000),
            KEEP_SECONDS * 1000,
            *charge_arguments(charges),
        ]
        keys = [self._records(key), *counter_keys(self._connection, charges)]
        return self._attempt(
            charges, self._connection.run(script(_BEGIN, keys, arguments), deadline)
        )

    def finish(
        self, key: RequestKey, owner: str, reply: StoredReply | None, deadline: Deadline
    ) -> None:
        text = _encoded(reply)
        arguments = [key.name, key.fingerprint, owner, KEEP_SECONDS * 1000, text]
        self._connection.run(script(_FINISH, [self._records(key)], arguments), deadline)

    def _records(self, key: RequestKey) -> str:
        return IDEMPOTENCY.key(self._connection, key.shopper_id)

    def _attempt(self, charges: Sequence[Charge], reply: Any) -> Attempt:
        try:
            match cast(list[Any], reply):
                case ["limited", refused, wait]:
                    raise refusal(charges[int(refused) - 1], int(wait))
                case ["finished", text]:
                    status, headers, body = json.loads(text)
                    return Attempt("finished", reply=StoredReply(status, headers, body))
                case ["running", left]:
                    return Attempt("running", seconds_left=int(left) / 1000)
                case ["started" | "other" as state, _]:
                    return Attempt(state)
                case _:
                    raise ValueError("no such state")
        except (ValueError, TypeError, LookupError) as error:
            raise StateUnavailableError("redis holds an unreadable request record") from error


def _encoded(reply: StoredReply | None) -> str:
    if reply is None:
        return ""
    parts = [reply.status, dict(reply.headers), reply.body]
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= MAX_REPLY_CHARACTERS else ""
