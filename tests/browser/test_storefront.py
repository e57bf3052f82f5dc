"""The demo shop and the assistant's widget as a visitor uses them, on the running local stack."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.slow

Send = Callable[[str], Locator]

FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."


def amount(text: str) -> float:
    return float(re.sub(r"[^0-9.]", "", text))


def test_the_flagship_sentence_ends_in_the_drawer(stack: Any, page: Page, send: Send):
    page.goto(stack.url)
    answer = send(FLAGSHIP)
    name = page.locator(".card h3").first.inner_text()
    expect(answer).to_contain_text(name)
    page.click(".cart-button")
    expect(page.locator(".line h3")).to_have_text(name)
    assert 0 < amount(page.locator(".sum").inner_text()) <= 800
    page.reload()
    expect(page.locator(".line")).to_have_count(1)


def test_products_are_found_added_changed_and_taken_back(stack: Any, page: Page):
    page.goto(stack.url)
    expect(page.locator(".product").first).to_be_visible()
    page.fill("#query", "rose")
    page.check("#in-stock")
    page.click("#search > button")
    expect(page.locator(".product h2").first).to_contain_text(re.compile("rose", re.IGNORECASE))
    page.locator(".product button:enabled").first.click()
    expect(page.locator("#cart-count")).to_have_text("1")
    page.click("#cart-link")
    page.get_by_role("button", name=re.compile("^One more")).click()
    expect(page.locator("#cart-count")).to_have_text("2")
    page.click("#undo")
    expect(page.locator("#cart-count")).to_have_text("1")
    page.click("#clear")
    expect(page.locator("#empty")).to_be_visible()


def test_a_choice_offered_by_the_assistant_is_one_click(stack: Any, page: Page, send: Send):
    page.goto(stack.url)
    send("add Neroli Bloom")
    page.locator(".chips button", has_text="50 ml").click()
    expect(page.locator("#cart-count")).to_have_text("1")
    page.click(".cart-button")
    expect(page.locator(".line h3")).to_contain_text("50 ml")


def test_what_the_assistant_added_is_taken_back_by_a_button(stack: Any, page: Page, send: Send):
    page.goto(stack.url)
    send("add Neroli Bloom 50 ml")
    expect(page.locator("#cart-count")).to_have_text("1")
    page.click(".log .undo")
    expect(page.locator("#cart-count")).to_be_hidden()


def test_the_product_page_tells_the_assistant_what_is_shown(stack: Any, page: Page, send: Send):
    page.goto(f"{stack.url}/product.html?id=neroli-bloom-50")
    expect(page.locator("h1")).to_contain_text("Neroli Bloom")
    expect(page.locator(".pyramid li")).to_have_count(3)
    send("add this one to my cart")
    expect(page.locator("#cart-count")).to_have_text("1")
    page.click(".cart-button")
    expect(page.locator(".line h3")).to_have_text("Neroli Bloom - 50 ml")


def test_the_cart_goes_to_the_checkout_by_the_button_and_by_the_assistant(
    stack: Any, page: Page, send: Send
):
    page.goto(stack.url)
    send("add Neroli Bloom 50 ml")
    page.click(".cart-button")
    total = page.locator(".sum").inner_text()
    page.click(".checkout")
    expect(page.locator("#status")).to_contain_text("Nothing is paid")
    expect(page.locator("#cart-lines li")).to_contain_text("Neroli Bloom")
    expect(page.locator("#cart-total")).to_have_text(total)
    page.click("#back")
    expect(page.locator("#cart-count")).to_have_text("1")
    send("take me to checkout please")
    page.locator(".log a.act.main").click()
    expect(page.locator("#cart-total")).to_have_text(total)


def test_the_checkout_page_without_a_link_says_so(stack: Any, page: Page):
    page.goto(f"{stack.url}/checkout.html")
    expect(page.locator("#status")).to_contain_text("has expired")
    expect(page.locator(".total")).to_be_hidden()


@pytest.mark.parametrize(("language", "add"), [("ar", "أضف إلى السلة"), ("ary", "زيد للسلة")])
def test_arabic_and_darija_run_from_right_to_left(stack: Any, page: Page, language: str, add: str):
    page.goto(stack.url)
    expect(page.locator(".product").first).to_be_visible()
    page.select_option("#language", language)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.locator(".product button").first).to_have_text(add)
    expect(page.locator(".launcher")).to_have_css("direction", "rtl")


def test_text_of_a_shopper_is_shown_as_text(stack: Any, page: Page, send: Send):
    page.goto(stack.url)
    hostile = "<img src=x onerror=alert(1)> hello"
    send(hostile)
    expect(page.locator(".said.me").last).to_contain_text(hostile)
    expect(page.locator(".said img")).to_have_count(0)


@pytest.mark.parametrize("path", ["/", "/product.html?id=neroli-bloom-50", "/cart.html"])
def test_a_phone_sees_no_sideways_scroll(stack: Any, page: Page, path: str):
    page.set_viewport_size({"width": 360, "height": 700})
    page.goto(stack.url + path)
    expect(page.locator(".product, h1").first).to_be_visible()
    page.click(".launcher")
    expect(page.locator(".panel")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_documents_of_the_api_show_every_route(stack: Any, page: Page):
    page.goto(f"{stack.url}/docs")
    for path in ("/api/v1/ai/cart", "/api/v1/cart/items", "/api/v1/products"):
        expect(page.locator(f'[data-path="{path}"]').first).to_be_visible()
