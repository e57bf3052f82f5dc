"""The catalog manifest in Redis: per source, what is live, and which event may write (its sequencer fences the others)."""

import json
import string
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, cast

from shopping_agent.adapters.redis.connection import Command, RedisConnection, pairs, script
from shopping_agent.adapters.redis.keys import MANIFEST
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import StateUnavailableError
from shopping_agent.ports import SourceState

BATCH: Final = 1000
SCAN_COUNT: Final = 5000
MAX_SCANS: Final = 10_000
_FENCE_DIGITS: Final = 32

# KEYS: source. ARGV: fence, and the latest event's if it must still be that.
_BEGIN: Final = """
local held = redis.call('HMGET', KEYS[1], 'applied', 'holder')
local latest = held[1] or ''
if held[2] and held[2] > latest then latest = held[2] end
if ARGV[2] and ARGV[2] ~= latest then return 0 end
if held[1] and ARGV[1] <= held[1] then return 0 end
if held[2] and ARGV[1] < held[2] then return 0 end
redis.call('HSET', KEYS[1], 'holder', ARGV[1])
return 1
"""

# KEYS: source, hashes, plan. ARGV: fence, texts embedded, how many changed, id and hashes of each, then the removed ids.
_RECORD: Final = """
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return 0 end
if ARGV[2] ~= '0' then redis.call('HINCRBY', KEYS[3], 'embedded', ARGV[2]) end
local last = 3 + 2 * tonumber(ARGV[3])
for i = 4, last, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
for i = last + 1, #ARGV do redis.call('HDEL', KEYS[2], ARGV[i]) end
return 1
"""

# KEYS: hashes. ARGV: hashes that equal no content, then ids.
_DOUBT: Final = """
for i = 2, #ARGV do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 then redis.call('HSET', KEYS[1], ARGV[i], ARGV[1]) end
end
return 1
"""

# KEYS: source. ARGV: fence, sequencer as given, etag.
_FINISH: Final = """
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'applied', ARGV[1], 'sequencer', ARGV[2], 'etag', ARGV[3])
redis.call('HDEL', KEYS[1], 'holder')
return 1
"""


class RedisManifest:
    """`CatalogManifest` on Redis.

    A sequencer is S3's hexadecimal number; numbers of different lengths are compared with zeros on the left. An event
    without one gives its ISO time instead: it takes its place among sequencers, which S3 builds from the time as well.
    Anything else counts as older than everything.
    """

    def __init__(self, *, connection: RedisConnection) -> None:
        self._connection = connection

    def read(self, source: str, deadline: Deadline) -> SourceState:
        source_key, hashes_key = self._keys(source)
        hashes: dict[str, tuple[str, str]] = {}
        sequencer = etag = ""
        begun: list[str | None] = []
        cursor = "0"
        for _ in range(MAX_SCANS):
            commands: list[Command] = [
                ["HMGET", source_key, "sequencer", "etag", "applied", "holder"],
                ["HSCAN", hashes_key, cursor, "COUNT", SCAN_COUNT],
            ]
            (sequencer, etag, *fences), (cursor, found) = self._connection.pipeline(
                commands, deadline
            )
            begun = begun or fences
            hashes.update({name: _hashes(value) for name, value in pairs(found).items()})
            if str(cursor) == "0":
                latest = max(fence or "" for fence in begun)
                return SourceState(sequencer or "", etag or "", hashes, latest)
        raise StateUnavailableError("the manifest of a source has no end")

    def begin(
        self, source: str, sequencer: str, deadline: Deadline, *, seen: str | None = None
    ) -> bool:
        fences: list[str | int] = [fence_of(sequencer), *([] if seen is None else [seen])]
        command = script(_BEGIN, self._keys(source)[:1], fences)
        return self._connection.run(command, deadline) == 1

    def entries(
        self, source: str, ids: Sequence[str], deadline: Deadline
    ) -> dict[str, tuple[str, str]]:
        found: dict[str, tuple[str, str]] = {}
        for start in range(0, len(ids), BATCH):
            batch = ids[start : start + BATCH]
            values = self._connection.run(["HMGET", self._keys(source)[1], *batch], deadline)
            held = zip(batch, values, strict=True)
            found.update({name: _hashes(value) for name, value in held if value is not None})
        return found

    def doubt(self, source: str, ids: Sequence[str], deadline: Deadline) -> None:
        keys, nothing = self._keys(source)[1:], json.dumps(("", ""))
        for start in range(0, len(ids), BATCH):
            values = [nothing, *ids[start : start + BATCH]]
            self._connection.run(script(_DOUBT, keys, values), deadline)

    def record(
        self,
        source: str,
        sequencer: str,
        changed: Mapping[str, tuple[str, str]],
        removed: Sequence[str],
        deadline: Deadline,
        *,
        embedded: int = 0,
    ) -> bool:
        keys, fence = (
            [*self._keys(source), plan_keys(self._connection, source)[0]],
            fence_of(sequencer),
        )
        for number, arguments in enumerate(_batches(changed, removed)):
            values = [fence, 0 if number else embedded, *arguments]
            if self._connection.run(script(_RECORD, keys, values), deadline) != 1:
                return False
        return True

    def commit(
        self,
        source: str,
        sequencer: str,
        etag: str,
        changed: Mapping[str, tuple[str, str]],
        removed: Sequence[str],
        deadline: Deadline,
    ) -> None:
        if not self.record(source, sequencer, changed, removed, deadline):
            return
        keys = self._keys(source)[:1]
        self._connection.run(
            script(_FINISH, keys, [fence_of(sequencer), sequencer, etag]), deadline
        )

    def _keys(self, source: str) -> tuple[str, str]:
        key = source_key(self._connection, source)
        return key, f"{key}:hashes"


def source_key(connection: RedisConnection, source: str) -> str:
    """Who holds a source, and what was applied last."""
    return MANIFEST.key(connection, source)


def plan_keys(connection: RedisConnection, source: str) -> tuple[str, str]:
    """The plan of the event that holds a source, and the numbers of its parts that are done."""
    key = source_key(connection, source)
    return f"{key}:plan", f"{key}:parts"


def fence_of(sequencer: str) -> str:
    """A sequencer, or an event's ISO time, as hexadecimal of one length, so that text order is number order."""
    if sequencer and all(digit in string.hexdigits for digit in sequencer):
        return sequencer.upper().zfill(_FENCE_DIGITS)
    try:
        moment = datetime.fromisoformat(sequencer)
    except ValueError:
        return "0" * _FENCE_DIGITS
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    # S3's own: a zero byte, four bytes of seconds, four of their fraction.
    return f"{int(moment.timestamp() * 2**32):X}".zfill(_FENCE_DIGITS)


def _batches(
    changed: Mapping[str, tuple[str, str]], removed: Sequence[str]
) -> list[list[str | int]]:
    entries = list(changed.items())
    batches: list[list[str | int]] = []
    for start in range(0, len(entries), BATCH):
        batch = entries[start : start + BATCH]
        flat = [part for name, hashes in batch for part in (name, json.dumps(hashes))]
        batches.append([len(batch), *flat])
    batches.extend([0, *removed[start : start + BATCH]] for start in range(0, len(removed), BATCH))
    return batches


def _hashes(value: str) -> tuple[str, str]:
    try:
        text, live = cast(list[Any], json.loads(value))
    except (ValueError, TypeError) as error:
        raise StateUnavailableError("redis holds an unreadable manifest") from error
    return str(text), str(live)
