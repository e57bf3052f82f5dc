"""The plan of the event that holds a source, and which of its parts are done; the manifest's fence holds here too."""

import json
from typing import Any, Final, cast

from shopping_agent.adapters.redis.connection import Command, RedisConnection, pairs, script
from shopping_agent.adapters.redis.keys import DAY
from shopping_agent.adapters.redis.manifest import fence_of, plan_keys, source_key
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import StateUnavailableError
from shopping_agent.ports import IngestionPlan

# KEYS: source, plan, parts. ARGV: fence, sequencer, plan as JSON, seconds to live. What the same event embedded before is not forgotten.
_OPEN: Final = """
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return 0 end
local before = redis.call('HGET', KEYS[2], 'sequencer')
if before ~= ARGV[2] then redis.call('DEL', KEYS[2]) end
redis.call('DEL', KEYS[3])
redis.call('HDEL', KEYS[2], 'sent')
redis.call('HSET', KEYS[2], 'sequencer', ARGV[2], 'plan', ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[4])
return 1
"""

# KEYS: source, plan. ARGV: fence.
_SENT: Final = """
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], 'sent', '1')
return 1
"""

# KEYS: source, parts. ARGV: fence, number of the part, seconds to live. How many are done; -1 when the source has another holder.
_DONE: Final = """
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return -1 end
redis.call('SADD', KEYS[2], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return redis.call('SCARD', KEYS[2])
"""


# Longer than a message can wait in the queue.
_SECONDS: Final = 7 * DAY


class RedisPartLedger:
    """`PartLedger` on Redis."""

    def __init__(self, *, connection: RedisConnection) -> None:
        self._connection = connection

    def open(self, source: str, token: str, plan: IngestionPlan, deadline: Deadline) -> bool:
        document = {
            "token": plan.token,
            "parts": plan.parts,
            "folder": plan.folder,
            "startedAt": plan.started_at,
            "counts": dict(plan.counts),
        }
        values = [fence_of(token), plan.sequencer, json.dumps(document), _SECONDS]
        return self._run(_OPEN, source, values, deadline) == 1

    def sent(self, source: str, token: str, deadline: Deadline) -> bool:
        return self._run(_SENT, source, [fence_of(token)], deadline) == 1

    def done(self, source: str, token: str, number: int, deadline: Deadline) -> int | None:
        keys = [source_key(self._connection, source), plan_keys(self._connection, source)[1]]
        count = self._connection.run(
            script(_DONE, keys, [fence_of(token), number, _SECONDS]), deadline
        )
        return None if count < 0 else int(count)

    def find(self, source: str, deadline: Deadline) -> IngestionPlan | None:
        plan, parts = plan_keys(self._connection, source)
        commands: list[Command] = [["HGETALL", plan], ["SCARD", parts]]
        held, done = self._connection.pipeline(commands, deadline)
        fields = pairs(held)
        if "plan" not in fields:
            return None
        try:
            document = cast(dict[str, Any], json.loads(fields["plan"]))
            return IngestionPlan(
                sequencer=fields["sequencer"],
                token=document["token"],
                parts=document["parts"],
                folder=document["folder"],
                started_at=document["startedAt"],
                counts=document["counts"],
                embedded=int(fields.get("embedded", 0)),
                sent=fields.get("sent") == "1",
                done=int(done),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise StateUnavailableError("redis holds an unreadable plan") from error

    def _run(self, code: str, source: str, values: list[str | int], deadline: Deadline) -> Any:
        keys = [source_key(self._connection, source), *plan_keys(self._connection, source)]
        return self._connection.run(script(code, keys, values), deadline)
