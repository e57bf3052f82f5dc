"""Lua of the live catalog and of the inventory that lies over it.

A live value is three lines: revision, name keys, JSON of the facts (`live_facts.py`). In the JSON, `at` is the revision
of the catalog file that the facts come from and `src` that file. The inventory holds for a product `pr` and `sr`, the
revisions of the inventory files that gave its price fields and its stock (`false`: sellable, not counted). Revisions
inside JSON are digits of one length, because cjson rounds large numbers.
"""

from typing import Final

# KEYS: live, names, sales, inventory. ARGV[1]: the cap of ids a name.
_SHARED: Final = """
local live, names, sales, inventory = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local PRICE = {'regular', 'currency', 'sale', 'from', 'until'}
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
local function save(id, revision, key, body, facts)
  if facts.sale then redis.call('ZADD', sales, tostring(facts['until'] or '+inf'), id)
  else redis.call('ZREM', sales, id) end
  redis.call('HSET', live, id, string.format('%.0f\\n', revision) .. key .. '\\n' .. body)
end
local function over(id)
  local raw = redis.call('HGET', inventory, id)
  return raw and cjson.decode(raw) or {}
end
local function keep_over(id, o)
  if o.pr or o.sr then redis.call('HSET', inventory, id, cjson.encode(o))
  else redis.call('HDEL', inventory, id) end
end
-- Lays what is newer than the catalog's age over its facts; whether anything was.
local function lay(facts, o, age)
  local laid = false
  if o.pr and o.pr > age then
    for _, field in ipairs(PRICE) do facts[field] = o[field] end
    laid = true
  end
  if o.sr and (o.sr > age or facts.uncounted) then
    facts.stock = o.stock or nil
    laid = true
  end
  return laid
end
"""

# ARGV: the cap, then id, revision, name keys (joined by tabs) and JSON of each product. Answers the ids that an
# inventory file decides about. A put of an older file of the same source changes nothing.
PUT: Final = (
    _SHARED
    + """
local laid = {}
for i = 2, #ARGV, 4 do
  local id, revision, key, body = ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2], ARGV[i + 3]
  local facts = cjson.decode(body)
  local old_revision, old_key, old_body = stored(id)
  local old = old_body and cjson.decode(old_body) or {}
  if not (old.src and old.src == facts.src and old.at > facts.at) then
    local o, age = over(id), facts.at or ''
    if o.pr or o.sr then
      if lay(facts, o, age) then
        body = cjson.encode(facts)
        laid[#laid + 1] = id
      end
      if o.pr and o.pr <= age then
        o.pr = nil
        for _, field in ipairs(PRICE) do o[field] = nil end
      end
      if o.sr and o.sr <= age and not facts.uncounted then o.sr, o.stock = nil, nil end
      keep_over(id, o)
    end
    if old_revision then
      revision = math.max(revision, old_revision + (old_body == body and 0 or 1))
      if old_key ~= key then each(old_key, leave, id) end
    end
    each(key, join, id)
    save(id, revision, key, body, facts)
  end
end
return laid
"""
)

# ARGV: the cap, then ids. What inventory files said of a product stays, for when it comes back.
REMOVE: Final = (
    _SHARED
    + """
for i = 2, #ARGV do
  local revision, key = stored(ARGV[i])
  if revision then
    each(key, leave, ARGV[i])
    redis.call('HDEL', live, ARGV[i])
    redis.call('ZREM', sales, ARGV[i])
  end
end
return 'OK'
"""
)

# KEYS: and the catalogs' ages. ARGV: the cap, revision, how many products the inventory may hold, then id and JSON (price
# fields, stock) of each row. Answers a word a row: unknown, changed, unchanged. Of what no catalog has, no more is kept
# than the inventory may hold.
RESTOCK: Final = (
    _SHARED
    + """
local words, revision = {}, ARGV[2]
for i = 4, #ARGV, 2 do
  local id, row, o = ARGV[i], cjson.decode(ARGV[i + 1]), over(ARGV[i])
  local old_revision, key, body = stored(id)
  local facts = body and cjson.decode(body)
  local age = ''
  if facts then
    age = facts.at or ''
    local reached = facts.src and redis.call('HGET', KEYS[5], facts.src)
    if reached and reached > age then age = reached end
  end
  if row.regular and (o.pr or '') <= revision and revision > age then
    for _, field in ipairs(PRICE) do o[field] = row[field] end
    o.pr = revision
  end
  if row.stock ~= nil and (o.sr or '') <= revision
      and (revision > age or not facts or facts.uncounted) then
    o.stock, o.sr = row.stock, revision
  end
  if facts or redis.call('HLEN', inventory) < tonumber(ARGV[3]) then keep_over(id, o) end
  words[#words + 1] = 'unknown'
  if facts then
    local before = {facts.stock or false}
    for n, field in ipairs(PRICE) do before[n + 1] = facts[field] or false end
    lay(facts, o, age)
    local same = before[1] == (facts.stock or false)
    for n, field in ipairs(PRICE) do same = same and before[n + 1] == (facts[field] or false) end
    if not same then
      save(id, math.max(tonumber(revision), old_revision + 1), key, cjson.encode(facts), facts)
    end
    words[#words] = same and 'unchanged' or 'changed'
  end
end
return words
"""
)

# KEYS: ages. ARGV: source, revision.
ADVANCE: Final = """
local reached = redis.call('HGET', KEYS[1], ARGV[1])
if not reached or reached < ARGV[2] then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
return 'OK'
"""

# KEYS: live, sales. ARGV: now, the cap. The facts of the products whose sale has not ended.
ON_SALE: Final = """
local ids = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[1], '+inf', 'LIMIT', 0, ARGV[2])
if #ids == 0 then return {} end
return redis.call('HMGET', KEYS[1], unpack(ids))
"""
