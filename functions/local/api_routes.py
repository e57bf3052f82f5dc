"""Every route of both functions as the OpenAPI document describes it: what it reads, what it answers, how it fails."""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel
from shopping_agent.http import models, replies

from functions.local.api_examples import CART, CHAT, PRODUCT

Function = Literal["chat", "store"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A problem that a route may answer: its status, when, and an example's `code`."""

    status: int
    when: str
    code: str


MALFORMED = Failure(400, "The body is missing, not JSON or not an object.", "malformed_request")
BAD_BEARER = Failure(401, "The bearer does not verify or has expired.", "unauthorized")
UNKNOWN_PRODUCT = Failure(404, "No such product, or no such line in the cart.", "unknown_product")
CONFLICT = Failure(
    409,
    "The shop refuses: `out_of_stock`, `cart_limit`, `currency_mismatch`, `version_conflict` or `nothing_to_undo`.",
    "out_of_stock",
)
TOO_LARGE = Failure(413, "The body is too large.", "payload_too_large")
INVALID = Failure(422, "A field is wrong; `field` names it.", "invalid_field")
UNAVAILABLE = Failure(
    503, "Something we depend on is down; `dependency` names it.", "redis_unavailable"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRoute:
    """One route. `text_reply` is the media type of a reply that is not JSON.

    Attributes:
        bearer: `optional` mints a guest when none is sent, `none` ignores it.
        named: path parameters with their descriptions.
    """

    method: str
    path: str
    function: Function
    tag: str
    summary: str
    description: str = ""
    status: int = 200
    reply: type[BaseModel] | None = None
    reply_example: Any = None
    text_reply: str | None = None
    body: type[BaseModel] | None = None
    body_example: Any = None
    parameters: type[BaseModel] | None = None
    named: tuple[tuple[str, str], ...] = ()
    bearer: Literal["optional", "none"] = "none"
    failures: tuple[Failure, ...] = ()


PRODUCT_ID = (("productId", "The product's id, percent-encoded."),)
CART_FAILURES = (BAD_BEARER, UNAVAILABLE)

ROUTES: tuple[ApiRoute, ...] = (
    ApiRoute(
        method="POST",
        path="/api/v1/ai/cart",
        function="chat",
        tag="assistant",
        summary="Send a message to the assistant",
        description="Answers in the shopper's language; may search, answer from the store's texts and change the cart.",
        body=models.ChatRequest,
        body_example={
            "message": "Something fresh for summer, under 800 MAD, and add the best one to my cart."
        },
        reply=replies.ChatReply,
        reply_example=CHAT,
        bearer="optional",
        failures=(MALFORMED, BAD_BEARER, TOO_LARGE, INVALID, UNAVAILABLE),
    ),
    ApiRoute(
        method="POST",
        path="/api/v1/sessions",
        function="store",
        tag="sessions",
        summary="Begin a guest session",
        description="Nothing is stored until the session is used.",
        status=201,
        reply=replies.SessionReply,
        reply_example={
            "token": "g1.k1.Zm9vYmFy.c2lnbmF0dXJl",
            "sessionId": "g_2o1pWJ0uS1mJm6kq0mCq3w",
            "expiresAt": "2026-12-30T20:00:00Z",
        },
        failures=(UNAVAILABLE,),
    ),
    ApiRoute(
        method="GET",
        path="/api/v1/cart",
        function="store",
        tag="cart",
        summary="Read the cart at live prices",
        reply=replies.CartReply,
        reply_example=CART,
        bearer="optional",
        failures=CART_FAILURES,
    ),
    ApiRoute(
        method="POST",
        path="/api/v1/cart/items",
        function="store",
        tag="cart",
        summary="Add a product",
        description="Adds to the line when the product is in the cart already.",
        body=models.CartItemRequest,
        body_example={"productId": "sahra-50", "quantity": 1},
        reply=replies.CartReply,
        reply_example=CART,
        bearer="optional",
        failures=(MALFORMED, *CART_FAILURES, UNKNOWN_PRODUCT, CONFLICT, TOO_LARGE, INVALID),
    ),
    ApiRoute(
        method="PATCH",
        path="/api/v1/cart/items/{productId}",
        function="store",
        tag="cart",
        summary="Set the quantity of a line",
        named=PRODUCT_ID,
        body=models.QuantityRequest,
        body_example={"quantity": 2},
        reply=replies.CartReply,
        reply_example=CART,
        bearer="optional",
        failures=(MALFORMED, *CART_FAILURES, UNKNOWN_PRODUCT, CONFLICT, TOO_LARGE, INVALID),
    ),
    ApiRoute(
        method="DELETE",
        path="/api/v1/cart/items/{productId}",
        function="store",
        tag="cart",
        summary="Remove a line",
        description="An absent line is no error.",
        named=PRODUCT_ID,
        parameters=models.ChangeParameters,
        reply=replies.CartReply,
        reply_example=CART,
        bearer="optional",
        failures=(*CART_FAILURES, CONFLICT, INVALID),
    ),
    ApiRoute(
        method="DELETE",
        path="/api/v1/cart",
        function="store",
        tag="cart",
        summary="Empty the cart",
        parameters=models.ChangeParameters,
        reply=replies.CartReply,
        reply_example={"items": [], "count": 0, "total": 0, "currency": "MAD", "version": 2},
        bearer="optional",
        failures=(*CART_FAILURES, CONFLICT, INVALID),
    ),
    ApiRoute(
        method="POST",
        path="/api/v1/cart/undo",
        function="store",
        tag="cart",
        summary="Take back the last change of the cart",
        description="One step only.",
        reply=replies.CartReply,
        reply_example=CART,
        bearer="optional",
        failures=(*CART_FAILURES, CONFLICT),
    ),
    ApiRoute(
        method="GET",
        path="/api/v1/products",
        function="store",
        tag="products",
        summary="Find or browse products",
        description="With `query`, the best matches first; without, all products page by page. Prices and stocks are live.",
        parameters=models.ProductListParameters,
        reply=replies.ProductListReply,
        reply_example={"products": [PRODUCT], "nextCursor": "5b1f0c4e-6f0d-5a55-9d0e-1d8c1c2a7b11"},
        failures=(INVALID, UNAVAILABLE),
    ),
    ApiRoute(
        method="GET",
        path="/api/v1/products/{productId}",
        function="store",
        tag="products",
        summary="Read a product",
        named=PRODUCT_ID,
        reply=replies.ProductReply,
        reply_example=PRODUCT,
        failures=(UNKNOWN_PRODUCT, UNAVAILABLE),
    ),
    ApiRoute(
        method="GET",
        path="/api/v1/health",
        function="store",
        tag="service",
        summary="Whether everything we depend on answers",
        description="Answers are a few seconds old at most. Always 200: `status` tells.",
        reply=replies.HealthReply,
        reply_example={
            "status": "ok",
            "version": "0.1.0",
            "python": "3.13.9",
            "dependencies": {
                "redis": {"ready": True, "ms": 4},
                "search": {"ready": True, "ms": 7},
            },
        },
    ),
    ApiRoute(
        method="GET",
        path="/openapi.json",
        function="store",
        tag="service",
        summary="This document",
        text_reply="application/json",
    ),
    ApiRoute(
        method="GET",
        path="/docs",
        function="store",
        tag="service",
        summary="This document as a page",
        text_reply="text/html",
    ),
    ApiRoute(
        method="GET",
        path="/",
        function="store",
        tag="service",
        summary="The demo storefront",
        text_reply="text/html",
    ),
)
