"""Scripted conversations of shoppers (tests/scenarios/*.jsonl) go well by every rubric of `evaluation.rubrics`."""

import pytest

from evaluation.scenarios import play, scenarios


@pytest.mark.parametrize(
    "scenario",
    [
        pytest.param(
            s,
            id=s["id"] + ("-heldout" if s["heldOut"] else ""),
            marks=[pytest.mark.xfail(reason=s["gap"], strict=True)] if "gap" in s else [],
        )
        for s in scenarios()
    ],
)
def test_a_conversation_ends_in_the_right_state(say, scenario):
    for turn in play(scenario, say):
        assert not turn.faults, f"{turn}"
