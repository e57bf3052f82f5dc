"""What a feed, a model or a server may send: shown as text, followed nowhere, kept in its place."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.slow

Send = Callable[[str], Locator]
Told = Callable[..., list[dict[str, Any]]]
MARKUP = "<img src=x onerror=window.harmed=1><script>window.harmed=1</script>"
# Turns the rest of a line around, where it gets out of its place.
TURNED = "Rose \u202eRAEF"


def product(**fields: Any) -> dict[str, Any]:
    return {
        "id": "p-1",
        "name": "Rose",
        "brand": "House",
        "description": "",
        "price": 10,
        "currency": "MAD",
        "stock": None,
        "inStock": True,
        "url": "",
        "imageUrl": "",
        "gender": None,
        "families": [],
        "notes": {"top": [], "heart": [], "base": []},
        "accords": [],
        "seasons": [],
        "occasions": [],
    } | fields


def line(**fields: Any) -> dict[str, Any]:
    return {
        "productId": "p-1",
        "name": "Rose",
        "brand": "House",
        "imageUrl": "",
        "quantity": 1,
        "unitPrice": 10,
        "lineTotal": 10,
        "available": True,
    } | fields


def cart(*lines: dict[str, Any]) -> dict[str, Any]:
    total = sum(one["lineTotal"] for one in lines)
    return {
        "items": lines,
        "count": len(lines),
        "total": total,
        "currency": "MAD",
        "version": 9,
    }


def test_a_hostile_reply_is_inert(stack: Any, page: Page, send: Send, told: Told):
    hostile = product(
        name=MARKUP,
        brand=MARKUP,
        url="javascript:window.harmed=1",
        imageUrl="javascript:window.harmed=1",
        reasons=[MARKUP],
    )
    told(
        answer=MARKUP,
        products=[hostile],
        cart=cart(line(name=MARKUP)),
        choices=[{"label": MARKUP}],
        suggestions=[MARKUP],
        actions=[
            {"type": "contact", "url": "javascript:window.harmed=1"},
            {"type": "checkout", "url": "data:text/html,<script>1</script>"},
        ],
    )
    page.goto(stack.url)
    # A shop that does not say where its product pages are: links are the feed's.
    page.evaluate("document.querySelector('shopping-agent').removeAttribute('data-product-url')")
    expect(send("hello")).to_contain_text(MARKUP)
    expect(page.locator(".card h3")).to_have_text(MARKUP)
    page.click("summary")
    expect(page.locator(".card details li")).to_have_text(MARKUP)
    expect(page.locator(".chips button").first).to_have_text(MARKUP)
    expect(page.locator(".panel a")).to_have_count(0)
    expect(page.locator(".panel :is(img, script)")).to_have_count(0)
    page.click(".cart-button")
    expect(page.locator(".line h3")).to_have_text(MARKUP)
    assert page.evaluate("window.harmed") is None


def test_a_hostile_product_page_is_inert(stack: Any, page: Page):
    hostile = product(
        name=MARKUP,
        brand=MARKUP,
        description=MARKUP,
        notes={"top": [MARKUP], "heart": [], "base": []},
        families=[MARKUP],
        concentration=MARKUP,
    )
    page.route("**/api/v1/products/p-1", lambda route: route.fulfill(json=hostile))
    page.goto(f"{stack.url}/product.html?id=p-1")
    expect(page.locator("h1")).to_have_text(MARKUP)
    expect(page.locator(".description")).to_have_text(MARKUP)
    expect(page.locator("#product :is(img, script)")).to_have_count(0)
    assert page.evaluate("window.harmed") is None


def test_a_product_without_picture_brand_or_notes_is_a_card(
    stack: Any, page: Page, send: Send, told: Told, complaints: list[str]
):
    gone = product(id="p-2", name="Gone", imageUrl=f"{stack.url}/no-such-picture.png", price=0)
    told(products=[product(brand="", sizeMl=None, compareAtPrice=12.5), gone])
    page.goto(stack.url)
    send("hello")
    expect(page.locator(".card")).to_have_count(2)
    # A picture that cannot be had is drawn.
    expect(page.locator(".card svg")).to_have_count(2)
    expect(page.locator(".card .price").first).to_contain_text("12.50 MAD")
    expect(page.locator(".card .price").last).to_contain_text("0 MAD")
    assert all("404" in complaint for complaint in complaints)
    complaints.clear()


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_name_that_turns_text_around_turns_nothing_else(
    stack: Any, page: Page, send: Send, told: Told, language: str
):
    told(answer=f"{TURNED} costs 10 MAD.", products=[product(name=TURNED, brand=TURNED, sizeMl=50)])
    page.add_init_script(f"localStorage.setItem('shop.language', '{language}')")
    page.goto(stack.url)
    send("hello")
    # In the order in which they are seen, "costs" stands left of "10", and "50" left of "ml".
    seen = """(node, [first, second]) => {
        const at = (word) => {
            const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
            for (let text; (text = walker.nextNode());) {
                const index = text.data.indexOf(word);
                if (index < 0) continue;
                const range = document.createRange();
                range.setStart(text, index);
                range.setEnd(text, index + word.length);
                return range.getBoundingClientRect().left;
            }
        };
        return at(first) < at(second);
    }"""
    answer, brand = page.locator(".said.shop").last, page.locator(".card .small").first
    assert answer.evaluate(seen, ["costs", "10"])
    assert brand.evaluate(seen, ["50", "ml"])


def test_an_answer_runs_in_its_own_direction_whatever_the_pages_is(
    stack: Any, page: Page, send: Send, told: Told
):
    told(answer="مرحبا بكم")
    page.goto(stack.url)
    answer = send("hello")
    expect(answer).to_have_css("direction", "rtl")
    expect(page.locator(".said.me").last).to_have_css("direction", "ltr")
    page.select_option("#language", "ar")
    expect(page.locator(".said.me").last).to_have_css("direction", "ltr")


def test_a_long_message_and_a_long_cart_stay_in_the_panel(
    stack: Any, page: Page, send: Send, told: Told
):
    lines = [line(productId=f"p-{n}", name=f"Rose {n} " + "x" * 90) for n in range(100)]
    sent = told(answer="y" * 4000, cart=cart(*lines))
    page.set_viewport_size({"width": 360, "height": 700})
    page.goto(stack.url)
    page.click(".launcher")
    page.fill("#message", "w" * 3000)
    length = page.evaluate(
        "document.querySelector('shopping-agent').shadowRoot.querySelector('#message').value.length"
    )
    page.press("#message", "Enter")
    expect(page.locator(".said.shop")).to_have_count(1)
    assert len(sent[0]["message"]) == min(length, 2000)
    for scrolled in (".log", ".panel"):
        assert page.locator(scrolled).evaluate("node => node.scrollWidth <= node.clientWidth")
    page.click(".cart-button")
    expect(page.locator(".line")).to_have_count(100)
    # The way to the checkout is in sight however long the cart is.
    expect(page.locator(".checkout")).to_be_in_viewport()
    assert page.locator(".cart").evaluate("node => node.scrollWidth <= node.clientWidth")
