"""What every request passes before its route: who asks, whether it may, and whether it was answered before."""

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Any, Final

from shopping_agent.application.identities import Identities
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge, LimitName, Limits, charges
from shopping_agent.errors import InvalidFieldError, MalformedRequestError
from shopping_agent.http.identity import Identity, bearer, identify, identify_or_mint
from shopping_agent.http.response import Response
from shopping_agent.http.visit import HttpEvent, RouteRules, Visit

if TYPE_CHECKING:
    from shopping_agent.ports import IdempotencyStore, RateLimiter

KEY_HEADER: Final = "idempotency-key"
MAX_KEY_CHARACTERS: Final = 255
_METHODS: Final = frozenset({"POST", "PATCH", "PUT", "DELETE"})
_WITHOUT_BEARER: Final = (
    "An Idempotency-Key needs a bearer: without one nobody could be told apart."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrance:
    """The order: identity, Idempotency-Key, limits. A request that is refused changes nothing.

    Attributes:
        records: asked for when a key comes.
    """

    identities: Identities
    limiter: "RateLimiter"
    records: "Callable[[], IdempotencyStore]"
    limits: Limits

    def enter(
        self,
        event: HttpEvent,
        rules: RouteRules,
        deadline: Deadline,
        respond: Callable[[Visit], Response],
    ) -> Response:
        """The route's reply, or the one that was stored.

        Args:
            respond: runs the route; it answers errors too, and raises nothing.

        Raises:
            UnauthorizedError, MalformedRequestError, InvalidFieldError, PayloadTooLargeError: it may not enter.
            TooManyRequestsError: a limit is reached.
            InProgressError: the same request is being answered.
        """
        key = key_of(event, rules)
        if key is not None and rules.access != "bearer" and bearer(event.headers) is None:
            raise MalformedRequestError(_WITHOUT_BEARER, code="idempotency_key_refused")
        identity = self._identify(event, rules, deadline, keyed=key is not None)
        due = self._charges(event, rules, identity)
        if key is None or identity is None:
            if not rules.counts_itself:
                self.limiter.admit(due, deadline)
                due = ()
            return respond(Visit(deadline, identity, charges=due))
        return self._once(key, event, rules, identity, deadline, due, respond)

    def _once(
        self,
        key: str,
        event: HttpEvent,
        rules: RouteRules,
        identity: Identity,
        deadline: Deadline,
        due: tuple[Charge, ...],
        respond: Callable[[Visit], Response],
    ) -> Response:
        # Few requests bring a key: the others need none of this at a cold start.
        from shopping_agent.http.idempotent import Once, operation_of, request_key

        asked = request_key(key, event, rules, identity.shopper.id)
        visit = Visit(deadline, identity, operation_id=operation_of(asked))
        return Once(self.records(), asked, deadline).run(lambda: respond(visit), due)

    def _identify(
        self, event: HttpEvent, rules: RouteRules, deadline: Deadline, *, keyed: bool
    ) -> Identity | None:
        if rules.access == "guest":
            return identify_or_mint(event.headers, self.identities, deadline)
        if rules.access == "bearer" or keyed:
            return identify(event.headers, self.identities, deadline)
        return None

    def _charges(
        self, event: HttpEvent, rules: RouteRules, identity: Identity | None
    ) -> tuple[Charge, ...]:
        whose: dict[LimitName, str] = {"store": "all"}
        if address := source_network(event.raw_event):
            whose["ip"] = address
        if identity is not None:
            whose["session"] = identity.shopper.id
            if rules.turn:
                whose["turns"] = identity.shopper.id
        return charges(self.limits, whose)


def key_of(event: HttpEvent, rules: RouteRules) -> str | None:
    """The request's key; None where none was sent, or none means anything.

    Raises:
        MalformedRequestError: this route takes none.
        InvalidFieldError: not 1 to 255 visible ASCII characters.
    """
    if event.method not in _METHODS or KEY_HEADER not in event.headers:
        return None
    if not rules.keyed:
        raise MalformedRequestError(
            "This route takes no Idempotency-Key.", code="idempotency_key_refused"
        )
    key = str(event.headers[KEY_HEADER])
    if not 0 < len(key) <= MAX_KEY_CHARACTERS or not all("!" <= c <= "~" for c in key):
        raise InvalidFieldError(
            f"Idempotency-Key: 1 to {MAX_KEY_CHARACTERS} visible ASCII characters.",
            code="invalid_idempotency_key",
            field="Idempotency-Key",
        )
    return key


def source_network(event: dict[str, Any]) -> str:
    """The address that the gateway saw; of IPv6 the /64 that one subscriber has. Never what a header says."""
    try:
        address = ip_address(str(event["requestContext"]["http"]["sourceIp"]))
    except (LookupError, TypeError, ValueError):
        return ""
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped or ip_network((address, 64), strict=False))
    return str(address)
