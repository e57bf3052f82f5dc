"""The rubrics' shares over all conversations, and what their models cost."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluation.client import ChatAnswer, ChatClient
from evaluation.intervals import Metric, metric, share
from evaluation.rubrics import RUBRICS
from evaluation.scenarios import JudgedTurn, play, scenarios

MOST_WAITS = 5
LONGEST_WAIT = 60.0


@dataclass
class Spent:
    """What a run's models used; `dollars` is None once a price was not known."""

    turns: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    dollars: float | None = 0.0

    def add(self, usage: Mapping[str, Any]) -> None:
        self.turns += 1
        self.calls += usage["calls"]
        self.input_tokens += usage["inputTokens"]
        self.output_tokens += usage["outputTokens"]
        cost = usage["costUsd"]
        self.dollars = None if self.dollars is None or cost is None else self.dollars + cost


@dataclass
class ScenarioScore:
    """Metrics, every fault with its turn, and the cost."""

    metrics: list[Metric]
    faults: list[Mapping[str, Any]]
    conversations: int
    spent: Spent = field(default_factory=Spent)


class PatientClient(ChatClient):
    """Waits where a provider's rate limit says how long."""

    def __call__(self, message: Any, **fields: Any) -> ChatAnswer:
        answer = super().__call__(message, **fields)
        for _ in range(MOST_WAITS):
            if answer.status != 429:
                break
            time.sleep(min(LONGEST_WAIT, float(answer.headers.get("Retry-After", "5"))))
            answer = super().__call__(message, **fields)
        return answer


def scenario_score(
    chosen: Iterable[Mapping[str, Any]] | None = None,
    new_client: Callable[[], ChatClient] = PatientClient,
) -> ScenarioScore:
    """Play conversations (all of them by default). One that breaks off has failed by every rubric."""
    played = [(s, _played(s, new_client())) for s in (scenarios() if chosen is None else chosen)]
    metrics = [
        metric(
            f"scenarios.{rubric}",
            f"scenarios: {rubric}",
            [(s["lang"], _counts(turns, rubric)) for s, turns in played],
            share,
        )
        for rubric in RUBRICS
    ]
    whole = [(s["lang"], (int(not any(t.faults for t in turns)), 1)) for s, turns in played]
    metrics.append(metric("scenarios.whole", "scenarios: without any fault", whole, share))
    score = ScenarioScore(
        metrics, [f for s, turns in played for f in _faults(s, turns)], len(played)
    )
    for _, turns in played:
        for turn in turns:
            if "usage" in turn.reply:
                score.spent.add(turn.reply["usage"])
    return score


def _played(scenario: Mapping[str, Any], client: ChatClient) -> Sequence[JudgedTurn]:
    try:
        return play(scenario, client)
    except (AssertionError, LookupError) as error:
        broken = [f"the conversation broke off: {error}"]
        return [JudgedTurn(scenario["id"], {}, dict.fromkeys(RUBRICS, broken))]


def _counts(turns: Sequence[JudgedTurn], rubric: str) -> tuple[int, int]:
    judged = [faults for turn in turns for name, faults in turn.verdicts.items() if name == rubric]
    return sum(not faults for faults in judged), len(judged)


def _faults(scenario: Mapping[str, Any], turns: Sequence[JudgedTurn]) -> list[Mapping[str, Any]]:
    known = {"gap": scenario["gap"]} if "gap" in scenario else {}
    return [
        {"id": scenario["id"], **known, "turn": str(turn), "faults": turn.faults}
        for turn in turns
        if turn.faults
    ]
