"""Whether a product that a model adds is what the shopper meant to add: the one named, the best left to us, within the budget."""

from collections.abc import Callable

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.tools.asked import Asked
from shopping_agent.application.tools.choice import DelegatedChoice
from shopping_agent.application.tools.in_sight import InSight
from shopping_agent.application.tools.meant import Meant
from shopping_agent.application.tools.refusals import choices, refusal
from shopping_agent.application.tools.size_gate import SizeGate
from shopping_agent.application.tools.wrong_product import wrong_product
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.money import to_major
from shopping_agent.domain.vocabulary import Vocabulary


class ProductGate:
    """The gate of one turn."""

    def __init__(
        self,
        context: TurnContext,
        observed: Observations,
        vocabulary: Vocabulary,
        meant: Meant,
        asked: Asked,
    ) -> None:
        self._context = context
        self._observed = observed
        self._meant = meant
        self._asked = asked
        self._choice = DelegatedChoice(context, observed, vocabulary)
        self._sight = InSight(context, observed)
        self._sizes = SizeGate(context, observed, meant)

    def check(self, product: Product) -> JsonObject | None:
        """Whether this product is what the shopper meant to add."""
        rules: tuple[Callable[[Product], JsonObject | None], ...] = (
            self._ordered,
            self._in_sight,
            self._named,
            self._delegated,
            self._size,
            self._budget,
        )
        return next((error for rule in rules if (error := rule(product)) is not None), None)

    def _is_left_to_us(self) -> bool:
        """Whether the choice is ours: said so, or wishes without any product pointed at."""
        query = self._context.query
        if query.delegated:
            return query.product_name is None or query.cheapest
        chosen = (
            query.product_name
            or query.references
            or query.ordinal is not None
            or query.pronoun
            or query.affirms
        )
        return not chosen and query.action == "add" and query.wishes()

    def _ordered(self, product: Product) -> JsonObject | None:
        """Every order of the message is about other products, or about other sizes of this one."""
        if product.id in self._context.pending_ids and not self._meant.references():
            return None
        forbidden = self._meant.forbids("add", product.id)
        return (
            wrong_product(self._meant, self._observed, "add", product.name) if forbidden else None
        )

    def _in_sight(self, product: Product) -> JsonObject | None:
        """A message that names and describes nothing means what is in sight; a name that we do not know, its like."""
        query = self._context.query
        swaps = any(order.change == "swap" for order in query.orders)
        another = query.another and not query.orders
        searches = query.delegated or query.wishes() or query.cheaper or query.on_sale or another
        if searches or (query.references and not swaps):
            return None
        if self._meant.is_certain("add", product.id) or self._sight.holds(product):
            return None
        if self._sight.is_called(product):
            return None
        return wrong_product(self._meant, self._observed, "add", product.name)

    def _named(self, product: Product) -> JsonObject | None:
        """An exact name in the message is not answered with a neighbour's product."""
        exact = self._meant.exact_names()
        meant = [
            p for p in self._observed.products.values() if self._meant.is_named(p.id, p.name, exact)
        ]
        if product in meant or product.id in self._context.pointed_at():
            return None
        meant = meant or self._asked.another(product)
        if not meant:
            return None
        said = " and ".join(exact or [p.name for p in meant])
        return refusal(
            "which_product",
            f"The shopper means {said}, which is not {product.name}.",
            choices=choices(meant),
        )

    def _delegated(self, product: Product) -> JsonObject | None:
        pointed = product.id in self._context.pointed_at() or self._is_offered(product)
        return self._choice.check(product) if self._is_left_to_us() and not pointed else None

    def _is_offered(self, product: Product) -> bool:
        """One of the choices of our open question; of those the cheapest, where that is asked for."""
        offered, query = self._context.pending_ids, self._context.query
        if product.id not in offered or query.wishes():
            return False
        now, known = self._observed.now, self._observed.products
        prices = [known[i].price.at(now) for i in offered if i in known]
        return not query.cheapest or product.price.at(now) <= min(prices, default=0)

    def _size(self, product: Product) -> JsonObject | None:
        return None if self._is_left_to_us() else self._sizes.check(product)

    def _budget(self, product: Product) -> JsonObject | None:
        """A product that the shopper chose over the stated budget is confirmed once."""
        limit = self._context.query.max_price
        price, currency = product.price.at(self._observed.now), product.price.currency
        stated = self._context.query.currency or self._observed.cart.currency
        if limit is None or currency != stated or price <= limit or self._is_left_to_us():
            return None
        if self._context.query.affirms and product.id in self._context.pending_ids:
            return None
        return refusal(
            "over_budget_confirm",
            f"{product.name} costs {to_major(price, currency)} {currency}, over the stated budget of "
            f"{to_major(limit, currency)}. Ask the shopper whether to add it anyway.",
            choices=choices([product]),
        )
