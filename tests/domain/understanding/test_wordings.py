"""Fields of queries in many wordings: our own lines, and the held-out lines of another hand, each half by itself.

`wordings.jsonl` was written while the rules grew, so its figures are optimistic. Of the held-out lines the `-b` half was
never read by whoever wrote the rules; only totals of it are looked at here.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from shopping_agent.domain.query import ShownProduct

HERE = Path(__file__).parent
HELDOUT = HERE.parents[2] / "training" / "heldout" / "queries_w.jsonl"
LANGUAGES = ("en", "fr", "ar", "ary", "ary-latn")
LISTS = ("notes", "families", "excludeNotes")
FIELDS = {
    "price": ("minPrice", "maxPrice"),
    "currency": ("currency",),
    "quantity": ("quantity",),
    "ordinal": ("ordinal",),
    "excludeNotes": ("excludeNotes",),
    "action": ("action",),
    "productName": ("productName",),
    "gender": ("gender",),
    "notes": ("notes", "families"),
    "season": ("season",),
    "occasion": ("occasion",),
}
FLOOR = 0.9
# Measured on lines that were never read; a half holds one to seven values of a field and language, so languages are pooled.
BLIND_FLOOR = 0.88


def _lines(path: Path, ending: str = "") -> list[dict[str, Any]]:
    if not path.is_file():
        pytest.skip(f"no {path.name}")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [line for line in lines if line["id"].endswith(ending)]


def _values(field: str, document: dict[str, Any]) -> set[Any]:
    value = document.get(field)
    if field in LISTS:
        return set(value or [])
    if value is None or (field == "quantity" and value == 1) or value == "none":
        return set()
    return {value}


def _scores(reading: Any, lines: Iterable[dict[str, Any]]) -> dict[str, float]:
    """F1 of each group of fields."""
    counts = {group: Counter[str]() for group in FIELDS}
    for line in lines:
        shown = [
            ShownProduct(c["id"], c["name"], c["price"] * 100) for c in line.get("context", [])
        ]
        query = reading(line["text"], shown=shown, names=line.get("catalog", [])).query.view("MAD")
        for group, fields in FIELDS.items():
            for field in fields:
                expected, got = _values(field, line["expect"]), _values(field, query)
                counts[group]["hit"] += len(expected & got)
                counts[group]["wrong"] += len(expected ^ got)
    return {
        group: round(2 * c["hit"] / (2 * c["hit"] + c["wrong"]), 3)
        for group, c in counts.items()
        if c.total()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_fields_are_found_in_their_many_wordings(reading, language):
    lines = [li for li in _lines(HERE / "wordings.jsonl") if li["lang"] == language]
    low = {k: v for k, v in _scores(reading, lines).items() if v < FLOOR}
    assert low == {}


@pytest.mark.parametrize("half", ["-a", "-b"])
def test_fields_are_found_in_messages_of_another_hand(reading, half):
    low = {k: v for k, v in _scores(reading, _lines(HELDOUT, half)).items() if v < BLIND_FLOOR}
    assert low == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_price_bounds_of_another_hand_are_found_in_each_language(reading, language):
    lines = [li for li in _lines(HELDOUT, "-b") if li["lang"] == language]
    assert _scores(reading, lines)["price"] >= FLOOR
