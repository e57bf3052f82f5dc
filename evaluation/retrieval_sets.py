"""Judged searches: what a set of them holds, and the public one of shopping queries (ESCI) where it is at hand."""

import gzip
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from shopping_agent.domain.catalog import PriceTag, Product

ROOT: Final = Path(__file__).resolve().parents[1]
_NO_PRICE: Final = PriceTag(100, "USD")
# ESCI's labels as gains (Reddy et al. 2022): exact, substitute, complement, irrelevant.
_GAINS: Final = {"100": 1.0, "10": 0.1, "1": 0.01, "0": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedQuery:
    """A search with the products that answer it.

    Attributes:
        kind: what sort of wish it is.
        gains: by product family; what is not there is worth nothing.
    """

    id: str
    text: str
    kind: str
    language: str = "en"
    gains: Mapping[str, float] = field(default_factory=dict[str, float])

    @property
    def relevant(self) -> frozenset[str]:
        """What a full answer holds: everything of the highest gain that some product has."""
        best = max(self.gains.values(), default=0.0)
        return frozenset(key for key, gain in self.gains.items() if gain == best > 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSet:
    """Products and searches for them.

    Attributes:
        understood: whether the searches are messages to this store, so that its words mean something in them.
    """

    name: str
    products: Sequence[Product]
    queries: Sequence[JudgedQuery]
    understood: bool


def esci_folder() -> Path:
    """Where the public set is, if it is: `$SHARED/data/esci`, else beside this repository."""
    return Path(os.environ.get("SHARED") or ROOT.parent / "shared") / "data/esci"


def esci(folder: Path) -> JudgedSet:
    """The set of a folder that holds `queries.tsv`, `qrels.tsv` and `products.jsonl.gz`."""
    with gzip.open(folder / "products.jsonl.gz", "rt", encoding="utf-8") as lines:
        products = [_product(json.loads(line)) for line in lines]
    gains: dict[str, dict[str, float]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines():
        query, _, product, gain = line.split("\t")
        gains.setdefault(query, {})[product] = _GAINS[gain]
    queries = [
        JudgedQuery(id=key, text=text, kind="esci", gains=gains[key])
        for key, text in (
            line.split("\t") for line in (folder / "queries.tsv").read_text("utf-8").splitlines()
        )
        if key in gains
    ]
    return JudgedSet(name="esci", products=products, queries=queries, understood=False)


def _product(row: Mapping[str, Any]) -> Product:
    texts = (row["color"], row["bullet_points"], row["description"])
    return Product(
        id=row["_id"],
        name=row["title"],
        brand=row["brand"] or "",
        description="\n".join(text for text in texts if text),
        price=_NO_PRICE,
    )
