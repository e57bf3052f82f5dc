"""Scripted conversations of shoppers (tests/scenarios/*.jsonl), played on the real handlers and judged turn by turn.

A line: `{"id","lang","heldOut","kind"?,"gap"?,"turns":[{"say"|"do","as"?,"before"?,"expect"}]}`. `as` remembers the
products of that turn under a letter. `before` is what happens to the store first: `{"price":{id:amount},"stock":{id:n}}`.
`do: "undo"` presses undo instead of writing. `gap` says why a conversation does not end well yet.
What `expect` may state is in `evaluation.rubrics`.
"""

import contextlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from shopping_agent import bootstrap
from shopping_agent.domain.catalog import LiveFacts, PriceTag
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.money import to_minor

from evaluation.client import ROOT, ChatAnswer, ChatClient
from evaluation.facts import Facts
from evaluation.rubrics import Lists, Moment, Rubric, judge

FOLDER = ROOT / "tests/scenarios"
_SECONDS = 10.0
_EMPTY: Mapping[str, Any] = {"items": (), "total": 0}


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """A turn that was played, with the faults of each rubric that applies to it."""

    said: str
    reply: Mapping[str, Any]
    verdicts: Mapping[Rubric, Sequence[str]]

    @property
    def faults(self) -> list[str]:
        return [f"{rubric}: {f}" for rubric, faults in self.verdicts.items() for f in faults]

    def __str__(self) -> str:
        answer = self.reply.get("answer", "")
        return f"{self.said} -> {self.reply.get('intent', '')}: {answer}"


def scenarios() -> list[dict[str, Any]]:
    """Every conversation."""
    return [
        json.loads(line)
        for file in sorted(FOLDER.glob("*.jsonl"))
        for line in file.read_text("utf-8").splitlines()
        if line.strip()
    ]


Around = Callable[[Mapping[str, Any], Lists, Mapping[str, Any]], AbstractContextManager[None]]


def _nothing(*_: Any) -> AbstractContextManager[None]:
    return contextlib.nullcontext()


def play(
    scenario: Mapping[str, Any], client: ChatClient, around: Around = _nothing
) -> list[JudgedTurn]:
    """The conversation of a new shopper; what it changes of the store is changed back.

    Args:
        around: entered for each reply, with the turn, the products remembered and the cart before it.
    """
    played: list[JudgedTurn] = []
    lists: dict[str, list[dict[str, Any]]] = {}
    said: list[str] = []
    cart, facts = _EMPTY, Facts()
    with _store_of_now() as change:
        for turn in scenario["turns"]:
            change(turn.get("before", {}), facts)
            words = turn.get("say", turn.get("do"))
            said.append(words)
            with around(turn, lists, cart):
                reply = _take(turn, client)
            moment = Moment(
                expect=turn["expect"], reply=reply, before=cart, lists=lists, said=said, facts=facts
            )
            played.append(JudgedTurn(words, reply, judge(moment)))
            cart = reply["cart"]
            if "as" in turn:
                lists[turn["as"]] = reply["products"]
    return played


def _take(turn: Mapping[str, Any], client: ChatClient) -> dict[str, Any]:
    """The reply; of a step that is no message, the cart alone."""
    if "say" in turn:
        return _good(client(turn["say"]))
    return {"cart": _good(client.at_store("POST", f"/api/v1/cart/{turn['do']}", {}))}


def _good(answer: ChatAnswer) -> dict[str, Any]:
    if answer.status != 200:
        raise AssertionError(f"{answer.status} {answer.text}")
    return answer.json


class _Changes:
    """Live facts as a scenario changes them."""

    def __init__(self) -> None:
        settings = bootstrap.settings()
        self._live = bootstrap.live_catalog(settings)
        self._currency = settings.store_currency
        self._before: dict[str, LiveFacts] = {}

    def __call__(self, wanted: Mapping[str, Mapping[str, Any]], facts: Facts) -> None:
        ids = [product_id for changes in wanted.values() for product_id in changes]
        if not ids:
            return
        known = self._live.get(ids, Deadline.after(_SECONDS))
        self._before = {**known, **self._before}
        for kind, changes in wanted.items():
            for product_id, value in changes.items():
                known[product_id] = self._changed(known[product_id], kind, value)
                facts.changed.setdefault(product_id, {})[kind] = value
        self._live.put(list(known.values()), Deadline.after(_SECONDS))

    def _changed(self, facts: LiveFacts, kind: str, value: Any) -> LiveFacts:
        if kind == "stock":
            return replace(facts, stock=value)
        tag = PriceTag(regular=to_minor(str(value), self._currency), currency=self._currency)
        return replace(facts, price=tag)

    def undo(self) -> None:
        if self._before:
            self._live.put(list(self._before.values()), Deadline.after(_SECONDS))


@contextlib.contextmanager
def _store_of_now() -> Generator[_Changes]:
    changes = _Changes()
    try:
        yield changes
    finally:
        changes.undo()
