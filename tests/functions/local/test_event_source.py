"""Messages of the queue reach the function, and come again until it takes them."""

import json
import threading
import time

import pytest

from functions.local.event_source import EventSource
from functions.local.invocations import Outcome

pytestmark = pytest.mark.slow


class Function:
    """Keeps what it was invoked with and answers as told."""

    def __init__(self):
        self.events = []
        self.fail_bodies = set()
        self.outcome = None

    def __call__(self, name, event):
        assert name == "ingest"
        self.events.append(event)
        failures = [
            {"itemIdentifier": r["messageId"]}
            for r in event["Records"]
            if r["body"] in self.fail_bodies
        ]
        return self.outcome or Outcome(json.dumps({"batchItemFailures": failures}).encode())

    @property
    def bodies(self):
        return [r["body"] for event in self.events for r in event["Records"]]


@pytest.fixture
def function():
    return Function()


@pytest.fixture
def sqs(aws_stack):
    sqs = aws_stack.client("sqs")
    sqs.queue = sqs.get_queue_url(QueueName="catalog-events")["QueueUrl"]
    return sqs


def source_of(aws_stack, function, **options):
    return EventSource(endpoint_url=aws_stack.url, invoke=function, **options)


def left(sqs, name="catalog-events"):
    url = sqs.get_queue_url(QueueName=name)["QueueUrl"]
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    found = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
    return tuple(int(found[name]) for name in names)


def test_a_message_comes_as_lambda_gives_it_and_is_deleted_when_it_is_taken(
    aws_stack, sqs, function
):
    sqs.send_message(QueueUrl=sqs.queue, MessageBody='{"a": 1}')
    assert source_of(aws_stack, function).poll() == 1
    (record,) = function.events[0]["Records"]
    assert record["eventSource"] == "aws:sqs"
    assert record["body"] == '{"a": 1}'
    assert record["messageId"]
    assert record["attributes"]["ApproximateReceiveCount"] == "1"
    assert left(sqs) == (0, 0)


def test_of_a_batch_only_the_failed_messages_stay(aws_stack, sqs, function):
    for body in "abc":
        sqs.send_message(QueueUrl=sqs.queue, MessageBody=body)
    function.fail_bodies = {"b"}
    source = source_of(aws_stack, function, batch_size=10)
    while len(function.bodies) < 3:
        source.poll()
    assert sum(left(sqs)) == 1
    function.fail_bodies = set()
    until = time.monotonic() + 10
    while function.bodies.count("b") < 2 and time.monotonic() < until:
        source.poll()
    assert function.bodies.count("b") == 2
    assert left(sqs) == (0, 0)


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome.failed("ValueError", "bad"),
        Outcome(b'{"batchItemFailures": [{"itemIdentifier": "nobody"}]}'),
        Outcome(b'{"batchItemFailures": [{}]}'),
        Outcome(b"no json"),
    ],
    ids=["function error", "unknown message", "nameless message", "no answer"],
)
def test_an_invocation_that_went_wrong_keeps_its_messages(aws_stack, sqs, function, outcome):
    sqs.send_message(QueueUrl=sqs.queue, MessageBody="x")
    function.outcome = outcome
    source_of(aws_stack, function).poll()
    assert sum(left(sqs)) == 1


def test_a_message_that_fails_too_often_goes_to_the_dead_letters(
    aws_stack, sqs, function, monkeypatch
):
    monkeypatch.setattr("functions.local.event_source.LONGEST_BACK_OFF_SECONDS", 0)
    sqs.send_message(QueueUrl=sqs.queue, MessageBody="poison")
    function.fail_bodies = {"poison"}
    source = source_of(aws_stack, function)
    for _ in range(8):
        source.poll(wait_seconds=0)
    assert len(function.bodies) == 5
    assert left(sqs) == (0, 0)
    assert sum(left(sqs, "catalog-events-dead")) == 1


def test_the_thread_goes_on_after_the_server_was_away(own_aws_stack, function):
    taken = threading.Event()

    def invoke(name, event):
        outcome = function(name, event)
        if "after" in function.bodies:
            taken.set()
        return outcome

    source = source_of(own_aws_stack, invoke)
    source.start()
    try:
        own_aws_stack.kill()
        own_aws_stack.start()
        sqs = own_aws_stack.client("sqs")
        url = sqs.get_queue_url(QueueName="catalog-events")["QueueUrl"]
        sqs.send_message(QueueUrl=url, MessageBody="after")
        assert taken.wait(30)
    finally:
        source.stop()
