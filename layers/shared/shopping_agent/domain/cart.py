"""The cart as the shopper sees it: lines re-quoted at the live price, total before delivery."""

from typing import Any, Literal

from shopping_agent.domain.money import to_major
from shopping_agent.domain.values import frozen

CartNotice = Literal["price_rose", "price_fell", "stock_below_quantity", "gone"]
LeftOutReason = Literal["gone", "out_of_stock", "cart_limit"]


@frozen
class CartLine:
    """One product in a cart.

    Attributes:
        unit_price: minor units, the live price.
        available: False when the product is gone or its stock is below the quantity.
        notice: what changed since the line was last written, if anything did.
        checkout_id: what the shop's checkout calls the product.
    """

    product_id: str
    name: str
    quantity: int
    unit_price: int
    brand: str = ""
    image_url: str = ""
    available: bool = True
    notice: CartNotice | None = None
    checkout_id: str = ""

    @property
    def line_total(self) -> int:
        return self.unit_price * self.quantity


@frozen
class LeftOut:
    """What of a guest's line did not come over into the user's cart: `moved` of `wanted` pieces did."""

    product_id: str
    name: str
    wanted: int
    moved: int
    reason: LeftOutReason

    def view(self) -> dict[str, Any]:
        return {
            "productId": self.product_id,
            "name": self.name,
            "notice": self.reason,
            "wanted": self.wanted,
            "moved": self.moved,
        }


@frozen
class Cart:
    """A shopper's cart. `version` grows by one with every change; an untouched cart is version 0.

    A line whose product is gone keeps its name, counts in `items` and adds nothing to the total.

    Attributes:
        left_out: only of the cart that a merge answers.
    """

    items: tuple[CartLine, ...] = ()
    currency: str = "MAD"
    version: int = 0
    left_out: tuple[LeftOut, ...] = ()

    @property
    def count(self) -> int:
        return sum(line.quantity for line in self.items)

    @property
    def total(self) -> int:
        """Minor units, goods only, before delivery."""
        return sum(line.line_total for line in self.items if line.notice != "gone")

    def line(self, product_id: str) -> CartLine | None:
        return next((line for line in self.items if line.product_id == product_id), None)

    def view(self) -> dict[str, Any]:
        """The cart in the words of the HTTP contract, amounts in major units."""
        return {
            "items": [
                {
                    "productId": line.product_id,
                    "name": line.name,
                    "brand": line.brand,
                    "imageUrl": line.image_url,
                    "quantity": line.quantity,
                    "unitPrice": to_major(line.unit_price, self.currency),
                    "lineTotal": to_major(line.line_total, self.currency),
                    "available": line.available,
                    **({"notice": line.notice} if line.notice else {}),
                }
                for line in self.items
            ],
            "count": self.count,
            "total": to_major(self.total, self.currency),
            "currency": self.currency,
            "version": self.version,
            **({"notices": [left.view() for left in self.left_out]} if self.left_out else {}),
        }
