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


def test_an_edited_file_is_held_against_the_rest_of_the_pack(tmp_path, capsys):
    edited = tmp_path / "my rules.csv"
    edited.write_text(TABLE.replace("climate=hot", "climate=hott"), encoding="utf-8")
    assert main(["rules", "check", str(edited)]) == 1
    assert "did you mean 'hot'" in capsys.readouterr().err
    edited.write_text(TABLE, encoding="utf-8")
    assert main(["rules", "check", str(edited)]) == 0
    assert main(["rules", "check", str(tmp_path / "none.csv")]) == 1
    assert "there is no" in capsys.readouterr().err


def test_a_folder_is_a_pack(tmp_path, capsys):
    (tmp_path / "rules.csv").write_text("rule,when,prefer,en\nheat,climate=hot,citrus,Hot.\n")
    assert main(["rules", "check", str(tmp_path)]) == 0
    assert "1 rules and" in capsys.readouterr().out


@pytest.mark.parametrize("when", ["skinType=dry; skinType=oily", "budget=500..300"])
def test_conditions_that_no_shopper_can_meet_are_a_mistake(check, when):
    code, _, err = check(f"rule,when,prefer,en\nnever,{when},citrus,No.\n")
    assert code == 1
    assert "row 2 (never), when" in err
