"""What inventory files say, laid over the live facts: of each price and each stock the newer upload holds."""

import json
from collections.abc import Sequence
from typing import Any, Final, cast

from shopping_agent.adapters.redis import live_scripts
from shopping_agent.adapters.redis.connection import RedisConnection, pairs, script
from shopping_agent.adapters.redis.keys import INVENTORY, LIVE, NAMES, SALES
from shopping_agent.adapters.redis.live_catalog import MAX_IDS_PER_NAME
from shopping_agent.adapters.redis.live_facts import price_fields, revision_text
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.feed import InventoryRow
from shopping_agent.errors import StateUnavailableError
from shopping_agent.ports import Overtaken, Restocked

BATCH: Final = 500
SCAN_COUNT: Final = 2000
MAX_SCANS: Final = 20_000
MAX_KEPT: Final = 1_000_000
# One object for each of the cases: there may be as many answers as products.
_OVERTAKEN: Final = {
    (price, stock): Overtaken(price, stock) for price in (False, True) for stock in (False, True)
}


class RedisInventory:
    """`Inventory` on Redis."""

    def __init__(self, *, connection: RedisConnection) -> None:
        self._connection = connection
        self._keys = [family.key(connection) for family in (LIVE, NAMES, SALES, INVENTORY)]
        self._ages = INVENTORY.key(connection, "catalogs")

    def restock(
        self, rows: Sequence[InventoryRow], revision: int, deadline: Deadline
    ) -> list[Restocked]:
        words: list[Restocked] = []
        for start in range(0, len(rows), BATCH):
            arguments: list[str | int] = [MAX_IDS_PER_NAME, revision_text(revision), MAX_KEPT]
            for row in rows[start : start + BATCH]:
                arguments += [row.product_id, _document(row)]
            command = script(live_scripts.RESTOCK, [*self._keys, self._ages], arguments)
            words += self._connection.run(command, deadline)
        return words

    def overtaken(self, revision: int, deadline: Deadline) -> dict[str, Overtaken]:
        mark, cursor = revision_text(revision), "0"
        found: dict[str, Overtaken] = {}
        for _ in range(MAX_SCANS):
            command = ["HSCAN", self._keys[3], cursor, "COUNT", SCAN_COUNT]
            cursor, page = self._connection.run(command, deadline)
            for product_id, raw in pairs(page).items():
                price, stock = _ages_of(raw)
                older = _OVERTAKEN["" < price < mark, "" < stock < mark]
                if older.price or older.stock:
                    found[product_id] = older
            if str(cursor) == "0":
                return found
        raise StateUnavailableError("the inventory has no end")

    def advance(self, source: str, revision: int, deadline: Deadline) -> None:
        arguments = [source, revision_text(revision)]
        self._connection.run(script(live_scripts.ADVANCE, [self._ages], arguments), deadline)


def _document(row: InventoryRow) -> str:
    document: dict[str, Any] = price_fields(row.price) if row.price else {}
    if row.counted:
        document["stock"] = False if row.stock is None else row.stock
    return json.dumps(document)


def _ages_of(raw: str) -> tuple[str, str]:
    try:
        held = cast(dict[str, Any], json.loads(raw))
        return str(held.get("pr", "")), str(held.get("sr", ""))
    except (ValueError, AttributeError) as error:
        raise StateUnavailableError("redis holds an unreadable inventory") from error
