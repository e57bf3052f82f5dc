"""Prints what a visit costs: bytes as sent (compressed), requests and time to interactive, of the shop's first page and of a
page that has nothing but the widget's script tag. Ends with 1 where a budget is exceeded."""

import statistics
import sys
from dataclasses import dataclass
from typing import Any, Final

from playwright.sync_api import Browser, Route
from storefront_pages import chromium, shop

VISITS: Final = 5
WIDGET_BYTES: Final = 40_000
# Interactive: what a visitor presses is there and answers; for the shop's page, with its products.
INTERACTIVE: Final = {"shop": ".product button", "widget": ".launcher"}
BARE: Final = (
    '<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">'
    '<body><script src="{url}/widget.js"></script>'
)


@dataclass(frozen=True)
class Budget:
    bytes: int
    requests: int
    milliseconds: int


BUDGETS: Final = {"shop": Budget(80_000, 12, 3000), "widget": Budget(WIDGET_BYTES, 3, 1500)}


@dataclass(frozen=True)
class Visit:
    bytes: int
    requests: int
    milliseconds: float


def visit(browser: Browser, url: str, kind: str) -> Visit:
    """One visit with an empty cache: the bytes of bodies and headers as they came over the wire."""
    context = browser.new_context(viewport={"width": 390, "height": 780})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable", {})
    received: dict[str, float] = {}

    def count(event: dict[str, Any]) -> None:
        received[event["requestId"]] = event["encodedDataLength"]

    session.on("Network.loadingFinished", count)
    address = url
    if kind == "widget":
        address = f"{url}/a-page-of-its-own"

        def bare(route: Route) -> None:
            route.fulfill(body=BARE.format(url=url), content_type="text/html")

        page.route(address, bare)
    page.goto(address, wait_until="commit")
    page.locator(INTERACTIVE[kind]).first.wait_for()
    milliseconds: float = page.evaluate("performance.now()")
    page.wait_for_load_state("networkidle")
    context.close()
    return Visit(int(sum(received.values())), len(received), milliseconds)


def main() -> int:
    exceeded = False
    print(f"{'page':8} {'bytes':>8} {'requests':>9} {'interactive':>12}    budget")
    with shop() as url, chromium() as browser:
        for kind, budget in BUDGETS.items():
            visits = [visit(browser, url, kind) for _ in range(VISITS)]
            sent = max(one.bytes for one in visits)
            requests = max(one.requests for one in visits)
            took = statistics.median(one.milliseconds for one in visits)
            over = sent > budget.bytes or requests > budget.requests or took > budget.milliseconds
            exceeded |= over
            print(
                f"{kind:8} {sent:8} {requests:9} {took:9.0f} ms    {budget.bytes} bytes, "
                f"{budget.requests} requests, {budget.milliseconds} ms{'  EXCEEDED' if over else ''}"
            )
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
