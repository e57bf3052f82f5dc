"""Signatures that a shop and we make for each other with one shared secret: signed tokens and signed messages."""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

_HEADER: Final = {"alg": "HS256", "typ": "JWT"}
_LONGEST_TOKEN: Final = 8192


class InvalidSignatureError(Exception):
    """Not signed with any of our secrets, altered, or out of its time."""


def shared_secrets(setting: str) -> tuple[bytes, ...]:
    """The secrets of a setting, commas between: the first signs, all verify, so that one can be replaced."""
    return tuple(part.strip().encode() for part in setting.split(",") if part.strip())


def sign_token(claims: Mapping[str, Any], secrets: Sequence[bytes]) -> str:
    """A JSON Web Signature (RFC 7515, compact, HS256) of the claims."""
    head, body = _encoded(_HEADER), _encoded(claims)
    return f"{head}.{body}.{_text(hmac.digest(secrets[0], f'{head}.{body}'.encode(), 'sha256'))}"


def read_token(
    token: str, secrets: Sequence[bytes], *, audience: str, now: float
) -> dict[str, Any]:
    """The claims of a token that one of the secrets signed, for this audience, until its `exp`.

    Raises:
        InvalidSignatureError: in every other case. The algorithm is ours, whatever the token says.
    """
    signed, _, signature = token.rpartition(".")
    head, _, body = signed.partition(".")
    if len(token) > _LONGEST_TOKEN or not token.isascii():
        raise InvalidSignatureError
    made = [_text(hmac.digest(secret, signed.encode(), "sha256")) for secret in secrets]
    matches = [hmac.compare_digest(signature, expected) for expected in made]
    if not any(matches):
        raise InvalidSignatureError
    try:
        if json.loads(_raw(head)).get("alg") != _HEADER["alg"]:
            raise InvalidSignatureError
        claims = cast(dict[str, Any], json.loads(_raw(body)))
        valid = claims["aud"] == audience and now < claims["exp"]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise InvalidSignatureError from error
    if not valid:
        raise InvalidSignatureError
    return claims


def sign_message(timestamp: int, body: bytes, secret: bytes) -> str:
    """The hexadecimal HMAC-SHA256 of `<timestamp>.<body>`."""
    return hmac.digest(secret, str(timestamp).encode() + b"." + body, "sha256").hex()


def check_message(
    signature: str, body: bytes, secrets: Sequence[bytes], *, now: float, tolerance: float
) -> None:
    """Whether `t=<seconds since the epoch>,v1=<hexadecimal>` signs a body, and not long ago. Several `v1` may stand there.

    Raises:
        InvalidSignatureError: malformed, too old, too new, or none of the secrets'.
    """
    if not signature.isascii():
        raise InvalidSignatureError
    parts = [part.strip().partition("=") for part in signature.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    given = [value for name, _, value in parts if name == "v1"]
    if len(times) != 1 or not (times[0].isdigit() and len(times[0]) <= 12):
        raise InvalidSignatureError
    timestamp = int(times[0])
    if abs(now - timestamp) > tolerance:
        raise InvalidSignatureError
    expected = [sign_message(timestamp, body, secret) for secret in secrets]
    # Every pair is compared: how long it takes says nothing.
    matches = [hmac.compare_digest(g.encode(), e.encode()) for g in given for e in expected]
    if not any(matches):
        raise InvalidSignatureError


def _encoded(value: Mapping[str, Any]) -> str:
    return _text(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _raw(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
