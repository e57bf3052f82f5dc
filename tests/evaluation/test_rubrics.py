"""A judge that finds no fault in anything proves nothing: each rubric sees the fault that it is there for."""

from typing import Any

import pytest

from evaluation.facts import Facts, amounts
from evaluation.rubrics import Moment, judge

NEROLI = {"id": "neroli-bloom-50", "price": 390}


def cart(**quantities: int) -> dict[str, Any]:
    items: list[dict[str, Any]] = [
        {
            "productId": name.replace("_", "-"),
            "quantity": n,
            "unitPrice": Facts().price(name.replace("_", "-")),
            "lineTotal": n * Facts().price(name.replace("_", "-")),
        }
        for name, n in quantities.items()
    ]
    return {"items": items, "total": sum(item["lineTotal"] for item in items)}


def faults(expect: dict[str, Any], **reply: Any) -> list[str]:
    """Names of the rubrics that see a fault."""
    whole = {
        "answer": "Here you are.",
        "intent": "general",
        "finish": "answered",
        "products": [],
        "choices": [],
        "actions": [],
        "cart": cart(),
        **reply,
    }
    moment = Moment(
        expect=expect,
        reply=whole,
        before=cart(),
        lists={"L": [NEROLI, {"id": "citron-beldi-50", "price": 220}]},
        said=["something under 300"],
        facts=Facts(),
    )
    return [rubric for rubric, found in judge(moment).items() if found]


ADDED = {"type": "add", "productId": "neroli-bloom-50", "quantity": 1}
SAID = "Added: Neroli Bloom - 50 ml, 390 MAD. Total: 390 MAD."


def test_a_turn_that_goes_well_has_no_fault() -> None:
    done = {"cart": cart(neroli_bloom_50=1), "actions": [ADDED], "answer": SAID, "intent": "cart"}
    assert faults({"cart": {"L1": 1}}, **done) == []


@pytest.mark.parametrize(
    ("expect", "reply", "rubric"),
    [
        ({"intent": "knowledge"}, {}, "intent"),
        (
            {"cart": {"L1": 1}},
            {"cart": cart(neroli_bloom_50=1), "actions": [ADDED], "answer": SAID},
            "intent",
        ),
        ({"finish": "clarify"}, {}, "clarification"),
        ({}, {"finish": "clarify"}, "clarification"),
        (
            {"finish": "clarify"},
            {
                "finish": "clarify",
                "cart": cart(neroli_bloom_50=1),
                "actions": [ADDED],
                "answer": SAID,
            },
            "clarification",
        ),
        (
            {"finish": "clarify", "choices": ["a"]},
            {"finish": "clarify", "choices": [{"label": "b", "productId": "b"}]},
            "clarification",
        ),
        (
            {"shows": ["citron-beldi-50"]},
            {"products": [NEROLI], "intent": "recommendation"},
            "recommendation",
        ),
        ({"everyShown": {"maxPrice": 300}}, {"products": [NEROLI]}, "recommendation"),
        ({"everyShown": {"without": ["neroli"]}}, {"products": [NEROLI]}, "recommendation"),
        ({"shownAtMost": 0}, {"products": [NEROLI]}, "recommendation"),
        (
            {"cart": {"L2": 1}},
            {"cart": cart(neroli_bloom_50=1), "actions": [ADDED], "answer": SAID, "intent": "cart"},
            "cart",
        ),
        (
            {"unchanged": True},
            {"cart": cart(neroli_bloom_50=1), "actions": [ADDED], "answer": SAID},
            "cart",
        ),
        (
            {"cart": {"L1": 1}},
            {"cart": cart(neroli_bloom_50=1), "answer": SAID, "intent": "cart"},
            "cart",
        ),
        ({"total": 400}, {}, "cart"),
        ({}, {"answer": "Neroli Bloom - 50 ml costs 380 MAD.", "products": [NEROLI]}, "grounding"),
        ({}, {"answer": "It is 77 dirhams."}, "grounding"),
        ({}, {"products": [{"id": "neroli-bloom-50", "price": 385}]}, "grounding"),
        ({}, {"actions": [ADDED]}, "grounding"),
        ({"figures": ["14"]}, {}, "grounding"),
        ({"says": [["Monday", "lundi"]]}, {}, "grounding"),
        ({"never": ["here you"]}, {}, "grounding"),
        ({"unanswerable": True}, {"answer": "Yes, 10 points for each order."}, "grounding"),
        ({"contact": True}, {}, "grounding"),
        ({"script": "arabic"}, {}, "grounding"),
    ],
)
def test_each_fault_is_seen_by_its_rubric_alone(
    expect: dict[str, Any], reply: dict[str, Any], rubric: str
) -> None:
    assert faults(expect, **reply) == [rubric]


def test_a_price_belongs_to_the_product_of_its_line() -> None:
    shown = {"products": [NEROLI, {"id": "citron-beldi-50", "price": 220}]}
    right = "Neroli Bloom - 50 ml: 390 MAD\nCitron Beldi - 50 ml: 220 MAD"
    assert faults({}, answer=right, **shown) == []
    swapped = "Neroli Bloom - 50 ml: 220 MAD\nCitron Beldi - 50 ml: 390 MAD"
    assert faults({}, answer=swapped, **shown) == ["grounding"]


def test_the_shoppers_own_figures_and_those_of_the_guides_may_be_said() -> None:
    assert faults({}, answer="Under 300 MAD. Delivery is free from 600 MAD.") == []


def test_an_unstated_question_may_be_allowed() -> None:
    assert faults({"mayAsk": True}, finish="clarify") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,190 MAD or 1 250.50 MAD", {1190.0, 1250.5}),
        ("بـ ٣٩٠ درهم", {390.0}),
        ("1.290,00 DH, MAD 12", {1290.0, 12.0}),
        ("50 ml, 14 days", set[float]()),
    ],
)
def test_sums_of_money_are_read_in_every_notation(text: str, found: set[float]) -> None:
    assert amounts(text) == found
