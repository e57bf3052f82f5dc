import base64

import pytest
from shopping_agent.application.sessions import LIFETIME_SECONDS, GuestSessions
from shopping_agent.errors import ConfigurationError, UnauthorizedError

NOW = 1_800_000_000.0


def sessions(secret: str = "k1:first-secret", now: float = NOW) -> GuestSessions:
    return GuestSessions(secret=secret, clock=lambda: now)


def test_a_minted_token_verifies_as_its_guest() -> None:
    session = sessions().mint()
    assert sessions().verify(session.token) == session.shopper
    assert session.shopper.id == session.shopper.session_id
    assert session.shopper.id.startswith("g_")
    assert session.shopper.kind == "guest"
    assert session.expires_at == NOW + LIFETIME_SECONDS


def test_a_guests_id_has_128_random_bits() -> None:
    ids = {sessions().mint().shopper.id for _ in range(100)}
    assert len(ids) == 100
    assert all(len(base64.urlsafe_b64decode(i.removeprefix("g_") + "==")) == 16 for i in ids)


def test_a_token_expires() -> None:
    token = sessions().mint().token
    sessions(now=NOW + LIFETIME_SECONDS - 1).verify(token)
    with pytest.raises(UnauthorizedError) as expired:
        sessions(now=NOW + LIFETIME_SECONDS).verify(token)
    assert expired.value.code == "session_expired"


def test_every_altered_character_is_noticed() -> None:
    token = sessions().mint().token
    for i, character in enumerate(token):
        altered = token[:i] + ("A" if character != "A" else "B") + token[i + 1 :]
        with pytest.raises(UnauthorizedError):
            sessions().verify(altered)


@pytest.mark.parametrize(
    "token", ["", ".", "....", "g1.k1.x.y", "é", "g1.k1." + "A" * 600, "null", "g1..AAAA."]
)
def test_what_is_no_token_is_unauthorized(token: str) -> None:
    with pytest.raises(UnauthorizedError):
        sessions().verify(token)


def test_another_secret_signs_nothing_for_us() -> None:
    with pytest.raises(UnauthorizedError):
        sessions("k1:other-secret").verify(sessions().mint().token)


def test_after_a_rotation_old_tokens_verify_and_new_ones_carry_the_new_key() -> None:
    old = sessions("k1:first-secret").mint().token
    rotated = sessions("k2:second-secret, k1:first-secret")
    rotated.verify(old)
    new = rotated.mint().token
    sessions("k2:second-secret").verify(new)
    with pytest.raises(UnauthorizedError):
        sessions("k2:second-secret").verify(old)


def test_a_single_secret_needs_no_key_id() -> None:
    sessions("0:plain-secret").verify(sessions("plain-secret").mint().token)


@pytest.mark.parametrize("secret", ["", "k1:", ":x", "a,b", "k1:x,k1:y", "k.1:x", ","])
def test_a_secret_that_cannot_sign_is_a_configuration_error_that_does_not_show_it(secret) -> None:
    with pytest.raises(ConfigurationError) as wrong:
        sessions(secret)
    assert "SESSION_SECRET" in str(wrong.value)
