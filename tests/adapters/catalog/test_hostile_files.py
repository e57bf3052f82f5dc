"""Files that are broken or made to harm: refused or reported in bounded time, never an error of another kind."""

import gzip
import io
import random
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.domain.feed import ProductRow
from shopping_agent.errors import CatalogFileError

FEEDS = sorted(
    p for p in (Path(__file__).parent / "feeds").glob("*.*") if ".expected" not in p.name
)
RSS = '<rss xmlns:g="http://base.google.com/ns/1.0"><channel>'
ITEM = "<item><g:id>{0}</g:id><title>T</title><g:price>5 MAD</g:price>{1}</item>"


def rows(data):
    content = data if isinstance(data, bytes) else data.encode()
    return list(CatalogFileReader(currency="MAD").read(io.BytesIO(content)))


def refused(data):
    with pytest.raises(CatalogFileError) as error:
        rows(data)
    return error.value.code


@pytest.mark.parametrize("file", FEEDS, ids=lambda file: file.name)
def test_flipped_bytes_and_cut_ends_never_raise_another_error(file):
    dice = random.Random(file.name)
    whole = file.read_bytes()
    for _ in range(60):
        data = bytearray(whole[: dice.randrange(1, len(whole) + 1)])
        for _ in range(dice.choice((0, 1, 3, 20))):
            data[dice.randrange(len(data))] = dice.choice(
                (0, 10, 34, 44, 60, 93, 123, dice.randrange(256))
            )
        began = time.perf_counter()
        with suppress(CatalogFileError):
            rows(bytes(data))
        assert time.perf_counter() - began < 5


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>',
        '<!DOCTYPE foo SYSTEM "file:///etc/passwd">',
        '<!DOCTYPE r [<!ENTITY x SYSTEM "http://127.0.0.1/x">]>',
    ],
)
@pytest.mark.parametrize("padding", ["", " " * 300_000])
def test_a_document_type_or_an_entity_refuses_the_whole_file(declaration, padding):
    feed = f"<?xml version='1.0'?>{padding}{declaration}{RSS}{ITEM.format(1, '<x>&lol2;</x>')}</channel></rss>"
    assert refused(feed) == "unsafe_xml"


def test_an_entity_that_nothing_declares_is_text_and_reads_no_file():
    [row] = rows(RSS + ITEM.format(1, "<description>a &xxe; b</description>"))
    assert isinstance(row, ProductRow)
    assert row.product.description == "a &xxe; b"


def test_deep_long_and_endless_items_of_xml_cost_themselves_only():
    feed = (
        RSS
        + ITEM.format("deep", "<a>" * 5000)
        + ITEM.format("long", f"<description>{'x' * 2_100_000}</description>")
        + ITEM.format("good", "")
        + "<item><![CDATA["
        + "y" * 2_500_000
    )
    assert [getattr(row, "reason_code", "") for row in rows(feed)] == [
        "malformed_row",
        "malformed_row",
        "",
        "malformed_row",
    ]


@pytest.mark.parametrize(
    "piece", ["<item>", "<item><![CDATA[", "<!-- ", "<item><!--", "<", "</item>"]
)
def test_markup_that_never_closes_costs_about_its_length(piece):
    began = time.perf_counter()
    with suppress(CatalogFileError):
        rows(RSS + piece * 600_000)
    assert time.perf_counter() - began < 10


def test_archives_are_refused_unread():
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("catalog.csv", b"0" * 5_000_000)
    assert refused(bomb.getvalue()) == "not_text"
    assert refused(gzip.compress(b"0" * 5_000_000)) == "not_text"


def test_a_first_line_without_end_refuses_the_file():
    assert refused("id,name,price," + "x" * 200_000) == "unknown_format"


@pytest.mark.parametrize("piece", ["[", "(", '"', "x(y["])
def test_a_header_of_brackets_or_quotes_costs_about_its_length(piece):
    began = time.perf_counter()
    assert refused(f"name,x{piece * 10_000}\n") == "unknown_format"
    assert time.perf_counter() - began < 5


def test_a_row_without_end_costs_itself_and_the_next_one_is_read():
    found = rows("id,name,price\na,A,1\nb," + "x" * 3_000_000 + ",2\nc,C,3\n")
    assert [(row.line, getattr(row, "reason_code", "")) for row in found] == [
        (2, ""),
        (3, "malformed_row"),
        (4, ""),
    ]


def test_a_cell_of_zeros_is_read_without_them():
    [row] = rows(b"id,name,price,description\na,A\x00B,1," + b"text " * 50)
    assert isinstance(row, ProductRow)
    assert row.product.name == "AB"


def test_variants_whose_parents_come_last_are_lent_them_in_little_memory():
    head = "ID,Type,SKU,Name,Published,Regular price,Parent,Attribute 1 name,Attribute 1 value(s),Description\n"
    children = "".join(f"{n},variation,,,1,5,id:{n + 9000},Size,50 ml,\n" for n in range(3000))
    parents = "".join(
        f"{n + 9000},variable,,P{n},1,,,Size,50 ml,{'d' * 500}\n" for n in range(3000)
    )
    found = rows(head + children + parents)
    assert len(found) == 3000
    seventh = found[7]
    assert isinstance(seventh, ProductRow)
    assert seventh.product.name == "P7 - 50 ml"
    assert len(seventh.product.description) == 500


@pytest.mark.parametrize("cell", [",", ",x"])
def test_a_row_of_a_million_columns_is_told_that_it_is_too_long(cell):
    found = rows("id,name,price\na,A,5" + cell * 1_000_000 + "\nb,B,6\n")
    assert [(r.line, getattr(r, "reason_code", "")) for r in found] == [
        (2, "malformed_row"),
        (3, ""),
    ]
    assert "longer than" in getattr(found[0], "hint", "")


def test_rows_of_several_encodings_in_one_file_are_all_read():
    table = b"id,name,price\n" + "a,Éclat,5\n".encode() + "b,Éclat,6\n".encode("cp1252")
    assert [r.product.name for r in rows(table) if isinstance(r, ProductRow)] == ["Éclat", "Éclat"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "utf-32-be"])
def test_a_table_of_wide_characters_is_read_by_its_mark_and_a_cut_end_costs_its_row(encoding):
    mark = "\ufeff" if encoding.endswith("be") else ""
    table = (mark + "id,name,price\na,Éclat,5\nb,B,6\n").encode(encoding)
    good, cut = rows(table[: -3 * len("x".encode(encoding.removesuffix("-be") + "-be"))])
    assert isinstance(good, ProductRow)
    assert good.product.name == "Éclat"
    assert getattr(cut, "reason_code", "") == "missing_price"


@pytest.mark.parametrize("deep", ["[" * 200_000, '{"a":' * 200_000, "[" * 900 + "]" * 900])
def test_deeply_nested_json_costs_its_own_line(deep):
    found = rows(f'{{"id":"a","name":"A","price":1}}\n{deep}\n{{"id":"b","name":"B","price":2}}\n')
    assert [(r.line, getattr(r, "reason_code", "")) for r in found] == [
        (1, ""),
        (2, "malformed_row"),
        (3, ""),
    ]


def test_numbers_without_measure_are_no_prices_and_break_nothing():
    lines = [
        '{"id":"a","name":"A","price":' + "9" * 10_000 + "}",
        '{"id":"b","name":"B","price":1e999999}',
        '{"id":"c","name":"C","price":-1e-999999}',
        '{"id":"d","name":"D","price":5,"stock":1e400,"sizeMl":1e999}',
    ]
    found = rows("\n".join(lines))
    assert [getattr(r, "reason_code", "") for r in found] == [
        "malformed_row",
        "invalid_price",
        "invalid_price",
        "",
    ]
