"""A page of Debian's Chromium, driven by Playwright; skipped where there is no browser, never in CI."""

import json
import os
import shutil
from collections.abc import Callable, Generator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect, sync_playwright


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
def complaints() -> list[str]:
    """What the browser complains about: at the end of a test there must be nothing in it that the test did not expect."""
    return []


@pytest.fixture
def page(browser: Browser, complaints: list[str]) -> Generator[Page]:
    """A fresh visitor's page."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()
    assert complaints == []


@pytest.fixture
def send(page: Page) -> Callable[[str], Locator]:
    """Asks the widget; its answer."""

    def ask(message: str) -> Locator:
        if page.locator(".launcher").is_visible():
            page.click(".launcher")
        page.fill("#message", message)
        page.press("#message", "Enter")
        expect(page.locator(".said.me").last).to_contain_text(message)
        # While a turn runs there is a line that says what it does.
        expect(page.locator(".progress.busy")).to_have_count(0)
        return page.locator(".said.shop").last

    return ask


@pytest.fixture
def told(page: Page) -> Callable[..., list[dict[str, Any]]]:
    """Lets a made-up reply answer every turn of the page; the turns that were sent."""

    def answer(**fields: Any) -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []

        def reply(route: Route) -> None:
            sent.append(json.loads(route.request.post_data or "{}"))
            route.fulfill(json=EMPTY_REPLY | fields)

        page.route("**/api/v1/ai/cart", reply)
        return sent

    return answer


EMPTY_REPLY: dict[str, Any] = {
    "answer": "Yes.",
    "intent": "general",
    "route": "agent",
    "cart": {"items": [], "count": 0, "total": 0, "currency": "MAD", "version": 0},
    "products": [],
    "choices": [],
    "suggestions": [],
    "actions": [],
    "finish": "answered",
}
