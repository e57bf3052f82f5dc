"""The store function: sessions, cart, products, health, documents and the demo page. Each route parses, runs one use case, maps."""

import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import shopping_agent
from shopping_agent import bootstrap
from shopping_agent.domain.cart import Cart
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.money import to_minor
from shopping_agent.errors import NotFoundError
from shopping_agent.http.bodies import read_body, read_parameters
from shopping_agent.http.deadline import request_deadline
from shopping_agent.http.files import PAGE_POLICY, StaticFolder, swagger_files
from shopping_agent.http.identity import Identity, identify_or_mint
from shopping_agent.http.models import (
    CartItemRequest,
    ChangeParameters,
    ProductListParameters,
    QuantityRequest,
)
from shopping_agent.http.resolver import build_resolver
from shopping_agent.http.response import Response, json_reply
from shopping_agent.ports import ProductPage

BUDGET_SECONDS = 10.0
"""No route here waits for a language model: longer than this is an outage."""

DOCS_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

app = build_resolver()
static = StaticFolder(Path(__file__).with_name("static"))
swagger = swagger_files()


def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """API Gateway HTTP API, payload 2.0."""
    return app.resolve(event, context)


def deadline() -> Deadline:
    return request_deadline(
        app.current_event.raw_event,
        app.lambda_context,
        min(BUDGET_SECONDS, bootstrap.settings().request_budget_seconds),
    )


# --- sessions and cart -------------------------------------------------------------------------


@app.post("/api/v1/sessions")
def begin_session() -> Response:
    # Nothing is stored, but a session that cannot be used would be a lie.
    bootstrap.redis(bootstrap.settings()).ping(deadline())
    session = bootstrap.guest_sessions(bootstrap.settings()).mint()
    expires = datetime.fromtimestamp(session.expires_at, UTC)
    return json_reply(
        {
            "token": session.token,
            "sessionId": session.shopper.session_id,
            "expiresAt": expires.isoformat().replace("+00:00", "Z"),
        },
        status=201,
    )


@app.get("/api/v1/cart")
def read_cart() -> Response:
    who = shopper()
    return cart_reply(who, bootstrap.cart_store(bootstrap.settings()).read(who.shopper, deadline()))


@app.post("/api/v1/cart/items")
def add_item() -> Response:
    who = shopper()
    wanted = read_body(app.current_event, CartItemRequest)
    cart = bootstrap.cart_store(bootstrap.settings()).add(
        who.shopper,
        wanted.product_id,
        wanted.quantity,
        deadline(),
        expected_version=wanted.version,
    )
    return cart_reply(who, cart)


@app.patch("/api/v1/cart/items/<product_id>")
def set_item(product_id: str) -> Response:
    who = shopper()
    wanted = read_body(app.current_event, QuantityRequest)
    cart = bootstrap.cart_store(bootstrap.settings()).set_quantity(
        who.shopper, product_id, wanted.quantity, deadline(), expected_version=wanted.version
    )
    return cart_reply(who, cart)


@app.delete("/api/v1/cart/items/<product_id>")
def remove_item(product_id: str) -> Response:
    who = shopper()
    wanted = read_parameters(app.current_event, ChangeParameters)
    cart = bootstrap.cart_store(bootstrap.settings()).set_quantity(
        who.shopper, product_id, 0, deadline(), expected_version=wanted.version
    )
    return cart_reply(who, cart)


@app.delete("/api/v1/cart")
def clear_cart() -> Response:
    who = shopper()
    wanted = read_parameters(app.current_event, ChangeParameters)
    cart = bootstrap.cart_store(bootstrap.settings()).clear(
        who.shopper, deadline(), expected_version=wanted.version
    )
    return cart_reply(who, cart)


@app.post("/api/v1/cart/undo")
def undo_change() -> Response:
    who = shopper()
    return cart_reply(who, bootstrap.cart_store(bootstrap.settings()).undo(who.shopper, deadline()))


def shopper() -> Identity:
    return identify_or_mint(request_headers(), bootstrap.guest_sessions(bootstrap.settings()))


def cart_reply(who: Identity, cart: Cart) -> Response:
    return json_reply(who.signed(cart.view()), headers=who.headers())


# --- products ----------------------------------------------------------------------------------


@app.get("/api/v1/products")
def list_products() -> Response:
    wanted = read_parameters(app.current_event, ProductListParameters)
    now = time.time()
    page = find(wanted, now) if wanted.query else browse(wanted, now)
    body: dict[str, Any] = {"products": [product.view(now) for product in page.products]}
    if page.next_cursor is not None:
        body["nextCursor"] = page.next_cursor
    return json_reply(body)


@app.get("/api/v1/products/<product_id>")
def read_product(product_id: str) -> Response:
    found = bootstrap.search_service(bootstrap.settings()).get([product_id], deadline())
    if not found:
        raise NotFoundError("This product is not sold here.", code="unknown_product")
    return json_reply(found[0].view(time.time()))


def find(wanted: ProductListParameters, now: float) -> ProductPage:
    found = bootstrap.search_service(bootstrap.settings()).find_products(
        wanted.query or "",
        constraints_of(wanted),
        limit=wanted.limit,
        deadline=deadline(),
        now=now,
    )
    # A filter of a listing is meant: what only comes near it is not shown.
    return ProductPage(() if found.relaxed else found.products)


def browse(wanted: ProductListParameters, now: float) -> ProductPage:
    return bootstrap.search_service(bootstrap.settings()).browse(
        constraints_of(wanted),
        limit=wanted.limit,
        cursor=wanted.cursor,
        deadline=deadline(),
        now=now,
    )


def constraints_of(wanted: ProductListParameters) -> Constraints:
    currency = bootstrap.settings().store_currency
    return Constraints(
        min_price=None if wanted.min_price is None else to_minor(wanted.min_price, currency),
        max_price=None if wanted.max_price is None else to_minor(wanted.max_price, currency),
        gender=wanted.gender,
        in_stock=wanted.in_stock or None,
    )


# --- health, documents, page -------------------------------------------------------------------


@app.get("/api/v1/health")
def health() -> Response:
    board = bootstrap.readiness(bootstrap.settings()).read(deadline())
    down = [answer for answer in board.values() if not answer.ready]
    status = "down" if any(answer.vital for answer in down) else "degraded" if down else "ok"
    return json_reply(
        {
            "status": status,
            "version": shopping_agent.__version__,
            "python": ".".join(map(str, sys.version_info[:3])),
            "dependencies": {
                name: {"ready": answer.ready, "ms": answer.milliseconds}
                for name, answer in board.items()
            },
        }
    )


@app.get("/docs")
def docs_page() -> Response:
    return file_reply("docs/index.html", policy=DOCS_POLICY)


@app.get("/docs/<name>")
def docs_file(name: str) -> Response:
    found = swagger.get(name)
    return found.reply(request_headers()) if found else file_reply(f"docs/{name}")


@app.get("/")
def page() -> Response:
    return file_reply("index.html")


def serve(name: str) -> Callable[[], Response]:
    return lambda: file_reply(name)


for file_name in static:
    if file_name != "index.html" and not file_name.startswith("docs/"):
        app.get(f"/{file_name}")(serve(file_name))


def file_reply(name: str, *, policy: str = PAGE_POLICY) -> Response:
    found = static.get(name)
    if found is None:
        raise NotFoundError("There is nothing here.")
    return found.reply(request_headers(), policy=policy)


def request_headers() -> dict[str, str]:
    return app.current_event.headers
