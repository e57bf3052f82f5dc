"""The page at `/` as a visitor uses it, on the running local stack."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."


def send(page: Page, message: str) -> None:
    page.fill("#message", message)
    page.press("#message", "Enter")
    expect(page.locator("#talk .shop").last).not_to_have_text(re.compile("Looking…"))


def test_the_flagship_sentence_ends_in_the_cart_that_the_page_shows(stack: Any, page: Page):
    page.goto(stack.url)
    send(page, FLAGSHIP)
    expect(page.locator("#cart-lines li")).to_have_count(1)
    name = page.locator("#cart-lines li span").first.inner_text()
    expect(page.locator("#talk .shop").last).to_contain_text(name)
    total = page.locator("#cart-total").inner_text()
    assert 0 < float(re.sub(r"[^0-9.]", "", total)) <= 800
    page.reload()
    expect(page.locator("#cart-lines li")).to_have_count(1)


def test_products_are_found_added_changed_and_taken_back(stack: Any, page: Page):
    page.goto(stack.url)
    expect(page.locator(".product").first).to_be_visible()
    page.fill("#query", "rose")
    page.check("#in-stock")
    page.click("#search button")
    expect(page.locator(".product h3").first).to_contain_text(re.compile("rose", re.IGNORECASE))
    page.locator(".product button:enabled").first.click()
    expect(page.locator("#cart-count")).to_have_text("1")
    page.get_by_role("button", name=re.compile("^One more")).click()
    expect(page.locator("#cart-count")).to_have_text("2")
    page.click("#undo")
    expect(page.locator("#cart-count")).to_have_text("1")
    page.click("#clear")
    expect(page.locator("#cart-empty")).to_be_visible()


def test_a_choice_offered_by_the_assistant_is_one_click(stack: Any, page: Page):
    page.goto(stack.url)
    send(page, "add Neroli Bloom")
    page.locator("#chips button", has_text="50 ml").click()
    expect(page.locator("#cart-lines li span").first).to_contain_text("50 ml")


def test_the_cart_goes_to_the_checkout_by_the_button_and_by_the_assistant(stack: Any, page: Page):
    page.goto(stack.url)
    expect(page.locator("#checkout")).to_be_hidden()
    send(page, "add Neroli Bloom 50 ml")
    total = page.locator("#cart-total").inner_text()
    page.click("#checkout")
    expect(page.locator("#status")).to_contain_text("Nothing is paid")
    expect(page.locator("#cart-lines li")).to_contain_text("Neroli Bloom")
    expect(page.locator("#cart-total")).to_have_text(total)
    page.click("#back")
    expect(page.locator("#cart-count")).to_have_text("1")
    send(page, "take me to checkout please")
    page.locator("#talk a.button").click()
    expect(page.locator("#cart-total")).to_have_text(total)


def test_the_checkout_page_without_a_link_says_so(stack: Any, page: Page):
    page.goto(f"{stack.url}/checkout.html")
    expect(page.locator("#status")).to_contain_text("has expired")
    expect(page.locator(".total")).to_be_hidden()


def test_arabic_runs_from_right_to_left(stack: Any, page: Page):
    page.goto(stack.url)
    page.select_option("#language", "ar")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.locator(".product button").first).to_have_text("أضف إلى السلة")


def test_text_of_a_shopper_is_shown_as_text(stack: Any, page: Page):
    page.goto(stack.url)
    send(page, "<img src=x onerror=alert(1)> hello")
    expect(page.locator("#talk .me").last).to_have_text("<img src=x onerror=alert(1)> hello")
    expect(page.locator("#talk img")).to_have_count(0)


def test_a_phone_sees_no_sideways_scroll(stack: Any, page: Page):
    page.set_viewport_size({"width": 375, "height": 700})
    page.goto(stack.url)
    expect(page.locator(".product").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_the_documents_of_the_api_show_every_route(stack: Any, page: Page):
    page.goto(f"{stack.url}/docs")
    for path in ("/api/v1/ai/cart", "/api/v1/cart/items", "/api/v1/products"):
        expect(page.locator(f'[data-path="{path}"]').first).to_be_visible()
