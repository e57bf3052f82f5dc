"""What a message makes of the question that we asked last turn."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, cast

from shopping_agent.adapters.llm.offline import changes, sizes, targets
from shopping_agent.adapters.llm.offline.situation import Item, Situation
from shopping_agent.adapters.llm.offline.steps import Plan, Step
from shopping_agent.adapters.llm.offline.targets import Target
from shopping_agent.domain.conversation import JsonObject, asked_order
from shopping_agent.domain.money import to_minor
from shopping_agent.domain.query import Change, ShopperQuery
from shopping_agent.domain.text import fold, name_key

# Orders that an answer to our question may be put as.
_CARRIED_OUT_BY: Final[Mapping[str, tuple[Change, ...]]] = {
    "add_to_cart": ("add", "set", "more", "double", "swap"),
    "remove_from_cart": ("remove", "less", "keep", "clear", "swap"),
    "update_cart_item": ("set", "more", "less", "half", "double"),
}
_FIGURE: Final = re.compile(r"(?<![\w.,])\d{1,4}(?![\d])")


def settle(situation: Situation) -> Plan | None:
    """What the message makes of our open question; None when it is about something else."""
    pending, query = situation.pending, situation.query
    if not pending or query.action in ("clear", "view", "checkout"):
        return None
    tool = str(pending.get("tool") or "add_to_cart")
    if _orders_otherwise(query, tool):
        return None
    arguments = dict(cast(JsonObject, pending.get("arguments") or {}))
    options = _options(pending, situation.currency)
    chosen = _chosen(situation, options, arguments)
    if query.denies and chosen is None and not query.orders:
        return Plan(denied=True)
    if chosen is None and arguments.get("productId") and (query.affirms or _only_counts(query)):
        chosen = str(arguments["productId"])
    if chosen is None:
        answers = query.affirms or query.size_ml is not None or query.ordinal is not None
        asks_again = answers and options and not query.wishes() and not query.references
        return Plan(doubts=(targets.one_of(options),)) if asks_again else None
    if query.quantity is not None and query.quantity != _size_of(options, chosen):
        arguments["quantity"] = query.quantity
    item = situation.item(chosen) or Item(chosen, _label(pending, chosen), {})
    asked = asked_order(pending)
    if asked is not None:
        step = changes.step(situation, asked, item)
    elif tool == "update_cart_item" and "quantity" not in arguments:
        step = None
    else:
        step = Step(tool, {**arguments, "productId": chosen}, item)
    how_many = Target(doubt="how_many", name=item.name, choices=(item,))
    return Plan((step,)) if step else Plan(doubts=(how_many,))


def _orders_otherwise(query: ShopperQuery, tool: str) -> bool:
    """Whether the message asks for another change than the one that we asked about."""
    if not query.orders:
        return tool == "add_to_cart" and query.action == "remove"
    return not any(o.change in _CARRIED_OUT_BY.get(tool, (o.change,)) for o in query.orders)


def agreed(situation: Situation) -> Plan | None:
    """A bare "yes" when we asked nothing before a write: what it agrees to is asked, never guessed."""
    query = situation.query
    if not query.affirms or query.wishes() or query.topics or query.references:
        return None
    candidates = (situation.focus,) if situation.focus else situation.shown
    if not candidates:
        return None
    target = targets.one_of(candidates)
    return Plan(doubts=(Target(doubt="which_product", choices=target.choices or candidates),))


def _options(pending: JsonObject, currency: str) -> list[Item]:
    choices = cast(Sequence[JsonObject], pending.get("choices") or ())
    return [
        Item(str(c["productId"]), str(c.get("label", "")), c, _price(c, currency), currency)
        for c in choices
        if c.get("productId")
    ]


def _price(choice: JsonObject, currency: str) -> int | None:
    return None if choice.get("price") is None else to_minor(str(choice["price"]), currency)


def _chosen(situation: Situation, options: Sequence[Item], asked: JsonObject) -> str | None:
    """The id of the option that the message picks: by position, name, size, or as the only one."""
    query = situation.query
    if query.ordinal is not None:
        item = targets.by_ordinal(options, query.ordinal)
        return item.id if item else None
    said = name_key(query.text)
    matching = [o for o in options if name_key(o.name) == said]
    if not matching and query.size_ml is not None:
        matching = [o for o in options if sizes.size_of(o) == query.size_ml]
    if not matching:  # "the 50", where sizes were asked
        figures = {int(n) for n in _FIGURE.findall(fold(query.text))}
        matching = [o for o in options if sizes.size_of(o) in figures]
    if not matching and query.product_name:
        key = name_key(query.product_name)
        matching = [o for o in options if name_key(o.name) == key]
    if not matching and query.cheapest:
        priced = [o for o in options if o.price is not None]
        matching = [min(priced, key=lambda o: o.price or 0)] if priced else []
    if not matching and (query.affirms or (query.action == "add" and query.pronoun)):
        matching = list(options)
    if not matching and query.quantity is not None and "quantity" not in asked:
        matching = list(options)  # we asked how many
    return matching[0].id if len(matching) == 1 else None


def _only_counts(query: ShopperQuery) -> bool:
    """`3`, `just one then`, `mets-en 4 alors`: a number of what was asked about, and no other product."""
    elsewhere = query.references or query.wishes() or query.ordinal is not None or query.topics
    return (
        query.quantity is not None and not elsewhere and query.action in ("none", "add", "update")
    )


def _size_of(options: Sequence[Item], product_id: str) -> int | None:
    return next((sizes.size_of(o) for o in options if o.id == product_id), None)


def _label(pending: JsonObject, product_id: str) -> str:
    choices = cast(Sequence[JsonObject], pending.get("choices") or ())
    return next((str(c.get("label")) for c in choices if c.get("productId") == product_id), "")
