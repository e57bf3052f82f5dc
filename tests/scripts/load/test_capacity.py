"""docs/capacity.md says what follows from the data, and the formulas are the ones that it states."""

import json
import re
from datetime import date

import pytest
from shopping_agent.settings import Settings

from scripts.load import capacity
from scripts.load.use import (
    FULL_PROCESSOR_MB,
    INDEX_SECONDS,
    MODEL_SECONDS,
    POLLS,
    REDIS_SECONDS,
    memories,
    polls_within,
    taken,
    use_of,
)

DOCUMENT = capacity.DOCUMENT.read_text(encoding="utf-8")
MEASURED = json.loads(capacity.MEASURED.read_text(encoding="utf-8"))
LIST_PRICES = json.loads(capacity.LIST_PRICES.read_text(encoding="utf-8"))
BILL = {
    "redis_requests": 4.0,
    "redis_commands": 10.0,
    "redis_bytesIn": 600.0,
    "redis_bytesOut": 400.0,
    "qdrant_requests": 1.0,
    "qdrant_bytesOut": 5000.0,
}
SIMPLE = {
    "at": "2026-12-01",
    "on": "paper",
    "per_turn": {"flagship": 0.5, "knowledge": 0.5, "cart": 1.0},
    "visits_per_turn": 0.5,
    "cpu_ms": {"chat": 20.0, "store": 2.0},
    "log_bytes_per_turn": 2000.0,
    "bills": {
        "flagship": {
            **BILL,
            "model_calls": 2,
            "input_tokens": 4000,
            "prefix_tokens": 2000,
            "output_tokens": 100,
        },
        "knowledge": {
            "model_calls": 1,
            "input_tokens": 1000,
            "prefix_tokens": 500,
            "output_tokens": 50,
        },
        "cart": {"redis_requests": 1.0, "redis_commands": 2.0},
        "steps": {"redis_requests": 1.0, "redis_commands": 1.0},
    },
    "keys": {"cart": {"per_turn": 0.5, "bytes": 400.0}, "live": {"per_turn": 0.1, "bytes": 900.0}},
}
MEMORY = {"chat": FULL_PROCESSOR_MB, "store": FULL_PROCESSOR_MB}


def row(lines: list[str], name: str) -> list[str]:
    [line] = [line for line in lines if line.startswith(f"| {name} |")]
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def test_the_document_says_what_the_data_say():
    assert capacity.filled(DOCUMENT, capacity.blocks()) == DOCUMENT


def test_a_table_without_its_place_is_refused():
    with pytest.raises(ValueError, match="no place for needs"):
        capacity.filled("# nothing", {"needs": []})


def test_a_duration_is_processor_time_round_trips_and_the_model():
    use = use_of(SIMPLE, MEMORY)
    trips = 0.5 * 4 * REDIS_SECONDS + 0.5 * 1 * INDEX_SECONDS
    assert use.chat_seconds == pytest.approx(0.020 + trips + 1.5 * MODEL_SECONDS)
    polls = polls_within(use.chat_seconds)
    assert use.reads == 1.0 + polls
    assert use.store_seconds == pytest.approx(0.002 + REDIS_SECONDS)
    assert use.redis_commands == pytest.approx(0.5 * 10 + 2.0 + polls * 1.0)
    assert use.redis_bytes == pytest.approx(0.5 * 1000)


def test_half_a_processor_takes_twice_as_long_and_more_than_one_no_less():
    whole = use_of(SIMPLE, MEMORY).chat_seconds
    halved = use_of(SIMPLE, {**MEMORY, "chat": FULL_PROCESSOR_MB // 2}).chat_seconds
    assert halved == pytest.approx(whole + 0.020, abs=1e-4)
    assert use_of(SIMPLE, {**MEMORY, "chat": 4096}).chat_seconds == whole


def test_environments_are_rate_times_duration():
    use = use_of(SIMPLE, MEMORY)
    lines = list(capacity.needs(use, SIMPLE))
    wanted = [f"{rate * use.chat_seconds:,.0f}" for rate in (10, 100, 1000)]
    assert row(lines, "chat, environments at once") == wanted


def test_redis_holds_what_comes_in_for_as_long_as_the_registry_says_and_the_catalog_apart():
    days = 30
    by_day = 100 * 0.5 * 400 * 86_400 * capacity.BUSY_SHARE
    assert capacity.redis_bytes(SIMPLE, 100) == pytest.approx(by_day * days)


def test_costs_are_the_list_prices_times_what_is_used():
    use = use_of(SIMPLE, {"chat": 1024, "store": 512})
    lines = list(capacity.costs(use, {"chat": 1024, "store": 512}, LIST_PRICES))
    chat = 1000 * use.chat_seconds * LIST_PRICES["lambda_gb_second"]
    assert row(lines, "Lambda, chat")[1] == f"{chat:.4f}"
    store = 1000 * 0.5 * use.store_seconds * use.reads * LIST_PRICES["lambda_gb_second"]
    assert row(lines, "Lambda, store")[1] == f"{store:.4f}"
    assert row(lines, "Upstash, commands")[1] == f"{use.redis_commands * 1000 * 0.2 / 100_000:.4f}"
    parts = [float(line.strip("| ").split("|")[-1]) for line in lines[2:-1]]
    assert float(row(lines, "together")[1]) == pytest.approx(sum(parts), abs=5e-4)


def test_a_model_costs_its_tokens_at_the_price_of_the_table():
    use = use_of(SIMPLE, MEMORY)
    lines = list(capacity.model_costs(use, Settings(), date(2026, 12, 1)))
    as_is, cached, thinking = map(float, row(lines, "groq: openai/gpt-oss-120b"))
    millions = (2.5, 1.25, 0.075)
    assert as_is == pytest.approx(millions[0] * 0.15 + millions[2] * 0.6, abs=0.006)
    assert cached == pytest.approx(1.25 * 0.15 + 1.25 * 0.075 + 0.075 * 0.6, abs=0.006)
    thought = 1500 * capacity.THINKING_TOKENS / 1e6
    assert thinking == pytest.approx(cached + thought * 0.6, abs=0.011)


def test_an_announced_price_holds_from_its_day_on():
    use = use_of(SIMPLE, MEMORY)
    before, after = (
        row(list(capacity.model_costs(use, Settings(), day)), "gemini: gemini-3.8-flash")
        for day in (date(2026, 12, 31), date(2027, 1, 1))
    )
    assert float(after[0]) == pytest.approx(2 * float(before[0]), abs=0.011)


def test_every_provider_with_a_price_has_its_default_model_in_the_document():
    for provider in ("gemini", "groq", "xai"):
        assert f"| {provider}: {getattr(Settings(), f'{provider}_model')} |" in DOCUMENT


def test_the_assumptions_in_the_document_are_those_of_the_code():
    assert f"| L, a call of the model | {MODEL_SECONDS:.1f} s |" in DOCUMENT
    told = f"| {1000 * REDIS_SECONDS:g} ms; {1000 * INDEX_SECONDS:g} ms |"
    assert told in DOCUMENT
    assert f"| {capacity.THINKING_TOKENS} tokens a call" in DOCUMENT
    assert f"{FULL_PROCESSOR_MB:,} MB" in DOCUMENT
    assert capacity.BUSY_SHARE == 1 / 4


def test_the_widget_polls_as_the_computation_says():
    source = (capacity.ROOT / "functions/store/widget/progress.js").read_text()
    told = {n: float(v) for n, v in re.findall(r"^const (\w+) = ([\d.]+);", source, re.MULTILINE)}
    assert (told["FIRST"] / 1000, told["GROWTH"], told["LONGEST"] / 1000) == POLLS
    assert [polls_within(seconds) for seconds in (0.3, 0.5, 1.0, 1.5, 2.4)] == [0, 1, 2, 3, 4]


def test_memory_is_the_templates():
    assert set(memories()) == {"chat", "store"}
    assert all(size >= 128 for size in memories().values())


def test_what_a_run_measured_is_taken_by_turn():
    run = {
        "turns": 160,
        "warm_up_turns": 40,
        "visits": 64,
        "latency_ms": {
            "flagship": {"count": 40},
            "cart": {"count": 64},
            "all turns": {"count": 160},
        },
        "redis": {"families": {"cart": {"count": 40, "bytes": 300.0}}},
        "cpu_ms": {"chat, a request": 16.0, "store, a request": 2.0},
        "log_bytes": {"chat": 300_000, "store": 20_000},
        "bills": {"flagship": {"model_calls": 2}},
    }
    told = {
        "at": "2026-12-01",
        "scenarios": [{**run, "scenario": s} for s in ("offline", "delayed")],
    }
    found = taken(told, "paper")
    assert found["per_turn"] == {"flagship": 0.25, "cart": 0.4}
    assert found["keys"] == {"cart": {"per_turn": 0.2, "bytes": 300.0}}
    assert (found["visits_per_turn"], found["log_bytes_per_turn"]) == (0.4, 2000.0)
    assert set(found) == set(MEASURED)
