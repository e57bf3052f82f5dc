"""The product tools: search, look at one, compare a few. All prices and stocks are live."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.search import FoundProducts, SearchService
from shopping_agent.application.tools.arguments import CompareProducts, GetProduct, SearchProducts
from shopping_agent.application.tools.refusals import refusal
from shopping_agent.application.tools.registry import Tool
from shopping_agent.domain.catalog import LiveFacts, Product
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.injection import of_product
from shopping_agent.domain.money import to_minor
from shopping_agent.errors import IndexUnavailableError
from shopping_agent.ports import LiveCatalog, ProductIndex

MOST_FOUND: Final = 10
_LONGEST_DESCRIPTION: Final = 1500


class ProductLookup:
    """Products by id: what this turn already observed, else the live facts, else the index."""

    def __init__(
        self,
        *,
        search: SearchService,
        index: ProductIndex,
        live: LiveCatalog,
        observed: Observations,
    ) -> None:
        self._search = search
        self._index = index
        self._live = live
        self._observed = observed

    def product(self, product_id: str, deadline: Deadline) -> Product | None:
        """A product at its live price, from Redis alone: carts must work without the index."""
        known = self._observed.products.get(product_id)
        if known is not None:
            return known
        self._observed.saw_live(self._live.get([product_id], deadline).values())
        return self._observed.products.get(product_id)

    def exists(self, product_id: str, deadline: Deadline) -> bool:
        """Whether a product is sold, without observing it."""
        return bool(self._live.get([product_id], deadline))

    def on_sale(self, deadline: Deadline) -> list[LiveFacts]:
        """Live facts of everything that is on sale now."""
        return self._live.on_sale(self._observed.now, deadline)

    def full(self, ids: Sequence[str], deadline: Deadline) -> list[Product]:
        """Products with all their facts, in the order asked; those that are not sold are left out."""
        unseen = [i for i in ids if i not in self._observed.products]
        if unseen:
            self._observed.saw_live(self._live.get(unseen, deadline).values())
        thin = [i for i in ids if i in self._observed.products and self._is_thin(i)]
        if thin:
            self._observed.saw_indexed(self._index.products(thin, deadline).values())
        return [self._observed.products[i] for i in ids if i in self._observed.products]

    def variants(self, product: Product, deadline: Deadline) -> None:
        """Observe the other sizes of a product. Without the index they stay unknown: a cart turn goes on."""
        siblings = [
            p for p in self._observed.products.values() if p.variant_of == product.variant_of
        ]
        if product.variant_of is None or len(siblings) > 1:
            return
        try:
            sizes = self._search.variants([product], deadline=deadline, now=self._observed.now)
        except IndexUnavailableError:
            return
        self._observed.saw(sizes)

    def _is_thin(self, product_id: str) -> bool:
        product = self._observed.products[product_id]
        return not (product.description or product.families or product.notes.all())


class CatalogTools:
    """The product tools of one turn."""

    def __init__(
        self,
        *,
        search: SearchService,
        lookup: ProductLookup,
        context: TurnContext,
        observed: Observations,
    ) -> None:
        self._search = search
        self._lookup = lookup
        self._context = context
        self._observed = observed

    def tools(self) -> list[Tool]:
        return [
            Tool(
                "search_products",
                "Find products by taste, occasion, name or budget; ranked, best first, at live prices.",
                SearchProducts,
                self.search,
            ),
            Tool("get_product", "All facts of one product.", GetProduct, self.get),
            Tool(
                "compare_products",
                "Facts of 2 to 4 products side by side.",
                CompareProducts,
                self.compare,
            ),
        ]

    def search(self, arguments: SearchProducts, deadline: Deadline) -> JsonObject:
        found = self._search.find_products(
            arguments.query,
            wanted_of(arguments, self._context, self._observed),
            limit=min(arguments.limit, MOST_FOUND),
            deadline=deadline,
            now=self._observed.now,
            profile=self._context.known.profile,
        )
        self._observed.searched(found)
        return products_observation(found, self._observed.now)

    def get(self, arguments: GetProduct, deadline: Deadline) -> JsonObject:
        found = self._lookup.full([arguments.product_id], deadline)
        if not found:
            return refusal(
                "unknown_product", "No product has this id. Find it with search_products."
            )
        product = found[0]
        facts = product.brief(self._observed.now)
        text = of_product(product.description[:_LONGEST_DESCRIPTION])
        return {"product": {**facts, "description": text}}

    def compare(self, arguments: CompareProducts, deadline: Deadline) -> JsonObject:
        found = self._lookup.full(arguments.product_ids, deadline)
        missing = sorted(set(arguments.product_ids) - {p.id for p in found})
        result: dict[str, Any] = {"products": [p.brief(self._observed.now) for p in found]}
        if missing:
            result["note"] = f"Not sold here: {', '.join(missing)}"
        return result


def wanted_of(
    arguments: SearchProducts, context: TurnContext, observed: Observations
) -> Constraints:
    """The arguments, and what the shopper's own message insists on: a model cannot lose a budget on the way."""
    said = Constraints.of(context.query)
    currency = said.currency or observed.cart.currency
    bounds = [
        to_minor(amount, currency) if amount is not None else None
        for amount in (arguments.min_price, arguments.max_price)
    ]
    return replace(
        said,
        min_price=said.min_price if bounds[0] is None else bounds[0],
        max_price=said.max_price if bounds[1] is None else bounds[1],
        gender=arguments.gender or (None if context.query.references else said.gender),
        notes=tuple(arguments.notes),
        families=() if arguments.notes else (*said.notes, *said.families),
        exclude_notes=tuple(dict.fromkeys((*said.exclude_notes, *arguments.exclude_notes))),
    )


def products_observation(
    found: FoundProducts, now: float, named: Sequence[Product] = ()
) -> JsonObject:
    """What a search found, as a tool result shows it.

    Args:
        named: products that the message names, with their sizes: they come first, whatever the wishes.
    """
    products = list({p.id: p for p in (*named, *found.products)}.values())[:MOST_FOUND]
    result: dict[str, Any] = {"products": [_brief(p, found, now) for p in products]}
    if found.best is not None:
        result["best"] = found.best
    if found.relaxed:
        result["relaxed"] = list(found.relaxed)
        if found.missing:
            result["missing"] = list(found.missing)
        result["note"] = (
            "Nothing meets every wish: these are the nearest, and `violates` names what each misses."
        )
    elif not products:
        result["note"] = "Nothing found."
    return result


def _brief(product: Product, found: FoundProducts, now: float) -> JsonObject:
    """A product's facts, with the constraints of the search that it does not meet."""
    facts = product.brief(now)
    short = found.shortfalls.get(product.id)
    return (
        {**facts, "violates": [s.view(product.price.currency) for s in short]} if short else facts
    )
