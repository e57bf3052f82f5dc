"""What a turn changes, written down with each change: sent again, it makes none of them twice, whatever a model decides."""

import json
from collections.abc import Sequence
from typing import Any

from shopping_agent.application.turn import ActionType, CartAction
from shopping_agent.domain.operation import JournalEntry, Operation, TurnRecord
from shopping_agent.domain.values import frozen
from shopping_agent.errors import StateUnavailableError


@frozen
class Change:
    """A change of the cart that was made. `name` as the cart knew the product."""

    action: CartAction
    name: str


class TurnJournal:
    """The changes of one turn, over all attempts at it.

    The n-th change that this attempt proposes is the n-th one that was made before, if there was one: the turn was
    decided then. What was made before is also never made again by another place in the order.
    """

    def __init__(self, turn_id: str, record: TurnRecord | None = None) -> None:
        record = record or TurnRecord()
        self.attempt = record.attempt
        self.earlier: Sequence[Change] = [_change(record.writes[n]) for n in sorted(record.writes)]
        self._turn_id = turn_id
        self._unclaimed = list(self.earlier)
        self._last = max(record.writes, default=0)

    def product_ids(self) -> list[str]:
        """Products that an earlier attempt changed in the cart."""
        return [c.action.product_id for c in self.earlier if c.action.product_id]

    def already(self, kind: ActionType, product_id: str | None) -> Change | None:
        """The change of an earlier attempt that stands for this proposal."""
        unclaimed = self._unclaimed
        found = next((c for c in unclaimed if _is(c, kind, product_id)), None)
        if found is None:
            found = next((c for c in self.earlier if _is(c, kind, product_id)), None)
            if found is not None or not unclaimed:
                return found
            found = unclaimed[0]
        unclaimed.remove(found)
        return found

    def operation(self, change: Change) -> Operation:
        """The name of the next change, and the entry that is written with it."""
        self._last += 1
        action = change.action
        name = (
            f"{self._turn_id}\n{self._last}\n{action.type}\n{action.product_id}\n{action.quantity}"
        )
        if self.attempt == 0:
            return Operation(name)
        return Operation(name, JournalEntry(self._turn_id, self.attempt, self._last, _text(change)))


def _is(change: Change, kind: ActionType, product_id: str | None) -> bool:
    return change.action.type == kind and change.action.product_id == product_id


def _text(change: Change) -> str:
    action = change.action
    fields = [action.type, action.product_id, action.quantity, change.name]
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _change(text: str) -> Change:
    try:
        fields: list[Any] = json.loads(text)
        kind, product_id, quantity, name = fields
        return Change(CartAction(kind, product_id, quantity), name)
    except (ValueError, TypeError) as error:
        raise StateUnavailableError("redis holds an unreadable journal") from error
