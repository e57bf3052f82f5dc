"""Hand-offs in Redis: kept until the shop tells us of the order, which then closes the cart and counts, once."""

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, cast

from shopping_agent.adapters.redis.connection import RedisConnection, script
from shopping_agent.adapters.redis.keys import (
    CART,
    DAY,
    HANDOFF,
    KEPT,
    ORDER,
    REVENUE,
    digest,
    keep_lua,
)
from shopping_agent.domain.checkout import CompletedOrder, Completion, HandOff, HandOffLine
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.money import to_minor
from shopping_agent.errors import CartRefusedError, StateUnavailableError

HANDOFF_SECONDS: Final = HANDOFF.seconds or DAY
ORDER_SECONDS: Final = ORDER.seconds or DAY
REVENUE_SECONDS: Final = REVENUE.seconds or DAY

# KEYS: hand-off, cart, the shopper's index. ARGV: version handed over, shopper, document, now, seconds to live.
# The lines are kept as the cart holds them: by what began each, a later line of the same product is told from it.
_KEEP: Final = f"""
local held = redis.call('HMGET', KEYS[2], 'version', 'lines')
if (held[1] or '0') ~= ARGV[1] then return 'version_conflict' end
redis.call('HSET', KEYS[1], 'shopper', ARGV[2], 'lines', held[2], 'document', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[5])
{keep_lua("KEYS[3]", "KEYS[1]", "ARGV[4]", HANDOFF_SECONDS)}
return 'ok'
"""

# KEYS: hand-off, cart, order, revenue of the day. ARGV: currency, amount, seconds to live of order and revenue.
# What was ordered leaves the cart and what an undo would bring back: nothing bought comes back into a cart.
_COMPLETE: Final = """
if redis.call('EXISTS', KEYS[3]) == 1 then return 'repeated' end
local handed = redis.call('HMGET', KEYS[1], 'lines', 'closed')
if not handed[1] then return 'unknown' end
redis.call('SET', KEYS[3], '1', 'EX', ARGV[3])
redis.call('HINCRBY', KEYS[4], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[4], ARGV[1] .. ':orders', 1)
redis.call('EXPIRE', KEYS[4], ARGV[4])
if handed[2] then return 'counted' end
redis.call('HSET', KEYS[1], 'closed', '1')
local bought = {}
for _, line in ipairs(cjson.decode(handed[1])) do
  bought[line[1] .. '\\n' .. (line[7] or '')] = line[2]
end
local function without(text)
  local left, changed = {}, false
  for _, line in ipairs(cjson.decode(text)) do
    local gone = bought[line[1] .. '\\n' .. (line[7] or '')]
    if gone then line[2], changed = line[2] - gone, true end
    if line[2] > 0 then left[#left + 1] = line end
  end
  return #left == 0 and '[]' or cjson.encode(left), changed
end
local held = redis.call('HMGET', KEYS[2], 'version', 'lines', 'undo')
if not held[2] then return 'counted' end
local lines, changed = without(held[2])
local undo = held[3] or ''
if undo ~= '' then undo = without(undo) end
if undo == lines then undo = '' end
if changed then redis.call('HINCRBY', KEYS[2], 'version', 1) end
redis.call('HSET', KEYS[2], 'lines', lines, 'undo', undo)
return 'counted'
"""


class RedisHandOffStore:
    """`HandOffStore` on Redis."""

    def __init__(
        self, *, connection: RedisConnection, clock: Callable[[], float] = time.time
    ) -> None:
        self._connection = connection
        self._clock = clock

    def keep(self, shopper: Shopper, given: HandOff, deadline: Deadline) -> None:
        keys = (
            self._key(given.reference),
            CART.key(self._connection, shopper.id),
            KEPT.key(self._connection, shopper.id),
        )
        document = json.dumps(_document(given), ensure_ascii=False, separators=(",", ":"))
        arguments = [
            given.cart_version,
            shopper.id,
            document,
            int(self._clock()),
            HANDOFF_SECONDS,
        ]
        answer = self._connection.run(script(_KEEP, keys, arguments), deadline)
        if answer == "version_conflict":
            raise CartRefusedError("version_conflict", "The cart has changed since; read it again.")
        if answer != "ok":
            raise StateUnavailableError("redis answered something unreadable")

    def find(self, reference: str, deadline: Deadline) -> HandOff | None:
        document = self._connection.run(["HGET", self._key(reference), "document"], deadline)
        return None if document is None else _hand_off(document)

    def complete(self, order: CompletedOrder, deadline: Deadline) -> Completion:
        handoff, placed = (
            self._key(order.reference),
            ORDER.key(self._connection, digest(order.order_id)),
        )
        commands = [["HMGET", handoff, "shopper", "document"], ["EXISTS", placed]]
        [[shopper, document], repeated] = self._connection.pipeline(commands, deadline)
        if repeated:
            return Completion("repeated")
        if shopper is None or document is None:
            return Completion("unknown")
        given = _hand_off(document)
        currency, amount = given.currency, given.total
        if order.total is not None:
            currency = order.currency or given.currency
            amount = to_minor(order.total, currency)
        # A guest's cart may have gone into a user's since.
        into = self._connection.run(["HGET", CART.key(self._connection, shopper), "into"], deadline)
        today = datetime.fromtimestamp(self._clock(), UTC).date().isoformat()
        keys = (
            handoff,
            CART.key(self._connection, into or shopper),
            placed,
            REVENUE.key(self._connection, today),
        )
        answer = self._connection.run(
            script(_COMPLETE, keys, [currency, amount, ORDER_SECONDS, REVENUE_SECONDS]), deadline
        )
        match answer:
            case "counted":
                return Completion("counted", amount, currency)
            case "repeated" | "unknown":
                return Completion(answer)
            case _:
                raise StateUnavailableError("redis answered something unreadable")

    def _key(self, reference: str) -> str:
        # A reference comes from outside: as a digest it cannot be anything but the name of a hand-off.
        return HANDOFF.key(self._connection, digest(reference))


def _document(given: HandOff) -> dict[str, Any]:
    return {
        "reference": given.reference,
        "lines": [
            [line.product_id, line.checkout_id, line.name, line.quantity, line.unit_price]
            for line in given.lines
        ],
        "currency": given.currency,
        "total": given.total,
        "version": given.cart_version,
        "issued": given.issued_at,
        "expires": given.expires_at,
    }


def _hand_off(text: str) -> HandOff:
    try:
        stored = cast(Mapping[str, Any], json.loads(text))
        return HandOff(
            reference=stored["reference"],
            lines=tuple(HandOffLine(*fields) for fields in stored["lines"]),
            currency=stored["currency"],
            total=stored["total"],
            cart_version=stored["version"],
            issued_at=stored["issued"],
            expires_at=stored["expires"],
        )
    except (ValueError, KeyError, TypeError) as error:
        raise StateUnavailableError("redis holds an unreadable hand-off") from error
