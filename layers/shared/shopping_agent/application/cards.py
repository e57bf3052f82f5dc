"""What stands beside an answer: which products get a card, which chips, and what the session remembers of it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, cast

from shopping_agent.application.claims import name_pattern, names_in, sentences
from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.turn import Outcome
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.conversation import (
    RELATIVE_CHANGES,
    Choice,
    Conversation,
    Exchange,
    JsonObject,
)
from shopping_agent.domain.query import Order, ShopperQuery, ShownProduct
from shopping_agent.domain.text import family_key, name_key

_MOST_NAMED: Final = 5
_MOST_SEEN: Final = 200
_MOST_EXCHANGES: Final = 12
_LONGEST_KEPT: Final = 1500
_TOOLS: Final = {
    "set": "update_cart_item",
    "more": "update_cart_item",
    "less": "update_cart_item",
    "half": "update_cart_item",
    "double": "update_cart_item",
    "remove": "remove_from_cart",
    "keep": "remove_from_cart",
}
_ASKING: Final = frozenset({"which_product", "which_variant", "over_budget_confirm"})


def refused_with_question(observed: Observations) -> bool:
    """Whether the last write was refused by a question to the shopper."""
    return observed.refusal is not None and observed.refusal.get("code") in _ASKING


def choices_of(outcome: Outcome, observed: Observations) -> tuple[Choice, ...]:
    """The chips of a clarifying question: the model's, else those of the refusal."""
    if outcome.choices or observed.refusal is None or not refused_with_question(observed):
        return outcome.choices
    offered = cast(Sequence[JsonObject], observed.refusal.get("choices", ()))
    return tuple(Choice(str(c.get("label", "")), c.get("productId")) for c in offered)


def products_of(
    answer: str,
    choices: Sequence[Choice],
    observed: Observations,
    *,
    asked: bool,
) -> tuple[Product, ...]:
    """The products that an answer concerns, in the order of their cards.

    Args:
        asked: the answer is a question: its cards are what may be chosen.
    """
    offered = [c.product_id for c in choices if c.product_id]
    ids = offered if asked else []
    if not ids:
        ids = [a.product_id for a in observed.actions if a.product_id and a.type != "remove"]
    if not ids and not observed.actions:
        ids = _named_in(answer, observed)[:_MOST_NAMED] or offered
    known = observed.products
    return tuple(known[i] for i in dict.fromkeys(ids) if i in known)


def _named_in(answer: str, observed: Observations) -> list[str]:
    """Ids of the products named in a text, in its order; of several sizes the one found or seen first."""
    order = [*observed.found, *(i for i in observed.products if i not in observed.found)]
    by_key: dict[str, str] = {}
    for product_id in order:
        product = observed.products.get(product_id)
        if product is not None:
            by_key.setdefault(name_key(product.name), product_id)
            by_key.setdefault(family_key(product.name), product_id)
    patterns = [
        (pattern, frozenset({product_id}))
        for key, product_id in by_key.items()
        if (pattern := name_pattern(key)) is not None
    ]
    return list(
        dict.fromkeys(
            product_id
            for sentence in sentences(answer)
            for found in names_in(sentence, patterns)
            for product_id in found.ids
        )
    )


def remembered(
    answer: str,
    *,
    outcome: Outcome,
    products: Sequence[Product],
    choices: Sequence[Choice],
    context: TurnContext,
    observed: Observations,
    asked: Sequence[str] = (),
) -> Conversation:
    """The conversation after this turn.

    Args:
        asked: keys of the profile that this turn asked for.
    """
    before = context.conversation
    shown = tuple(_shown(p, observed) for p in products)
    if not _is_a_list(shown, outcome, context, observed):
        shown = before.shown
    exchange = Exchange(
        context.query.text[:_LONGEST_KEPT],
        answer[:_LONGEST_KEPT],
        context.understanding.intent,
        context.language,
    )
    blocked = outcome.finish == "refused"
    kept = before.exchanges if blocked else (*before.exchanges, exchange)
    seen = dict.fromkeys((*(p.id for p in products), *before.seen))
    return Conversation(
        exchanges=kept[-_MOST_EXCHANGES:],
        shown=shown,
        seen=tuple(seen)[:_MOST_SEEN],
        focus=_focus(products, context, observed),
        pending=_pending(outcome, choices, context, observed),
        added=tuple(
            dict.fromkeys(
                a.product_id
                for a in observed.actions
                if a.type in ("add", "update") and a.product_id
            )
        ),
        profile=context.known.kept,
        asked=tuple(dict.fromkeys((*before.asked, *asked))),
    )


def _is_a_list(
    shown: Sequence[ShownProduct], outcome: Outcome, context: TurnContext, observed: Observations
) -> bool:
    """Whether the cards are a new list for "the second one" to mean.

    A confirmation, a question before a write and facts about one product leave the list before as it is.
    """
    if not shown or observed.actions or context.query.orders:
        return False
    if not context.conversation.shown:
        return True
    asked = outcome.finish == "clarify" or outcome.asks
    return not asked and (len(shown) > 1 or context.understanding.intent == "recommendation")


def _shown(product: Product, observed: Observations) -> ShownProduct:
    return ShownProduct(product.id, product.name, product.price.at(observed.now), product.size_ml)


def _focus(
    products: Sequence[Product], context: TurnContext, observed: Observations
) -> ShownProduct | None:
    """The product last talked about: the one changed last, the only one shown, or the one that was in focus.

    After a removal "it" is something else: what the turn also changed, else nothing.
    """
    changed = [a.product_id for a in observed.actions if a.product_id and a.type != "remove"]
    if observed.actions and not changed:
        return None
    if changed:
        product = observed.products.get(changed[-1])
        if product is not None:
            return _shown(product, observed)
        name = observed.written_names.get(changed[-1], "")
        return ShownProduct(changed[-1], name)
    lines = observed.cart.items
    if context.query.action == "view" and len(lines) == 1:
        return ShownProduct(lines[0].product_id, lines[0].name)
    if len(products) == 1 or (products and (context.query.cheapest or context.query.dearest)):
        return _shown(products[0], observed)
    meant = [*_refused_id(observed), *context.named_ids]
    if len(set(meant)) == 1 and meant[0] in observed.products:
        return _shown(observed.products[meant[0]], observed)
    return None if products else context.conversation.focus


def _refused_id(observed: Observations) -> list[str]:
    """The product of a change that was refused: it was talked about all the same."""
    arguments = cast(JsonObject, (observed.refused_call or {}).get("arguments", {}))
    return [str(arguments["productId"])] if arguments.get("productId") else []


def _pending(
    outcome: Outcome, choices: Sequence[Choice], context: TurnContext, observed: Observations
) -> JsonObject | None:
    """The question that we asked before a write, so that the next message can settle it."""
    offered = [{"productId": c.product_id, "label": c.label} for c in choices if c.product_id]
    if observed.refused_call is not None and refused_with_question(observed):
        return {**observed.refused_call, "choices": offered}
    fewer = _fewer(observed)
    if fewer is not None:
        return fewer
    if not (outcome.asks and offered):
        return None
    order = _asked_order(context.query)
    held = any(observed.cart.line(str(o["productId"])) for o in offered)
    asked: JsonObject = {
        "tool": _TOOLS.get(order.change, "add_to_cart") if held else "add_to_cart",
        "choices": offered,
    }
    if held and order.change in RELATIVE_CHANGES:
        return {**asked, "arguments": {}, "change": order.change, "pieces": order.quantity}
    return {**asked, "arguments": {} if order.quantity is None else {"quantity": order.quantity}}


def _fewer(observed: Observations) -> JsonObject | None:
    """The addition of as many as there are, where more were asked for: a number or a yes settles it."""
    call, limit = observed.refused_call, (observed.refusal or {}).get("limit")
    if call is None or not limit or call.get("tool") != "add_to_cart" or observed.actions:
        return None
    arguments = {**cast(JsonObject, call.get("arguments", {})), "quantity": limit}
    product = observed.products.get(str(arguments.get("productId")))
    if product is None:
        return None
    choice = {"productId": product.id, "label": product.name}
    return {"tool": "add_to_cart", "arguments": arguments, "choices": [choice]}


def _asked_order(query: ShopperQuery) -> Order:
    """The order that a question is about: an addition where there is one, since only additions offer new products."""
    orders = query.orders or (Order("add", quantity=query.quantity),)
    return next((o for o in orders if o.change in ("add", "swap")), orders[0])


def with_undo(observed: Observations) -> None:
    """Mark the one change that an undo of the cart takes back: the last."""
    if observed.actions:
        observed.actions[-1] = replace(observed.actions[-1], undo=True)
