"""`make eval`: parts, thresholds, the exit code, and a real model's turns with their cost."""

import json
from pathlib import Path
from typing import Any

import pytest
from shopping_agent.settings import Settings

from evaluation import __main__ as command
from evaluation.intervals import metric, share
from evaluation.report import THRESHOLDS, as_json, fallen, table, thresholds
from evaluation.rubrics import RUBRICS
from evaluation.scenario_score import ScenarioScore, scenario_score
from evaluation.scenarios import scenarios
from evaluation.staging import handlers_with
from functions.local.fake_provider import fake_provider

GOOD: dict[str, Any] = {
    "id": "good",
    "lang": "en",
    "turns": [
        {"say": "add Tabac Miel", "expect": {"cart": {"tabac-miel": 1}}},
        {"do": "undo", "expect": {"cart": {}}},
    ],
}
BAD = {
    "id": "bad",
    "lang": "fr",
    "turns": [{"say": "hello", "expect": {"cart": {"tabac-miel": 1}}}],
}
CHANGED = {
    "id": "changed",
    "lang": "en",
    "turns": [
        {
            "say": "add Tabac Miel",
            "before": {"price": {"tabac-miel": 777}},
            "expect": {"total": 777},
        },
        {
            "say": "add one more",
            "before": {"stock": {"tabac-miel": 1}},
            "expect": {"unchanged": True},
        },
    ],
}


def shares(score: ScenarioScore) -> dict[str, float | None]:
    return {m.name.removeprefix("scenarios."): m.pooled and m.pooled.value for m in score.metrics}


def test_conversations_are_scored_by_rubric_and_faults_are_told(shop_settings: Settings) -> None:
    with handlers_with(shop_settings):
        score = scenario_score([GOOD, BAD])
    assert shares(score)["cart"] == pytest.approx(2 / 3)
    assert shares(score)["whole"] == 0.5
    assert {fault["id"] for fault in score.faults} == {"bad"}
    assert score.spent.turns == 2


def test_a_store_that_changes_in_mid_conversation_is_as_before_afterwards(
    shop_settings: Settings,
) -> None:
    with handlers_with(shop_settings):
        changed = scenario_score([CHANGED])
        again = scenario_score(
            [{**GOOD, "turns": [{**GOOD["turns"][0], "expect": {"total": 860}}]}]
        )
    assert changed.faults == []
    assert again.faults == []


def test_a_conversation_that_breaks_off_fails_every_rubric(shop_settings: Settings) -> None:
    broken = {"id": "broken", "lang": "en", "turns": [{"say": "", "expect": {}}]}
    with handlers_with(shop_settings):
        score = scenario_score([broken])
    assert [shares(score)[rubric] for rubric in RUBRICS] == [0.0] * len(RUBRICS)


def test_a_providers_turns_are_played_by_it_and_cost(shop_settings: Settings) -> None:
    with fake_provider() as fake:
        settings = shop_settings.model_copy(
            update={
                "llm_provider": "openai",
                "llm_fallbacks": "none",
                "openai_base_url": fake.base_url("openai"),
                "openai_model": "small",
                "model_prices": '{"small":{"input":1,"output":2}}',
            }
        )
        with handlers_with(settings):
            score = scenario_score([GOOD])
        assert fake.requests
    assert score.spent.calls == len(fake.requests)
    assert score.spent.dollars is not None
    assert score.spent.dollars > 0


def test_a_provider_with_a_key_and_an_address_plays_the_conversations_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.scenario_score.scenarios", lambda: [GOOD])
    said: list[str] = []
    with fake_provider() as fake:
        monkeypatch.setenv("GROQ_API_KEY", "a-key")
        monkeypatch.setenv("GROQ_BASE_URL", fake.base_url("groq"))
        own = command.provider_variables("groq")
        code = command.evaluate(("scenarios",), "groq", own, tmp_path / "eval.json", said.append)
        assert fake.requests
    kept = json.loads((tmp_path / "eval.json").read_text("utf-8"))
    assert kept["provider"] == "groq"
    assert kept["spent"]["calls"] == len(fake.requests)
    assert code == (1 if kept["below"] else 0)
    assert [line for line in said if f"{len(fake.requests)} model calls" in line and "$" in line]


def test_a_provider_without_its_key_is_told_which_one_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.delenv("GROQ_API_KEY", raising=False)
    assert command.main(["--provider", "groq"]) == 2
    assert "GROQ_API_KEY" in capsys.readouterr().err


def test_only_the_variables_of_the_provider_that_is_measured_are_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("XAI_API_KEY", "GROQ_API_KEY", "QDRANT_URL", "REDIS_PREFIX"):
        monkeypatch.setenv(name, "set")
    own = command.provider_variables("xai")
    assert own["XAI_API_KEY"] == "set"
    assert own["LLM_FALLBACKS"] == "none"
    assert not {"GROQ_API_KEY", "QDRANT_URL", "REDIS_PREFIX"} & set(own)


def test_a_part_that_does_not_exist_is_refused(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        command.main(["--only", "truth,beauty"])
    assert "beauty is none of" in capsys.readouterr().err


def test_what_has_fallen_is_named_and_ends_the_run_with_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = {"dev.x": {"min": 0.9}, "heldout-a.intent": {"min": 1.01}}
    monkeypatch.setattr(command, "thresholds", lambda *sections: rules)  # pyright: ignore[reportUnknownArgumentType]
    said: list[str] = []
    file = tmp_path / "eval.json"
    assert command.evaluate(["understanding"], "offline", {}, file, said.append) == 1
    assert [line for line in said if line.startswith("BELOW: heldout-a.intent (pooled)")]
    document = json.loads(file.read_text("utf-8"))
    assert [line for line in document["below"] if "heldout-a.intent" in line]
    assert {m["name"] for m in document["metrics"]} >= {"heldout-a.intent"}


def test_a_rule_for_each_language_looks_at_each() -> None:
    rows = [("en", (1, 1))] * 9 + [("fr", (0, 1))]
    measured = [metric("a.b", "a: b", rows, share)]
    assert list(fallen(measured, {"a.b": {"min": 0.9}})) == []
    assert list(fallen(measured, {"a.b": {"min": 0.9, "languages": True}})) == [
        "a.b (fr): 0 % is below 90 %"
    ]
    assert list(fallen(measured, {"a.b": {"max": 0.5}})) == ["a.b (pooled): 90 % is above 50 %"]


def test_the_table_has_a_row_a_metric_and_a_column_a_language() -> None:
    rows = [("en", (1, 1))] * 3 + [("ary-latn", (0, 1))]
    shown = table([metric("a.b", "a: b", rows, share)], {"a.b": {"min": 0.9}}).splitlines()
    assert shown[0].split()[-6:] == ["pooled", "en", "fr", "ar", "ary", "ary-latn"]
    assert shown[1].split()[2:4][0] == "75.0"
    assert shown[1].endswith(">= 90 %")


def test_the_json_holds_every_figure_of_the_table() -> None:
    measured = metric("a.b", "a: b", [("en", (1, 1)), ("fr", (0, 1))], share)
    kept = json.loads(as_json([measured], below=[]))
    assert kept["metrics"][0]["pooled"]["value"] == 0.5
    assert kept["metrics"][0]["languages"]["fr"]["rows"] == 1


def test_every_threshold_is_about_something_that_is_measured() -> None:
    named = thresholds(*json.loads(THRESHOLDS.read_text("utf-8")))
    sets = {name.partition(".")[0] for name in named}
    assert sets == {"dev", "heldout-a", "heldout-b", "truth", "scenarios", "gates"}
    assert {f"scenarios.{rubric}" for rubric in RUBRICS} <= set(named)
    for rule in named.values():
        assert len({"min", "max"} & set(rule)) == 1


def test_every_kind_of_conversation_is_there_in_every_language() -> None:
    told = {(s["kind"], s["lang"]) for s in scenarios() if "kind" in s}
    kinds = {
        "unanswerable",
        "override",
        "undo",
        "delegated",
        "price-change",
        "human",
        "hypothetical",
    }
    languages = ("en", "fr", "ar", "ary", "ary-latn")
    assert told >= {(kind, language) for kind in kinds for language in languages}
    several = [s for s in scenarios() if len(s["turns"]) > 1]
    assert len(scenarios()) >= 80
    assert len(several) > 0.8 * len(scenarios())
