"""Scripted conversations of shoppers (tests/scenarios/*.jsonl) end in the right state: cart, question or list.

Each line: `{"id","lang","heldOut","turns":[{"say","as"?,"expect"}]}`. `as` remembers the products of that turn under a
letter; `gap` says why one does not end there yet. In `cart`, `L2` is the second of list L, `L-1` its last and `L.cheapest` one of its cheapest.
"""

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
CATALOG = {
    product["id"]: product
    for line in (ROOT / "demo/catalog.jsonl").read_text("utf-8").splitlines()
    if line.strip()
    for product in [json.loads(line)]
}
SCENARIOS = [
    json.loads(line)
    for file in sorted((ROOT / "tests/scenarios").glob("*.jsonl"))
    for line in file.read_text("utf-8").splitlines()
]


def _named(key: str, lists: dict[str, list[dict[str, Any]]], cart: dict[str, int]) -> str:
    if key in CATALOG:
        return key
    products = lists[key[0]]
    if key[1:] == ".cheapest":
        least = min(p["price"] for p in products)
        cheapest = [p["id"] for p in products if p["price"] == least]
        return next((i for i in cart if i in cheapest), cheapest[0])
    position = int(key[1:])
    return products[position - 1 if position > 0 else position]["id"]


def _fits(product_id: str, price: float, rules: dict[str, Any]) -> bool:
    known = CATALOG[product_id]
    return (
        price <= rules.get("maxPrice", price)
        and ("families" not in rules or bool(set(known["families"]) & set(rules["families"])))
        and ("genders" not in rules or known["gender"] in rules["genders"])
        and (not rules.get("onSale") or price < known["price"])
    )


def _check_cart(expect: dict[str, Any], reply: dict[str, Any], before: dict[str, int], lists: Any):
    items = reply["cart"]["items"]
    cart = {item["productId"]: item["quantity"] for item in items}
    if "cart" in expect:
        wanted = {_named(key, lists, cart): count for key, count in expect["cart"].items()}
        assert cart == wanted
    if expect.get("unchanged"):
        assert cart == before
        assert reply["actions"] == []
    if "total" in expect:
        assert reply["cart"]["total"] == expect["total"]
    if "lines" in expect:
        assert len(items) == len(expect["lines"])
        for item, line in zip(items, expect["lines"], strict=True):
            assert item["quantity"] == line["quantity"]
            assert _fits(item["productId"], item["unitPrice"], line)
    return cart


def _check_reply(expect: dict[str, Any], reply: dict[str, Any]) -> None:
    assert reply["finish"] == expect.get("finish", reply["finish"])
    assert reply["intent"] == expect.get("intent", reply["intent"])
    if "choices" in expect:
        assert {c["productId"] for c in reply["choices"]} == set(expect["choices"])
    assert len(reply["products"]) >= expect.get("shownAtLeast", 0)
    for product in reply["products"]:
        assert _fits(product["id"], product["price"], expect.get("everyShown", {})), product["id"]
    assert {p["id"] for p in reply["products"]} >= set(expect.get("shows", []))
    for action in reply["actions"]:  # what was done is said
        if action["type"] != "clear":
            assert CATALOG[action["productId"]]["name"] in reply["answer"]
    for figure in expect.get("figures", []):
        assert figure in reply["answer"]
    if "script" in expect:
        arabic = any("\u0600" <= c <= "\u06ff" for c in reply["answer"])
        assert arabic == (expect["script"] == "arabic")


@pytest.mark.parametrize(
    "scenario",
    [
        pytest.param(
            s,
            id=s["id"] + ("-heldout" if s["heldOut"] else ""),
            marks=[pytest.mark.xfail(reason=s["gap"], strict=True)] if "gap" in s else [],
        )
        for s in SCENARIOS
    ],
)
def test_a_conversation_ends_in_the_right_state(say, scenario):
    cart: dict[str, int] = {}
    lists: dict[str, list[dict[str, Any]]] = {}
    for turn in scenario["turns"]:
        answer = say(turn["say"])
        assert answer.status == 200
        reply, expect = answer.json, turn["expect"]
        if "as" in turn:
            lists[turn["as"]] = reply["products"]
        try:
            _check_reply(expect, reply)
            cart = _check_cart(expect, reply, cart, lists)
        except AssertionError as error:
            error.add_note(f"{turn['say']} -> {reply['intent']}: {reply['answer']}")
            raise
