"""`make coldstart`: what is counted, and which limits a table misses."""

from pathlib import Path
from typing import Any

import pytest

from evaluation.coldstart import BASELINE, check, missed, rows_of
from evaluation.coldstart_runs import Case, Start, start_of


def moment(cpu: float) -> dict[str, float]:
    return {"cpu": cpu, "megabytes": 40.2, "modules": 300}


def test_a_function_is_charged_from_when_the_runtimes_client_is_loaded() -> None:
    found = start_of([moment(0.010), moment(0.050), moment(0.140), moment(0.180)])
    assert (found.begun, found.init, found.first) == pytest.approx((10, 90, 40))
    assert found.cpu == pytest.approx(130)
    assert (found.megabytes, found.modules) == (40.2, 300)


def test_the_baseline_is_charged_from_there_too() -> None:
    found = start_of([moment(0.010), moment(0.050), moment(0.090)])
    assert (found.begun, found.cpu) == pytest.approx((10, 40))


def start(cpu: float) -> Start:
    return Start(begun=10, init=cpu / 2, first=cpu / 2, megabytes=41.6, modules=7)


def test_a_ratio_has_the_interpreters_start_on_both_sides_and_is_of_medians() -> None:
    starts = {BASELINE: [start(40)] * 3, "chat, groq": [start(90), start(900), start(91)]}
    _, row = rows_of(starts, {"chat": 134.0})
    assert row["ratio"] == round((10 + 91) / (10 + 40), 2)
    assert (row["rssMb"], row["unpackedMb"]) == (42, 134.0)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"name": "store", "ratio": 2.99, "unpackedMb": 134}, []),
        ({"name": "store", "ratio": 3.0, "unpackedMb": 134}, ["store: 3.0 x"]),
        ({"name": "chat, groq", "ratio": 7.0, "unpackedMb": 200.1}, ["chat, groq: 200.1 MB"]),
        ({"name": BASELINE, "ratio": 1.0, "unpackedMb": None}, []),
    ],
)
def test_the_limits_are_the_stores_ratio_and_the_size_of_all(row: Any, told: list[str]) -> None:
    faults = missed([row])
    assert [fault.startswith(start) for fault, start in zip(faults, told, strict=True)] == [
        True
    ] * len(told)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("chat, groq", {"statusCode": 503, "body": "{}"}),
        ("chat, groq", {"statusCode": 200, "body": '{"cart": {"items": []}}'}),
        ("store", {"statusCode": 200, "body": '{"count": 1, "items": [{}]}'}),
        ("ingest", {"batchItemFailures": [{"itemIdentifier": "cold"}]}),
    ],
)
def test_a_start_with_a_wrong_answer_counts_for_nothing(name: str, answer: Any) -> None:
    with pytest.raises(SystemExit, match=name):
        check(Case(name, Path(), (), {}, {}), answer)
