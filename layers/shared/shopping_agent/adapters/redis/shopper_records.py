"""Everything kept of one shopper, by the registry of key families: read whole for an export, or deleted."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from shopping_agent.adapters.redis.connection import RedisConnection, reading_script
from shopping_agent.adapters.redis.conversation import FIELDS, decode_conversation
from shopping_agent.adapters.redis.keys import CONVERSATION, KEPT, KeyFamily, family_of, own_keys
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import StateUnavailableError
from shopping_agent.ports import KeptPage, KeptRecord

KEYS_A_TRIP: Final = 20
PAGE_CHARACTERS: Final = 2_000_000
"""A page ends after the trip that passes this; Lambda's replies end at 6 MB."""
MOST_ROUNDS: Final = 5

# KEYS: any key of ours.
_READ: Final = """
local kind = redis.call('TYPE', KEYS[1]).ok
local read = {string = {'GET'}, hash = {'HGETALL'}, zset = {'ZRANGE', 0, -1}, set = {'SMEMBERS'}, list = {'LRANGE', 0, -1}}
local how = read[kind]
if not how then return {} end
local values = redis.call(how[1], KEYS[1], unpack(how, 2))
return {kind, redis.call('TTL', KEYS[1]), values}
"""


class RedisShopperRecords:
    """`ShopperRecords` on Redis."""

    def __init__(self, *, connection: RedisConnection) -> None:
        self._connection = connection

    def export(self, shopper: Shopper, cursor: str, deadline: Deadline) -> KeptPage:
        keys = [key for key in sorted(self._keys(shopper, deadline)) if key > cursor]
        records: list[KeptRecord] = []
        size = 0
        for start in range(0, len(keys), KEYS_A_TRIP):
            batch = keys[start : start + KEYS_A_TRIP]
            commands = [reading_script(_READ, [key], []) for key in batch]
            found = self._connection.pipeline(commands, deadline)
            size += len(json.dumps(found))
            records += [r for k, f in zip(batch, found, strict=True) if (r := self._record(k, f))]
            if size > PAGE_CHARACTERS and batch[-1] != keys[-1]:
                return KeptPage(tuple(records), batch[-1])
        return KeptPage(tuple(records))

    def erase(self, shopper: Shopper, deadline: Deadline) -> None:
        index = KEPT.key(self._connection, shopper.id)
        own = [key for key in own_keys(self._connection, shopper) if key != index]
        self._connection.run(["UNLINK", *own], deadline)
        # What is listed goes before its entry: an erasure that is cut off can be repeated.
        for _ in range(MOST_ROUNDS):
            listed = self._listed(shopper, deadline)
            if not listed:
                return
            commands = [["UNLINK", *listed], ["ZREM", index, *listed]]
            self._connection.pipeline(commands, deadline)
        raise StateUnavailableError("the shopper's keys grow faster than they can be erased")

    def _keys(self, shopper: Shopper, deadline: Deadline) -> set[str]:
        return {*own_keys(self._connection, shopper), *self._listed(shopper, deadline)}

    def _listed(self, shopper: Shopper, deadline: Deadline) -> list[str]:
        index = KEPT.key(self._connection, shopper.id)
        return cast(list[str], self._connection.run(["ZRANGE", index, 0, -1], deadline))

    def _record(self, key: str, found: Sequence[Any]) -> KeptRecord | None:
        family = family_of(self._connection, key)
        if not found or family is None:
            return None
        kind, seconds, values = found
        data = _readable(kind, values)
        if family is CONVERSATION:
            data = _conversation(data)
        return KeptRecord(
            key=key,
            kind=family.name,
            holds=family.holds,
            seconds_left=_seconds(family, int(seconds)),
            data=data,
        )


def _seconds(family: KeyFamily, left: int) -> int | None:
    """None for a key whose parts end one by one: each within the family's time."""
    return left if left >= 0 else family.seconds


def _readable(kind: str, values: Any) -> Any:
    if kind == "hash":
        flat = cast(Sequence[str], values)
        return {name: _value(text) for name, text in zip(flat[::2], flat[1::2], strict=True)}
    if kind == "string":
        return _value(values)
    return list(cast(Sequence[str], values))


def _value(text: Any) -> Any:
    """What a text says, when it is JSON."""
    if isinstance(text, str) and text[:1] in ("{", "["):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _conversation(data: Any) -> Any:
    if not isinstance(data, dict):
        return data
    stored = cast(Mapping[str, Any], data)
    held = [stored.get(name) for name in FIELDS]
    texts = [v if v is None or isinstance(v, str) else json.dumps(v) for v in held]
    conversation, _ = decode_conversation(texts)
    exchanges = [
        {"user": e.user, "assistant": e.assistant, "intent": e.intent, "language": e.language}
        for e in conversation.exchanges
    ]
    return {**{k: v for k, v in stored.items() if k != "said"}, "exchanges": exchanges}
