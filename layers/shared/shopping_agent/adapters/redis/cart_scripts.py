"""The cart's Lua: one script per change, atomic, answering the whole cart with the live facts of its lines.

A cart is a hash: `version`, `lines` (JSON: id, quantity, price as text, name, brand, image), `undo` (the lines before
the last change) and `ops` (the last operations' ids: a request that is repeated changes nothing a second time).
Lua's numbers are doubles and its JSON cannot tell `[]` from `{}`, so prices are text and lists are written with care.
"""

from typing import Final

from shopping_agent.adapters.redis.live_facts import FACTS_LUA

_STATE: Final = (
    FACTS_LUA
    + """
local cart, live = KEYS[1], KEYS[2]
local held = redis.call('HMGET', cart, 'version', 'lines', 'undo', 'ops')
local version = tonumber(held[1] or '0')
local lines = cjson.decode(held[2] or '[]')
local function encoded(list)
  return #list == 0 and '[]' or cjson.encode(list)
end
local function answer(code, limit, subject)
  local reply = {code, limit or -1, subject or '', version, encoded(lines)}
  for _, line in ipairs(lines) do
    reply[#reply + 1] = redis.call('HGET', live, line[1]) or ''
  end
  return reply
end
"""
)

# KEYS: cart, live facts.
READ: Final = _STATE + "return answer('ok')"

# KEYS: cart, live facts.
# ARGV: now, seconds to live, operation id, expected version or '', currency, caps (line, lines, pieces), then the change's own.
_CHANGE: Final = (
    _STATE
    + """
local now, lifetime, op = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local currency = ARGV[5]
local line_cap, lines_cap, pieces_cap = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local function save(undo)
  version = version + 1
  local ops = string.sub(op .. ',' .. (held[4] or ''), 1, 200)
  redis.call('HSET', cart, 'version', version, 'lines', encoded(lines), 'undo', undo, 'ops', ops)
  redis.call('EXPIRE', cart, lifetime)
  return answer('ok')
end
local function unchanged()
  if held[1] then redis.call('EXPIRE', cart, lifetime) end
  return answer('ok')
end
local before = held[2] or '[]'
if held[4] and string.find(held[4], op, 1, true) then return unchanged() end
if ARGV[4] ~= '' and tonumber(ARGV[4]) ~= version then return answer('version_conflict') end
local function position(id)
  for i, line in ipairs(lines) do
    if line[1] == id then return i end
  end
end
local function facts_of(id)
  local raw = redis.call('HGET', live, id)
  return raw and cjson.decode(body_of(raw))
end
local function price_of(facts)
  local on_sale = facts.sale and facts.sale > 0
    and (not facts.from or facts.from <= now) and (not facts['until'] or now < facts['until'])
  return string.format('%.0f', on_sale and facts.sale or facts.regular)
end
local function pieces_besides(at)
  local sum = 0
  for i, line in ipairs(lines) do
    if i ~= at then sum = sum + line[2] end
  end
  return sum
end
local function written(id, quantity, facts)
  return {id, quantity, price_of(facts), facts.name, facts.brand or '', facts.image or ''}
end
-- Why a line may not grow to `wanted`: code and the most it may hold; nil when it may.
local function refusal(at, wanted, facts)
  local room = math.max(0, math.min(line_cap, pieces_cap - pieces_besides(at)))
  if not at and #lines >= lines_cap then room = 0 end
  if facts.stock and facts.stock < wanted and facts.stock <= room then
    return 'out_of_stock', facts.stock
  end
  if wanted > room then return 'cart_limit', room end
end
"""
)

# ARGV: ..., product id, quantity
ADD: Final = (
    _CHANGE
    + """
local id, quantity = ARGV[9], tonumber(ARGV[10])
local facts = facts_of(id)
if not facts then return answer('unknown_product') end
if facts.currency ~= currency then return answer('currency_mismatch', nil, facts.name) end
local at = position(id)
local already = at and lines[at][2] or 0
local code, most = refusal(at, already + quantity, facts)
if code then return answer(code, math.max(0, most - already), facts.name) end
lines[at or #lines + 1] = written(id, already + quantity, facts)
return save(before)
"""
)

# ARGV: ..., product id, quantity. The same quantity again only accepts the live price; it is no change.
SET: Final = (
    _CHANGE
    + """
local id, quantity = ARGV[9], tonumber(ARGV[10])
local at = position(id)
if quantity == 0 then
  if not at then return unchanged() end
  table.remove(lines, at)
  return save(before)
end
local facts = at and facts_of(id)
if not facts then return answer('unknown_product', nil, at and lines[at][4]) end
if facts.currency ~= currency then return answer('currency_mismatch', nil, facts.name) end
local had = lines[at][2]
local code, most = refusal(at, quantity, facts)
if code and (code == 'out_of_stock' or quantity > had) then return answer(code, most, facts.name) end
lines[at] = written(id, quantity, facts)
if quantity ~= had then return save(before) end
redis.call('HSET', cart, 'lines', encoded(lines))
return unchanged()
"""
)

CLEAR: Final = (
    _CHANGE
    + """
if #lines == 0 then return unchanged() end
lines = {}
return save(before)
"""
)

UNDO: Final = (
    _CHANGE
    + """
if (held[3] or '') == '' then return answer('nothing_to_undo') end
lines = cjson.decode(held[3])
return save('')
"""
)
