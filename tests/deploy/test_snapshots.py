"""SnapStart as AWS's own runtime client carries it out: hooks before the snapshot and after the restore, then requests."""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SECONDS = 60
# What the process holds when the first request comes in, and which modules that request loads.
PROBE = """
import json, random, sys
random.seed(7)
import app
from shopping_agent import bootstrap

def handler(event, context):
    drawn, before = random.random(), set(sys.modules)
    kept = [n for n, f in vars(bootstrap).items() if hasattr(f, "cache_info") and f.cache_info().currsize]
    reply = app.lambda_handler(event, context)
    late = [n for n in sorted(set(sys.modules) - before) if n.partition(".")[0] == "shopping_agent"]
    sdks = [n for n in ("groq", "google.genai") if n in before]
    return {"drawn": drawn, "kept": kept, "late": late, "sdks": sdks, "status": reply["statusCode"]}
"""
SEVENTH = 0.32383276483316237
"""What `random.seed(7)` has drawn next in every Python."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A child that was killed hangs up."""


class RuntimeApi:
    """As much of Lambda's Runtime API as one environment needs: it notes what was asked, in order."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answers: queue.Queue[Any] = queue.Queue()
        self.event: dict[str, Any] = {}
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

            def do_GET(self) -> None:
                api.asked.append(self.path.removeprefix("/2018-06-01/runtime/"))
                if api.asked.count("invocation/next") > 1:
                    threading.Event().wait(SECONDS)
                self.reply(200, json.dumps(api.event).encode())

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"] or 0))
                api.asked.append(self.path.removeprefix("/2018-06-01/runtime/"))
                api.answers.put(json.loads(body))
                self.reply(202, b"{}")

            def reply(self, status: int, body: bytes) -> None:
                head = (
                    f"HTTP/1.1 {status} OK\r\nContent-Type: application/json\r\n"
                    f"Content-Length: {len(body)}\r\nLambda-Runtime-Aws-Request-Id: one\r\n"
                    f"Lambda-Runtime-Deadline-Ms: {int((time.time() + SECONDS) * 1000)}\r\n"
                    "Lambda-Runtime-Invoked-Function-Arn: arn:aws:lambda:eu-west-3:0:function:f\r\n\r\n"
                )
                self.wfile.write(head.encode() + body)

        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        self.address = f"127.0.0.1:{self.server.server_address[1]}"


@contextmanager
def runtime_api() -> Generator[RuntimeApi]:
    api = RuntimeApi()
    try:
        yield api
    finally:
        api.server.shutdown()
        api.server.socket.close()


def http_event(method: str, path: str, body: Any = None) -> dict[str, Any]:
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"host": "shop.example", "content-type": "application/json"},
        "requestContext": {
            "http": {
                "method": method,
                "path": path,
                "sourceIp": "192.0.2.1",
                "protocol": "HTTP/1.1",
            },
            "stage": "$default",
            "requestId": "r",
        },
        "body": None if body is None else json.dumps(body),
        "isBase64Encoded": False,
    }


CHAT = ("chat", http_event("POST", "/api/v1/ai/cart", {"message": "Something fresh, please"}))
CART = ("store", http_event("GET", "/api/v1/cart"))


def restored(
    tmp_path: Path, function: str, event: dict[str, Any], **variables: str
) -> tuple[dict[str, Any], list[str]]:
    """The probe's answer of an environment that was photographed before its first request, and what it asked Lambda."""
    (tmp_path / "probe.py").write_text(PROBE)
    with runtime_api() as api:
        api.event = event
        environment = {
            **{name: value for name, value in os.environ.items() if name in ("PATH", "LANG")},
            "AWS_LAMBDA_RUNTIME_API": api.address,
            "AWS_LAMBDA_INITIALIZATION_TYPE": "snap-start",
            "AWS_EXECUTION_ENV": "AWS_Lambda_python3.13",
            "POWERTOOLS_METRICS_DISABLED": "true",
            "PYTHONPATH": os.pathsep.join(
                map(str, (ROOT / "functions" / function, ROOT / "layers/shared"))
            ),
            # Nobody listens there: a snapshot is made without any answer.
            "UPSTASH_REDIS_REST_URL": "http://127.0.0.1:9",
            "QDRANT_URL": "http://127.0.0.1:9",
            "EMBEDDING_PROVIDER": "none",
            **variables,
        }
        child = subprocess.Popen(
            [sys.executable, "-m", "awslambdaric", "probe.handler"],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            return api.answers.get(timeout=SECONDS), api.asked
        finally:
            child.kill()
            child.wait()


@pytest.mark.parametrize(("function", "event"), [CHAT, CART], ids=["chat", "store"])
def test_a_restored_function_answers_with_randomness_and_settings_of_its_own(
    tmp_path: Path, function: str, event: dict[str, Any]
) -> None:
    answer, asked = restored(tmp_path, function, event, SESSION_SECRET="s" * 40)
    assert asked[:2] == ["restore/next", "invocation/next"], answer
    assert answer["status"] == 503
    assert answer["drawn"] != SEVENTH
    assert answer["kept"] == []
    assert answer["late"] == []


@pytest.mark.parametrize(("provider", "sdk"), [("groq", "groq"), ("gemini", "google.genai")])
def test_the_sdk_of_a_provider_whose_key_is_in_the_secret_is_in_the_snapshot(
    tmp_path: Path, provider: str, sdk: str
) -> None:
    in_the_cloud = {"LLM_PROVIDER": provider, "SECRETS_ID": "shop", "SESSION_SECRET": ""}
    answer, asked = restored(tmp_path, *CHAT, **in_the_cloud)
    assert asked[:2] == ["restore/next", "invocation/next"], answer
    assert answer["sdks"] == [sdk]
    assert answer["kept"] == []
    # The secret is asked for, and no stand-in signs anything.
    assert answer["late"] == ["shopping_agent.adapters.secrets"]
    assert answer["status"] == 503


def test_a_snapshot_that_cannot_be_prepared_whole_is_taken_all_the_same(tmp_path: Path) -> None:
    broken = {"STORE_PACK": str(tmp_path / "nothing"), "SESSION_SECRET": "s" * 40}
    answer, asked = restored(tmp_path, *CHAT, **broken)
    assert asked[:2] == ["restore/next", "invocation/next"], answer
