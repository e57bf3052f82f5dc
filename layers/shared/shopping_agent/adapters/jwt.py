"""Users' tokens: RS256 and ES256 JWTs of one issuer for one audience, verified by the keys at one configured address.

Follows RFC 8725: algorithms are ours to choose, a key serves its own algorithm only, and what a token's header says of
where its key is (`jku`, `x5u`, `jwk`, `x5c`) is never read.
"""

import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final, cast

import httpx
import jwt
from jwt.exceptions import ExpiredSignatureError, PyJWTError

from shopping_agent.adapters.transport import deadline_client, limit
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import IdentityUnavailableError, UnauthorizedError

LEEWAY_SECONDS: Final = 30
"""Of clocks that differ."""
MAX_TOKEN_CHARACTERS: Final = 8_192
MAX_KEY_ID_CHARACTERS: Final = 256
MAX_SUBJECT_CHARACTERS: Final = 255
MAX_KEY_SET_BYTES: Final = 256 * 1024
MAX_KEYS: Final = 100
KEEP_SECONDS: Final = 3_600.0
STALE_SECONDS: Final = 24 * 3_600.0
"""While the provider is down, its keys are believed this long."""
REFETCH_SECONDS: Final = 60.0
"""An unknown key id makes us ask again this often at most."""
RETRY_SECONDS: Final = 5.0
FETCH_SECONDS: Final = 4.0
LEAST_RSA_BITS: Final = 2_048
MOST_RSA_BITS: Final = 8_192

_KEY_TYPES: Final[dict[str, str]] = {"RS256": "RSA", "ES256": "EC"}
_TYPES: Final = frozenset({"jwt", "at+jwt", "application/jwt", "application/at+jwt"})
_INVALID: Final = "The token is not valid."


class JwtVerifier:
    """`TokenVerifier` for an OpenID Connect provider, or whoever else signs JWTs for the shop's users.

    Args:
        issuer: what `iss` must be, to the letter.
        audience: what must be in `aud`.
        keys_url: the provider's JWKS.
    """

    def __init__(
        self,
        *,
        issuer: str,
        audience: str,
        keys_url: str,
        transport: httpx.BaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._issuer = issuer
        self._audience = audience
        self._keys = KeySet(url=keys_url, transport=transport, clock=clock)

    def verify(self, token: str, deadline: Deadline) -> Shopper:
        if len(token) > MAX_TOKEN_CHARACTERS or not token.isascii():
            raise UnauthorizedError(_INVALID)
        try:
            algorithm, kid = _signed_with(jwt.get_unverified_header(token))
            key = self._keys.find(algorithm, kid, deadline)
            claims = jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                audience=self._audience,
                issuer=self._issuer,
                leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except ExpiredSignatureError as error:
            raise UnauthorizedError("The token has expired.", code="session_expired") from error
        except (PyJWTError, ValueError, TypeError, OverflowError, RecursionError) as error:
            raise UnauthorizedError(_INVALID) from error
        return self._user(claims)

    def _user(self, claims: dict[str, Any]) -> Shopper:
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT_CHARACTERS:
            raise UnauthorizedError(_INVALID)
        # What a provider calls its users may be an e-mail address, and may hold anything: no key of ours shows it.
        digest = sha256(f"{self._issuer}\n{subject}".encode()).digest()
        shopper_id = f"u_{urlsafe_b64encode(digest[:24]).decode()}"
        return Shopper(id=shopper_id, session_id=shopper_id, kind="user")


class KeySet:
    """The keys of a JWKS by algorithm and key id, fetched when needed and kept for a while."""

    def __init__(
        self,
        *,
        url: str,
        transport: httpx.BaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = url
        self._clock = clock
        self._client = deadline_client(
            headers={"accept": "application/json"}, max_bytes=MAX_KEY_SET_BYTES, transport=transport
        )
        self._keys: dict[tuple[str, str | int], Any] = {}
        self._fetched_at = self._asked_at = float("-inf")

    def find(self, algorithm: str, kid: str | None, deadline: Deadline) -> Any:
        """The public key; without a key id the only one of its algorithm.

        Raises:
            UnauthorizedError: there is no such key.
            IdentityUnavailableError: the keys cannot be had.
        """
        now = self._clock()
        if now - self._fetched_at > KEEP_SECONDS:
            self._refresh(now, RETRY_SECONDS, deadline)
        if not self._known(algorithm, kid):
            self._refresh(now, REFETCH_SECONDS, deadline)
        if self._clock() - self._fetched_at > STALE_SECONDS:
            raise IdentityUnavailableError("the identity provider's keys cannot be had")
        found = self._known(algorithm, kid)
        if len(found) != 1:
            raise UnauthorizedError(_INVALID)
        return found[0]

    def _known(self, algorithm: str, kid: str | None) -> list[Any]:
        return [
            key for (of, name), key in self._keys.items() if of == algorithm and kid in (None, name)
        ]

    def _refresh(self, now: float, pause: float, deadline: Deadline) -> None:
        """Fetch the keys unless that was tried within `pause` seconds; a failure leaves the known ones."""
        if now - self._asked_at < pause:
            return
        self._asked_at = now
        try:
            with limit(deadline.capped(FETCH_SECONDS)):
                reply = self._client.get(self._url)
            keys = _usable_keys(reply.json()) if reply.is_success else None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError):
            return
        if keys is not None:
            self._keys, self._fetched_at = keys, now


def _signed_with(header: dict[str, Any]) -> tuple[str, str | None]:
    """Algorithm and key id of a header that we read at all; the key is not yet known, so nothing is proved."""
    algorithm, kid, kind = header.get("alg"), header.get("kid"), header.get("typ", "JWT")
    if algorithm not in _KEY_TYPES or "crit" in header or "b64" in header:
        raise UnauthorizedError(_INVALID)
    if not isinstance(kind, str) or kind.lower() not in _TYPES:
        raise UnauthorizedError(_INVALID)
    if kid is not None and not (isinstance(kid, str) and 0 < len(kid) <= MAX_KEY_ID_CHARACTERS):
        raise UnauthorizedError(_INVALID)
    return cast(str, algorithm), kid


def _usable_keys(document: Any) -> dict[tuple[str, str | int], Any] | None:
    """The signing keys of a JWKS that we can use; None when it is no JWKS."""
    listed = cast(dict[str, Any], document).get("keys") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        return None
    keys: dict[tuple[str, str | int], Any] = {}
    for position, entry in enumerate(cast(list[Any], listed)[:MAX_KEYS]):
        for algorithm, kind in _KEY_TYPES.items():
            if (key := _public_key(entry, algorithm, kind)) is not None:
                kid = entry.get("kid")
                # A number is no id that a token could name: such a key serves tokens without one.
                keys[algorithm, kid if isinstance(kid, str) else position] = key
    return keys


def _public_key(entry: Any, algorithm: str, kind: str) -> Any:
    if not isinstance(entry, dict):
        return None
    jwk = cast(dict[str, Any], entry)
    fits = (
        jwk.get("kty") == kind
        and jwk.get("alg", algorithm) == algorithm
        and jwk.get("use", "sig") == "sig"
        and (kind != "EC" or jwk.get("crv") == "P-256")
    )
    if not fits:
        return None
    public = {name: value for name, value in jwk.items() if name not in ("d", "p", "q")}
    try:
        key = jwt.PyJWK(public, algorithm).key
    except (PyJWTError, ValueError, TypeError):
        return None
    return key if kind == "EC" or LEAST_RSA_BITS <= key.key_size <= MOST_RSA_BITS else None
