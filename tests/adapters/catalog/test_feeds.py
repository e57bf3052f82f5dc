"""The sample feeds of our own formats, each against what a correct import yields."""

import json
import os
import time
from pathlib import Path

import pytest
from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.domain.feed import ProductRow

SHARED = Path(os.environ.get("SHARED") or Path(__file__).resolve().parents[4] / "shared")
FEEDS = SHARED / "data" / "feeds"
OURS = sorted(p.name for p in FEEDS.glob("*") if ".expected" not in p.name)


@pytest.mark.skipif(not FEEDS.is_dir(), reason="no shared data folder: set SHARED")
@pytest.mark.parametrize("name", OURS)
def test_a_sample_feed_is_read_as_expected(name):
    file = FEEDS / name
    expected = json.loads((FEEDS / f"{file.stem}.expected.json").read_text(encoding="utf-8"))
    with file.open("rb") as body:
        rows = list(CatalogFileReader(currency="MAD").read(body))
    products = {
        r.product.id: r.product.view(time.time()) for r in rows if isinstance(r, ProductRow)
    }
    rejected = [(r.line, r.reason_code) for r in rows if not isinstance(r, ProductRow)]
    assert sorted(rejected) == sorted((r["line"], r["reasonCode"]) for r in expected["rejected"])
    assert set(products) == {product["id"] for product in expected["products"]}
    for product in expected["products"]:
        for field, value in product.items():
            _assert_same(products[product["id"]], field, value)


def _assert_same(product, field, expected):
    if field == "descriptionStartsWith":
        assert product["description"].startswith(expected)
        return
    found = product.get(field)
    if field == "description":
        found, expected = " ".join(found.split()), " ".join((expected or "").split())
    assert (found or None) == (expected or None) or (found, expected) == (0, 0), field
