"""Questions for the first of several: the longest lasting, the strongest, the cheapest of the products shown."""

from typing import Final

from shopping_agent.adapters.llm.offline.situation import Situation
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.subjects import aspects_in, hints_in
from shopping_agent.domain.vocabulary import Vocabulary

_ORDERED: Final = frozenset({"longevity", "sillage", "price"})


def ordered_wishes(query: ShopperQuery, vocabulary: Vocabulary) -> list[str]:
    """The ordered facts that a message names as a wish ("strong", "long lasting")."""
    lasts = query.longevity or "last longer" in aspects_in(query.text, vocabulary)
    wishes = {
        "longevity": lasts,
        "sillage": query.sillage,
        "price": query.cheapest or query.dearest,
    }
    return [fact for fact, wish in wishes.items() if wish]


def asks_which_of_the_shown(situation: Situation, vocabulary: Vocabulary) -> bool:
    """ "Which lasts longest?", "the cheapest of these?": about all products shown, and none found since."""
    query, shown = situation.query, situation.shown
    if query.references or query.ordinal is not None or len(shown) < 2:
        return False
    known = {item.id for item in shown}
    by_price = query.cheapest or query.dearest
    if by_price and not query.wishes() and all(i.id in known for i in situation.found):
        return True
    asked = {*query.topics, *ordered_wishes(query, vocabulary)} & _ORDERED
    return bool(asked) and "which" in hints_in(query.text, vocabulary)
