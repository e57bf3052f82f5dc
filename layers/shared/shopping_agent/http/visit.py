"""One request on its way through the edge: its event, its route, and who asks."""

from dataclasses import field
from typing import Any, Literal

from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge
from shopping_agent.domain.values import frozen
from shopping_agent.errors import UnauthorizedError
from shopping_agent.http.identity import Identity

Access = Literal["page", "public", "signed", "operator", "guest", "bearer"]
"""`page`: a file, nobody is asked. `public`: anybody, counted by address. `signed`: the route checks a signature of its
own, `operator`: the operator's token. `guest`: the bearer's shopper, or a new guest. `bearer`: nobody without one."""


@frozen
class HttpEvent:
    """A request.

    Attributes:
        path: without the stage, still encoded where the gateway left it so.
        raw_event: the event itself, its header names in lower case.
    """

    method: str = ""
    path: str = "/"
    raw_event: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def headers(self) -> dict[str, str]:
        return self.raw_event["headers"]


@frozen
class RouteRules:
    """What a route asks of those who come.

    Attributes:
        path: with `<names>`.
        keyed: an Idempotency-Key means something here.
        turn: a chat turn: it counts as one.
        counts_itself: the limits are counted in the route's own first round trip.
    """

    method: str
    path: str
    access: Access = "page"
    keyed: bool = True
    turn: bool = False
    counts_itself: bool = False


@frozen
class Visit:
    """What is known of a request when its route begins.

    Attributes:
        operation_id: the same for every repetition of a request with an Idempotency-Key; empty without one.
        charges: limits still to be counted, by the route itself.
    """

    deadline: Deadline
    identity: Identity | None = None
    operation_id: str = ""
    charges: tuple[Charge, ...] = ()

    @property
    def who(self) -> Identity:
        """Whose request it is, on routes that ask.

        Raises:
            UnauthorizedError: the route lets anybody in.
        """
        if self.identity is None:
            raise UnauthorizedError("Send the session's token as a bearer.")
        return self.identity
