"""Users' tokens against the attacks of RFC 8725 and a provider that rotates its keys, fails and lies."""

import base64
import hmac
import json
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm
from shopping_agent.adapters.jwt import (
    KEEP_SECONDS,
    MAX_TOKEN_CHARACTERS,
    REFETCH_SECONDS,
    RETRY_SECONDS,
    STALE_SECONDS,
    JwtVerifier,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import IdentityUnavailableError, UnauthorizedError

ISSUER = "https://login.example/"
AUDIENCE = "shop"
KEYS_URL = "https://login.example/keys"

RSA_KEY = rsa.generate_private_key(65537, 2048)
WEAK_KEY = rsa.generate_private_key(65537, 1024)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
OTHER_CURVE = ec.generate_private_key(ec.SECP384R1())
STRANGER = rsa.generate_private_key(65537, 2048)


def jwk(key: Any, **members: Any) -> dict[str, Any]:
    algorithm: Any = RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else ECAlgorithm
    return {**algorithm.to_jwk(key.public_key(), as_dict=True), **members}


KEYS = [
    jwk(RSA_KEY, kid="rsa", use="sig", alg="RS256"),
    jwk(EC_KEY, kid="ec"),
    jwk(WEAK_KEY, kid="weak"),
    jwk(OTHER_CURVE, kid="p384"),
    jwk(STRANGER, kid="for-encryption", use="enc"),
    jwk(STRANGER, kid="another-algorithm", alg="PS256"),
    {"kty": "oct", "kid": "shared", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ"},
    {"kty": "RSA", "kid": "broken", "n": "!", "e": "AQAB"},
    {"kid": "no-type"},
    "not a key",
]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Provider:
    """An identity provider: what it serves, how often it was asked, and at which addresses."""

    def __init__(self) -> None:
        self.keys: list[Any] = list(KEYS)
        self.answer: Callable[[], httpx.Response] = lambda: httpx.Response(
            200, json={"keys": self.keys}
        )
        self.asked: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(str(request.url))
        return self.answer()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def provider() -> Provider:
    return Provider()


@pytest.fixture
def verifier(provider: Provider, clock: Clock) -> JwtVerifier:
    return JwtVerifier(
        issuer=ISSUER,
        audience=AUDIENCE,
        keys_url=KEYS_URL,
        transport=httpx.MockTransport(provider),
        clock=clock,
    )


def claims(**changed: Any) -> dict[str, Any]:
    now = int(time.time())
    whole = {"iss": ISSUER, "aud": AUDIENCE, "sub": "user-1", "iat": now, "exp": now + 86_400}
    return {name: value for name, value in (whole | changed).items() if value is not ...}


def token(
    key: Any = RSA_KEY,
    algorithm: str = "RS256",
    *,
    headers: dict[str, Any] | None = None,
    **changed: Any,
) -> str:
    return jwt.encode(claims(**changed), key, algorithm, headers={"kid": "rsa", **(headers or {})})


def part(value: Any) -> str:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def unsigned(header: Any, payload: Any | None = None, signature: str = "") -> str:
    return f"{part(header)}.{part(payload or claims())}.{signature}"


def hmac_signed(secret: bytes, **header: Any) -> str:
    signed = f"{part({'alg': 'HS256', 'typ': 'JWT', **header})}.{part(claims())}"
    return f"{signed}.{part(hmac.digest(secret, signed.encode(), 'sha256'))}"


def signed(header: dict[str, Any], payload: Any = None, key: Any = RSA_KEY) -> str:
    """A good RSA signature, whatever the header and the payload say."""
    text = f"{part({'typ': 'JWT', 'kid': 'rsa', 'alg': 'RS256', **header})}.{part(payload or claims())}"
    return f"{text}.{part(RSAAlgorithm(RSAAlgorithm.SHA256).sign(text.encode(), key))}"


def verify(verifier: JwtVerifier, text: str):
    return verifier.verify(text, Deadline.after(5))


PEM = RSA_KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
DER = RSA_KEY.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
GOOD = token()
NOW = int(time.time())

ATTACKS: dict[str, str] = {
    "none-alg": unsigned({"alg": "none", "typ": "JWT"}),
    "none-alg, other case": unsigned({"alg": "nOnE", "typ": "JWT", "kid": "rsa"}),
    "none-alg, signature of a good token": unsigned(
        {"alg": "none", "kid": "rsa"}, signature=GOOD.rpartition(".")[2]
    ),
    "no alg": unsigned({"typ": "JWT", "kid": "rsa"}),
    "alg is a list": unsigned({"alg": ["RS256"], "kid": "rsa"}),
    "alg is null": unsigned({"alg": None, "kid": "rsa"}),
    "HS256 with the public key as PEM": hmac_signed(PEM, kid="rsa"),
    "HS256 with the public key as DER": hmac_signed(DER, kid="rsa"),
    "HS256 with the public key's JWK": hmac_signed(json.dumps(KEYS[0]).encode(), kid="rsa"),
    "HS256 with a shared key of the set": hmac_signed(
        b"secret-secret-secret-secret-1234", kid="shared"
    ),
    "HS256 with an empty key": hmac_signed(b"", kid="rsa"),
    "RS384": token(algorithm="RS384"),
    "PS256": token(algorithm="PS256"),
    "PS256 with a key for it": token(STRANGER, "PS256", headers={"kid": "another-algorithm"}),
    "ES384": token(OTHER_CURVE, "ES384", headers={"kid": "p384"}),
    "EC key id with an RSA signature": token(headers={"kid": "ec"}),
    "RSA key id with an EC signature": token(EC_KEY, "ES256"),
    "ES256 claimed of an RSA signature": signed({"alg": "ES256"}),
    "ES256 claimed of an RSA signature, EC key id": signed({"alg": "ES256", "kid": "ec"}),
    "an empty ES256 signature": unsigned({"alg": "ES256", "kid": "ec"}),
    "an ES256 signature of zeros": unsigned(
        {"alg": "ES256", "kid": "ec"}, signature=part(bytes(64))
    ),
    "a weak key": signed({"kid": "weak"}, key=WEAK_KEY),
    "a key for encryption": token(STRANGER, headers={"kid": "for-encryption"}),
    "a stranger's key under a known id": token(STRANGER),
    "unknown kid": token(STRANGER, headers={"kid": "nobody"}),
    "kid: a path": token(STRANGER, headers={"kid": "../../../../dev/null"}),
    "kid: an address": token(STRANGER, headers={"kid": "https://evil.example/key"}),
    "kid: SQL": token(STRANGER, headers={"kid": "x' UNION SELECT 'key"}),
    "kid: empty": token(STRANGER, headers={"kid": ""}),
    "kid: long": token(STRANGER, headers={"kid": "k" * 300}),
    "kid: a number": signed({"kid": 0}),
    "kid: null": signed({"kid": None}),
    "a key of its own: jwk": token(STRANGER, headers={"jwk": jwk(STRANGER)}),
    "a key of its own: jku": token(STRANGER, headers={"jku": "https://evil.example/keys"}),
    "a key of its own: x5u": token(STRANGER, headers={"x5u": "https://evil.example/cert"}),
    "a key of its own: x5c": token(STRANGER, headers={"x5c": ["MIIB"]}),
    "crit": signed({"crit": ["exp"], "exp": 1}),
    "crit b64": signed({"b64": False, "crit": ["b64"]}),
    "expired": token(exp=NOW - 60),
    "expired in a negative time": token(exp=-1),
    "no exp": token(exp=...),
    "exp is text": signed({}, claims(exp="tomorrow")),
    "exp is infinite": unsigned({"alg": "RS256", "kid": "rsa"}, signature=GOOD.rpartition(".")[2]),
    "not yet valid": token(nbf=NOW + 86_400),
    "issued in the future": token(iat=NOW + 86_400),
    "wrong aud": token(aud="another-shop"),
    "wrong aud in a list": token(aud=["another-shop", "shopping"]),
    "aud almost": token(aud="Shop"),
    "aud is an object": token(aud={"shop": True}),
    "no aud": token(aud=...),
    "wrong iss": token(iss="https://login.example"),
    "iss that begins alike": token(iss="https://login.example/evil"),
    "no iss": token(iss=...),
    "iss is a list": signed({}, claims(iss=[ISSUER])),
    "no sub": token(sub=...),
    "sub is a number": signed({}, claims(sub=7)),
    "sub is null": signed({}, claims(sub=None)),
    "sub: empty": token(sub=""),
    "sub: long": token(sub="s" * 256),
    "wrong typ": signed({"typ": "logout+jwt"}),
    "typ of an event": signed({"typ": "secevent+jwt"}),
    "typ is a number": signed({"typ": 1}),
    "giant token": token(pad="x" * MAX_TOKEN_CHARACTERS),
    "giant rubbish": "eyJ" + "A" * 5_000_000 + ".e30.x",
    "deep header": f"{part(b'[' * 4000)}.e30.x",
    "header is a list": unsigned([]),
    "payload is a list": signed({}, [1]),
    "altered payload": ".".join(
        [GOOD.split(".")[0], part(claims(sub="admin")), GOOD.split(".")[2]]
    ),
    "signature cut": GOOD[:-8],
    "no signature": GOOD.rpartition(".")[0] + ".",
    "two parts": GOOD.rpartition(".")[0],
    "four parts": GOOD + ".x",
    "other base64": GOOD.replace("-", "+").replace("_", "/") + "=",
    "not ASCII": GOOD + "é",
    "empty": "",
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_unauthorized(verifier: JwtVerifier, provider: Provider, name: str) -> None:
    with pytest.raises(UnauthorizedError) as refused:
        verify(verifier, ATTACKS[name])
    assert refused.value.status == 401
    assert set(provider.asked) <= {KEYS_URL}


@pytest.mark.parametrize(
    "good",
    [
        token(),
        token(EC_KEY, "ES256", headers={"kid": "ec"}),
        token(aud=["another", AUDIENCE]),
        token(headers={"typ": "at+jwt"}),
        token(headers={"typ": "JWT"}),
        signed({}),
        token(sub="auth0|né 'x' <y>"),
    ],
)
def test_a_token_of_the_provider_is_a_user(verifier: JwtVerifier, good: str) -> None:
    assert verify(verifier, good).kind == "user"


def test_clocks_may_differ_by_a_few_seconds(verifier: JwtVerifier) -> None:
    now = int(time.time())
    for good in (token(exp=now - 5), token(nbf=now + 5, iat=now + 5)):
        assert verify(verifier, good).kind == "user"


def test_a_user_is_the_same_with_every_token_and_nobody_else(verifier: JwtVerifier) -> None:
    user = verify(verifier, token())
    assert verify(verifier, token(EC_KEY, "ES256", headers={"kid": "ec"}, jti="2")) == user
    assert verify(verifier, token(sub="user-2")).id != user.id
    assert user.id == user.session_id
    assert user.id.startswith("u_")


def test_a_users_id_tells_nothing_of_the_subject_and_fits_any_key(verifier: JwtVerifier) -> None:
    user = verify(verifier, token(sub="sara@example.com:*\n{x}"))
    assert "sara" not in user.id
    assert user.id.replace("_", "").replace("-", "").isalnum()


def test_two_issuers_users_of_one_name_are_two(provider: Provider) -> None:
    other = "https://other.example/"
    second = JwtVerifier(
        issuer=other, audience=AUDIENCE, keys_url=KEYS_URL, transport=httpx.MockTransport(provider)
    )
    first = JwtVerifier(
        issuer=ISSUER, audience=AUDIENCE, keys_url=KEYS_URL, transport=httpx.MockTransport(provider)
    )
    assert verify(first, token()).id != verify(second, token(iss=other)).id


def test_an_expired_token_says_so(verifier: JwtVerifier) -> None:
    with pytest.raises(UnauthorizedError) as expired:
        verify(verifier, token(exp=NOW - 60))
    assert expired.value.code == "session_expired"


def test_a_token_without_key_id_is_good_where_one_key_alone_can_have_signed_it(
    verifier: JwtVerifier, provider: Provider
) -> None:
    bare = jwt.encode(claims(), RSA_KEY, "RS256")
    verify(verifier, bare)
    provider.keys.append(jwk(STRANGER, kid="second"))
    fresh = JwtVerifier(
        issuer=ISSUER, audience=AUDIENCE, keys_url=KEYS_URL, transport=httpx.MockTransport(provider)
    )
    with pytest.raises(UnauthorizedError):
        verify(fresh, bare)


# --- the provider's keys -----------------------------------------------------------------------


def test_keys_are_fetched_once_and_again_after_their_time(
    verifier: JwtVerifier, provider: Provider, clock: Clock
) -> None:
    for _ in range(3):
        verify(verifier, token())
    assert provider.asked == [KEYS_URL]
    clock.now += KEEP_SECONDS + 1
    verify(verifier, token())
    assert len(provider.asked) == 2


def test_a_new_key_is_found_and_unknown_ids_ask_once_in_a_while_only(
    verifier: JwtVerifier, provider: Provider, clock: Clock
) -> None:
    verify(verifier, token())
    rotated = token(STRANGER, headers={"kid": "new"})
    provider.keys.append(jwk(STRANGER, kid="new"))
    for n in range(20):
        with pytest.raises(UnauthorizedError):
            verify(verifier, token(STRANGER, headers={"kid": f"made-up-{n}"}))
    assert len(provider.asked) == 1
    clock.now += REFETCH_SECONDS
    verify(verifier, rotated)
    assert len(provider.asked) == 2


def test_a_key_that_was_withdrawn_no_longer_verifies(
    verifier: JwtVerifier, provider: Provider, clock: Clock
) -> None:
    verify(verifier, token())
    provider.keys = [jwk(EC_KEY, kid="ec")]
    clock.now += KEEP_SECONDS + 1
    with pytest.raises(UnauthorizedError):
        verify(verifier, token())


def timeout() -> httpx.Response:
    raise httpx.ReadTimeout("slow")


BROKEN: dict[str, Callable[[], httpx.Response]] = {
    "down": timeout,
    "500": lambda: httpx.Response(500, json={"keys": KEYS}),
    "moved": lambda: httpx.Response(302, headers={"location": "https://evil.example/keys"}),
    "no JSON": lambda: httpx.Response(200, text="<html>"),
    "a list": lambda: httpx.Response(200, json=KEYS),
    "no keys": lambda: httpx.Response(200, json={"kid": "rsa"}),
    "keys is text": lambda: httpx.Response(200, json={"keys": "rsa"}),
    "deep": lambda: httpx.Response(200, text="[" * 100_000),
}


@pytest.mark.parametrize("name", BROKEN)
def test_without_keys_it_is_an_outage_that_is_not_asked_about_at_every_request(
    verifier: JwtVerifier, provider: Provider, clock: Clock, name: str
) -> None:
    provider.answer = BROKEN[name]
    for _ in range(3):
        with pytest.raises(IdentityUnavailableError):
            verify(verifier, token())
    assert len(provider.asked) == 1
    provider.answer = lambda: httpx.Response(200, json={"keys": KEYS})
    clock.now += RETRY_SECONDS
    verify(verifier, token())


@pytest.mark.parametrize("name", BROKEN)
def test_while_the_provider_fails_known_keys_hold_for_a_day(
    verifier: JwtVerifier, provider: Provider, clock: Clock, name: str
) -> None:
    verify(verifier, token())
    provider.answer = BROKEN[name]
    clock.now += STALE_SECONDS - 1
    verify(verifier, token())
    clock.now += 2
    with pytest.raises(IdentityUnavailableError):
        verify(verifier, token())


def test_a_key_set_without_a_usable_key_lets_nobody_in(
    verifier: JwtVerifier, provider: Provider
) -> None:
    provider.keys = KEYS[2:]
    with pytest.raises(UnauthorizedError):
        verify(verifier, token())


def test_what_a_private_key_set_would_tell_is_not_kept(
    verifier: JwtVerifier, provider: Provider
) -> None:
    provider.keys = [RSAAlgorithm.to_jwk(RSA_KEY, as_dict=True) | {"kid": "rsa"}]
    verify(verifier, token())
    assert not hasattr(verifier._keys.find("RS256", "rsa", Deadline.after(1)), "private_numbers")


def test_the_digest_of_a_user_is_stable_across_releases(verifier: JwtVerifier) -> None:
    raw = sha256(f"{ISSUER}\nuser-1".encode()).digest()[:24]
    assert verify(verifier, token()).id == f"u_{base64.urlsafe_b64encode(raw).decode()}"
