"""How often the write gates stand in the way of what a shopper meant, over every scripted conversation."""

from collections import Counter
from typing import Any

import pytest
from shopping_agent.application.tools.gates import WriteGates

from evaluation.scenarios import play, scenarios

MOST_FALSE_BLOCKS = 0.01  # of the turns that are to change the cart
MOST_FALSE_QUESTIONS = 0.01  # of all turns


@pytest.fixture
def refusals(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The codes of every refusal of a gate, as they come."""
    codes: list[str] = []

    def recorded(name: str) -> Any:
        gate = getattr(WriteGates, name)

        def call(self: WriteGates, *arguments: Any) -> Any:
            refused = gate(self, *arguments)
            if refused is not None:
                codes.append(refused["error"]["code"])
            return refused

        return call

    for name, gate in list(vars(WriteGates).items()):
        if callable(gate) and not name.startswith("_"):
            monkeypatch.setattr(WriteGates, name, recorded(name))
    return codes


class Counting:
    """A shopper's client that notes how many refusals there were when each of its turns began."""

    def __init__(self, client: Any, codes: list[str]) -> None:
        self._client, self._codes = client, codes
        self.before: list[int] = []

    def __call__(self, message: str) -> Any:
        self.before.append(len(self._codes))
        return self._client(message)

    def at_store(self, *arguments: Any) -> Any:
        self.before.append(len(self._codes))
        return self._client.at_store(*arguments)


def test_the_gates_rarely_stand_in_the_way(settings, use, new_shopper, refusals):
    use(settings)
    counts = Counter[str]()
    for scenario in scenarios():
        if "gap" in scenario:
            continue
        client = Counting(new_shopper(), refusals)
        turns = play(scenario, client)  # pyright: ignore[reportArgumentType]
        ends = [*client.before[1:], len(refusals)]
        for turn, step, start, end in zip(
            turns, scenario["turns"], client.before, ends, strict=True
        ):
            expect = step["expect"]
            changes = "lines" in expect or (expect.get("cart") and not expect.get("unchanged"))
            wrong = bool(turn.verdicts.get("cart"))
            counts["turns"] += 1
            counts["changes"] += bool(changes)
            counts["refused"] += end > start
            counts["blocked"] += bool(changes and end > start and wrong)
            counts["asked"] += any("question where none" in f for f in turn.faults)
    print(dict(counts))
    assert counts["changes"] > 200
    assert counts["blocked"] <= MOST_FALSE_BLOCKS * counts["changes"], counts
    assert counts["asked"] <= MOST_FALSE_QUESTIONS * counts["turns"], counts
