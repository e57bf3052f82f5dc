"""What a turn loads and saves: cart, conversation, name look-ups and its claim in one round trip, its end in another."""

import json
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from shopping_agent.adapters.redis import turn_scripts
from shopping_agent.adapters.redis.cart_store import RedisCartStore
from shopping_agent.adapters.redis.connection import (
    Command,
    RedisConnection,
    reading_script,
    script,
)
from shopping_agent.adapters.redis.conversation import (
    FIELDS,
    MAX_CHARACTERS,
    MAX_EXCHANGES,
    MAX_SEEN,
    MAX_TOKENS,
    change_arguments,
    decode_conversation,
)
from shopping_agent.adapters.redis.keys import CONVERSATION, KEPT, digest, journal_key
from shopping_agent.adapters.redis.limits import admission, check_admission
from shopping_agent.adapters.redis.statistics import adding
from shopping_agent.domain.conversation import Conversation, Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge
from shopping_agent.domain.operation import FinishedTurn, TurnClaim, TurnRecord
from shopping_agent.domain.statistics import Tally
from shopping_agent.errors import InProgressError, InvalidFieldError, StateUnavailableError
from shopping_agent.ports import TurnState

MOST_WAIT_SECONDS: Final = 2


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
        self._clock = clock
        self._carts = RedisCartStore(connection=connection, currency=currency, clock=clock)

    def load(
        self,
        shopper: Shopper,
        name_keys: Sequence[str],
        deadline: Deadline,
        *,
        charges: Sequence[Charge] = (),
        claim: TurnClaim | None = None,
    ) -> TurnState:
        commands: list[Command] = [
            *self._carts.read_commands(shopper),
            reading_script(turn_scripts.READ, [self._talk(shopper)], FIELDS),
        ]
        if claim:
            commands.append(self._claiming(shopper, claim))
        if charges:
            commands += admission(self._connection, charges)
        if name_keys:
            commands.append(["HMGET", self._connection.key("names"), *name_keys])
        cart, _, held, *rest = self._connection.pipeline(commands, deadline)
        claimed = rest.pop(0) if claim else None
        if charges:
            check_admission(charges, [rest.pop(0)])
        conversation, whole = decode_conversation(held)
        return TurnState(
            cart=self._carts.cart_of(cart),
            conversation=conversation,
            names=_names(name_keys, rest[0] if rest else []),
            record=_record(claimed) if claim else None,
            history_lost=not whole,
        )

    def save(
        self,
        shopper: Shopper,
        before: Conversation,
        after: Conversation,
        deadline: Deadline,
        *,
        finished: FinishedTurn | None = None,
        tally: Tally | None = None,
    ) -> None:
        keys, ending = [self._talk(shopper)], list[str | int]()
        if finished:
            keys.append(journal_key(self._connection, shopper, finished.turn_id))
            ending = [finished.attempt, finished.reply]
        caps = (MAX_EXCHANGES, MAX_CHARACTERS, MAX_TOKENS, MAX_SEEN)
        arguments = [secrets.token_hex(8), before.generation, secrets.token_hex(8), *caps]
        change = change_arguments(before, after)
        commands = [script(turn_scripts.SAVE, keys, [*arguments, *change, *ending])]
        if tally:
            commands.append(adding(self._connection, tally, self._clock()))
        self._connection.pipeline(commands, deadline)

    def release(self, shopper: Shopper, claim: TurnClaim, deadline: Deadline) -> None:
        key = journal_key(self._connection, shopper, claim.turn_id)
        self._connection.run(script(turn_scripts.RELEASE, [key], [claim.holder]), deadline)

    def _claiming(self, shopper: Shopper, claim: TurnClaim) -> Command:
        keys = (
            journal_key(self._connection, shopper, claim.turn_id),
            KEPT.key(self._connection, shopper.id),
        )
        arguments = [self._clock(), digest(claim.message), claim.holder, claim.seconds]
        return script(turn_scripts.CLAIM, keys, arguments)

    def _talk(self, shopper: Shopper) -> str:
        return CONVERSATION.key(self._connection, shopper.session_id)


def _record(reply: Any) -> TurnRecord:
    try:
        match cast(list[Any], reply):
            case ["other"]:
                raise InvalidFieldError(
                    "turnId: was used for another message.", code="turn_reused", field="turnId"
                )
            case ["running", left]:
                raise InProgressError(
                    "This turn is still being answered.",
                    code="turn_in_progress",
                    retry_after=max(1, min(MOST_WAIT_SECONDS, int(left))),
                )
            case ["finished", attempt, text]:
                return TurnRecord(int(attempt), reply=str(text))
            case ["begun", attempt, *written]:
                pairs = zip(written[::2], written[1::2], strict=True)
                return TurnRecord(int(attempt), {int(n): str(text) for n, text in pairs})
            case _:
                raise ValueError("no such state")
    except (ValueError, TypeError) as error:
        raise StateUnavailableError("redis holds an unreadable journal") from error


def _names(name_keys: Sequence[str], hits: Sequence[Any]) -> dict[str, tuple[str, ...]]:
    try:
        return {
            key: tuple(cast(list[str], json.loads(hit)))
            for key, hit in zip(name_keys, hits, strict=len(hits) > 0)
            if hit is not None
        }
    except (ValueError, TypeError) as error:
        raise StateUnavailableError("redis holds an unreadable name index") from error
