"""`shopping-agent normalize`: products on stdout, rejected rows on stderr."""

import json

import pytest

from functions.local.cli import main

ROWS = """\
id,name,price,salePrice,saleUntil,currency,stock,families,notesTop,sizeMl,variantOf
a,Old,10,,,,,,,,
b,Bad,free!,,,,,,,,
a,Élan,"1 299,50",999,2020-01-01,MAD,4,floral|fruity,rose|fig,50,fam
c,Sale,20,15,,EUR,,,,,
"""


@pytest.fixture
def normalize(tmp_path, capsys):
    """The command on a file with some content: (exit code, stdout lines, stderr lines)."""

    def run(content, *options):
        file = tmp_path / "feed"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        code = main(["normalize", str(file), *options])
        captured = capsys.readouterr()
        return code, captured.out.splitlines(), captured.err.splitlines()

    return run


def test_products_and_rejected_rows_are_json_lines_in_the_agreed_shape(normalize):
    code, out, err = normalize(ROWS)
    assert code == 0
    first, second = (json.loads(line) for line in out)
    assert first == {
        "id": "a",
        "name": "Élan",
        "brand": "",
        "description": "",
        "price": 1299.5,
        "currency": "MAD",
        "stock": 4,
        "url": "",
        "imageUrl": "",
        "gender": None,
        "families": ["floral", "fruity"],
        "notes": {"top": ["rose", "fig"], "heart": [], "base": []},
        "accords": [],
        "sizeMl": 50,
        "variantOf": "fam",
    }
    assert (second["price"], second["currency"]) == (15, "EUR")
    rejected = [json.loads(line) for line in err]
    assert [(r["line"], r["reasonCode"]) for r in rejected] == [
        (3, "invalid_price"),
        (2, "duplicate_id"),
    ]
    assert all(set(r) == {"line", "reasonCode", "hint"} for r in rejected)


def test_the_currency_of_prices_without_one_can_be_given(normalize):
    _, out, _ = normalize("id,name,price\na,A,1.299\n", "--currency", "TND")
    assert json.loads(out[0])["price"] == 1.299


def test_a_file_that_cannot_be_read_is_an_error_that_says_why(normalize, capsys):
    code, out, err = normalize(b"PK\x03\x04")
    assert (code, out) == (1, [])
    assert "export it as CSV" in err[0]
    assert main(["normalize", "no/such/file"]) == 1
    assert "No such file" in capsys.readouterr().err
