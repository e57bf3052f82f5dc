"""What a cart operation costs on the wire: one script each, live facts of every line included."""

from uuid import uuid4

import httpx
import pytest
from shopping_agent.adapters.redis.cart_store import RedisCartStore
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.adapters.redis.live_catalog import RedisLiveCatalog
from shopping_agent.adapters.transport import DeadlineTransport
from shopping_agent.domain.catalog import LiveFacts, PriceTag
from shopping_agent.domain.conversation import Shopper

OPERATIONS = {
    "read": lambda carts, shopper, guest, deadline: carts.read(shopper, deadline),
    "add": lambda carts, shopper, guest, deadline: carts.add(shopper, "rose", 1, deadline),
    "set": lambda carts, shopper, guest, deadline: carts.set_quantity(shopper, "oud", 3, deadline),
    "remove": lambda carts, shopper, guest, deadline: carts.set_quantity(
        shopper, "oud", 0, deadline
    ),
    "clear": lambda carts, shopper, guest, deadline: carts.clear(shopper, deadline),
    "undo": lambda carts, shopper, guest, deadline: carts.undo(shopper, deadline),
    "merge": lambda carts, shopper, guest, deadline: carts.merge(shopper, guest, deadline),
}


class Counting(DeadlineTransport):
    calls = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.calls += 1
        return super().handle_request(request)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_cart_operation_is_one_round_trip(redis_stack, shopper, deadline, operation):
    wire = Counting()
    connection = RedisConnection(
        url=redis_stack.url,
        token=redis_stack.token,
        prefix=f"t{uuid4().hex[:12]}",
        transport=wire,
    )
    names = ("rose", "oud", "musk")
    RedisLiveCatalog(connection=connection).put(
        [LiveFacts(id=n, name=n, price=PriceTag(10_000, "MAD"), stock=9) for n in names], deadline
    )
    carts = RedisCartStore(connection=connection, currency="MAD")
    user, guest = Shopper(f"u_{uuid4().hex}", "s", "user"), Shopper(f"g_{uuid4().hex}", "g")
    owner = user if operation == "merge" else shopper
    for name in names:
        carts.add(owner, name, 1, deadline)
    carts.add(guest, "rose", 1, deadline)
    before = wire.calls
    OPERATIONS[operation](carts, owner, guest, deadline)
    assert wire.calls - before == 1
    connection.close()
