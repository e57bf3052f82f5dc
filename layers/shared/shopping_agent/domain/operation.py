"""One change, and one turn, as its request names it: sent again under the same id it changes nothing a second time."""

from collections.abc import Mapping
from dataclasses import field
from hashlib import sha256

from shopping_agent.domain.values import frozen


@frozen
class JournalEntry:
    """Where a turn writes down a change, in the same step as the change itself.

    Attributes:
        attempt: which attempt at the turn this is; a later one takes the journal over.
        ordinal: 1 for the turn's first change.
        text: what is written down.
    """

    turn_id: str
    attempt: int
    ordinal: int
    text: str


@frozen
class Operation:
    """A change's name.

    Attributes:
        id: any text; the same id on the same cart is the same change.
        entry: the turn's, when a turn makes the change.
    """

    id: str
    entry: JournalEntry | None = None


@frozen
class TurnClaim:
    """A turn that its client may send again, and the attempt at it that asks to run.

    Attributes:
        message: what the turn was sent with: the id may not be used for another one.
        holder: of this attempt alone.
        seconds: how long the attempt may take; afterwards it counts as dead.
    """

    turn_id: str
    message: str
    holder: str
    seconds: float


@frozen
class TurnRecord:
    """What is known of a turn that was claimed.

    Attributes:
        attempt: number of this attempt.
        writes: by ordinal, what earlier attempts wrote down with each change.
        reply: of the attempt that finished, as it was kept.
    """

    attempt: int = 0
    writes: Mapping[int, str] = field(default_factory=dict[int, str])
    reply: str | None = None


@frozen
class FinishedTurn:
    """The end of an attempt: the reply to give whoever sends the turn again."""

    turn_id: str
    attempt: int
    reply: str


def turn_name(turn_id: str) -> str:
    """What a turn is called inside. A client's id may say anything: keys and logs have its digest."""
    return sha256(turn_id.encode()).hexdigest()[:32]
