"""A Qdrant that hangs, or answers something else than Qdrant would: search says so in time, the cart goes on."""

import time
from collections.abc import Callable, Generator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from functions.local.serving import serving

BUDGET_SECONDS = 2.0
SEARCHES: tuple[tuple[str, dict[str, str] | None], ...] = (
    ("/api/v1/products", None),
    ("/api/v1/products", {"query": "rose"}),
    ("/api/v1/products/rose", None),
)
LIES = {
    "a page": b"<!doctype html><title>502 Bad Gateway</title>",
    "nothing": b"",
    "half an answer": b'{"result": {"points": [{"id": "1", "payl',
    "another encoding": '{"result": "é"}'.encode("utf-16"),
    "a list": b"[]",
    "another object": b'{"ok": true}',
    "no result": b'{"result": null, "status": "ok"}',
    "a number": b'{"result": 0}',
    "a word": b'{"result": "fine"}',
    "points that are none": b'{"result": {"points": 7}}',
    "points without payload": b'{"result": {"points": [{"id": "1", "score": 1.0}]}}',
    "another shop's points": b'{"result": {"points": [{"id": "1", "score": 1, "payload": {"sku": 5}}]}}',
}


@pytest.fixture(scope="module")
def liar() -> Generator[tuple[str, Callable[[bytes], None]]]:
    """A server that answers 200 and the same bytes to everything, and how to change them."""
    said = [b""]

    async def answer(request: Request) -> Response:
        del request
        page = said[0].startswith(b"<")
        return Response(said[0], media_type="text/html" if page else "application/json")

    def say(body: bytes) -> None:
        said[0] = body

    methods = ["GET", "POST", "PUT"]
    with serving(Starlette(routes=[Route("/{path:path}", answer, methods=methods)])) as url:
        yield url, say


def cart_still_works(call: Any) -> bool:
    added = call("POST", "/api/v1/cart/items", {"productId": "rose"})
    return added.status == 200 and added.json["count"] == 1


@pytest.mark.parametrize("lie", LIES)
def test_a_lying_qdrant_is_a_503_for_search_and_the_cart_goes_on(call, use, liar, lie) -> None:
    url, say = liar
    say(LIES[lie])
    use(QDRANT_URL=url)
    for path, query in SEARCHES:
        answer = call("GET", path, query=query)
        assert (answer.status, answer.code) == (503, "search_unavailable"), (path, query)
        assert answer.json["dependency"] == "search"
        assert "qdrant" not in answer.body.lower()
    assert cart_still_works(call)


@pytest.mark.parametrize(("path", "query"), SEARCHES)
def test_a_qdrant_that_hangs_is_a_503_before_the_budget_is_over(
    call, use, qdrant, path, query
) -> None:
    use(REQUEST_BUDGET_SECONDS=str(BUDGET_SECONDS))
    qdrant[1].fault, qdrant[1].fault_seconds = "slow", 3 * BUDGET_SECONDS
    try:
        started = time.monotonic()
        answer = call("GET", path, query=query)
        took = time.monotonic() - started
        assert (answer.status, answer.json["dependency"]) == (503, "search")
        assert took < 2 * BUDGET_SECONDS
        assert cart_still_works(call)
    finally:
        qdrant[1].fault = "none"
    assert call("GET", path, query=query).status == 200
