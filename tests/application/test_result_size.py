"""The bound on tool results: short ones untouched, long ones shorter and still JSON."""

import json
from typing import Any

import pytest
from shopping_agent.application.result_size import MAX_CHARACTERS, within_size

PRODUCTS = [{"id": f"p{i}", "name": f"عطر {i}", "notes": ["oud"] * 6} for i in range(4_000)]


def test_a_result_within_the_bound_is_given_as_it_is():
    result = {"products": PRODUCTS[:5], "best": "p0"}
    assert within_size(result) is result


@pytest.mark.parametrize(
    "result",
    [
        {"ok": True, "products": PRODUCTS},
        {"ok": True, "cart": {"items": tuple(PRODUCTS), "count": 4_000}, "cartTotal": 690},
        {"ok": True, "product": {"id": "p1", "description": "long " * 30_000, "name": "One"}},
        {"ok": True, "passages": [{"text": "é" * 9_000}, {"text": "x" * 9_000}]},
        {"ok": True, **{f"k{i}": "v" * 400 for i in range(30)}},
        {"ok": True, "deep": [[[["x" * 50] * 40] * 10] * 10]},
        {"ok": True, **{f"k{i}": i for i in range(5_000)}},
    ],
)
def test_a_long_result_is_cut_to_the_bound_and_says_so(result: dict[str, Any]):
    shorter = within_size(result)
    text = json.dumps(shorter, ensure_ascii=False, separators=(",", ":"))
    assert len(text) <= MAX_CHARACTERS
    assert "too long" in shorter["note"]
    assert shorter["ok"] is True


def test_lists_lose_their_ends_first_and_small_facts_stay():
    result = {"products": PRODUCTS, "best": "p0", "text": "t" * 500}
    shorter = within_size(result)
    kept = shorter["products"]
    assert kept == PRODUCTS[: len(kept)]
    assert len(kept) > 20
    assert (shorter["best"], shorter["text"]) == ("p0", "t" * 500)
    assert len(result["products"]) == 4_000


def test_a_text_is_cut_where_no_list_can_be():
    shorter = within_size({"product": {"name": "One", "description": "long " * 30_000}})
    product = shorter["product"]
    assert product["name"] == "One"
    assert product["description"].startswith("long long")
    assert product["description"].endswith("…")
    assert len(product["description"]) > 5_000
