"""Lambda's event source mapping on one machine: takes messages from the queue and invokes the function with them."""

import json
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from functions.local.invocations import Outcome

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

QUEUE = "catalog-events"
REGION = "eu-west-1"
POLL_SECONDS = 1
CONNECT_SECONDS = 2
PAUSE_SECONDS = 0.5
LONGEST_BACK_OFF_SECONDS = 30

Invoke = Callable[[str, Any], Outcome]


class EventSource:
    """Delivers the queue's messages to a function until stopped, in one thread, in order.

    A message that failed is delivered again after a while that doubles (AWS waits for the visibility time-out); after
    the queue's number of receives it goes to the dead letters.

    Args:
        endpoint_url: of the stand-in for SQS.
        invoke: runs a function with an event, such as `LambdaService.invoke`.
    """

    def __init__(
        self,
        *,
        endpoint_url: str,
        invoke: Invoke,
        function: str = "ingest",
        queue: str = QUEUE,
        batch_size: int = 1,
    ) -> None:
        self._endpoint_url = endpoint_url
        self._invoke = invoke
        self._function = function
        self._queue = queue
        self._batch_size = batch_size
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="event-source", daemon=True)
        self._known: tuple[SQSClient, str] | None = None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End after the batch at work."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def poll(self, wait_seconds: int = POLL_SECONDS) -> int:
        """Take and deliver one batch; how many messages it had."""
        client, url = self._connect()
        reply = client.receive_message(
            QueueUrl=url,
            MaxNumberOfMessages=self._batch_size,
            WaitTimeSeconds=wait_seconds,
            MessageSystemAttributeNames=["All"],
            MessageAttributeNames=["All"],
        )
        messages = reply.get("Messages", [])
        if messages:
            records = [_record(message, self._queue) for message in messages]
            failed = _failed(self._invoke(self._function, {"Records": records}), records)
            for record in records:
                self._settle(client, url, record, failed=record["messageId"] in failed)
        return len(messages)

    def _run(self) -> None:
        from botocore.exceptions import BotoCoreError, ClientError

        while not self._stopping.is_set():
            try:
                self.poll()
            except (BotoCoreError, ClientError, OSError) as error:
                # The server is starting or starting again; messages stay where they are.
                print(f"event source: {type(error).__name__}; trying again", file=sys.stderr)
                self._known = None
                self._stopping.wait(PAUSE_SECONDS)

    def _settle(self, client: "SQSClient", url: str, record: Any, *, failed: bool) -> None:
        handle = record["receiptHandle"]
        if not failed:
            client.delete_message(QueueUrl=url, ReceiptHandle=handle)
            return
        receives = int(record["attributes"].get("ApproximateReceiveCount", "1"))
        client.change_message_visibility(
            QueueUrl=url,
            ReceiptHandle=handle,
            VisibilityTimeout=min(2 ** min(receives, 10), LONGEST_BACK_OFF_SECONDS),
        )

    def _connect(self) -> "tuple[SQSClient, str]":
        if self._known is None:
            import boto3
            from botocore.config import Config

            client = boto3.client(
                "sqs",
                endpoint_url=self._endpoint_url,
                region_name=REGION,
                aws_access_key_id="local",
                aws_secret_access_key="local",
                config=Config(
                    connect_timeout=CONNECT_SECONDS,
                    read_timeout=POLL_SECONDS + 20,
                    retries={"total_max_attempts": 1},
                ),
            )
            self._known = client, client.get_queue_url(QueueName=self._queue)["QueueUrl"]
        return self._known


def _record(message: Mapping[str, Any], queue: str) -> dict[str, Any]:
    """A message as Lambda gives it to a function."""
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message.get("Attributes", {}),
        "messageAttributes": message.get("MessageAttributes", {}),
        "md5OfBody": message["MD5OfBody"],
        "eventSource": "aws:sqs",
        "eventSourceARN": f"arn:aws:sqs:{REGION}:123456789012:{queue}",
        "awsRegion": REGION,
    }


def _failed(outcome: Outcome, records: Sequence[Mapping[str, Any]]) -> set[str]:
    """The messages to deliver again: those that the function names, or all when it failed or names one unknown."""
    every = {record["messageId"] for record in records}
    if outcome.error:
        return every
    try:
        reply = json.loads(outcome.payload or b"null") or {}
        named = {str(item["itemIdentifier"]) for item in reply.get("batchItemFailures") or ()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return every
    return named if named <= every else every
