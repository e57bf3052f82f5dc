"""Who asks, how often, and once only."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from shopping_agent.domain.conversation import (
    Shopper,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge
from shopping_agent.domain.values import frozen


class TokenVerifier(Protocol):
    """The shop's own users, by the tokens of their identity provider."""

    def verify(self, token: str, deadline: Deadline) -> Shopper:
        """The user of a token.

        Raises:
            UnauthorizedError: not one of the provider's for us, altered, or out of its time.
            IdentityUnavailableError: the provider's keys cannot be had.
        """
        ...


class RateLimiter(Protocol):
    """Counters of what was asked; they expire by themselves."""

    def admit(self, charges: Sequence[Charge], deadline: Deadline) -> None:
        """Count all the charges, or none.

        Raises:
            TooManyRequestsError: a limit is reached; `code` names it.
        """
        ...


@frozen
class RequestKey:
    """One Idempotency-Key.

    Attributes:
        name: of the key with its method and route.
        fingerprint: of what is asked: a key may not be used for something else.
    """

    shopper_id: str
    name: str
    fingerprint: str


@frozen
class StoredReply:
    """A reply as it was first given."""

    status: int
    headers: Mapping[str, str]
    body: str


@frozen
class Attempt:
    """What is known of a key: `started` means that it is now ours to run.

    Attributes:
        seconds_left: of the lease of the request that runs.
    """

    state: Literal["started", "running", "finished", "other"]
    reply: StoredReply | None = None
    seconds_left: float = 0.0


class IdempotencyStore(Protocol):
    """Requests that are to happen once. A lease that is over may be taken by the next one who asks."""

    def begin(
        self,
        key: RequestKey,
        owner: str,
        lease_seconds: float,
        deadline: Deadline,
        *,
        charges: Sequence[Charge] = (),
    ) -> Attempt:
        """Take the key for `owner`; `charges` are counted if, and only if, it starts.

        Raises:
            TooManyRequestsError: a limit is reached; nothing was started.
        """
        ...

    def finish(
        self, key: RequestKey, owner: str, reply: StoredReply | None, deadline: Deadline
    ) -> None:
        """Keep the reply, or with None (or one too large) forget the attempt; nothing if another owner took over."""
        ...
