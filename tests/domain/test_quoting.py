import pytest
from shopping_agent.domain.cart import Cart
from shopping_agent.domain.catalog import LiveFacts, PriceTag
from shopping_agent.domain.quoting import StoredLine, quote

LINE = StoredLine("a", 2, 5000, "Old name", "Old brand", "https://x.example/old.jpg")


def facts(price: int = 5000, currency: str = "MAD", **more) -> LiveFacts:
    tag = PriceTag(price, currency, *more.pop("sale", ()))
    return LiveFacts(id="a", name="New name", price=tag, brand="New brand", **more)


def quoted(live: LiveFacts | None, now: float = 0.0) -> Cart:
    return quote([LINE], {"a": live} if live else {}, currency="MAD", version=3, now=now)


def test_a_line_shows_the_products_name_and_price_of_now() -> None:
    cart = quoted(facts(stock=2))
    [line] = cart.items
    assert (line.name, line.brand, line.unit_price, line.notice) == (
        "New name",
        "New brand",
        5000,
        None,
    )
    assert (cart.total, cart.version, cart.currency) == (10_000, 3, "MAD")


@pytest.mark.parametrize(
    ("live", "notice", "available", "total"),
    [
        (facts(6000), "price_rose", True, 12_000),
        (facts(4000), "price_fell", True, 8000),
        (facts(stock=1), "stock_below_quantity", False, 10_000),
        (facts(6000, stock=0), "stock_below_quantity", False, 12_000),
        (facts(currency="EUR"), "gone", False, 0),
        (None, "gone", False, 0),
    ],
)
def test_what_changed_is_noticed(live, notice, available, total) -> None:
    cart = quoted(live)
    assert (cart.items[0].notice, cart.items[0].available, cart.total) == (
        notice,
        available,
        total,
    )


def test_a_gone_product_keeps_what_was_written_of_it() -> None:
    [line] = quoted(None).items
    assert (line.name, line.brand, line.unit_price) == ("Old name", "Old brand", 5000)


def test_a_sale_counts_inside_its_window_only() -> None:
    sale = facts(5000, sale=(4000, 100, 200))
    assert [quoted(sale, now).total for now in (99.9, 100, 199.9, 200)] == [
        10_000,
        8000,
        8000,
        10_000,
    ]
