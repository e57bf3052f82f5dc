"""A page of Debian's Chromium, driven by Playwright; skipped where there is no browser, never in CI."""

import os
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    found = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    executable = next((path for path in found if path), None)
    if executable is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no Chromium in CI: scripts/install-browser brings it")
        pytest.skip("no Chromium: `make test` installs it where apt may")
    with sync_playwright() as playwright:
        # Chromium refuses its sandbox to root.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = playwright.chromium.launch(executable_path=executable, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Generator[Page]:
    """A fresh visitor's page; anything that the browser complains about fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    complaints: list[str] = []
    opened = context.new_page()
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    opened.set_default_timeout(20_000)
    yield opened
    context.close()
    assert complaints == []
