"""Whether a change follows from what the shopper said: a model that obeys a text it has read can do no more than that."""

import re
from collections.abc import Iterable, Mapping
from math import prod
from typing import Final

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.turn import ActionType
from shopping_agent.domain.cart import CartLine
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.query import Action, Change
from shopping_agent.domain.text import family_key, fold, name_key
from shopping_agent.domain.vocabulary import Vocabulary

_ACTIONS: Final[Mapping[ActionType, frozenset[Action]]] = {
    "add": frozenset({"add", "update"}),
    "update": frozenset({"add", "update", "remove"}),
    "remove": frozenset({"remove", "clear"}),
    "clear": frozenset({"clear"}),
}
_CHANGES: Final[Mapping[ActionType, frozenset[Change]]] = {
    "add": frozenset({"add", "set", "more", "swap"}),
    "update": frozenset({"add", "set", "more", "less", "remove", "swap"}),
    "remove": frozenset({"less", "remove", "keep", "clear", "swap"}),
    "clear": frozenset({"clear"}),
}
# Orders that are about other lines than the ones they point at.
_INDIRECT: Final = frozenset({"swap", "keep", "clear"})
_DIGITS: Final = re.compile(r"(?<![\w.,])\d{1,3}(?![\d.,]*\d)")
# A message without a verb that we know is taken for an order when the classifier is this certain.
_SURE: Final = 0.8
_MINOR_UNITS: Final = (1, 100, 1000)


class Asked:
    """What one turn's shopper asked for."""

    def __init__(
        self, context: TurnContext, observed: Observations, vocabulary: Vocabulary
    ) -> None:
        self._context = context
        self._observed = observed
        self._vocabulary = vocabulary

    # --- the kind of change -----------------------------------------------------------------------

    def for_change(self, kind: ActionType, product_id: str | None) -> bool:
        """Whether the message, or the question that it answers, is about such a change."""
        query = self._context.query
        if query.action in _ACTIONS[kind] or self._ordered() & _CHANGES[kind]:
            return True
        if kind == "remove" and 0 in {query.quantity, *(o.quantity for o in query.orders)}:
            return True
        if product_id is None:
            return query.affirms and (self._asked_before("clear_cart") or self._in_cart_talk())
        if self._answers_about(product_id):
            return True
        if query.action == "none":
            understood = self._context.understanding
            sure = understood.confidence >= _SURE or self._points_at(product_id)
            return (understood.intent == "cart" and sure) or self._settles(product_id)
        # "I take this one and pay": the verb that was heard is the last one.
        return kind == "add" and query.action == "checkout" and self._points_at(product_id)

    def _ordered(self) -> set[Change]:
        return {order.change for order in self._context.query.orders}

    def _asked_before(self, tool: str) -> bool:
        return (self._context.pending or {}).get("tool") == tool

    def _in_cart_talk(self) -> bool:
        exchanges = self._context.conversation.exchanges
        return bool(exchanges) and exchanges[-1].intent == "cart"

    def _answers_about(self, product_id: str) -> bool:
        """A choice of our open question, or a yes to what a model asked about a product that it showed."""
        query, conversation = self._context.query, self._context.conversation
        if product_id in self._context.pending_ids and not self._asks_for_facts():
            return True
        shown = {s.id for s in (*conversation.shown, conversation.focus) if s is not None}
        return query.affirms and bool(conversation.exchanges) and product_id in shown

    def _asks_for_facts(self) -> bool:
        """Whether the message has a topic; a size may be what was asked for."""
        return bool(set(self._context.query.topics) - {"size"})

    def _settles(self, product_id: str) -> bool:
        """ "The 50 ml", "the second one", a name: what was missing from the order before."""
        if not self._in_cart_talk() or self._asks_for_facts():
            return False
        product = self._observed.products.get(product_id)
        sized = product is not None and product.size_ml in self._context.query.sizes
        return sized or self._points_at(product_id)

    def _points_at(self, product_id: str) -> bool:
        return product_id in (*self._context.pointed_at(), *self._context.named_ids)

    # --- which product ----------------------------------------------------------------------------

    def another(self, product: Product) -> list[Product]:
        """The products that the message points at or names, when an added one is none of them nor a size of one."""
        query = self._context.query
        if self._is_open():
            return []
        ids = (*self._context.pointed_at(), *self._context.named_ids)
        meant = [p for i in dict.fromkeys(ids) if (p := self._observed.products.get(i))]
        families = {family_key(p.name) for p in meant} | {
            family_key(r.name) for r in query.references
        }
        return [] if not meant or _is_one_of(product, meant, families) else meant

    def _is_open(self) -> bool:
        """Whether the words leave it to a search which product is meant."""
        query = self._context.query
        loose = query.delegated or query.cheapest or query.cheaper or query.another
        orders = query.orders
        return bool(
            loose
            or query.wishes()
            or any(o.change in _INDIRECT or o.other or o.cheapest or o.unknown for o in orders)
            or self._context.pending_ids
        )

    def other_lines(self, line: CartLine) -> list[CartLine]:
        """The lines of the cart that the message points at, when this one is none of them."""
        if any(o.change in _INDIRECT or o.other or o.both for o in self._context.query.orders):
            return []
        pointed = set(self._context.pointed_at()) | set(self._context.named_ids)
        held = [x for x in self._observed.before.items if x.product_id in pointed]
        families = {family_key(x.name) for x in held}
        is_meant = line.product_id in pointed or family_key(line.name) in families
        return [] if not held or is_meant else held

    # --- how many ---------------------------------------------------------------------------------

    def is_enough(self, kind: ActionType, product_id: str) -> bool:
        """Whether as many products as the message speaks of were changed already, this one not among them."""
        touched = {a.product_id for a in self._observed.actions if a.type == kind} - {product_id}
        query = self._context.query
        if not touched or any(o.both or o.change in _INDIRECT for o in query.orders):
            return False
        ids = {*self._context.pointed_at(), *self._context.named_ids}
        if product_id in ids:
            return False
        names = {name_key(r.name) for r in query.references}
        orders = [o for o in query.orders if o.change in _CHANGES[kind]]
        return len(touched) >= max(1, len(orders), len(names), sum(self._said()))

    def allows(self, quantity: int, held: int | None) -> bool:
        """Whether a quantity to add was said or is one, or the new one of a line follows from the one held."""
        said = self._quantities() | {1}
        if held is None:
            return quantity in said
        reached = {held + n for n in said} | {held * n for n in (*said, 2)}
        return quantity <= held or quantity in said or quantity in reached

    def _quantities(self) -> set[int]:
        query = self._context.query
        stated = {query.quantity, *(order.quantity for order in query.orders)} - {None}
        arguments = (self._context.pending or {}).get("arguments", {})
        if isinstance(kept := arguments.get("quantity"), int):
            stated.add(kept)
        said = self._said()
        combined = {sum(said), prod(said)} if 1 < len(said) < 5 else set[int]()
        return {n for n in stated if n is not None} | set(said) | combined

    def _said(self) -> list[int]:
        """The small numbers of the message (and of the order that it goes on with) that are no size and no price."""
        query = self._context.query
        texts = [query.text]
        if self._in_cart_talk():
            texts.append(self._context.conversation.exchanges[-1].user)
        bounds = [b for b in (query.min_price, query.max_price) if b is not None]
        prices = {bound // unit for bound in bounds for unit in _MINOR_UNITS}
        left_out = (prices | query.sizes) - {query.quantity}
        return [n for n in self._numbers(texts) if n and n not in left_out]

    def _numbers(self, texts: Iterable[str]) -> Iterable[int]:
        for text in texts:
            yield from map(int, _DIGITS.findall(fold(text)))
            words = self._vocabulary.concepts_in(text, ("number", "pair"))
            yield from (int(word) for word in words if word.isdecimal() and len(word) < 4)


def _is_one_of(product: Product, meant: Iterable[Product], families: set[str]) -> bool:
    same = {p.id for p in meant} | {p.variant_of for p in meant if p.variant_of}
    return bool({product.id, product.variant_of} & same) or family_key(product.name) in families
