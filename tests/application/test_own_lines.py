"""Sentences of ours pass the check untouched; what a model adds around them does not."""

from dataclasses import replace

import pytest
from shopping_agent.application.counsel import Counsel
from shopping_agent.application.observations import Observations
from shopping_agent.application.own_lines import checked_without, own_texts
from shopping_agent.application.verification import Verdict
from shopping_agent.domain.cart import Cart

OURS = "Left out: Oud Noir. Oud can be hard to bear."
COUNSEL = Counsel(
    profile=("hot climate",), lines=(OURS,), questions=({"key": "k", "text": "Where?", "answers": []},)
)  # fmt: skip


@pytest.fixture
def observed() -> Observations:
    found = Observations(0.0, Cart((), "MAD", 0))
    found.counsel = COUNSEL
    return found


def refuses_oud(text: str) -> Verdict:
    """A check that drops every line with the word oud."""
    kept = [line for line in text.split("\n") if "oud" not in line.lower()]
    if len(kept) == len(text.split("\n")):
        return Verdict(text, text)
    return Verdict(text, "\n".join(kept), ("notes",), unheld=text, facts=(f"not: {text}",))


def test_what_is_ours_is_the_sentences_the_questions_and_the_profile(observed) -> None:
    assert set(own_texts(observed)) == {OURS, "Where?", "hot climate"}


def test_our_sentence_passes(observed) -> None:
    verdict = checked_without(own_texts(observed), f"Take One.\n{OURS}", refuses_oud)
    assert (verdict.faults, verdict.kept) == ((), f"Take One.\n{OURS}")


def test_what_a_model_adds_is_checked_and_ours_is_kept(observed) -> None:
    text = f"Take Oud Noir.\n{OURS}\nFor a hot climate."
    verdict = checked_without(own_texts(observed), text, refuses_oud)
    assert verdict.faults == ("notes",)
    assert verdict.kept == f"{OURS}\nFor a hot climate."
    assert verdict.text == verdict.unheld == text


def test_a_sentence_that_is_only_like_ours_is_checked(observed) -> None:
    changed = OURS.replace("hard", "easy")
    assert checked_without(own_texts(observed), changed, refuses_oud).faults == ("notes",)


def test_without_advice_every_word_is_checked(observed) -> None:
    observed.counsel = None
    assert own_texts(observed) == ()
    assert checked_without((), OURS, refuses_oud).faults == ("notes",)


def test_lines_of_why_not_are_ours_too(observed) -> None:
    observed.counsel = replace(COUNSEL, lines=(), questions=(), profile=())
    observed.why_not = {"lines": ["Oud Noir is left out."]}
    assert own_texts(observed) == ("Oud Noir is left out.",)
