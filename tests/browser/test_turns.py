"""A turn as the widget carries it: in view while it runs, sent again under its own id, the same in every page and tab."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

pytestmark = pytest.mark.slow

Send = Callable[[str], Locator]
CHAT = "**/api/v1/ai/cart"
STEPS = "**/api/v1/ai/turns/*/steps*"


def ask(page: Page, message: str) -> None:
    page.click(".launcher")
    page.fill("#message", message)
    page.press("#message", "Enter")


def turns(page: Page) -> list[dict[str, Any]]:
    """The turns that the page sends from now on."""
    sent: list[dict[str, Any]] = []

    def note(request: Request) -> None:
        if request.url.endswith("/api/v1/ai/cart"):
            sent.append(json.loads(request.post_data or "{}"))

    page.on("request", note)
    return sent


def test_the_second_one_is_the_second_card(stack: Any, page: Page, send: Send):
    page.goto(stack.url)
    send("show me woody perfumes")
    second = page.locator(".card h3").nth(1).inner_text()
    send("add the second one")
    page.click(".cart-button")
    expect(page.locator(".line h3")).to_have_text(second)


def test_an_undo_button_is_of_the_last_change_only(stack: Any, page: Page, send: Send):
    page.goto(stack.url)
    send("add Neroli Bloom 50 ml")
    send("add Neroli Bloom 30 ml")
    expect(page.locator(".log .undo")).to_have_count(1)
    page.click(".log .undo")
    expect(page.locator(".log .undo")).to_have_count(0)
    page.click(".cart-button")
    expect(page.locator(".line h3")).to_have_text("Neroli Bloom - 50 ml")


def test_steps_are_shown_while_the_turn_runs(stack: Any, page: Page):
    steps = {"steps": [{"seq": 1, "kind": "search", "label": "Searching…", "ms": 5}], "done": False}
    page.route(STEPS, lambda route: route.fulfill(json=steps))
    held: list[Route] = []
    page.route(CHAT, lambda route: held.append(route))
    page.goto(stack.url)
    ask(page, "something fresh")
    expect(page.locator(".progress.busy")).to_have_text("Searching…")
    expect(page.locator(".said.shop")).to_have_count(0)
    held[0].continue_()
    expect(page.locator(".said.shop")).to_have_count(1)
    expect(page.locator(".progress")).to_have_text("")


def test_the_servers_own_steps_reach_the_page(stack: Any, page: Page):
    shown: list[dict[str, Any]] = []
    page.on("response", lambda r: shown.append(r.json()) if "/steps" in r.url and r.ok else None)

    def late(route: Route) -> None:
        reply = route.fetch()
        page.wait_for_timeout(1500)
        route.fulfill(response=reply)

    page.route(CHAT, late)
    page.goto(stack.url)
    ask(page, "something fresh for summer")
    expect(page.locator(".said.shop")).to_have_count(1)
    labels = [step["label"] for reply in shown for step in reply["steps"]]
    assert labels
    assert all(labels)


def test_a_page_that_is_left_while_a_turn_runs_gets_its_answer_on_the_next_one(
    stack: Any, page: Page, complaints: list[str]
):
    page.goto(stack.url)
    sent = turns(page)
    held: list[Route] = []
    page.route(CHAT, lambda route: held.append(route))
    ask(page, "add Neroli Bloom 50 ml")
    expect(page.locator(".progress.busy")).to_have_count(1)
    page.wait_for_timeout(200)
    page.unroute(CHAT)
    page.goto(f"{stack.url}/cart.html")
    expect(page.locator(".said.me")).to_have_text(re.compile("add Neroli Bloom 50 ml"))
    expect(page.locator(".said.shop")).to_have_count(1)
    expect(page.locator("#lines li")).to_have_count(1)
    assert len({turn["turnId"] for turn in sent}) == 1
    # While the first sending still ran, the second was told to wait.
    assert all("409" in complaint for complaint in complaints)
    complaints.clear()


def test_conversation_cards_and_cart_come_along_to_the_next_page(
    stack: Any, page: Page, send: Send
):
    page.goto(stack.url)
    send("show me woody perfumes")
    names = page.locator(".card h3").all_inner_texts()
    page.locator(".card h3 a").first.click()
    expect(page.locator("h1")).to_have_text(names[0])
    expect(page.locator(".panel")).to_be_visible()
    expect(page.locator(".card h3")).to_have_text(names)
    send("add the second one")
    expect(page.locator("#cart-count")).to_have_text("1")
    page.click(".cart-button")
    expect(page.locator(".line h3")).to_have_text(names[1])


@pytest.mark.parametrize("where", ["widget", "shop"])
def test_a_double_click_adds_once(stack: Any, page: Page, send: Send, where: str):
    page.goto(stack.url)
    if where == "widget":
        send("show me woody perfumes")
    button = page.locator(".card button.main" if where == "widget" else ".product button").first
    button.dblclick()
    expect(page.locator("#cart-count")).to_have_text("1")
    page.wait_for_timeout(300)
    button.click()
    expect(page.locator("#cart-count")).to_have_text("2")


def test_two_tabs_show_one_cart_and_forget_together(stack: Any, page: Page, send: Send):
    page.goto(stack.url)
    send("add Neroli Bloom 50 ml")
    other = page.context.new_page()
    other.goto(f"{stack.url}/cart.html")
    expect(other.locator("#cart-count")).to_have_text("1")
    other.get_by_role("button", name=re.compile("^One more")).click()
    expect(page.locator("#cart-count")).to_have_text("2")
    other.click(".launcher")
    other.click(".cart-button")
    other.click(".forget")
    other.click(".forget")
    for tab in (page, other):
        expect(tab.locator("#cart-count")).to_be_hidden()
        expect(tab.locator(".said")).to_have_count(0)


def test_a_page_that_comes_back_as_it_was_left_shows_the_cart_as_it_is(
    stack: Any, page: Page, send: Send
):
    page.goto(stack.url)
    send("add Neroli Bloom 50 ml")
    token = page.evaluate("document.querySelector('shopping-agent').api.token")
    path = "/api/v1/cart/items/neroli-bloom-50"
    assert stack.request("PATCH", path, {"quantity": 3}, token=token).status == 200
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator("#cart-count")).to_have_text("3")
    expect(page.locator(".said")).to_have_count(2)


def test_what_was_forgotten_while_a_turn_ran_is_not_told_any_more(stack: Any, page: Page):
    held: list[Route] = []
    page.route(CHAT, lambda route: held.append(route))
    page.goto(stack.url)
    ask(page, "add Neroli Bloom 50 ml")
    expect(page.locator(".progress.busy")).to_have_count(1)
    page.click(".cart-button")
    page.click(".forget")
    page.click(".forget")
    expect(page.locator(".said")).to_have_count(0)
    with page.expect_response(CHAT):
        held[0].continue_()
    page.wait_for_timeout(300)
    expect(page.locator(".said")).to_have_count(0)
    expect(page.locator("#cart-count")).to_be_hidden()
