"""Which products each order of a message means, resolved by our code: names with sizes, places, superlatives, pronouns."""

from collections.abc import Iterable, Mapping
from typing import Final

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.tools.cart_lines import (
    by_kind,
    by_price,
    by_traits,
    by_words,
    traits,
)
from shopping_agent.application.tools.spoken import Spoken
from shopping_agent.application.turn import ActionType
from shopping_agent.domain.cart import CartLine
from shopping_agent.domain.query import Change, Order
from shopping_agent.domain.text import family_key, name_key

CHANGES: Final[Mapping[ActionType, frozenset[Change]]] = {
    "add": frozenset({"add", "set", "more", "double", "swap"}),
    "update": frozenset({"add", "set", "more", "less", "half", "double", "remove", "swap"}),
    "remove": frozenset({"less", "remove", "keep", "clear", "swap"}),
    "clear": frozenset({"clear"}),
}
# Orders that are about lines of the cart wherever one is there.
_OF_LINES: Final = frozenset({"set", "more", "less", "half", "double", "remove"})

Ids = frozenset[str] | None  # None: the words leave it open


class Meant:
    """The products of the orders of one turn."""

    def __init__(self, context: TurnContext, observed: Observations, spoken: Spoken) -> None:
        self._context = context
        self._observed = observed
        self._spoken = spoken

    def orders(self, kind: ActionType) -> list[Order]:
        """Orders that such a change can carry out."""
        return [
            o
            for o in self._context.query.orders
            if o.change in CHANGES[kind] or (kind == "remove" and o.quantity == 0)
        ]

    def of(self, kind: ActionType, product_id: str) -> list[Order]:
        """The orders of a kind that mean a product; where none does, those that leave open what they mean."""
        resolved = [(order, self.ids(kind, order)) for order in self.orders(kind)]
        certain = [order for order, ids in resolved if ids is not None and product_id in ids]
        return certain or [order for order, ids in resolved if ids is None]

    def is_certain(self, kind: ActionType, product_id: str) -> bool:
        """Whether an order of the message means this very product."""
        orders = ((order, self.ids(kind, order)) for order in self.orders(kind))
        return any(ids is not None and product_id in ids for _, ids in orders)

    def forbids(self, kind: ActionType, product_id: str) -> bool:
        """Whether the message orders such a change, and of other products only."""
        orders = self.orders(kind)
        if kind == "remove" and any(o.change == "keep" for o in orders):
            return False
        return bool(orders) and not self.of(kind, product_id)

    def ids(self, kind: ActionType, order: Order) -> Ids:
        """What one order means for a kind of change."""
        if order.change == "swap":
            return self._coming(order) if kind == "add" else self._leaving()
        if order.change in ("clear", "keep"):
            return None
        if order.name:
            return self._named(order, order.name)
        if order.change in _OF_LINES and self._lines:
            return self._of_lines(order)
        return self._of_cards(order)

    def kept(self) -> frozenset[str]:
        """Lines that shall stay where all others go."""
        keeping = [o for o in self._context.query.orders if o.change == "keep"]
        found = (self._named(o, o.name) if o.name else self._of_lines(o) for o in keeping)
        return frozenset(i for ids in found for i in ids or ())

    # --- names ------------------------------------------------------------------------------------

    @property
    def _lines(self) -> tuple[CartLine, ...]:
        return self._observed.before.items

    def _named(self, order: Order, name: str) -> frozenset[str]:
        """Every product of a name, in the size that was said with it."""
        key, family = name_key(name), family_key(name)
        known = self._names()
        if key != family:
            exact = frozenset(i for i, n in known.items() if name_key(n) == key)
            if exact:
                return exact
        of_family = {i for i, n in known.items() if family_key(n) == family}
        of_family |= {*self._context.names.get(key, ()), *self._context.names.get(family, ())}
        sizes = self._sizes(order)
        sized = frozenset(i for i in of_family if self._size(i) in sizes)
        return sized if sizes else frozenset(of_family)

    def _names(self) -> dict[str, str]:
        names = {p.id: p.name for p in self._observed.products.values()}
        return names | {line.product_id: line.name for line in self._lines}

    def _sizes(self, order: Order) -> frozenset[int]:
        """Sizes said of an order's product: its own, else those of a message that names one product."""
        families = {family_key(r.name) for r in self._context.query.references}
        if len(families) == 1:
            own = frozenset({order.size_ml} - {None})
            alone = len(self._context.query.orders) == 1
            return self._spoken.sizes if alone else own  # pyright: ignore[reportReturnType]
        return frozenset() if order.size_ml is None else frozenset({order.size_ml})

    def _size(self, product_id: str) -> int | None:
        product = self._observed.products.get(product_id)
        return product.size_ml if product else None

    # --- cards and what was talked about ----------------------------------------------------------

    def _of_cards(self, order: Order) -> Ids:
        context = self._context
        if order.ordinal is not None:
            placed = context.at(order.ordinal)
            return frozenset() if placed is None and self._others(order) else _some(placed)
        if order.pronoun and not context.query.delegated:
            named = self.references()
            return frozenset({*context.pointed_at(), *named}) or None
        return None

    def _others(self, order: Order) -> bool:
        return any(o is not order and o.points for o in self._context.query.orders)

    def exact_names(self) -> list[str]:
        return [r.name for r in self._context.query.references if r.score >= 1.0]

    def is_named(self, product_id: str, name: str, exact: Iterable[str]) -> bool:
        """Whether a product carries one of the names, or is a size of what one of them names."""
        return any(
            product_id in self._context.names.get(name_key(given), ())
            or family_key(name) == family_key(given)
            for given in exact
        )

    def references(self) -> frozenset[str]:
        """Every product that the message names, in whatever spelling."""
        names = [r.name for r in self._context.query.references]
        return frozenset(i for n in names for i in self._named(Order("add", n), n))

    # --- lines of the cart ------------------------------------------------------------------------

    def _of_lines(self, order: Order) -> Ids:
        held = {line.product_id for line in self._lines}
        if order.ordinal is not None:
            return self._placed_line(order.ordinal, held)
        if order.cheapest or self._spoken.is_dearest:
            return by_price(self._lines, dearest=not order.cheapest)
        if order.both or order.other:
            return None
        described = by_words(self._lines, order.unknown or self._context.query.text)
        if described or order.unknown:
            return described
        query = self._context.query
        if query.wishes() and not query.pronoun:
            return by_kind(self._lines, query.kind, self._spoken.vocabulary) or None
        return self._talked_about(held)

    def _placed_line(self, ordinal: int, held: set[str]) -> Ids:
        """The product shown at a place if it is in the cart, else the line at that place."""
        shown = self._context.at(ordinal)
        if shown in held:
            return _some(shown)
        index = ordinal - 1 if ordinal > 0 else len(self._lines) + ordinal
        inside = 0 <= index < len(self._lines)
        return frozenset({self._lines[index].product_id}) if inside else frozenset()

    def _talked_about(self, held: set[str]) -> Ids:
        context, conversation = self._context, self._context.conversation
        focus = {conversation.focus.id} if conversation.focus else set[str]()
        near = {
            *context.pointed_at(),
            *focus,
            *conversation.added,
            *context.pending_ids,
            *self.references(),
        }
        meant = frozenset(near & held)
        if meant or len(self._lines) > 1:
            return meant
        return frozenset() if context.query.pronoun and focus else frozenset(held)

    # --- exchanges --------------------------------------------------------------------------------

    def _exchanged(self) -> list[frozenset[str]]:
        orders = [o for o in self._context.query.orders if o.change == "swap"]
        return [
            self._named(o, o.name) if o.name else self._at(o.ordinal) or frozenset[str]()
            for o in orders
        ]

    def _at(self, ordinal: int | None) -> Ids:
        return None if ordinal is None else _some(self._context.at(ordinal))

    def _leaving(self) -> Ids:
        """What leaves in an exchange: the line named, else the one talked about."""
        held = {line.product_id for line in self._lines}
        named = frozenset(i for ids in self._exchanged() for i in ids & held)
        near = {*self._context.leaving(), *self._context.pointed_at()} & held
        coming = [ids for ids in self._exchanged() if ids and not ids & held]
        if named and (coming or not near):
            return named
        described = self._described()
        if described is not None:
            return described
        return frozenset(near | named) or (frozenset(held) if len(held) == 1 else None)

    def _described(self) -> Ids:
        """`The vanilla one`, where the message names what comes: the lines described; none if it describes another."""
        query = self._context.query
        if query.pronoun or not query.references:
            return None
        by_name = by_words(self._lines, query.beside_names())
        if by_name:
            return by_name
        products = self._observed.products
        known = [products[i] for i in self.references() if i in products]
        wished = {*query.notes, *query.families}.difference(*map(traits, known))
        return by_traits(self._lines, wished, products) if wished else None

    def _coming(self, order: Order) -> Ids:
        """What comes in an exchange: what is named and not in the cart; open where nothing is."""
        held = {line.product_id for line in self._lines}
        named = self._exchanged()
        coming = [ids for ids in named if ids and not ids <= held]
        if coming and not order.other and not self._spoken.sizes:
            return frozenset(i for ids in coming for i in ids)
        both = [ids for ids in named if ids]
        if len(both) > 1:
            return frozenset(i for ids in both for i in ids)
        if self._spoken.sizes and not order.other:
            return self._in_other_size()
        # "Swap the first for that": what was talked about comes, where it is not what leaves.
        return frozenset(set(self._context.pointed_at()) - held) or None

    def _in_other_size(self) -> Ids:
        """`The 30 ml instead`: what leaves, or was talked about, in the size said."""
        named = self.references() | (self._leaving() or frozenset[str]())
        families = {family_key(n) for i, n in self._names().items() if i in named}
        sized = [i for i, n in self._names().items() if family_key(n) in families]
        return frozenset(i for i in sized if self._size(i) in self._spoken.sizes) or None


def _some(product_id: str | None) -> Ids:
    return None if product_id is None else frozenset({product_id})
