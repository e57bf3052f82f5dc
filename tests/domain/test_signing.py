"""Tokens and messages that a shop and we sign for each other."""

import base64
import hashlib
import hmac
import json

import pytest
from shopping_agent.domain.signing import (
    InvalidSignatureError,
    check_message,
    read_token,
    shared_secrets,
    sign_message,
    sign_token,
)

OLD, NEW = b"old-secret", b"new-secret"
CLAIMS = {"aud": "checkout", "exp": 2000, "reference": "r"}


def text(value: dict) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def forged(head: dict, body: dict, secret: bytes) -> str:
    signed = f"{text(head)}.{text(body)}"
    mac = hmac.new(secret, signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"


def test_a_token_says_what_was_signed_until_it_expires() -> None:
    token = sign_token(CLAIMS, [NEW])
    assert read_token(token, [NEW], audience="checkout", now=1999.9) == CLAIMS
    with pytest.raises(InvalidSignatureError):
        read_token(token, [NEW], audience="checkout", now=2000)


def test_the_first_secret_signs_and_all_verify() -> None:
    assert shared_secrets(" new-secret , old-secret,") == (NEW, OLD)
    assert read_token(sign_token(CLAIMS, [OLD]), [NEW, OLD], audience="checkout", now=0)
    with pytest.raises(InvalidSignatureError):
        read_token(sign_token(CLAIMS, [NEW, OLD]), [OLD], audience="checkout", now=0)


@pytest.mark.parametrize(
    "token",
    [
        "",
        ".",
        "..",
        "a.b",
        "a.b.c",
        "é.b.c",
        "x" * 9000,
        sign_token(CLAIMS, [NEW])[:-1],
        sign_token(CLAIMS, [NEW]) + "A",
        sign_token(CLAIMS, [OLD]),
        f"{text({'alg': 'none'})}.{text(CLAIMS)}.",
        forged({"alg": "none"}, CLAIMS, NEW),
        forged({"alg": "HS512"}, CLAIMS, NEW),
        forged({"alg": "HS256"}, {**CLAIMS, "aud": "login"}, NEW),
        forged({"alg": "HS256"}, {"aud": "checkout"}, NEW),
        forged({"alg": "HS256"}, {**CLAIMS, "exp": "never"}, NEW),
    ],
)
def test_whatever_we_did_not_sign_for_this_is_refused(token: str) -> None:
    with pytest.raises(InvalidSignatureError):
        read_token(token, [NEW], audience="checkout", now=0)


def test_without_a_secret_nothing_verifies() -> None:
    assert shared_secrets(" , ") == ()
    with pytest.raises(InvalidSignatureError):
        read_token(sign_token(CLAIMS, [b""]), [], audience="checkout", now=0)
    with pytest.raises(InvalidSignatureError):
        check_message(f"t=1,v1={sign_message(1, b'', b'')}", b"", [], now=1, tolerance=300)


def check(signature: str, body: bytes = b"{}", now: float = 1_000_000) -> None:
    check_message(signature, body, [NEW, OLD], now=now, tolerance=300)


@pytest.mark.parametrize("secret", [NEW, OLD])
@pytest.mark.parametrize("age", [-300, 0, 300])
def test_a_message_of_the_last_minutes_verifies(secret: bytes, age: int) -> None:
    at = 1_000_000 - age
    check(f"t={at},v1={sign_message(at, b'{}', secret)}")
    check(f"t={at}, v1={'0' * 64}, v1={sign_message(at, b'{}', secret)}, v0=else")


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "garbage",
        "t=1000000",
        f"v1={sign_message(1_000_000, b'{}', NEW)}",
        f"t=1000000,v1={sign_message(1_000_000, b'{}', b'another')}",
        f"t=1000000,v1={sign_message(1_000_000, b'{} ', NEW)}",
        f"t=1000001,v1={sign_message(1_000_000, b'{}', NEW)}",
        f"t=999699,v1={sign_message(999_699, b'{}', NEW)}",
        f"t=1000301,v1={sign_message(1_000_301, b'{}', NEW)}",
        f"t=1000000,t=1000000,v1={sign_message(1_000_000, b'{}', NEW)}",
        f"t=-1000000,v1={sign_message(1_000_000, b'{}', NEW)}",
        f"t=1000000,v1={sign_message(1_000_000, b'{}', NEW).upper()}",
        f"t=١,v1={sign_message(1, b'{}', NEW)}",
        "t=1000000,v1=é",
        f"t={'9' * 400},v1=00",
    ],
)
def test_any_other_message_does_not(signature: str) -> None:
    with pytest.raises(InvalidSignatureError):
        check(signature)
