import pytest
from shopping_agent.application.sessions import GuestSessions
from shopping_agent.errors import UnauthorizedError
from shopping_agent.http.identity import SESSION_HEADER, identify, identify_or_mint

SESSIONS = GuestSessions(secret="test-secret")


def test_a_bearer_is_its_guest_and_no_token_is_sent_back() -> None:
    session = SESSIONS.mint()
    for scheme in ("Bearer", "bearer", "BEARER "):
        who = identify_or_mint({"authorization": f"{scheme} {session.token}"}, SESSIONS)
        assert (who.shopper, who.minted) == (session.shopper, None)
        assert (who.signed({"a": 1}), who.headers()) == ({"a": 1}, {})


def test_without_a_bearer_a_guest_is_minted_and_its_token_sent_back() -> None:
    for headers in ({}, {"authorization": ""}, {"authorization": None}):
        who = identify_or_mint(headers, SESSIONS)
        token = who.signed({})["sessionToken"]
        assert SESSIONS.verify(token) == who.shopper
        assert who.headers() == {SESSION_HEADER: token}


@pytest.mark.parametrize("value", ["Bearer", "Bearer  ", "Basic dTpw", "Bearer x.y.z", "Bearer é"])
def test_a_wrong_bearer_is_never_silently_somebody_else(value) -> None:
    with pytest.raises(UnauthorizedError):
        identify_or_mint({"authorization": value}, SESSIONS)


def test_where_a_bearer_is_required_its_absence_is_401() -> None:
    with pytest.raises(UnauthorizedError):
        identify({}, SESSIONS)
    session = SESSIONS.mint()
    assert identify({"authorization": f"Bearer {session.token}"}, SESSIONS).minted is None
