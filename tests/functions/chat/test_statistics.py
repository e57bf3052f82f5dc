"""What turns add to the day's statistics, through the real handler."""

from typing import Any

import pytest
from shopping_agent import bootstrap
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.statistics import Day


def today() -> Day:
    (day,) = bootstrap.statistics(bootstrap.settings()).days(1, Deadline.after(5))
    return day


def added(before: Day) -> dict[str, int]:
    now = today().counts
    return {n: c - before.counts.get(n, 0) for n, c in now.items() if c > before.counts.get(n, 0)}


def test_a_turn_is_counted_once_with_what_it_was(say: Any) -> None:
    before = today()
    say("Something fresh for summer, under 800 MAD, and add the best one to my cart")
    counts = added(before)
    for name in ("turns", "intent:cart", "route:agent", "language:en", "finish:answered"):
        assert counts.pop(name) == 1, name
    assert counts.pop("action:add") == 1
    assert sum(c for n, c in counts.items() if n.startswith("ms:")) == 1
    assert sum(c for n, c in counts.items() if n.startswith("hour:")) == 1


@pytest.mark.parametrize("message", ["do you sell car tyres for a Dacia?"])
def test_a_question_without_an_answer_is_counted_with_its_words(say: Any, message: str) -> None:
    before = today()
    answer = say(message)
    counts = added(before)
    told = {**dict(today().texts["questions"]), **dict(today().texts["searches"])}
    assert counts.get("unanswered", 0) + counts.get("fruitless", 0) >= 1, answer.json
    assert message in told


def test_a_search_that_nothing_meets_is_counted(say: Any) -> None:
    before = today()
    say("show me rose perfumes for men under 20 MAD")
    assert added(before).get("fruitless") == 1


def test_words_of_health_and_contacts_are_not_kept(say: Any) -> None:
    say("rose perfume under 3 MAD for my migraine, write to me@shop.example")
    kept = " ".join(text for found in today().texts.values() for text, _ in found)
    assert "migraine" not in kept
    assert "me@shop.example" not in kept


def test_a_refused_change_is_counted_by_its_code(say: Any) -> None:
    before = today()
    say("add Citron Beldi to my cart")
    refused = {n: c for n, c in added(before).items() if n.startswith("refused:")}
    asked = added(before).get("finish:clarify", 0)
    assert refused or asked
