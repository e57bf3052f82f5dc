"""What one turn has seen and done: the only facts that its reply may state, and what the write gates trust."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from shopping_agent.application.counsel import Counsel
from shopping_agent.application.journal import TurnJournal
from shopping_agent.application.search import FoundProducts
from shopping_agent.application.turn import CartAction
from shopping_agent.domain.cart import Cart
from shopping_agent.domain.catalog import LiveFacts, Product
from shopping_agent.domain.checkout import CheckoutLink
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.evidence import Passage


@dataclass(slots=True)
class Observations:
    """The ledger of a turn. Filled by the searches run before the first model call and by every tool.

    Attributes:
        now: seconds since the epoch; one moment for every price of the turn.
        cart: the cart as it now is.
        products: everything observed this turn, at live prices, in the order of first sight.
        found: ids of the last product search, best first.
        ranking: ids of the search that our code made from the shopper's own words (else of the first search of
            the model), best first: what a delegated choice is measured against; `best` is its top.
        passages: texts that answers may rest on.
        refusal: the error of the last refused write, until a write succeeds.
        refusals: codes of all writes that were refused.
        fruitless: the search for the shopper's own words found nothing that meets them.
        contacted: the store's contact was given.
        checkout: the link to the checkout of the cart as it now is.
        journal: what this turn changed in an earlier attempt, and what it changes now.
        counsel: what the store's rules say of what was found.
        why_not: why a product that was asked about was not recommended.
        before: the cart as the turn began.
    """

    now: float
    cart: Cart
    products: dict[str, Product] = field(default_factory=dict[str, Product])
    found: tuple[str, ...] = ()
    ranking: tuple[str, ...] = ()
    best: str | None = None
    passages: list[Passage] = field(default_factory=list[Passage])
    actions: list[CartAction] = field(default_factory=list[CartAction])
    written_names: dict[str, str] = field(default_factory=dict[str, str])
    refusal: JsonObject | None = None
    refused_call: JsonObject | None = None
    refusals: list[str] = field(default_factory=list[str])
    fruitless: bool = False
    contacted: bool = False
    checkout: CheckoutLink | None = None
    journal: TurnJournal = field(default_factory=lambda: TurnJournal(""))
    counsel: Counsel | None = None
    why_not: JsonObject | None = None
    before: Cart = field(init=False)

    def __post_init__(self) -> None:
        self.before = self.cart

    def saw(self, products: Iterable[Product]) -> None:
        for product in products:
            self.products[product.id] = product

    def saw_live(self, facts: Iterable[LiveFacts]) -> None:
        """Live facts alone: enough for a cart, not for a question about notes."""
        for live in facts:
            known = self.products.get(live.id)
            self.products[live.id] = _thin(live) if known is None else known.with_live(live)

    def saw_indexed(self, indexed: Iterable[Product]) -> None:
        """All facts of products whose live facts are known already: those stay."""
        for product in indexed:
            known = self.products.get(product.id)
            if known is not None:
                self.products[product.id] = replace(product, price=known.price, stock=known.stock)

    def searched(self, found: FoundProducts) -> None:
        """A product search: the first one of a turn is the ranking that counts."""
        self.saw((*found.variants, *found.products))
        self.found = tuple(p.id for p in found.products)
        if not self.ranking:
            self.fruitless = not found.products or bool(found.relaxed)
            self.ranking, self.best = self.found, found.best

    def read(self, passages: Iterable[Passage]) -> None:
        self.passages += [p for p in passages if p not in self.passages]

    def wrote(self, action: CartAction, name: str, cart: Cart) -> None:
        """A change that the cart store confirmed; `name` as the cart knew it."""
        self.actions.append(action)
        if action.product_id is not None:
            self.written_names[action.product_id] = name
        self.cart = cart
        # A link made before carries another cart.
        self.checkout = None
        self.refusal = None
        self.refused_call = None

    def handed_over(self, link: CheckoutLink) -> None:
        """A link to the checkout of the cart as the store holds it."""
        self.checkout = link
        self.cart = link.cart
        self.refusal = None
        self.refused_call = None

    def resume(self, journal: TurnJournal) -> None:
        """Go on with a turn: what an earlier attempt changed was changed by this turn."""
        self.journal = journal
        for change in journal.earlier:
            self.wrote(change.action, change.name, self.cart)

    def refused(self, call: JsonObject, error: JsonObject) -> None:
        self.refusal = error
        self.refused_call = call
        self.refusals.append(str(error.get("code") or "failed"))

    def in_search_order(self) -> list[Product]:
        """The products of the last search, best first."""
        return [self.products[i] for i in self.found if i in self.products]


def _thin(live: LiveFacts) -> Product:
    return Product(
        id=live.id,
        name=live.name,
        price=live.price,
        brand=live.brand,
        image_url=live.image_url,
        stock=live.stock,
        variant_of=live.variant_of,
        size_ml=live.size_ml,
    )
