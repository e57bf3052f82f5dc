"""Scores of routing, intents and query fields on labelled messages."""

from collections.abc import Mapping
from typing import Any

import pytest
from shopping_agent.domain.query import ShopperQuery, Understanding

from evaluation.intervals import Metric
from evaluation.understanding import intent_metrics, query_metrics, understanding_metrics


def values(metrics: list[Metric]) -> dict[str, float | None]:
    return {m.name: m.pooled.value if m.pooled else None for m in metrics}


def read_as(intent: Any, route: Any, **query: Any) -> Understanding:
    return Understanding(ShopperQuery(text="", language="en", **query), intent, route)


def test_a_wrong_door_is_counted_by_the_label_of_the_message() -> None:
    read = {
        "a": read_as("knowledge", "rag"),
        "b": read_as("cart", "agent"),
        "c": read_as("knowledge", "rag"),
        "d": read_as("recommendation", "agent"),
    }
    labels = {"a": "cart", "b": "cart", "c": "knowledge", "d": "knowledge"}
    lines: list[dict[str, Any]] = [
        {"text": t, "lang": "en", "label": label} for t, label in labels.items()
    ]
    lines[3]["alt"] = ["recommendation"]
    found = values(intent_metrics("s", lines, lambda line: read[line["text"]]))
    assert found["s.cart_to_rag"] == 0.5
    assert found["s.knowledge_to_rag"] == 0.5
    assert found["s.intent"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert found["s.intent_lenient"] == pytest.approx((2 / 3 + 4 / 5) / 2)


@pytest.mark.parametrize(
    ("expect", "query", "field", "value"),
    [
        ({"maxPrice": 300}, {"max_price": 30000}, "price", 1.0),
        ({"maxPrice": 300}, {"max_price": 35000}, "price", 0.0),
        ({"minPrice": 100, "maxPrice": 300}, {"max_price": 30000}, "price", 2 / 3),
        ({}, {"max_price": 30000}, "price", 0.0),
        ({}, {"quantity": 1}, "quantity", None),
        ({}, {"quantity": 2}, "quantity", 0.0),
        ({}, {"currency": "MAD"}, "currency", None),
        ({}, {"currency": "EUR"}, "currency", 0.0),
        ({"notes": ["rose", "oud"]}, {"notes": ("rose",)}, "notes", 2 / 3),
        ({"productName": "Lune de Fès"}, {"product_name": "lune de fes"}, "product", 1.0),
        ({"action": "add"}, {"action": "add"}, "action", 1.0),
        ({"action": "none"}, {"action": "add"}, "action", 0.0),
    ],
)
def test_fields_are_compared_by_value(
    expect: Mapping[str, Any], query: Mapping[str, Any], field: str, value: float | None
) -> None:
    line = {"text": "x", "lang": "en", "expect": {"action": "none", **expect}}
    found = values(query_metrics("s", [line], lambda _: read_as("cart", "agent", **query), "MAD"))
    assert found[f"s.query.{field}"] == (value if value is None else pytest.approx(value))


def test_a_negated_buy_that_is_taken_for_an_order_is_a_fault_of_negation() -> None:
    line = {"text": "x", "lang": "en", "expect": {"action": "none"}, "tags": ["neg"]}
    wrong = query_metrics("s", [line], lambda _: read_as("cart", "agent", action="add"), "MAD")
    right = query_metrics("s", [line], lambda _: read_as("cart", "agent"), "MAD")
    assert (values(wrong)["s.query.negation"], values(right)["s.query.negation"]) == (0.0, 1.0)


def test_absent_data_is_said_and_our_own_sets_are_measured_all_the_same(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHARED", str(tmp_path))
    monkeypatch.setattr("evaluation.understanding.BESIDE", tmp_path)
    metrics, skipped = understanding_metrics()
    assert [s for s in skipped if "$SHARED/data" in s and "../shared/data" in s] == skipped
    assert len(skipped) == 2
    measured = {m.name.partition(".")[0] for m in metrics}
    assert measured >= {f"heldout-{part}" for part in "abxy"}
    assert "dev" not in measured
