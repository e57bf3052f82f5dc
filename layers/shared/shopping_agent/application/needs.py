"""What a message needs before it can be answered: which products it is about, whether it asks, whether to search."""

from collections.abc import Callable, Mapping
from typing import Final

from shopping_agent.application.context import TurnContext
from shopping_agent.domain.catalog import Product

MOST_CONCERNED: Final = 5
_QUESTION_MARKS: Final = ("?", "؟")
# Topics that a product's live facts answer by themselves, and where the fact is.
FACTS: Final[Mapping[str, Callable[[Product], object]]] = {
    "price": lambda p: p.price,
    "brand": lambda p: p.brand,
    "discount": lambda p: p.price,
    "stock": lambda p: p.id,
    "details": lambda p: p.id,
    "comparison": lambda p: p.id,
    "size": lambda p: p.size_ml,
    "notes": lambda p: p.notes.all(),
    "longevity": lambda p: p.longevity,
    "sillage": lambda p: p.sillage,
    "concentration": lambda p: p.concentration,
    "suitability": lambda p: p.seasons or p.occasions or p.gender,
}


def concerned(context: TurnContext) -> tuple[str, ...]:
    """Ids of the products that a message is about: named, pointed at, else those shown when it speaks of them."""
    query = context.query
    shown = tuple(s.id for s in context.conversation.shown)
    ids = context.named_ids
    if not ids and not (query.compare and len(shown) > 1):
        ids = context.pointed_at()
    several = query.compare or query.delegated or query.dearest
    if not ids and (several or _asks_of_products(context)):
        focus = None if several else context.page or context.conversation.focus
        page = (context.page.id,) if context.page is not None else ()
        ids = (focus.id,) if focus is not None else shown or page
    return tuple(dict.fromkeys(ids))[:MOST_CONCERNED]


def asks(context: TurnContext) -> bool:
    """Whether the message may be a question: understood as one, or with the sign of one and no change in it."""
    understanding, query = context.understanding, context.query
    marked = any(mark in query.text for mark in _QUESTION_MARKS)
    recommends = understanding.intent == "recommendation" and not query.asks_whom()
    return understanding.intent == "knowledge" or (
        (marked or query.asks_whom()) and query.action == "none" and not recommends
    )


def _asks_of_products(context: TurnContext) -> bool:
    """A question about what products are like, not about delivery or payment."""
    query = context.query
    of_facts = query.size_ml is not None or any(topic in FACTS for topic in query.topics)
    return asks(context) and (query.pronoun or of_facts)


def wants_search(context: TurnContext) -> bool:
    """Whether products must be found: wishes, a choice left to us, or an addition of something not pointed at."""
    query, recommends = context.query, context.understanding.intent == "recommendation"
    if context.known.told.why_not or context.known.alone:
        return context.known.alone
    if query.delegated:
        return query.wishes() or not (context.conversation.shown or context.pending)
    if context.named_ids or context.pointed_at() or query.ordinal is not None:
        return recommends
    if query.dearest and query.action == "none":
        return query.wishes() or not context.conversation.shown
    if query.action == "add":
        return query.wishes() or not (query.pronoun or query.affirms or context.pending)
    only_talk = context.understanding.hypothetical and not asks(context)  # "don't add anything yet"
    return query.action == "none" and (query.wishes() or (recommends and not only_talk))


def wants_another_size(context: TurnContext) -> bool:
    """`the 30 ml instead`, `the other one`: another size of what was talked about."""
    query = context.query
    return bool(query.sizes) or any(order.other for order in query.orders)


def wants_sales(context: TurnContext) -> bool:
    """Whether the message asks what is on sale, and not whether something is."""
    query = context.query
    return query.on_sale or ("discount" in query.topics and not concerned(context))


def may_name_a_product(context: TurnContext) -> bool:
    """Whether a question may hold a product's name that the name index does not know (it knows full names only)."""
    return asks(context) and not context.named_ids and not context.pointed_at()
