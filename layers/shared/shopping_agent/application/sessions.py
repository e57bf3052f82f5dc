"""Guest sessions: a random shopper id in a signed token that expires. Nothing is stored until a guest does something."""

import hmac
import secrets
import struct
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Callable
from typing import Final

from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.values import frozen
from shopping_agent.errors import ConfigurationError, UnauthorizedError

LIFETIME_SECONDS: Final = 30 * 24 * 3600
_VERSION: Final = "g1"
_PAYLOAD: Final = struct.Struct(">16sQ")
_LONGEST_TOKEN: Final = 512


@frozen
class GuestSession:
    """A new session. `expires_at` in seconds since the epoch."""

    token: str
    shopper: Shopper
    expires_at: int


class GuestSessions:
    """Mints and verifies guests' tokens: `g1.<key id>.<id and expiry>.<HMAC-SHA256>`.

    Args:
        secret: `kid:secret`, or several with commas between: the first signs, all verify (rotation). A single secret
            without an id has the id `0`.

    Raises:
        ConfigurationError: when there is no secret or two have one id.
    """

    def __init__(
        self,
        *,
        secret: str,
        lifetime_seconds: int = LIFETIME_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._keys = _keys(secret)
        self._signer = next(iter(self._keys))
        self._lifetime = lifetime_seconds
        self._clock = clock

    def mint(self) -> GuestSession:
        """A guest with a 128-bit random id."""
        identity = secrets.token_bytes(16)
        expires_at = int(self._clock()) + self._lifetime
        body = f"{_VERSION}.{self._signer}.{_text(_PAYLOAD.pack(identity, expires_at))}"
        token = f"{body}.{_text(_signature(self._keys[self._signer], body))}"
        return GuestSession(token, _guest(identity), expires_at)

    def verify(self, token: str) -> Shopper:
        """The guest of a token of ours.

        Raises:
            UnauthorizedError: not one of ours, altered, signed with a retired key, or expired.
        """
        if len(token) > _LONGEST_TOKEN or not token.isascii():
            raise UnauthorizedError("The session token is not valid.")
        body, _, signature = token.rpartition(".")
        version, _, rest = body.partition(".")
        kid, _, payload = rest.partition(".")
        key = self._keys.get(kid)
        if version != _VERSION or key is None:
            raise UnauthorizedError("The session token is not valid.")
        if not hmac.compare_digest(_text(_signature(key, body)), signature):
            raise UnauthorizedError("The session token is not valid.")
        try:
            identity, expires_at = _PAYLOAD.unpack(urlsafe_b64decode(payload))
        except (Base64Error, struct.error, ValueError) as error:
            raise UnauthorizedError("The session token is not valid.") from error
        if expires_at <= self._clock():
            raise UnauthorizedError("The session has expired.", code="session_expired")
        return _guest(identity)


def _keys(secret: str) -> dict[str, bytes]:
    keys: dict[str, bytes] = {}
    for part in secret.split(","):
        kid, separator, value = part.strip().partition(":")
        if not separator:
            kid, value = "0", kid
        if not value or not kid or "." in kid or kid in keys:
            raise ConfigurationError(
                "SESSION_SECRET must be a secret, or kid:secret pairs with commas between"
            )
        keys[kid] = value.encode()
    return keys


def _guest(identity: bytes) -> Shopper:
    shopper_id = f"g_{_text(identity)}"
    return Shopper(id=shopper_id, session_id=shopper_id, kind="guest")


def _signature(key: bytes, body: str) -> bytes:
    return hmac.digest(key, body.encode(), "sha256")


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")
