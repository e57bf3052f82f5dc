"""`shopping-agent understand` on one message and on a file of messages."""

import json

import pytest

from functions.local import understand
from functions.local.cli import main


def _file(tmp_path, lines):
    path = tmp_path / "messages.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def test_each_line_is_answered_with_its_id_language_intent_route_and_query(tmp_path, capsys):
    context = [{"id": "1", "name": "Dune Claire", "price": 420}, {"id": "2", "name": "Oued Noir", "price": 99.5}]  # fmt: skip
    lines = [
        {"id": "a", "text": "add the second one", "context": context},
        {"id": 7, "text": "Opus No 5 à moins de 500 dh", "catalog": ["Opus No 5", "Opus No 9"]},
        {"id": "c", "text": "the cheapest of these, add it", "context": context},
    ]
    status = main(["understand", "--jsonl", _file(tmp_path, map(json.dumps, lines))])
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert status == 0
    assert answers[0] == {
        "id": "a",
        "language": "en",
        "intent": "cart",
        "route": "agent",
        "query": {"quantity": 1, "ordinal": 2, "action": "add"},
    }
    assert answers[1]["id"] == 7
    assert answers[1]["query"]["productName"] == "Opus No 5"
    assert answers[1]["query"]["maxPrice"] == 500
    assert answers[2]["query"]["productName"] == "Oued Noir"


@pytest.mark.parametrize(
    "bad",
    ["not json", "[" * 100_000, "[1]", '{"id":"x"}', '{"text":5}', '{"text":"a","context":[3]}', '{"text":"a","context":[{"name":"b"}]}', '{"text":"a","catalog":"b"}'],
)  # fmt: skip
def test_a_bad_line_is_told_by_its_number_and_the_others_go_on(tmp_path, capsys, bad):
    path = _file(tmp_path, ['{"id":"a","text":"hello"}', "", bad, '{"id":"z","text":"bye"}'])
    status = main(["understand", "--jsonl", path])
    printed = capsys.readouterr()
    assert status == 1
    assert [json.loads(line)["id"] for line in printed.out.splitlines()] == ["a", "z"]
    told = json.loads(printed.err)
    assert told["line"] == 3
    assert told["error"]


def test_a_file_that_is_not_there_is_told_in_one_line(capsys):
    assert main(["understand", "--jsonl", "/nowhere/at/all.jsonl"]) == 1
    assert "cannot read" in capsys.readouterr().err


def test_one_message_is_printed_for_people_and_as_json(capsys):
    assert main(["understand", "a rose perfume under 300 dh"]) == 0
    printed = capsys.readouterr().out
    assert "rose" in printed
    assert "300 MAD" in printed
    assert main(["understand", "--json", "a rose perfume under 300 dh"]) == 0
    assert json.loads(capsys.readouterr().out)["query"]["maxPrice"] == 300


def test_text_and_file_exclude_each_other(capsys):
    with pytest.raises(SystemExit):
        main(["understand", "hello", "--jsonl", "x"])
    assert understand.__doc__
