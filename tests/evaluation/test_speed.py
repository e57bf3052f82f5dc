"""`make speed`: every figure is printed, and what is above a limit is named. No figure is judged here."""

from typing import Any

import pytest

from evaluation import speed


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = speed.given()
    monkeypatch.setattr(speed, "RUNS", 1)
    monkeypatch.setattr(speed, "given", lambda: {**given, "messages": given["messages"][:30]})


@pytest.mark.parametrize(("limit", "code"), [(0.0, 1), (float("inf"), 0)])
def test_what_is_above_its_limit_is_named_and_the_exit_code_says_so(
    limit: float, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(speed, "IMPORT_LIMIT", limit)
    monkeypatch.setattr(speed, "MESSAGE_LIMIT", limit)
    assert speed.main() == code
    printed = capsys.readouterr().out
    for row in ("import of httpx", "ratio", "weights", "with 0 product", "with 20 product", "p95"):
        assert row in printed
    assert [line.split(":")[1].split()[0] for line in printed.splitlines() if "ABOVE" in line] == [
        "import",
        "message",
        "message",
    ][: 3 * code]
