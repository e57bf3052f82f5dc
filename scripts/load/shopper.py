"""One shopper over HTTP: says and reads things, times each, and holds every cart that comes back against what was asked."""

import http.client
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

TURNS: Final = ("flagship", "change", "search", "refine", "knowledge")
"""Kinds that are a turn of the assistant; the others are requests to the store function."""
STORE: Final = ("listing", "product", "cart", "cart item")
SECONDS: Final = 40.0


class WrongAnswerError(Exception):
    """A reply is not what was asked for; the message says how."""


@dataclass(frozen=True)
class Sample:
    """One request that was answered as it should be."""

    kind: str
    seconds: float


Record = Callable[[Sample], None]


class Shopper:
    """A new guest; the first reply gives the session.

    Args:
        model: who must have answered every turn, so that no fallback hides a failure.
        name: makes the ids of the turns.

    Attributes:
        cart: what must be in the cart now.
    """

    def __init__(self, url: str, *, record: Record, model: str, name: str) -> None:
        place = urlsplit(url)
        self._connection = http.client.HTTPConnection(
            place.hostname or "127.0.0.1", place.port, timeout=SECONDS
        )
        self._record = record
        self._model = model
        self._name = name
        self._said = 0
        self._token = ""
        self.cart: dict[str, int] = {}

    def close(self) -> None:
        self._connection.close()

    def say(self, kind: str, message: str, *, locale: str) -> dict[str, Any]:
        """A turn, as the widget sends it; changes no cart unless the caller then says so (`expect`)."""
        self._said += 1
        body = {"message": message, "locale": locale, "turnId": f"{self._name}-{self._said}"}
        reply = self._timed(kind, "POST", "/api/v1/ai/cart", body)
        if not reply["answer"].strip():
            raise WrongAnswerError(f"{message!r}: nothing was answered")
        if reply["model"] != self._model or reply["finish"] != "answered":
            raise WrongAnswerError(f"{message!r}: {reply['finish']} by {reply['model']}")
        return reply

    def ask(self, kind: str, message: str, *, locale: str) -> dict[str, Any]:
        """A turn that must leave the cart as it is."""
        reply = self.say(kind, message, locale=locale)
        self.expect(reply["cart"], message)
        return reply

    def read(self, kind: str, path: str) -> dict[str, Any]:
        return self._timed(kind, "GET", path, None)

    def put(self, product_id: str, quantity: int) -> None:
        """A product into the cart by the page's button."""
        body = {"productId": product_id, "quantity": quantity}
        cart = self._timed("cart item", "POST", "/api/v1/cart/items", body)
        self.cart[product_id] = self.cart.get(product_id, 0) + quantity
        self.expect(cart, f"{quantity} x {product_id}")

    def check_cart(self) -> None:
        """The cart as the store function has it."""
        self.expect(self.read("cart", "/api/v1/cart"), "the cart")

    def expect(self, cart: Mapping[str, Any], asked: str) -> None:
        """Raises `WrongAnswerError` unless a cart is the expected one, its total included."""
        held = quantities(cart)
        if held != self.cart:
            raise WrongAnswerError(f"{asked!r}: the cart is {held}, not {self.cart}")
        total = sum(round(100 * i["unitPrice"]) * i["quantity"] for i in cart["items"])
        if total != round(100 * cart["total"]):
            raise WrongAnswerError(f"{asked!r}: the total {cart['total']} is not that of the lines")

    def _timed(self, kind: str, method: str, path: str, body: Any) -> dict[str, Any]:
        headers = {"content-type": "application/json"}
        if self._token:
            headers["authorization"] = f"Bearer {self._token}"
        began = time.perf_counter()
        sent = None if body is None else json.dumps(body).encode()
        self._connection.request(method, path, sent, headers)
        answer = self._connection.getresponse()
        text = answer.read()
        seconds = time.perf_counter() - began
        if not 200 <= answer.status < 300:
            raise WrongAnswerError(f"{method} {path}: {answer.status} {text[:200].decode()}")
        reply = json.loads(text)
        self._token = reply.get("sessionToken", self._token)
        self._record(Sample(kind, seconds))
        return reply


def quantities(cart: Mapping[str, Any]) -> dict[str, int]:
    """Of each product, as a cart on the wire has them."""
    return {item["productId"]: item["quantity"] for item in cart["items"]}
