"""The cart over HTTP: each route parses, makes one change (or none), and answers the cart at live prices."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict

from shopping_agent.application.identities import Identities
from shopping_agent.domain.cart import Cart
from shopping_agent.domain.conversation import Shopper
from shopping_agent.domain.operation import Operation
from shopping_agent.errors import ForbiddenError, InvalidFieldError, UnauthorizedError
from shopping_agent.http.bodies import read_body, read_parameters
from shopping_agent.http.conditional import etag_of, expected_version
from shopping_agent.http.models import (
    CartItemRequest,
    ChangeParameters,
    MergeRequest,
    QuantityRequest,
)
from shopping_agent.http.resolver import ShopResolver
from shopping_agent.http.response import Response, json_reply

if TYPE_CHECKING:
    from shopping_agent.ports import CartStore


class CartRoutes:
    """The services are asked for when a request needs them."""

    def __init__(
        self,
        app: ShopResolver,
        *,
        carts: "Callable[[], CartStore]",
        identities: Callable[[], Identities],
    ) -> None:
        self._app = app
        self._carts = carts
        self._identities = identities
        app.get("/api/v1/cart", access="guest", counts_itself=True)(self.read)
        app.delete("/api/v1/cart", access="guest")(self.clear)
        app.post("/api/v1/cart/items", access="guest")(self.add)
        app.patch("/api/v1/cart/items/<product_id>", access="guest")(self.set_quantity)
        app.delete("/api/v1/cart/items/<product_id>", access="guest")(self.remove)
        app.post("/api/v1/cart/undo", access="guest")(self.undo)
        app.post("/api/v1/cart/merge", access="bearer")(self.merge)

    def read(self) -> Response:
        visit = self._app.visit
        cart = self._carts().read(self._shopper, visit.deadline, charges=visit.charges)
        return self._answer(cart)

    def add(self) -> Response:
        wanted = read_body(self._app.current_event, CartItemRequest)
        change = self._change(wanted.version)
        cart = self._carts().add(
            self._shopper,
            wanted.product_id,
            wanted.quantity,
            self._app.visit.deadline,
            **change,
        )
        return self._answer(cart)

    def set_quantity(self, product_id: str) -> Response:
        wanted = read_body(self._app.current_event, QuantityRequest)
        return self._set(product_id, wanted.quantity, wanted.version)

    def remove(self, product_id: str) -> Response:
        wanted = read_parameters(self._app.current_event, ChangeParameters)
        return self._set(product_id, 0, wanted.version)

    def clear(self) -> Response:
        wanted = read_parameters(self._app.current_event, ChangeParameters)
        change = self._change(wanted.version)
        return self._answer(self._carts().clear(self._shopper, self._app.visit.deadline, **change))

    def undo(self) -> Response:
        wanted = read_parameters(self._app.current_event, ChangeParameters)
        change = self._change(wanted.version)
        return self._answer(self._carts().undo(self._shopper, self._app.visit.deadline, **change))

    def merge(self) -> Response:
        user = self._shopper
        if user.kind != "user":
            raise ForbiddenError("Only a user's bearer takes over a guest's cart.")
        wanted = read_body(self._app.current_event, MergeRequest)
        try:
            guest = self._identities().guest_of(wanted.guest_token)
        except UnauthorizedError as error:
            raise InvalidFieldError(
                "guestToken: not a guest's token, or an expired one.", field="guestToken"
            ) from error
        change = self._change()
        return self._answer(self._carts().merge(user, guest, self._app.visit.deadline, **change))

    @property
    def _shopper(self) -> Shopper:
        return self._app.visit.who.shopper

    def _set(self, product_id: str, quantity: int, version: int | None) -> Response:
        change = self._change(version)
        cart = self._carts().set_quantity(
            self._shopper, product_id, quantity, self._app.visit.deadline, **change
        )
        return self._answer(cart)

    def _change(self, version: int | None = None) -> "_Change":
        return {
            "expected_version": expected_version(self._app.current_event.headers, version),
            "operation": operation(self._app),
        }

    def _answer(self, cart: Cart) -> Response:
        who = self._app.visit.who
        headers = {"ETag": etag_of(cart.version), **who.headers()}
        return json_reply(who.signed(cart.view()), headers=headers)


class _Change(TypedDict):
    expected_version: int | None
    operation: Operation | None


def operation(app: ShopResolver) -> Operation | None:
    """The change's name, when the request came with an Idempotency-Key."""
    return Operation(app.visit.operation_id) if app.visit.operation_id else None
