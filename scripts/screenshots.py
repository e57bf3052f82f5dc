"""Takes the README's pictures of the storefront: `make screenshots` writes docs/{storefront,widget,widget-ar,product,ops}.png."""

import os
import sys
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page
from storefront_pages import chromium, shop

DOCS: Final = Path(__file__).parent.parent / "docs"
LARGEST: Final = 300_000
WIDE: Final = {"width": 1280, "height": 800}
PHONE: Final = {"width": 390, "height": 780}
FLAGSHIP: Final = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
WOODY: Final = "Show me woody perfumes for a gift"
ARABIC: Final = "شيء منعش للصيف بأقل من 800 درهم وأضف أفضلها إلى سلتي"


def open_page(browser: Browser, url: str, language: str, viewport: Any) -> Page:
    """A page with all its products in sight; of a fresh visitor."""
    context = browser.new_context(viewport=viewport, color_scheme="light", reduced_motion="reduce")
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('shop.language', '{language}')")
    page.goto(url)
    page.wait_for_load_state("networkidle")
    return page


def ask(page: Page, message: str) -> None:
    if page.locator(".launcher").is_visible():
        page.click(".launcher")
    before = page.locator(".said.shop").count()
    page.fill("#message", message)
    page.press("#message", "Enter")
    page.locator(".said.shop").nth(before).wait_for()
    page.locator(".progress:not(.busy)").wait_for(state="attached")


def take(page: Page, name: str) -> str | None:
    """Write the picture; what is wrong with it."""
    path = DOCS / name
    page.evaluate("document.activeElement?.shadowRoot?.activeElement?.blur()")
    page.screenshot(path=path)
    page.context.close()
    size = path.stat().st_size
    print(f"docs/{name}  {size // 1000} kB")
    return f"docs/{name} is larger than {LARGEST // 1000} kB" if size > LARGEST else None


def main() -> int:
    wrong: list[str | None] = []
    # Of the shop that is started for this; one of SHOP_URL has a token of its own.
    os.environ.setdefault("OPERATOR_TOKEN", "operator-token-of-the-pictures")
    with shop() as url, chromium() as browser:
        page = open_page(browser, url, "en", WIDE)
        ask(page, FLAGSHIP)
        wrong.append(take(page, "storefront.png"))

        page = open_page(browser, url, "en", PHONE)
        ask(page, WOODY)
        wrong.append(take(page, "widget.png"))

        page = open_page(browser, url, "ar", PHONE)
        ask(page, ARABIC)
        wrong.append(take(page, "widget-ar.png"))

        page = open_page(browser, f"{url}/product.html?id=neroli-bloom-50", "en", WIDE)
        wrong.append(take(page, "product.png"))

        page = open_page(browser, f"{url}/ops", "en", WIDE)
        page.fill("#token", os.environ["OPERATOR_TOKEN"])
        page.press("#token", "Enter")
        page.locator(".figures").wait_for()
        wrong.append(take(page, "ops.png"))
    for fault in filter(None, wrong):
        print(fault, file=sys.stderr)
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
