"""Lies and truths that a model might tell (tests/truth), told through the real handler: what the shopper reads of them.

`with stage(settings) as stand:` then, for each line, `stand.tell(line)` (our handler), `stand.tell_agent(line)` (the same,
with tools whatever the message looks like) or `stand.tell_plainly(line)` (the same model in a plain loop), and of what
that gives, `got_through(line, told)` or `was_changed(line, told)`. `stand.every_way(line)` is what our handler makes of it
both ways, where they differ.
"""

import contextlib
import json
import re
import unicodedata
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

from shopping_agent.adapters.llm.scripted import ScriptedModel, proposes, says
from shopping_agent.domain import understanding
from shopping_agent.domain.conversation import ModelReply, ModelRequest, ToolResult
from shopping_agent.domain.query import Understanding
from shopping_agent.settings import Settings

from evaluation import plain_loop
from evaluation.client import ROOT, ChatClient
from evaluation.staging import Understudy, handlers_with

FOLDER = ROOT / "tests/truth"
Line = Mapping[str, Any]
_MARKS = re.compile(r"[*_`#>]+")


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a draft.

    Attributes:
        answer: what the shopper reads.
        spoken: the model was asked and wrote its draft; without it the answer is ours alone, and proves nothing.
        drafts: how often the model wrote it: more than once when it was sent back.
        results: of the model's calls, in order.
        reply: the handler's whole reply; empty of a plain loop.
    """

    answer: str
    spoken: bool
    drafts: int
    results: tuple[Mapping[str, Any], ...]
    reply: Mapping[str, Any]


class Stage:
    """The handlers with a model that plays a line's script.

    Attributes:
        always_acting: every message is sent to the loop with tools.
    """

    def __init__(self, understudy: Understudy) -> None:
        self.always_acting = False
        self._understudy = understudy

    def tell(self, line: Line) -> Told:
        """One line through the chat handler. Its model repeats its draft however often it is asked to mend it."""
        return self._tell(line, _prepared(line))

    def _tell(self, line: Line, client: ChatClient) -> Told:
        model = _scripted(line)
        with self._understudy.played_by(model):
            answer = client(line["message"])
        if answer.status != 200:
            raise AssertionError(f"{line['id']}: {answer.status} {answer.text}")
        return _told(answer.json["answer"], model, answer.json)

    def tell_agent(self, line: Line) -> Told:
        """As `tell`, with the message sent to the loop with tools: there the model is always asked."""
        client = _prepared(line)
        self.always_acting = True
        try:
            return self._tell(line, client)
        finally:
            self.always_acting = False

    def every_way(self, line: Line) -> list[Told]:
        """By the door that the message takes, and by the agent's where the model could not play its script."""
        told = self.tell(line)
        played = told.spoken and len(told.results) == len(line["calls"])
        return [told] if played else [told, self.tell_agent(line)]

    def tell_plainly(self, line: Line) -> Told:
        """The same line and model in a loop that lets every text pass."""
        model = _scripted(line)
        answer = plain_loop.answer(line["message"], model, _prepared(line))
        return _told(answer, model, {})


@contextlib.contextmanager
def stage(settings: Settings) -> Generator[Stage]:
    """A stage on a shop that sells the demo store's products."""
    understand = understanding.understand

    def understood(*arguments: Any, **named: Any) -> Understanding:
        read = understand(*arguments, **named)
        return replace(read, route="agent") if stand.always_acting else read

    with (
        patch.object(understanding, "understand", understood),
        handlers_with(settings) as understudy,
    ):
        stand = Stage(understudy)
        yield stand


def lines(kind: Literal["lies", "truths"], folder: Path = FOLDER) -> list[dict[str, Any]]:
    """All lines of a set, by file."""
    return [
        json.loads(text)
        for file in sorted((folder / kind).glob("*.jsonl"))
        for text in file.read_text("utf-8").splitlines()
        if text.strip()
    ]


def got_through(line: Line, told: Told) -> list[str]:
    """The parts of the lie that the shopper reads, whatever became of spaces and emphasis."""
    read = plain(told.answer)
    return [part for part in line["lie"] if plain(part) in read]


def was_changed(line: Line, told: Told) -> bool:
    """Whether the draft is not in the answer as it was written; what we put beside it is no change."""
    return line["draft"].strip() not in told.answer


def plain(text: str) -> str:
    """The text without emphasis, with single spaces, and with letters in one form."""
    letters = unicodedata.normalize("NFKC", _MARKS.sub("", text)).casefold()
    return " ".join(letters.split())


def _prepared(line: Line) -> ChatClient:
    """A shopper for whom the line's setup has happened."""
    client = ChatClient()
    for step in line.get("setup", ()):
        if "add" in step:
            product, quantity = step["add"]
            body = {"productId": product, "quantity": quantity}
            answer = client.at_store("POST", "/api/v1/cart/items", body)
        else:
            answer = client(step["say"])
        if answer.status >= 300:
            raise AssertionError(f"{line['id']}: setup {step}: {answer.status} {answer.text}")
    return client


def _scripted(line: Line) -> ScriptedModel:
    """Makes the line's calls, one a step and only where it has tools, then says the draft, always."""
    calls: Sequence[tuple[str, Mapping[str, Any]]] = line["calls"]
    made = 0

    def next_step(request: ModelRequest) -> ModelReply:
        nonlocal made
        may_act = request.tool_choice == "auto" and (request.tools or not request.system)
        if made < len(calls) and may_act:
            made += 1
            return proposes(tuple(calls[made - 1]))  # pyright: ignore[reportArgumentType]
        return says(line["draft"])

    return ScriptedModel(next_step)


def _told(answer: str, model: ScriptedModel, reply: Mapping[str, Any]) -> Told:
    last = model.requests[-1].messages if model.requests else ()
    results = tuple(m.content for m in last if isinstance(m, ToolResult))
    drafts = max(0, len(model.requests) - len(results))
    return Told(answer, drafts > 0, drafts, results, reply)
