"""`make bench` where the benchmark kit is not: with the kit, running it is the test."""

import json
from pathlib import Path

import pytest

from tests.bench.__main__ import aims, command, find_kit, main


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SHARED", str(tmp_path))
    monkeypatch.setattr("tests.bench.__main__.ROOT", tmp_path / "project")
    return tmp_path


def test_without_the_kit_it_says_so_and_is_no_failure(nowhere: Path, capsys) -> None:
    assert main([]) == 0
    said = capsys.readouterr().out
    assert "skipped" in said
    assert "../shared/bench" in said
    assert "SHARED" in said


def test_the_kit_is_looked_for_where_shared_says_and_beside_the_project(nowhere: Path) -> None:
    beside = nowhere / "shared/bench"
    beside.mkdir(parents=True)
    (beside / "run_all.py").touch()
    assert find_kit() == beside
    named = nowhere / "bench"
    named.mkdir()
    (named / "run_all.py").touch()
    assert find_kit() == named


def test_a_row_is_a_shell_command_that_holds_its_settings_quoted(monkeypatch) -> None:
    monkeypatch.setattr("tests.bench.__main__.bare_python", lambda folder: Path("/py 3/bin/python"))
    said = command({"PYTHONPATH": "/a b:/c", "LLM_PROVIDER": "openai"})
    assert said.startswith("exec env PYTHONPATH='/a b:/c' LLM_PROVIDER=openai '/py 3/bin/python' ")
    assert "turns.py" in said


def test_what_is_aimed_at_is_told_in_ratios() -> None:
    scores = json.loads(
        '{"ours": {"cold_cpu": 250, "warm_cpu": 5}, "floor_httpx": {"cold_cpu": 100, "warm_cpu": 1}}'
    )
    assert aims(scores) == [
        "aim cold_cpu: 2.50 x floor_httpx, at most 3 (reached)",
        "aim warm_cpu: 5.00 x floor_httpx, at most 4 (not reached)",
    ]
    assert aims({}) == []
