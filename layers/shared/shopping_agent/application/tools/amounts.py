"""How many pieces a line may end with, by what the shopper said: the model proposes a number, this decides."""

from collections.abc import Sequence

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.tools.meant import Meant
from shopping_agent.application.tools.spoken import Spoken
from shopping_agent.application.turn import ActionType
from shopping_agent.domain.conversation import asked_order
from shopping_agent.domain.query import Order


class Amounts:
    """The quantities of one turn. Totals count: what was in the cart as the turn began, and all that it added since.

    Args:
        earlier: the shopper's message before, where this one goes on with it.
    """

    def __init__(
        self,
        context: TurnContext,
        observed: Observations,
        meant: Meant,
        spoken: Spoken,
        earlier: Spoken | None,
    ) -> None:
        self._context = context
        self._observed = observed
        self._meant = meant
        self._spoken = spoken
        self._earlier = earlier

    def allows_more(self, product_id: str, pieces: int) -> bool:
        """Whether pieces may be added."""
        held = self._observed.cart.line(product_id)
        total = (held.quantity if held else 0) + pieces
        orders = self._meant.of("add", product_id)
        allowed = self._totals("add", product_id, orders)
        if total in allowed:
            return True
        return pieces == 1 and total < max(allowed) and self._may_be_one(orders)

    def allows(self, kind: ActionType, product_id: str, total: int) -> bool:
        """Whether a line may be set to a quantity, 0 to remove it."""
        orders = self._meant.of(kind, product_id)
        if kind == "remove" and not orders:
            return True  # what else may remove a line was decided before
        return total in self._totals(kind, product_id, orders)

    def said(self) -> list[int]:
        """The numbers that were said of pieces, for an observation."""
        return sorted(self._numbers())

    def _may_be_one(self, orders: Sequence[Order]) -> bool:
        """Not where two were asked for of a certain product: one would be half of it."""
        if self._spoken.shares_alike:
            return True
        stated = [o.quantity for o in orders if o.name or o.ordinal or o.pronoun]
        return not stated or any(n is None or n < 2 for n in stated) or 1 in self._numbers()

    # --- totals -----------------------------------------------------------------------------------

    def _totals(self, kind: ActionType, product_id: str, orders: Sequence[Order]) -> set[int]:
        line = self._observed.before.line(product_id)
        before = line.quantity if line else 0
        asked = None if self._context.query.orders else asked_order(self._context.pending)
        if asked is not None and product_id in self._context.pending_ids:
            return self._of(asked, before, {asked.quantity or 1})
        if not orders:
            numbers = {1, *self._numbers()}
            return numbers | {before + n for n in numbers} | {before - n for n in numbers}
        found: set[int] = set()
        for order in orders:
            numbers = self._numbers_of(order, orders)
            found |= (
                self._swapped(kind, before, numbers)
                if order.change == "swap"
                else self._of(order, before, numbers)
            )
        if self._spoken.is_triple and any(o.change in ("set", "double") for o in orders):
            found.add(3 * before)
        adding = [o.quantity or 1 for o in orders if o.change in ("add", "more")]
        return found | {before + sum(adding)} if adding else found

    def _of(self, order: Order, before: int, numbers: set[int]) -> set[int]:
        """Where one order may lead from the quantity before it."""
        match order.change:
            case "add":
                return {before + n for n in numbers} | {n for n in numbers if n > before}
            case "more":
                return {before + n for n in numbers}
            case "less":
                left = {max(0, before - n) for n in numbers}
                return left | {0} if order.cheapest or order.ordinal else left
            case "set":
                stated = order.quantity is not None or len(numbers) > 1
                return numbers if stated else {before - 1, before, before + 1, 2 * before}
            case "half":
                return {before // 2, -(-before // 2)}
            case "double":
                return set() if self._spoken.is_triple else {2 * before}
            case _:
                return {0}

    def _swapped(self, kind: ActionType, before: int, numbers: set[int]) -> set[int]:
        """What comes in an exchange comes as often as was said, or as what leaves; what leaves grows less."""
        if kind != "add":
            return set(range(before))
        return {before + n for n in numbers | {x.quantity for x in self._observed.before.items}}

    # --- numbers ----------------------------------------------------------------------------------

    def _numbers_of(self, order: Order, orders: Sequence[Order]) -> set[int]:
        """Numbers that may be an order's: its own, and what no order for another product has for its own."""
        others = [o for o in self._context.query.orders if o not in orders]
        taken = {o.quantity for o in others} if not self._spoken.shares_alike else set[int]()
        free = {n for n in self._numbers() if n not in taken}
        own = order.quantity
        if own is not None and len(self._spoken.counts) < 2 and not self._spoken.shares_alike:
            return {own}
        return (
            free
            | {1 if own is None or self._spoken.shares_alike else own}
            | (set() if own is None else {own})
        )

    def _numbers(self) -> set[int]:
        query = self._context.query
        stated = {query.quantity, *(order.quantity for order in query.orders)}
        kept = (self._context.pending or {}).get("arguments", {}).get("quantity")
        earlier = self._earlier.quantities if self._earlier else frozenset[int]()
        stated |= {kept if isinstance(kept, int) else None}
        return {n for n in stated if n is not None} | self._spoken.quantities | earlier
