"""One change as its request names it: sent again under the same id it changes nothing a second time."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Operation:
    """A change's name.

    Attributes:
        id: any text; the same id on the same cart is the same change.
        entry: the turn's, when a turn makes the change.
    """

    id: str
    entry: JournalEntry | None = None
