"""Who is asking: the bearer, and nothing but the bearer. Chat and cart routes mint a guest when none comes."""

from collections.abc import Mapping
from typing import Any

from shopping_agent.application.identities import Identities
from shopping_agent.application.sessions import GuestSession
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.values import frozen
from shopping_agent.errors import UnauthorizedError

SESSION_HEADER = "X-Session-Token"


@frozen
class Identity:
    """Who is asking. `minted` is the session that this very request began, if it came without a bearer."""

    shopper: Shopper
    minted: GuestSession | None = None

    def signed(self, body: dict[str, Any]) -> dict[str, Any]:
        """The reply's body, with `sessionToken` when the session is new."""
        return {**body, "sessionToken": self.minted.token} if self.minted else body

    def headers(self) -> dict[str, str]:
        """`X-Session-Token` when the session is new."""
        return {SESSION_HEADER: self.minted.token} if self.minted else {}


def identify(headers: Mapping[str, Any], identities: Identities, deadline: Deadline) -> Identity:
    """The bearer's shopper.

    Args:
        headers: the event's, names in lower case.

    Raises:
        UnauthorizedError: no bearer, or one that does not verify.
    """
    token = bearer(headers)
    if token is None:
        raise UnauthorizedError("Send the session's token as a bearer.")
    return Identity(identities.shopper_of(token, deadline))


def identify_or_mint(
    headers: Mapping[str, Any], identities: Identities, deadline: Deadline
) -> Identity:
    """The bearer's shopper, or a new guest when there is no bearer.

    Raises:
        UnauthorizedError: a bearer that does not verify: never silently somebody else.
    """
    token = bearer(headers)
    if token is not None:
        return Identity(identities.shopper_of(token, deadline))
    minted = identities.mint()
    return Identity(minted.shopper, minted)


def bearer(headers: Mapping[str, Any]) -> str | None:
    """The token of the Authorization header; None when there is no such header.

    Raises:
        UnauthorizedError: the header is no bearer.
    """
    value = str(headers.get("authorization") or "").strip()
    if not value:
        return None
    scheme, _, token = value.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise UnauthorizedError("The Authorization header must be a bearer.")
    return token.strip()
