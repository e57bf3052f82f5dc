"""Inventory, versions, parts, work that is handed on and last tries: through bucket, queue and handler as deployed."""

import json

import pytest
from shopping_agent.errors import StateUnavailableError

pytestmark = pytest.mark.slow

TABLE = "id,name,price,stock\n"


def rows(count, price=10):
    return TABLE + "".join(f"q{n},Perfume {n},{price},3\n" for n in range(count))


def s3_event(key, sequencer="0055AED6DCD90281E5", name="ObjectCreated:Put", **described):
    record = {
        "eventSource": "aws:s3",
        "eventName": name,
        "eventTime": "2026-11-30T12:00:00.000Z",
        "s3": {
            "bucket": {"name": "catalog"},
            "object": {"key": key, "sequencer": sequencer, **described},
        },
    }
    return {"Records": [record]}


def test_an_inventory_upload_is_live_and_filtered_without_touching_other_products(function):
    function.put("catalog/a.csv", rows(3))
    assert function.work_off() == []
    function.put("inventory/stock.csv", "Référence;Prix;Quantité\nq1;7,50;0\nq9;1;1\n")
    assert function.work_off() == []
    live = function.live("q0", "q1")
    assert (live["q1"].price.regular, live["q1"].stock) == (750, 0)
    assert (live["q0"].price.regular, live["q0"].stock) == (1000, 3)
    assert function.indexed("q1")["q1"].price.regular == 750
    (report,) = function.reports("inventory/stock.csv")
    assert [(r["line"], r["reasonCode"]) for r in report["rejected"]] == [(3, "unknown_product")]


def test_a_large_catalog_goes_through_the_queue_in_parts(function):
    function.put("catalog/large.csv", rows(100))
    assert function.work_off() == []
    assert len(function.live(*(f"q{n}" for n in range(100)))) == 100
    assert len(function.indexed(*(f"q{n}" for n in range(100)))) == 100
    (report,) = function.reports("catalog/large.csv")
    assert (report["status"], report["counts"]["added"]) == ("applied", 100)
    assert function.keys("staging/") == []
    function.put("catalog/large.csv", rows(60, price=20))
    assert function.work_off() == []
    assert set(function.live("q59", "q60")) == {"q59"}
    assert function.live("q59")["q59"].price.regular == 2000
    assert function.reports("catalog/large.csv")[-1]["counts"]["removed"] == 40


def test_an_upload_with_the_force_metadata_may_delete(function):
    function.put("catalog/a.csv", rows(10))
    function.work_off()
    function.put("catalog/a.csv", rows(1))
    function.work_off()
    assert len(function.live(*(f"q{n}" for n in range(10)))) == 10
    function.put("catalog/a.csv", rows(1), Metadata={"force": "true"})
    function.work_off()
    assert set(function.live(*(f"q{n}" for n in range(10)))) == {"q0"}
    assert [r["status"] for r in function.reports("catalog/a.csv")] == [
        "applied",
        "refused",
        "applied",
    ]


def test_an_event_reads_its_own_version(function, record):
    first = function.put("catalog/a.csv", rows(1, price=5))["VersionId"]
    function.put("catalog/a.csv", rows(1, price=6))
    event = s3_event("catalog/a.csv", versionId=first)
    assert function.invoke({"Records": [record(event)]}) == {"batchItemFailures": []}
    assert function.live("q0")["q0"].price.regular == 500


def test_work_that_is_handed_on_is_a_new_message_and_no_failure(function, record, monkeypatch):
    monkeypatch.setattr("shopping_agent.application.product_writer.RESERVE_SECONDS", 600)
    monkeypatch.setattr("shopping_agent.application.product_writer.BATCH", 10)
    function.put("catalog/a.csv", rows(35))
    function.receive()
    event = record(s3_event("catalog/a.csv"), receives=5)
    assert function.invoke({"Records": [event]}) == {"batchItemFailures": []}
    assert function.reports("catalog/a.csv") == []
    assert len(function.live(*(f"q{n}" for n in range(35)))) == 10
    (again,) = function.receive()
    assert json.loads(again["body"]) == json.loads(event["body"])
    assert function.invoke({"Records": [again]}) == {"batchItemFailures": []}
    assert function.work_off() == []
    assert len(function.live(*(f"q{n}" for n in range(35)))) == 35
    (report,) = function.reports("catalog/a.csv")
    assert report["counts"]["added"] == 35


def test_a_message_that_fails_for_the_last_time_leaves_a_report(function, record, monkeypatch):
    function.put("catalog/a.csv", rows(1))
    event = s3_event("catalog/a.csv", eTag="e7a9")
    broken = "shopping_agent.adapters.redis.live_catalog.RedisLiveCatalog.put"
    with monkeypatch.context() as patched:
        patched.setattr(broken, _unavailable)
        function.invoke({"Records": [record(event, receives=4)]})
        assert function.reports("catalog/a.csv") == []
        answer = function.invoke({"Records": [record(event, receives=5)]})
    assert answer["batchItemFailures"] == [{"itemIdentifier": "m1"}]
    (report,) = function.reports("catalog/a.csv")
    assert (report["status"], report["error"]["code"]) == ("failed", "not_applied")
    assert "down" in report["error"]["message"]
    assert (report["sequencer"], report["etag"]) == ("0055AED6DCD90281E5", "e7a9")


def test_a_last_try_that_kills_the_process_has_its_report_already(function, record, monkeypatch):
    def killed(self, event, deadline):
        raise SystemExit

    function.put("catalog/a.csv", rows(1))
    with monkeypatch.context() as patched:
        patched.setattr("shopping_agent.application.ingestion.IngestionService.apply", killed)
        with pytest.raises(SystemExit):
            function.invoke({"Records": [record(s3_event("catalog/a.csv"), receives=5)]})
    (report,) = function.reports("catalog/a.csv")
    assert report["status"] == "failed"
    assert "ended without a word" in report["error"]["message"]


def test_a_last_try_that_succeeds_leaves_its_own_report_only(function, record):
    function.put("catalog/a.csv", rows(1))
    function.invoke({"Records": [record(s3_event("catalog/a.csv"), receives=5)]})
    assert [r["status"] for r in function.reports("catalog/a.csv")] == ["applied"]


@pytest.mark.parametrize("body", ["{no json", '{"Records": []}', '{"ingestPart": {}}'])
def test_a_message_about_no_file_leaves_a_report_by_its_own_name(function, record, body):
    answer = function.invoke({"Records": [record(body, "m-7", receives=5)]})
    assert answer["batchItemFailures"] == [{"itemIdentifier": "m-7"}]
    (report,) = function.reports("undelivered/m-7")
    assert report["status"] == "failed"
    assert report["error"]["message"]


def test_a_part_that_fails_for_the_last_time_is_reported_with_its_file(
    function, record, monkeypatch
):
    function.put("catalog/large.csv", rows(100))
    (event,) = function.receive()
    function.invoke({"Records": [event]})
    part, *_ = function.receive()
    monkeypatch.setattr(
        "shopping_agent.adapters.redis.live_catalog.RedisLiveCatalog.put", _unavailable
    )
    function.invoke({"Records": [record(part["body"], receives=5)]})
    (report,) = function.reports("catalog/large.csv")
    assert report["status"] == "failed"
    assert report["etag"]


def _unavailable(self, facts, deadline, **rest):
    raise StateUnavailableError("down")
