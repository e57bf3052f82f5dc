"""The operator's statistics: for whoever has the token, and of what really happened."""

from typing import Any

import pytest
from shopping_agent import bootstrap
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.statistics import Tally

TOKEN = "an-operators-token-of-the-tests"
PATH = "/api/v1/ops/statistics"


@pytest.fixture
def operator(call: Any, use: Any) -> Any:
    use(OPERATOR_TOKEN=TOKEN, REDIS_PREFIX="ops-" + str(id(call)))
    call.token = TOKEN
    return call


def test_without_a_token_of_the_shop_there_is_no_such_page(call: Any, use: Any) -> None:
    use(OPERATOR_TOKEN="")
    call.token = TOKEN
    answer = call("GET", PATH)
    assert (answer.status, answer.code) == (404, "not_found")
    assert "OPERATOR_TOKEN" in answer.json["detail"]


@pytest.mark.parametrize("token", ["", TOKEN[:-1], TOKEN + "x", "é" * 24])
def test_another_token_is_refused(operator: Any, token: str) -> None:
    operator.token = token
    answer = operator("GET", PATH)
    assert (answer.status, answer.code) == (401, "unauthorized")
    assert TOKEN not in answer.body


def test_a_guests_token_is_no_operators(operator: Any) -> None:
    operator.token = ""
    operator.sign_in()
    assert operator("GET", PATH).status == 401


@pytest.mark.parametrize("days", ["0", "36", "x", "-1"])
def test_a_wrong_number_of_days_is_named(operator: Any, days: str) -> None:
    answer = operator("GET", PATH, query={"days": days})
    assert (answer.status, answer.json["field"]) == (422, "days")


def test_a_quiet_shop_answers_with_empty_days(operator: Any) -> None:
    body = operator("GET", PATH).json
    assert len(body["days"]) == 7
    assert body["totals"]["turns"] == 0
    assert body["totals"]["durations"] == {"p50": None, "p95": None, "p99": None}
    assert body["searches"] == body["questions"] == body["files"] == []


def test_what_was_counted_is_told(operator: Any) -> None:
    statistics = bootstrap.statistics(bootstrap.settings())
    counts = {
        "turns": 4,
        "intent:cart": 3,
        "hour:09": 4,
        "ms:500": 4,
        "refused:which_variant": 2,
        "verdict:sound": 3,
        "calls:groq/m": 5,
        "tokens:groq/m": 700,
        "micros:groq/m": 1500,
        "calls:openai/own": 1,
        "tokens:openai/own": 9,
        "unpriced:openai/own": 1,
    }
    statistics.add(Tally(counts, {"questions": "why?"}), Deadline.after(5))
    file = {
        "source": "catalog/c.jsonl",
        "status": "refused",
        "error": {"code": "too_many_deletes", "message": "would delete 9 of 10"},
        "startedAt": "2026-12-01T08:00:00.000+00:00",
        "durationMs": 12,
        "counts": {"read": 1},
        "key": "reports/catalog/c.jsonl/x.json",
    }
    statistics.keep_report("catalog/c.jsonl", file, Deadline.after(5))
    body = operator("GET", PATH, query={"days": "2"}).json
    totals = body["totals"]
    assert [day["turns"] for day in body["days"]] == [0, 4]
    assert totals["intents"] == {"cart": 3}
    assert totals["refusals"] == {"which_variant": 2}
    assert totals["hours"] == {"09": 4}
    assert 300 < totals["durations"]["p95"] <= 500
    assert totals["models"] == [
        {"model": "groq/m", "calls": 5, "tokens": 700, "cost": 0.0015},
        {"model": "openai/own", "calls": 1, "tokens": 9, "cost": None},
    ]
    assert (totals["tokens"], totals["cost"]) == (709, 0.0015)
    assert body["questions"] == [{"text": "why?", "count": 1}]
    assert body["files"] == [file]


def test_a_search_of_the_page_that_finds_nothing_is_told_without_contact_details(
    operator: Any,
) -> None:
    settings = bootstrap.settings()
    for query in ("zzzqqq me@shop.example", "zzzqqq me@shop.example"):
        found = operator("GET", "/api/v1/products", query={"query": query, "maxPrice": "1"})
        assert found.json["products"] == []
    (today,) = bootstrap.statistics(settings).days(1, Deadline.after(5))
    ((text, count),) = today.texts["searches"]
    assert count == today.counts["fruitless"] == 2
    assert "zzzqqq" in text
    assert "me@shop.example" not in text


def test_a_search_is_answered_where_it_cannot_be_counted(
    operator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from shopping_agent.errors import StateUnavailableError

    class Down:
        def add(self, tally: Tally, deadline: Deadline) -> None:
            raise StateUnavailableError("down")

    monkeypatch.setattr(bootstrap, "statistics", lambda settings: Down())
    found = operator("GET", "/api/v1/products", query={"query": "zzzqqq", "maxPrice": "1"})
    assert found.status == 200
