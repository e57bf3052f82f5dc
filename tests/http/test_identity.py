import pytest
from shopping_agent.application.identities import Identities
from shopping_agent.application.sessions import GuestSessions
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import UnauthorizedError
from shopping_agent.http.identity import SESSION_HEADER, identify, identify_or_mint

GUESTS = GuestSessions(secret="test-secret")
USER = Shopper("u_1", "u_1", "user")
JWT = "eyJhbGciOiJSUzI1NiJ9.e30.c2ln"
DEADLINE = Deadline.after(600)


class OneUser:
    def verify(self, token: str, deadline: Deadline) -> Shopper:
        if token != JWT:
            raise UnauthorizedError("no")
        return USER


def no_verifier() -> OneUser:
    raise AssertionError("no user came")


WITHOUT_USERS = Identities(guests=GUESTS)
WITH_USERS = Identities(guests=GUESTS, users=OneUser)


@pytest.mark.parametrize("identities", [WITHOUT_USERS, WITH_USERS])
def test_a_bearer_is_its_guest_and_no_token_is_sent_back(identities) -> None:
    session = GUESTS.mint()
    for scheme in ("Bearer", "bearer", "BEARER "):
        headers = {"authorization": f"{scheme} {session.token}"}
        who = identify_or_mint(headers, identities, DEADLINE)
        assert (who.shopper, who.minted) == (session.shopper, None)
        assert (who.signed({"a": 1}), who.headers()) == ({"a": 1}, {})


def test_without_a_bearer_a_guest_is_minted_and_its_token_sent_back() -> None:
    for headers in ({}, {"authorization": ""}, {"authorization": None}):
        who = identify_or_mint(headers, WITHOUT_USERS, DEADLINE)
        token = who.signed({})["sessionToken"]
        assert GUESTS.verify(token) == who.shopper
        assert who.headers() == {SESSION_HEADER: token}


@pytest.mark.parametrize("identities", [WITHOUT_USERS, WITH_USERS])
@pytest.mark.parametrize(
    "value", ["Bearer", "Bearer  ", "Basic dTpw", "Bearer x.y.z", "Bearer é", "Bearer eyJ.e30."]
)
def test_a_wrong_bearer_is_never_silently_somebody_else(value, identities) -> None:
    with pytest.raises(UnauthorizedError):
        identify_or_mint({"authorization": value}, identities, DEADLINE)


def test_where_a_bearer_is_required_its_absence_is_401() -> None:
    with pytest.raises(UnauthorizedError):
        identify({}, WITHOUT_USERS, DEADLINE)
    session = GUESTS.mint()
    headers = {"authorization": f"Bearer {session.token}"}
    assert identify(headers, WITHOUT_USERS, DEADLINE).minted is None


def test_a_users_token_is_verified_where_the_shop_has_users_and_nowhere_else() -> None:
    headers = {"authorization": f"Bearer {JWT}"}
    assert identify(headers, WITH_USERS, DEADLINE).shopper == USER
    with pytest.raises(UnauthorizedError):
        identify(headers, WITHOUT_USERS, DEADLINE)


def test_guests_and_nonsense_never_load_the_verifier_of_users() -> None:
    identities = Identities(guests=GUESTS, users=no_verifier)
    identify({"authorization": f"Bearer {GUESTS.mint().token}"}, identities, DEADLINE)
    for nonsense in ("x.y.z", "g1.a.b.c", "eyJ", "ey.a.b.c"):
        with pytest.raises(UnauthorizedError):
            identify({"authorization": f"Bearer {nonsense}"}, identities, DEADLINE)


def test_a_guests_and_a_users_keys_can_never_be_one() -> None:
    assert GUESTS.mint().shopper.id.startswith("g_")
    assert USER.id.startswith("u_")
