"""Dead letters go back to their queue: all, once, named by their files; what cannot be read goes back as well."""

import json
from pathlib import Path
from typing import Any

import pytest
from shopping_agent.application.catalog_parts import Part

from functions.local import redrive
from functions.local.cli import main

ROOT = Path(__file__).resolve().parents[3]
EVENT = json.loads((ROOT / "events/s3-catalog-created.json").read_text())


@pytest.fixture
def queues(aws_stack: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(redrive, "WAIT_SECONDS", 0)
    sqs = aws_stack.client("sqs")
    monkeypatch.setenv("AWS_ENDPOINT_URL", aws_stack.url)
    queue, dead = (
        sqs.get_queue_url(QueueName=name)["QueueUrl"]
        for name in ("catalog-events", "catalog-events-dead")
    )
    monkeypatch.setenv("INGEST_QUEUE_URL", queue)
    return redrive.Queues(sqs, queue, dead)


def bodies(queues: Any, url: str) -> list[str]:
    found: list[str] = []
    while messages := queues.client.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get(
        "Messages"
    ):
        found += [message["Body"] for message in messages]
    return sorted(found)


def test_all_dead_letters_go_back_and_are_named_by_their_files(
    queues: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    sent = [json.dumps(EVENT), "not json", "[" * 5000, *(f'{{"n": {n}}}' for n in range(20))]
    for body in sent:
        queues.client.send_message(QueueUrl=queues.dead, MessageBody=body)
    assert main(["redrive"]) == 0
    shown = capsys.readouterr().out
    assert EVENT["Records"][0]["s3"]["object"]["key"] in shown
    assert shown.count("names no file") == 22
    assert "23 messages back in the queue" in shown
    assert bodies(queues, queues.queue) == sorted(sent)
    assert bodies(queues, queues.dead) == []


def test_a_part_of_a_large_file_is_named_by_its_file(
    queues: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    part = Part("catalog", "catalog/large.jsonl", "1", "staging/x/", step=1, number=3)
    queues.client.send_message(QueueUrl=queues.dead, MessageBody=part.message())
    assert main(["redrive", "--json"]) == 0
    [told] = json.loads(capsys.readouterr().out)
    assert told["sources"] == ["catalog/large.jsonl"]


def test_listing_moves_nothing(queues: Any, capsys: pytest.CaptureFixture[str]) -> None:
    queues.client.send_message(QueueUrl=queues.dead, MessageBody="{}")
    assert main(["redrive", "--list"]) == 0
    assert "1 messages in the dead letters" in capsys.readouterr().out
    assert bodies(queues, queues.queue) == []
    found = queues.client.get_queue_attributes(QueueUrl=queues.dead, AttributeNames=["All"])
    there = found["Attributes"]
    assert there["ApproximateNumberOfMessages"] == "1"
    assert main(["redrive"]) == 0
    assert "1 messages back" in capsys.readouterr().out


def test_messages_in_somebodys_hands_are_told(
    queues: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    queues.client.send_message(QueueUrl=queues.dead, MessageBody="{}")
    queues.client.receive_message(QueueUrl=queues.dead, VisibilityTimeout=600)
    assert main(["redrive"]) == 1
    assert "1 more are in somebody's hands" in capsys.readouterr().err


def test_a_message_that_cannot_be_sent_stays_in_the_dead_letters(
    queues: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from botocore.exceptions import EndpointConnectionError

    queues.client.send_message(QueueUrl=queues.dead, MessageBody="{}")

    def refuse(**_: Any) -> None:
        raise EndpointConnectionError(endpoint_url="x")

    monkeypatch.setattr(redrive, "_queues", lambda _: queues)
    monkeypatch.setattr(queues.client, "send_message", refuse)
    monkeypatch.setattr(redrive, "HELD_SECONDS", 0)
    assert main(["redrive"]) == 1
    assert "does not answer" in capsys.readouterr().err
    assert bodies(queues, queues.dead) == ["{}"]


def test_an_empty_dead_letter_queue_is_no_error(
    queues: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["redrive"]) == 0
    assert "0 messages" in capsys.readouterr().out


def test_a_queue_without_dead_letters_is_refused(
    queues: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["redrive", "--queue-url", queues.dead]) == 1
    assert "has no dead-letter queue" in capsys.readouterr().err


@pytest.mark.parametrize("url", ["nowhere", "http://127.0.0.1:1/1/q"])
def test_a_queue_that_is_not_there_is_told(
    queues: Any, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["redrive", "--queue-url", url]) == 1
    assert "the queue" in capsys.readouterr().err


def test_without_a_stack_or_a_queue_it_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("INGEST_QUEUE_URL", raising=False)
    monkeypatch.setenv("DATA", str(tmp_path))
    assert main(["redrive"]) == 1
    assert "--queue-url" in capsys.readouterr().err


def test_names_of_files_cannot_write_on_the_terminal(
    queues: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    event = json.dumps(EVENT).replace("catalog/", "catalog/%1B%5B2J")
    queues.client.send_message(QueueUrl=queues.dead, MessageBody=event)
    assert main(["redrive"]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "u001b" in shown
