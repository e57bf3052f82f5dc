"""What one turn has seen and done: the only facts that its reply may state, and what the write gates trust."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from shopping_agent.application.turn import CartAction
from shopping_agent.domain.cart import Cart
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.evidence import Passage


@dataclass(slots=True)
class Observations:
    """The ledger of a turn. Filled by the searches run before the first model call and by every tool.

    Attributes:
        now: seconds since the epoch; one moment for every price of the turn.
        cart: the cart as it now is.
        products: everything observed this turn, at live prices, in the order of first sight.
        found: ids of the last product search, best first; `best` is the one that a delegated choice gets.
        passages: texts that answers may rest on.
        refusal: the error of the last refused write, until a write succeeds.
        contacted: the store's contact was given.
    """

    now: float
    cart: Cart
    products: dict[str, Product] = field(default_factory=dict[str, Product])
    found: tuple[str, ...] = ()
    best: str | None = None
    passages: list[Passage] = field(default_factory=list[Passage])
    actions: list[CartAction] = field(default_factory=list[CartAction])
    refusal: JsonObject | None = None
    refused_call: JsonObject | None = None
    contacted: bool = False

    def saw(self, products: Iterable[Product]) -> None:
        for product in products:
            self.products[product.id] = product

    def read(self, passages: Iterable[Passage]) -> None:
        self.passages += [p for p in passages if p not in self.passages]

    def wrote(self, action: CartAction, cart: Cart) -> None:
        """A change that the cart store confirmed."""
        self.actions.append(action)
        self.cart = cart
        self.refusal = None
        self.refused_call = None

    def refused(self, call: JsonObject, error: JsonObject) -> None:
        self.refusal = error
        self.refused_call = call

    def in_search_order(self) -> list[Product]:
        """The products of the last search, best first."""
        return [self.products[i] for i in self.found if i in self.products]
