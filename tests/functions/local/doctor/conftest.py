"""Dependencies that answer as a test says: down, slow or lying; and the doctor, asked of settings of its own."""

import json
import threading
import time
from collections.abc import Generator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from shopping_agent.settings import Settings

from functions.local.cli import main
from functions.local.qdrant_server import build_app
from functions.local.qdrant_standin import QdrantStandIn
from functions.local.serving import serving
from tests.functions.local.doctor.said import Doctor, Liar, Report, Said


@pytest.fixture
def liar() -> Iterator[Liar]:
    told = Liar()
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            told.seen.append((f"{self.command} {self.path}", headers))
            said = told.answers.get(f"{self.command} {self.path}", Said(status=404))
            over.wait(said.seconds)
            body = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
            self.send_response_only(said.status)
            for name, value in {"content-length": str(len(body)), **said.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_OPTIONS = answer

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, request: Any, client_address: Any) -> None:
            """The doctor may have gone away."""

    server = Server(("127.0.0.1", 0), Handler)
    told.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield told
    over.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    for name in ("AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("DATA", str(tmp_path / "data"))


@pytest.fixture
def doctor(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Doctor:
    """`doctor("--base-url", url, EMBEDDING_PROVIDER="none")`: arguments, and settings of a file."""

    def ask(*arguments: str, timeout: float = 5, **settings: str) -> Report:
        file = tmp_path / "settings.json"
        file.write_text(json.dumps(settings))
        given = ["--settings", str(file)] if settings else []
        capsys.readouterr()
        began = time.monotonic()
        status = main(["doctor", "--json", "--timeout", str(timeout), *given, *arguments])
        shown = capsys.readouterr()
        document = json.loads(shown.out)
        assert (document["status"] == "fail") == (status == 1)
        return Report(status, document["findings"], shown.out + shown.err, time.monotonic() - began)

    return ask


@pytest.fixture
def qdrant() -> Generator[tuple[str, QdrantStandIn]]:
    stand_in = QdrantStandIn()
    with serving(build_app(stand_in)) as url:
        yield url, stand_in
    stand_in.close()
