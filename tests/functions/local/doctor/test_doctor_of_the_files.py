"""The doctor on the bucket and the queue: dead letters, files that were refused, wait, or are old; rights that are missing."""

import json
import time
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest

from functions.local.doctor import ingestion
from tests.functions.local.doctor.said import DOWN, Doctor

PREFIXES = ("catalog/", "guides/", "inventory/")


@pytest.fixture
def aws(aws_stack: Any) -> dict[str, Any]:
    """Settings of the stand-in, and its clients."""
    s3, sqs = aws_stack.client("s3"), aws_stack.client("sqs")
    return {
        "settings": {
            "AWS_ENDPOINT_URL": aws_stack.url,
            "CATALOG_BUCKET": "catalog",
            "INGEST_QUEUE_URL": sqs.get_queue_url(QueueName="catalog-events")["QueueUrl"],
        },
        "s3": s3,
        "dead": sqs.get_queue_url(QueueName="catalog-events-dead")["QueueUrl"],
        "sqs": sqs,
    }


@pytest.fixture(autouse=True)
def _credentials(_no_settings_of_this_machine: None, aws_credentials: None) -> None:
    """After the machine's own are gone."""


def report(aws: dict[str, Any], key: str, status: str = "applied", *, days: float = 0) -> None:
    began = datetime.now(UTC) + timedelta(seconds=1) - timedelta(days=days)
    document = {
        "source": key,
        "status": status,
        "error": {"code": "mass_deletion", "message": "would delete too much"},
        "startedAt": began.isoformat(),
        "durationMs": 10,
    }
    name = f"reports/{key}/{began:%Y%m%dT%H%M%S.%fZ}.json"
    aws["s3"].put_object(Bucket="catalog", Key=name, Body=json.dumps(document))


def test_files_that_are_in_and_a_queue_that_is_empty_are_ok(
    doctor: Doctor, aws: dict[str, Any]
) -> None:
    aws["s3"].put_object(Bucket="catalog", Key="catalog/c.jsonl", Body=b"{}")
    report(aws, "catalog/c.jsonl")
    aws["sqs"].purge_queue(QueueUrl=aws["settings"]["INGEST_QUEUE_URL"])
    found = doctor(**aws["settings"])
    assert found.worst("queue") == "ok"
    assert found.worst("freshness") == "ok", found.of("freshness")


def test_dead_letters_fail_with_the_command_that_brings_them_back(
    doctor: Doctor, aws: dict[str, Any]
) -> None:
    aws["sqs"].send_message(QueueUrl=aws["dead"], MessageBody="{}")
    found = doctor(**aws["settings"])
    assert found.worst("queue") == "fail"
    assert "shopping-agent redrive" in found.shown


def test_a_queue_without_dead_letters_fails(doctor: Doctor, aws: dict[str, Any]) -> None:
    url = aws["sqs"].create_queue(QueueName="alone")["QueueUrl"]
    found = doctor(**{**aws["settings"], "INGEST_QUEUE_URL": url})
    assert found.worst("queue") == "fail"
    aws["sqs"].delete_queue(QueueUrl=url)


def test_a_queue_that_does_not_exist_fails(doctor: Doctor, aws: dict[str, Any]) -> None:
    url = f"{aws['settings']['INGEST_QUEUE_URL']}-nowhere"
    assert doctor(**{**aws["settings"], "INGEST_QUEUE_URL": url}).worst("queue") == "fail"


def test_many_waiting_messages_are_a_warning(
    doctor: Doctor, aws: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingestion, "MANY_WAITING", 0)
    aws["sqs"].send_message(QueueUrl=aws["settings"]["INGEST_QUEUE_URL"], MessageBody="{}")
    assert doctor(**aws["settings"]).worst("queue") == "warn"


@pytest.mark.parametrize("status", ["refused", "failed"])
def test_a_file_that_was_refused_or_failed_is_named_with_its_reason(
    doctor: Doctor, aws: dict[str, Any], status: str
) -> None:
    for key in ("catalog/c.jsonl", "guides/delivery.en.md"):
        aws["s3"].put_object(Bucket="catalog", Key=key, Body=b"{}")
    report(aws, "catalog/c.jsonl", status)
    report(aws, "guides/delivery.en.md")
    fails = [m for s, m in doctor(**aws["settings"]).of("freshness") if s == "fail"]
    assert fails == [f"catalog/c.jsonl was {status}: would delete too much"]


def test_a_file_without_a_report_waits_and_is_stuck_after_a_while(
    doctor: Doctor, aws: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    aws["s3"].put_object(Bucket="catalog", Key="catalog/c.jsonl", Body=b"{}")
    report(aws, "catalog/c.jsonl", days=1)
    assert ("warn", "catalog/c.jsonl is still to be ingested") in doctor(**aws["settings"]).of(
        "freshness"
    )
    monkeypatch.setattr(ingestion, "WAITING_SECONDS", 0.0)
    time.sleep(1.1)
    assert doctor(**aws["settings"]).worst("freshness") == "fail"


def test_reports_of_what_came_too_late_or_is_planned_are_no_end(
    doctor: Doctor, aws: dict[str, Any]
) -> None:
    aws["s3"].put_object(Bucket="catalog", Key="catalog/c.jsonl", Body=b"{}")
    report(aws, "catalog/c.jsonl", "ignored")
    assert "fail" in {status for status, _ in doctor(**aws["settings"]).of("freshness")}


def test_a_catalog_that_has_not_changed_for_long_is_a_warning(
    doctor: Doctor, aws: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    aws["s3"].put_object(Bucket="catalog", Key="catalog/c.jsonl", Body=b"{}")
    report(aws, "catalog/c.jsonl")
    monkeypatch.setattr(ingestion, "OLD_DAYS", -1.0)
    assert doctor(**aws["settings"]).worst("freshness") == "warn"


def test_a_bucket_without_a_catalog_fails(doctor: Doctor, aws: dict[str, Any]) -> None:
    assert doctor(**aws["settings"]).worst("freshness") == "fail"


def test_a_bucket_that_does_not_exist_fails(doctor: Doctor, aws: dict[str, Any]) -> None:
    found = doctor("--bucket", "no-such-bucket-of-ours", **aws["settings"])
    assert found.worst("freshness") == "fail"
    assert found.worst("notifications") == "fail"


def test_a_report_that_is_no_report_of_ours_fails_and_does_not_end_the_doctor(
    doctor: Doctor, aws: dict[str, Any]
) -> None:
    aws["s3"].put_object(Bucket="catalog", Key="catalog/c.jsonl", Body=b"{}")
    aws["s3"].put_object(Bucket="catalog", Key="reports/catalog/c.jsonl/1.json", Body=b"<x>")
    assert doctor(**aws["settings"]).worst("freshness") == "fail"


@pytest.mark.parametrize(
    "events", [["s3:ObjectCreated:*"], ["s3:ObjectCreated:*", "s3:ObjectRemoved:*"]]
)
def test_the_bucket_has_to_tell_the_queue_of_uploads_and_deletions(
    doctor: Doctor, aws: dict[str, Any], events: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {
        "QueueConfigurations": [
            {
                "QueueArn": "arn:aws:sqs:eu-west-1:123456789012:catalog-events",
                "Events": events,
                "Filter": {"Key": {"FilterRules": [{"Name": "Prefix", "Value": prefix}]}},
            }
            for prefix in PREFIXES
        ]
    }
    client = aws["s3"]
    monkeypatch.setattr(client, "get_bucket_notification_configuration", lambda Bucket: told)
    real = ingestion._client
    monkeypatch.setattr(
        ingestion,
        "_client",
        lambda subject, name: nullcontext(client) if name == "s3" else real(subject, name),
    )
    found = doctor(**aws["settings"])
    assert found.worst("notifications") == ("ok" if len(events) == 2 else "fail")
    assert len(events) == 2 or "ObjectRemoved of guides/" in found.of("notifications")[0][1]


def test_aws_that_is_down_fails(doctor: Doctor, aws: dict[str, Any]) -> None:
    found = doctor(
        **{**aws["settings"], "AWS_ENDPOINT_URL": DOWN, "INGEST_QUEUE_URL": f"{DOWN}/1/q"}
    )
    for check in ("queue", "notifications", "freshness"):
        assert found.worst(check) == "fail"


def test_without_credentials_nothing_is_checked_and_nothing_fails(
    doctor: Doctor, aws: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name)
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    found = doctor(**aws["settings"])
    for check in ("queue", "notifications", "freshness"):
        assert found.worst(check) == "not checked"
        assert "AWS credentials" in found.of(check)[0][1]


def test_a_right_that_is_missing_is_not_a_failure_of_the_shop(
    doctor: Doctor, aws: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from botocore.exceptions import ClientError

    class Refusing:
        def __getattr__(self, name: str) -> Any:
            def refuse(*_: Any, **__: Any) -> Any:
                error: Any = {
                    "Code": "AccessDenied",
                    "Message": "User: arn:aws:iam::1:user/jo is not",
                }
                raise ClientError({"Error": error}, name)

            return refuse

    monkeypatch.setattr(ingestion, "_client", lambda *_: nullcontext(Refusing()))
    found = doctor(**aws["settings"])
    for check in ("queue", "notifications", "freshness"):
        assert found.worst(check) == "not checked"
    assert "user/jo" not in found.shown
