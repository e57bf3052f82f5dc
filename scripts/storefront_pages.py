"""A browser at the local stack, for what is measured and pictured of the storefront: Debian's Chromium and a running shop."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

ROOT: Final = Path(__file__).parent.parent
START_SECONDS: Final = 300.0


@contextlib.contextmanager
def shop() -> Generator[str]:
    """Address of the shop: SHOP_URL's, else that of a stack with the demo store, started for this."""
    if url := os.environ.get("SHOP_URL"):
        yield url.rstrip("/")
        return
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "functions.local", "--port", "0", "--with-parent"]
        command += ["--data", data, "--catalog", str(ROOT / "demo")]
        with Path(data, "run.log").open("wb") as log:
            process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        try:
            yield _ready(process, Path(data))
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def _ready(process: "subprocess.Popen[bytes]", data: Path) -> str:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError, ValueError):
            facts = json.loads((data / "stack.json").read_text())
            if facts.get("ready"):
                return facts["url"]
        time.sleep(0.2)
    raise SystemExit(f"the stack does not start:\n{(data / 'run.log').read_text()}")


@contextlib.contextmanager
def chromium() -> Generator[Browser]:
    names = ("chromium", "chromium-browser", "google-chrome")
    executable = next((path for path in map(shutil.which, names) if path), None)
    if executable is None:
        raise SystemExit("no Chromium: scripts/install-browser brings it")
    with sync_playwright() as playwright:
        # Chromium refuses its sandbox to root.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=executable, args=arguments)
        try:
            yield browser
        finally:
            browser.close()
