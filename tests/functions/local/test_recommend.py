"""`shopping-agent recommend`: what it asks of a shop, and what it shows of the answer."""

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from functions.local.api_examples import RECOMMENDATIONS
from functions.local.cli import main


class Shop(BaseHTTPRequestHandler):
    """Answers with `answers`, else with the documented example; notes what came."""

    seen: ClassVar[list[tuple[str, dict[str, Any]]]] = []
    answers: ClassVar[list[tuple[int, dict[str, Any]]]] = []

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.seen.append((self.path, body))
        status, reply = self.answers.pop(0) if self.answers else (200, RECOMMENDATIONS)
        content = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def shop() -> Iterator[str]:
    Shop.seen.clear()
    Shop.answers.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Shop) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_words_become_a_profile_and_constraints(shop: str, capsys: pytest.CaptureFixture[str]):
    text = "J'habite à Marrakech, j'ai des migraines, un parfum pour le bureau à moins de 700 dh"
    assert main(["recommend", text, "--base-url", shop]) == 0
    [(path, body)] = Shop.seen
    assert path == "/api/v1/recommendations"
    assert body["profile"] == {"sensitivities": ["migraine"], "climate": ["hot"]}
    assert (body["constraints"]["maxPrice"], body["constraints"]["occasion"]) == (700, "work")
    assert (body["locale"], body["limit"]) == ("fr", 5)
    out = capsys.readouterr().out
    assert "71.4  Sahra 50 ml  690 MAD" in out
    assert "+ 71.4/100.0  hot climate: citrus" in out
    assert "left out: Oud Royal 50 ml: migraine (oud)" in out
    assert "ask: Where will it be worn?" in out


def test_the_lines_of_a_product_sum_to_its_score_and_each_reason_is_told_once(
    shop: str, capsys: pytest.CaptureFixture[str]
):
    def line(effect: str, name: str, speaks: str, points: float, *terms: str, text: str = ""):
        told = {"effect": effect, "name": name, "speaks": speaks, "points": points}
        return {**told, "possible": 20.0, "terms": list(terms), "text": text}

    reasons = [
        line("prefer", "heat", "for", 20.0, "citrus", text="It is hot."),
        line("within", "heat", "against", 10.0, "sillage", text="It is hot."),
        line("prefer", "night", "neutral", 0.0, text="It is late."),
        line("avoid", "heat", "neutral", 20.0, text="It is hot."),
        line("avoid", "office", "neutral", 7.5, text="It is an office."),
        line("wish", "occasion", "for", 17.5),
    ]
    product = {**RECOMMENDATIONS["products"][0], "score": 75.0, "reasons": reasons}
    Shop.answers.append((200, {**RECOMMENDATIONS, "products": [product]}))
    assert main(["recommend", "hot climate", "--base-url", shop]) == 0
    out = capsys.readouterr().out
    given = [float(points) for points in re.findall(r"^   \+ +([\d.]+)/", out, re.MULTILINE)]
    assert sum(given) == 75.0
    assert out.count("It is hot.") == 1
    assert "+ 10.0/20.0  heat: sillage  (speaks against it)\n" in out
    assert "+ 17.5/20.0  occasion\n" in out
    assert "+ 27.5/40.0  nothing to avoid in it: heat, office\n" in out
    assert "night" not in out


def test_words_of_which_nothing_is_understood_are_told_so(
    shop: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["recommend", "zzkw qqrt", "--base-url", shop]) == 0
    assert capsys.readouterr().out.startswith("nothing of this was understood")
    assert main(["recommend", "hot climate", "--base-url", shop]) == 0
    assert "nothing of this was understood" not in capsys.readouterr().out


def test_a_profile_as_json_is_sent_as_it_is(shop: str, capsys: pytest.CaptureFixture[str]):
    options = ["--profile", '{"climate": "cold"}', "--constraints", '{"maxPrice": 900}']
    assert main(["recommend", *options, "--json", "--limit", "2", "--base-url", shop]) == 0
    assert Shop.seen[0][1] == {
        "profile": {"climate": "cold"},
        "constraints": {"maxPrice": 900},
        "locale": None,
        "limit": 2,
    }
    assert json.loads(capsys.readouterr().out) == RECOMMENDATIONS


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "TEXT, or --profile JSON"),
        (["--profile", "{climate: hot}"], "--profile is no JSON"),
        (["--profile", "[]"], "--profile must be a JSON object"),
        (["--profile", "{}", "--base-url", "http://127.0.0.1:1"], "nobody answers"),
    ],
)
def test_what_is_wrong_is_told(options: list[str], told: str, capsys: pytest.CaptureFixture[str]):
    assert main(["recommend", *options]) == 1
    assert told in capsys.readouterr().err


def test_a_refusal_is_told_as_the_shop_says_it(shop: str, capsys: pytest.CaptureFixture[str]):
    problem = {"detail": "profile.climate cannot be 'x': it is one of hot", "code": "invalid_field"}
    Shop.answers.append((422, problem))
    assert main(["recommend", "--profile", '{"climate": "x"}', "--base-url", shop]) == 1
    assert "422: profile.climate cannot be 'x': it is one of hot" in capsys.readouterr().err
