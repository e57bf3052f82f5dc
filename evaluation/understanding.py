"""Routing, intents and query fields on labelled messages, without a model and without a store.

Sets: `dev`, the project's language data in `$SHARED/data` or `../shared/data`; `heldout-a`, `-b`, `-v`, `-x`, `-y` and `-z`, our own in
training/heldout. Nothing was trained on any; half `b` was never even looked at, so no line of it is ever printed.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.domain.money import to_minor
from shopping_agent.domain.query import ShownProduct, Understanding
from shopping_agent.domain.text import fold
from shopping_agent.domain.understanding import understand

from evaluation.client import ROOT
from evaluation.intervals import Metric, Row, f1, macro_f1, metric, share

FIELDS: Mapping[str, Sequence[str]] = {
    "price": ("minPrice", "maxPrice"),
    "currency": ("currency",),
    "quantity": ("quantity",),
    "ordinal": ("ordinal",),
    "product": ("productName",),
    "gender": ("gender",),
    "notes": ("notes",),
    "families": ("families",),
    "season": ("season",),
    "occasion": ("occasion",),
    "in stock": ("inStock",),
}
BESIDE = ROOT.parent / "shared"
Line = Mapping[str, Any]
Understand = Callable[[Line], Understanding]
Count = tuple[int, int, int]


def understanding_metrics() -> tuple[list[Metric], list[str]]:
    """The metrics, and why sets were left out."""
    pack = load_store_pack("")

    def reads(line: Line) -> Understanding:
        return understand(
            line["text"],
            vocabulary=pack.vocabulary,
            currency=pack.currency,
            shown=[
                ShownProduct(p["id"], p["name"], to_minor(str(p["price"]), pack.currency))
                for p in line.get("context", ())
            ],
            names=line.get("catalog", ()),
        )

    metrics: list[Metric] = []
    intents, queries, skipped = _sets()
    for name, lines in intents.items():
        metrics += intent_metrics(name, lines, reads)
    for name, lines in queries.items():
        metrics += query_metrics(name, lines, reads, pack.currency)
    return metrics, skipped


def intent_metrics(name: str, lines: Sequence[Line], reads: Understand) -> list[Metric]:
    """Which way messages go, and how often their intent is the labelled one."""
    read = [(line, reads(line)) for line in lines]

    def to_rag(label: str) -> Iterator[tuple[str, Row]]:
        for line, understood in read:
            if line["label"] == label:
                yield line["lang"], (int(understood.route == "rag"), 1)

    def serving(line: Line, intent: str) -> str:
        return line["label"] if intent in line.get("alt", ()) else intent

    return [
        metric(
            f"{name}.cart_to_rag",
            f"{name}: cart messages to RAG",
            to_rag("cart"),
            share,
            better="low",
        ),
        metric(f"{name}.knowledge_to_rag", f"{name}: questions to RAG", to_rag("knowledge"), share),
        metric(
            f"{name}.intent",
            f"{name}: intent, macro-F1",
            [(line["lang"], (line["label"], u.intent)) for line, u in read],
            macro_f1,
        ),
        metric(
            f"{name}.intent_lenient",
            f"{name}: intent, with alt",
            [(line["lang"], (line["label"], serving(line, u.intent))) for line, u in read],
            macro_f1,
        ),
    ]


def query_metrics(
    name: str, lines: Sequence[Line], reads: Understand, currency: str
) -> list[Metric]:
    """F1 of what is extracted, field by field."""
    read = [(line, reads(line).query.view(currency)) for line in lines]
    metrics = [
        metric(
            f"{name}.query.{field}",
            f"{name}: query, {field}",
            [(line["lang"], _compared(line, view, keys, currency)) for line, view in read],
            f1,
        )
        for field, keys in FIELDS.items()
    ]
    for field, counts in (("negation", _negation), ("action", _action)):
        rows = [(line["lang"], counts(line, view)) for line, view in read]
        metrics.append(metric(f"{name}.query.{field}", f"{name}: query, {field}", rows, f1))
    return metrics


def _negation(line: Line, view: Mapping[str, Any]) -> Count:
    """What is refused; and on negated and hypothetical lines the action, `none` included."""
    right, wrong, missed = _compared(line, view, ("excludeNotes",), "")
    if {"neg", "hypo"} & set(line.get("tags", ())):
        same = int(line["expect"]["action"] == view["action"])
        return right + same, wrong + 1 - same, missed + 1 - same
    return right, wrong, missed


def _action(line: Line, view: Mapping[str, Any]) -> Count:
    wanted, found = line["expect"]["action"], view["action"]
    same = int(wanted == found != "none")
    return same, int(found != "none") - same, int(wanted != "none") - same


def _compared(line: Line, view: Mapping[str, Any], keys: Sequence[str], currency: str) -> Count:
    wanted, found = _values(line["expect"], keys), _values(view, keys)
    # What may be assumed without being said is not wrong.
    found -= {("quantity", "1"), ("currency", currency)} - wanted
    right = len(wanted & found)
    return right, len(found) - right, len(wanted) - right


def _values(fields: Mapping[str, Any], keys: Sequence[str]) -> set[tuple[str, str]]:
    values: set[tuple[str, str]] = set()
    for key in keys:
        value = fields.get(key)
        if value is not None:
            several: Sequence[Any] = value if isinstance(value, list) else [value]
            values |= {(key, _text(key, v)) for v in several}
    return values


def _text(key: str, value: Any) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value:g}"
    return str(value) if key == "currency" else fold(str(value))


def _sets() -> tuple[dict[str, list[Line]], dict[str, list[Line]], list[str]]:
    """Intent sets, query sets, and what is not here."""
    intents: dict[str, list[Line]] = {}
    queries: dict[str, list[Line]] = {}
    skipped: list[str] = []
    for kind, sets in (("intents", intents), ("queries", queries)):
        file = _shared(f"data/{kind}_dev.jsonl")
        if file is None:
            skipped.append(
                f"dev {kind}: {kind}_dev.jsonl is neither in $SHARED/data nor in ../shared/data"
            )
        else:
            sets["dev"] = _read(file)
    for file in sorted((ROOT / "training/heldout").glob("*.jsonl")):
        for line in _read(file):
            sets = queries if "expect" in line else intents
            half = str(line.get("id", "")).rpartition("-")[2]
            part = half if half in ("a", "b") else file.stem.rpartition("_")[2]
            sets.setdefault(f"heldout-{part}", []).append(line)
    return intents, queries, skipped


def _shared(path: str) -> Path | None:
    places = (os.environ.get("SHARED"), str(BESIDE))
    return next((f for place in places if place and (f := Path(place) / path).is_file()), None)


def _read(file: Path) -> list[Line]:
    """Lines in one shape: those of single hands name language and intent otherwise."""
    lines: list[Line] = []
    for text in file.read_text("utf-8").splitlines():
        if text.strip():
            line = json.loads(text)
            lang, label = line.get("language"), line.get("intent")
            lines.append(
                {**({"lang": lang} if lang else {}), **({"label": label} if label else {}), **line}
            )
    return lines
