"""The command line against a small shop of its own."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from functions.local.children import ROOT, free_port
from functions.local.cli import COMMANDS, main

REPLY: dict[str, Any] = {
    "answer": "I added [bold]Neroli Dune[/bold].",
    "route": "agent",
    "finish": "answered",
    "products": [
        {"id": "p1", "name": "Neroli Dune", "brand": "Atlas", "price": 690, "currency": "MAD"}
    ],
    "choices": [{"label": "50 ml", "productId": "p1"}],
    "cart": {
        "items": [{"name": "Neroli Dune", "quantity": 1, "unitPrice": 690, "lineTotal": 690}],
        "total": 690,
        "currency": "MAD",
    },
    "usage": {"calls": 2, "costUsd": 0.000559},
    "sessionToken": "token-1",
}


class Shop(BaseHTTPRequestHandler):
    """Answers every message with `REPLY` and notes what came."""

    seen: ClassVar[list[tuple[str, dict[str, Any]]]] = []
    answers: ClassVar[list[tuple[int, dict[str, Any]]]] = []

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.seen.append((self.headers.get("authorization", ""), body))
        status, reply = self.answers.pop(0) if self.answers else (200, REPLY)
        content = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def shop() -> Iterator[str]:
    Shop.seen.clear()
    Shop.answers.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Shop) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def ask(url: str, session: Path, *more: str) -> int:
    return main(["ask", "something fresh", "--base-url", url, "--session", str(session), *more])


def test_ask_shows_the_answer_the_products_and_the_cart_as_they_are(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(shop, tmp_path / "session") == 0
    shown = capsys.readouterr().out
    assert "I added [bold]Neroli Dune[/bold]." in shown
    assert "690 MAD" in shown
    assert "50 ml" in shown
    assert "total, before delivery" in shown
    assert "cost $0.000559" in shown


def test_ask_names_no_cost_where_there_is_none_or_none_is_known(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for cost in (0, None):
        Shop.answers.append((200, {**REPLY, "usage": {"calls": 2, "costUsd": cost}}))
        assert ask(shop, tmp_path / "session") == 0
    assert "cost" not in capsys.readouterr().out


def test_ask_keeps_the_session_between_calls_until_a_new_one_is_wanted(
    shop: str, tmp_path: Path
) -> None:
    session = tmp_path / "deep" / "session.json"
    for more in ([], [], ["--new"]):
        assert ask(shop, session, *more) == 0
    assert [token for token, _ in Shop.seen] == ["", "Bearer token-1", ""]
    assert session.stat().st_mode & 0o077 == 0


def test_a_session_that_the_shop_no_longer_knows_is_replaced(shop: str, tmp_path: Path) -> None:
    session = tmp_path / "session.json"
    assert ask(shop, session) == 0
    Shop.answers.append((401, {"title": "Unauthorized", "status": 401}))
    assert ask(shop, session) == 0
    assert [token for token, _ in Shop.seen] == ["", "Bearer token-1", ""]


def test_ask_in_json_prints_the_reply_for_machines(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(shop, tmp_path / "session", "--json", "--product", "p9") == 0
    assert json.loads(capsys.readouterr().out) == REPLY
    assert Shop.seen[0][1] == {"message": "something fresh", "context": {"productId": "p9"}}


def test_a_problem_of_the_shop_is_told_with_its_code(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = {"title": "Unavailable", "detail": "redis is down", "code": "dependency_down"}
    Shop.answers.append((503, problem))
    assert ask(shop, tmp_path / "session") == 1
    assert "503: redis is down (dependency_down)" in capsys.readouterr().err


def test_when_nobody_answers_it_says_how_to_start_the_stack(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(f"http://127.0.0.1:{free_port()}", tmp_path / "session") == 1
    assert "make run" in capsys.readouterr().err


def test_upload_without_a_stack_or_a_bucket_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATA", str(tmp_path))
    file = tmp_path / "catalog.csv"
    assert main(["upload", str(file)]) == 1
    assert "no such file" in capsys.readouterr().err
    file.write_text("id\n")
    assert main(["upload", str(file)]) == 1
    said = capsys.readouterr().err
    assert "make run" in said
    assert "--bucket" in said


@pytest.mark.parametrize("key", ["inventory.csv", "guides/faq.txt", "catalog/", "elsewhere/a.csv"])
def test_upload_refuses_at_once_what_nothing_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("id\n")
    assert main(["upload", str(file), "--key", key, "--bucket", "nobodys"]) == 1
    assert f"nothing reads {key}" in capsys.readouterr().err


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in COMMANDS)


def test_a_command_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 2


def shopping_agent(*arguments: str | bytes, **variables: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", "from functions.local.cli import main; exit(main())", *arguments],
        cwd=ROOT,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


FEED = "id,name,price\n" + "".join(f"p{n},Brise d'été № {n} 🌊 عطر,10\n" for n in range(5000))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_of_another_encoding_gets_utf8(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "feed.csv").write_text(FEED, encoding="utf-8")
    with shopping_agent(
        "normalize", str(tmp_path / "feed.csv"), PYTHONIOENCODING=encoding, PYTHONUTF8="0"
    ) as command:
        out, err = command.communicate(timeout=60)
    assert (command.returncode, err) == (0, b"")
    assert json.loads(out.splitlines()[7])["name"] == "Brise d'été № 7 🌊 عطر"


def test_a_reader_that_has_enough_ends_the_command_quietly(tmp_path: Path) -> None:
    (tmp_path / "feed.csv").write_text(FEED, encoding="utf-8")
    with shopping_agent("normalize", str(tmp_path / "feed.csv")) as command:
        assert command.stdout
        assert command.stderr
        command.stdout.readline()
        command.stdout.close()
        assert command.stderr.read() == b""
    assert command.returncode == 0


def test_a_message_that_is_not_utf8_is_sent_as_far_as_it_can_be_read(
    shop: str, tmp_path: Path
) -> None:
    session = str(tmp_path / "session")
    with shopping_agent(
        "ask", b"fra\xeeche", "--base-url", shop, "--session", session, PYTHONUTF8="1"
    ) as command:
        _, err = command.communicate(timeout=60)
    assert (command.returncode, err) == (0, b"")
    assert Shop.seen[0][1] == {"message": "fra\ufffdche"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["understand", "x", "--pack", "/nowhere"], "/nowhere is no folder"),
        (["normalize", "README.md", "--currency", "dirham"], "STORE_CURRENCY"),
    ],
)
def test_a_wrong_setting_is_told_in_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_normalize_reads_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with shopping_agent("normalize", str(pipe)) as command:
        pipe.write_text("id,name,price\na,A,1\n")
        out, err = command.communicate(timeout=60)
    assert (command.returncode, err) == (0, b"")
    assert json.loads(out)["id"] == "a"
