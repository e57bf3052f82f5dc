"""Prices and stock as people write them."""

from decimal import Decimal

import pytest
from shopping_agent.adapters.catalog.amounts import (
    InvalidPriceError,
    read_currency,
    read_price,
    read_stock,
)


@pytest.mark.parametrize(
    ("raw", "currency", "minor", "found"),
    [
        ("1 299,00", "MAD", 129900, "MAD"),
        ("1\u00a0299,00", "MAD", 129900, "MAD"),
        ("1\u202f299,00 DH", "MAD", 129900, "MAD"),
        ("1.299,00", "MAD", 129900, "MAD"),
        ("1,299.00", "MAD", 129900, "MAD"),
        ("1,299", "MAD", 129900, "MAD"),
        ("1.299", "MAD", 129900, "MAD"),
        ("1.299", "TND", 1299, "TND"),
        ("12.5", "MAD", 1250, "MAD"),
        ("499.0000", "MAD", 49900, "MAD"),
        ("0.500", "MAD", 50, "MAD"),
        ("1,299,000", "MAD", 129900000, "MAD"),
        ("1'299.50", "MAD", 129950, "MAD"),
        ("٧٥٠٫٥٠ درهم", "MAD", 75050, "MAD"),
        ("١٬٢٥٠ د.م.", "EUR", 125000, "MAD"),
        ("299,9 Dhs", "EUR", 29990, "MAD"),
        ("MAD 250", "EUR", 25000, "MAD"),
        ("€19", "MAD", 1900, "EUR"),
        ("19 $", "MAD", 1900, "USD"),
        ("1500 JPY", "MAD", 1500, "JPY"),
        ("+5", "MAD", 500, "MAD"),
        (690, "MAD", 69000, "MAD"),
        (Decimal("690.5"), "MAD", 69050, "MAD"),
        (Decimal("1.299"), "MAD", 130, "MAD"),
    ],
)
def test_a_price_is_read_in_minor_units_of_its_currency(raw, currency, minor, found):
    amount = read_price(raw, currency)
    assert amount is not None
    assert (amount.minor, amount.currency) == (minor, found)


@pytest.mark.parametrize("raw", [None, "", "   "])
def test_no_price_is_none(raw):
    assert read_price(raw, "MAD") is None


@pytest.mark.parametrize(
    "raw",
    [
        0,
        -5,
        "0,00",
        "-45.00",
        "Sur demande",
        "free!",
        "12 EUR or 130 MAD",
        "10-20",
        "1.2.3",
        "1e3",
        True,
        ["5"],
        {},
        Decimal("NaN"),
        Decimal("Infinity"),
        Decimal("1e400"),
        "9" * 300,
        "0.001",
        "100 pieces",
    ],
)
def test_zero_negative_and_what_is_no_number_is_invalid(raw):
    with pytest.raises(InvalidPriceError):
        read_price(raw, "MAD")


@pytest.mark.parametrize(
    ("raw", "availability", "stock"),
    [
        (5, "", 5),
        ("12 en stock", "", 12),
        ("١٢", "", 12),
        ("1 200", "", 1200),
        ("3.0", "", 3),
        (Decimal("2.7"), "", 2),
        (-4, "", 0),
        ("-4", "", 0),
        ("En stock", "", None),
        ("متوفر", "", None),
        ("plenty", "", None),
        ("", "", None),
        (None, "in stock", None),
        (None, "out_of_stock", 0),
        ("غير متوفر", "", 0),
        ("Épuisé", "", 0),
        ("rupture", "", 0),
        (7, "out of stock", 0),
        ("7", "preorder", 0),
        ("7 on backorder", "", 0),
        (True, "", None),
        (False, "", 0),
        ([], "", None),
        (Decimal("NaN"), "", None),
        (10**30, "", 10**9),
    ],
)
def test_stock_is_a_number_or_unknown_and_never_fails(raw, availability, stock):
    assert read_stock(raw, availability) == stock


@pytest.mark.parametrize(
    ("text", "code"),
    [("mad", "MAD"), ("Dhs", "MAD"), ("€", "EUR"), ("TND", "TND"), ("money", None), ("", None)],
)
def test_a_currency_cell_names_a_code(text, code):
    assert read_currency(text) == code
