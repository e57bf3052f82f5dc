"""Feeds as exporters write them, each against what a correct import yields: the shared samples and our own.

Only the keys that an expected product lists are judged; null, "" and an absent key are the same; descriptions are compared by words.
"""

import json
import os
from pathlib import Path

import pytest

from functions.local.cli import main

OWN = Path(__file__).parent / "feeds"
SHARED = Path(os.environ.get("SHARED") or Path(__file__).resolve().parents[4] / "shared")
SAMPLES = SHARED / "data" / "feeds"


def feeds(folder):
    return sorted(p.name for p in folder.glob("*.*") if ".expected" not in p.name)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no shared data folder: set SHARED")
@pytest.mark.parametrize("name", feeds(SAMPLES))
def test_a_sample_feed_is_read_as_expected(name, capsys):
    judge(SAMPLES / name, capsys)


@pytest.mark.parametrize("name", feeds(OWN))
def test_a_feed_of_our_own_is_read_as_expected(name, capsys):
    judge(OWN / name, capsys)


def judge(file, capsys):
    document = file.with_name(f"{file.stem}.expected.json")
    expected = json.loads(document.read_text(encoding="utf-8"))
    assert main(["normalize", str(file), "--currency", "MAD"]) == 0
    captured = capsys.readouterr()
    printed = [json.loads(line) for line in captured.out.splitlines()]
    rejected = [json.loads(line) for line in captured.err.splitlines()]
    assert all(row["hint"] for row in rejected)
    assert positions(rejected) == positions(expected["rejected"])
    products = {product["id"]: product for product in printed}
    assert len(products) == len(printed)
    assert set(products) == {product["id"] for product in expected["products"]}
    for product in expected["products"]:
        for field, value in product.items():
            assert_same(products[product["id"]], field, value)


def positions(rejected):
    return sorted((row["line"], row["reasonCode"]) for row in rejected)


def assert_same(product, field, expected):
    if field == "descriptionStartsWith":
        assert product["description"].startswith(expected)
        return
    found = product.get(field)
    if field == "description":
        found, expected = " ".join(found.split()), " ".join((expected or "").split())
    nothing = (None, "", {}, [])
    assert found == expected or (found in nothing and expected in nothing), (product["id"], field)
