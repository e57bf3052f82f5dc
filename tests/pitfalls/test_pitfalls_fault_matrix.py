"""A part of the fault matrix (`make faults` runs all of it): the turn ends in time, truthfully, and adds at most once."""

import pytest

from scripts.fault_matrix import ROWS, Cell, run_cell, summary, table
from tests.pitfalls.turns import PROVIDERS

QUICK = ("http429ra20", "http503", "html502", "reset", "empty_choices", "quota", "auth")


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", QUICK)
def test_pitfalls_matrix_a_fault_at_any_call_is_survived(variables, fake, best, provider, fault):
    outcomes = [
        run_cell(Cell(fault, "on", provider, position), variables, fake, best)
        for position in (1, 2, 3)
    ]
    assert [o.broken for o in outcomes] == ["", "", ""]
    assert all(o.in_cart == 1 for o in outcomes)


def test_pitfalls_matrix_a_broken_promise_is_seen(variables, fake, best):
    kept = run_cell(Cell("ok", "once", "groq", 1), variables, fake, best)
    assert (kept.broken, kept.in_cart, kept.finish) == ("", 1, "answered")
    broken = run_cell(Cell("ok", "once", "groq", 1), variables, fake, "another-product")
    assert broken.broken
    unmet = run_cell(Cell("ok", "once", "groq", 9), variables, fake, best)
    assert "not met" in unmet.broken


def test_pitfalls_matrix_has_the_faults_that_were_promised(variables, fake, best):
    assert len(ROWS) > 20
    cells = [Cell("ok", m, p, n) for m in ("once", "on") for p in PROVIDERS for n in (1, 2, 3)]
    cells += [
        Cell("ok", m, p, 2, f)
        for m in ("once", "on")
        for p, f in zip(PROVIDERS, ("groq", "xai", "openai", "gemini"), strict=True)
    ]
    outcomes = [run_cell(cell, variables, fake, best) for cell in cells]
    head, *rows = table(outcomes)
    assert head.split()[:2] == ["fault", "gemini"]
    assert len(rows) == 2
    assert "0 broken promises; 32 added the right product, 0 added twice" in summary(outcomes, 1.0)
