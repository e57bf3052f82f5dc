"""`Idempotency-Key`: a request that is sent again under its key is answered as it was the first time."""

import json
import math
import secrets
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final, cast

from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge
from shopping_agent.domain.values import frozen
from shopping_agent.errors import (
    InProgressError,
    InvalidFieldError,
    StateUnavailableError,
)
from shopping_agent.http.bodies import raw_body
from shopping_agent.http.response import Response
from shopping_agent.http.visit import HttpEvent, RouteRules
from shopping_agent.observability import count, logger
from shopping_agent.ports import IdempotencyStore, RequestKey, StoredReply

REPLAYED_HEADER: Final = "Idempotency-Replayed"
FINISH_SECONDS: Final = 2.0
LEASE_MARGIN_SECONDS: Final = 3.0
"""Beyond the request's deadline: storing the reply, and clocks that differ."""
MOST_WAIT_SECONDS: Final = 2


def request_key(key: str, event: HttpEvent, rules: RouteRules, shopper_id: str) -> RequestKey:
    """The key within its shopper, method and route, and the fingerprint of all that is asked.

    Raises:
        MalformedRequestError, PayloadTooLargeError: the body cannot be read.
    """
    body = raw_body(event.raw_event)
    asked = [event.path, event.raw_event.get("rawQueryString") or _query(event)]
    return RequestKey(
        shopper_id=shopper_id,
        name=_digest(f"{rules.method} {rules.path}\n{key}".encode()),
        fingerprint=_digest(json.dumps(asked).encode() + b"\n" + body),
    )


def operation_of(key: RequestKey) -> str:
    """The id that everything which the request changes is known by, however often it runs."""
    return f"r{_digest(f'{key.shopper_id} {key.name}'.encode())}"


@frozen
class Once:
    """Runs a request once for each key."""

    records: IdempotencyStore
    key: RequestKey
    deadline: Deadline

    def run(self, respond: Callable[[], Response], charges: Sequence[Charge]) -> Response:
        """The reply: of this run, or of the one that was first.

        Raises:
            InProgressError: the first one still runs.
            InvalidFieldError: the key was used for something else.
            TooManyRequestsError: a limit is reached.
        """
        owner = secrets.token_hex(8)
        lease = self.deadline.remaining() + LEASE_MARGIN_SECONDS
        begun = self.records.begin(self.key, owner, lease, self.deadline, charges=charges)
        if begun.state == "other":
            raise InvalidFieldError(
                "This Idempotency-Key was used for another request.",
                code="idempotency_key_reused",
                field="Idempotency-Key",
            )
        if begun.state == "running":
            raise InProgressError(
                "The first request with this Idempotency-Key still runs.",
                code="request_in_progress",
                retry_after=max(1, min(MOST_WAIT_SECONDS, math.ceil(begun.seconds_left))),
            )
        if begun.reply is not None:
            count("RequestsReplayed")
            stored = begun.reply
            headers = {**stored.headers, REPLAYED_HEADER: "true"}
            return Response(stored.status, stored.body, headers=headers)
        reply = respond()
        self._finish(owner, reply)
        return reply

    def _finish(self, owner: str, reply: Response) -> None:
        """Keep the reply. What was done stays done: a failure here does not take the answer away."""
        try:
            self.records.finish(
                self.key, owner, stored_reply(reply), Deadline.after(FINISH_SECONDS)
            )
        except StateUnavailableError as error:
            count("RepliesNotKept")
            logger.warning("reply not kept", extra={"error": repr(error)})


def stored_reply(reply: Response) -> StoredReply | None:
    """What is kept of a reply; nothing of those that another try could turn out better."""
    passing = reply.status == 429 or reply.status >= 500 or "Retry-After" in reply.headers
    if passing or not isinstance(reply.body, str):
        return None
    headers = dict(reply.headers)
    if reply.content_type:
        headers["Content-Type"] = reply.content_type
    return StoredReply(reply.status, headers, reply.kept or reply.body)


def _query(event: HttpEvent) -> list[tuple[str, str]]:
    given = cast(dict[str, str], event.raw_event.get("queryStringParameters") or {})
    return sorted(given.items())


def _digest(text: bytes) -> str:
    return sha256(text).hexdigest()[:32]
