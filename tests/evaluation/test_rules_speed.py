"""`make speed`, second part: every figure is printed, and what is above a limit is named. No figure is judged here."""

import pytest

from evaluation import rules_speed


@pytest.mark.parametrize(("limit", "code"), [(0.0, 1), (float("inf"), 0)])
def test_what_is_above_its_limit_is_named_and_the_exit_code_says_so(
    limit: float, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {
        "RUNS": 1,
        "SIZES": (50,),
        "REQUEST_LIMIT": limit,
        "IMPORT_LIMIT": limit,
    }.items():
        monkeypatch.setattr(rules_speed, name, value)
    assert rules_speed.main() == code
    printed = capsys.readouterr().out
    for row in ("import", "loading", "50 candidates", "added to the layer"):
        assert row in printed
    assert printed.count("ABOVE") == 2 * code
