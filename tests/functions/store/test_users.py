"""The shop's own users at the store's edge: their tokens, and the guest's cart that they take over."""

import json
import time
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from shopping_agent.errors import ConfigurationError
from shopping_agent.settings import Settings

KEY = ec.generate_private_key(ec.SECP256R1())


class Keys(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = json.dumps(
            {"keys": [{**ECAlgorithm.to_jwk(KEY.public_key(), as_dict=True), "kid": "1"}]}
        )
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (the base class names it)
        pass


@pytest.fixture(scope="module")
def provider() -> Generator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Keys) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/keys"
        server.shutdown()
        thread.join()


@pytest.fixture
def token(provider: str, use) -> Callable[..., str]:
    """Makes a user's token."""
    use(JWT_ISSUER="https://login.example/", JWT_AUDIENCE="shop", JWT_JWKS_URL=provider)

    def make(subject: str = "sara", **changed: Any) -> str:
        claims = {"iss": "https://login.example/", "aud": "shop", "sub": subject}
        claims |= {"exp": int(time.time()) + 600, **changed}
        return jwt.encode(claims, KEY, "ES256", headers={"kid": "1"})

    return make


def guest_with(call, *products: tuple[str, int]) -> str:
    """A guest's token, whose cart holds some products."""
    call.sign_in()
    for product_id, quantity in products:
        call("POST", "/api/v1/cart/items", {"productId": product_id, "quantity": quantity})
    return call.token


def merge(call, guest: str, **options: Any):
    return call("POST", "/api/v1/cart/merge", {"guestToken": guest}, **options)


def count(call, token: str) -> int:
    call.token = token
    return call("GET", "/api/v1/cart").json["count"]


def test_a_users_cart_is_the_same_with_every_token_of_theirs_and_no_other(call, token) -> None:
    subject = f"user {time.time_ns()}"
    call.token = token(subject)
    assert call("POST", "/api/v1/cart/items", {"productId": "rose"}).status == 200
    assert count(call, token(subject, jti="2")) == 1
    assert count(call, token(subject + "x")) == 0


def test_a_wrong_token_is_401(call, token) -> None:
    for wrong in (token(aud="other"), token(exp=1), token()[:-6] + "AAAAAA"):
        call.token = wrong
        assert call("GET", "/api/v1/cart").status == 401


def test_without_the_settings_a_users_token_is_401(call, token, use) -> None:
    call.token = token()
    use()
    assert call("GET", "/api/v1/cart").status == 401


def test_when_the_providers_keys_cannot_be_had_it_is_503_and_guests_go_on(call, token, use) -> None:
    use(JWT_ISSUER="https://i/", JWT_AUDIENCE="shop", JWT_JWKS_URL="http://127.0.0.1:9/keys")
    call.token = token()
    answer = call("GET", "/api/v1/cart")
    assert (answer.status, answer.code) == (503, "identity_unavailable")
    call.sign_in()
    assert call("GET", "/api/v1/cart").status == 200


def test_signing_in_takes_the_guests_cart_over_once(call, token) -> None:
    guest = guest_with(call, ("rose", 2), ("plain", 1))
    user = token(f"user {time.time_ns()}")
    call.token = user
    call("POST", "/api/v1/cart/items", {"productId": "plain"})
    for _ in range(2):
        cart = merge(call, guest)
        assert (cart.status, cart.json["count"], cart.json["total"]) == (200, 4, 1201)
    assert count(call, guest) == 0
    assert count(call, user) == 4


def test_a_merge_under_one_key_is_answered_alike(call, token) -> None:
    guest = guest_with(call, ("rose", 1))
    call.token = token(f"user {time.time_ns()}")
    first = merge(call, guest, headers={"idempotency-key": "m"})
    second = merge(call, guest, headers={"idempotency-key": "m"})
    assert second.json == first.json
    assert second.headers["Idempotency-Replayed"] == "true"


def test_only_a_user_takes_a_guests_cart_over(call, token) -> None:
    guest = guest_with(call, ("rose", 1))
    call.sign_in()
    answer = merge(call, guest)
    assert (answer.status, answer.code) == (403, "forbidden")
    call.token = ""
    assert merge(call, guest).status == 401
    assert count(call, guest) == 1


@pytest.mark.parametrize("wrong", ["nonsense", "g1.test.AAAA.AAAA", "", 7, None])
def test_what_is_no_guests_token_is_422_and_named(call, token, wrong) -> None:
    call.token = token()
    answer = call("POST", "/api/v1/cart/merge", {"guestToken": wrong})
    assert (answer.status, answer.json["field"]) == (422, "guestToken")


def test_another_users_token_is_no_guests_token(call, token) -> None:
    call.token = token("victim")
    call("POST", "/api/v1/cart/items", {"productId": "plain"})
    call.token = token("thief")
    assert merge(call, token("victim")).status == 422


@pytest.mark.parametrize(
    "variables",
    [
        {"JWT_ISSUER": "https://i/"},
        {"JWT_ISSUER": "https://i/", "JWT_AUDIENCE": "a"},
        {"JWT_AUDIENCE": "a", "JWT_JWKS_URL": "https://i/keys"},
    ],
)
def test_users_are_set_up_whole_or_not_at_all(variables) -> None:
    with pytest.raises(ConfigurationError, match="belong together"):
        Settings.from_mapping(variables)


@pytest.mark.parametrize(
    "url", ["http://login.example/keys", "ftp://x/", "http://localhost.evil.example/", "https://"]
)
def test_keys_come_over_an_encrypted_connection_only(url) -> None:
    with pytest.raises(ConfigurationError, match="JWT_JWKS_URL"):
        Settings.from_mapping({"JWT_ISSUER": "i", "JWT_AUDIENCE": "a", "JWT_JWKS_URL": url})
