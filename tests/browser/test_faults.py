"""What a shopper sees of a shop that is away, refuses, or forgets: the message is kept, and nothing is done twice."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

pytestmark = pytest.mark.slow

CHAT = "**/api/v1/ai/cart"


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


def test_a_turn_whose_reply_is_lost_is_sent_again_as_the_same_turn(
    stack: Any, page: Page, complaints: list[str]
):
    lost: list[int] = []

    def lose_first(route: Route) -> None:
        if lost:
            route.continue_()
            return
        # The shop does what it is told, but nobody hears of it.
        lost.append(route.fetch().status)
        route.abort()

    page.route(CHAT, lose_first)
    page.goto(stack.url)
    sent = turns(page)
    ask(page, "add Neroli Bloom 50 ml")
    expect(page.locator("#cart-count")).to_have_text("1")
    assert lost == [200]
    assert len(sent) == 2
    assert sent[0] == sent[1]
    page.wait_for_timeout(300)
    page.reload()
    expect(page.locator("#cart-count")).to_have_text("1")
    complaints.clear()


def test_while_the_shop_is_away_the_message_is_kept_and_a_button_sends_it_again(
    stack: Any, page: Page, complaints: list[str]
):
    page.goto(stack.url)
    sent = turns(page)
    page.route("**/api/v1/**", lambda route: route.abort())
    ask(page, "add Neroli Bloom 50 ml")
    retry = page.locator(".log").get_by_role("button", name="Try again")
    expect(page.locator(".said.fault")).to_contain_text("No connection")
    page.unroute("**/api/v1/**")
    retry.click()
    expect(page.locator("#cart-count")).to_have_text("1")
    expect(page.locator(".said.fault")).to_have_count(0)
    expect(retry).to_have_count(0)
    assert len({turn["turnId"] for turn in sent}) == 1
    complaints.clear()


def test_an_ended_session_is_followed_by_a_new_one(stack: Any, page: Page, complaints: list[str]):
    page.goto(stack.url)
    page.evaluate("localStorage.setItem('shopping-agent.session ', 'no.such.token')")
    page.reload()
    ask(page, "add Neroli Bloom 50 ml")
    expect(page.locator("#cart-count")).to_have_text("1")
    assert all("401" in complaint for complaint in complaints)
    complaints.clear()


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [
        (429, "rate_limited", "Try again in 7 seconds"),
        (503, "assistant_off", "switched off"),
        (503, "state_unavailable", "That did not work"),
        (401, "unauthorized", "Sign in first."),
    ],
)
def test_what_a_refused_turn_says_and_offers(
    stack: Any, page: Page, complaints: list[str], status: int, code: str, said: str
):
    problem = {"status": status, "code": code, "detail": "Sign in first."}
    calls: list[int] = []

    def refuse(route: Route) -> None:
        calls.append(status)
        route.fulfill(status=status, json=problem, headers={"Retry-After": "7"})

    page.route(CHAT, refuse)
    page.goto(stack.url)
    ask(page, "hello")
    expect(page.locator(".said.fault")).to_contain_text(said)
    expect(page.locator(".log").get_by_role("button", name="Try again")).to_be_visible()
    assert len(calls) <= 2
    complaints.clear()


def test_where_storage_is_forbidden_the_page_still_sells(stack: Any, page: Page):
    page.add_init_script(
        """for (const name of ["localStorage", "sessionStorage"])
             Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });"""
    )
    page.goto(stack.url)
    ask(page, "add Neroli Bloom 50 ml")
    expect(page.locator("#cart-count")).to_have_text("1")
