"""The hand-off through the real store handler: a link of each kind, what it carries, and the webhook that closes the cart."""

import base64
import hashlib
import hmac
import json
import re
import time
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from shopping_agent import bootstrap
from shopping_agent.domain.catalog import LiveFacts, PriceTag
from shopping_agent.domain.deadline import Deadline
from shopping_agent.settings import Settings

SECRET = "shared-with-the-shop"
PAGE = "https://shop.example/pay"


@pytest.fixture
def numbered(settings: Settings) -> None:
    """Two products that a shop system knows by their numbers."""
    facts = [
        LiveFacts("101", "Sahra", PriceTag(69_000, "MAD")),
        LiveFacts("dahab", "Dahab", PriceTag(30_050, "MAD"), checkout_id="44123456789012"),
    ]
    bootstrap.live_catalog(settings).put(facts, Deadline.after(10))


@pytest.fixture
def shop(call, use):
    """The store with a signed checkout."""
    use(CHECKOUT_URL=PAGE, CHECKOUT_WEBHOOK_SECRET=SECRET)
    call.sign_in()
    return call


def add(call, product_id: str, quantity: int = 1) -> None:
    answer = call("POST", "/api/v1/cart/items", {"productId": product_id, "quantity": quantity})
    assert answer.status == 200, answer.body


def check_out(call, **options: Any):
    return call("POST", "/api/v1/cart/checkout", **options)


def token_of(url: str) -> str:
    return parse_qs(urlsplit(url).query)["handoff"][0]


def reference_of(url: str) -> str:
    body = token_of(url).split(".")[1]
    return json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))["reference"]


def signature(body: str, at: float | None = None, secret: str = SECRET) -> str:
    stamp = str(int(time.time() if at is None else at))
    mac = hmac.new(secret.encode(), f"{stamp}.{body}".encode(), hashlib.sha256)
    return f"t={stamp},v1={mac.hexdigest()}"


def tell(call, body: Any, signed: str | None = None, **headers: str):
    """The shop's webhook: no bearer, whoever's test client it is."""
    text = body if isinstance(body, str) else json.dumps(body)
    kept, call.token = call.token, ""
    sent = {"x-checkout-signature": signature(text) if signed is None else signed, **headers}
    try:
        return call("POST", "/api/v1/webhooks/checkout", text, headers=sent)
    finally:
        call.token = kept


def ordered(call, url: str, order_id: str | None = None, **more: Any):
    order = {"orderId": order_id or uuid4().hex, "reference": reference_of(url), **more}
    return tell(call, order)


# --- links -------------------------------------------------------------------------------------


def test_a_signed_link_leads_to_the_shops_page_and_its_token_can_be_read(shop) -> None:
    add(shop, "rose", 2)
    answer = check_out(shop)
    assert answer.status == 200
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", answer.json["expiresAt"])
    assert answer.headers["ETag"] == '"1"'
    assert answer.json["url"].startswith(f"{PAGE}?handoff=")
    kept, shop.token = shop.token, ""
    read = shop("GET", f"/api/v1/checkout/{token_of(answer.json['url'])}")
    shop.token = kept
    assert read.status == 200
    assert read.json["lines"] == [
        {
            "id": "rose",
            "productId": "rose",
            "name": "Rose Zahra",
            "quantity": 2,
            "unitPrice": 500,
            "lineTotal": 1000,
        }
    ]
    assert (read.json["total"], read.json["currency"], read.json["cartVersion"]) == (1000, "MAD", 1)
    assert read.json["expiresAt"] == answer.json["expiresAt"]
    assert shop("GET", "/api/v1/cart").json["version"] == 1


@pytest.mark.parametrize("kind", ["shopify", "woocommerce"])
def test_a_link_of_a_shop_system_carries_the_lines(call, use, numbered, kind) -> None:
    use(CHECKOUT_KIND=kind, CHECKOUT_URL="https://maison.example/")
    call.sign_in()
    add(call, "101")
    add(call, "dahab", 2)
    url = check_out(call).json["url"]
    if kind == "shopify":
        assert url.startswith("https://maison.example/cart/101:1,44123456789012:2?attributes")
    else:
        assert url.startswith(
            "https://maison.example/checkout-link/?products=101:1,44123456789012:2&"
        )


def test_a_cart_too_large_for_a_link_goes_by_its_reference(shop, settings) -> None:
    ids = [f"{i}-{'x' * 180}" for i in range(12)]
    facts = [LiveFacts(i, f"Perfume {i[:2]}", PriceTag(1000, "MAD")) for i in ids]
    bootstrap.live_catalog(settings).put(facts, Deadline.after(10))
    for product_id in ids:
        add(shop, product_id)
    url = check_out(shop).json["url"]
    assert len(url) <= 2000
    read = shop("GET", f"/api/v1/checkout/{token_of(url)}").json
    assert [line["id"] for line in read["lines"]] == ids
    assert read["total"] == 120


def test_without_a_checkout_there_is_no_link(call, use) -> None:
    use(CHECKOUT_URL="")
    call.sign_in()
    add(call, "rose")
    assert check_out(call).code == "checkout_off"


def test_links_are_never_signed_without_a_secret(call, use) -> None:
    use(CHECKOUT_URL=PAGE, CHECKOUT_WEBHOOK_SECRET="")
    answer = check_out(call)
    assert (answer.status, answer.code) == (500, "internal_error")


def test_an_empty_cart_is_refused_a_new_guests_too(shop) -> None:
    assert check_out(shop).code == "empty_cart"
    shop.token = ""
    answer = check_out(shop)
    assert (answer.status, answer.code) == (409, "empty_cart")


@pytest.mark.parametrize("change", [{"stock": 1}, {"price": PriceTag(900, "EUR")}])
def test_what_cannot_be_sold_any_more_is_refused_and_named(shop, settings, change) -> None:
    live, deadline = bootstrap.live_catalog(settings), Deadline.after(10)
    facts = LiveFacts("brief", "Sahra", PriceTag(69_000, "MAD"), stock=2)
    live.put([facts], deadline)
    add(shop, "brief", 2)
    live.put([replace(facts, **change)], deadline)
    answer = check_out(shop)
    assert (answer.status, answer.code) == (409, "lines_unavailable")
    assert "Sahra" in answer.json["detail"]
    live.remove(["brief"], deadline)
    assert check_out(shop).code == "lines_unavailable"


def test_a_product_without_a_number_is_refused_by_name(call, use) -> None:
    use(CHECKOUT_KIND="shopify", CHECKOUT_URL="https://maison.example")
    call.sign_in()
    add(call, "rose")
    answer = check_out(call)
    assert (answer.code, "Rose Zahra" in answer.json["detail"]) == ("checkout_unmapped", True)


def test_the_cart_that_was_seen_is_the_cart_that_goes(shop) -> None:
    add(shop, "rose")
    assert check_out(shop, headers={"if-match": '"0"'}).code == "version_conflict"
    assert check_out(shop, query={"version": "2"}).code == "version_conflict"
    assert check_out(shop, headers={"if-match": '"1"'}).status == 200
    assert check_out(shop, query={"version": "1"}).status == 200


def test_a_link_that_was_altered_says_nothing(shop) -> None:
    add(shop, "rose")
    token = token_of(check_out(shop).json["url"])
    head, body, mac = token.split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    later = base64.urlsafe_b64encode(json.dumps({**claims, "exp": 9**11}).encode()).decode()
    for other in (f"{head}.{later.rstrip('=')}.{mac}", token[:-2], "x", f"{head}.{body}."):
        answer = shop("GET", f"/api/v1/checkout/{other}")
        assert (answer.status, answer.code) == (404, "unknown_handoff")


def test_a_link_that_has_expired_says_nothing(shop, monkeypatch: pytest.MonkeyPatch) -> None:
    add(shop, "rose")
    token = token_of(check_out(shop).json["url"])
    checkout = bootstrap.checkout(bootstrap.settings())
    monkeypatch.setattr(checkout, "_clock", lambda: time.time() + 31 * 60)
    assert shop("GET", f"/api/v1/checkout/{token}").code == "unknown_handoff"


# --- the webhook -------------------------------------------------------------------------------


def test_an_order_closes_the_cart_and_tells_what_it_brought(shop, capsys) -> None:
    add(shop, "rose", 2)
    url = check_out(shop).json["url"]
    add(shop, "plain")
    capsys.readouterr()
    answer = ordered(shop, url, total=1030.5, currency="MAD")
    assert (answer.status, answer.body) == (204, "")
    metrics = [
        json.loads(line)
        for line in capsys.readouterr().out.splitlines()
        if '"_aws"' in line and "Assisted" in line
    ]
    revenue = next(m for m in metrics if "AssistedRevenue" in m)
    assert (revenue["AssistedRevenue"], revenue["currency"]) == ([1030.5], "MAD")
    assert revenue["_aws"]["CloudWatchMetrics"][0]["Namespace"] == "ShoppingAgent"
    cart = shop("GET", "/api/v1/cart").json
    assert [(x["productId"], x["quantity"]) for x in cart["items"]] == [("plain", 1)]
    assert cart["version"] == 3


def test_an_order_that_is_told_again_answers_the_same_and_changes_nothing(shop, capsys) -> None:
    add(shop, "rose")
    url = check_out(shop).json["url"]
    assert ordered(shop, url, "again").status == 204
    add(shop, "rose")
    capsys.readouterr()
    assert ordered(shop, url, "again").status == 204
    assert "AssistedRevenue" not in capsys.readouterr().out
    assert shop("GET", "/api/v1/cart").json["count"] == 1


def test_an_order_touches_the_cart_that_was_handed_over_and_no_other(shop) -> None:
    add(shop, "rose")
    url = check_out(shop).json["url"]
    mine = shop.token
    shop.sign_in()
    add(shop, "rose")
    # The bearer says nothing here: only the reference does.
    text = json.dumps({"orderId": uuid4().hex, "reference": reference_of(url)})
    sent = {"x-checkout-signature": signature(text)}
    assert shop("POST", "/api/v1/webhooks/checkout", text, headers=sent).status == 204
    assert shop("GET", "/api/v1/cart").json["count"] == 1
    shop.token = mine
    assert shop("GET", "/api/v1/cart").json["count"] == 0


GOOD = '{"orderId": "1", "reference": "r"}'


@pytest.mark.parametrize(
    "signed",
    [
        "",
        "garbage",
        "t=,v1=",
        signature(GOOD, secret="another"),
        signature(GOOD + " "),
        signature(GOOD, at=time.time() - 3600),
        signature(GOOD, at=time.time() + 3600),
        signature(GOOD).replace("v1=", "v2="),
        signature(GOOD).partition(",")[2],
        "t=1,v1=" + "0" * 64,
    ],
    ids=range(10),  # a signature's text holds the time, and workers must find the same tests
)
def test_a_webhook_that_is_not_signed_now_is_401(shop, signed: str) -> None:
    answer = tell(shop, GOOD, signed)
    assert (answer.status, answer.code) == (401, "unauthorized")


def test_the_tolerance_is_five_minutes(shop) -> None:
    assert tell(shop, GOOD, signature(GOOD, at=time.time() - 290)).code == "unknown_handoff"
    assert tell(shop, GOOD, signature(GOOD, at=time.time() - 310)).code == "unauthorized"


def test_a_body_in_base64_is_signed_as_it_was_sent(shop) -> None:
    add(shop, "rose")
    url = check_out(shop).json["url"]
    raw = json.dumps({"orderId": uuid4().hex, "reference": reference_of(url)}, indent=2)
    event = {
        "rawPath": "/api/v1/webhooks/checkout",
        "headers": {"X-Checkout-Signature": signature(raw)},
        "requestContext": {"http": {"method": "POST", "path": "/api/v1/webhooks/checkout"}},
        "body": base64.b64encode(raw.encode()).decode(),
        "isBase64Encoded": True,
    }
    from functions.store import app as store

    assert store.lambda_handler(event, None)["statusCode"] == 204


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("", 400, "malformed_request"),
        ("not json", 400, "malformed_request"),
        ("[]", 400, "malformed_request"),
        ("null", 400, "malformed_request"),
        ("{}", 422, "invalid_field"),
        ({"orderId": "1"}, 422, "invalid_field"),
        ({"orderId": "", "reference": "r"}, 422, "invalid_field"),
        ({"orderId": 7, "reference": "r"}, 422, "invalid_field"),
        ({"orderId": "1", "reference": "r" * 101}, 422, "invalid_field"),
        ({"orderId": "1", "reference": "r", "total": -1}, 422, "invalid_field"),
        ({"orderId": "1", "reference": "r", "total": "many"}, 422, "invalid_field"),
        ({"orderId": "1", "reference": "r", "currency": "dirham"}, 422, "invalid_field"),
        ({"orderId": "1", "reference": "nobody's"}, 404, "unknown_handoff"),
        ({"orderId": "1", "reference": "*\n:live"}, 404, "unknown_handoff"),
        ("x" * 70_000, 413, "payload_too_large"),
    ],
)
def test_garbage_that_is_well_signed_is_refused_in_words(shop, body, status, code) -> None:
    answer = tell(shop, body)
    assert (answer.status, answer.code) == (status, code)


def test_without_a_secret_no_webhook_verifies(call, use) -> None:
    use(CHECKOUT_KIND="shopify", CHECKOUT_URL="https://m.example", CHECKOUT_WEBHOOK_SECRET="")
    assert tell(call, GOOD, signature(GOOD, secret="")).code == "unauthorized"


def test_two_secrets_verify_while_one_replaces_the_other(call, use) -> None:
    use(CHECKOUT_URL=PAGE, CHECKOUT_WEBHOOK_SECRET="new-one, old-one")
    for secret in ("new-one", "old-one"):
        assert tell(call, GOOD, signature(GOOD, secret=secret)).code == "unknown_handoff"
    assert tell(call, GOOD, signature(GOOD, secret="new-one, old-one")).code == "unauthorized"


# --- versions ----------------------------------------------------------------------------------


def test_every_reply_with_a_cart_says_its_version_and_every_change_may_ask_for_one(call) -> None:
    call.sign_in()
    assert call("GET", "/api/v1/cart").headers["ETag"] == '"0"'
    changes = (
        ("POST", "/api/v1/cart/items", {"productId": "rose"}),
        ("PATCH", "/api/v1/cart/items/rose", {"quantity": 2}),
        ("POST", "/api/v1/cart/undo", None),
        ("DELETE", "/api/v1/cart/items/rose", None),
        ("POST", "/api/v1/cart/items", {"productId": "plain"}),
        ("DELETE", "/api/v1/cart", None),
    )
    for version, (method, path, body) in enumerate(changes):
        stale = call(method, path, body, headers={"if-match": f'"{version + 1}"'})
        assert (stale.status, stale.code) == (409, "version_conflict"), path
        for tag in ('"abc"', "1, 2", '"-1"', "W/x"):
            wrong = call(method, path, body, headers={"if-match": tag})
            assert (wrong.status, wrong.json["field"]) == (422, "If-Match")
        weak = "W/" if version % 2 else ""
        done = call(method, path, body, headers={"If-Match": f'{weak}"{version}"'})
        assert done.headers["ETag"] == f'"{version + 1}"', path
        assert done.json["version"] == version + 1
    assert call("DELETE", "/api/v1/cart", headers={"if-match": "*"}).status == 200


def test_a_version_in_the_body_and_another_in_the_header_are_refused(call) -> None:
    call.sign_in()
    body = {"productId": "rose", "version": 0}
    answer = call("POST", "/api/v1/cart/items", body, headers={"if-match": '"1"'})
    assert (answer.status, answer.json["field"]) == (422, "If-Match")
    assert call("POST", "/api/v1/cart/undo", query={"version": "5"}).code == "version_conflict"
