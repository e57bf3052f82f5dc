"""Every ingest event of `events/`, and those that go wrong, through the real handler on real parts."""

import json
from datetime import UTC, datetime

import pytest
from shopping_agent.adapters.catalog.s3_events import object_events, sequencer_of_time
from shopping_agent.errors import MalformedRequestError, ShoppingAgentError

pytestmark = pytest.mark.slow

SAMPLE = "catalog/sample-catalog.jsonl"
IDS = (
    "sample-cedar-smoke-50",
    "sample-cedar-smoke-100",
    "sample-quince-garden",
    "sample-salt-terrace",
)


def s3_record(key, name="ObjectCreated:Put", sequencer: str | None = "006B0DB50000000001", **other):
    return {
        "eventSource": "aws:s3",
        "eventName": name,
        "eventTime": "2026-11-30T12:00:00.000Z",
        "s3": {"bucket": {"name": "catalog"}, "object": {"key": key, "sequencer": sequencer}},
        **other,
    }


def sqs_event(*bodies):
    return {
        "Records": [
            {
                "messageId": f"m{number}",
                "eventSource": "aws:sqs",
                "body": body if isinstance(body, str) else json.dumps(body),
            }
            for number, body in enumerate(bodies, start=1)
        ]
    }


def failed(answer):
    return [item["itemIdentifier"] for item in answer["batchItemFailures"]]


def test_a_created_catalog_is_ingested_and_reported(function, read_event):
    function.put_samples()
    (report,) = function.invoke(read_event("s3-catalog-created.json"))["reports"]
    assert report["counts"]["added"] == 4
    assert [(r["line"], r["reasonCode"]) for r in report["rejected"]] == [(5, "missing_price")]
    live = function.live(*IDS)
    assert set(live) == set(IDS)
    assert live["sample-salt-terrace"].price.regular == 28000
    assert live["sample-cedar-smoke-100"].price.sale == 59000
    assert set(function.indexed(*IDS)) == set(IDS)
    assert function.reports(SAMPLE) == [report]


def test_the_same_event_again_changes_nothing(function, read_event):
    function.put_samples()
    event = read_event("s3-catalog-created.json")
    function.invoke(event)
    before = function.live(*IDS)
    (report,) = function.invoke(event)["reports"]
    assert report["status"] == "ignored"
    assert function.live(*IDS) == before
    assert len(function.reports(SAMPLE)) == 1


def test_the_created_and_the_removed_event_leave_nothing(function, read_event):
    function.put_samples()
    function.invoke(read_event("s3-catalog-created.json"))
    function.delete(SAMPLE)
    (report,) = function.invoke(read_event("s3-catalog-removed.json"))["reports"]
    assert report["counts"]["removed"] == 4
    assert function.live(*IDS) == {}
    assert function.indexed(*IDS) == {}


def test_a_guide_event_indexes_its_sections(function, read_event):
    function.put_samples()
    (report,) = function.invoke(read_event("s3-guide-created.json"))["reports"]
    assert report["counts"]["added"] == 2
    assert {hit.chunk.heading for hit in function.guides()} == {
        "What it costs",
        "A card with your words",
    }


def test_an_inventory_event_changes_what_its_rows_state(function, read_event):
    function.put_samples()
    function.invoke(read_event("s3-catalog-created.json"))
    before = function.live(*IDS)
    (report,) = function.invoke(read_event("s3-inventory-created.json"))["reports"]
    assert [(r["line"], r["reasonCode"]) for r in report["rejected"]] == [(4, "unknown_product")]
    after = function.live(*IDS)
    assert after["sample-quince-garden"].price.regular == 19500
    assert after["sample-quince-garden"].stock == 0
    assert after["sample-salt-terrace"].price == before["sample-salt-terrace"].price
    assert after["sample-salt-terrace"].stock == 12
    assert after["sample-cedar-smoke-50"] == before["sample-cedar-smoke-50"]


def test_s3_events_in_sqs_messages_are_ingested(function, read_event):
    function.put_samples()
    assert failed(function.invoke(read_event("sqs-catalog-created.json"))) == []
    assert set(function.live(*IDS)) == set(IDS)
    assert function.guides()


@pytest.mark.parametrize(
    ("name", "answer"),
    [("s3-test-event.json", {"reports": []}), ("sqs-test-event.json", {"batchItemFailures": []})],
)
def test_test_events_are_taken_quietly(function, read_event, name, answer):
    assert function.invoke(read_event(name)) == answer


def test_an_upload_is_ingested_from_the_event_that_it_causes(function):
    """No file in between: the queue's own message through the real handler."""
    function.put("catalog/mon fichier (été) 100%.csv", "id,name,price\nq1,Q,5\n")
    sqs = function.aws.client("sqs")
    url = sqs.get_queue_url(QueueName="catalog-events")["QueueUrl"]
    (message,) = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=2)["Messages"]
    assert failed(function.invoke(sqs_event(message["Body"]))) == []
    assert set(function.live("q1")) == {"q1"}


def test_one_bad_message_does_not_keep_the_others_from_being_applied(function):
    function.put("catalog/a.csv", "id,name,price\na,A,1\n")
    answer = function.invoke(
        sqs_event(
            "{no json",
            {"Records": [s3_record("catalog/a.csv")]},
            {"Records": []},
            {"Records": [{"eventName": "ObjectCreated:Put"}]},
            {"Records": [s3_record("catalog/a.csv", sequencer="", eventTime="yesterday")]},
            ["list"],
        )
    )
    assert failed(answer) == ["m1", "m3", "m4", "m5", "m6"]
    assert set(function.live("a")) == {"a"}


def test_what_could_not_be_applied_is_delivered_again_and_then_succeeds(function, monkeypatch):
    function.put("catalog/a.csv", "id,name,price\na,A,1\n")
    event = sqs_event({"Records": [s3_record("catalog/a.csv")]})
    with monkeypatch.context() as broken:
        broken.setattr(
            "shopping_agent.adapters.redis.live_catalog.RedisLiveCatalog.put", _unavailable
        )
        assert failed(function.invoke(event)) == ["m1"]
    assert failed(function.invoke(event)) == []
    assert set(function.live("a")) == {"a"}


def test_a_direct_s3_event_that_fails_is_raised(function, monkeypatch):
    function.put("catalog/a.csv", "id,name,price\na,A,1\n")
    monkeypatch.setattr(
        "shopping_agent.adapters.redis.live_catalog.RedisLiveCatalog.put", _unavailable
    )
    with pytest.raises(ShoppingAgentError):
        function.invoke({"Records": [s3_record("catalog/a.csv")]})


def _unavailable(self, facts, deadline, **rest):
    from shopping_agent.errors import StateUnavailableError

    raise StateUnavailableError("down")


def test_messages_for_which_no_time_is_left_are_delivered_again(function):
    event = sqs_event({"Records": [s3_record("catalog/a.csv")]}, {"Records": []})
    assert failed(function.invoke(event, seconds=1)) == ["m1", "m2"]


def test_other_prefixes_and_other_events_are_ignored(function):
    records = [
        s3_record("inventory/a.csv"),
        s3_record("reports/catalog/a.json"),
        s3_record("catalog/a.csv", name="ObjectTagging:Put"),
    ]
    reports = function.invoke({"Records": records})["reports"]
    assert [r["status"] for r in reports] == ["ignored", "ignored"]


@pytest.mark.parametrize(
    "event",
    [
        None,
        [],
        {},
        {"Records": []},
        {"Records": "x"},
        {"Records": [1]},
        {"Records": [{"eventSource": "aws:sqs", "body": "{}"}]},
        {"Records": [{"eventSource": "aws:sqs", "messageId": "m", "body": "{}"}, {}]},
        {"rawPath": "/", "requestContext": {}},
    ],
)
def test_an_event_of_another_kind_is_an_error_that_says_so(function, event):
    with pytest.raises(MalformedRequestError) as malformed:
        function.invoke(event)
    assert str(malformed.value)


def test_keys_are_decoded_exactly_once():
    def key_of(raw):
        return object_events({"Records": [s3_record(raw)]})[0].key

    assert key_of("catalog/%C3%A9t%C3%A9+2026.csv") == "catalog/été 2026.csv"
    assert key_of("catalog/100%2525+%2B1.csv") == "catalog/100%25 +1.csv"


def test_an_event_without_a_sequencer_is_ordered_by_its_time():
    record = s3_record("catalog/a.csv", sequencer=None)
    (event,) = object_events({"Records": [record]})
    moment = datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert event.sequencer == sequencer_of_time(moment)
    later = sequencer_of_time(moment.replace(microsecond=1000))
    assert event.sequencer < later
    assert len(event.sequencer) == len("0055AED6DCD90281E5")
