"""The cart's Lua: one script per change, atomic, answering the whole cart with the live facts of its lines.

A cart is a hash: `version`, `lines` (JSON: id, quantity, price as text, name, brand, image, and the operation that began
the line: what tells a line from a later one of the same product), `undo` (the lines before the last change), `ops` (ids
and seconds of the last operations, with the reason of those that were refused: one that is repeated ends as it did and changes
nothing; an id that begins with `-` is nobody's to repeat) and, once merged, `into` (whose cart it went into).
Lua's numbers are doubles and its JSON cannot tell `[]` from `{}`, so prices are text and lists are written with care.
"""

from typing import Final

from shopping_agent.adapters.redis.keys import DAY, HANDOFF, keep_lua
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

# KEYS: cart, live facts, and the journal of the turn when one makes the change.
# ARGV: now, seconds to live, operation id, expected version or '', currency, caps (line, lines, pieces), then the change's
# own; with a journal last of all: the word `journal`, the turn's attempt, the entry's field, the entry.
_CHANGE: Final = (
    _STATE
    + """
local now, lifetime, op = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local currency = ARGV[5]
local line_cap, lines_cap, pieces_cap = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local journal = ARGV[#ARGV - 3] == 'journal' and KEYS[3]
local attempt, field, entry = ARGV[#ARGV - 2], ARGV[#ARGV - 1], ARGV[#ARGV]
-- The operations before with this one: a number of them, and more if they are of the last minutes, whose copies may still come.
local function with_this(outcome)
  local ops = op .. outcome .. string.format('@%.0f,', now) .. (held[4] or '')
  local cut = 2000
  for at, second, after in string.gmatch(ops, '()@(%d+),()') do
    if at > 12000 or (at > cut and tonumber(second) < now - 120) then break end
    cut = math.max(cut, after - 1)
  end
  return string.sub(ops, 1, cut)
end
local function save(undo)
  version = version + 1
  if journal then redis.call('HSET', journal, field, entry) end
  redis.call('HSET', cart,
    'version', version, 'lines', encoded(lines), 'undo', undo, 'ops', with_this(''))
  redis.call('EXPIRE', cart, lifetime)
  return answer('ok')
end
-- How an operation ended that changed nothing: a copy of it that comes late ends the same, whatever the cart is by then.
local function remember(outcome)
  if string.sub(op, 1, 1) ~= '-' then
    redis.call('HSET', cart, 'ops', with_this(outcome))
    redis.call('EXPIRE', cart, lifetime)
  end
end
local function touched()
  if held[1] then redis.call('EXPIRE', cart, lifetime) end
  return answer('ok')
end
local function unchanged()
  remember('')
  return touched()
end
local function refuse(code, limit, subject)
  remember('!' .. code .. '!' .. string.format('%.0f', limit or -1))
  return answer(code, limit, subject)
end
local before = held[2] or '[]'
if journal then
  -- Another attempt has the turn, or the shopper was erased: what this one still does is not to be done.
  local turn = redis.call('HMGET', journal, 'attempt', field)
  if turn[1] ~= attempt then return answer('superseded') end
  if turn[2] then return touched() end
end
local known = held[4] and string.find(held[4], op, 1, true)
if known then
  local code, limit = string.match(held[4], '^!([a-z_]+)!(-?%d+)', known + #op)
  if code then return answer(code, tonumber(limit)) end
  return touched()
end
if ARGV[4] ~= '' and tonumber(ARGV[4]) ~= version then return refuse('version_conflict') end
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
local function written(id, quantity, facts, at)
  local began = at and lines[at][7] or op
  return {id, quantity, price_of(facts), facts.name, facts.brand or '', facts.image or '', began}
end
-- The most that the caps let a line hold.
local function room_of(at)
  if not at and #lines >= lines_cap then return 0 end
  return math.max(0, math.min(line_cap, pieces_cap - pieces_besides(at)))
end
-- Why a line may not grow to `wanted`: code and the most it may hold; nil when it may.
local function refusal(at, wanted, facts)
  local room = room_of(at)
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
if not facts then return refuse('unknown_product') end
if facts.currency ~= currency then return refuse('currency_mismatch', nil, facts.name) end
local at = position(id)
local already = at and lines[at][2] or 0
local code, most = refusal(at, already + quantity, facts)
if code then return refuse(code, math.max(0, most - already), facts.name) end
lines[at or #lines + 1] = written(id, already + quantity, facts, at)
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
if not at then return refuse('not_in_cart') end
local facts = facts_of(id)
if not facts then return refuse('unknown_product', nil, lines[at][4]) end
if facts.currency ~= currency then return refuse('currency_mismatch', nil, facts.name) end
local had = lines[at][2]
local code, most = refusal(at, quantity, facts)
if code and (code == 'out_of_stock' or quantity > had) then return refuse(code, most, facts.name) end
lines[at] = written(id, quantity, facts, at)
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
if (held[3] or '') == '' then return refuse('nothing_to_undo') end
lines = cjson.decode(held[3])
return save('')
"""
)

# KEYS: ..., the user's index and the guest's cart last of all. ARGV: ..., the user's id last of all. What does not fit stays out and is told in
# place of a refusal's subject; the guest's cart is empty afterwards, so a merge that is repeated finds nothing.
_KEEP_GUEST: Final = keep_lua("index", "guest", "math.floor(now)", HANDOFF.seconds or DAY)
MERGE: Final = (
    "local guest, index, user = table.remove(KEYS), table.remove(KEYS), table.remove(ARGV)\n"
    + _CHANGE
    + f"local function keep_guest() {_KEEP_GUEST} end"
    + f"\nlocal emptied_lifetime = {HANDOFF.seconds}"
    + """
local theirs = redis.call('HMGET', guest, 'version', 'lines')
local coming = cjson.decode(theirs[2] or '[]')
local grown, left = false, {}
for _, line in ipairs(coming) do
  local id, wanted = line[1], line[2]
  local facts, at = facts_of(id), position(id)
  local already = at and lines[at][2] or 0
  local most, why = 0, 'gone'
  if facts and facts.currency == currency then
    most, why = room_of(at), 'cart_limit'
    if facts.stock and facts.stock < most then most, why = facts.stock, 'out_of_stock' end
  end
  local came = math.min(wanted, math.max(0, most - already))
  if came > 0 then
    local price, began = at and lines[at][3] or line[3], at and lines[at][7] or line[7]
    lines[at or #lines + 1] = {id, already + came, price, line[4], line[5], line[6], began or op}
    grown = true
  end
  if came < wanted then left[#left + 1] = {id, facts and facts.name or line[4], wanted, came, why} end
end
if theirs[1] then
  if #coming > 0 then
    redis.call('HSET', guest, 'version', tonumber(theirs[1]) + 1, 'lines', '[]', 'undo', '')
  end
  redis.call('HSET', guest, 'into', user)
  -- As long as a hand-off may still be completed; it says whose it went to, so it is the user's to erase.
  redis.call('EXPIRE', guest, emptied_lifetime)
  keep_guest()
end
local reply = grown and save(before) or unchanged()
reply[3] = encoded(left)
return reply
"""
)
