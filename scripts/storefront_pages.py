"""A browser at the local stack, for what is measured and pictured of the storefront: Debian's Chromium and a running shop."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

from load.stack import StartError, local_stack
from playwright.sync_api import Browser, sync_playwright


@contextlib.contextmanager
def shop() -> Generator[str]:
    """Address of the shop: SHOP_URL's, else that of a stack with the demo store, started for this.

    Its operator's token is OPERATOR_TOKEN, where that is set.
    """
    if url := os.environ.get("SHOP_URL"):
        yield url.rstrip("/")
        return
    own = {"OPERATOR_TOKEN": os.environ["OPERATOR_TOKEN"]} if "OPERATOR_TOKEN" in os.environ else {}
    with tempfile.TemporaryDirectory() as data:
        try:
            with local_stack(Path(data), own) as stack:
                yield stack.url
        except StartError as error:
            raise SystemExit(f"the stack does not start:\n{error}") from error


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
