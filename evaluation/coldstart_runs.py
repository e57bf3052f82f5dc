"""Fresh processes of built functions, each answering one event: AWS's runtime client against a Runtime API of one event."""

import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

PROCESS: Final = Path(__file__).with_name("coldstart_process.py")
SECONDS: Final = 60.0
FUNCTION_SECONDS: Final = 29


class RunFailedError(Exception):
    """A process ended without an answer, or with a bad one; the message says what it printed."""


@dataclass(frozen=True)
class Case:
    """One row.

    Attributes:
        paths: after the function's folder, in Lambda's order.
        event: None of the baseline, which handles none.
    """

    name: str
    folder: Path
    paths: Sequence[Path]
    variables: Mapping[str, str]
    event: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Start:
    """What one process used, in processor milliseconds; at the end, memory and modules.

    Attributes:
        begun: until our part began: the interpreter, and AWS's runtime client where there is one.
    """

    begun: float
    init: float
    first: float
    megabytes: float
    modules: int

    @property
    def cpu(self) -> float:
        return self.init + self.first


class _RuntimeApi:
    """Lambda's Runtime API with one event to give: `next` hands it out, whatever is posted is the answer."""

    def __init__(self, event: Mapping[str, Any] | None) -> None:
        self.answer: Any = None
        self.error: str = ""
        self._event = json.dumps(event).encode()

    @contextmanager
    def serving(self) -> Generator[str]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

            def do_GET(self) -> None:
                headers = {
                    "Lambda-Runtime-Aws-Request-Id": "cold",
                    "Lambda-Runtime-Deadline-Ms": str(int((time.time() + FUNCTION_SECONDS) * 1000)),
                    "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:eu-west-3:0:function:cold",
                    "Content-Type": "application/json",
                }
                self._send(200, api._event, headers)

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                if self.path.endswith("/response"):
                    api.answer = json.loads(body)
                else:
                    api.error = body.decode(errors="replace")
                self._send(202, b"", {})

            def _send(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

        return Handler


def start(python: Path, case: Case) -> tuple[Start, Any]:
    """One fresh process of a case, to its first answer.

    Raises:
        RunFailedError: there was none.
    """
    api = _RuntimeApi(case.event)
    with tempfile.TemporaryDirectory() as folder, api.serving() as address:
        told = Path(folder, "told.json")
        handler = "app.lambda_handler" if case.event is not None else ""
        variables = {
            "PATH": os.defpath,
            "TZ": ":UTC",
            "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
            **case.variables,
            "AWS_LAMBDA_RUNTIME_API": address,
            "AWS_LAMBDA_FUNCTION_NAME": case.name,
            "_HANDLER": handler,
        }
        command = [str(python), "-I", "-S", str(PROCESS), str(told), *map(str, case.paths)]
        ran = subprocess.run(
            command,
            cwd=case.folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
        )
        if not told.exists() or api.error:
            printed = (ran.stdout + ran.stderr).decode(errors="replace")[-2000:]
            raise RunFailedError(f"{case.name}: {api.error or 'no answer'}\n{printed}")
        return _start_of(json.loads(told.read_text())), api.answer


def _start_of(moments: Sequence[Mapping[str, float]]) -> Start:
    cpu = [moment["cpu"] * 1000 for moment in moments]
    last = moments[-1]
    first = cpu[2] - cpu[1] if len(cpu) > 2 else 0.0
    return Start(cpu[0], cpu[1] - cpu[0], first, last["megabytes"], int(last["modules"]))
