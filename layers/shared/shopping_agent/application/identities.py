"""Whose a bearer is: a guest's token, which we signed, or a user's, which the shop's identity provider signed."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from shopping_agent.application.sessions import GuestSession, GuestSessions
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline

if TYPE_CHECKING:
    from shopping_agent.ports import TokenVerifier


class Identities:
    """Guests and, where the shop has them, users.

    Args:
        users: makes the verifier, which few requests need; None when the shop has no users.
    """

    def __init__(
        self, *, guests: GuestSessions, users: "Callable[[], TokenVerifier] | None" = None
    ) -> None:
        self._guests = guests
        self._users = users

    def mint(self) -> GuestSession:
        """A new guest."""
        return self._guests.mint()

    def guest_of(self, token: str) -> Shopper:
        """The guest of a guest's token.

        Raises:
            UnauthorizedError: it does not verify.
        """
        return self._guests.verify(token)

    def shopper_of(self, token: str, deadline: Deadline) -> Shopper:
        """The guest or user of a bearer.

        Raises:
            UnauthorizedError: it does not verify.
            IdentityUnavailableError: a user's token, and the provider's keys cannot be had.
        """
        if self._users is not None and _looks_like_jwt(token):
            return self._users().verify(token, deadline)
        return self._guests.verify(token)


def _looks_like_jwt(token: str) -> bool:
    """Three parts, the first of them a JSON object in base64url. A guest's token has four."""
    return token.startswith("ey") and token.count(".") == 2
