"""What a turn loads and leaves, and what is kept of a shopper."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol

from shopping_agent.domain.cart import Cart
from shopping_agent.domain.conversation import (
    Conversation,
    JsonObject,
    Shopper,
)
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.limits import Charge
from shopping_agent.domain.operation import FinishedTurn, TurnClaim, TurnRecord
from shopping_agent.domain.progress import TurnStep
from shopping_agent.domain.statistics import Tally
from shopping_agent.domain.values import frozen


@frozen
class TurnState:
    """All that a turn needs from Redis, loaded in one round trip.

    Attributes:
        record: of a turn that was claimed.
        history_lost: what was stored of the conversation is, in part or whole, not readable.
    """

    cart: Cart
    conversation: Conversation
    names: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    record: TurnRecord | None = None
    history_lost: bool = False


class TurnStore(Protocol):
    """Conversation state of a session."""

    def load(
        self,
        shopper: Shopper,
        name_keys: Sequence[str],
        deadline: Deadline,
        *,
        charges: Sequence[Charge] = (),
        claim: TurnClaim | None = None,
    ) -> TurnState:
        """Cart, conversation and, of the normalised `name_keys`, those that are product names -> ids.

        Args:
            claim: makes the turn this attempt's, so that its changes can be written down.

        Raises:
            InProgressError: another attempt at the turn still runs.
            InvalidFieldError: the turn's id was used for another message.
            TooManyRequestsError: one of the limits that `charges` count towards is reached.
        """
        ...

    def save(
        self,
        shopper: Shopper,
        before: Conversation,
        after: Conversation,
        deadline: Deadline,
        *,
        finished: FinishedTurn | None = None,
        tally: Tally | None = None,
    ) -> None:
        """Add to the conversation what a turn changed of it, beside what other turns do at the same time.

        Args:
            before: as the turn loaded it; if it was erased since, nothing is added.
            finished: keeps the reply of a turn that was claimed, unless another attempt took it over.
            tally: is added to the statistics of the day, in the same round trip.
        """
        ...

    def release(self, shopper: Shopper, claim: TurnClaim, deadline: Deadline) -> None:
        """Let a turn that failed be tried again at once."""
        ...


@frozen
class StepsSoFar:
    """Steps of a turn, in order. `done`: the turn has its answer."""

    steps: tuple[TurnStep, ...] = ()
    done: bool = False


class TurnSteps(Protocol):
    """What running turns are doing, for some minutes."""

    def add(
        self,
        shopper: Shopper,
        turn_id: str,
        steps: Sequence[TurnStep],
        *,
        done: bool,
        deadline: Deadline,
    ) -> None:
        """Add steps; the first one of a turn replaces what an earlier attempt at it left."""
        ...

    def read(
        self,
        shopper: Shopper,
        turn_id: str,
        after: int,
        deadline: Deadline,
        *,
        charges: Sequence[Charge] = (),
    ) -> StepsSoFar:
        """The steps with a number above `after`; nothing of a turn that is unknown, or another shopper's.

        Raises:
            TooManyRequestsError: one of the limits that `charges` count towards is reached.
        """
        ...


class Recordings(Protocol):
    """What was said in turns, for some hours."""

    def keep(
        self,
        shopper: Shopper,
        turn_id: str,
        document: JsonObject,
        *,
        known: str,
        seconds: int,
        deadline: Deadline,
    ) -> None:
        """Keep a turn's recording, unless the shopper's conversation was erased since.

        Args:
            known: generation of the conversation as the turn loaded it.
        """
        ...

    def find(self, turn_id: str, deadline: Deadline) -> JsonObject | None:
        """The recording of a turn; None when there is none any more."""
        ...


@frozen
class KeptRecord:
    """One thing kept of a shopper.

    Attributes:
        kind: of what sort; `holds` says it in words.
        seconds_left: until it is forgotten, at most.
        data: what is kept, as JSON.
    """

    key: str
    kind: str
    holds: str
    seconds_left: int | None
    data: Any


@frozen
class KeptPage:
    """A part of what is kept; the last page has no cursor."""

    records: tuple[KeptRecord, ...]
    next_cursor: str | None = None


class ShopperRecords(Protocol):
    """All that is kept of one shopper, whoever keeps it."""

    def export(self, shopper: Shopper, cursor: str, deadline: Deadline) -> KeptPage:
        """A page of it, after the cursor of the page before ("" for the first)."""
        ...

    def erase(self, shopper: Shopper, deadline: Deadline) -> None:
        """All of it goes, and no turn that still runs brings a part of it back. May be repeated."""
        ...
