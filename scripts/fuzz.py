"""Schemathesis against a stack of its own: `make fuzz`. Ends with 1 when a reply breaks what the document promises.

Checked on every reply: no 5xx, no status, content type, header or body that the document does not have, no schema-violating
request accepted, no undeclared method answered, no protected route open. Left out, with the reason:

- `positive_data_acceptance`: a schema cannot say which cursor or token is ours, that a key was used before, or that
  `If-Match` and `version` agree; 422 is the documented answer to all of these.
- Erasure in the stateful run: it would erase the shopper that the other steps are about.
- Idempotency-Key and limits: keys are made unique (else nearly every call would only say that its key was used before), and
  RATE_LIMITS is off; both have tests of their own.

Usage: python scripts/fuzz.py SCHEMATHESIS [EXAMPLES]
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 240
CHECKS = ",".join(
    (
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
        "negative_data_rejection",
        "unsupported_method",
        "ignored_auth",
    )
)
ERASURE = "/api/v1/sessions/current"
SEED = "20261130"


def start(data: Path) -> "tuple[subprocess.Popen[bytes], str]":
    """A stack with limits off, on a free port; its process and address."""
    command = [sys.executable, "-m", "functions.local", "--port", "0", "--with-parent"]
    command += ["--data", str(data), "--catalog", str(ROOT / "demo")]
    variables = {
        "RATE_LIMITS": "off",
        "CHECKOUT_URL": "https://shop.example/checkout",
        "CHECKOUT_WEBHOOK_SECRET": "only-for-fuzzing",
    }
    with (data / "make-run.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **variables}, stdout=log, stderr=log
        )
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            facts = json.loads((data / "stack.json").read_text())
            if facts.get("ready"):
                return process, facts["url"]
        except (OSError, ValueError):
            pass
        time.sleep(0.2)
    process.kill()
    sys.exit((data / "make-run.log").read_text())


def bearer(url: str) -> str:
    request = urllib.request.Request(f"{url}/api/v1/sessions", method="POST")
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["token"]


def run(schemathesis: str, url: str, phases: str, examples: int, *more: str) -> int:
    command = [schemathesis, "run", f"{url}/openapi.json", "--phases", phases]
    command += ["--checks", CHECKS, "--max-examples", str(examples), "--seed", SEED]
    command += ["--header", f"Authorization: Bearer {bearer(url)}", "--continue-on-failure"]
    command += ["--suppress-health-check", "all", "--generation-database", "none"]
    command += ["--request-timeout", "35", "--workers", "2", "--warnings", "off", *more]
    environment = {**os.environ, "SCHEMATHESIS_HOOKS": str(ROOT / "scripts" / "fuzz_hooks.py")}
    return subprocess.run(
        command, cwd=tempfile.gettempdir(), env=environment, check=False
    ).returncode


def main() -> int:
    schemathesis = str(Path(sys.argv[1]).absolute())
    examples = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    with tempfile.TemporaryDirectory() as folder:
        process, url = start(Path(folder))
        try:
            failed = run(schemathesis, url, "examples,coverage,fuzzing", examples)
            failed |= run(schemathesis, url, "stateful", examples, "--exclude-path", ERASURE)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)
    return failed


if __name__ == "__main__":
    sys.exit(main())
