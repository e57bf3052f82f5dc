"""The checkout hand-off over HTTP: the link, what the shop's page may ask of it, and the webhook that closes the cart."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from shopping_agent.domain.money import to_major
from shopping_agent.http.bodies import raw_body, read_body, read_parameters
from shopping_agent.http.conditional import etag_of, expected_version
from shopping_agent.http.models import ChangeParameters, CheckoutWebhook
from shopping_agent.http.resolver import ShopResolver
from shopping_agent.http.response import Response, json_reply, utc_time

if TYPE_CHECKING:
    from shopping_agent.application.checkout import Checkout
    from shopping_agent.domain.checkout import HandOff

SIGNATURE_HEADER: Final = "x-checkout-signature"


class CheckoutRoutes:
    """The service is asked for when a request needs it."""

    def __init__(self, app: ShopResolver, *, checkout: Callable[[], "Checkout"]) -> None:
        self._app = app
        self._checkout = checkout
        app.post("/api/v1/cart/checkout", access="guest")(self.begin)
        app.get("/api/v1/checkout/<token>", access="public")(self.read)
        app.post("/api/v1/webhooks/checkout", access="signed", keyed=False)(self.complete)

    def begin(self) -> Response:
        who = self._app.visit.who
        event = self._app.current_event
        wanted = read_parameters(event, ChangeParameters)
        link = self._checkout().begin(
            who.shopper,
            self._app.visit.deadline,
            expected_version=expected_version(event.headers, wanted.version),
        )
        body = {"url": link.url, "expiresAt": utc_time(link.expires_at)}
        headers = {"ETag": etag_of(link.cart.version), **who.headers()}
        return json_reply(who.signed(body), headers=headers)

    def read(self, token: str) -> Response:
        return json_reply(_view(self._checkout().read(token, self._app.visit.deadline)))

    def complete(self) -> Response:
        # Nobody's cold start but the webhook's own.
        from shopping_agent.domain.checkout import CompletedOrder

        event = self._app.current_event
        signature = str(event.headers.get(SIGNATURE_HEADER) or "")
        # Before the body is read: what is not signed is not looked at.
        self._checkout().verify(signature, raw_body(event.raw_event))
        order = read_body(event, CheckoutWebhook)
        self._checkout().complete(
            CompletedOrder(
                order_id=order.order_id,
                reference=order.reference,
                total=order.total,
                currency=order.currency or "",
            ),
            self._app.visit.deadline,
        )
        return Response(204)


def _view(given: "HandOff") -> dict[str, Any]:
    """A hand-off in the words of the HTTP contract, amounts in major units."""
    currency = given.currency
    return {
        "reference": given.reference,
        "lines": [
            {
                "id": line.checkout_id,
                "productId": line.product_id,
                "name": line.name,
                "quantity": line.quantity,
                "unitPrice": to_major(line.unit_price, currency),
                "lineTotal": to_major(line.unit_price * line.quantity, currency),
            }
            for line in given.lines
        ],
        "currency": currency,
        "total": to_major(given.total, currency),
        "cartVersion": given.cart_version,
        "issuedAt": utc_time(given.issued_at),
        "expiresAt": utc_time(given.expires_at),
    }
