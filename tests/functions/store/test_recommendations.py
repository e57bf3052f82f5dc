"""Recommendations through the real store handler: scores and reasons without a language model, errors that say what would do."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as run
from hypothesis import strategies as st
from shopping_agent import bootstrap

PATH = "/api/v1/recommendations"
EVENT = Path(__file__).resolve().parents[3] / "events/store-recommendations.json"


def test_what_can_be_bought_is_scored_and_the_account_sums_to_the_score(call) -> None:
    answer = call("POST", PATH, {"profile": {"climate": "hot", "occasion": ["office"]}})
    assert answer.status == 200
    shown = answer.json["products"]
    assert shown[0]["id"] == "rose"
    assert {one["id"] for one in shown} <= {"rose", "plain", "sku/7 é"}
    for one in shown:
        assert math.isclose(sum(r["points"] for r in one["reasons"]), one["score"], abs_tol=0.05)
    assert answer.json["profile"] == {"occasion": ["work"], "climate": ["hot"]}
    assert answer.json["profileLabels"] == ["office", "hot climate"]


@pytest.mark.parametrize(
    ("locale", "label"),
    [("fr-MA", "climat chaud"), ("ar", "مناخ حار"), ("ary", "جو سخون"), ("xx", "hot climate")],
)
def test_reasons_and_questions_are_in_the_language_of_the_locale(call, locale, label) -> None:
    answer = call("POST", PATH, {"profile": {"climate": "hot"}, "locale": locale}).json
    assert answer["profileLabels"] == [label]
    texts = [r["text"] for r in answer["products"][0]["reasons"] if r["text"]]
    english = call("POST", PATH, {"profile": {"climate": "hot"}}).json
    same = [r["text"] for r in english["products"][0]["reasons"] if r["text"]] == texts
    assert same == (locale == "xx")


def test_constraints_are_hard_and_what_blocks_is_told(call) -> None:
    body = {"profile": {}, "constraints": {"maxPrice": 50, "gender": "women"}}
    answer = call("POST", PATH, body).json
    assert answer["products"] == []
    cheap = call("POST", PATH, {"profile": {}, "constraints": {"maxPrice": 200.5}}).json
    assert [one["id"] for one in cheap["products"]] == ["plain"]


def test_what_a_sensitivity_excludes_is_told_with_its_rule(call) -> None:
    body = {"profile": {"sensitivities": ["migraines"]}, "limit": 20}
    answer = call("POST", PATH, body).json
    assert "oud" not in {one["id"] for one in answer["products"]}
    assert answer["profile"] == {"sensitivities": ["migraine"]}
    assert [rule["rule"] for one in answer["excluded"] for rule in one["rules"]] in (
        [],
        ["migraine"],
    )


@pytest.mark.parametrize(
    ("body", "field", "allowed"),
    [
        ({"profile": {"weather": "hot"}}, "profile.weather", "climate"),
        ({"profile": {"climate": "lukewarm"}}, "profile.climate", "hot, cold, humid, mixed"),
        ({"profile": {"climate": 10**30}}, "profile.climate", "hot, cold"),
        ({"profile": {"skinType": ["dry", "oily"]}}, "profile.skinType", "one value"),
        ({"profile": []}, "profile", ""),
        ({}, "profile", ""),
        ({"profile": {}, "constraints": {"season": "monsoon"}}, "constraints.season", "summer"),
        ({"profile": {}, "constraints": {"colour": "red"}}, "constraints.colour", ""),
        ({"profile": {}, "constraints": {"minPrice": 9, "maxPrice": 8}}, "constraints.maxPrice", "minPrice"),
        ({"profile": {}, "limit": 0}, "limit", "1"),
        ({"profile": {}, "limit": 21}, "limit", "20"),
        ({"profile": {}, "limit": "3"}, "limit", ""),
    ],
)  # fmt: skip
def test_a_wrong_field_is_named_with_what_is_allowed(call, body, field, allowed) -> None:
    answer = call("POST", PATH, body)
    assert (answer.status, answer.json["field"]) == (422, field)
    assert allowed in answer.json["detail"]


def test_an_idempotency_key_is_refused_since_nothing_is_written(call) -> None:
    answer = call("POST", PATH, {"profile": {}}, headers={"idempotency-key": "k"})
    assert answer.status == 400


def test_the_sample_event_is_answered(call) -> None:
    event = json.loads(EVENT.read_text(encoding="utf-8"))
    answer = call("POST", event["rawPath"], event["body"])
    assert answer.status == 200


def test_without_search_it_is_503_and_says_what_is_down(call, settings, monkeypatch) -> None:
    down = settings.model_copy(update={"qdrant_url": "http://127.0.0.1:1"})
    monkeypatch.setattr(bootstrap, "settings", lambda: down)
    answer = call("POST", PATH, {"profile": {"climate": "hot"}})
    assert (answer.status, answer.json["dependency"]) == (503, "search")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
FIELDS = st.sampled_from(["profile", "constraints", "limit", "locale", "query"])
PARTS = st.sampled_from(
    ["climate", "skinType", "maxPrice", "minPrice", "notes", "season", "sizeMl", "currency"]
)


@given(st.dictionaries(FIELDS, JSON | st.dictionaries(PARTS, JSON, max_size=3), max_size=5))
@run(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_json_is_too_strange_for_an_answer(call, body) -> None:
    assert call("POST", PATH, body).status in (200, 400, 422)


@pytest.mark.parametrize("amount", ["1e400", "1" + "0" * 5000, "-0.0", "NaN", "0.1234567"])
def test_no_number_is_too_strange_either(call, amount) -> None:
    for body in (
        f'{{"profile": {{"climate": {amount}}}}}',
        f'{{"profile": {{}}, "constraints": {{"maxPrice": {amount}}}}}',
    ):
        assert call("POST", PATH, body).status in (200, 400, 422)
