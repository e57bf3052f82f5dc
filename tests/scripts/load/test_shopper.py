"""A shopper of the load run finds every reply that is not what was asked for."""

import json
import random
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from functions.local.children import ROOT
from scripts.load.closed_loop import MOST_ERRORS, ClosedLoop
from scripts.load.shopper import Sample, Shopper, WrongAnswerError
from scripts.load.visits import VISITS, Shop, Wish, the_one, visits
from scripts.load.words import LANGUAGES, WISHES


def cart(*lines: tuple[str, int, float], total: float | None = None) -> dict[str, Any]:
    items = [{"productId": i, "quantity": q, "unitPrice": p} for i, q, p in lines]
    held = sum(q * p for _, q, p in lines)
    return {"items": items, "total": held if total is None else total}


class Api:
    """Answers with what it was told, whatever is asked; keeps what it got."""

    def __init__(self) -> None:
        self.answer: Any = cart()
        self.status = 200
        self.got: list[tuple[str, str, Any, Any]] = []
        self.url = ""


@pytest.fixture
def api() -> Iterator[Api]:
    told = Api()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            size = int(self.headers.get("content-length", 0))
            body = json.loads(self.rfile.read(size)) if size else None
            told.got.append((self.command, self.path, body, self.headers.get("authorization")))
            answer = json.dumps(told.answer).encode()
            self.send_response(told.status)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        do_POST = do_GET

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        told.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield told
        server.shutdown()
        thread.join()


@pytest.fixture
def samples() -> list[Sample]:
    return []


@pytest.fixture
def shopper(api: Api, samples: list[Sample]) -> Iterator[Shopper]:
    made = Shopper(api.url, record=samples.append, model="fake", name="t")
    yield made
    made.close()


def turn(**fields: Any) -> dict[str, Any]:
    return {"answer": "Yes.", "finish": "answered", "model": "fake", "cart": cart(), **fields}


@pytest.fixture(scope="module")
def shop() -> Shop:
    return Shop(ROOT / "demo/catalog.jsonl")


def test_a_turn_is_sent_as_the_widget_sends_it_and_goes_on_with_its_session(api, shopper, samples):
    api.answer = turn(sessionToken="secret")
    shopper.ask("search", "hello", locale="fr-MA")
    shopper.ask("search", "again", locale="fr-MA")
    (_, path, first, nobody), (_, _, second, bearer) = api.got
    assert (path, first) == (
        "/api/v1/ai/cart",
        {"message": "hello", "locale": "fr-MA", "turnId": "t-1"},
    )
    assert (second["turnId"], nobody, bearer) == ("t-2", None, "Bearer secret")
    assert [sample.kind for sample in samples] == ["search", "search"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"answer": " "},
        {"finish": "clarify"},
        {"model": "offline"},
        {"cart": cart(("a", 1, 10.0))},
    ],
)
def test_a_turn_that_is_not_answered_by_its_model_or_changes_the_cart_is_wrong(api, shopper, wrong):
    api.answer = turn(**wrong)
    with pytest.raises(WrongAnswerError):
        shopper.ask("knowledge", "when?", locale="en")


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_refused_request_is_wrong_and_no_sample(api, shopper, samples, status):
    api.status, api.answer = status, {"code": "session_limit"}
    with pytest.raises(WrongAnswerError, match=str(status)):
        shopper.read("cart", "/api/v1/cart")
    assert samples == []


@pytest.mark.parametrize(
    "held",
    [cart(), cart(("a", 1, 10.0)), cart(("a", 2, 10.0), ("b", 1, 5.0)), cart(("b", 2, 10.0))],
)
def test_a_cart_of_other_lines_is_wrong(api, shopper, held):
    api.answer = held
    with pytest.raises(WrongAnswerError, match="the cart is"):
        shopper.put("a", 2)


def test_a_cart_whose_total_is_not_that_of_its_lines_is_wrong(api, shopper):
    api.answer = cart(("a", 2, 10.1))
    shopper.put("a", 2)
    api.answer = cart(("a", 2, 10.1), total=20.19)
    with pytest.raises(WrongAnswerError, match="total"):
        shopper.check_cart()


@pytest.mark.parametrize(
    "held",
    [
        cart(),
        cart(("zeste-solaire", 2, 140.0)),
        cart(("zeste-solaire", 1, 801.0)),
        cart(("ambre-sefrou-30", 1, 290.0)),
        cart(("zeste-solaire", 1, 140.0), ("ambre-sefrou-30", 1, 290.0)),
    ],
)
def test_the_best_one_is_one_of_the_wish_within_the_budget(shop, held):
    wish = Wish("fresh", "summer", 800)
    assert the_one(cart(("zeste-solaire", 1, 140.0)), wish, shop, "m") == "zeste-solaire"
    with pytest.raises(WrongAnswerError):
        the_one(held, wish, shop, "m")


def test_every_language_can_say_every_wish_quantity_and_two_questions():
    for words in LANGUAGES.values():
        for family, season in WISHES:
            for template in (words.flagship, words.search):
                said = words.wish(template, family, season, 777)
                assert "777" in said
                assert words.families[family] in said
                assert words.seasons[season] in said
        assert set(words.quantities) == {2, 3}
        assert len(set(words.questions)) >= 2


def test_the_mix_is_the_same_for_the_same_seed_and_has_every_visit_and_language():
    def first(seed: str) -> list[tuple[str, str]]:
        endless = visits(seed)
        return [(v.__name__, w.locale) for v, w in (next(endless) for _ in range(300))]

    assert first("a") == first("a") != first("b")
    assert {visit for visit, _ in first("a")} == {visit.__name__ for visit in VISITS}
    assert {locale for _, locale in first("a")} == {words.locale for words in LANGUAGES.values()}


def test_a_wish_is_one_that_the_store_can_meet(shop):
    chance = random.Random(3)
    for _ in range(50):
        wish = shop.wish(chance)
        assert any(
            shop.is_so(name, wish) and shop.products[name]["price"] <= wish.budget
            for name in shop.plenty
        )


def test_a_run_that_only_fails_ends_by_itself_and_tells_each_failure(api, shop):
    api.status = 500
    loop = ClosedLoop(api.url, shop, model="fake", name="broken")
    outcome = loop.run(clients=3, turns=10**6, seconds=60, watch=lambda _turns: None)
    assert outcome.turns == outcome.carts == 0
    assert MOST_ERRORS < len(outcome.errors) < MOST_ERRORS + 10
    assert all("500" in error for error in outcome.errors)


def test_a_run_ends_when_its_time_is_over(api, shop, monkeypatch):
    monkeypatch.setattr("scripts.load.closed_loop.MOST_ERRORS", 10**6)
    api.answer = turn()
    loop = ClosedLoop(api.url, shop, model="fake", name="short")
    outcome = loop.run(clients=2, turns=10**6, seconds=0.2, watch=lambda _turns: None)
    assert 0.2 <= outcome.seconds < 30
