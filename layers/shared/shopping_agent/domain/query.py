"""What understanding extracts from one message: the constraints that search, planner and write gate share."""

from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

from shopping_agent.domain.catalog import Gender
from shopping_agent.domain.intent import Intent, Language, Route
from shopping_agent.domain.kinds import MAIN
from shopping_agent.domain.money import to_major
from shopping_agent.domain.values import frozen

if TYPE_CHECKING:
    from shopping_agent.domain.understanding.reading import Reading

Action = Literal["add", "update", "remove", "clear", "view", "checkout", "none"]
Refining = Literal["", "also", "instead"]
Change = Literal["add", "set", "more", "less", "half", "double", "remove", "keep", "clear", "swap"]


@frozen
class ShownProduct:
    """A product that this shopper was shown: what ordinals, pronouns and the write gate refer to.

    Attributes:
        price: minor units when it was shown.
    """

    id: str
    name: str
    price: int = 0
    size_ml: int | None = None


@frozen
class ProductReference:
    """A known product name found in a message.

    Attributes:
        name: as the catalog spells it.
        start, end: characters of the message (half open).
        score: 1.0 for the exact name, less for a typo or another script.
    """

    name: str
    start: int
    end: int
    score: float = 1.0


@frozen
class Order:
    """One change to the cart that a message asks for; a message may ask for several, in their order.

    Attributes:
        change: `set`, `more`, `less`, `half` and `double` are about the quantity of a line; `keep` removes all other lines; `swap` puts
            the product meant in the place of one of the cart.
        name: the product's name, as the catalog spells it.
        ordinal: its position among the products shown.
        other: "the other one", of two.
        both: the two that were shown, or the two in the cart.
        unknown: words that stand where a product should, and that the store does not know.
    """

    change: Change
    name: str | None = None
    ordinal: int | None = None
    quantity: int | None = None
    size_ml: int | None = None
    pronoun: bool = False
    cheapest: bool = False
    other: bool = False
    both: bool = False
    unknown: str = ""

    @property
    def points(self) -> bool:
        """Whether it says which product it is about."""
        return bool(
            self.name
            or self.ordinal
            or self.pronoun
            or self.cheapest
            or self.other
            or self.both
            or self.unknown
        )


@frozen
class ShopperQuery:
    """Constraints stated in one message. What was not said is None or empty.

    Attributes:
        text: the message as typed.
        min_price, max_price: minor units of `currency`, or of the store's where none was said.
        notes, families, exclude_notes: canonical English; `exclude_notes` holds refused families too.
        ordinal: 1-based position among the products shown; -1 the last, -2 the one before it.
        product_name: the product meant, as the catalog spells it.
        ordinals: every position that the message orders or compares ("the first and the third").
        orders: the changes to the cart, in the order of the message.
        references: every known name in the message.
        pronoun: "it", "this one", "had l3tr": refers to the product last talked about.
        delegated: the shopper leaves the choice to us ("the best one", "whichever is good").
        cheapest: a superlative on price ("the cheapest"); `delegated` is then True as well.
        dearest: the other one ("the priciest"): never a choice left to us.
        topics: what a knowledge question is about, as vocabulary concepts (delivery, returns, vegan, ...).
        kind: which sort of product is wished for, as `domain.kinds` names them.
        on_sale: asks for products at a reduced price.
        cheaper, dearer, another: what was shown is refined ("something cheaper", "anything else?").
        foreign: it is in a language that we do not speak.
        refines: it goes on with the request before it, with a taste beside or instead of those wished for there.
        affirms, denies: a short "yes" / "no" to what we asked.
    """

    text: str
    language: Language
    action: Action = "none"
    min_price: int | None = None
    max_price: int | None = None
    currency: str | None = None
    gender: Gender | None = None
    notes: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    exclude_notes: tuple[str, ...] = ()
    season: str | None = None
    occasion: str | None = None
    quantity: int | None = None
    ordinal: int | None = None
    product_name: str | None = None
    in_stock: bool | None = None
    size_ml: int | None = None
    longevity: str | None = None
    sillage: str | None = None
    references: tuple[ProductReference, ...] = ()
    pronoun: bool = False
    delegated: bool = False
    cheapest: bool = False
    dearest: bool = False
    compare: bool = False
    affirms: bool = False
    denies: bool = False
    topics: tuple[str, ...] = ()
    kind: str | None = None
    on_sale: bool = False
    cheaper: bool = False
    dearer: bool = False
    another: bool = False
    refines: Refining = ""
    foreign: bool = False
    ordinals: tuple[int, ...] = ()
    orders: tuple[Order, ...] = ()

    @property
    def sizes(self) -> frozenset[int]:
        """Every size that the message states."""
        stated = (self.size_ml, *(order.size_ml for order in self.orders))
        return frozenset(size for size in stated if size is not None)

    def beside_names(self) -> str:
        """The message without the product names in it."""
        text = self.text
        for reference in sorted(self.references, key=lambda r: r.start, reverse=True):
            text = f"{text[: reference.start]} {text[reference.end :]}"
        return text

    def wishes(self) -> bool:
        """Whether the message constrains or describes what to look for."""
        return bool(
            self.notes
            or self.families
            or self.exclude_notes
            or self.season
            or self.occasion
            or self.gender
            or self.min_price is not None
            or self.max_price is not None
            or self.longevity
            or self.sillage
            or self.kind not in (None, MAIN)
        )

    def asks_whom(self) -> bool:
        """Whether it asks for whom or for when something is (`is it for men?`), and describes nothing to look for."""
        describes = self.notes or self.families or self.exclude_notes or self.delegated
        bounded = self.min_price is not None or self.max_price is not None
        return "suitability" in self.topics and not (describes or bounded)

    def view(self, store_currency: str) -> dict[str, Any]:
        """The keys of the labelled query data, prices in major units; what was not said is left out.

        One piece is what an addition means where no number is said.
        """
        currency = self.currency or store_currency
        count = 1 if self.quantity is None and self.action == "add" else self.quantity
        fields: dict[str, Any] = {
            "minPrice": None if self.min_price is None else to_major(self.min_price, currency),
            "maxPrice": None if self.max_price is None else to_major(self.max_price, currency),
            "currency": self.currency,
            "gender": self.gender,
            "notes": list(self.notes),
            "families": list(self.families),
            "excludeNotes": list(self.exclude_notes),
            "season": self.season,
            "occasion": self.occasion,
            "quantity": count,
            "ordinal": self.ordinal,
            "productName": self.product_name,
            "inStock": self.in_stock,
        }
        return {k: v for k, v in fields.items() if v not in (None, [])} | {"action": self.action}


@frozen
class Understanding:
    """One message understood: its constraints, its intent and the way it is sent.

    Attributes:
        confidence: of the intent, 0..1.
        hypothetical: cart talk that is not a cart action ("if I bought two", "don't add it yet").
        plain_order: a change of the cart is all that the message asks for.
        sure_of_language: no other language fits nearly as well.
        reading: the words of the message as they stand, for what else asks about them in this turn;
            None where links were left out of it.
    """

    query: ShopperQuery
    intent: Intent
    route: Route
    confidence: float = 1.0
    hypothetical: bool = False
    plain_order: bool = False
    sure_of_language: bool = False
    reading: "Reading | None" = field(default=None, compare=False, repr=False)
