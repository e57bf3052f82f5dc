"""`shopping-agent rules check`: coverage of a right table, every mistake of a wrong one."""

import json

import pytest
from shopping_agent.adapters.catalog.store_pack import DEFAULT

from functions.local.cli import main

TABLE = (DEFAULT / "rules.csv").read_text("utf-8-sig")


@pytest.fixture
def check(tmp_path, capsys):
    """The command on a pack with this table: (exit code, stdout, stderr)."""

    def run(table, *options):
        (tmp_path / "rules.csv").write_text(table, encoding="utf-8")
        code = main(["rules", "check", "--pack", str(tmp_path), *options])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_the_default_table_is_right_and_covers_the_demo_store(check):
    code, out, _ = check(TABLE, "--json")
    report = json.loads(out)
    assert code == 0
    assert report["products"] > 50
    assert (report["idleRules"], report["unmetTerms"], report["missingReasons"]) == ([], [], {})
    assert all(report["rules"].values())


def test_what_is_missing_is_told_in_words(check, tmp_path):
    catalog = tmp_path / "catalog.csv"
    catalog.write_text("id,name,price,families\na,One,100,citrus\n", encoding="utf-8")
    code, out, _ = check(
        "rule,when,prefer,en\nheat,climate=hot,citrus,Hot.\nold,persona=mature,fougere,Old.\n",
        "--catalog",
        str(catalog),
    )
    assert code == 0
    assert "2 rules and" in out
    assert "Rules that say nothing of any product: old" in out
    assert "No reason in fr, ar, ary, ary-latn: heat" in out
    assert "climate=cold" in out


def test_every_wrong_row_is_told(check):
    code, out, err = check(
        TABLE.replace("citrus 3", "citrsu 3").replace("climate=cold", "climate=icy")
    )
    assert code == 1
    assert out == ""
    assert "row 2 (hot climate), prefer: unknown term 'citrsu'; did you mean 'citrus'" in err
    assert "row 3 (cold climate), when: climate cannot be 'icy'" in err


def test_a_catalog_that_cannot_be_read_is_told(check, tmp_path):
    code, _, err = check(TABLE, "--catalog", str(tmp_path / "none.csv"))
    assert code == 1
    assert "cannot read" in err
