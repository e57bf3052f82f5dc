"""A stored cart re-quoted at the live price, and the caps that a cart keeps to."""

from collections.abc import Mapping, Sequence
from typing import Final

from shopping_agent.domain.cart import Cart, CartLine, CartNotice
from shopping_agent.domain.catalog import LiveFacts
from shopping_agent.domain.values import frozen

MAX_PER_LINE: Final = 10
MAX_LINES: Final = 30
MAX_PIECES: Final = 50


@frozen
class StoredLine:
    """A line as it was written.

    Attributes:
        unit_price: minor units, the live price when the line was written.
        name, brand, image_url: kept so that a product that goes away can still be named.
    """

    product_id: str
    quantity: int
    unit_price: int
    name: str
    brand: str = ""
    image_url: str = ""


def quote(
    lines: Sequence[StoredLine],
    facts: Mapping[str, LiveFacts],
    *,
    currency: str,
    version: int,
    now: float,
) -> Cart:
    """The cart at the prices and stocks of `now` (seconds since the epoch).

    A product that is no longer sold in the cart's currency is gone: amounts of two currencies have no sum.
    """
    return Cart(
        items=tuple(_quoted(line, facts.get(line.product_id), currency, now) for line in lines),
        currency=currency,
        version=version,
    )


def _quoted(line: StoredLine, live: LiveFacts | None, currency: str, now: float) -> CartLine:
    if live is None or live.price.currency != currency:
        return CartLine(
            product_id=line.product_id,
            name=line.name,
            quantity=line.quantity,
            unit_price=line.unit_price,
            brand=line.brand,
            image_url=line.image_url,
            available=False,
            notice="gone",
        )
    price = live.price.at(now)
    enough = live.stock is None or live.stock >= line.quantity
    return CartLine(
        product_id=line.product_id,
        name=live.name,
        quantity=line.quantity,
        unit_price=price,
        brand=live.brand,
        image_url=live.image_url,
        checkout_id=live.checkout_id or live.id,
        available=enough,
        notice=_price_notice(line.unit_price, price) if enough else "stock_below_quantity",
    )


def _price_notice(written: int, live: int) -> CartNotice | None:
    if live > written:
        return "price_rose"
    return "price_fell" if live < written else None
