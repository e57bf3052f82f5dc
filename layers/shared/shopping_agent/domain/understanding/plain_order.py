"""Whether a message only orders: nothing in it asks for words beside the change of the cart."""

from typing import Final

from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.understanding.reading import Reading

_ACTIONS: Final = frozenset({"add", "update", "remove", "clear"})
_VERBS: Final = ("add", "put", "take", "remove", "empty", "change", "swap", "keep")
# Words of the cart that ask to see something, or to go on to pay.
_MORE: Final = ("show", "total", "checkout", "pay", "undo")
# A word that the store's vocabulary does not hold may ask for anything; shorter ones are grammar.
_SHORTEST_UNKNOWN: Final = 3


def is_plain_order(reading: Reading, query: ShopperQuery) -> bool:
    """Whether a message is an order and every word of it is understood as part of one."""
    asks_more = (
        reading.asks
        or query.topics
        or query.compare
        or query.denies
        or query.another
        or reading.has("service")
        or reading.has("action", *_MORE)
        or any(match.concept != "politeness" for match in reading.of("modality"))
    )
    if query.action not in _ACTIONS or asks_more or _unknown(reading):
        return False
    return not _seeks_beside(reading, query)


def _seeks_beside(reading: Reading, query: ShopperQuery) -> bool:
    """Whether something is looked for that is not the object of the order: beside a product that was pointed at,
    or after the order."""
    sought = reading.of("search", "suggest")
    if not sought:
        return False
    verbs = [match.start for match in reading.of("action", *_VERBS)]
    pointed = bool(query.references or query.ordinal is not None or query.product_name)
    return pointed or not verbs or sought[-1].start > min(verbs)


def _unknown(reading: Reading) -> bool:
    """Whether a word stands in no phrase of the vocabulary and in no product's name."""
    known = {i for match in reading.matches for i in range(match.start, match.end)}
    known |= {i for start, end in reading.names for i in range(start, end)}
    return any(
        token.kind == "word" and i not in known and len(token.folded) >= _SHORTEST_UNKNOWN
        for i, token in enumerate(reading.tokens)
    )
