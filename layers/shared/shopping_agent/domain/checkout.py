"""Handing a cart over to the shop's own checkout: what may go, and the link that carries it. Never a payment."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from shopping_agent.domain.cart import Cart
from shopping_agent.domain.money import to_major
from shopping_agent.domain.signing import sign_token
from shopping_agent.domain.values import frozen
from shopping_agent.errors import CartRefusedError

CheckoutKind = Literal["shopify", "woocommerce", "signed"]

HANDOFF_SECONDS: Final = 30 * 60
"""How long a link is good for: so long its prices are promised to nobody but likely still right."""
LONGEST_URL: Final = 2000
"""Characters that every browser, proxy and shop system takes."""
AUDIENCE: Final = "checkout"
REFERENCE: Final = "checkout_reference"
"""What a shop system's own order carries, so that the shop can name the hand-off when it tells us of the order."""
_MOST_NAMED: Final = 3


@frozen
class HandOffLine:
    """A line as it was handed over. `unit_price` in minor units."""

    product_id: str
    checkout_id: str
    name: str
    quantity: int
    unit_price: int


@frozen
class HandOff:
    """A cart as it was handed over.

    Attributes:
        reference: names it between the shop and us; says nothing about the shopper.
        total: minor units, goods only, before delivery.
        issued_at, expires_at: seconds since the epoch.
    """

    reference: str
    lines: tuple[HandOffLine, ...]
    currency: str
    total: int
    cart_version: int
    issued_at: int
    expires_at: int


@frozen
class CheckoutLink:
    """What a shopper follows. `total` in minor units of `currency`."""

    url: str
    expires_at: int
    cart: Cart


@frozen
class CompletedOrder:
    """An order that the shop says was placed. Without a total or a currency, the hand-off's own counts.

    Attributes:
        total: in major units.
    """

    order_id: str
    reference: str
    total: Decimal | None = None
    currency: str = ""


@frozen
class Completion:
    """What an order meant: `counted` (for the first time), `repeated`, or of a hand-off that is `unknown`."""

    outcome: Literal["counted", "repeated", "unknown"]
    amount: int = 0
    currency: str = ""


def hand_off(cart: Cart, *, reference: str, now: float) -> HandOff:
    """A cart that may go to the checkout.

    Raises:
        CartRefusedError: it is empty, or holds what cannot be sold now.
    """
    if not cart.items:
        raise CartRefusedError("empty_cart", "The cart is empty: there is nothing to check out.")
    missing = [line.name for line in cart.items if not line.available]
    if missing:
        raise CartRefusedError(
            "lines_unavailable",
            f"No longer available in this quantity: {_listed(missing)}. Change or remove "
            "them, then check out.",
        )
    return HandOff(
        reference=reference,
        lines=tuple(
            HandOffLine(
                product_id=line.product_id,
                checkout_id=line.checkout_id or line.product_id,
                name=line.name,
                quantity=line.quantity,
                unit_price=line.unit_price,
            )
            for line in cart.items
        ),
        currency=cart.currency,
        total=cart.total,
        cart_version=cart.version,
        issued_at=int(now),
        expires_at=int(now) + HANDOFF_SECONDS,
    )


def link_of(kind: CheckoutKind, base: str, given: HandOff, secrets: Sequence[bytes]) -> str:
    """The address that carries a hand-off.

    Args:
        base: the shop's address (Shopify, WooCommerce) or its checkout page (signed).
        secrets: shared with the shop; only a signed link needs them.

    Raises:
        CartRefusedError: a product has no number at the shop system, or the link would be too long.
    """
    url = _LINKS[kind](base, given, secrets)
    if len(url) > LONGEST_URL:
        raise CartRefusedError(
            "checkout_too_large", "The cart has too many products for one checkout link."
        )
    return url


def claims_of(given: HandOff, *, with_lines: bool = True) -> dict[str, Any]:
    """What a signed link says: amounts in major units, `iat` and `exp` in seconds since the epoch."""
    lines = [
        {
            "id": line.checkout_id,
            "quantity": line.quantity,
            "unitPrice": to_major(line.unit_price, given.currency),
        }
        for line in given.lines
    ]
    return {
        "aud": AUDIENCE,
        "reference": given.reference,
        "cartVersion": given.cart_version,
        "currency": given.currency,
        "total": to_major(given.total, given.currency),
        "iat": given.issued_at,
        "exp": given.expires_at,
        **({"lines": lines} if with_lines else {}),
    }


def _shopify(base: str, given: HandOff, secrets: Sequence[bytes]) -> str:
    """A cart permalink: `/cart/<variant>:<quantity>,...`."""
    del secrets
    return _address(
        base, f"/cart/{_numbered(given)}", {f"attributes[{REFERENCE}]": given.reference}
    )


def _woocommerce(base: str, given: HandOff, secrets: Sequence[bytes]) -> str:
    """An add-to-cart link, which holds one product; for several, the checkout link of WooCommerce 10 and later."""
    del secrets
    numbered = _numbered(given)
    if len(given.lines) == 1:
        number, _, quantity = numbered.partition(":")
        parameters = {"add-to-cart": number, "quantity": quantity, REFERENCE: given.reference}
        return _address(base, "/", parameters)
    return _address(base, "/checkout-link/", {"products": numbered, REFERENCE: given.reference})


def _signed(base: str, given: HandOff, secrets: Sequence[bytes]) -> str:
    """The shop's page with a signed token; a token that would be too long leaves the lines to be asked for."""
    url = ""
    for with_lines in (True, False):
        token = sign_token(claims_of(given, with_lines=with_lines), secrets)
        url = _address(base, "", {"handoff": token})
        if len(url) <= LONGEST_URL:
            break
    return url


_LINKS: Final[Mapping[CheckoutKind, Callable[[str, HandOff, Sequence[bytes]], str]]] = {
    "shopify": _shopify,
    "woocommerce": _woocommerce,
    "signed": _signed,
}


def _numbered(given: HandOff) -> str:
    """`<number>:<quantity>,...`: both shop systems know products by numbers only.

    Raises:
        CartRefusedError: a product has none.
    """
    unknown = [
        line.name
        for line in given.lines
        if not (line.checkout_id.isascii() and line.checkout_id.isdigit())
    ]
    if unknown:
        raise CartRefusedError(
            "checkout_unmapped", f"The shop's checkout does not know: {_listed(unknown)}."
        )
    return ",".join(f"{line.checkout_id}:{line.quantity}" for line in given.lines)


def _address(base: str, path: str, parameters: Mapping[str, str]) -> str:
    parts = urlsplit(base)
    query = urlencode([*parse_qsl(parts.query), *parameters.items()], safe=":,")
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/") + path, query, ""))


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
