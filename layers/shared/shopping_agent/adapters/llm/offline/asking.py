"""A change that is not certain, in words: which product, which size, how many, or why there is nothing to change."""

from collections.abc import Mapping, Sequence
from typing import Final

from shopping_agent.adapters.llm.offline import sizes
from shopping_agent.adapters.llm.offline.basket import Basket
from shopping_agent.adapters.llm.offline.situation import Item, Situation
from shopping_agent.adapters.llm.offline.targets import Target
from shopping_agent.adapters.llm.offline.wording import Wording
from shopping_agent.domain.conversation import Choice

_DOUBTS: Final[Mapping[str, str]] = {
    "which_product": "turn.refusal.which_product",
    "nothing_meant": "ask.nothing_meant",
    "swap": "ask.swap",
}


class Asking:
    """Puts one doubt to the shopper."""

    def __init__(self, situation: Situation, wording: Wording) -> None:
        self._situation = situation
        self._words = wording
        self.asks = False
        self.choices: tuple[Choice, ...] = ()

    def tell(self, doubt: Target) -> list[str]:
        """The question, or what is missing; `asks` and `choices` say what goes with it."""
        if doubt.doubt == "not_in_cart":
            return self._not_in_cart(doubt)
        if doubt.doubt == "unknown":
            return self._unknown(doubt)
        if doubt.doubt == "none_fits":
            return self._none_fits(doubt)
        self.asks = True
        self.choices = tuple(Choice(self._words.name(item), item.id) for item in doubt.choices)
        return self._question(doubt)

    def _question(self, doubt: Target) -> list[str]:
        if doubt.doubt == "which_size":
            return [self._which_size(doubt)]
        if doubt.doubt == "how_many":
            return [self._words.say("ask.quantity", name=doubt.name)]
        if doubt.doubt == "which_product" and self._situation.query.action in ("remove", "update"):
            return [self._words.say("ask.which_line")]
        if doubt.doubt == "which_product" and len(doubt.choices) == 1:
            return [self._words.say("ask.add_it", name=self._words.name(doubt.choices[0]))]
        if doubt.doubt == "which_product" and self._situation.query.wishes():
            return [self._words.say("ask.which_of_these"), *self._priced(doubt.choices)]
        return [self._words.say(_DOUBTS.get(doubt.doubt, "ask.nothing_meant"))]

    def _which_size(self, doubt: Target) -> str:
        name = sizes.bare_name(doubt.choices[0].name)
        size = self._situation.query.size_ml
        known = sizes.sizes_known(doubt.choices)
        if size is not None and known and all(sizes.size_of(c) != size for c in doubt.choices):
            return self._words.say("ask.no_such_size", name=name, size=size)
        return self._words.say("turn.refusal.which_variant", name=name)

    def _not_in_cart(self, doubt: Target) -> list[str]:
        lines = (self._situation.cart or {}).get("items")
        if not lines:
            return [self._words.say("turn.cart_empty")]
        first = self._words.say("refused.not_in_cart", name=doubt.name) if doubt.name else ""
        return [*([first] if first else []), *Basket(self._situation, self._words).lines()]

    def _unknown(self, doubt: Target) -> list[str]:
        if self._lookup_failed():
            return [self._words.say("refused.not_looked_up")]
        first = self._words.say("refused.unknown_name", name=doubt.name)
        return [first, *self._nearest(self._found_for(doubt.name)[:2])]

    def _none_fits(self, doubt: Target) -> list[str]:
        if self._lookup_failed():
            return [self._words.say("refused.not_looked_up")]
        return [self._words.say("refused.none_fits"), *self._nearest(doubt.choices)]

    def _found_for(self, name: str) -> list[Item]:
        """What was found for a name, without the products that the message names."""
        situation = self._situation
        named = {sizes.base_key(r.name) for r in situation.query.references}
        own = situation.found_by(name) or situation.found
        return [item for item in own if sizes.base_key(item.name) not in named]

    def _lookup_failed(self) -> bool:
        searches = [o for o in self._situation.outcomes if o.call.name == "search_products"]
        return bool(searches) and not any(o.ok for o in searches)

    def _nearest(self, items: Sequence[Item]) -> list[str]:
        if not items:
            return []
        self.choices = tuple(Choice(item.name, item.id) for item in items if item.in_stock)
        return [self._words.say("refused.would_work"), *self._priced(items)]

    def _priced(self, items: Sequence[Item]) -> list[str]:
        return [
            self._words.say(
                "turn.product" if item.in_stock else "turn.product_out",
                name=self._words.name(item),
                price=self._words.price(item),
            )
            for item in items
        ]
