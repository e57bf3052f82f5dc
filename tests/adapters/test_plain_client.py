"""The short way through httpx sends and answers what the long way does."""

import httpx
import pytest
from shopping_agent.adapters.plain_client import PlainClient

BASE = "http://service.example/v1"


def seen(client: httpx.Client, method: str, path: str, **options: object) -> tuple[object, ...]:
    reply = client.request(method, path, **options)  # pyright: ignore[reportArgumentType]
    asked = reply.request
    headers = {k: v for k, v in asked.headers.items() if k != "content-length"}
    return asked.method, str(asked.url), headers, asked.read(), reply.status_code, reply.text


def clients() -> tuple[httpx.Client, httpx.Client]:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, text=f"{request.method} {request.url.path}")

    headers = {"Authorization": "Bearer a", "accept-encoding": "identity"}
    transport = httpx.MockTransport(answer)
    return (
        httpx.Client(base_url=BASE, headers=headers, transport=transport),
        PlainClient(base_url=BASE, headers=headers, transport=transport),
    )


@pytest.mark.parametrize(
    ("method", "path", "options"),
    [
        ("GET", "/products", {}),
        ("GET", "", {}),
        ("GET", "https://other.example:8443/a?b=c", {}),
        ("POST", "/chat", {"json": {"text": "عطر", "n": [1, None]}}),
        ("POST", "/chat", {"json": [], "headers": {"authorization": "Bearer b", "X-Own": "1"}}),
        ("POST", "/chat", {"content": b"raw", "headers": {"Content-Type": "text/plain"}}),
        ("POST", "/chat", {"content": b"raw"}),
        ("POST", "/form", {"data": {"a": "b"}}),
        ("GET", "/search", {"params": {"q": "x y"}}),
        ("POST", "/text", {"content": "text"}),
        ("DELETE", "/products/1", {"timeout": 3.0}),
    ],
)
def test_a_request_is_what_httpx_makes_of_it(method, path, options) -> None:
    usual, plain = clients()
    assert seen(plain, method, path, **options) == seen(usual, method, path, **options)
    assert seen(plain, method, path, **options) == seen(usual, method, path, **options)


def test_cookies_are_forgotten_and_a_redirect_is_an_answer() -> None:
    met: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response:
        met.append(request.headers.get("cookie"))
        return httpx.Response(302, headers={"set-cookie": "a=b", "location": "/elsewhere"})

    client = PlainClient(base_url=BASE, transport=httpx.MockTransport(answer))
    assert [client.post("/x").status_code for _ in range(2)] == [302, 302]
    assert met == [None, None]


def test_any_number_of_addresses_may_be_asked() -> None:
    _, plain = clients()
    assert [plain.get(f"/{n}").text for n in range(200)] == [f"GET /v1/{n}" for n in range(200)]


def test_an_error_of_the_transport_is_raised_as_it_is() -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("late", request=request)

    with pytest.raises(httpx.ReadTimeout):
        PlainClient(base_url=BASE, transport=httpx.MockTransport(fail)).get("/")
