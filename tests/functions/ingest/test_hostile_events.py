"""What nobody should upload or send, through the handler: the shop stays as it was, and the reports say why."""

import io
import json
import zipfile
from urllib.parse import quote_plus

import pytest
from shopping_agent.errors import MalformedRequestError

KEY = "catalog/shop.jsonl"
AT = "2026-11-30T10:00:00.000Z"
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    "<rss><channel><item><id>p1</id><title>&b;</title></item></channel></rss>"
)


def lines(*rows):
    return "\n".join(json.dumps(row) for row in rows)


def product(number, **other):
    return {"id": f"p{number}", "name": f"P {number}", "price": 10 + number, "stock": 5, **other}


def s3_record(key, number, name="ObjectCreated:Put", **described):
    return {
        "eventSource": "aws:s3",
        "eventName": name,
        "eventTime": AT,
        "s3": {
            "bucket": {"name": "catalog"},
            "object": {
                "key": quote_plus(key, safe="/"),
                "sequencer": f"{0x0055AED6DCD90281E5 + number:018X}",
                **described,
            },
        },
    }


@pytest.fixture
def filled(function):
    function.receive()
    function.put(KEY, lines(*(product(n) for n in range(1, 5))))
    assert function.work_off() == []
    assert len(function.live("p1", "p2", "p3", "p4")) == 4
    return function


def prices(function, *ids):
    return {i: (f.price.regular / 100, f.stock) for i, f in function.live(*ids).items()}


def zipped():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", b"0" * 5_000_000)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (zipped(), "not_text"),
        (b"\x1f\x8b\x08" + b"\x00" * 100, "not_text"),
        (BOMB, None),
        (BOMB.replace('"ha"', 'SYSTEM "file:///etc/passwd"'), None),
        ("", "empty_file"),
        ("\ufeff \r\n\r\n", "empty_file"),
        (b"\x00" * 5000, None),
        ("a" * 3_000_000, None),
        (",".join(f"c{n}" for n in range(100_000)), None),
        ("[" * 200_000, None),
        ("id,name,price\n,x,1\n,y,2\n", "mass_deletion"),
        (lines({"id": "", "name": "x", "price": 1}), "mass_deletion"),
    ],
    ids=[
        "zip",
        "gzip",
        "laughs",
        "entity",
        "empty",
        "blank",
        "nuls",
        "line",
        "columns",
        "nested",
        "no-ids",
        "no-id-json",
    ],
)
def test_a_file_that_is_no_catalog_changes_nothing_and_is_reported(filled, content, code):
    before = prices(filled, "p1", "p2", "p3", "p4")
    filled.put(KEY, content)
    assert filled.work_off() == []
    assert prices(filled, "p1", "p2", "p3", "p4") == before
    assert len(filled.indexed("p1", "p2", "p3", "p4")) == 4
    report = filled.reports(KEY)[-1]
    assert report["status"] == "refused"
    assert report["error"]["message"]
    assert code in (None, report["error"]["code"])
    # And the next good one is applied.
    filled.put(KEY, lines(*(product(n, price=99) for n in range(1, 5))))
    assert filled.work_off() == []
    assert prices(filled, "p1") == {"p1": (99, 5)}


def test_a_file_whose_rows_are_all_rejected_deletes_nothing(filled):
    filled.put(KEY, lines(*(product(n, price="sur demande") for n in range(1, 5))))
    assert filled.work_off() == []
    assert prices(filled, "p1") == {"p1": (11, 5)}
    counts = filled.reports(KEY)[-1]["counts"]
    assert (counts["rejected"], counts["kept"], counts["removed"]) == (4, 4, 0)


@pytest.mark.parametrize("name", ["force", "Force", "FORCE"])
@pytest.mark.parametrize("value", ["true", "TRUE", " Yes "])
def test_a_forced_deletion_is_told_by_metadata_in_any_case(filled, name, value):
    filled.put(KEY, lines(product(1)), Metadata={name: value})
    assert filled.work_off() == []
    assert set(filled.live("p1", "p2", "p3", "p4")) == {"p1"}


@pytest.mark.parametrize(
    "key",
    [
        "catalog/my shop.jsonl",
        "catalog/a+b.jsonl",
        "catalog/100%25.jsonl",
        "catalog/%zz.jsonl",
        "catalog/متجر é.jsonl",
        "catalog/a&b=c?d#e.jsonl",
        "catalog/../x.jsonl",
    ],
)
def test_an_object_of_any_name_is_found(function, key):
    function.receive()
    function.put(key, lines(product(70)))
    function.receive()
    reports = function.invoke({"Records": [s3_record(key, 1)]})["reports"]
    assert [(r["source"], r["status"]) for r in reports] == [(key, "applied")]
    assert "p70" in function.live("p70")
    assert [r["status"] for r in function.reports(key)] == ["applied"]
    function.delete(key)
    function.invoke({"Records": [s3_record(key, 2, "ObjectRemoved:Delete")]})
    assert not function.live("p70")


@pytest.mark.parametrize("key", ["reports/catalog/shop.jsonl/a.json", "staging/catalog/x.jsonl"])
def test_our_own_objects_are_never_read_as_catalogs(filled, key):
    filled.put(key, lines(product(80)))
    for report in filled.invoke({"Records": [s3_record(key, 1)]})["reports"]:
        assert report["status"] == "ignored"
    assert not filled.live("p80")


def test_records_of_other_services_are_refused_and_the_others_of_the_batch_done(filled, record):
    alien = {"eventSource": "aws:dynamodb", "eventName": "INSERT", "dynamodb": {}}
    filled.put("catalog/b.jsonl", lines(product(9)))
    filled.receive()
    bodies = [
        {"Records": [alien]},
        {"Records": []},
        "[]",
        "null",
        {"Event": "s3:TestEvent", "Bucket": "catalog"},
        {"Records": [s3_record("catalog/b.jsonl", 1)]},
    ]
    messages = [record(body, f"m{number}") for number, body in enumerate(bodies)]
    answer = filled.invoke({"Records": messages})
    failed = [item["itemIdentifier"] for item in answer["batchItemFailures"]]
    assert "m4" not in failed
    assert "m5" not in failed
    assert {"m2", "m3"} <= set(failed)
    assert "p9" in filled.live("p9")
    with pytest.raises(MalformedRequestError):
        filled.invoke({"Records": []})


def test_a_version_that_is_gone_changes_nothing_and_does_not_hold_the_source(filled):
    far = 0x2000_0000_0000_0000
    gone = s3_record(KEY, far + 9, versionId="00000000-0000-0000-0000-000000000000")
    (report,) = filled.invoke({"Records": [gone]})["reports"]
    assert report["status"] == "ignored"
    assert prices(filled, "p1") == {"p1": (11, 5)}
    filled.put(KEY, lines(*(product(n, price=77) for n in range(1, 5))))
    filled.receive()
    (report,) = filled.invoke({"Records": [s3_record(KEY, far + 8)]})["reports"]
    assert report["status"] == "applied"
    assert prices(filled, "p1") == {"p1": (77, 5)}


def test_a_hundred_events_of_one_batch_end_in_the_latest(filled, record):
    far = 0x2000_0000_0000_0000
    filled.put(KEY, lines(*(product(n, price=55) for n in range(1, 5))))
    filled.receive()
    records = [record({"Records": [s3_record(KEY, far + n % 50)]}, f"m{n}") for n in range(100)]
    assert filled.invoke({"Records": records})["batchItemFailures"] == []
    assert prices(filled, "p1") == {"p1": (55, 5)}


def test_products_that_two_files_have_stay_until_both_are_gone(filled):
    filled.put("catalog/other.jsonl", lines(product(1, price=40), product(2, price=41)))
    assert filled.work_off() == []
    filled.delete(KEY)
    assert filled.work_off() == []
    assert set(filled.live("p1", "p2", "p3", "p4")) == {"p1", "p2"}
    filled.delete("catalog/other.jsonl")
    assert filled.work_off() == []
    assert not filled.live("p1", "p2")
    assert not filled.indexed("p1", "p2")


def test_a_product_of_two_files_is_as_the_one_that_is_left_says_once_that_is_uploaded(filled):
    filled.put("catalog/other.jsonl", lines(product(1, price=40, description="Other words.")))
    assert filled.work_off() == []
    assert prices(filled, "p1") == {"p1": (40, 5)}
    filled.delete("catalog/other.jsonl")
    assert filled.work_off() == []
    filled.put(KEY, lines(*(product(n) for n in range(1, 5))))
    assert filled.work_off() == []
    assert prices(filled, "p1") == {"p1": (11, 5)}
    assert filled.indexed("p1")["p1"].description == ""


def test_absurd_inventory_rows_are_told_and_the_others_applied(filled):
    rows = [
        "id,price,stock",
        "p1,12.50,-7",
        "p2,0,3",
        "p3,,1000000000000",
        "p4,99999999999999999999,2",
        "nobody,5,5",
        ",5,5",
        "p1,NaN,",
        "p2,1e400,1",
    ]
    filled.put("inventory/stock.csv", "\n".join(rows))
    assert filled.work_off() == []
    report = filled.reports("inventory/stock.csv")[-1]
    told = {(row["line"], row["reasonCode"]) for row in report["rejected"]}
    assert {(3, "invalid_price"), (6, "unknown_product"), (7, "missing_id")} <= told
    assert {(8, "invalid_price"), (9, "invalid_price"), (5, "invalid_price")} <= told
    live = prices(filled, "p1", "p2", "p3", "p4")
    assert live["p1"] == (12.5, 0)
    assert live["p2"] == (12, 5)
    assert live["p4"] == (14, 5)
    indexed = filled.indexed("p1", "p3")
    assert {i: p.stock for i, p in indexed.items()} == {"p1": 0, "p3": live["p3"][1]}
