"""The operators' page: signing in, what really happened in the shop, and nothing that a shopper wrote comes alive."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.slow

Send = Callable[[str], Locator]
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
HOSTILE = "zzqx <img src=x onerror=alert(1)> under 2 MAD"


@pytest.fixture
def token(stack: Any) -> str:
    return (Path(stack.data) / "operator-token").read_text().strip()


@pytest.fixture
def sign_in(stack: Any, page: Page, token: str) -> Callable[[], None]:
    def enter() -> None:
        page.goto(f"{stack.url}/ops")
        page.get_by_label("The operator's token").fill(token)
        page.keyboard.press("Enter")
        expect(page.locator("#report")).to_be_visible()

    return enter


def faults(page: Page) -> list[str]:
    options = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]


def figure(page: Page, name: str) -> Locator:
    return page.locator(".figures div").filter(has=page.get_by_text(name, exact=True)).locator("dd")


def test_a_wrong_token_is_told_and_shows_nothing(
    stack: Any, page: Page, complaints: list[str]
) -> None:
    page.goto(f"{stack.url}/ops")
    expect(page.get_by_label("The operator's token")).to_be_focused()
    page.get_by_label("The operator's token").fill("not-the-operators-token-at-all")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("This is not the operator's token.")
    expect(page.locator("#report")).to_be_hidden()
    assert all("401" in text for text in complaints)
    complaints.clear()


def test_what_happened_in_the_shop_is_shown_and_what_was_written_stays_text(
    stack: Any, page: Page, send: Send, sign_in: Callable[[], None]
) -> None:
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(stack.url)
    send("add Citron Beldi 50 ml to my cart")
    send(HOSTILE)
    sign_in()
    assert int(figure(page, "Turns").inner_text().split()[0]) >= 2
    assert figure(page, "95 % of the turns").inner_text().endswith(" s")
    told = page.locator(".panel").filter(has_text="Searches that nothing met").first
    asked = page.locator(".panel").filter(has_text="Questions without an answer").first
    assert "<img src=x" in told.inner_text() + asked.inner_text()
    assert page.locator("#report img").count() == 0
    files = page.locator("#report section").filter(has_text="Catalog files")
    expect(files.get_by_text("catalog/catalog.jsonl")).to_be_visible()
    expect(files.get_by_text("within the hour").first).to_be_visible()


def test_the_token_is_kept_for_the_tab_and_forgotten_on_leaving(
    stack: Any, page: Page, sign_in: Callable[[], None]
) -> None:
    sign_in()
    page.reload()
    expect(page.locator("#report")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("#report")).to_be_hidden()
    assert page.locator("#report *").count() == 0
    page.reload()
    expect(page.get_by_label("The operator's token")).to_be_visible()


def test_a_period_is_chosen_by_keyboard_and_plots_have_tables(
    page: Page, sign_in: Callable[[], None]
) -> None:
    sign_in()
    page.get_by_label("Period").focus()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("heading", name="Hour by hour (UTC)")).to_be_visible()
    assert page.locator(".plots svg").count() == 1
    assert page.locator(".plots svg rect").count() == 24
    page.get_by_text("As a table").first.click()
    assert page.locator(".plots details table tr").count() == 25


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_is_wrong_with_the_page_and_it_fits(
    stack: Any, page: Page, sign_in: Callable[[], None], scheme: Any, width: int
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{stack.url}/ops")
    assert faults(page) == []
    sign_in()
    assert faults(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


def test_a_shop_that_does_not_answer_is_told(
    page: Page, sign_in: Callable[[], None], complaints: list[str]
) -> None:
    sign_in()
    problem = json.dumps({"detail": "redis is not available."})
    page.route(
        "**/api/v1/ops/**",
        lambda route: route.fulfill(
            status=503, content_type="application/problem+json", body=problem
        ),
    )
    page.get_by_role("button", name="Refresh").click()
    expect(page.locator("#status")).to_have_text("redis is not available.")
    expect(page.locator("#report")).to_be_visible()
    page.unroute("**/api/v1/ops/**")
    page.route("**/api/v1/ops/**", lambda route: route.abort())
    page.get_by_role("button", name="Refresh").click()
    expect(page.locator("#status")).to_contain_text("does not answer")
    complaints.clear()
