"""What may go to the checkout, and the link that carries it."""

import json
from base64 import urlsafe_b64decode
from urllib.parse import parse_qs, urlsplit

import pytest
from shopping_agent.domain.cart import Cart, CartLine
from shopping_agent.domain.checkout import (
    HANDOFF_SECONDS,
    LONGEST_URL,
    CheckoutKind,
    hand_off,
    link_of,
)
from shopping_agent.errors import CartRefusedError

SECRETS = (b"shared-with-the-shop",)
NOW = 1_796_068_800.4


def line(product_id: str, quantity: int = 1, **more) -> CartLine:
    price = more.pop("unit_price", 69_050)
    return CartLine(product_id, more.pop("name", f"Perfume {product_id}"), quantity, price, **more)


def link(kind: CheckoutKind, *lines: CartLine, base: str = "https://shop.example") -> str:
    given = hand_off(Cart(lines, "MAD", 7), reference="r-1_x", now=NOW)
    return link_of(kind, base, given, SECRETS)


def claims(url: str) -> dict:
    [token] = parse_qs(urlsplit(url).query)["handoff"]
    body = token.split(".")[1]
    return json.loads(urlsafe_b64decode(body + "=" * (-len(body) % 4)))


def test_a_hand_off_is_the_cart_as_it_is_priced_now() -> None:
    given = hand_off(
        Cart((line("a", 2), line("b", checkout_id="17")), "MAD", 7), reference="r", now=NOW
    )
    assert [(x.checkout_id, x.quantity, x.unit_price) for x in given.lines] == [
        ("a", 2, 69_050),
        ("17", 1, 69_050),
    ]
    assert (given.total, given.currency, given.cart_version) == (207_150, "MAD", 7)
    assert (given.issued_at, given.expires_at) == (int(NOW), int(NOW) + HANDOFF_SECONDS)


def test_a_price_that_changed_since_is_no_hindrance() -> None:
    given = hand_off(Cart((line("a", notice="price_rose"),), "MAD", 1), reference="r", now=NOW)
    assert given.total == 69_050


@pytest.mark.parametrize(
    ("cart", "code", "named"),
    [
        (Cart(), "empty_cart", "empty"),
        (
            Cart((line("a"), line("b", name="Dahab", available=False, notice="gone")), "MAD", 1),
            "lines_unavailable",
            "Dahab",
        ),
        (
            Cart(
                tuple(
                    line(str(i), available=False, notice="stock_below_quantity") for i in range(5)
                ),
                "MAD",
                1,
            ),
            "lines_unavailable",
            "Perfume 0, Perfume 1, Perfume 2 and 2 more",
        ),
    ],
)
def test_what_cannot_be_sold_is_not_handed_over(cart: Cart, code: str, named: str) -> None:
    with pytest.raises(CartRefusedError, match=named) as refusal:
        hand_off(cart, reference="r", now=NOW)
    assert (refusal.value.code, refusal.value.status) == (code, 409)


def test_shopify_gets_a_cart_permalink_with_the_reference_as_an_attribute() -> None:
    url = link(
        "shopify",
        line("sahra", 2, checkout_id="44123456789012"),
        line("70881412"),
        base="https://maison.myshopify.com",
    )
    parts = urlsplit(url)
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == (
        "https://maison.myshopify.com/cart/44123456789012:2,70881412:1"
    )
    assert parse_qs(parts.query) == {"attributes[checkout_reference]": ["r-1_x"]}


def test_woocommerce_gets_an_add_to_cart_link_for_one_product() -> None:
    parts = urlsplit(link("woocommerce", line("123", 3), base="https://shop.example/fr"))
    assert (parts.netloc, parts.path) == ("shop.example", "/fr/")
    assert parse_qs(parts.query) == {
        "add-to-cart": ["123"],
        "quantity": ["3"],
        "checkout_reference": ["r-1_x"],
    }


def test_woocommerce_gets_a_checkout_link_for_several() -> None:
    url = link("woocommerce", line("123", 2), line("x", checkout_id="456"))
    assert url == (
        "https://shop.example/checkout-link/?products=123:2,456:1&checkout_reference=r-1_x"
    )


@pytest.mark.parametrize("kind", ["shopify", "woocommerce"])
@pytest.mark.parametrize("checkout_id", ["", "sku-1", "12:9,13", "٣", "1/../2", "1 2"])
def test_a_product_without_a_number_at_the_shop_system_is_refused_by_name(
    kind: CheckoutKind, checkout_id: str
) -> None:
    with pytest.raises(CartRefusedError, match="Dahab") as refusal:
        link(kind, line("1"), line("sku-9", name="Dahab", checkout_id=checkout_id))
    assert refusal.value.code == "checkout_unmapped"


def test_a_link_that_no_browser_need_take_is_refused() -> None:
    lines = [line(str(i), checkout_id=str(10**90 + i)) for i in range(30)]
    with pytest.raises(CartRefusedError) as refusal:
        link("shopify", *lines)
    assert refusal.value.code == "checkout_too_large"


def test_a_signed_link_keeps_the_pages_own_parameters_and_says_all() -> None:
    url = link(
        "signed", line("a", 2), line("b", checkout_id="17"), base="https://x.example/pay?l=fr"
    )
    parts = urlsplit(url)
    assert (parts.netloc, parts.path) == ("x.example", "/pay")
    assert parse_qs(parts.query)["l"] == ["fr"]
    assert claims(url) == {
        "aud": "checkout",
        "reference": "r-1_x",
        "cartVersion": 7,
        "currency": "MAD",
        "total": 2071.5,
        "iat": int(NOW),
        "exp": int(NOW) + HANDOFF_SECONDS,
        "lines": [
            {"id": "a", "quantity": 2, "unitPrice": 690.5},
            {"id": "17", "quantity": 1, "unitPrice": 690.5},
        ],
    }


def test_a_signed_link_that_would_be_too_long_carries_its_reference_only() -> None:
    url = link("signed", *(line(f"{i}-{'x' * 190}") for i in range(30)))
    assert len(url) <= LONGEST_URL
    said = claims(url)
    assert "lines" not in said
    assert (said["reference"], said["total"]) == ("r-1_x", 690.5 * 30)
    with pytest.raises(CartRefusedError) as refusal:
        link("signed", line("a"), base=f"https://shop.example/{'x' * LONGEST_URL}")
    assert refusal.value.code == "checkout_too_large"


def test_amounts_of_a_currency_without_decimals_are_whole() -> None:
    given = hand_off(Cart((line("a", unit_price=500),), "JPY", 1), reference="r", now=NOW)
    assert claims(link_of("signed", "https://x.example", given, SECRETS))["total"] == 500
