"""The audit: a known vulnerability fails, none passes, and nobody to ask is told apart from none."""

import importlib.util
import json
import os
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

ROOT = Path(__file__).parents[2]
VULNERABLE = "httpx"


@pytest.fixture
def audit() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", ROOT / "scripts/audit.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def uv(monkeypatch: pytest.MonkeyPatch) -> str:
    local = ROOT / ".tools/bin/uv"
    found = os.environ.get("UV") or shutil.which("uv") or (str(local) if local.is_file() else "")
    if not found:
        pytest.skip("no uv: set UV or put it on PATH")
    monkeypatch.chdir(ROOT)
    return found


class Osv(BaseHTTPRequestHandler):
    """Answers as osv.dev does; of `VULNERABLE` it knows something when told to."""

    known: ClassVar[bool] = False
    broken: ClassVar[bool] = False

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        results: list[dict[str, Any]] = [
            {"vulns": [{"id": "GHSA-test", "modified": "2026-01-01T00:00:00Z"}]}
            if self.known and query["package"]["name"] == VULNERABLE
            else {}
            for query in asked["queries"]
        ]
        self._say({"results": results})

    def do_GET(self) -> None:
        self._say(
            {
                "id": "GHSA-test",
                "summary": "a planted one",
                "modified": "2026-01-01T00:00:00Z",
                "affected": [
                    {
                        "package": {"name": VULNERABLE, "ecosystem": "PyPI"},
                        "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}],
                    }
                ],
            }
        )

    def _say(self, document: Any) -> None:
        body = b"<html>" if self.broken else json.dumps(document).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def osv(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with ThreadingHTTPServer(("127.0.0.1", 0), Osv) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize("known", [True, False])
def test_a_known_vulnerability_fails_and_is_named(
    audit: ModuleType,
    uv: str,
    osv: str,
    known: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(Osv, "known", known)
    assert audit.main([uv, "--service", osv, "--where-reachable"]) == (1 if known else 0)
    said = capsys.readouterr()
    assert ("GHSA-test" in said.out) == known
    assert "NOT audited" not in said.err


@pytest.mark.parametrize(("arguments", "status"), [([], 2), (["--where-reachable"], 0)])
@pytest.mark.parametrize("broken", [True, False])
def test_nobody_to_ask_is_never_taken_for_no_vulnerability(
    audit: ModuleType,
    uv: str,
    osv: str,
    arguments: list[str],
    status: int,
    broken: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(Osv, "broken", broken)
    service = osv if broken else "http://127.0.0.1:1"
    assert audit.main([uv, "--service", service, *arguments]) == status
    assert "NOT audited" in capsys.readouterr().err
