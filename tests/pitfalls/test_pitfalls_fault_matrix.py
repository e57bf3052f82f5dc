"""A part of the fault matrix (`make faults` runs all of it): the turn ends in time, truthfully, and adds at most once."""

import pytest

from scripts.fault_matrix import ROWS, Cell, Outcome, cells, run_cell, summary, table
from tests.pitfalls.turns import spread

QUICK = ("http429ra20", "http503", "html502", "reset", "empty_choices", "quota", "auth")


@pytest.mark.parametrize(("provider", "fault"), spread(QUICK))
def test_pitfalls_matrix_a_fault_at_any_call_is_survived(variables, fake, best, provider, fault):
    outcomes = [
        run_cell(Cell(fault, "on", provider, position), variables, fake, best)
        for position in (1, 2, 3)
    ]
    assert [(o.broken, o.met) for o in outcomes] == [("", True)] * 3
    assert all(o.in_cart == 1 for o in outcomes)


def test_pitfalls_matrix_a_broken_promise_is_seen(variables, fake, best):
    kept = run_cell(Cell("ok", "once", "groq", 1), variables, fake, best)
    assert (kept.broken, kept.in_cart, kept.finish) == ("", 1, "answered")
    broken = run_cell(Cell("ok", "once", "groq", 1), variables, fake, "another-product")
    assert broken.broken
    unmet = run_cell(Cell("ok", "once", "groq", 9), variables, fake, best)
    assert (unmet.broken, unmet.met, unmet.text[-1]) == ("", False, "~")
    assert "1 did not meet their fault" in summary([unmet], 1.0)


def test_pitfalls_matrix_is_a_table_of_all_that_was_promised():
    assert len(ROWS) > 20
    outcomes = [Outcome(cell, "answered", 1, 0.2, 3) for cell in cells(["http503", "hang"])]
    assert len(outcomes) == 2 * 2 * 16
    head, *rows = table(outcomes)
    assert head.split()[:2] == ["fault", "gemini"]
    assert [row.split()[:3] for row in rows] == [
        ["http503", "once", "A1"],
        ["http503", "on", "A1"],
        ["hang", "once", "A1"],
        ["hang", "on", "A1"],
    ]
    assert "0 broken promises; 64 added the right product, 0 added twice" in summary(outcomes, 1.0)
    wrong = Outcome(outcomes[0].cell, "answered", 2, 0.2, 3, "two of them")
    assert "1 broken promises" in summary([wrong], 1.0)
    assert "!" in next(iter([*table([wrong, *outcomes[1:]])][1:]))
