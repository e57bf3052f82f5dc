"""Which products a question is about: named, pointed at, or talked about last."""

from collections.abc import Sequence

from shopping_agent.adapters.llm.offline import sizes, targets
from shopping_agent.adapters.llm.offline.situation import Item, Situation


def known_in(situation: Situation, items: Sequence[Item]) -> tuple[Item, ...]:
    """The same products with the fullest facts observed."""
    return tuple(situation.item(item.id) or item for item in items)


def subject_of(situation: Situation) -> tuple[Item, ...]:
    """The products that the message names or points at; the variants of a name together."""
    query = situation.query
    names = [r.name for r in query.references] or (
        [query.product_name] if query.product_name else []
    )
    found: list[Item] = []
    for name in dict.fromkeys(names):
        target = targets.named(situation, name)
        found += [target.item] if target.item else target.choices
    if found or names:
        return tuple(found)
    if query.ordinal is not None:
        places = query.ordinals or (query.ordinal,)
        items = [targets.by_ordinal(situation.shown, place) for place in places]
        return known_in(situation, [item for item in items if item])
    return talked_about(situation) if query.pronoun else ()


def talked_about(situation: Situation) -> tuple[Item, ...]:
    """What "it" is: the page, the product last talked about, or the cards when they are sizes of one product."""
    one_product = len({sizes.base_key(item.name) for item in situation.shown}) == 1
    named = situation.page or situation.focus
    return known_in(situation, (named,) if named else situation.shown if one_product else ())
