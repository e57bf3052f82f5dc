from collections.abc import Generator
from uuid import uuid4

import pytest
from shopping_agent.adapters.redis.connection import RedisConnection
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline


@pytest.fixture
def connection(redis_stack) -> Generator[RedisConnection]:
    """A connection with a keyspace of its own."""
    connection = RedisConnection(
        url=redis_stack.url, token=redis_stack.token, prefix=f"t{uuid4().hex[:12]}"
    )
    yield connection
    connection.close()


@pytest.fixture
def deadline() -> Deadline:
    return Deadline.after(10)


@pytest.fixture
def shopper() -> Shopper:
    identity = f"g_{uuid4().hex}"
    return Shopper(id=identity, session_id=identity)
