"""The store function: sessions, cart, products, health, documents and the demo page. Each route parses, runs one use case, maps."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import shopping_agent
from shopping_agent import bootstrap
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import NotFoundError
from shopping_agent.http.cart_routes import CartRoutes
from shopping_agent.http.checkout_routes import CheckoutRoutes
from shopping_agent.http.files import PAGE_POLICY, StaticFolder, swagger_files
from shopping_agent.http.operator_routes import OperatorRoutes
from shopping_agent.http.product_routes import ProductRoutes
from shopping_agent.http.recommendation_routes import RecommendationRoutes
from shopping_agent.http.resolver import build_resolver
from shopping_agent.http.response import Response, json_reply
from shopping_agent.http.session_routes import SessionRoutes
from shopping_agent.http.shop_routes import ShopRoutes
from shopping_agent.http.turn_routes import TurnRoutes
from shopping_agent.lifecycle import SecretRenewal, take_part_in_snapshots
from shopping_agent.observability import counting
from shopping_agent.settings import Settings

if TYPE_CHECKING:
    from shopping_agent.domain.stated_profile import Profile

BUDGET_SECONDS = 10.0
"""No route here waits for a language model: longer than this is an outage."""

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


def read_words(query: str) -> "tuple[Constraints, Profile]":
    """What a query asks for, and what it tells of the shopper, as the assistant understands them."""
    from shopping_agent.domain.understanding import understand

    settings = bootstrap.settings()
    vocabulary = bootstrap.store_pack(settings).vocabulary
    understood = understand(query, vocabulary=vocabulary, currency=settings.store_currency)
    return Constraints.of(understood.query), bootstrap.profiling(settings).told(understood).profile


ProductRoutes(
    app,
    search=lambda: bootstrap.search_service(bootstrap.settings()),
    read=read_words,
    currency=lambda: bootstrap.settings().store_currency,
    statistics=lambda: bootstrap.statistics(bootstrap.settings()),
    privacy=lambda: bootstrap.privacy(bootstrap.settings()),
)

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
