"""`make invoke`: which function an event is for, and what is printed."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from functions.local import invoke
from functions.local.data_folder import StackError
from functions.local.sample_events import as_of_now, function_of, object_changes


def http(method: str, path: str) -> dict[str, Any]:
    return {"version": "2.0", "rawPath": path, "requestContext": {"http": {"method": method}}}


@pytest.mark.parametrize(
    ("event", "function"),
    [
        (http("POST", "/api/v1/ai/cart"), "chat"),
        (http("GET", "/api/v1/cart"), "store"),
        ({"Records": [{"eventSource": "aws:s3"}]}, "ingest"),
        ({"Records": [{"eventSource": "aws:sqs"}]}, "ingest"),
        ({"Service": "Amazon S3", "Event": "s3:TestEvent"}, "ingest"),
    ],
)
def test_the_function_is_told_by_the_events_shape(event: Any, function: str) -> None:
    assert function_of(event) == function


@pytest.mark.parametrize("event", [{}, [], "text", {"Records": []}, {"rawPath": "/"}])
def test_an_event_of_no_known_shape_is_refused(event: Any) -> None:
    with pytest.raises(StackError):
        function_of(event)


def test_the_time_of_a_request_is_refreshed() -> None:
    event = http("GET", "/")
    event["requestContext"]["timeEpoch"] = 1
    assert as_of_now(event)["requestContext"]["timeEpoch"] > 1_600_000_000_000


def s3(name: str, key: str) -> dict[str, Any]:
    described = {"key": key, "versionId": "gone", "sequencer": "0055AED6DCD90281E5"}
    return {"Records": [{"eventSource": "aws:s3", "eventName": name, "s3": {"object": described}}]}


def sqs(event: Any) -> dict[str, Any]:
    return {"Records": [{"eventSource": "aws:sqs", "body": json.dumps(event)}]}


def test_an_object_event_gets_a_newer_sequencer_and_no_version_that_is_gone() -> None:
    event = s3("ObjectCreated:Put", "catalog/a.jsonl")
    fresh = as_of_now(event)["Records"][0]["s3"]["object"]
    assert fresh["sequencer"] > "0055AED6DCD90281E5"
    assert "versionId" not in fresh
    wrapped = json.loads(as_of_now(sqs(event))["Records"][0]["body"])
    assert wrapped["Records"][0]["s3"]["object"]["sequencer"] >= fresh["sequencer"]


def test_what_an_event_says_of_objects_is_found_within_messages_too() -> None:
    created = s3("ObjectCreated:Put", "guides/soin+de+la+peau.fr.md")
    assert list(object_changes(created)) == [("guides/soin de la peau.fr.md", True)]
    assert list(object_changes(sqs(created))) == [("guides/soin de la peau.fr.md", True)]
    removed = s3("ObjectRemoved:Delete", "catalog/a.jsonl")
    assert list(object_changes(removed)) == [("catalog/a.jsonl", False)]
    assert list(object_changes({"Records": [{"eventSource": "aws:sqs", "body": "{"}]})) == []


def test_a_json_body_is_unfolded_and_any_other_stays() -> None:
    assert invoke.readable({"statusCode": 200, "body": '{"a":1}'})["body"] == {"a": 1}
    assert invoke.readable({"statusCode": 200, "body": "<p>"})["body"] == "<p>"
    assert invoke.readable(["x"]) == ["x"]


def test_status_and_body_come_first_and_headers_when_asked_for() -> None:
    answer = {"headers": {"x": "y"}, "cookies": [], "statusCode": 404, "body": "{}"}
    assert invoke.readable(answer) == {"statusCode": 404, "body": {}}
    assert list(invoke.readable(answer, headers=True)) == [
        "statusCode",
        "body",
        "headers",
        "cookies",
    ]


def test_without_a_running_stack_it_says_how_to_start_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    event = tmp_path / "event.json"
    event.write_text(json.dumps(http("GET", "/api/v1/cart")))
    monkeypatch.setattr(sys, "argv", ["invoke", "--data", str(tmp_path), str(event)])
    assert invoke.main() == 2
    assert "make run" in capsys.readouterr().err
