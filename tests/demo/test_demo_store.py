"""The demo store keeps its own promises: canonical values, every situation a shopper may meet, guides that agree."""

import json
import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
GUIDES = ROOT / "demo/guides"
STORE = ROOT / "layers/shared/shopping_agent/store_pack/store.json"
CANONICAL = {
    "families": {
        "citrus",
        "floral",
        "fruity",
        "woody",
        "amber",
        "gourmand",
        "aromatic",
        "aquatic",
        "fresh",
        "spicy",
        "leather",
        "chypre",
        "fougere",
        "musk",
        "green",
        "powdery",
        "oud",
    },
    "seasons": {"summer", "winter", "spring", "autumn"},
    "occasions": {
        "gift",
        "birthday",
        "wedding",
        "engagement",
        "graduation",
        "eid",
        "ramadan",
        "date",
        "evening",
        "party",
        "work",
        "sport",
        "travel",
        "everyday",
    },
    "gender": {"women", "men", "unisex"},
    "sillage": {"intimate", "moderate", "heavy", "enormous"},
    "longevity": {"moderate", "long", "very long"},
}
LANGUAGES = ("en", "fr", "ar")
TOPICS = sorted({path.name.split(".")[0] for path in GUIDES.glob("*.md")})


@pytest.fixture(scope="module")
def products() -> list[dict[str, Any]]:
    lines = (ROOT / "demo/catalog.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_there_are_more_than_eighty_products_with_ids_of_their_own(products: list[dict[str, Any]]):
    assert len({product["id"] for product in products}) == len(products) > 80


@pytest.mark.parametrize("field", CANONICAL)
def test_facets_are_canonical(products: list[dict[str, Any]], field: str):
    for product in products:
        value = product.get(field, [])
        values = [value] if isinstance(value, str) else value
        assert set(values) <= CANONICAL[field], product["id"]


def test_prices_are_within_the_shops_range_and_sales_are_reductions(products: list[dict[str, Any]]):
    for product in products:
        assert 90 <= product["price"] <= 2500
        if "salePrice" in product:
            assert product["salePrice"] < product["price"]
            assert date.fromisoformat(product["saleFrom"]) < date.fromisoformat(
                product["saleUntil"]
            )


def test_sales_that_ended_hold_and_are_still_to_come_are_all_there(products: list[dict[str, Any]]):
    today = datetime(2026, 12, 1, tzinfo=UTC).date().isoformat()
    sales = [(p["saleFrom"], p["saleUntil"]) for p in products if "salePrice" in p]
    assert sum(until <= today for _, until in sales) >= 2
    assert sum(start <= today < until for start, until in sales) >= 4
    assert sum(start > today for start, _ in sales) >= 2


def test_stock_is_plenty_scarce_gone_and_unknown(products: list[dict[str, Any]]):
    stocks = [product["stock"] for product in products]
    assert stocks.count(0) >= 5
    assert sum(stock in (1, 2) for stock in stocks) >= 5
    assert stocks.count(None) >= 2


def test_sizes_of_one_perfume_are_variants_with_the_size_in_name_and_options(
    products: list[dict[str, Any]],
):
    variants = [product for product in products if "variantOf" in product]
    parents = {product["variantOf"] for product in variants}
    assert len(parents) >= 10
    assert not parents & {product["id"] for product in products}
    for product in variants:
        size = f"{product['sizeMl']} ml"
        assert product["name"].endswith(f" - {size}")
        assert product["options"] == {"size": size}


def test_a_summer_shopper_with_800_dirhams_has_a_choice(products: list[dict[str, Any]]):
    fitting = [
        product
        for product in products
        if set(product["families"]) & {"fresh", "citrus", "aquatic"}
        and "summer" in product["seasons"]
        and product["stock"] != 0
        and product["price"] <= 800
    ]
    assert len(fitting) >= 12


def test_texts_are_distinct_and_in_three_languages(products: list[dict[str, Any]]):
    texts = {
        product.get("variantOf", product["id"]): product["description"] for product in products
    }
    assert len(set(texts.values())) == len(texts)
    arabic = [text for text in texts.values() if re.search("[\u0600-\u06ff]", text)]
    french = [text for text in texts.values() if re.search(r"\b(une|les|des|est)\b", text)]
    assert len(arabic) >= 8
    assert len(french) >= 15
    assert all(80 <= len(text) <= 600 for text in texts.values())


def test_few_texts_speak_of_vegan_formulas_and_allergies(products: list[dict[str, Any]]):
    telling = re.compile(r"v[eé]gan|allerg|نباتي|حساسية", re.I)
    texts = {product["description"] for product in products}
    assert 1 <= sum(bool(telling.search(text)) for text in texts) <= 3


@pytest.mark.parametrize("topic", TOPICS)
def test_a_guide_has_the_same_sections_and_figures_in_every_language(topic: str):
    figures: list[list[list[str]]] = []
    for language in LANGUAGES:
        text = (GUIDES / f"{topic}.{language}.md").read_text(encoding="utf-8")
        title, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
        assert title.startswith("# ")
        assert len(sections) >= 3
        figures.append([_figures(section) for section in sections])
    assert figures[0] == figures[1] == figures[2]


def _figures(section: str) -> list[str]:
    """The numbers above two: smaller ones are words in some languages."""
    plain = re.sub(r"(\d)[ ,\u00a0\u202f](\d{3})", r"\1\2", section)
    numbers = re.findall(r"\d+", plain.replace(":00", ""))
    return sorted(number for number in numbers if int(number) > 2)


def test_the_guides_cover_what_shoppers_ask():
    assert {
        "authenticity",
        "choosing",
        "delivery",
        "layering",
        "longevity",
        "payment",
        "returns",
    } <= set(TOPICS)


def test_the_store_can_be_reached_and_greets_in_every_language():
    store = json.loads(STORE.read_text(encoding="utf-8"))
    spoken = {"en", "fr", "ar", "ary", "ary-latn"}
    assert store["languages"] == list(LANGUAGES)
    assert set(store["suggestions"]) == set(store["aiNotice"]) == spoken
    assert set(store["contacts"]["hours"]) == spoken
    assert all(len(messages) == 4 for messages in store["suggestions"].values())
    assert store["contacts"]["email"].endswith(".example")
