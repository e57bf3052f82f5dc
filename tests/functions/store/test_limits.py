"""Limits at the store's edge: who is counted, for what, and what a refused client is told."""

import pytest
from shopping_agent import bootstrap
from shopping_agent.errors import ConfigurationError
from shopping_agent.http.entrance import source_network
from shopping_agent.settings import Settings

READ = ("GET", "/api/v1/cart")


def statuses(call, count: int, *request, **options) -> list[int]:
    return [call(*request, **options).status for _ in range(count)]


def test_a_session_passes_exactly_its_requests_and_is_then_told_which_limit_and_how_long(
    call, use
) -> None:
    use(RATE_LIMITS="session=3/min")
    call.sign_in()
    assert statuses(call, 3, *READ) == [200] * 3
    answer = call(*READ)
    assert (answer.status, answer.code) == (429, "session_limit")
    assert 50 <= int(answer.headers["Retry-After"]) <= 60
    call.sign_in()
    assert call(*READ).status == 200


def test_an_address_is_counted_over_all_its_sessions_and_public_routes(call, use) -> None:
    use(RATE_LIMITS="ip=3/min")
    where = {"ip": "198.51.100.7"}
    assert call("POST", "/api/v1/sessions", **where).status == 201
    assert call("GET", "/api/v1/products", **where).status == 200
    assert call(*READ, **where).status == 200
    for request in (READ, ("GET", "/api/v1/products"), ("POST", "/api/v1/sessions")):
        answer = call(*request, **where)
        assert (answer.status, answer.code) == (429, "ip_limit")
    assert call(*READ, ip="198.51.100.8").status == 200


def test_what_a_header_says_of_an_address_counts_for_nothing(call, use) -> None:
    use(RATE_LIMITS="ip=2/min")
    answers = [
        call(*READ, ip="198.51.100.9", headers={"x-forwarded-for": f"10.0.0.{n}"}).status
        for n in range(3)
    ]
    assert answers == [200, 200, 429]


def test_the_store_is_counted_over_everybody(call, use) -> None:
    use(RATE_LIMITS="store=4/min")
    assert [call(*READ, ip=f"203.0.113.{n}").status for n in range(5)] == [200] * 4 + [429]
    assert call(*READ, ip="203.0.113.99").code == "store_limit"


def test_pages_documents_and_health_are_never_refused(call, use) -> None:
    use(RATE_LIMITS="store=1/min")
    statuses(call, 2, *READ)
    for path in ("/", "/docs", "/openapi.json", "/api/v1/health", "/shop.js"):
        assert call("GET", path).status == 200


def test_a_refused_change_changes_nothing(call, use) -> None:
    use(RATE_LIMITS="session=1/min")
    call.sign_in()
    assert call("POST", "/api/v1/cart/items", {"productId": "rose"}).status == 200
    assert call("POST", "/api/v1/cart/items", {"productId": "rose"}).status == 429
    use(RATE_LIMITS="off")
    assert call(*READ).json["count"] == 1


def test_off_means_that_nothing_is_counted(call, use, settings) -> None:
    changed = use(RATE_LIMITS="off")
    call.sign_in()
    assert statuses(call, 30, *READ) == [200] * 30
    assert bootstrap.entrance(changed).limits == {}


def test_without_an_address_the_others_still_count(call, use) -> None:
    call.sign_in()
    use(RATE_LIMITS="ip=1/min,session=2/min")
    assert statuses(call, 3, *READ, ip="unknown") == [200, 200, 429]


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("", ""),
        ("not an address", ""),
        ("203.0.113.7:443", ""),
        (None, ""),
        (7, ""),
    ],
)
def test_one_subscriber_is_one_address(address, counted) -> None:
    assert source_network({"requestContext": {"http": {"sourceIp": address}}}) == counted


@pytest.mark.parametrize("event", [{}, {"requestContext": None}, {"requestContext": {"http": []}}])
def test_an_event_without_an_address_has_none(event) -> None:
    assert source_network(event) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (300, 3000, 12000, 500)),
        ("off", (None, None, None, None)),
        ("session=30/min, ip=off", (30, None, 12000, 500)),
        ("TURNS=5/day,", (300, 3000, 12000, 5)),
    ],
)
def test_the_setting_changes_what_it_names(text, expected) -> None:
    settings = Settings.from_mapping({"RATE_LIMITS": text, "SESSION_SECRET": "s"})
    limits = bootstrap.entrance(settings).limits
    names = ("session", "ip", "store", "turns")
    assert tuple(limits[n].count if n in limits else None for n in names) == expected


@pytest.mark.parametrize(
    "text",
    ["on", "session", "session=", "session=0/min", "session=3/week", "spend=1/day", "x=1/min"],
)
def test_a_setting_that_means_nothing_is_refused_at_the_start(text) -> None:
    with pytest.raises(ConfigurationError, match="RATE_LIMITS"):
        Settings.from_mapping({"RATE_LIMITS": text})
