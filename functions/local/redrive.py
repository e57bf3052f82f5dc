"""`shopping-agent redrive`: messages of the dead-letter queue go back to the queue of ingestion, once what stopped them is mended.

A message is sent to the queue before it is deleted from the dead letters: interrupted, it is in both, which changes
nothing (the ingestion knows what it has applied). Ends with 0 when none is left, with 1 when it could not go on.
"""

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from shopping_agent.adapters.catalog.s3_events import object_events
from shopping_agent.application.catalog_parts import Part
from shopping_agent.errors import ShoppingAgentError

from functions.local.ask import data_folder
from functions.local.cli import CommandError, shown
from functions.local.data_folder import DataFolder, StackError

REGION = "eu-west-1"
AT_ONCE = 10
MOST_MESSAGES = 10_000
HELD_SECONDS = 120
SEEN_SECONDS = 20
"""How long a message that was only listed is out of sight."""
WAIT_SECONDS = 1
EMPTY_ANSWERS = 2
"""In a row: a queue of several servers may say that it is empty while it is not."""


@dataclass(frozen=True, slots=True)
class Queues:
    """The queue and its dead letters."""

    client: Any
    queue: str
    dead: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--queue-url",
        help="the ingestion's queue (default: INGEST_QUEUE_URL, else the local stack's)",
    )
    parser.add_argument("--list", action="store_true", help="only say what is there")
    parser.add_argument("--json", action="store_true", help="print the messages as JSON")


def run(options: argparse.Namespace) -> int:
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        queues = _queues(options.queue_url or os.environ.get("INGEST_QUEUE_URL", ""))
        with closing(queues.client):
            found = [_told(message) for message in _moved(queues, only_list=options.list)]
            held = 0 if options.list else _held(queues)
    except ClientError as error:
        code = error.response.get("Error", {}).get("Code", "unknown")
        raise CommandError(f"the queue answers {code}") from error
    except (BotoCoreError, OSError) as error:
        raise CommandError(f"the queue does not answer: {type(error).__name__}") from error
    if options.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        _show(found, "in the dead letters" if options.list else "back in the queue")
    if held:
        raise CommandError(
            f"{held} more are in somebody's hands (another redrive, or the console): again in {HELD_SECONDS} s"
        )
    return 0


def _show(found: Sequence[Mapping[str, Any]], what: str) -> None:
    for message in found:
        print(f"{message['messageId']}  {shown(', '.join(message['sources'])) or 'names no file'}")
    print(f"{len(found)} messages {what}")


def _held(queues: Queues) -> int:
    """Dead letters that somebody has received and not deleted."""
    name = "ApproximateNumberOfMessagesNotVisible"
    found = queues.client.get_queue_attributes(QueueUrl=queues.dead, AttributeNames=[name])
    return int(found["Attributes"].get(name, 0))


def _queues(url: str) -> Queues:
    """The queue of an address, or the local stack's, with its dead letters.

    Raises:
        CommandError: neither is known, or it has none.
    """
    import boto3
    from botocore.config import Config

    options: dict[str, Any] = {
        "config": Config(connect_timeout=5, read_timeout=25, retries={"total_max_attempts": 2})
    }
    if not url:
        url, endpoint = _local()
        options |= {"endpoint_url": endpoint, "region_name": REGION}
        options |= {"aws_access_key_id": "local", "aws_secret_access_key": "local"}
    elif endpoint := os.environ.get("AWS_ENDPOINT_URL"):
        options["endpoint_url"] = endpoint
    session: Any = boto3.Session()
    client = session.client("sqs", **options)
    found = client.get_queue_attributes(QueueUrl=url, AttributeNames=["RedrivePolicy"])
    policy: Any = json.loads(found.get("Attributes", {}).get("RedrivePolicy") or "{}")
    arn = str(policy.get("deadLetterTargetArn", ""))
    if not arn:
        raise CommandError(
            f"{url} has no dead-letter queue: name the ingestion's own (--queue-url)"
        )
    dead: str = client.get_queue_url(QueueName=arn.rpartition(":")[2])["QueueUrl"]
    return Queues(client, url, dead)


def _local() -> tuple[str, str]:
    data = DataFolder(data_folder())
    try:
        endpoint = str(data.running_stack()["endpoints"]["aws"])
    except (StackError, KeyError) as error:
        raise CommandError(f"{error}, or name a queue of your account: --queue-url URL") from error
    return data.function_variable("INGEST_QUEUE_URL"), endpoint


def _moved(queues: Queues, *, only_list: bool) -> Iterator[Mapping[str, Any]]:
    """The messages, each once; moved when they are told, else given back at the end."""
    seen = dict[str, str]()
    empty = 0
    while empty < EMPTY_ANSWERS and len(seen) < MOST_MESSAGES:
        messages: list[Mapping[str, Any]] = queues.client.receive_message(
            QueueUrl=queues.dead,
            MaxNumberOfMessages=AT_ONCE,
            VisibilityTimeout=SEEN_SECONDS if only_list else HELD_SECONDS,
            WaitTimeSeconds=WAIT_SECONDS,
        ).get("Messages", [])
        fresh = [m for m in messages if m["MessageId"] not in seen]
        empty = 0 if fresh else empty + 1
        for message in fresh:
            seen[message["MessageId"]] = message["ReceiptHandle"]
            if not only_list:
                queues.client.send_message(QueueUrl=queues.queue, MessageBody=message["Body"])
                queues.client.delete_message(
                    QueueUrl=queues.dead, ReceiptHandle=message["ReceiptHandle"]
                )
            yield message
    for receipt in seen.values() if only_list else ():
        queues.client.change_message_visibility(
            QueueUrl=queues.dead, ReceiptHandle=receipt, VisibilityTimeout=0
        )


def _told(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message by its id and the files that it is about, as far as it can be read."""
    try:
        body = json.loads(message["Body"])
        part = Part.of(body)
        sources = [part.source] if part else [event.key for event in object_events(body)]
    except (ShoppingAgentError, ValueError, RecursionError):
        sources = []
    return {"messageId": message["MessageId"], "sources": sources}
