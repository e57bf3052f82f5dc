"""The script tag in a page of another origin: it works where CORS_ORIGINS allows that page, and is refused elsewhere."""

import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
# What the README says that a page with a strict policy needs.
POLICY = "default-src 'none'; script-src {api}; connect-src {api}; img-src https: data:; style-src 'self'"
PAGE = """<!doctype html><html lang="en"><head><title>A shop</title><meta charset="utf-8">
<meta name="shopping-agent:product" content="neroli-bloom-50"><link rel="icon" href="data:,"><link rel="stylesheet" href="/shop.css"></head>
<body><h1>A shop of its own</h1><script src="{api}/widget.js" {attributes}></script></body></html>"""

STYLE = """html { font-size: 62.5%; } * { font-family: cursive; color: red; letter-spacing: 9px; text-transform: uppercase; }
button { display: none; }"""


@contextmanager
def host(api: str, attributes: str, port: int = 0) -> Generator[str]:
    """A page of another origin that embeds the widget."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            if self.path == "/shop.css":
                self.send_header("content-type", "text/css")
                self.end_headers()
                self.wfile.write(STYLE.encode())
                return
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-security-policy", POLICY.format(api=api))
            self.end_headers()
            self.wfile.write(PAGE.format(api=api, attributes=attributes).encode())

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture(scope="module")
def allowed_port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def gateway(stack: Any, allowed_port: int) -> Generator[str]:
    """The same functions behind a second gateway, which lets in no origin but one."""
    port = free_port()
    invoke = stack.endpoints["lambda"].rpartition(":")[2].strip("/")
    command = [sys.executable, "-m", "functions.local.gateway", "--port", str(port)]
    command += ["--invoke-port", invoke, "--cors", f"http://127.0.0.1:{allowed_port}"]
    process = subprocess.Popen(command, cwd=ROOT)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(200):
            try:
                with urllib.request.urlopen(f"{url}/api/v1/store", timeout=5):
                    break
            except OSError:
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(10)


def ask(page: Page, message: str) -> None:
    page.click(".launcher")
    page.fill("#message", message)
    page.press("#message", "Enter")


def test_one_tag_gives_another_shop_the_assistant(stack: Any, page: Page):
    attributes = f'data-api="{stack.url}/" data-locale="fr-MA" data-accent="#0b5d4e"'
    with host(stack.url, attributes) as shop:
        page.goto(shop)
        page.evaluate(
            "addEventListener('shopping-agent:cart', (event) => { window.heard = event.detail.cart?.count; })"
        )
        expect(page.locator(".launcher")).to_contain_text("Demander à l'assistant")
        ask(page, "ajoute celui-ci au panier")
        expect(page.locator(".cart-button .badge")).to_have_text("1")
        assert page.evaluate("window.heard") == 1
        page.click(".cart-button")
        expect(page.locator(".line h3")).to_have_text("Neroli Bloom - 50 ml")


def test_the_pages_styles_and_keys_are_the_pages_alone(stack: Any, page: Page):
    with host(stack.url, "") as shop:
        page.goto(shop)
        page.evaluate(
            "window.keys = 0; for (const kind of ['keydown', 'keyup']) addEventListener(kind, () => { window.keys += 1; })"
        )
        expect(page.locator("h1")).to_have_css("text-transform", "uppercase")
        page.click(".launcher")
        page.locator("#message").press_sequentially("/s?")
        assert page.evaluate("window.keys") == 0
        title = page.locator(".panel h2")
        expect(title).to_have_css("text-transform", "none")
        expect(title).to_have_css("letter-spacing", "normal")
        expect(title).to_have_css("font-family", re.compile("^system-ui"))
        expect(page.locator(".panel")).to_have_css("font-size", "16px")
        expect(page.locator(".panel")).to_have_css("width", "400px")
        # And the widget's are its alone.
        expect(page.locator("h1")).to_have_css("font-family", "cursive")


def test_without_attributes_the_api_is_where_the_script_came_from(stack: Any, page: Page):
    with host(stack.url, "") as shop:
        page.goto(shop)
        ask(page, "hello")
        expect(page.locator(".said.shop")).to_have_count(1)
        expect(page.locator(".chips button").first).to_be_visible()


def test_the_origin_that_is_allowed_gets_its_answers(page: Page, gateway: str, allowed_port: int):
    with host(gateway, "", allowed_port) as shop:
        page.goto(shop)
        ask(page, "add this one to my cart")
        expect(page.locator(".cart-button .badge")).to_have_text("1")


def test_an_origin_that_is_not_allowed_gets_no_answer(
    page: Page, gateway: str, complaints: list[str]
):
    with host(gateway, "") as shop:
        page.goto(shop)
        ask(page, "add Neroli Bloom 50 ml")
        expect(page.locator(".said.fault")).to_contain_text("No connection")
    assert any("CORS" in complaint for complaint in complaints)
    complaints.clear()
