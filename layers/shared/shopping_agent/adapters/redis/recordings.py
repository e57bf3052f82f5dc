"""Recordings of turns in Redis: a hash each, `shopper` and `document`, that ends by itself, listed with the shopper's keys."""

import json
import time
from collections.abc import Callable
from typing import Any, Final, cast

from shopping_agent.adapters.redis.connection import RedisConnection, script
from shopping_agent.adapters.redis.keys import CONVERSATION, KEPT, RECORDING, keep_lua
from shopping_agent.domain.conversation import JsonObject, Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import StateUnavailableError

LONGEST_SECONDS: Final = RECORDING.seconds or 0

# KEYS: recording, conversation, the shopper's index. ARGV: shopper, document, generation of the conversation that the
# turn began with, now, seconds to live. After an erasure there is no conversation, or another one.
# A client may have used a turn's id that another shopper's turn has: the first one keeps it.
_KEEP: Final = f"""
local generation = redis.call('HGET', KEYS[2], 'generation')
if not generation or (ARGV[3] ~= '' and generation ~= ARGV[3]) then return 'erased' end
local owner = redis.call('HGET', KEYS[1], 'shopper')
if owner and owner ~= ARGV[1] then return 'taken' end
redis.call('HSET', KEYS[1], 'shopper', ARGV[1], 'document', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[5])
{keep_lua("KEYS[3]", "KEYS[1]", "ARGV[4]", "ARGV[5]")}
return 'ok'
"""


class RedisRecordings:
    """`Recordings` on Redis."""

    def __init__(
        self, *, connection: RedisConnection, clock: Callable[[], float] = time.time
    ) -> None:
        self._connection = connection
        self._clock = clock

    def keep(
        self,
        shopper: Shopper,
        turn_id: str,
        document: JsonObject,
        *,
        known: str,
        seconds: int,
        deadline: Deadline,
    ) -> None:
        keys = (
            RECORDING.key(self._connection, turn_id),
            CONVERSATION.key(self._connection, shopper.session_id),
            KEPT.key(self._connection, shopper.id),
        )
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), default=str)
        lifetime = min(seconds, LONGEST_SECONDS)
        arguments = [shopper.id, text, known, int(self._clock()), lifetime]
        self._connection.run(script(_KEEP, keys, arguments), deadline)

    def find(self, turn_id: str, deadline: Deadline) -> JsonObject | None:
        key = RECORDING.key(self._connection, turn_id)
        text: Any = self._connection.run(["HGET", key, "document"], deadline)
        if text is None:
            return None
        try:
            document: Any = json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise StateUnavailableError("redis holds an unreadable recording") from error
        if not isinstance(document, dict):
            raise StateUnavailableError("redis holds an unreadable recording")
        return cast(JsonObject, document)
