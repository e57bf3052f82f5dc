"""The Lua of a turn: claiming it, reading its conversation, and ending it.

A journal is a hash: `message` (digest of what the turn was sent with), `attempt`, `holder`, `until` (the second at which
the attempt counts as dead), `write:<n>` (what was written down with the n-th change, by the cart's own scripts) and,
once finished, `reply`.
"""

from typing import Final

from shopping_agent.adapters.redis.keys import CONVERSATION, DAY, JOURNAL, keep_lua

JOURNAL_SECONDS: Final = JOURNAL.seconds or DAY
CONVERSATION_SECONDS: Final = CONVERSATION.seconds or DAY

# KEYS: journal, the shopper's index. ARGV: now, message, holder, seconds that the attempt may take.
# The same holder again is one request that the connection repeated.
CLAIM: Final = f"""
local journal, now = KEYS[1], tonumber(ARGV[1])
local held = redis.call('HMGET', journal, 'message', 'attempt', 'holder', 'until', 'reply')
if held[1] and held[1] ~= ARGV[2] then return {{'other'}} end
if held[5] then return {{'finished', held[2], held[5]}} end
local attempt = tonumber(held[2] or '0')
if held[3] ~= ARGV[3] then
  if held[4] and now < tonumber(held[4]) then
    return {{'running', string.format('%.0f', math.ceil(tonumber(held[4]) - now))}}
  end
  attempt = attempt + 1
end
redis.call('HSET', journal, 'message', ARGV[2], 'attempt', attempt, 'holder', ARGV[3],
  'until', string.format('%.3f', now + tonumber(ARGV[4])))
redis.call('EXPIRE', journal, {JOURNAL_SECONDS})
{keep_lua("KEYS[2]", "KEYS[1]", "math.floor(now)", JOURNAL_SECONDS)}
local reply, fields = {{'begun', attempt}}, redis.call('HGETALL', journal)
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 6) == 'write:' then
    reply[#reply + 1] = string.sub(fields[i], 7)
    reply[#reply + 1] = fields[i + 1]
  end
end
return reply
"""

# KEYS: journal. ARGV: holder. The turn can be tried again at once; what it wrote stays written down.
RELEASE: Final = """
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return 'lost' end
redis.call('HDEL', KEYS[1], 'until')
return 'ok'
"""

# KEYS: conversation. ARGV: the fields. Something that is no conversation reads as a single word.
READ: Final = """
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {} end
if kind ~= 'hash' then return {kind} end
return redis.call('HMGET', KEYS[1], unpack(ARGV))
"""

# KEYS: conversation, and the journal of a turn that can be sent again.
# ARGV: id of this save, generation that the turn began with, one for a new conversation, caps (exchanges, characters,
# tokens, ids seen), exchange, ids newly seen, how many fields, and of each its name, the text that the turn began with and
# the new one; with a journal last of all the attempt and the reply.
# Turns of one session may overlap: each adds its exchange and its ids. A new value replaces another turn's; to forget one
# takes effect only on the value that the turn knew.
SAVE: Final = f"""
local talk, journal = KEYS[1], KEYS[2]
if journal then
  if redis.call('HGET', journal, 'attempt') ~= ARGV[#ARGV - 1] then return 'superseded' end
  redis.call('HSET', journal, 'reply', ARGV[#ARGV])
  redis.call('HDEL', journal, 'until', 'holder')
  redis.call('EXPIRE', journal, {JOURNAL_SECONDS})
end
if redis.call('TYPE', talk).ok ~= 'hash' then redis.call('DEL', talk) end
local held = redis.call('HMGET', talk, 'generation', 'said', 'seen', 'saves')
if ARGV[2] ~= '' and held[1] ~= ARGV[2] then return 'erased' end
if held[4] and string.find(held[4], ARGV[1], 1, true) then return 'ok' end

local lines = {{}}
for line in string.gmatch(held[2] or '', '[^\\n]+') do lines[#lines + 1] = line end
if ARGV[8] ~= '' then lines[#lines + 1] = ARGV[8] end
local first, characters, tokens = #lines + 1, tonumber(ARGV[5]), tonumber(ARGV[6])
for i = #lines, math.max(1, #lines - tonumber(ARGV[4]) + 1), -1 do
  local c, t = string.match(lines[i], '^(%d+) (%d+) ')
  if not c then break end
  characters, tokens = characters - tonumber(c), tokens - tonumber(t)
  if characters < 0 or tokens < 0 then break end
  first = i
end

local seen, known = {{}}, {{}}
local readable, before = pcall(cjson.decode, held[3] or '[]')
for _, ids in ipairs({{cjson.decode(ARGV[9]), readable and before or {{}}}}) do
  for _, id in ipairs(ids) do
    if not known[id] and #seen < tonumber(ARGV[7]) then
      known[id] = true
      seen[#seen + 1] = id
    end
  end
end

redis.call('HSET', talk, 'generation', held[1] or ARGV[3],
  'said', table.concat(lines, '\\n', first, #lines),
  'seen', #seen == 0 and '[]' or cjson.encode(seen),
  'saves', string.sub(ARGV[1] .. ',' .. (held[4] or ''), 1, 200))
redis.call('HINCRBY', talk, 'version', 1)
for i = 11, 10 + 3 * tonumber(ARGV[10]), 3 do
  local name, old, new = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if new ~= '' then redis.call('HSET', talk, name, new)
  elseif redis.call('HGET', talk, name) == old then redis.call('HDEL', talk, name) end
end
redis.call('EXPIRE', talk, {CONVERSATION_SECONDS})
return 'ok'
"""
