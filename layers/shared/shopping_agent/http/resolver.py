"""The HTTP edge that chat and store share: routing over API Gateway's payload 2.0, with one shape for every error.

    app = build_resolver()

    @app.post("/api/v1/things")
    def make_thing() -> Response[str]:
        wanted = read_body(app.current_event, ThingRequest)
        return json_reply(shop.make(wanted), status=201)

    def lambda_handler(event, context):
        return app.resolve(event, context)

Routes raise errors of our tree (`problems.py` maps them); whatever else they raise becomes a 500 without details.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, cast
from urllib.parse import unquote

from aws_lambda_powertools.event_handler.api_gateway import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError as RouteNotFoundError

from shopping_agent.errors import (
    ConfigurationError,
    DependencyError,
    LanguageModelError,
    MalformedRequestError,
    ShoppingAgentError,
)
from shopping_agent.http.problems import problem, problem_of
from shopping_agent.observability import logger

SECURITY_HEADERS: Final[dict[str, str]] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
"""On every reply; a route may set its own value of any of them."""


class ShopResolver(APIGatewayHttpResolver):
    """Powertools' resolver with our errors, headers, HEAD, and paths with or without a stage."""

    def resolve(self, event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        event = event if isinstance(event, Mapping) else {}  # pyright: ignore[reportUnnecessaryIsInstance]
        request_id = request_id_of(event, context)
        method = ""
        answer: dict[str, Any]
        try:
            wire, method = _wire_event(event)
            answer = super().resolve(wire, context)
        except Exception as error:  # noqa: BLE001  (the edge: nothing may escape as a stack trace)
            _log(error)
            reply = problem_of(error, request_id)
            answer = {
                "statusCode": reply.status_code,
                "body": reply.body,
                "isBase64Encoded": False,
                "headers": reply.headers,
                "cookies": [],
            }
        answer["headers"] = {
            **SECURITY_HEADERS,
            **(answer["headers"] or {}),
            "X-Request-Id": request_id,
        }
        if method == "HEAD":
            answer["body"] = ""
            answer["isBase64Encoded"] = False
        return answer

    def methods_of(self, path: str) -> list[str]:
        """The methods that some route answers at this path."""
        routes = self._static_routes + self._dynamic_routes
        return sorted(
            {r.method for r in routes if cast(re.Pattern[str], r.rule).match(path)}  # pyright: ignore[reportUnknownMemberType]
        )

    def route_table(self) -> list[tuple[str, str]]:
        """Every route as (method, path with `<names>`)."""
        return [(r.method, r.path) for r in self._static_routes + self._dynamic_routes]

    @staticmethod
    def _compile_regex(rule: str, base_regex: str = "^{}$") -> re.Pattern[str]:
        """Names match anything, slashes too: product ids are the merchant's own, and the gateway decodes `%2F`."""
        return re.compile(base_regex.format(re.sub(r"<(\w+)>", r"(?P<\1>.+)", rule)))

    def _convert_matches_into_route_keys(self, match: re.Match[str]) -> dict[str, str]:
        # What the gateway left encoded.
        return {name: unquote(value) for name, value in match.groupdict().items()}


def build_resolver() -> ShopResolver:
    """A resolver without routes that answers unknown routes and every error as problem+json."""
    # Never Powertools' debug mode: it prints whole events, and stack traces into replies.
    app = ShopResolver(debug=False)

    def request_id() -> str:
        return request_id_of(app.current_event.raw_event, app.lambda_context)

    def no_route(_: RouteNotFoundError) -> Response[str]:
        methods = app.methods_of(app.current_event.raw_path)
        if not methods:
            return problem(404, "not_found", "There is nothing here.", request_id=request_id())
        return problem(
            405,
            "method_not_allowed",
            f"Use {' or '.join(methods)}.",
            request_id=request_id(),
            headers={"Allow": ", ".join(methods)},
        )

    def failed(error: Exception) -> Response[str]:
        _log(error)
        return problem_of(error, request_id())

    app.exception_handler(RouteNotFoundError)(no_route)
    app.exception_handler(Exception)(failed)
    return app


def json_reply(
    body: Any, *, status: int = 200, headers: dict[str, str | list[str]] | None = None
) -> Response[str]:
    """A JSON reply in UTF-8 (not escaped: half the bytes in Arabic)."""
    return Response(
        status_code=status,
        content_type="application/json",
        body=json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False),
        headers=headers,
    )


def request_id_of(event: Mapping[str, Any], context: Any) -> str:
    """The gateway's request id, else Lambda's: what a shopper may quote to support."""
    found = _object(event, "requestContext").get("requestId")
    return str(found or getattr(context, "aws_request_id", "") or "unknown")


def _wire_event(event: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The event with its stage taken off the path, header names in lower case and HEAD routed as GET.

    Also returns the method as it was sent.
    """
    gateway = _object(event, "requestContext")
    http = _object(gateway, "http")
    if not http:
        raise MalformedRequestError("This function reads HTTP API events (payload 2.0).")
    method = str(http.get("method", "GET")).upper()
    headers = {name.lower(): value for name, value in _object(event, "headers").items()}
    wire = {
        **event,
        "headers": headers,
        "rawPath": _route_path(event, gateway, http),
        "requestContext": {
            **gateway,
            "stage": "$default",
            "http": {**http, "method": "GET" if method == "HEAD" else method},
        },
    }
    return wire, method


def _route_path(event: Mapping[str, Any], gateway: dict[str, Any], http: dict[str, Any]) -> str:
    """Behind a named stage the gateway's paths begin with it; behind a custom domain they do not."""
    path = str(event.get("rawPath") or http.get("path") or "/")
    stage = str(gateway.get("stage") or "$default")
    if stage != "$default" and (path == f"/{stage}" or path.startswith(f"/{stage}/")):
        path = path[len(stage) + 1 :] or "/"
    return path


def _object(holder: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = holder.get(name)
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _log(error: Exception) -> None:
    """Refusals are ordinary; what we depend on failing is a warning; anything else is a bug, with its trace."""
    if isinstance(error, DependencyError | LanguageModelError):
        logger.warning("dependency failed", extra={"error": repr(error)})
    elif isinstance(error, ShoppingAgentError) and not isinstance(error, ConfigurationError):
        logger.info("request refused", extra={"error": type(error).__name__})
    else:
        logger.exception("request failed")
