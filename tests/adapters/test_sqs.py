"""The queue as the ingest function fills it."""

import pytest
from shopping_agent.adapters.sqs import SqsQueue
from shopping_agent.domain.deadline import Deadline
from shopping_agent.errors import DeadlineExceededError, QueueUnavailableError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("aws_credentials")]


@pytest.fixture
def url(aws_stack):
    return f"{aws_stack.url}/123456789012/catalog-events"


def test_any_number_of_messages_arrive_each_once(aws_stack, url):
    bodies = [f'{{"n": {number}}}' for number in range(25)]
    SqsQueue(url=url, endpoint_url=aws_stack.url).send(bodies, Deadline.after(20))
    sqs, found = aws_stack.client("sqs"), []
    while messages := sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        found += [message["Body"] for message in messages]
    assert sorted(found) == sorted(bodies)


def test_a_delayed_message_waits(aws_stack, url):
    queue = SqsQueue(url=url, endpoint_url=aws_stack.url)
    queue.send(["later"], Deadline.after(20), delay_seconds=60)
    assert "Messages" not in aws_stack.client("sqs").receive_message(QueueUrl=url)


def test_nothing_is_sent_when_the_time_is_over(aws_stack, url):
    with pytest.raises(DeadlineExceededError):
        SqsQueue(url=url, endpoint_url=aws_stack.url).send(["x"], Deadline.after(-1))


def test_a_queue_that_is_missing_or_down_is_a_dependency_that_failed(aws_stack, url):
    missing = SqsQueue(url=url + "-none", endpoint_url=aws_stack.url)
    with pytest.raises(QueueUnavailableError):
        missing.send(["x"], Deadline.after(20))
    down = SqsQueue(url="http://127.0.0.1:9/q", endpoint_url="http://127.0.0.1:9")
    with pytest.raises(QueueUnavailableError):
        down.send(["x"], Deadline.after(20))
