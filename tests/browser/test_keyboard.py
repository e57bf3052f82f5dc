"""The widget without a mouse: everything is reached, pressed and left by keys, and the focus is never lost."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.slow

Send = Callable[[str], Locator]
FOCUSED = """() => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return node.getAttribute("aria-label") || node.innerText || node.id;
}"""


def press_until(page: Page, key: str, wanted: str) -> None:
    """Press a key until what has the focus is called so."""
    for _ in range(60):
        if re.search(wanted, page.evaluate(FOCUSED) or ""):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {wanted}")


def test_a_purchase_by_keys_alone(stack: Any, page: Page):
    page.goto(stack.url)
    expect(page.locator(".product").first).to_be_visible()
    page.locator(".launcher").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("show me woody perfumes")
    page.keyboard.press("Enter")
    expect(page.locator(".card").first).to_be_visible()
    expect(page.locator(".progress.busy")).to_have_count(0)
    name = page.locator(".card h3").last.inner_text()
    press_until(page, "Shift+Tab", f"^Add to cart: {re.escape(name)}")
    page.keyboard.press("Space")
    expect(page.locator("#cart-count")).to_have_text("1")
    press_until(page, "Shift+Tab", "^Open the cart, 1 items")
    page.keyboard.press("Enter")
    press_until(page, "Tab", "^One more")
    page.keyboard.press("Enter")
    expect(page.locator("#cart-count")).to_have_text("2")
    # What was pressed is drawn anew, and still has the focus.
    assert page.evaluate(FOCUSED).startswith("One more")
    press_until(page, "Tab", "^Remove")
    page.keyboard.press("Enter")
    expect(page.locator(".line")).to_have_count(0)
    assert page.locator(".cart").evaluate("node => node.getRootNode().activeElement === node")
    page.keyboard.press("Escape")
    expect(page.locator(".cart")).to_be_hidden()
    assert page.evaluate(FOCUSED).startswith("Open the cart")
    page.keyboard.press("Escape")
    expect(page.locator(".panel")).to_be_hidden()
    assert page.evaluate(FOCUSED).startswith("Ask the assistant")


def test_the_focus_goes_back_to_what_opened_the_panel(stack: Any, page: Page):
    page.goto(stack.url)
    expect(page.locator(".product").first).to_be_visible()
    page.locator("#open-agent").press("Enter")
    expect(page.locator(".panel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#open-agent")).to_be_focused()


def test_on_a_phone_the_focus_stays_in_the_panel_that_covers_the_page(stack: Any, page: Page):
    page.set_viewport_size({"width": 360, "height": 700})
    page.goto(stack.url)
    page.locator(".launcher").press("Enter")
    expect(page.locator(".panel")).to_have_attribute("aria-modal", "true")
    for key in ["Tab"] * 8 + ["Shift+Tab"] * 8:
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.localName") == "shopping-agent"


def test_a_line_break_is_typed_and_not_sent(stack: Any, page: Page):
    page.goto(stack.url)
    page.locator(".launcher").press("Enter")
    page.keyboard.type("one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two")
    expect(page.locator("#message")).to_have_value("one\ntwo")
    expect(page.locator(".said")).to_have_count(0)
