"""The store function: sessions, cart, products, health, documents and the demo page. Each route parses, runs one use case, maps."""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import shopping_agent
from shopping_agent import bootstrap
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.money import to_minor
from shopping_agent.domain.statistics import Tally, brief
from shopping_agent.errors import DeadlineExceededError, NotFoundError, StateUnavailableError
from shopping_agent.http.bodies import read_parameters
from shopping_agent.http.cart_routes import CartRoutes
from shopping_agent.http.checkout_routes import CheckoutRoutes
from shopping_agent.http.files import PAGE_POLICY, StaticFolder, swagger_files
from shopping_agent.http.models import ProductListParameters
from shopping_agent.http.operator_routes import OperatorRoutes
from shopping_agent.http.recommendation_routes import RecommendationRoutes
from shopping_agent.http.resolver import build_resolver
from shopping_agent.http.response import Response, json_reply
from shopping_agent.http.session_routes import SessionRoutes
from shopping_agent.http.shop_routes import ShopRoutes
from shopping_agent.http.turn_routes import TurnRoutes
from shopping_agent.lifecycle import SecretRenewal, take_part_in_snapshots
from shopping_agent.observability import counting, logger
from shopping_agent.settings import Settings

if TYPE_CHECKING:
    from shopping_agent.domain.stated_profile import Profile
    from shopping_agent.ports import ProductPage

BUDGET_SECONDS = 10.0
"""No route here waits for a language model: longer than this is an outage."""

MOST_NEAREST = 6
NOTE_SECONDS = 1.0

DOCS_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

app = build_resolver(
    entrance=lambda: bootstrap.entrance(bootstrap.settings()),
    budget=lambda: min(BUDGET_SECONDS, bootstrap.settings().request_budget_seconds),
)
static = StaticFolder(Path(__file__).with_name("static"))
swagger = swagger_files()
renewal = SecretRenewal()


def build_services(settings: Settings) -> None:
    bootstrap.entrance(settings)
    bootstrap.cart_store(settings)
    bootstrap.search_service(settings)


take_part_in_snapshots(build_services)


@counting
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """API Gateway HTTP API, payload 2.0."""
    renewal.renew()
    return app.resolve(event, context)


def deadline() -> Deadline:
    return app.visit.deadline


# --- sessions and cart -------------------------------------------------------------------------


@app.post("/api/v1/sessions", access="public", keyed=False)
def begin_session() -> Response:
    if not limits_are_counted():
        # Nothing is stored, but a session that cannot be used would be a lie.
        bootstrap.redis(bootstrap.settings()).ping(deadline())
    session = bootstrap.identities(bootstrap.settings()).mint()
    expires = datetime.fromtimestamp(session.expires_at, UTC)
    return json_reply(
        {
            "token": session.token,
            "sessionId": session.shopper.session_id,
            "expiresAt": expires.isoformat().replace("+00:00", "Z"),
        },
        status=201,
    )


def limits_are_counted() -> bool:
    """Whether this request was counted, so that Redis has just answered."""
    return bool(bootstrap.entrance(bootstrap.settings()).limits)


# The gateway sends every other method of the chat function's path here.
app.elsewhere("POST", "/api/v1/ai/cart")

SessionRoutes(app, records=lambda: bootstrap.shopper_records(bootstrap.settings()))

CartRoutes(
    app,
    carts=lambda: bootstrap.cart_store(bootstrap.settings()),
    identities=lambda: bootstrap.identities(bootstrap.settings()),
)


CheckoutRoutes(app, checkout=lambda: bootstrap.checkout(bootstrap.settings()))


TurnRoutes(
    app,
    steps=lambda: bootstrap.turn_steps(bootstrap.settings()),
    pack=lambda: bootstrap.store_pack(bootstrap.settings()),
)
ShopRoutes(app, pack=lambda: bootstrap.store_pack(bootstrap.settings()))


# --- products ----------------------------------------------------------------------------------


@app.get("/api/v1/products", access="public")
def list_products() -> Response:
    wanted = read_parameters(app.current_event, ProductListParameters)
    now = time.time()
    page = products_page(wanted, now)
    body: dict[str, Any] = {"products": [product.view(now) for product in page.products]}
    if page.next_cursor is not None:
        body["nextCursor"] = page.next_cursor
    if not page.products and wanted.cursor is None:
        note_fruitless(wanted.query or "")
        nearest = nearest_products(wanted, now)
        # A filter of a listing is meant: what only comes near it is no product of the list.
        body |= {"nearest": nearest} if nearest else {}
    return json_reply(body)


@app.get("/api/v1/products/<product_id>", access="public")
def read_product(product_id: str) -> Response:
    found = bootstrap.search_service(bootstrap.settings()).get([product_id], deadline())
    if not found:
        raise NotFoundError("This product is not sold here.", code="unknown_product")
    return json_reply(found[0].view(time.time()))


def note_fruitless(query: str) -> None:
    """Let operators know of a search that found nothing; a list that cannot be counted is answered all the same."""
    settings = bootstrap.settings()
    text = brief(bootstrap.privacy(settings).for_keeping(query))
    if not text:
        return
    try:
        tally = Tally({"fruitless": 1}, {"searches": text})
        bootstrap.statistics(settings).add(tally, deadline().capped(NOTE_SECONDS))
    except (StateUnavailableError, DeadlineExceededError) as error:
        logger.warning("search not counted", error=type(error).__name__)


def products_page(wanted: ProductListParameters, now: float) -> "ProductPage":
    search = bootstrap.search_service(bootstrap.settings())
    asked: dict[str, Any] = {
        "limit": wanted.limit,
        "cursor": wanted.cursor,
        "deadline": deadline(),
        "now": now,
    }
    filters = constraints_of(wanted)
    if wanted.query:
        wishes, profile = with_wishes(filters, wanted.query)
        text = search.words_of(wanted.query, wishes, profile)
        return search.list_found(text, wishes, profile=profile, **asked)
    return search.browse(filters, **asked)


def nearest_products(wanted: ProductListParameters, now: float) -> list[dict[str, Any]]:
    """What comes nearest to filters that no product meets, each with what it does not meet."""
    constraints = constraints_of(wanted)
    if constraints == Constraints():
        return []
    found = bootstrap.search_service(bootstrap.settings()).find_products(
        wanted.query or "",
        constraints,
        limit=min(wanted.limit, MOST_NEAREST),
        deadline=deadline(),
        now=now,
    )
    return [
        {
            **product.view(now),
            "violates": [s.view(product.price.currency) for s in found.shortfalls[product.id]],
        }
        for product in found.products
        if product.id in found.shortfalls
    ]


def constraints_of(wanted: ProductListParameters) -> Constraints:
    currency = bootstrap.settings().store_currency
    return Constraints(
        min_price=None if wanted.min_price is None else to_minor(wanted.min_price, currency),
        max_price=None if wanted.max_price is None else to_minor(wanted.max_price, currency),
        gender=wanted.gender,
        in_stock=wanted.in_stock or None,
    )


def with_wishes(filters: Constraints, query: str) -> "tuple[Constraints, Profile]":
    """The filters with the wishes of a query, which rank and filter nothing, and what it tells of the shopper.

    The page ranks as the assistant does.
    """
    said, profile = read_words(query)
    wishes = replace(
        filters,
        families=(*said.notes, *said.families),
        season=said.season,
        occasion=said.occasion,
        longevity=said.longevity,
        sillage=said.sillage,
    )
    search = bootstrap.search_service(bootstrap.settings())
    return search.by_wishes(query, wishes), profile


def read_words(query: str) -> "tuple[Constraints, Profile]":
    """What a query asks for, and what it tells of the shopper, as the assistant understands them."""
    from shopping_agent.domain.understanding import understand

    settings = bootstrap.settings()
    vocabulary = bootstrap.store_pack(settings).vocabulary
    understood = understand(query, vocabulary=vocabulary, currency=settings.store_currency)
    return Constraints.of(understood.query), bootstrap.profiling(settings).told(understood).profile


RecommendationRoutes(
    app,
    recommender=lambda: bootstrap.recommender(bootstrap.settings()),
    read=read_words,
    currency=lambda: bootstrap.settings().store_currency,
)

OperatorRoutes(
    app,
    statistics=lambda: bootstrap.statistics(bootstrap.settings()),
    token=lambda: bootstrap.settings().operator_token.get_secret_value(),
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


@app.get("/ops")
def operator_page() -> Response:
    return file_reply("ops.html")


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
