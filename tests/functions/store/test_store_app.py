import base64
import gzip
from dataclasses import replace

import pytest
from shopping_agent import bootstrap
from shopping_agent.domain.catalog import PriceTag
from shopping_agent.domain.deadline import Deadline


def test_a_session_is_minted_by_the_server(call) -> None:
    answer = call("POST", "/api/v1/sessions")
    assert answer.status == 201
    assert answer.json["sessionId"].startswith("g_")
    assert answer.json["expiresAt"].endswith("Z")
    assert answer.headers["Cache-Control"] == "no-store"
    call.token = answer.json["token"]
    assert "sessionToken" not in call("GET", "/api/v1/cart").json


def test_a_cart_without_a_bearer_brings_a_token_that_keeps_it(call) -> None:
    first = call("POST", "/api/v1/cart/items", {"productId": "rose", "quantity": 2})
    assert first.status == 200
    assert first.headers["X-Session-Token"] == first.json["sessionToken"]
    call.token = first.json["sessionToken"]
    cart = call("GET", "/api/v1/cart").json
    assert (cart["count"], cart["total"], cart["currency"], cart["version"]) == (2, 1000, "MAD", 1)


def test_the_cart_goes_through_all_its_changes(call) -> None:
    call.sign_in()
    assert call("GET", "/api/v1/cart").json["items"] == []
    call("POST", "/api/v1/cart/items", {"productId": "rose"})
    cart = call("POST", "/api/v1/cart/items", {"productId": "plain", "quantity": 2}).json
    assert cart["total"] == 701
    assert cart["items"][1]["unitPrice"] == 100.5
    assert call("PATCH", "/api/v1/cart/items/rose", {"quantity": 3}).json["count"] == 5
    assert call("DELETE", "/api/v1/cart/items/plain").json["count"] == 3
    assert call("DELETE", "/api/v1/cart/items/plain").status == 200
    assert call("DELETE", "/api/v1/cart").json["items"] == []
    assert call("POST", "/api/v1/cart/undo").json["count"] == 3
    assert call("POST", "/api/v1/cart/undo").code == "nothing_to_undo"
    assert call("PATCH", "/api/v1/cart/items/rose", {"quantity": 0}).json["items"] == []


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"productId": "nope"}, 404, "unknown_product"),
        ({"productId": "oud"}, 409, "out_of_stock"),
        ({"productId": "rose", "quantity": 4}, 409, "out_of_stock"),
        ({"productId": "plain", "quantity": 11}, 409, "cart_limit"),
        ({"productId": "sku/7 é"}, 409, "currency_mismatch"),
        ({"productId": "rose", "version": 7}, 409, "version_conflict"),
        ({"productId": "rose", "quantity": 0}, 422, "invalid_field"),
        ({"productId": "rose", "quantity": "2"}, 422, "invalid_field"),
        ({}, 422, "invalid_field"),
        (None, 400, "malformed_request"),
        ("[]", 400, "malformed_request"),
    ],
)
def test_what_the_shop_refuses_changes_nothing(call, body, status, code) -> None:
    call.sign_in()
    answer = call("POST", "/api/v1/cart/items", body)
    assert (answer.status, answer.code) == (status, code)
    assert call("GET", "/api/v1/cart").json["version"] == 0


def test_a_line_that_is_not_there_cannot_be_set(call) -> None:
    answer = call("PATCH", "/api/v1/cart/items/rose", {"quantity": 2})
    assert (answer.status, answer.code) == (404, "unknown_product")


def test_a_change_for_an_old_version_is_refused_without_a_body_too(call) -> None:
    call.sign_in()
    call("POST", "/api/v1/cart/items", {"productId": "rose"})
    for path in ("/api/v1/cart", "/api/v1/cart/items/rose"):
        assert call("DELETE", path, query={"version": "0"}).code == "version_conflict"
        assert call("DELETE", path, query={"version": "x"}).json["field"] == "version"
    assert call("DELETE", "/api/v1/cart", query={"version": "1"}).json["version"] == 2


def test_a_wrong_bearer_is_401_everywhere_a_cart_is_read(call) -> None:
    call.token = "g1.test.forged.token"
    for method, path in (("GET", "/api/v1/cart"), ("POST", "/api/v1/cart/undo")):
        answer = call(method, path)
        assert (answer.status, answer.code) == (401, "unauthorized")


def test_products_come_page_by_page_with_live_prices(call) -> None:
    seen: list[dict] = []
    query: dict[str, str] = {"limit": "3"}
    for _ in range(5):
        page = call("GET", "/api/v1/products", query=query).json
        assert len(page["products"]) <= 3
        seen += page["products"]
        if "nextCursor" not in page:
            break
        query["cursor"] = page["nextCursor"]
    assert {p["id"] for p in seen} == {"rose", "oud", "sku/7 é", "plain"}
    assert len(seen) == 4
    oud = next(p for p in seen if p["id"] == "oud")
    assert (oud["price"], oud["compareAtPrice"], oud["inStock"]) == (900, 1200, False)


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ({"maxPrice": "500"}, {"rose", "plain"}),
        ({"minPrice": "500", "maxPrice": "900"}, {"rose", "oud"}),
        ({"maxPrice": "100.49"}, set()),
        ({"gender": "men"}, {"oud", "sku/7 é"}),
        ({"inStock": "true"}, {"rose", "plain", "sku/7 é"}),
        ({"inStock": "true", "maxPrice": "1000"}, {"rose", "plain"}),
        ({"query": "rose", "maxPrice": "600"}, {"rose"}),
        ({"query": "rose", "maxPrice": "1"}, set()),
    ],
)
def test_filters_are_hard_and_a_foreign_price_is_never_within_bounds(call, query, ids) -> None:
    products = call("GET", "/api/v1/products", query=query).json["products"]
    assert {p["id"] for p in products} == ids


def test_filters_that_nothing_meets_are_answered_with_what_comes_nearest(call) -> None:
    for query in ({"maxPrice": "95"}, {"query": "plain water", "maxPrice": "95"}):
        answer = call("GET", "/api/v1/products", query=query).json
        assert answer["products"] == []
        assert "nextCursor" not in answer
        nearest = answer["nearest"][0]
        assert nearest["id"] == "plain"
        assert nearest["violates"] == [{"constraint": "maxPrice", "wanted": 95, "by": 5.5}]
    assert "nearest" not in call("GET", "/api/v1/products", query={"maxPrice": "500"}).json


def test_what_a_query_finds_comes_page_by_page(call) -> None:
    seen: list[str] = []
    query = {"query": "rose oud sea plain", "limit": "1"}
    for _ in range(6):
        page = call("GET", "/api/v1/products", query=query).json
        seen += [p["id"] for p in page["products"]]
        if "nextCursor" not in page:
            break
        query["cursor"] = page["nextCursor"]
    assert len(seen) == len(set(seen)) >= 3
    other = call("GET", "/api/v1/products", query=query | {"query": "musk"})
    assert (other.status, other.json["field"]) == (422, "cursor")


def test_a_query_finds_what_it_names(call) -> None:
    products = call("GET", "/api/v1/products", query={"query": "oud for winter"}).json["products"]
    assert products[0]["id"] == "oud"


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": "0"}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"minPrice": "-1"}, "minPrice"),
        ({"maxPrice": "NaN"}, "maxPrice"),
        ({"maxPrice": "1e400"}, "maxPrice"),
        ({"gender": "robot"}, "gender"),
        ({"inStock": "perhaps"}, "inStock"),
        ({"cursor": "not one of ours"}, "cursor"),
        ({"query": "rose", "cursor": "not one of ours"}, "cursor"),
        ({"minPrice": "20", "maxPrice": "10"}, "maxPrice"),
        ({"query": "x" * 501}, "query"),
    ],
)
def test_a_wrong_parameter_is_422_and_named(call, query, field) -> None:
    answer = call("GET", "/api/v1/products", query=query)
    assert (answer.status, answer.json["field"]) == (422, field)


def test_a_price_and_stock_that_changed_since_indexing_are_what_is_shown(call, settings) -> None:
    live = bootstrap.live_catalog(settings)
    deadline = Deadline.after(10)
    [facts] = live.get(["rose"], deadline).values()
    live.put([replace(facts, price=PriceTag(70_000, "MAD"), stock=0)], deadline)
    try:
        product = call("GET", "/api/v1/products/rose").json
        assert (product["price"], product["stock"], product["inStock"]) == (700, 0, False)
        listed = call("GET", "/api/v1/products", query={"maxPrice": "600"}).json["products"]
        assert "rose" not in {p["id"] for p in listed}
    finally:
        live.put([facts], deadline)


def test_a_product_that_is_no_longer_live_is_not_sold(call, settings) -> None:
    live = bootstrap.live_catalog(settings)
    deadline = Deadline.after(10)
    facts = live.get(["plain"], deadline)
    live.remove(["plain"], deadline)
    try:
        assert call("GET", "/api/v1/products/plain").code == "unknown_product"
        listed = call("GET", "/api/v1/products").json["products"]
        assert "plain" not in {p["id"] for p in listed}
    finally:
        live.put(list(facts.values()), deadline)


@pytest.mark.parametrize("path", ["sku/7 é", "sku%2F7%20%C3%A9", "sku/7%20é"])
def test_a_product_is_read_by_any_id_a_merchant_may_use(call, path) -> None:
    assert call("GET", f"/api/v1/products/{path}").json["name"] == "Sea Salt"


def test_an_unknown_product_is_404(call) -> None:
    answer = call("GET", "/api/v1/products/nope")
    assert (answer.status, answer.code) == (404, "unknown_product")


def test_health_tells_each_dependency_and_no_secret(call, settings) -> None:
    answer = call("GET", "/api/v1/health")
    assert (answer.status, answer.json["status"]) == (200, "ok")
    assert set(answer.json["dependencies"]) == {"redis", "search"}
    assert all(d["ready"] for d in answer.json["dependencies"].values())
    for secret in (settings.session_secret, settings.upstash_redis_rest_token):
        assert secret.get_secret_value() not in answer.body


def test_health_is_asked_anew_only_after_a_few_seconds(call, qdrant) -> None:
    call("GET", "/api/v1/health")
    before = len(qdrant[1].requests)
    call("GET", "/api/v1/health")
    assert len(qdrant[1].requests) == before


def test_without_redis_sessions_and_carts_are_503_and_name_it_then_recover(
    call, redis_stack
) -> None:
    call.sign_in()
    redis_stack.kill_valkey()
    try:
        for method, path, body in (
            ("POST", "/api/v1/sessions", None),
            ("GET", "/api/v1/cart", None),
            ("POST", "/api/v1/cart/items", {"productId": "rose"}),
            ("GET", "/api/v1/products", None),
        ):
            answer = call(method, path, body)
            assert (answer.status, answer.code) == (503, "redis_unavailable"), path
            assert answer.json["dependency"] == "redis"
        bootstrap.readiness.cache_clear()
        health = call("GET", "/api/v1/health").json
        assert (health["status"], health["dependencies"]["redis"]["ready"]) == ("down", False)
    finally:
        redis_stack.start_valkey()
    assert call("GET", "/api/v1/cart").status == 200
    assert call("POST", "/api/v1/sessions").status == 201


def test_without_search_products_are_503_and_carts_go_on(call, qdrant) -> None:
    qdrant[1].fault = "all"
    try:
        for query in (None, {"query": "rose"}):
            answer = call("GET", "/api/v1/products", query=query)
            assert (answer.status, answer.code) == (503, "search_unavailable")
        assert call("GET", "/api/v1/products/rose").json["dependency"] == "search"
        assert call("POST", "/api/v1/cart/items", {"productId": "rose"}).status == 200
    finally:
        qdrant[1].fault = "none"
    assert call("GET", "/api/v1/products").status == 200


def test_pages_and_documents_are_served_with_a_strict_policy(call) -> None:
    for path, kind in (
        ("/", "text/html"),
        ("/docs", "text/html"),
        ("/docs/start.js", "text/javascript"),
        ("/docs/swagger-ui.min.css", "text/css"),
        ("/openapi.json", "application/json"),
    ):
        answer = call("GET", path)
        assert (answer.status, answer.headers["Content-Type"].split(";")[0]) == (200, kind)
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "unsafe-eval" not in answer.headers["Content-Security-Policy"]
        again = call("GET", path, headers={"if-none-match": answer.headers["ETag"]})
        assert (again.status, again.body) == (304, "")


def test_large_files_are_compressed_for_those_who_can_read_it(call) -> None:
    path = "/docs/swagger-ui-bundle.min.js"
    answer = call("GET", path, headers={"accept-encoding": "gzip, br"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert len(gzip.decompress(base64.b64decode(answer.body))) > 1_000_000
    assert len(answer.body) < 1_000_000
    assert "Content-Encoding" not in call("GET", path).headers


@pytest.mark.parametrize("path", ["/app.py", "/../app.py", "/docs/../../app.py", "/docs/nope"])
def test_nothing_outside_the_static_folder_is_served(call, path) -> None:
    assert call("GET", path).status == 404


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/texts.js",
        "/shop.js",
        "/home.js",
        "/product.html",
        "/product.js",
        "/cart.html",
        "/widget.js",
        "/checkout.html",
    ],
)
def test_the_page_is_of_any_shop_whatever_it_sells(call, path: str) -> None:
    text = call("GET", path).body.lower()
    assert [word for word in ("perfum", "parfum", "عطر", "عطور") if word in text] == []


def test_the_pages_of_the_page_load_nothing_from_elsewhere(call) -> None:
    for path in ("/", "/docs"):
        body = call("GET", path).body
        assert 'src="http' not in body
        assert 'href="http' not in body
