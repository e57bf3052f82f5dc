"""Write gates: what must hold before a proposed change reaches the cart. The model proposes; this decides."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.tools.amounts import Amounts
from shopping_agent.application.tools.asked import Asked
from shopping_agent.application.tools.choice import DelegatedChoice
from shopping_agent.application.tools.meant import Meant, labels
from shopping_agent.application.tools.refusals import choices, refusal
from shopping_agent.application.tools.spoken import spoken_in
from shopping_agent.application.turn import ActionType
from shopping_agent.domain.cart import CartLine
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.money import to_major
from shopping_agent.domain.text import family_key, fold, name_key, name_keys
from shopping_agent.domain.vocabulary import Vocabulary

_FIGURE: Final = re.compile(r"(?<![\w.,])\d{1,4}(?!\d)")


class WriteGates:
    """The gates of one turn. Each answers None, or the error that goes back to the model."""

    def __init__(
        self, context: TurnContext, observed: Observations, vocabulary: Vocabulary
    ) -> None:
        self._context = context
        self._observed = observed
        self._choice = DelegatedChoice(context, observed, vocabulary)
        spoken, earlier = spoken_in(context, observed, vocabulary)
        self._meant = Meant(context, observed, spoken)
        self._amounts = Amounts(context, observed, self._meant, spoken, earlier)
        self._asked = Asked(context, observed, vocabulary, self._meant, spoken)

    def change(self) -> JsonObject | None:
        """Any change at all: not when the shopper refuses or only wonders."""
        query = self._context.query
        talk_only = self._context.understanding.hypothetical or query.denies
        if talk_only and query.action in ("none", "view"):
            return refusal("negated", "The shopper did not ask for a change now. Change nothing.")
        return None

    def asked(self, kind: ActionType, product_id: str | None = None) -> JsonObject | None:
        """Whether the shopper asked for such a change: no text that a model has read can ask for one."""
        if (error := self.change()) is not None:
            return error
        if not self._asked.for_change(kind, product_id):
            return refusal(
                "not_asked",
                "The shopper did not ask for this change. Change nothing: answer, or ask the shopper first.",
            )
        if product_id is not None and self._asked.is_enough(kind, product_id):
            return refusal(
                "not_asked", "That is more than the shopper asked for. Ask the shopper first."
            )
        return None

    def checkout(self) -> JsonObject | None:
        """Whether the shopper wants to order or pay now."""
        if (error := self.change()) is not None:
            return error
        if self._asked.for_checkout():
            return None
        return refusal(
            "not_asked", "The shopper did not ask to check out. Prepare no checkout, or ask first."
        )

    def pieces(self, product_id: str, pieces: int) -> JsonObject | None:
        """Whether so many pieces to add follow from what the shopper said, with what this turn added before."""
        allowed = self._amounts.allows_more(product_id, pieces)
        return None if allowed else self._not_said(pieces)

    def total(self, kind: ActionType, line: CartLine, total: int) -> JsonObject | None:
        """Whether the new quantity of a line follows from what the shopper said; 0 removes it."""
        allowed = self._amounts.allows(kind, line.product_id, total)
        return None if allowed else self._not_said(total)

    def _not_said(self, quantity: int) -> JsonObject:
        said = self._amounts.said()
        asked = f"said {' and '.join(map(str, said))}" if said else "said no number"
        return refusal(
            "not_asked",
            f"The shopper {asked}, from which a quantity of {quantity} does not follow. "
            "Use the quantity that the shopper said, else 1, or ask.",
        )

    def shown(self, product_id: str) -> JsonObject | None:
        """Whether this shopper has seen the product: in this turn, this session, its page or the cart."""
        context, observed = self._context, self._observed
        known = (
            product_id in observed.products
            or product_id in context.conversation.seen
            or product_id in context.pending_ids
            or product_id in context.named_ids
            or (context.page is not None and context.page.id == product_id)
            or observed.cart.line(product_id) is not None
        )
        if known:
            return None
        return refusal(
            "not_shown",
            "This id was not shown to the shopper. Use an id from the data or find the product with search_products.",
        )

    def add(self, product: Product) -> JsonObject | None:
        """Whether this product is what the shopper meant to add."""
        rules: tuple[Callable[[Product], JsonObject | None], ...] = (
            self._ordered,
            self._named,
            self._delegated,
            self._variant,
            self._budget,
        )
        return next((error for rule in rules if (error := rule(product)) is not None), None)

    def line(self, kind: ActionType, line: CartLine) -> JsonObject | None:
        """Whether a line of the cart is the one that the shopper meant."""
        if self._meant.forbids(kind, line.product_id):
            return self._another(kind, line.name)
        exact = self._exactly_named()
        held = [
            x for x in self._observed.before.items if self._is_named(x.product_id, x.name, exact)
        ]
        if any(order.change == "keep" for order in self._context.query.orders):
            return self._kept(line, held)
        pointed = self._context.pointed_at() + self._context.leaving()
        if line.product_id in {*pointed, *(x.product_id for x in held)}:
            return None
        held = held or self._asked.other_lines(line)
        if not held:
            return self._names_another(line)
        said = " and ".join(exact or [x.name for x in held])
        return refusal(
            "which_product",
            f"The shopper means {said}, which is not {line.name}.",
            choices=[{"productId": x.product_id, "label": x.name} for x in held],
        )

    def _names_another(self, line: CartLine) -> JsonObject | None:
        """Whether a message without an order that we know names a product, and not this line."""
        query, named = self._context.query, self._meant.references()
        if query.orders or not named or line.product_id in {*named, *self._context.pending_ids}:
            return None
        return self._another("update", line.name)

    def _another(self, kind: ActionType, name: str) -> JsonObject:
        """The refusal that tells what the message means instead."""
        orders = self._meant.orders(kind)
        ids = {i for o in orders for i in self._meant.ids(kind, o) or ()}
        ids |= self._meant.references()
        said = [x["label"] for x in labels(ids, self._observed)]
        said = said or [o.unknown or o.name or "" for o in orders]
        means = " or ".join(s for s in said if s) or "a product that is not certain: ask which one"
        offered = labels(ids, self._observed) or labels(
            (x.product_id for x in self._observed.before.items), self._observed
        )
        return refusal(
            "which_product",
            f"The shopper means {means}, which is not {name}.",
            choices=offered,
        )

    def _kept(self, line: CartLine, held: Sequence[CartLine]) -> JsonObject | None:
        """Whether a line may leave where the shopper named what stays."""
        if line.product_id not in {x.product_id for x in held}:
            return None
        return refusal("which_product", f"The shopper wants to keep {line.name}.")

    # --- what the shopper said about the product ------------------------------------------------

    def _is_left_to_us(self) -> bool:
        """Whether the choice is ours: said so, or wishes without any product pointed at."""
        query = self._context.query
        if query.delegated:
            return query.product_name is None or query.cheapest
        chosen = (
            query.product_name
            or query.references
            or query.ordinal is not None
            or query.pronoun
            or query.affirms
        )
        return not chosen and query.action == "add" and query.wishes()

    def _exactly_named(self) -> list[str]:
        return [r.name for r in self._context.query.references if r.score >= 1.0]

    def _is_named(self, product_id: str, name: str, exact: Sequence[str]) -> bool:
        """Whether a product carries one of the names, or is a size of what one of them names."""
        return any(
            product_id in self._context.names.get(name_key(given), ())
            or family_key(name) == family_key(given)
            for given in exact
        )

    def _ordered(self, product: Product) -> JsonObject | None:
        """Every order of the message is about other products, or about other sizes of this one."""
        if product.id in self._context.pending_ids and not self._meant.references():
            return None
        forbidden = self._meant.forbids("add", product.id)
        return self._another("add", product.name) if forbidden else None

    def _named(self, product: Product) -> JsonObject | None:
        """An exact name in the message is not answered with a neighbour's product."""
        exact = self._exactly_named()
        meant = [p for p in self._observed.products.values() if self._is_named(p.id, p.name, exact)]
        if product in meant or product.id in self._context.pointed_at():
            return None
        meant = meant or self._asked.another(product)
        if not meant:
            return None
        said = " and ".join(exact or [p.name for p in meant])
        return refusal(
            "which_product",
            f"The shopper means {said}, which is not {product.name}.",
            choices=choices(meant),
        )

    def _delegated(self, product: Product) -> JsonObject | None:
        pointed = product.id in self._context.pointed_at() or self._is_offered(product)
        return self._choice.check(product) if self._is_left_to_us() and not pointed else None

    def _is_offered(self, product: Product) -> bool:
        """One of the choices of our open question; of those the cheapest, where that is asked for."""
        offered, query = self._context.pending_ids, self._context.query
        if product.id not in offered or query.wishes():
            return False
        now, known = self._observed.now, self._observed.products
        prices = [known[i].price.at(now) for i in offered if i in known]
        return not query.cheapest or product.price.at(now) <= min(prices, default=0)

    # --- sizes and budgets ------------------------------------------------------------------------

    def _variant(self, product: Product) -> JsonObject | None:
        """A bare family name with several sizes asks which one."""
        if self._size_is_fixed(product):
            return None
        siblings = self._siblings(product)
        if len(siblings) < 2:
            return None
        return refusal(
            "which_variant",
            f"{family_key(product.name).title()} comes in several sizes: ask the shopper which one.",
            choices=choices(siblings),
        )

    def _size_is_fixed(self, product: Product) -> bool:
        context, query = self._context, self._context.query
        shown = {s.id for s in context.conversation.shown}
        siblings = {p.id for p in self._siblings(product)}
        key = name_key(product.name)
        return (
            self._is_left_to_us()
            or product.size_ml in query.sizes
            or self._is_the_other(product, siblings)
            or (key != family_key(product.name) and self._says(key))
            or self._settles_with_size(product)
            or self._was_ordered(product)
            or product.id in context.pointed_at()
            or (context.page is not None and context.page.id == product.id)
            or (product.id in shown and len(shown & siblings) == 1)
            or (self._observed.cart.line(product.id) is not None and not query.sizes)
        )

    def _says(self, key: str) -> bool:
        """Whether the message holds a full name, however its size is written."""
        exact = {name_key(name) for name in self._exactly_named()}
        return key in exact or key in name_keys(self._context.query.text)

    def _settles_with_size(self, product: Product) -> bool:
        """ "The 50", where we asked which size."""
        context = self._context
        figures = {int(n) for n in _FIGURE.findall(fold(context.query.text))}
        swaps = any(order.change == "swap" for order in context.query.orders)
        asked = swaps or product.id in context.pending_ids
        return asked and product.size_ml in figures

    def _was_ordered(self, product: Product) -> bool:
        """The very product of the order that our question was about: "2 then", where 5 were too many."""
        arguments = (self._context.pending or {}).get("arguments", {})
        return arguments.get("productId") == product.id and not self._exactly_named()

    def _is_the_other(self, product: Product, siblings: set[str]) -> bool:
        """ "The other one" of two sizes, where one of them was just talked about."""
        focus = self._context.conversation.focus
        other = any(order.other for order in self._context.query.orders)
        return other and focus is not None and siblings == {product.id, focus.id}

    def _siblings(self, product: Product) -> list[Product]:
        """The sizes of a product that may be sold, smallest first."""
        if product.variant_of is None:
            return [product]
        same = [
            p
            for p in self._observed.products.values()
            if p.variant_of == product.variant_of and (p.in_stock or p.id == product.id)
        ]
        return sorted(same, key=lambda p: (p.size_ml or 0, p.price.at(self._observed.now)))

    def _budget(self, product: Product) -> JsonObject | None:
        """A product that the shopper chose over the stated budget is confirmed once."""
        limit = self._context.query.max_price
        price, currency = product.price.at(self._observed.now), product.price.currency
        stated = self._context.query.currency or self._observed.cart.currency
        if limit is None or currency != stated or price <= limit or self._is_left_to_us():
            return None
        if self._context.query.affirms and product.id in self._context.pending_ids:
            return None
        return refusal(
            "over_budget_confirm",
            f"{product.name} costs {to_major(price, currency)} {currency}, over the stated budget of "
            f"{to_major(limit, currency)}. Ask the shopper whether to add it anyway.",
            choices=choices([product]),
        )
