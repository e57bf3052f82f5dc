"""axe-core finds nothing wrong with any page in any language, the widget and its drawer open, in light and dark."""

from collections.abc import Callable
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.slow

Send = Callable[[str], Locator]
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}


def faults(page: Page) -> list[str]:
    found = Axe().run(page, options=OPTIONS).response["violations"]
    return [
        f"{rule['id']}: {node['target']} {node['html'][:200]} {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize(
    ("language", "scheme"), [("en", "dark"), ("fr", "light"), ("ar", "light"), ("ary", "dark")]
)
def test_no_page_has_a_fault(
    stack: Any, page: Page, send: Send, language: str, scheme: Literal["light", "dark"]
):
    page.add_init_script(f"localStorage.setItem('shop.language', '{language}')")
    page.emulate_media(color_scheme=scheme)
    page.goto(stack.url)
    expect(page.locator(".product").first).to_be_visible()
    assert faults(page) == []
    send("add Neroli Bloom 50 ml")
    expect(page.locator("#cart-count")).to_have_text("1")
    assert faults(page) == []
    page.click(".cart-button")
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.click(".close")
    for path in ("/product.html?id=neroli-bloom-50", "/cart.html"):
        page.goto(stack.url + path)
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator("#cart-count")).to_have_text("1")
        assert faults(page) == []
    page.click("#checkout")
    expect(page.locator("#cart-total")).to_be_visible()
    assert faults(page) == []


def test_a_phones_widget_has_no_fault(stack: Any, page: Page, send: Send):
    page.set_viewport_size({"width": 360, "height": 700})
    page.goto(stack.url)
    send("show me woody perfumes")
    expect(page.locator(".card").first).to_be_visible()
    assert faults(page) == []


def test_the_api_page_has_no_fault_and_needs_nothing_inline(stack: Any, page: Page) -> None:
    page.goto(f"{stack.url}/docs")
    expect(page.locator(".opblock-summary-control").first).to_be_visible()
    assert faults(page) == []
    page.locator(".opblock-summary-control").first.click()
    expect(page.locator(".opblock-body").first).to_be_visible()
    expect(page.locator(".opblock-body pre").first).to_have_attribute("tabindex", "0")
    assert faults(page) == []
    policy = page.request.get(f"{stack.url}/docs").headers["content-security-policy"]
    assert "unsafe" not in policy
