"""The data blocks of the model's first call: the cart, what was shown, what is pending, and what was fetched."""

from typing import Any

from shopping_agent.application.context import TurnContext
from shopping_agent.application.counsel import Counsel
from shopping_agent.application.gathering import Gathered
from shopping_agent.application.needs import asks, concerned, wants_another_size
from shopping_agent.application.observations import Observations
from shopping_agent.application.search import FoundProducts
from shopping_agent.application.tools.catalog import products_observation
from shopping_agent.application.tools.guides import passages_observation
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.conversation import DataBlock, JsonObject
from shopping_agent.domain.money import to_major
from shopping_agent.domain.query import ShownProduct


def data_blocks(
    context: TurnContext, observed: Observations, gathered: Gathered
) -> tuple[DataBlock, ...]:
    """The blocks that apply, in a fixed order."""
    conversation = context.conversation
    facts: dict[str, Any] = {"cart": observed.cart.view()}
    facts["shown"] = [
        {"position": position, **_card(shown, observed)}
        for position, shown in enumerate(conversation.shown, start=1)
    ]
    if conversation.focus is not None:
        facts["focus"] = _card(conversation.focus, observed)
    last = set(conversation.added)
    facts["added"] = [
        {"id": line.product_id, "name": line.name, "quantity": line.quantity}
        for line in observed.cart.items
        if line.product_id in last
    ]
    if context.page is not None:
        page = observed.products.get(context.page.id, context.page)
        facts["page"] = page.brief(observed.now)
    facts["pending"] = _pending(context, observed)
    about = _with_sizes(_named(context, observed), observed) or _asked_about(context, observed)
    if wants_another_size(context):
        about = _with_sizes(about or _in_focus(context, observed), observed)
    if gathered.found is not None or about:
        found = gathered.found or FoundProducts()
        facts["search_products"] = told_by_rules(
            products_observation(found, observed.now, about), observed.counsel
        )
    if observed.counsel is not None:
        facts["advice"] = observed.counsel.brief()
    facts["why_not"] = observed.why_not
    if gathered.passages:
        facts["search_guides"] = passages_observation(gathered.passages)
    return tuple(DataBlock(name, content) for name, content in facts.items() if content)


def told_by_rules(observation: JsonObject, counsel: Counsel | None) -> JsonObject:
    """The result of a search, its first products with what the store's rules say of them."""
    if counsel is None:
        return observation
    products: list[JsonObject] = observation["products"]
    return {**observation, "products": counsel.beside(products)}


def _pending(context: TurnContext, observed: Observations) -> JsonObject | None:
    """Our open question, its choices at their prices of now."""
    pending = context.conversation.pending
    if pending is None:
        return None
    choices = [
        {**choice, "price": to_major(p.price.at(observed.now), p.price.currency)}
        if (p := observed.products.get(str(choice.get("productId"))))
        else choice
        for choice in pending.get("choices", ())
    ]
    return {**pending, "choices": choices}


def _named(context: TurnContext, observed: Observations) -> list[Product]:
    return [p for i in context.named_ids if (p := observed.products.get(i))]


def _in_focus(context: TurnContext, observed: Observations) -> list[Product]:
    focus = context.conversation.focus
    product = observed.products.get(focus.id) if focus else None
    return [product] if product else []


def _asked_about(context: TurnContext, observed: Observations) -> list[Product]:
    """The products that a question points at ("which of these lasts longest?"), with all their facts."""
    if not (context.query.compare or asks(context)):
        return []
    return [p for i in concerned(context) if (p := observed.products.get(i))]


def _with_sizes(products: list[Product], observed: Observations) -> list[Product]:
    """The products, each that comes in several sizes with all of them, smallest first."""
    listed: dict[str, Product] = {}
    for product in products:
        sizes = [
            p
            for p in observed.products.values()
            if product.variant_of is not None and p.variant_of == product.variant_of
        ]
        for one in sorted(sizes, key=lambda p: (p.size_ml or 0, p.id)) or [product]:
            listed[one.id] = one
    return list(listed.values())


def _card(shown: ShownProduct, observed: Observations) -> JsonObject:
    """A product shown before, at its price of now where that is known."""
    product = observed.products.get(shown.id)
    price, currency = shown.price, observed.cart.currency
    if product is not None:
        price, currency = product.price.at(observed.now), product.price.currency
    card: dict[str, Any] = {
        "id": shown.id,
        "name": shown.name,
        "price": to_major(price, currency),
        "sizeMl": shown.size_ml,
    }
    return {k: v for k, v in card.items() if v is not None}
