"""What the tests of pitfalls share: the shopper's messages, and how to read what the provider was sent."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

from evaluation.client import ChatAnswer
from functions.local.fake_provider import Received, gemini_wire, openai_wire
from functions.local.fake_provider.conversation import Conversation
from functions.local.fake_provider.script import Dialect

PROVIDERS: Final[tuple[Dialect, ...]] = ("gemini", "groq", "xai", "openai")
LIKE_OPENAI: Final[tuple[Dialect, ...]] = ("groq", "xai", "openai")
MODELS: Final[Mapping[Dialect, str]] = {
    "gemini": "gemini-3.5-flash",
    "groq": "openai/gpt-oss-120b",
    "xai": "grok-4.3",
    "openai": "llama3.1",
}
T = TypeVar("T")


def spread(values: Iterable[T], *, gemini: bool = True) -> list[tuple[Dialect, T]]:
    """Each value at Gemini and at one of the others in turn: they share a decoder, all values at all would take minutes."""
    found: list[tuple[Dialect, T]] = []
    for number, value in enumerate(values):
        found.append((LIKE_OPENAI[number % len(LIKE_OPENAI)], value))
        if gemini:
            found.append(("gemini", value))
    return found


FLAGSHIP: Final = "Something fresh for summer, under 800 MAD, and add the best one to my cart."
QUESTION: Final = "Do you deliver to Agadir, and how long does it take?"
_MARKUP: Final = re.compile(
    r"<\s*/?\s*(?:function|tool|think|xai|data|\|)|functionCall|tool_calls|default_api|\{\s*\"|```"
    r"|Malformed function call|failed_generation|<\|",
    re.IGNORECASE,
)
_ADDED: Final = re.compile(r"\b(?:added|in your cart)\b|ajouté|أضفت", re.IGNORECASE)


def conversation(request: Received) -> Conversation:
    """A request as a model reads it."""
    read = (
        gemini_wire.conversation_of if request.dialect == "gemini" else openai_wire.conversation_of
    )
    return read(request.body)


def results(request: Received) -> list[tuple[str, Mapping[str, Any]]]:
    """The tool results in a request: name and content, in order."""
    return [(r.tool, r.content) for r in conversation(request).results]


def errors(request: Received) -> list[str]:
    """The codes of the tool results that are errors."""
    return [c["error"]["code"] for _, c in results(request) if isinstance(c.get("error"), dict)]


def assert_honest(answer: ChatAnswer, best: str) -> None:
    """A reply as it must be however the model behaved.

    It has a text, without markup; the cart holds one of the right product or nothing; what the text claims is so.
    """
    assert answer.status == 200, answer.text
    text = answer.json["answer"]
    assert text.strip()
    assert not _MARKUP.search(text), text
    assert answer.cart in ({}, {best: 1}), answer.cart
    assert [a["type"] for a in answer.json["actions"]] == ["add"] * len(answer.cart)
    if not answer.cart:
        assert not _ADDED.search(text), text


def assert_added(answer: ChatAnswer, best: str) -> None:
    """The flagship turn as it should end: one of the right product, and the reply says so."""
    assert_honest(answer, best)
    assert answer.cart == {best: 1}, answer.text
    assert answer.json["finish"] == "answered"
    assert product_named(answer)


def product_named(answer: ChatAnswer) -> bool:
    """Whether the reply names the one product of the cart."""
    [line] = answer.json["cart"]["items"]
    return line["name"].split(" - ")[0] in answer.json["answer"]
