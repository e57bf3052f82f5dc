"""The chat function: one route, one use case. A message in, an answer with its cart, cards and chips out."""

import json
import secrets
import time
from typing import Any

from shopping_agent import bootstrap
from shopping_agent.application.turn import Turn, TurnRepeated
from shopping_agent.domain.operation import turn_name
from shopping_agent.http.bodies import read_body
from shopping_agent.http.idempotent import REPLAYED_HEADER
from shopping_agent.http.identity import Identity
from shopping_agent.http.models import ChatRequest, PageContext
from shopping_agent.http.problems import problem
from shopping_agent.http.resolver import build_resolver, request_id_of
from shopping_agent.http.response import Response, json_reply, json_text, utc_time
from shopping_agent.http.usage import usage_body
from shopping_agent.lifecycle import SecretRenewal, take_part_in_snapshots
from shopping_agent.observability import count, metrics
from shopping_agent.settings import Settings

app = build_resolver(
    entrance=lambda: bootstrap.entrance(bootstrap.settings()),
    budget=lambda: bootstrap.settings().request_budget_seconds,
)
renewal = SecretRenewal()


def build_services(settings: Settings) -> None:
    bootstrap.entrance(settings)
    bootstrap.load_models(settings)
    bootstrap.assistant(settings)


take_part_in_snapshots(build_services)


@metrics.log_metrics
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """API Gateway HTTP API, payload 2.0."""
    renewal.renew()
    count("ChatRequests")
    return app.resolve(event, context)


def settings() -> Settings:
    return bootstrap.settings()


@app.post("/api/v1/ai/cart", access="guest", turn=True, counts_itself=True)
def chat() -> Response:
    event = app.current_event.raw_event
    if not settings().assistant_enabled:
        return problem(
            503,
            "assistant_off",
            "The assistant is switched off; the store goes on without it.",
            request_id=request_id_of(event, app.lambda_context),
        )
    wanted = read_body(app.current_event, ChatRequest)
    who = app.visit.who
    # A request that is repeated under its Idempotency-Key is the same turn.
    repeatable = wanted.turn_id or app.visit.operation_id
    turn_id = repeatable or secrets.token_urlsafe(12)
    known_as = turn_name(turn_id)
    keep_reply = bootstrap.privacy(settings()).reply_for_keeping

    def body_of(turn: Turn) -> dict[str, Any]:
        return reply_body(turn, who, turn_id, now=time.time())

    try:
        turn = bootstrap.assistant(settings()).reply(
            wanted.message,
            shopper=who.shopper,
            turn_id=known_as,
            locale=wanted.locale,
            page_product_id=(wanted.context or PageContext()).product_id,
            charges=app.visit.charges,
            # Nobody can send a turn again that got its id here.
            keep=(lambda turn: json_text(keep_reply(body_of(turn)))) if repeatable else None,
            told=wanted.turn_id is not None,
            deadline=app.visit.deadline,
        )
    except TurnRepeated as repeated:
        count("TurnsRepeated")
        headers = {**who.headers(), REPLAYED_HEADER: "true"}
        return json_reply(who.signed(json.loads(repeated.reply)), headers=headers)
    body = body_of(turn)
    # Only an Idempotency-Key has the reply of a request stored.
    kept = json_text(keep_reply(body)) if app.visit.operation_id else None
    return json_reply(who.signed(body), headers=who.headers(), kept=kept)


def reply_body(turn: Turn, who: Identity, turn_id: str, *, now: float) -> dict[str, Any]:
    """The turn in the words of the HTTP contract; prices as of `now`."""
    return {
        "answer": turn.answer,
        "intent": turn.intent,
        "route": turn.route,
        "cart": turn.cart.view(),
        "products": [
            {**product.view(now), **({"reasons": list(reasons)} if reasons else {})}
            for product in turn.products
            for reasons in (turn.reasons.get(product.id),)
        ],
        "choices": [
            {"label": c.label, **({"productId": c.product_id} if c.product_id else {})}
            for c in turn.choices
        ],
        "suggestions": list(turn.suggestions),
        "actions": [
            {
                "type": action.type,
                **({"productId": action.product_id} if action.product_id else {}),
                "quantity": action.quantity,
                "undo": action.undo,
                **({"url": action.url} if action.url else {}),
                **({"expiresAt": utc_time(action.expires_at)} if action.expires_at else {}),
            }
            for action in turn.actions
        ],
        "sessionId": who.shopper.session_id,
        "turnId": turn_id,
        "finish": turn.finish,
        "usage": usage_body(turn.usage, turn.spent),
        "model": turn.model,
    }
