"""Whether a change follows from what the shopper said: a model that obeys a text it has read can do no more than that."""

from collections.abc import Iterable, Mapping
from typing import Final

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.tools.meant import CHANGES, Meant
from shopping_agent.application.tools.spoken import Spoken
from shopping_agent.application.turn import ActionType
from shopping_agent.domain.cart import CartLine
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.query import Action, Change
from shopping_agent.domain.text import family_key, name_key
from shopping_agent.domain.vocabulary import Vocabulary

_ACTIONS: Final[Mapping[ActionType, frozenset[Action]]] = {
    "add": frozenset({"add", "update"}),
    "update": frozenset({"add", "update", "remove"}),
    "remove": frozenset({"remove", "clear"}),
    "clear": frozenset({"clear"}),
}
# Orders that are about other lines than the ones they point at.
_INDIRECT: Final = frozenset({"swap", "keep", "clear"})
# A message without a verb that we know is taken for an order when the classifier is this certain.
_SURE: Final = 0.8


class Asked:
    """What one turn's shopper asked for."""

    def __init__(
        self,
        context: TurnContext,
        observed: Observations,
        vocabulary: Vocabulary,
        meant: Meant,
        spoken: Spoken,
    ) -> None:
        self._context = context
        self._observed = observed
        self._vocabulary = vocabulary
        self._meant = meant
        self._spoken = spoken

    # --- the kind of change -----------------------------------------------------------------------

    def for_change(self, kind: ActionType, product_id: str | None) -> bool:
        """Whether the message, or the question that it answers, is about such a change."""
        query = self._context.query
        if kind == "clear" and self._spares():
            return False
        if query.action in _ACTIONS[kind] or self._ordered() & CHANGES[kind]:
            return True
        if kind == "remove" and 0 in {query.quantity, *(o.quantity for o in query.orders)}:
            return True
        if product_id is None:
            return query.affirms and self._spoke_of_emptying()
        orders_else = bool(query.orders) or query.action == "remove"
        if self._answers_about(product_id) and not orders_else:
            return True
        if query.affirms and not query.orders:
            return False  # a yes is about what was asked
        if query.action == "none":
            understood = self._context.understanding
            # What lies in the cart is not lost to a guess: only an addition may be one.
            sure = kind == "add" and understood.confidence >= _SURE
            sure = sure and self._is_in_sight(product_id)
            sure = sure or self._points_at(product_id)
            return (understood.intent == "cart" and sure) or self._settles(product_id)
        # "I take this one and pay": the verb that was heard is the last one.
        return kind == "add" and query.action == "checkout" and self._points_at(product_id)

    def _spares(self) -> bool:
        """Whether a message that empties the cart keeps a product, or names one that it does not order for itself."""
        if any(order.change == "keep" for order in self._context.query.orders):
            return True
        ordered = {family_key(o.name) for o in self._context.query.orders if o.name}
        named = {family_key(r.name) for r in self._context.query.references} - ordered
        return any(family_key(line.name) in named for line in self._observed.before.items)

    def for_checkout(self) -> bool:
        """Whether the message, or the question that it answers, is about ordering or paying now."""
        query, understood = self._context.query, self._context.understanding
        if query.action == "checkout" or self._spoken.checks_out:
            return True
        wordless = query.action == "none" and not query.orders and not query.topics
        return wordless and understood.intent == "cart" and understood.confidence >= _SURE

    def _spoke_of_emptying(self) -> bool:
        """Whether our question, or the message before it, was about emptying the cart."""
        exchanges = self._context.conversation.exchanges
        said = (exchanges[-1].user, exchanges[-1].assistant) if exchanges else ()
        concepts = {c for t in said for c in self._vocabulary.concepts_in(t, ("action",))}
        return self._asked_before("clear_cart") or bool(concepts & {"empty", "everything"})

    def _is_in_sight(self, product_id: str) -> bool:
        """Shown, talked about, found by our search for this message, or in the cart."""
        conversation, page = self._context.conversation, self._context.page
        cards = (*conversation.shown, conversation.focus, page)
        return (
            product_id in {card.id for card in cards if card is not None}
            or product_id in self._observed.ranking
            or product_id in self._meant.references()
            or self._observed.before.line(product_id) is not None
        )

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
        orders = self._meant.orders(kind)
        said = max(query.quantity or 0, sum(self._spoken.counts))
        return len(touched) >= max(1, len(orders), len(names), said)


def _is_one_of(product: Product, meant: Iterable[Product], families: set[str]) -> bool:
    same = {p.id for p in meant} | {p.variant_of for p in meant if p.variant_of}
    return bool({product.id, product.variant_of} & same) or family_key(product.name) in families
