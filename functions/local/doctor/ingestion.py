"""The way of a file into the shop: bucket, notifications, queue, dead letters, and how old what was applied is."""

import json
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from typing import Any

from shopping_agent.application.ingestion import is_source

from functions.local.doctor.findings import Check, NotCheckedError, Status
from functions.local.doctor.subject import Subject
from functions.local.kinds import FOLDERS
from functions.local.reports import CatalogBucket

REGION = "eu-west-1"
MOST_FILES = 12
WAITING_SECONDS = 900.0
"""A file that has no report for longer than this is stuck."""
OLD_DAYS = 7.0
KEPT_DAYS = 90.0
"""Of reports, by the bucket's lifecycle."""
MANY_WAITING = 100
_CREDENTIALS = "AWS credentials (AWS_PROFILE, or AWS_ACCESS_KEY_ID and the others) with the right"
_DENIED = ("AccessDenied", "AccessDeniedException", "403", "AllAccessDisabled")
_BUCKET = "is the bucket's name the output CatalogBucketName, and of this account and region?"
_QUEUE = "INGEST_QUEUE_URL of the ingest function; is it of this account and region?"


def checks(subject: Subject) -> list[Check]:
    found = [Check("queue", lambda: _queue(subject), _QUEUE)]
    if not subject.local:
        found.append(Check("notifications", lambda: _notifications(subject), _BUCKET))
    return [*found, Check("freshness", lambda: _freshness(subject), _BUCKET)]


@contextmanager
def _client(subject: Subject, service: str) -> Generator[Any]:
    import boto3
    from botocore.config import Config

    limits = Config(
        connect_timeout=subject.seconds / 3,
        read_timeout=subject.seconds / 2,
        retries={"total_max_attempts": 1},
    )
    options: dict[str, Any] = {"config": limits}
    endpoint = "" if subject.wrong else subject.settings.aws_endpoint_url
    if endpoint:
        options["endpoint_url"] = endpoint
    if subject.local:
        options |= {"aws_access_key_id": "local", "aws_secret_access_key": "local"}
        options["region_name"] = REGION
    session: Any = boto3.Session()
    with closing(session.client(service, **options)) as client:
        yield client


@contextmanager
def _of_aws(what: str) -> Generator[None]:
    """What AWS says, without its own words, which may hold names of people and accounts.

    Raises:
        NotCheckedError: we may not ask. CheckFailedError: it failed.
    """
    from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, NoRegionError

    try:
        yield
    except (NoCredentialsError, NoRegionError) as error:
        raise NotCheckedError(f"{_CREDENTIALS} to {what}: {type(error).__name__}") from error
    except ClientError as error:
        code = str(error.response.get("Error", {}).get("Code", "unknown"))[:60]
        if code in _DENIED:
            raise NotCheckedError(f"the right to {what} ({code})") from error
        raise CheckFailedError(f"cannot {what}: {code}") from error
    except (BotoCoreError, OSError) as error:
        raise CheckFailedError(f"cannot {what}: {type(error).__name__}") from error


class CheckFailedError(Exception):
    """AWS refused, or did not answer."""


def _queue(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    url = subject.needs("INGEST_QUEUE_URL").ingest_queue_url
    try:
        with _of_aws("read the queue (sqs:GetQueueAttributes)"), _client(subject, "sqs") as sqs:
            queue = _attributes(sqs, url)
            dead = _dead_letters(sqs, queue)
    except CheckFailedError as error:
        yield "fail", str(error), _QUEUE
        return
    waiting, working = (
        int(queue.get(f"ApproximateNumberOfMessages{which}", 0)) for which in ("", "NotVisible")
    )
    level: Status = "warn" if waiting > MANY_WAITING else "ok"
    fix = "IngestConcurrency, or the ingest function's log" if waiting > MANY_WAITING else ""
    yield level, f"{waiting} messages wait, {working} are worked on", fix
    if dead is None:
        said = "it has no dead-letter queue: a message that fails comes again and again"
        yield "fail", said, "IngestQueue's RedrivePolicy"
    elif dead:
        fix = "the last reports say why (freshness); when it is mended: shopping-agent redrive"
        yield "fail", f"{dead} messages in the dead letters: files that were not ingested", fix
    else:
        yield "ok", "no dead letters", ""


def _attributes(sqs: Any, url: str) -> Mapping[str, str]:
    found: Mapping[str, str] = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])[
        "Attributes"
    ]
    return found


def _dead_letters(sqs: Any, queue: Mapping[str, str]) -> int | None:
    """How many there are, those in somebody's hands included; None without a queue for them."""
    policy: Any = json.loads(queue.get("RedrivePolicy") or "{}")
    arn = str(policy.get("deadLetterTargetArn", ""))
    if not arn:
        return None
    url = sqs.get_queue_url(QueueName=arn.rpartition(":")[2])["QueueUrl"]
    there = _attributes(sqs, url)
    names = ("ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible")
    return sum(int(there.get(name, 0)) for name in names)


def _bucket(subject: Subject) -> str:
    name = subject.bucket or subject.given.get("CATALOG_BUCKET", "")
    if not name:
        raise NotCheckedError("the bucket's name: --bucket")
    return name


def _notifications(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    name = _bucket(subject)
    try:
        with (
            _of_aws("read the bucket's notifications (s3:GetBucketNotification)"),
            _client(subject, "s3") as s3,
        ):
            told = s3.get_bucket_notification_configuration(Bucket=name)
    except CheckFailedError as error:
        yield "fail", str(error), _BUCKET
        return
    told_of = {
        (event.split(":")[1].split(".")[0], rule["Value"])
        for target in told.get("QueueConfigurations", [])
        for event in target["Events"]
        for rule in target.get("Filter", {}).get("Key", {}).get("FilterRules", [])
        if rule["Name"].lower() == "prefix"
    }
    wanted = {(e, f) for e in ("ObjectCreated", "ObjectRemoved") for f in FOLDERS.values()}
    lacking = sorted(f"{event} of {prefix}" for event, prefix in wanted - told_of)
    if lacking:
        fix = "CatalogBucket's NotificationConfiguration: deploy the template again"
        yield "fail", f"the queue is not told of {', '.join(lacking)}", fix
    else:
        yield "ok", "uploads and deletions go to the queue", ""


def _freshness(subject: Subject) -> Iterator[tuple[Status, str, str]]:
    name = _bucket(subject)
    try:
        with (
            _of_aws("read the bucket (s3:ListBucket, s3:GetObject)"),
            _client(subject, "s3") as s3,
        ):
            bucket = CatalogBucket(client=s3, bucket=name)
            listed = [
                [key for key in bucket.keys(folder) if is_source(key)]
                for folder in FOLDERS.values()
            ]
            newest = [key for keys in listed for key in keys[-MOST_FILES:]]
            found = [(key, *_last(bucket, key)) for key in newest]
    except CheckFailedError as error:
        yield "fail", str(error), _BUCKET
        return
    if not any(key.startswith(FOLDERS["catalog"]) for key in newest):
        yield "fail", f"{name} holds no catalog", "shopping-agent upload FILE --bucket NAME"
        return
    if (number := sum(map(len, listed))) > len(newest):
        yield "ok", f"of {number} files the newest {MOST_FILES} of each kind were looked at", ""
    troubles = [trouble for one in found if (trouble := _trouble(*one))]
    yield from troubles
    applied = [
        _moment(report) for _, _, report in found if report and report["status"] == "applied"
    ]
    if not applied:
        yield "fail", "no report says that a file was applied", "shopping-agent reindex"
        return
    days = (time.time() - max(applied)) / 86400
    if days > OLD_DAYS and not subject.local:
        said = f"the last file was applied {days:.0f} days ago"
        yield "warn", said, "does the export of the shop still run? prices and stock grow old"
    elif not troubles:
        yield "ok", f"{len(found)} files are applied, the last one {_ago(days)}", ""


def _last(bucket: CatalogBucket, key: str) -> tuple[float, dict[str, Any] | None]:
    """When an object was put there, and the last report of it that is an end."""
    head = bucket.client.head_object(Bucket=bucket.bucket, Key=key)
    for name in reversed(bucket.report_keys(key)[-5:]):
        report = json.load(bucket.client.get_object(Bucket=bucket.bucket, Key=name)["Body"])
        if report["status"] not in ("ignored", "planned"):
            return head["LastModified"].timestamp(), report
    return head["LastModified"].timestamp(), None


def _trouble(
    key: str, put_at: float, report: Mapping[str, Any] | None
) -> tuple[Status, str, str] | None:
    """What is wrong with one file; None where nothing is."""
    waited = time.time() - put_at
    # Clocks of the bucket and the function differ a little, and an object's time has whole seconds.
    if report is None or _moment(report) < put_at - 2:
        if report is None and waited > KEPT_DAYS * 86400:
            return None
        if waited > WAITING_SECONDS:
            fix = "queue and notifications above; the ingest function's log"
            return "fail", f"{key} was put there {_ago(waited / 86400)} and is not ingested", fix
        return "warn", f"{key} is still to be ingested", "wait for its report"
    if report["status"] in ("refused", "failed"):
        said = (report.get("error") or {}).get("message", "")
        fix = "upload a good file, or shopping-agent reindex for the one that was applied before"
        return "fail", f"{key} was {report['status']}: {str(said)[:300]}", fix
    return None


def _moment(report: Mapping[str, Any]) -> float:
    """When it was finished, in seconds since the epoch."""
    began = datetime.fromisoformat(str(report["startedAt"])).timestamp()
    return began + float(report["durationMs"]) / 1000


def _ago(days: float) -> str:
    if days * 24 < 1:
        return f"{max(0.0, days * 1440):.0f} min ago"
    return f"{days * 24:.0f} h ago" if days < 2 else f"{days:.0f} days ago"
