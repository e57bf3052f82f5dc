"""Live product facts in one hash; beside it the index of product names, and the products that have a sale price."""

from collections.abc import Sequence
from typing import Final

from shopping_agent.adapters.redis.connection import RedisConnection, reading_script, script
from shopping_agent.adapters.redis.live_facts import decode_facts, encode_facts
from shopping_agent.domain.catalog import LiveFacts
from shopping_agent.domain.deadline import Deadline

BATCH: Final = 500
MAX_IDS_PER_NAME: Final = 100
MAX_SALES: Final = 300

_NAMES_LUA: Final = """
local live, names = KEYS[1], KEYS[2]
local function ids_of(key)
  local held = redis.call('HGET', names, key)
  return held and cjson.decode(held) or {}
end
local function keep(key, ids)
  if #ids == 0 then redis.call('HDEL', names, key)
  else redis.call('HSET', names, key, cjson.encode(ids)) end
end
local function each(keys, act, id)
  for key in string.gmatch(keys, '[^\t]+') do act(key, id) end
end
local function leave(key, id)
  local rest = {}
  for _, other in ipairs(ids_of(key)) do
    if other ~= id then rest[#rest + 1] = other end
  end
  keep(key, rest)
end
local function join(key, id)
  local ids = ids_of(key)
  for _, other in ipairs(ids) do
    if other == id then return end
  end
  if key == '' or #ids >= tonumber(ARGV[1]) then return end
  ids[#ids + 1] = id
  keep(key, ids)
end
local function stored(id)
  local raw = redis.call('HGET', live, id)
  if not raw then return nil end
  local revision, key, body = string.match(raw, '^(%d+)\\n([^\\n]*)\\n(.*)$')
  return tonumber(revision), key, body
end
"""

# ARGV: the cap, then id, revision, name keys (joined by tabs) and JSON of each product.
_PUT_LUA: Final = (
    _NAMES_LUA
    + """
for i = 2, #ARGV, 4 do
  local id, revision, key, body = ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2], ARGV[i + 3]
  local old_revision, old_key, old_body = stored(id)
  if old_revision then
    local step = old_body == body and 0 or 1
    revision = math.max(revision, old_revision + step)
    if old_key ~= key then each(old_key, leave, id) end
  end
  each(key, join, id)
  local facts = cjson.decode(body)
  if facts.sale then redis.call('ZADD', KEYS[3], tostring(facts['until'] or '+inf'), id)
  else redis.call('ZREM', KEYS[3], id) end
  redis.call('HSET', live, id, string.format('%.0f\\n', revision) .. key .. '\\n' .. body)
end
return 'OK'
"""
)

_REMOVE_LUA: Final = (
    _NAMES_LUA
    + """
for i = 2, #ARGV do
  local revision, key = stored(ARGV[i])
  if revision then
    each(key, leave, ARGV[i])
    redis.call('HDEL', live, ARGV[i])
    redis.call('ZREM', KEYS[3], ARGV[i])
  end
end
return 'OK'
"""
)


# ARGV: now, the cap. The facts of the products whose sale has not ended.
_ON_SALE_LUA: Final = """
local ids = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[1], '+inf', 'LIMIT', 0, ARGV[2])
if #ids == 0 then return {} end
return redis.call('HMGET', KEYS[1], unpack(ids))
"""


class RedisLiveCatalog:
    """`LiveCatalog` on Redis. Large puts and removals go in batches; each may be repeated without harm."""

    def __init__(self, *, connection: RedisConnection) -> None:
        self._connection = connection
        self._keys = (connection.key("live"), connection.key("names"), connection.key("sales"))

    def get(self, ids: Sequence[str], deadline: Deadline) -> dict[str, LiveFacts]:
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return {}
        raws = self._connection.run(["HMGET", self._keys[0], *wanted], deadline)
        return {
            product_id: decode_facts(raw)
            for product_id, raw in zip(wanted, raws, strict=True)
            if raw is not None
        }

    def on_sale(self, now: float, deadline: Deadline) -> list[LiveFacts]:
        live, _, sales = self._keys
        command = reading_script(_ON_SALE_LUA, (live, sales), [int(now), MAX_SALES])
        found = [decode_facts(raw) for raw in self._connection.run(command, deadline) if raw]
        return [facts for facts in found if facts.price.compare_at(now) is not None]

    def put(self, facts: Sequence[LiveFacts], deadline: Deadline) -> None:
        for start in range(0, len(facts), BATCH):
            arguments: list[str | int] = [MAX_IDS_PER_NAME]
            for fact in facts[start : start + BATCH]:
                arguments += [fact.id, fact.revision, *encode_facts(fact)]
            self._connection.run(script(_PUT_LUA, self._keys, arguments), deadline)

    def remove(self, ids: Sequence[str], deadline: Deadline) -> None:
        for start in range(0, len(ids), BATCH):
            batch = ids[start : start + BATCH]
            self._connection.run(
                script(_REMOVE_LUA, self._keys, [MAX_IDS_PER_NAME, *batch]), deadline
            )
