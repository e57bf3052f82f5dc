"""Carts in Redis: each change is one script, one round trip, and answers the cart at live prices."""

import json
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from shopping_agent.adapters.redis import cart_scripts
from shopping_agent.adapters.redis.connection import (
    Command,
    RedisConnection,
    reading_script,
    script,
)
from shopping_agent.adapters.redis.keys import CART, KEPT, digest, journal_key, write_field
from shopping_agent.adapters.redis.limits import admission, check_admission
from shopping_agent.adapters.redis.live_facts import decode_facts
from shopping_agent.domain.cart import Cart, LeftOut
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge
from shopping_agent.domain.operation import Operation
from shopping_agent.domain.quoting import (
    MAX_LINES,
    MAX_PER_LINE,
    MAX_PIECES,
    StoredLine,
    quote,
)
from shopping_agent.domain.values import frozen
from shopping_agent.errors import (
    CART_REFUSAL_STATUS,
    CartRefusal,
    CartRefusedError,
    InProgressError,
    StateUnavailableError,
)

CART_SECONDS: Final = 30 * 24 * 3600
"""A cart is forgotten this long after it was last used."""


class RedisCartStore:
    """`CartStore` on Redis.

    Args:
        currency: the store's; a product in another one cannot be put in a cart.
        clock: seconds since the epoch, for sale windows.
    """

    def __init__(
        self,
        *,
        connection: RedisConnection,
        currency: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._connection = connection
        self._currency = currency
        self._clock = clock

    def read(self, shopper: Shopper, deadline: Deadline, *, charges: Sequence[Charge] = ()) -> Cart:
        commands = [*self.read_commands(shopper), *admission(self._connection, charges)]
        reply, _, *counted = self._connection.pipeline(commands, deadline)
        check_admission(charges, counted)
        return self.cart_of(reply)

    def read_commands(self, shopper: Shopper) -> tuple[Command, Command]:
        """What reads a cart (the first one's reply is for `cart_of`) and keeps it alive."""
        keys = self._keys(shopper)
        return reading_script(cart_scripts.READ, keys, []), ["EXPIRE", keys[0], CART_SECONDS]

    def add(
        self,
        shopper: Shopper,
        product_id: str,
        quantity: int,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart:
        _check_quantity(quantity, least=1)
        return self._change(
            cart_scripts.ADD, shopper, [product_id, quantity], expected_version, operation, deadline
        )

    def set_quantity(
        self,
        shopper: Shopper,
        product_id: str,
        quantity: int,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart:
        _check_quantity(quantity, least=0)
        return self._change(
            cart_scripts.SET, shopper, [product_id, quantity], expected_version, operation, deadline
        )

    def clear(
        self,
        shopper: Shopper,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart:
        return self._change(cart_scripts.CLEAR, shopper, [], expected_version, operation, deadline)

    def undo(
        self,
        shopper: Shopper,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart:
        return self._change(cart_scripts.UNDO, shopper, [], expected_version, operation, deadline)

    def merge(
        self,
        user: Shopper,
        guest: Shopper,
        deadline: Deadline,
        *,
        expected_version: int | None = None,
        operation: Operation | None = None,
    ) -> Cart:
        if user.id == guest.id:
            return self.read(user, deadline)
        return self._change(
            cart_scripts.MERGE, user, [], expected_version, operation, deadline, guest=guest
        )

    def cart_of(self, reply: Any) -> Cart:
        """The cart in a script's reply, or the refusal in it.

        Raises:
            CartRefusedError: the script refused, and changed nothing.
            StateUnavailableError: the reply is not one of ours.
        """
        try:
            code, limit, subject, version, lines, *facts = cast(list[Any], reply)
            stored = [_line(item) for item in json.loads(lines)]
            live = [decode_facts(raw) for raw in facts if raw]
            left_out: list[Any] = json.loads(subject) if code == "ok" and subject else []
        except (ValueError, TypeError) as error:
            raise StateUnavailableError("redis holds an unreadable cart") from error
        if code != "ok":
            raise _refused(code, int(limit), str(subject))
        cart = quote(
            stored,
            {fact.id: fact for fact in live},
            currency=self._currency,
            version=int(version),
            now=self._clock(),
        )
        return replace(cart, left_out=tuple(LeftOut(*x) for x in left_out)) if left_out else cart

    def _change(
        self,
        code: str,
        shopper: Shopper,
        arguments: Sequence[str | int],
        expected_version: int | None,
        operation: Operation | None,
        deadline: Deadline,
        *,
        guest: Shopper | None = None,
    ) -> Cart:
        journal = _journal(self._connection, shopper, operation)
        command = script(
            code,
            (*self._keys(shopper), *journal.keys, *self._merged_keys(shopper, guest)),
            [
                self._clock(),
                CART_SECONDS,
                _operation_id(operation),
                "" if expected_version is None else expected_version,
                self._currency,
                MAX_PER_LINE,
                MAX_LINES,
                MAX_PIECES,
                *arguments,
                *journal.arguments,
                *((shopper.id,) if guest else ()),
            ],
        )
        return self.cart_of(self._connection.run(command, deadline))

    def _merged_keys(self, user: Shopper, guest: Shopper | None) -> tuple[str, ...]:
        if guest is None:
            return ()
        return KEPT.key(self._connection, user.id), CART.key(self._connection, guest.id)

    def _keys(self, shopper: Shopper) -> tuple[str, str]:
        return CART.key(self._connection, shopper.id), self._connection.key("live")


def _operation_id(operation: Operation | None) -> str:
    return f"-{secrets.token_hex(8)}" if operation is None else digest(operation.id)[:16]


@frozen
class _Journal:
    keys: tuple[str, ...] = ()
    arguments: tuple[str | int, ...] = ()


def _journal(
    connection: RedisConnection, shopper: Shopper, operation: Operation | None
) -> _Journal:
    entry = operation and operation.entry
    if entry is None:
        return _Journal()
    return _Journal(
        (journal_key(connection, shopper, entry.turn_id),),
        ("journal", entry.attempt, write_field(entry.ordinal), entry.text),
    )


def _check_quantity(quantity: int, *, least: int) -> None:
    # A model's arguments reach us too: `True` and `1.0` are no quantities.
    if type(quantity) is not int or quantity < least:
        raise CartRefusedError(
            "invalid_quantity", f"A quantity is a whole number from {least}.", limit=MAX_PER_LINE
        )


def _line(item: Sequence[Any]) -> StoredLine:
    product_id, quantity, price, name, brand, image_url, *_ = item
    return StoredLine(product_id, int(quantity), int(price), name, brand, image_url)


def _refused(code: str, limit: int, subject: str) -> CartRefusedError:
    if code == "superseded":
        raise InProgressError(
            "This turn is being served elsewhere.", code="turn_in_progress", retry_after=1
        )
    if code == "not_in_cart":
        return CartRefusedError("unknown_product", "This product is not in the cart.")
    if code not in CART_REFUSAL_STATUS:
        raise StateUnavailableError("redis answered an unknown refusal")
    name = subject or "This product"
    messages: dict[str, str] = {
        "unknown_product": f"{name} is not sold here.",
        "out_of_stock": f"{name} is out of stock."
        if limit <= 0
        else f"{name}: only {limit} available.",
        "cart_limit": f"A cart holds at most {MAX_PER_LINE} of one product, {MAX_PIECES} pieces and "
        f"{MAX_LINES} products: {max(0, limit)} would be accepted.",
        "currency_mismatch": f"{name} is priced in another currency than this cart.",
        "version_conflict": "The cart has changed since; read it again.",
        "nothing_to_undo": "There is no change to undo.",
        "invalid_quantity": "A quantity is a whole number.",
    }
    return CartRefusedError(
        cast(CartRefusal, code), messages[code], limit=None if limit < 0 else limit
    )
