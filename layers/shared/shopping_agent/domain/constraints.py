"""What a product must be, and what it had better be: the constraints that one search works with."""

from collections.abc import Callable, Collection, Iterator
from typing import Any, Final, Literal, cast

from shopping_agent.domain.catalog import Gender, Product
from shopping_agent.domain.kinds import MAIN, is_of_kind, kind_term
from shopping_agent.domain.money import to_major
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.values import frozen

Violation = Literal["notes", "price", "gender", "inStock", "kind"]

Covers = Callable[[str], Collection[str]]
"""A canonical term -> itself and the concrete terms that it covers."""
# Occasions for which anything may be given.
_GIVEN: Final = ("gift", "birthday")


@frozen
class Constraints:
    """Hard: prices, currency, gender, notes, exclude_notes, in_stock, kind. The others are wishes, which rank.

    Attributes:
        min_price, max_price: minor units of `currency` (None: the store's own).
        notes, exclude_notes: canonical terms; a term of `notes` may be a family.
        in_stock: True asks for what is available now.
        cheapest, dearest: order by price.
        delegated: we choose what goes into the cart, so a price bound is never relaxed.
        by_wishes: the shopper said that the choice is ours: the wishes alone decide, not the wording.
    """

    min_price: int | None = None
    max_price: int | None = None
    currency: str | None = None
    gender: Gender | None = None
    notes: tuple[str, ...] = ()
    exclude_notes: tuple[str, ...] = ()
    in_stock: bool | None = None
    families: tuple[str, ...] = ()
    season: str | None = None
    occasion: str | None = None
    longevity: str | None = None
    sillage: str | None = None
    size_ml: int | None = None
    kind: str | None = None
    cheapest: bool = False
    dearest: bool = False
    delegated: bool = False
    by_wishes: bool = False

    @classmethod
    def of(cls, query: ShopperQuery) -> "Constraints":
        """The constraints stated in a message."""
        return cls(
            min_price=query.min_price,
            max_price=query.max_price,
            currency=query.currency,
            gender=query.gender,
            notes=query.notes,
            exclude_notes=query.exclude_notes,
            in_stock=query.in_stock,
            families=query.families,
            season=query.season,
            occasion=query.occasion,
            longevity=query.longevity,
            sillage=query.sillage,
            size_ml=query.size_ml,
            kind=None if query.references else query.kind or _worn(query),
            cheapest=query.cheapest,
            dearest=query.dearest,
            delegated=query.delegated or (query.action == "add" and query.product_name is None),
            by_wishes=query.delegated and not query.references,
        )

    @property
    def bounded(self) -> bool:
        """Whether a price bound holds: a foreign currency is then out of the question."""
        return self.min_price is not None or self.max_price is not None

    @property
    def by_price(self) -> bool:
        """Whether price leads the order."""
        return self.cheapest or self.dearest

    def facets(self) -> tuple[str, ...]:
        """Every wanted canonical term."""
        kind = None if self.kind in (None, MAIN) else kind_term(self.kind)
        wanted = (*self.notes, *self.families, self.season, self.occasion, kind)
        return tuple(dict.fromkeys(term for term in wanted if term))


def _worn(query: ShopperQuery) -> str | None:
    """Whoever says for whom means what the store mainly sells, unless it is to be given."""
    return MAIN if query.gender and query.occasion not in _GIVEN else None


@frozen
class Shortfall:
    """A hard constraint that a product does not meet, as tools and the API tell it.

    Attributes:
        constraint: `maxPrice`, `minPrice`, `currency`, `gender`, `notes`, `inStock` or `kind`.
        wanted: what was asked for; a price in minor units; of notes those that are missing.
        by: minor units by which a price misses its bound.
    """

    violation: Violation
    constraint: str
    wanted: int | str | bool | tuple[str, ...]
    by: int | None = None

    def view(self, currency: str) -> dict[str, Any]:
        """As JSON, amounts in major units."""
        if self.by is None:
            wanted = list(self.wanted) if isinstance(self.wanted, tuple) else self.wanted
            return {"constraint": self.constraint, "wanted": wanted}
        amounts = {"wanted": cast(int, self.wanted), "by": self.by}
        return {
            "constraint": self.constraint,
            **{name: to_major(amount, currency) for name, amount in amounts.items()},
        }


def shortfalls(
    product: Product, terms: Collection[str], wanted: Constraints, *, covers: Covers, now: float
) -> tuple[Shortfall, ...]:
    """What of the hard constraints a product with these canonical terms does not meet, at its price of `now`.

    Refused notes and a foreign currency are not among them: who breaks those is no candidate at all.
    """
    return (
        *_of_price(product, wanted, now),
        *_of_product(product, wanted),
        *_of_terms(terms, wanted, covers),
    )


def violations(
    product: Product, terms: Collection[str], wanted: Constraints, *, covers: Covers, now: float
) -> frozenset[Violation]:
    """The kinds of hard constraints that `shortfalls` tells of."""
    found = shortfalls(product, terms, wanted, covers=covers, now=now)
    return frozenset(one.violation for one in found)


def _of_price(product: Product, wanted: Constraints, now: float) -> Iterator[Shortfall]:
    price = product.price.at(now)
    if wanted.bounded and wanted.currency not in (None, product.price.currency):
        yield Shortfall("price", "currency", str(wanted.currency))
        return
    if wanted.max_price is not None and price > wanted.max_price:
        yield Shortfall("price", "maxPrice", wanted.max_price, price - wanted.max_price)
    if wanted.min_price is not None and price < wanted.min_price:
        yield Shortfall("price", "minPrice", wanted.min_price, wanted.min_price - price)


def _of_product(product: Product, wanted: Constraints) -> Iterator[Shortfall]:
    if wanted.gender is not None and product.gender not in (wanted.gender, "unisex"):
        yield Shortfall("gender", "gender", wanted.gender)
    if wanted.in_stock and not product.in_stock:
        yield Shortfall("inStock", "inStock", True)


def _of_terms(terms: Collection[str], wanted: Constraints, covers: Covers) -> Iterator[Shortfall]:
    missing = tuple(note for note in wanted.notes if terms_missing(note, terms, covers))
    if missing:
        yield Shortfall("notes", "notes", missing)
    if wanted.kind is not None and not is_of_kind(terms, wanted.kind):
        yield Shortfall("kind", "kind", wanted.kind)


def terms_missing(wish: str, terms: Collection[str], covers: Covers) -> bool:
    """Whether neither a wished term nor one that it covers is there."""
    return not any(term in terms for term in covers(wish))
