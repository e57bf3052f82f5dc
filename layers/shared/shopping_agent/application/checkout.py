"""The checkout hand-off: a link to the shop's own checkout that carries the cart, and what becomes of it."""

import secrets as random
import time
from collections.abc import Callable
from typing import Final

from shopping_agent.domain.checkout import (
    AUDIENCE,
    CheckoutKind,
    CheckoutLink,
    CompletedOrder,
    HandOff,
    hand_off,
    link_of,
)
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.money import to_major
from shopping_agent.domain.signing import (
    InvalidSignatureError,
    check_message,
    read_token,
    shared_secrets,
)
from shopping_agent.errors import (
    CartRefusedError,
    ConfigurationError,
    NotFoundError,
    UnauthorizedError,
)
from shopping_agent.observability import logger, revenue
from shopping_agent.ports import CartStore, HandOffStore

TOLERANCE_SECONDS: Final = 300.0
"""How old, or how far ahead of our clock, a webhook may be."""
_TRIES: Final = 3


class Checkout:
    """The use cases of the hand-off.

    Args:
        url: the shop's address or checkout page; without one, nothing can be handed over.
        secret: shared with the shop, or several with commas between: the first signs, all verify.

    Raises:
        ConfigurationError: links are to be signed and there is no secret.
    """

    def __init__(
        self,
        *,
        carts: CartStore,
        handoffs: HandOffStore,
        kind: CheckoutKind,
        url: str,
        secret: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._carts = carts
        self._handoffs = handoffs
        self._kind: CheckoutKind = kind
        self._url = url
        self._secrets = shared_secrets(secret)
        self._clock = clock
        if kind == "signed" and url and not self._secrets:
            raise ConfigurationError("CHECKOUT_KIND=signed needs CHECKOUT_WEBHOOK_SECRET")

    def begin(
        self, shopper: Shopper, deadline: Deadline, *, expected_version: int | None = None
    ) -> CheckoutLink:
        """A link that carries the cart as it now is.

        Raises:
            CartRefusedError: there is no checkout, or the cart may not go there; what would help is in the message.
        """
        if not self._url:
            raise CartRefusedError("checkout_off", "This shop takes no orders here.")
        for attempt in range(1, _TRIES + 1):
            cart = self._carts.read(shopper, deadline)
            if expected_version not in (None, cart.version):
                raise CartRefusedError("version_conflict", "The cart has changed; read it again.")
            given = hand_off(cart, reference=random.token_urlsafe(16), now=self._clock())
            url = link_of(self._kind, self._url, given, self._secrets)
            try:
                self._handoffs.keep(shopper, given, deadline)
            except CartRefusedError:
                # The cart changed in between: the link would carry what is no longer in it.
                if attempt == _TRIES or expected_version is not None:
                    raise
                continue
            logger.info("checkout handed over", lines=len(given.lines), attempt=attempt)
            return CheckoutLink(url, given.expires_at, cart)
        raise AssertionError("the last attempt returns or raises")

    def read(self, token: str, deadline: Deadline) -> HandOff:
        """The hand-off of a signed link, for the shop's page.

        Raises:
            NotFoundError: not one of ours, altered, expired, or erased.
        """
        try:
            claims = read_token(token, self._secrets, audience=AUDIENCE, now=self._clock())
        except InvalidSignatureError as error:
            raise _unknown() from error
        given = self._handoffs.find(str(claims.get("reference")), deadline)
        if given is None:
            raise _unknown()
        return given

    def verify(self, signature: str, body: bytes) -> None:
        """That the shop sent a webhook, and just now.

        Raises:
            UnauthorizedError: it did not.
        """
        try:
            check_message(
                signature, body, self._secrets, now=self._clock(), tolerance=TOLERANCE_SECONDS
            )
        except InvalidSignatureError as error:
            raise UnauthorizedError("The signature does not verify.") from error

    def complete(self, order: CompletedOrder, deadline: Deadline) -> None:
        """Take out of the cart what was ordered and count the revenue; once, however often the shop says so.

        Raises:
            NotFoundError: the hand-off is none of ours, or longer ago than we keep them.
        """
        done = self._handoffs.complete(order, deadline)
        if done.outcome == "unknown":
            raise _unknown()
        if done.outcome == "counted":
            revenue(to_major(done.amount, done.currency), done.currency)


def _unknown() -> NotFoundError:
    return NotFoundError("There is no such hand-off.", code="unknown_handoff")
