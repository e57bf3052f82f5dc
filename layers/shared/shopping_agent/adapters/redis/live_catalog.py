"""Live product facts in one hash; beside it the index of product names, and the products that have a sale price."""

from collections.abc import Collection, Sequence
from typing import Final

from shopping_agent.adapters.redis import live_scripts
from shopping_agent.adapters.redis.connection import RedisConnection, reading_script, script
from shopping_agent.adapters.redis.keys import INVENTORY, LIVE, NAMES, SALES
from shopping_agent.adapters.redis.live_facts import decode_facts, encode_facts
from shopping_agent.domain.catalog import LiveFacts
from shopping_agent.domain.deadline import Deadline

BATCH: Final = 500
MAX_IDS_PER_NAME: Final = 100
MAX_SALES: Final = 300


class RedisLiveCatalog:
    """`LiveCatalog` on Redis. Large puts and removals go in batches; each may be repeated without harm."""

    def __init__(self, *, connection: RedisConnection) -> None:
        self._connection = connection
        self._keys = [family.key(connection) for family in (LIVE, NAMES, SALES, INVENTORY)]

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
        live, _, sales, _ = self._keys
        command = reading_script(live_scripts.ON_SALE, (live, sales), [int(now), MAX_SALES])
        found = [decode_facts(raw) for raw in self._connection.run(command, deadline) if raw]
        return [facts for facts in found if facts.price.compare_at(now) is not None]

    def put(
        self,
        facts: Sequence[LiveFacts],
        deadline: Deadline,
        *,
        source: str = "",
        uncounted: Collection[str] = (),
    ) -> list[str]:
        laid: list[str] = []
        for start in range(0, len(facts), BATCH):
            arguments: list[str | int] = [MAX_IDS_PER_NAME]
            for fact in facts[start : start + BATCH]:
                encoded = encode_facts(fact, source=source, uncounted=fact.id in uncounted)
                arguments += [fact.id, fact.revision, *encoded]
            laid += self._connection.run(script(live_scripts.PUT, self._keys, arguments), deadline)
        return laid

    def remove(self, ids: Sequence[str], deadline: Deadline) -> None:
        for start in range(0, len(ids), BATCH):
            arguments = [MAX_IDS_PER_NAME, *ids[start : start + BATCH]]
            self._connection.run(script(live_scripts.REMOVE, self._keys, arguments), deadline)
