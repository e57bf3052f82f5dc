"""The stand-in for S3 and SQS: notifications as S3 sends them, objects that survive the process."""

import json
import time

import boto3
import pytest
from botocore.config import Config

from functions.local.bucket_mirror import MAX_FORMER, BucketMirror, MirroredObject
from functions.local.children import free_port
from functions.local.reports import CatalogBucket, ReplacedError

pytestmark = pytest.mark.slow


class Queue:
    def __init__(self, aws_stack, name="catalog-events"):
        self.client = aws_stack.client("sqs")
        self.url = self.client.get_queue_url(QueueName=name)["QueueUrl"]

    def bodies(self, count, seconds=10):
        """The bodies of the next messages, deleted as they come."""
        found = []
        until = time.monotonic() + seconds
        while len(found) < count and time.monotonic() < until:
            reply = self.client.receive_message(QueueUrl=self.url, MaxNumberOfMessages=1)
            for message in reply.get("Messages", []):
                found.append(json.loads(message["Body"]))
                self.client.delete_message(
                    QueueUrl=self.url, ReceiptHandle=message["ReceiptHandle"]
                )
        return found

    def records(self, count):
        return [body["Records"][0] for body in self.bodies(count)]

    def is_empty(self):
        return "Messages" not in self.client.receive_message(QueueUrl=self.url)


@pytest.fixture
def s3(aws_stack):
    return aws_stack.client("s3")


@pytest.fixture
def queue(aws_stack):
    return Queue(aws_stack)


def test_an_upload_is_notified_with_a_sequencer_and_what_s3_says_of_the_object(s3, queue):
    put = s3.put_object(Bucket="catalog", Key="catalog/été 1+1.csv", Body=b"abc")
    (record,) = queue.records(1)
    described = record["s3"]["object"]
    assert record["eventName"] == "ObjectCreated:Put"
    assert record["s3"]["bucket"]["name"] == "catalog"
    assert described["key"] == "catalog/%C3%A9t%C3%A9+1%2B1.csv"
    assert described["eTag"] == put["ETag"].strip('"')
    assert described["versionId"] == put["VersionId"]
    assert described["size"] == 3
    assert int(described["sequencer"], 16) > 0


def test_sequencers_grow_and_a_deletion_is_a_delete_marker_event(s3, queue):
    s3.put_object(Bucket="catalog", Key="catalog/a", Body=b"1")
    s3.put_object(Bucket="catalog", Key="catalog/a", Body=b"1")
    s3.delete_object(Bucket="catalog", Key="catalog/a")
    records = queue.records(3)
    assert [r["eventName"] for r in records] == [
        "ObjectCreated:Put",
        "ObjectCreated:Put",
        "ObjectRemoved:DeleteMarkerCreated",
    ]
    sequencers = [r["s3"]["object"]["sequencer"] for r in records]
    assert sequencers == sorted(set(sequencers))


def test_many_deletions_in_one_request_are_one_event_each(s3, queue):
    for name in "ab":
        s3.put_object(Bucket="catalog", Key=f"guides/{name}.md", Body=b"1")
    queue.records(2)
    s3.delete_objects(
        Bucket="catalog", Delete={"Objects": [{"Key": "guides/a.md"}, {"Key": "guides/b.md"}]}
    )
    assert {r["s3"]["object"]["key"] for r in queue.records(2)} == {"guides/a.md", "guides/b.md"}


def test_a_copy_and_a_multipart_upload_are_one_event_each(s3, queue):
    started = s3.create_multipart_upload(Bucket="catalog", Key="catalog/big")
    upload = {"Bucket": "catalog", "Key": "catalog/big", "UploadId": started["UploadId"]}
    part = s3.upload_part(**upload, PartNumber=1, Body=b"x" * 100)
    s3.complete_multipart_upload(
        **upload, MultipartUpload={"Parts": [{"ETag": part["ETag"], "PartNumber": 1}]}
    )
    s3.copy_object(
        Bucket="catalog", Key="catalog/copy", CopySource={"Bucket": "catalog", "Key": "catalog/big"}
    )
    assert [r["eventName"] for r in queue.records(2)] == [
        "ObjectCreated:CompleteMultipartUpload",
        "ObjectCreated:Copy",
    ]
    assert queue.is_empty()


def test_reports_and_staging_notify_nobody(s3, queue):
    for key in ("reports/a.json", "staging/b", "catalogue.csv"):
        s3.put_object(Bucket="catalog", Key=key, Body=b"1")
    s3.delete_object(Bucket="catalog", Key="catalog/never-was")
    assert queue.is_empty()


def test_objects_survive_the_process_and_their_events_come_again(own_aws_stack):
    s3, queue = own_aws_stack.client("s3"), Queue(own_aws_stack)
    assert queue.bodies(1)[0]["Event"] == "s3:TestEvent"
    odd = "catalog/../" + "é" * 200 + "//."
    s3.put_object(Bucket="catalog", Key=odd, Body=b"\x00\n\xff", ContentType="text/csv")
    s3.put_object(Bucket="catalog", Key="reports/r.json", Body=b"{}")
    s3.put_object(Bucket="catalog", Key="catalog/gone", Body=b"1")
    s3.delete_object(Bucket="catalog", Key="catalog/gone")
    before = {r["s3"]["object"]["key"]: r["s3"]["object"]["sequencer"] for r in queue.records(3)}
    own_aws_stack.kill()
    own_aws_stack.start()
    kept = s3.get_object(Bucket="catalog", Key=odd)
    assert (kept["Body"].read(), kept["ContentType"]) == (b"\x00\n\xff", "text/csv")
    listed = s3.list_objects_v2(Bucket="catalog")["Contents"]
    assert {entry["Key"] for entry in listed} == {odd, "reports/r.json"}
    assert queue.bodies(1)[0]["Event"] == "s3:TestEvent"
    records = queue.records(2)
    assert {r["eventName"] for r in records} == {
        "ObjectCreated:Put",
        "ObjectRemoved:DeleteMarkerCreated",
    }
    for record in records:
        described = record["s3"]["object"]
        assert described["sequencer"] == before[described["key"]] or "gone" in described["key"]
    s3.put_object(Bucket="catalog", Key="catalog/new", Body=b"1")
    (after,) = queue.records(1)
    assert after["s3"]["object"]["sequencer"] > max(before.values())


def test_former_versions_of_files_survive_the_process_with_their_etags(own_aws_stack, tmp_path):
    s3 = own_aws_stack.client("s3")
    key = "catalog/a"
    for body in (b"one", b"two", b"two"):
        s3.put_object(Bucket="catalog", Key=key, Body=body)
    large = tmp_path / "large"
    large.write_bytes(b"x" * 9_000_000)
    CatalogBucket(client=s3, bucket="catalog").upload(large, "catalog/large")
    s3.put_object(Bucket="catalog", Key="catalog/large", Body=b"refused")

    def versions():
        listed = s3.list_object_versions(Bucket="catalog", Prefix="catalog/")["Versions"]
        return {(v["Key"], v["ETag"]) for v in listed}, [
            (v["Key"], v["ETag"]) for v in listed if v["IsLatest"]
        ]

    before = versions()
    modified = s3.head_object(Bucket="catalog", Key=key)["LastModified"]
    time.sleep(1)
    own_aws_stack.kill()
    own_aws_stack.start()
    assert versions() == before
    assert len(before[0]) == 4
    assert s3.head_object(Bucket="catalog", Key=key)["LastModified"] == modified


def test_a_bucket_keeps_the_latest_of_many_former_versions(tmp_path):
    mirror = BucketMirror(tmp_path)
    for number in range(MAX_FORMER + 3):
        written = MirroredObject("catalog", "catalog/a", f"{number:04}", "ObjectCreated:Put")
        mirror.write(written, b"%d" % number, versions=True)
    ((present, _),) = mirror.read()
    kept = [int(body) for _, body in mirror.former(present)]
    assert kept == list(range(2, MAX_FORMER + 2))
    assert [int(body) for _, body in mirror.read()] == [MAX_FORMER + 2]


def test_the_server_ends_when_it_is_told_to(own_aws_stack):
    own_aws_stack.process.terminate()
    assert own_aws_stack.process.wait(10) == 0


def test_an_upload_that_another_one_replaced_unread_is_not_waited_for(s3, tmp_path):
    bucket = CatalogBucket(client=s3, bucket="catalog")
    file = tmp_path / "a.csv"
    file.write_text("first")
    first = bucket.upload(file, "catalog/a.csv")
    file.write_text("second")
    second = bucket.upload(file, "catalog/a.csv")
    report = {"status": "applied", "etag": second.etag}
    key = "reports/catalog/a.csv/20260101T000000.000000Z.json"
    s3.put_object(Bucket="catalog", Key=key, Body=json.dumps(report).encode())
    assert second.wait(5) == report
    with pytest.raises(ReplacedError, match=r"replaced catalog/a\.csv"):
        first.wait(5)


def test_the_report_of_an_earlier_upload_is_not_taken_for_the_own_one(s3, tmp_path):
    bucket = CatalogBucket(client=s3, bucket="catalog")
    file = tmp_path / "a.csv"
    file.write_text("mine")
    pending = bucket.upload(file, "catalog/a.csv")
    for second, etag in enumerate(("another", pending.etag)):
        key = f"reports/catalog/a.csv/20260101T00000{second}.000000Z.json"
        body = json.dumps({"status": "applied", "etag": etag}).encode()
        s3.put_object(Bucket="catalog", Key=key, Body=body)
    report = pending.wait(5)
    assert report
    assert report["etag"] == pending.etag


def test_a_report_is_waited_for_while_the_bucket_does_not_answer(s3, tmp_path, monkeypatch):
    bucket = CatalogBucket(client=s3, bucket="catalog")
    file = tmp_path / "a.csv"
    file.write_text("mine")
    pending = bucket.upload(file, "catalog/a.csv")
    away = boto3.client(
        "s3",
        endpoint_url=f"http://127.0.0.1:{free_port()}",
        region_name="eu-west-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
        config=Config(retries={"total_max_attempts": 1}),
    )
    monkeypatch.setattr(bucket, "client", away)
    assert pending.poll() is None
    monkeypatch.setattr(bucket, "client", s3)
    report = {"status": "applied", "etag": pending.etag}
    key = "reports/catalog/a.csv/20260101T000000.000000Z.json"
    s3.put_object(Bucket="catalog", Key=key, Body=json.dumps(report).encode())
    assert pending.wait(5) == report
