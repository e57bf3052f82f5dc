"""The answer of a product search."""

from collections.abc import Mapping
from dataclasses import field

from shopping_agent.domain.catalog import Product
from shopping_agent.domain.constraints import Shortfall, Violation
from shopping_agent.domain.values import frozen


@frozen
class FoundProducts:
    """The answer of a product search, at live prices.

    Attributes:
        products: best first, one size of each product.
        best: id of the product that a delegated choice gets, which can be bought now; None when none meets every hard
            constraint.
        relaxed: the hard constraints that these products break, when none meets all.
        shortfalls: by product id what each of them, and of their variants, breaks and by how much.
        variants: other sizes of these products that meet (or break) the same constraints.
        scores: 0..100 by product id.
        unmet: how many of the stated wishes the first product does not meet.
        missing: the wished notes that none of these products has.
    """

    products: tuple[Product, ...] = ()
    best: str | None = None
    relaxed: tuple[Violation, ...] = ()
    variants: tuple[Product, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict[str, float])
    unmet: int = 0
    missing: tuple[str, ...] = ()
    shortfalls: Mapping[str, tuple[Shortfall, ...]] = field(
        default_factory=dict[str, tuple[Shortfall, ...]]
    )
