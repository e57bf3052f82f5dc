"""The sample events are what AWS would send, and each works with `make invoke`."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from functions.local.sample_events import object_changes

ROOT = Path(__file__).parents[2]
EVENTS = ROOT / "events"
NAMES = sorted(path.name for path in EVENTS.glob("*.json"))


def event_of(name: str) -> Any:
    return json.loads((EVENTS / name).read_text(encoding="utf-8"))


def object_records(event: Any) -> Iterator[dict[str, Any]]:
    """The S3 records of an event, within SQS messages too."""
    for record in event.get("Records", []):
        if "body" in record:
            yield from object_records(json.loads(record["body"]))
        else:
            yield record["s3"]["object"] | {"created": record["eventName"].startswith("ObjectC")}


def requests() -> list[str]:
    return [name for name in NAMES if "rawPath" in event_of(name)]


def test_there_is_an_event_for_every_function_and_every_kind_of_notification():
    assert {name.partition("-")[0] for name in NAMES} == {"chat", "store", "s3", "sqs"}
    changes = [change for name in NAMES for change in object_changes(event_of(name))]
    assert {(key.partition("/")[0], created) for key, created in changes} >= {
        ("catalog", True),
        ("catalog", False),
        ("guides", True),
        ("inventory", True),
    }


@pytest.mark.parametrize("name", requests())
def test_a_request_is_of_one_piece(name: str):
    event = event_of(name)
    http = event["requestContext"]["http"]
    assert event["rawPath"] == http["path"]
    assert event["routeKey"] == event["requestContext"]["routeKey"]
    assert event["headers"]["host"] == event["requestContext"]["domainName"]
    if "body" in event:
        assert int(event["headers"]["content-length"]) == len(event["body"].encode())
        json.loads(event["body"])


@pytest.mark.parametrize("name", [name for name in NAMES if name not in requests()])
def test_a_notification_describes_the_sample_file_that_lies_beside_it(name: str):
    for described in object_records(event_of(name)):
        # A version that no bucket has would name an object that is gone.
        assert "versionId" not in described
        sample = EVENTS / Path(described["key"]).name
        content = sample.read_bytes()
        if described["created"]:
            assert described["size"] == len(content)
            assert described["eTag"] == hashlib.md5(content).hexdigest()
    for record in event_of(name).get("Records", []):
        if "body" in record:
            assert record["md5OfBody"] == hashlib.md5(record["body"].encode()).hexdigest()


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_make_invoke_runs_every_event_on_the_stack(start_stack: Any, tmp_path: Path):
    answers: dict[str, Any] = {}
    # The words alone find these products; embedding them all would only take longer.
    with start_stack(tmp_path, EMBEDDING_PROVIDER="none") as stack:
        for name in NAMES:
            command = [sys.executable, "-m", "functions.local.invoke", "--data", str(stack.data)]
            command.append(str(EVENTS / name))
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
            assert done.returncode == 0, (name, done)
            answers[name] = json.loads(done.stdout)
    # The one has an empty cart, the other an order of a hand-off that this stack never made.
    refused = {"store-checkout.json": "empty_cart", "store-webhook.json": "unknown_handoff"}
    for name in requests():
        if name in refused:
            assert answers[name]["body"]["code"] == refused[name]
        else:
            assert answers[name]["statusCode"] in (200, 201), (name, answers[name])
    for name in ("s3-catalog-created.json", "s3-catalog-removed.json", "s3-guide-created.json"):
        assert [report["status"] for report in answers[name]["reports"]] == ["applied"], name
    assert answers["s3-test-event.json"] == {"reports": []}
    assert answers["sqs-catalog-created.json"] == {"batchItemFailures": []}
    assert answers["sqs-test-event.json"] == {"batchItemFailures": []}
    for name in [name for name in NAMES if name.startswith("chat-flagship")]:
        assert len(answers[name]["body"]["cart"]["items"]) == 1, name
    assert answers["chat-knowledge.json"]["body"]["route"] == "rag"
    assert answers["chat-add-this.json"]["body"]["cart"]["count"] == 1
    assert answers["chat-add-second.json"]["body"]["finish"] == "clarify"
