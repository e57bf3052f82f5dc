"""A Redis of its own for a re-run: the shop's prices, stocks and names copied into it, nothing written to the shop's."""

import tempfile
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from shopping_agent import bootstrap
from shopping_agent.adapters.redis.connection import RedisConnection, pairs
from shopping_agent.adapters.redis.keys import LIVE, NAMES, SALES
from shopping_agent.domain.conversation import Conversation, Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import CartRefusedError
from shopping_agent.settings import Settings

from functions.local.backends import Backends
from functions.local.children import Supervisor
from functions.local.data_folder import DataFolder
from functions.local.replay.recorded import RecordedTurn
from functions.local.variables import LOCAL_REDIS_TOKEN, StandIns

START_SECONDS = 30.0
CALL_SECONDS = 10.0
PAGE = 500
MOST_PAGES = 20_000
SHOPPER = Shopper("replay", "replay")


@contextmanager
def private_shop(settings: Settings) -> Generator[Settings]:
    """The settings with another Redis, in memory of this machine, that ends with the re-run; search is the shop's own."""
    with tempfile.TemporaryDirectory(prefix="shopping-agent-replay-") as folder:
        supervisor = Supervisor(logs=Path(folder) / "logs", report=lambda _: None)
        try:
            needed = StandIns(redis=True, qdrant=False, embeddings=False, aws=False)
            backends = Backends(data=DataFolder(Path(folder)), needed=needed, bucket="")
            supervisor.wait_ready([supervisor.add(s) for s in backends.specs], START_SECONDS)
            private = settings.model_copy(
                update={
                    "upstash_redis_rest_url": backends.endpoints["redis"],
                    "upstash_redis_rest_token": type(settings.upstash_redis_rest_token)(
                        LOCAL_REDIS_TOKEN
                    ),
                    "record_turns": 1,
                }
            )
            _copy_facts(bootstrap.redis(settings), private)
            yield private
        finally:
            supervisor.stop()


def restore(settings: Settings, turn: RecordedTurn) -> list[str]:
    """Put the cart and the conversation that a turn began with into a private shop; what could not be, in words."""
    notes: list[str] = []
    carts, turns = bootstrap.cart_store(settings), bootstrap.turn_store(settings)
    for product_id, quantity in turn.cart:
        try:
            carts.add(SHOPPER, product_id, quantity, Deadline.after(CALL_SECONDS))
        except CartRefusedError as error:
            notes.append(f"{product_id} was in the cart and cannot be any more: {error}")
    known, said = Conversation(), turn.conversation.exchanges
    for number in range(len(said) + 1):
        after = turn.conversation if number == len(said) else Conversation(said[: number + 1])
        if after != known:
            turns.save(SHOPPER, known, after, Deadline.after(CALL_SECONDS))
        known = after
    return notes


def _copy_facts(shop: RedisConnection, private: Settings) -> None:
    """Read from the shop, written to the private one: facts of products alone."""
    with closing(_connection(private)) as ours:
        for family in (LIVE, NAMES):
            for page in _pages(shop, family.key(shop)):
                flat = [part for field, value in page.items() for part in (field, value)]
                ours.run(["HSET", family.key(ours), *flat], Deadline.after(CALL_SECONDS))
        scored: list[Any] = shop.run(
            ["ZRANGE", SALES.key(shop), 0, -1, "WITHSCORES"], Deadline.after(CALL_SECONDS)
        )
        members = scored[::2]
        for start in range(0, len(members), PAGE):
            part = zip(
                scored[1::2][start : start + PAGE], members[start : start + PAGE], strict=True
            )
            flat = [str(value) for pair in part for value in pair]
            ours.run(["ZADD", SALES.key(ours), *flat], Deadline.after(CALL_SECONDS))


def _pages(shop: RedisConnection, key: str) -> Iterator[dict[str, str]]:
    cursor = "0"
    for _ in range(MOST_PAGES):
        cursor, flat = shop.run(["HSCAN", key, cursor, "COUNT", PAGE], Deadline.after(CALL_SECONDS))
        if page := pairs(flat):
            yield page
        if str(cursor) == "0":
            return


def _connection(settings: Settings) -> RedisConnection:
    return RedisConnection(
        url=settings.upstash_redis_rest_url,
        token=settings.upstash_redis_rest_token.get_secret_value(),
        prefix=settings.redis_prefix,
    )
