"""Which size of a product is meant: a bare name of several sizes asks."""

import re
from typing import Final

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.tools.meant import Meant
from shopping_agent.application.tools.refusals import choices, refusal
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.text import family_key, fold, name_key, name_keys

_FIGURE: Final = re.compile(r"(?<![\w.,])\d{1,4}(?!\d)")


class SizeGate:
    """The gate of one turn, for a product that the shopper chose."""

    def __init__(self, context: TurnContext, observed: Observations, meant: Meant) -> None:
        self._context = context
        self._observed = observed
        self._meant = meant

    def check(self, product: Product) -> JsonObject | None:
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
            product.size_ml in query.sizes
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
        exact = {name_key(name) for name in self._meant.exact_names()}
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
        return arguments.get("productId") == product.id and not self._meant.exact_names()

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
