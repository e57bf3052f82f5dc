"""What the OpenAPI document says of one route, and of the problems that routes may answer."""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

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
NO_CHECKOUT = Failure(
    409,
    "The cart may not go to the checkout: `empty_cart`, `lines_unavailable`, `version_conflict`, `checkout_off`, "
    "`checkout_unmapped` or `checkout_too_large`.",
    "lines_unavailable",
)
UNKNOWN_HANDOFF = Failure(404, "No such hand-off, or one that has expired.", "unknown_handoff")
BAD_SIGNATURE = Failure(
    401, "The signature does not verify, or is not of the last five minutes.", "unauthorized"
)
NO_OPERATOR = Failure(404, "The shop has no operator's token, so no such page.", "not_found")
TOO_LARGE = Failure(413, "The body is too large.", "payload_too_large")
INVALID = Failure(422, "A field is wrong; `field` names it.", "invalid_field")
BUSY = Failure(
    409,
    "The first request with this Idempotency-Key still runs; come again after `Retry-After`.",
    "request_in_progress",
)
KEY_REFUSED = Failure(
    400,
    "An Idempotency-Key came without a bearer, or where none is taken.",
    "idempotency_key_refused",
)
KEY_REUSED = Failure(
    422,
    "The Idempotency-Key is malformed, or was used for another request.",
    "idempotency_key_reused",
)
LIMITED = Failure(
    429,
    "A limit is reached: `session_limit`, `ip_limit`, `store_limit` or `turns_limit`; come again after `Retry-After`.",
    "session_limit",
)
FORBIDDEN = Failure(403, "This bearer may not do this.", "forbidden")
UNAVAILABLE = Failure(
    503, "Something we depend on is down; `dependency` names it.", "redis_unavailable"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRoute:
    """One route. `text_reply` is the media type of a reply that is not JSON.

    Attributes:
        bearer: `optional` mints a guest when none is sent, `operator` is a token of the shop's, `none` ignores it.
        keyed: takes an Idempotency-Key, if it is no GET.
        versioned: takes `If-Match`, and answers an `ETag`.
        named: path parameters with their descriptions.
        headers: headers that must be sent, with their descriptions.
        failures: those of its own; `all_failures` adds what every route of its kind may answer.
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
    headers: tuple[tuple[str, str], ...] = ()
    bearer: Literal["optional", "required", "operator", "none"] = "none"
    keyed: bool = True
    versioned: bool = False
    failures: tuple[Failure, ...] = ()

    @property
    def is_page(self) -> bool:
        return self.text_reply is not None or self.path == "/api/v1/health"

    @property
    def takes_key(self) -> bool:
        return self.keyed and self.method != "GET"

    def all_failures(self) -> dict[int, list[Failure]]:
        """Every problem that it may answer, by status."""
        found = list(self.failures)
        if self.body is not None:
            found += [MALFORMED, TOO_LARGE, INVALID]
        if self.bearer != "none" or self.takes_key:
            found.append(BAD_BEARER)
        if self.takes_key:
            found += [KEY_REFUSED, BUSY, TOO_LARGE, KEY_REUSED]
        elif self.method != "GET":
            found.append(KEY_REFUSED)
        if not self.is_page:
            found += [LIMITED, UNAVAILABLE]
        by_status: dict[int, list[Failure]] = {}
        for failure in dict.fromkeys(found):
            by_status.setdefault(failure.status, []).append(failure)
        return dict(sorted(by_status.items()))
