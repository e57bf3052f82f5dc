"""Files of our formats, in every encoding and shape: what is read, and what is refused."""

import io
import json

import pytest
from shopping_agent.adapters.catalog.readers import CatalogFileReader
from shopping_agent.errors import CatalogFileError
from shopping_agent.http.models import CartItemRequest

HEADER = "id,name,price"
A, B = {"id": "a", "name": "A", "price": 1}, {"id": "b", "name": "B", "price": 2}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([A, B]),
        json.dumps([A, B], indent=2),
        "[\n" + json.dumps(A) + ",\n" + json.dumps(B) + "\n]",
        json.dumps({"products": [A, B]}),
        json.dumps({"updated": "2026-11-30", "products": [A, B], "more": [1]}, indent=1),
        '{"products": [\n' + json.dumps(A) + ",\n" + json.dumps(B) + "\n]}",
        json.dumps(A) + "\n" + json.dumps(B),
        json.dumps(A) + "\r\n\r\n" + json.dumps(B) + "\r\n",
        "id;name;price\na;A;1\nb;B;2\n",
        "ID\tTitle\tRegular Price\r\na\tA\t1\r\nb\tB\t2\r\n",
        '"Name","Price","Product ID"\nA,1,a\nB,2,b',
        "\n\n  \nid,name,price\na,A,1\n\n,,\nb,B,2\n",
        "sep=;\nid;name;price\na;A;1\nb;B;2\n",
        '"sep=,"\r\nid,name,price\r\na,A,1\r\nb,B,2\r\n',
        "id|name|price\na|A|1\nb|B|2\n",
    ],
)
def test_the_kind_of_a_file_is_told_by_its_content(read, text):
    assert {i: p.name for i, p in read(text).products.items()} == {"a": "A", "b": "B"}
    assert not read(text).rejected


@pytest.mark.parametrize(
    "data",
    [
        "id;name;price\na;Été ’s;1\n".encode("cp1252"),
        "id;name;price\na;Été ’s;1\n".encode(),
        "\ufeffid;name;price\na;Été ’s;1\n".encode(),
        b"\r\n\n" + "\ufeffid;name;price\na;Été ’s;1\n".encode(),
        "\ufeffid;name;price\na;Été ’s;1\n".encode("utf-16-le"),
        "\ufeffid;name;price\na;Été ’s;1\n".encode("utf-16-be"),
    ],
    ids=["windows-1252", "utf-8", "utf-8 bom", "blank lines, bom", "utf-16 le", "utf-16 be"],
)
def test_the_encoding_is_told_by_the_bytes(read, data):
    assert read(data).only.name == "Été ’s"


def test_one_byte_that_is_no_utf8_far_into_a_file_makes_it_windows_1252(read):
    rows = "".join(f"{n},name {n},5\n" for n in range(60_000))
    data = f"{HEADER}\n{rows}last,".encode() + b"caf\xe9,5\n"
    assert read(data).products["last"].name == "café"


def test_lines_are_physical_and_count_the_header_and_blank_lines(read):
    found = read('\n\nid,name,price,description\na,A,1,"two\nlines"\n\nb,,1,\nc,C,1,\n')
    assert found.lines == [4, 8]
    assert found.rejected == [(7, "missing_name")]


def test_items_of_an_array_are_counted_from_one_and_a_broken_one_costs_itself(read):
    found = read('[{"id":"a","name":"A","price":1}, {"id": b}, 7, {"id":"c","name":"C","price":3}]')
    assert set(found.products) == {"a", "c"}
    assert found.rejected == [(2, "malformed_row"), (3, "malformed_row")]


def test_an_array_that_is_cut_off_yields_what_came_before(read):
    found = read('[{"id":"a","name":"A","price":1}, {"id":"b","name":"B","pri')
    assert set(found.products) == {"a"}
    assert found.rejected == [(2, "malformed_row")]


def test_an_array_longer_than_any_buffer_is_read_item_by_item(read):
    rows = [{**A, "id": f"p{n}", "description": "x" * 700} for n in range(2000)]
    assert len(read(json.dumps(rows)).products) == 2000


def test_a_quote_that_never_closes_costs_one_line(read):
    found = read(f'{HEADER}\na,A,1\nb,"B,2\nc,C,3\nd,D,4\n')
    assert set(found.products) == {"a", "c", "d"}
    assert found.rejected == [(3, "malformed_row")]


def test_a_quote_that_never_closes_early_in_a_long_file_costs_one_line(read):
    rows = "".join(f"p{n},P,5\n" for n in range(3000))
    found = read(f'{HEADER}\nb,"B,2\n{rows}')
    assert len(found.products) == 3000
    assert found.rejected == [(2, "malformed_row")]


def test_a_quote_that_only_a_later_rows_quote_closes_costs_one_line(read):
    found = read(f'{HEADER}\na,A,1\nb,"B,2\nc,C,3\nd,"D ""two""",4\ne,"E",5\n')
    assert set(found.products) == {"a", "c", "d", "e"}
    assert found.rejected == [(3, "malformed_row")]


def test_a_cell_of_several_lines_may_have_quotes_in_it_and_spaces_behind_it(read):
    found = read(f'{HEADER}\na,"A ""one"" ,\nand more" ,1\nb,"B\n""b""",2\n')
    assert [found.products[p].name for p in "ab"] == ['A "one" , and more', 'B "b"']


def test_rows_shorter_than_the_header_are_padded_and_longer_ones_are_malformed(read):
    found = read("id,name,price,brand\na,A,1\nb,B,2,C,,\nc,C,3,D,E\n")
    assert set(found.products) == {"a", "b"}
    assert found.rejected == [(4, "malformed_row")]


def test_every_id_that_is_accepted_can_be_put_into_a_cart(read):
    longest = "i" * CartItemRequest.model_json_schema()["properties"]["productId"]["maxLength"]
    found = read(f"{HEADER}\n{longest},A,1\n{longest}i,B,2\n")
    assert set(found.products) == {longest}
    assert found.rejected == [(3, "malformed_row")]


def test_the_last_valid_row_of_an_id_wins_and_earlier_ones_are_reported(read):
    found = read(f"{HEADER}\na,One,1\na,Two,2\na,Three,nothing\n")
    assert found.products["a"].name == "Two"
    assert sorted(found.rejected) == [(2, "duplicate_id"), (4, "invalid_price")]


def test_checks_run_in_the_order_id_name_price(read):
    found = read(f"{HEADER}\n,,\nx,,zero\n ,N,1\ny,,\nz,Z,\n")
    assert [code for _, code in found.rejected] == [
        "missing_name",
        "missing_id",
        "missing_name",
        "missing_price",
    ]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty_file"),
        (b"  \n\r\n", "empty_file"),
        (b"\xef\xbb\xbf\n", "empty_file"),
        (b"colour,shape\nred,round\n", "unknown_format"),
        (b"id,name\na,A\n", "unknown_format"),
        (b'{"name": "pretty",\n "id": 1\n}', "unknown_format"),
        (b"<?xml version='1.0'?><rss/>", "unknown_format"),
        (b"PK\x03\x04rest", "not_text"),
        (bytes(range(256)) * 40, "not_text"),
        ("id,name,price\na,A,1\n".encode("utf-16-le"), "not_text"),
        (b"Handle,Title,Option1 Value\nx,X,S\n", "unknown_format"),
        (b"ID,Type,SKU,Name,Published\n1,simple,,A,1\n", "unknown_format"),
        (b"<!DOCTYPE html><html><body>no</body></html>", "unknown_format"),
        (b"id,name,price" + b",x" * 40_000 + b"\na,A,1\n", "unknown_format"),
    ],
)
def test_a_file_that_is_not_ours_is_refused_with_the_reason(content, code):
    with pytest.raises(CatalogFileError) as refused:
        list(CatalogFileReader(currency="MAD").read(io.BytesIO(content)))
    assert refused.value.code == code
    assert str(refused.value)


def test_json_lines_that_no_parser_survives_are_rejected_one_by_one(read):
    deep = "[" * 100_000
    digits = '{"id":"d","name":"D","price":' + "9" * 5000 + "}"
    text = "\n".join(['{"id":"a","name":"A","price":1}', deep, digits, "null", '"text"'])
    found = read(text)
    assert set(found.products) == {"a"}
    assert len(found.rejected) == 4


def test_a_line_without_end_is_rejected_and_the_next_one_read(read):
    huge = json.dumps({**A, "description": "x" * 2_500_000})
    found = read(f"{json.dumps(B)}\n{huge}\n{json.dumps({**A, 'id': 'c'})}\n")
    assert set(found.products) == {"b", "c"}
    assert found.rejected == [(2, "malformed_row")]


def test_an_apostrophe_that_disarms_a_formula_is_removed_and_others_stay(read):
    found = read("id,name,price,description\na,'=A,1,'-1 degree\nb,'t Water,2,=1+1\n")
    assert [p.name for p in found.products.values()] == ["=A", "'t Water"]
    assert [p.description for p in found.products.values()] == ["-1 degree", "=1+1"]


def test_ids_are_text_and_left_alone_but_for_spaces(read):
    text = '{"id":"A&amp;B  <b>","name":"N","price":1}\n{"id": 7, "name":"N","price":1}\n{"id":"  X/ 1 ","name":"N","price":1}\n{"id":true,"name":"N","price":1}'
    found = read(text)
    assert set(found.products) == {"A&amp;B  <b>", "7", "X/ 1"}
    assert found.rejected == [(4, "missing_id")]


def test_half_of_a_surrogate_pair_does_not_survive(read_one):
    product = read_one(name="A\ud800B", description="\udfff text")
    assert (product.name, product.description) == ("AB", "text")


def test_lists_may_be_arrays_or_cells(read, read_one):
    cells = read(
        'id,name,price,families,notesTop,accords,seasons\na,A,1,Floral|fruity,rose | fig,"warm, soft",Summer'
    ).only
    assert cells.families == ("floral", "fruity")
    assert cells.notes.top == ("rose", "fig")
    assert cells.accords == ("warm", "soft")
    assert cells.seasons == ("summer",)
    assert read_one(notes={"top": ["a, b"], "base": ["c"]}).notes.top == ("a, b",)


@pytest.mark.parametrize(
    ("fields", "live", "regular"),
    [
        ({"salePrice": 8}, 800, 1000),
        ({"salePrice": 8, "saleFrom": "2026-11-30", "saleUntil": "2026-11-30"}, 800, 1000),
        ({"salePrice": 8, "saleUntil": "2026-11-29"}, 1000, 1000),
        ({"salePrice": 8, "saleFrom": "2026-11-30T13:00:00Z"}, 1000, 1000),
        ({"salePrice": 8, "saleFrom": "2026-11-30T13:00:00+01:00"}, 800, 1000),
        ({"salePrice": 8, "saleUntil": "2026-11-30T12:00:00Z"}, 1000, 1000),
        ({"salePrice": 0}, 1000, 1000),
        ({"salePrice": "soon"}, 1000, 1000),
        ({"salePrice": "8 EUR"}, 1000, 1000),
        ({"salePrice": 8, "saleUntil": "someday"}, 1000, 1000),
        ({"salePrice": 8, "saleFrom": "0001-01-01", "saleUntil": "9999-12-31"}, 800, 1000),
        ({"salePrice": 8, "saleUntil": "9999-12-31T23:59:59+14:00"}, 800, 1000),
        ({"salePrice": 8, "saleFrom": "0001-01-01T00:00:00+14:00"}, 800, 1000),
        ({"price": None, "salePrice": 8}, 800, 800),
    ],
)
def test_a_sale_price_holds_inside_its_window_only(read_one, fields, live, regular):
    noon = 1796040000  # 2026-11-30T12:00:00Z
    price = read_one(**fields).price
    assert (price.at(noon), price.regular) == (live, regular)


@pytest.mark.parametrize(
    ("column", "price", "expected"),
    [
        ("", "25.00 EUR", "EUR"),
        ("USD", "25", "USD"),
        ("dhs", "25", "MAD"),
        ("??", "25", "MAD"),
        ("EUR", "25 MAD", "MAD"),
    ],
)
def test_the_currency_comes_from_the_price_then_its_column_then_the_store(
    read_one, column, price, expected
):
    assert (
        read_one(currency="MAD", price=price, **{"Currency Code": column}).price.currency
        == expected
    )


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("https://a.example/x?y=1", "https://a.example/x?y=1"),
        ("//a.example/1.png", "https://a.example/1.png"),
        ("https://a.example/1.png, https://a.example/2.png", "https://a.example/1.png"),
        ("https://a.example/1.png|https://a.example/2.png", "https://a.example/1.png"),
        (["https://a.example/1.png", "x"], "https://a.example/1.png"),
        ("images/2.jpg", ""),
        ("javascript:alert(1)", ""),
        ("ftp://a.example/x", ""),
        ("https://[broken", ""),
        (7, ""),
        ([], ""),
    ],
)
def test_only_absolute_web_addresses_are_kept_and_of_several_the_first(read_one, value, kept):
    assert read_one(imageUrl=value).image_url == kept


@pytest.mark.parametrize(
    ("fields", "size"),
    [
        ({"sizeMl": 50}, 50),
        ({"sizeMl": "٧٥ مل"}, 75),
        ({"sizeMl": "30ML"}, 30),
        ({"sizeMl": "50", "options": {"Size": "100 ml"}}, 100),
        ({"name": "Rose 100 ml"}, 100),
        ({"name": "No 5"}, None),
        ({"sizeMl": "large"}, None),
        ({"sizeMl": 0}, None),
    ],
)
def test_the_size_comes_from_an_option_then_its_column_then_the_name(read_one, fields, size):
    assert read_one(**fields).size_ml == size


@pytest.mark.parametrize(
    ("fields", "gender"),
    [
        ({"gender": "Femme"}, "women"),
        ({"gender": "للرجال"}, "men"),
        ({"gender": "men, women"}, "unisex"),
        ({"gender": ["Mixte"]}, "unisex"),
        ({"gender": "?"}, None),
        ({"gender": "رجال ونساء"}, "unisex"),
        ({"tags": "Pour homme"}, "men"),
        ({"gender": "F"}, "women"),
        ({"tags": "M"}, None),
        ({"tags": "gift, Women"}, "women"),
        ({"tags": "women at work"}, None),
        ({"category": "Perfume > Men"}, "men"),
    ],
)
def test_the_gender_comes_from_its_column_or_a_whole_tag(read_one, fields, gender):
    assert read_one(**fields).gender == gender


@pytest.mark.parametrize(
    ("fields", "families"),
    [
        ({"families": ["Boisé", "Hespéridée"]}, ("woody", "citrus")),
        ({"families": "شرقي، خشبي"}, ("amber", "woody")),
        ({"families": "Floral Fruity"}, ("floral", "fruity")),
        ({"families": "Boisé et épicé"}, ("woody", "spicy")),
        ({"families": "خشبية وشرقية"}, ("woody", "amber")),
        ({"families": "Moon Dust"}, ("moon dust",)),
        ({"tags": ["Epicé", "Moon Dust"]}, ("spicy",)),
    ],
)
def test_families_are_canonical_and_unknown_ones_stay_in_lower_case(read_one, fields, families):
    assert read_one(**fields).families == families


def test_notes_are_read_from_a_description_that_spells_out_the_pyramid(read_one):
    text = "<p>Doux.</p><ul><li>Notes de tête : citron, néroli</li><li>Cœur: rose</li></ul>"
    notes = read_one(description=text).notes
    assert (notes.top, notes.heart, notes.base) == (("citron", "néroli"), ("rose",), ())
    assert not read_one(description="Base: musk").notes.all()
    spelled = read_one(description="🌿 Tête : a, b\n🌸 النوتات الوسطى: ورد").notes
    assert (spelled.top, spelled.heart) == (("a", "b"), ("ورد",))


def test_what_the_contract_lacks_is_ignored_and_what_it_has_is_kept(read_one):
    product = read_one(
        unknown={"x": 1},
        concentration="Eau de parfum",
        sillage="Heavy",
        longevity="very long",
        variantOf="fam",
        options={"size": "30 ml", "n": 2, "bad": None},
    )
    assert (product.concentration, product.sillage) == ("Eau de parfum", "heavy")
    assert (product.variant_of, product.options) == ("fam", {"size": "30 ml", "n": "2"})


def test_a_price_without_floats(read_one):
    assert read_one(price=690.1).price.regular == 69010
    assert read_one(price=19.99).price.regular == 1999
