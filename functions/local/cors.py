"""CORS as API Gateway's HTTP API does it: it answers preflights itself and owns the access-control headers."""

from collections.abc import Sequence
from dataclasses import dataclass

from functions.local.http_event import HttpRequest, HttpResponse

METHODS = "DELETE,GET,OPTIONS,PATCH,POST"
HEADERS = "authorization,content-type,idempotency-key,if-match"
EXPOSED = "etag,idempotency-replayed,retry-after,x-request-id,x-session-token"
MAX_AGE_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Cors:
    """`origins` as in CORS_ORIGINS: addresses, or one `*`."""

    origins: Sequence[str]

    @classmethod
    def of(cls, setting: str) -> "Cors":
        """From a comma-separated setting; empty means that no other origin may call."""
        return cls([origin.strip() for origin in setting.split(",") if origin.strip()])

    def preflight(self, request: HttpRequest) -> HttpResponse | None:
        """The answer to a preflight; None when the request is none."""
        asks = request.header("origin") and request.header("access-control-request-method")
        if request.method != "OPTIONS" or not asks:
            return None
        allowed = self._allowed(request)
        if not allowed:
            return HttpResponse(status=204)
        return HttpResponse(
            status=204,
            headers=[
                *allowed,
                ("access-control-allow-methods", METHODS),
                ("access-control-allow-headers", HEADERS),
                ("access-control-max-age", str(MAX_AGE_SECONDS)),
            ],
        )

    def apply(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The response with the gateway's own access-control headers, whatever the function sent."""
        own = self._allowed(request)
        if own:
            own.append(("access-control-expose-headers", EXPOSED))
        kept = [(n, v) for n, v in response.headers if not n.startswith("access-control-")]
        return HttpResponse(response.status, [*kept, *own], response.body, response.request_id)

    def _allowed(self, request: HttpRequest) -> list[tuple[str, str]]:
        origin = request.header("origin")
        if not origin:
            return []
        if "*" in self.origins:
            return [("access-control-allow-origin", "*")]
        if origin in self.origins:
            return [("access-control-allow-origin", origin), ("vary", "origin")]
        return []
