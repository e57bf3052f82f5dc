"""Products, their price over time, and the live facts that decide what may be sold."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, Literal, cast

from shopping_agent.domain.money import to_major, to_minor
from shopping_agent.domain.values import frozen

Gender = Literal["women", "men", "unisex"]


@frozen
class PriceTag:
    """A regular price and, perhaps, a sale price with its window.

    Attributes:
        regular: minor units of `currency`.
        sale: minor units, lower or not; counts only inside the window.
        sale_from: seconds since the epoch (inclusive), None for "already".
        sale_until: seconds since the epoch (exclusive), None for "without end".
    """

    regular: int
    currency: str
    sale: int | None = None
    sale_from: int | None = None
    sale_until: int | None = None

    def on_sale(self, now: float) -> bool:
        return (
            self.sale is not None
            and self.sale > 0
            and (self.sale_from is None or self.sale_from <= now)
            and (self.sale_until is None or now < self.sale_until)
        )

    def at(self, now: float) -> int:
        """The price in minor units at `now` (seconds since the epoch)."""
        return cast(int, self.sale) if self.on_sale(now) else self.regular

    def compare_at(self, now: float) -> int | None:
        """The regular price when a lower sale price holds, else None."""
        return self.regular if self.on_sale(now) and self.at(now) < self.regular else None


@frozen
class Notes:
    """A perfume's note pyramid, as the catalog writes it."""

    top: tuple[str, ...] = ()
    heart: tuple[str, ...] = ()
    base: tuple[str, ...] = ()

    def all(self) -> tuple[str, ...]:
        return self.top + self.heart + self.base


@frozen
class LiveFacts:
    """What must be true at the moment of sale. Kept in Redis, never taken from the index.

    Attributes:
        stock: pieces, or None when unknown but sellable.
        checkout_id: what the shop's checkout calls the product; empty when that is `id`.
        revision: grows with every change of these facts.
    """

    id: str
    name: str
    price: PriceTag
    brand: str = ""
    image_url: str = ""
    stock: int | None = None
    variant_of: str | None = None
    size_ml: int | None = None
    checkout_id: str = ""
    revision: int = 0

    @property
    def in_stock(self) -> bool:
        return self.stock is None or self.stock > 0


@frozen
class Product:
    """One sellable product or variant. `notes` and `accords` stay as the catalog writes them.

    Attributes:
        checkout_id: what the shop's checkout calls the product (a variant's number at Shopify or WooCommerce); empty
            when that is `id`.
    """

    id: str
    name: str
    price: PriceTag
    brand: str = ""
    description: str = ""
    stock: int | None = None
    url: str = ""
    image_url: str = ""
    gender: Gender | None = None
    families: tuple[str, ...] = ()
    notes: Notes = field(default_factory=Notes)
    accords: tuple[str, ...] = ()
    concentration: str | None = None
    sillage: str | None = None
    longevity: str | None = None
    seasons: tuple[str, ...] = ()
    occasions: tuple[str, ...] = ()
    size_ml: int | None = None
    variant_of: str | None = None
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    checkout_id: str = ""

    @property
    def in_stock(self) -> bool:
        return self.stock is None or self.stock > 0

    def live_facts(self, revision: int = 0) -> LiveFacts:
        return LiveFacts(
            id=self.id,
            name=self.name,
            price=self.price,
            brand=self.brand,
            image_url=self.image_url,
            stock=self.stock,
            variant_of=self.variant_of,
            size_ml=self.size_ml,
            checkout_id=self.checkout_id,
            revision=revision,
        )

    def with_live(self, facts: LiveFacts) -> "Product":
        """This product with the price and stock of the moment."""
        return replace(self, price=facts.price, stock=facts.stock)

    def view(self, now: float) -> dict[str, Any]:
        """The product in the words of the HTTP contract: live price in major units, camelCase."""
        compare_at = self.price.compare_at(now)
        currency = self.price.currency
        wire: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "brand": self.brand,
            "description": self.description,
            "price": to_major(self.price.at(now), currency),
            "compareAtPrice": None if compare_at is None else to_major(compare_at, currency),
            "currency": currency,
            "stock": self.stock,
            "inStock": self.in_stock,
            "url": self.url,
            "imageUrl": self.image_url,
            "gender": self.gender,
            "families": list(self.families),
            "notes": {
                "top": list(self.notes.top),
                "heart": list(self.notes.heart),
                "base": list(self.notes.base),
            },
            "accords": list(self.accords),
            "concentration": self.concentration,
            "sillage": self.sillage,
            "longevity": self.longevity,
            "seasons": list(self.seasons),
            "occasions": list(self.occasions),
            "sizeMl": self.size_ml,
            "variantOf": self.variant_of,
            "options": dict(self.options) or None,
            "checkoutId": self.checkout_id or None,
        }
        optional = (
            "compareAtPrice",
            "concentration",
            "sillage",
            "longevity",
            "variantOf",
            "options",
            "checkoutId",
        )
        return {k: v for k, v in wire.items() if v is not None or k not in optional}

    def brief(self, now: float) -> dict[str, Any]:
        """The product as a tool observation shows it to a model: live price, flat notes, no empty field."""
        compare_at = self.price.compare_at(now)
        currency = self.price.currency
        facts: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "brand": self.brand,
            "price": to_major(self.price.at(now), currency),
            "currency": currency,
            "compareAtPrice": None if compare_at is None else to_major(compare_at, currency),
            "stock": self.stock,
            "inStock": self.in_stock,
            "sizeMl": self.size_ml,
            "gender": self.gender,
            "families": list(self.families),
            "notes": list(self.notes.all()),
            "concentration": self.concentration,
            "longevity": self.longevity,
            "sillage": self.sillage,
            "seasons": list(self.seasons),
            "occasions": list(self.occasions),
            "variantOf": self.variant_of,
        }
        return {k: v for k, v in facts.items() if v not in (None, [], "")}


def price_tag(regular: str | int, currency: str) -> PriceTag:
    """A plain price from an amount in major units."""
    return PriceTag(regular=to_minor(regular, currency), currency=currency)
