"""What a message can mean that neither names a product nor describes one: what was shown, talked about or asked about."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.sounds import sound_of
from shopping_agent.domain.text import family_key, words

_ALIKE: Final = 0.7
_SHORTEST_WORD: Final = 4


class InSight:
    """The products in sight of one turn, sizes of them included."""

    def __init__(self, context: TurnContext, observed: Observations) -> None:
        self._context = context
        self._observed = observed

    def holds(self, product: Product) -> bool:
        families, ids = self._families(), self._ids()
        return product.id in ids or family_key(product.name) in families

    def is_called(self, product: Product) -> bool:
        """Whether a product's name is like the words that stand where a product should."""
        unknown = [order.unknown for order in self._context.query.orders if order.unknown]
        return any(_alike(text, family_key(product.name)) for text in unknown)

    def _ids(self) -> set[str]:
        conversation, page = self._context.conversation, self._context.page
        cards = (*conversation.shown, conversation.focus, page)
        ids = {card.id for card in cards if card is not None}
        return ids | {*conversation.added, *self._context.pending_ids, *self._changed_lines()}

    def _changed_lines(self) -> Iterator[str]:
        """Lines, where the message changes what is there."""
        if any(order.change not in ("add", "clear") for order in self._context.query.orders):
            yield from (line.product_id for line in self._observed.before.items)

    def _families(self) -> set[str]:
        """By name, and what all sizes of them share."""
        names = {p.id: p.name for p in self._observed.products.values()}
        names |= {shown.id: shown.name for shown in self._context.conversation.shown}
        names |= {line.product_id: line.name for line in self._observed.before.items}
        return {family_key(names[i]) for i in self._ids() if i in names}


def _alike(text: str, name: str) -> bool:
    said, known = words(text), name.split()
    if {w for w in said if len(w) >= _SHORTEST_WORD} & set(known):
        return True
    heard, sound = sound_of(said), sound_of(known)
    ratios = (
        SequenceMatcher(None, one, other, autojunk=False).ratio()
        for one, other in ((" ".join(said), name), (heard, sound))
    )
    return max(ratios) >= _ALIKE
