"""Every family of keys that we keep in Redis: what it holds, for how long, and whose it is.

A key is `<prefix>:<family>:<parts>`. A shopper's families hold one key named by the shopper's id, or many; those of
which there are many are listed in the shopper's index (`kept`), so that export and erasure find them without scanning
the database. Whoever adds a family adds it here; `keep_lua` is what a script does to list a new key.
"""

from hashlib import sha256
from typing import Final, Literal

from shopping_agent.adapters.redis.connection import Command, RedisConnection
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.values import frozen

DAY: Final = 24 * 3600

Owner = Literal["shop", "shopper", "session", "network"]
"""`shopper` and `session`: named by the shopper's id or session id. `network`: by a hash of an address, nobody's."""


@frozen
class KeyFamily:
    """Keys of one kind.

    Attributes:
        holds: what, in words a shopper can read; part of an export.
        seconds: how long a key outlives its last use; None: until the shop replaces it.
        many: several keys of one shopper, each listed in the index.
    """

    name: str
    holds: str
    owner: Owner
    seconds: int | None = None
    many: bool = False

    def key(self, connection: RedisConnection, *parts: str) -> str:
        return connection.key(self.name, *parts)


LIVE: Final = KeyFamily("live", "live product facts", "shop")
NAMES: Final = KeyFamily("names", "index of product names", "shop")
SALES: Final = KeyFamily("sales", "products with a sale price, by its end", "shop")
INVENTORY: Final = KeyFamily(
    "inventory", "prices and stocks of inventory files that are newer than the catalog's", "shop"
)
MANIFEST: Final = KeyFamily("manifest", "what the last ingestion of a catalog file did", "shop")
CART: Final = KeyFamily(
    "cart", "the cart, and its lines before the last change", "shopper", 30 * DAY
)
CONVERSATION: Final = KeyFamily(
    "conversation",
    "what was said, the products shown, our open question, and what the shopper told of themselves",
    "session",
    7 * DAY,
)
JOURNAL: Final = KeyFamily(
    "journal", "what one turn did to the cart, and its reply", "shopper", DAY, many=True
)
RECORDING: Final = KeyFamily(
    "recording",
    "what was said in one turn, without contact details and words of health",
    "shopper",
    7 * DAY,
    many=True,
)
STEPS: Final = KeyFamily(
    "steps", "what a turn was doing while it ran, nothing that was said", "shopper", 600, many=True
)
IDEMPOTENCY: Final = KeyFamily(
    "idempotency", "replies to requests that came with an Idempotency-Key", "shopper", DAY
)
REQUESTS: Final = KeyFamily("requests", "how many requests, for the limits", "shopper", DAY)
TURNS: Final = KeyFamily("turns", "how many messages, for the limits", "shopper", DAY)
NETWORK: Final = KeyFamily("network", "how many requests of one address", "network", DAY)
TRAFFIC: Final = KeyFamily("traffic", "how many requests, tokens and how much money", "shop", DAY)
HANDOFF: Final = KeyFamily(
    "handoff", "a cart as it was handed over to the checkout", "shopper", 7 * DAY, many=True
)
ORDER: Final = KeyFamily("order", "that an order was counted", "shop", 40 * DAY)
REVENUE: Final = KeyFamily(
    "revenue", "what was ordered in a day, by currency, and nobody's name", "shop", 400 * DAY
)
STATISTICS: Final = KeyFamily(
    "statistics",
    "how many turns of a day were of which kind, and searches and questions that found nothing, nobody's",
    "shop",
    35 * DAY,
)
UPLOADS: Final = KeyFamily("uploads", "what became of each catalog file last", "shop")
# As long as the longest-lived keys that it lists, and a day more.
KEPT: Final = KeyFamily("kept", "list of the shopper's other keys", "shopper", 8 * DAY)

FAMILIES: Final[tuple[KeyFamily, ...]] = (
    LIVE,
    NAMES,
    SALES,
    INVENTORY,
    MANIFEST,
    CART,
    CONVERSATION,
    JOURNAL,
    RECORDING,
    STEPS,
    IDEMPOTENCY,
    REQUESTS,
    TURNS,
    NETWORK,
    TRAFFIC,
    HANDOFF,
    ORDER,
    REVENUE,
    STATISTICS,
    UPLOADS,
    KEPT,
)


def family_of(connection: RedisConnection, key: str) -> KeyFamily | None:
    """The family of a key of ours; None when it is not one of the registry's."""
    for family in FAMILIES:
        start = family.key(connection)
        if key == start or key.startswith(f"{start}:"):
            return family
    return None


def own_keys(connection: RedisConnection, shopper: Shopper) -> list[str]:
    """The keys that the shopper's ids name; those of the other families are in the index (the last one)."""
    ids = {"shopper": shopper.id, "session": shopper.session_id}
    named = [
        f.key(connection, ids[f.owner])
        for f in FAMILIES
        if f.owner in ids and not f.many and f is not KEPT
    ]
    return [*named, KEPT.key(connection, shopper.id)]


def digest(text: str) -> str:
    """What stands in keys and operation ids for a text of a client's own making: of one length, and unreadable."""
    return sha256(text.encode()).hexdigest()[:32]


def journal_key(connection: RedisConnection, shopper: Shopper, turn_id: str) -> str:
    return JOURNAL.key(connection, shopper.id, digest(turn_id))


def write_field(ordinal: int) -> str:
    """The journal's field of a turn's n-th change."""
    return f"write:{ordinal}"


def keep_lua(index: str, key: str, now: str, seconds: int | str) -> str:
    """Lua that lists a key in its shopper's index; the arguments are Lua expressions.

    The index is a sorted set of keys by the second they end; what has ended is dropped on the way.
    """
    return f"""
redis.call('ZREMRANGEBYSCORE', {index}, '-inf', {now})
redis.call('ZADD', {index}, {now} + {seconds}, {key})
redis.call('EXPIRE', {index}, {KEPT.seconds})
"""


def keep_commands(
    connection: RedisConnection, shopper: Shopper, key: str, *, now: float, seconds: int
) -> tuple[Command, Command]:
    """What lists a key in its shopper's index, for a pipeline that writes the key without a script."""
    index = KEPT.key(connection, shopper.id)
    return ["ZADD", index, int(now) + seconds, key], ["EXPIRE", index, KEPT.seconds or DAY]
