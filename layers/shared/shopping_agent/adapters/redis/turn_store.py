"""What a turn loads and saves: cart, conversation and name look-ups in one round trip, the conversation in another."""

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from shopping_agent.adapters.redis.cart_store import RedisCartStore
from shopping_agent.adapters.redis.connection import Command, RedisConnection
from shopping_agent.adapters.redis.conversation import decode_conversation, encode_conversation
from shopping_agent.adapters.redis.limits import admission, check_admission
from shopping_agent.domain.conversation import Conversation, Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge
from shopping_agent.errors import StateUnavailableError
from shopping_agent.ports import TurnState

CONVERSATION_SECONDS: Final = 7 * 24 * 3600


class RedisTurnStore:
    """`TurnStore` on Redis."""

    def __init__(
        self,
        *,
        connection: RedisConnection,
        currency: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._connection = connection
        self._carts = RedisCartStore(connection=connection, currency=currency, clock=clock)

    def load(
        self,
        shopper: Shopper,
        name_keys: Sequence[str],
        deadline: Deadline,
        *,
        charges: Sequence[Charge] = (),
    ) -> TurnState:
        commands: list[Command] = [
            *self._carts.read_commands(shopper),
            ["GET", self._key(shopper)],
        ]
        if name_keys:
            commands.append(["HMGET", self._connection.key("names"), *name_keys])
        if charges:
            commands.append(admission(self._connection, charges))
        cart, _, conversation, *hits = self._connection.pipeline(commands, deadline)
        if charges:
            check_admission(charges, hits.pop())
        return TurnState(
            cart=self._carts.cart_of(cart),
            conversation=decode_conversation(conversation),
            names=_names(name_keys, hits[0] if hits else []),
        )

    def save(self, shopper: Shopper, conversation: Conversation, deadline: Deadline) -> None:
        text = encode_conversation(conversation)
        self._connection.run(
            ["SET", self._key(shopper), text, "EX", CONVERSATION_SECONDS], deadline
        )

    def _key(self, shopper: Shopper) -> str:
        return self._connection.key("conversation", shopper.session_id)


def _names(name_keys: Sequence[str], hits: Sequence[Any]) -> dict[str, tuple[str, ...]]:
    try:
        return {
            key: tuple(cast(list[str], json.loads(hit)))
            for key, hit in zip(name_keys, hits, strict=len(hits) > 0)
            if hit is not None
        }
    except (ValueError, TypeError) as error:
        raise StateUnavailableError("redis holds an unreadable name index") from error
