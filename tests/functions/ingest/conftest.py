"""The ingest function as it is deployed, over S3, Redis and Qdrant stand-ins with a keyspace of its own."""

import json
import time
from collections.abc import Generator
from pathlib import Path
from uuid import uuid4

import pytest
from shopping_agent import bootstrap
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.sparse import query_vector
from shopping_agent.ports import IndexFilter

from functions.ingest import app
from functions.local.qdrant_server import build_app
from functions.local.qdrant_standin import QdrantStandIn
from functions.local.serving import serving

EVENTS = Path(__file__).resolve().parents[3] / "events"


def sqs_record(body, message_id="m1", receives=1):
    """A message as Lambda gives it."""
    return {
        "messageId": message_id,
        "eventSource": "aws:sqs",
        "body": body if isinstance(body, str) else json.dumps(body),
        "attributes": {"ApproximateReceiveCount": str(receives)},
    }


class LambdaContext:
    """What the handler uses of Lambda's context."""

    def __init__(self, seconds: float = 60) -> None:
        self._until = time.time() + seconds

    def get_remaining_time_in_millis(self) -> int:
        return max(0, int((self._until - time.time()) * 1000))


class Function:
    """The handler, and what the shop sees after it."""

    def __init__(self, aws_stack, settings) -> None:
        self.aws = aws_stack
        self._s3 = aws_stack.client("s3")
        self._settings = settings

    def invoke(self, event, seconds=60.0):
        return app.lambda_handler(event, LambdaContext(seconds))

    def put(self, key, body, **rest):
        data = body if isinstance(body, bytes) else body.encode()
        return self._s3.put_object(Bucket="catalog", Key=key, Body=data, **rest)

    @property
    def queue(self):
        return f"{self.aws.url}/123456789012/catalog-events"

    def receive(self):
        """Take what waits in the queue; an SQS record of each message, as Lambda gives it."""
        sqs, records = self.aws.client("sqs"), []
        while True:
            reply = sqs.receive_message(
                QueueUrl=self.queue,
                MaxNumberOfMessages=10,
                WaitTimeSeconds=0,
                MessageSystemAttributeNames=["All"],
            )
            for message in reply.get("Messages", []):
                sqs.delete_message(QueueUrl=self.queue, ReceiptHandle=message["ReceiptHandle"])
                records.append(sqs_record(message["Body"], message["MessageId"]))
            if not reply.get("Messages"):
                return records

    def work_off(self):
        """Invoke with every message that waits until none does; ids of those that failed."""
        failed = []
        while records := self.receive():
            for record in records:
                answer = self.invoke({"Records": [record]})
                failed += [item["itemIdentifier"] for item in answer["batchItemFailures"]]
        return failed

    def keys(self, prefix):
        listed = self._s3.list_objects_v2(Bucket="catalog", Prefix=prefix)
        return [item["Key"] for item in listed.get("Contents", [])]

    def put_samples(self):
        self.put("catalog/sample-catalog.jsonl", (EVENTS / "sample-catalog.jsonl").read_bytes())
        self.put("inventory/sample-inventory.csv", (EVENTS / "sample-inventory.csv").read_bytes())
        self.put("guides/sample-guide.en.md", (EVENTS / "sample-guide.en.md").read_bytes())

    def delete(self, key):
        self._s3.delete_object(Bucket="catalog", Key=key)

    def live(self, *ids):
        return bootstrap.live_catalog(self._settings).get(ids, Deadline.after(10))

    def indexed(self, *ids):
        return bootstrap.product_index(self._settings).products(ids, Deadline.after(10))

    def guides(self):
        return bootstrap.product_index(self._settings).search(
            dense=None,
            sparse=query_vector("gift wrapping card"),
            where=IndexFilter(kinds=("guide",)),
            limit=10,
            deadline=Deadline.after(10),
        )

    def reports(self, source):
        keys = sorted(self.keys(f"reports/{source}/"))
        return [json.load(self._s3.get_object(Bucket="catalog", Key=key)["Body"]) for key in keys]


@pytest.fixture
def qdrant_url() -> Generator[str]:
    stand_in = QdrantStandIn(api_key="")
    with serving(build_app(stand_in)) as url:
        yield url
    stand_in.close()


@pytest.fixture
def function(aws_stack, redis_stack, qdrant_url, monkeypatch) -> Generator[Function]:
    variables = {
        "AWS_ENDPOINT_URL": aws_stack.url,
        "UPSTASH_REDIS_REST_URL": redis_stack.url,
        "UPSTASH_REDIS_REST_TOKEN": redis_stack.token,
        "REDIS_PREFIX": f"t{uuid4().hex[:12]}",
        "QDRANT_URL": qdrant_url,
        "EMBEDDING_PROVIDER": "none",
        "INGEST_QUEUE_URL": f"{aws_stack.url}/123456789012/catalog-events",
        "INGEST_PART_SIZE": "40",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    bootstrap.settings.cache_clear()
    yield Function(aws_stack, bootstrap.settings())
    bootstrap.settings.cache_clear()


@pytest.fixture
def record():
    """Makes an SQS record: `record(body, message_id, receives)`."""
    return sqs_record


@pytest.fixture
def read_event():
    """The event of a file in `events/`."""

    def read(name):
        return json.loads((EVENTS / name).read_text(encoding="utf-8"))

    return read
