"""The messages that the classifier learns from, and a floor on those that it does not."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from shopping_agent.domain.intent import LANGUAGES
from shopping_agent.domain.understanding.classifier import INTENTS

TRAINING = Path(__file__).parents[3] / "training"
HANDS = sorted((TRAINING / "intents").glob("*.jsonl"))
SHORT = 3  # words of a message that everyone writes alike ("how much?")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _held_out() -> list[dict[str, Any]]:
    return _lines(TRAINING / "heldout" / "hand_x.jsonl")


@pytest.mark.parametrize("path", HANDS, ids=lambda path: path.stem)
def test_lines_of_a_hand_are_labelled_and_distinct(path):
    lines = _lines(path)
    assert {line["language"] for line in lines} <= set(LANGUAGES)
    assert {line["intent"] for line in lines} <= set(INTENTS)
    assert {line["hand"] for line in lines} == {path.stem}
    assert {line.get("context", {}).get("previous") for line in lines} <= {None, *INTENTS}
    assert all(name in line["text"] for line in lines for name in line.get("names", ()))
    texts = Counter(
        (line["text"].casefold(), line["language"], json.dumps(line.get("context")))
        for line in lines
    )
    assert [text for text, count in texts.items() if count > 1] == []


def test_no_held_out_message_is_trained_on():
    trained_on = {line["text"].casefold() for path in HANDS for line in _lines(path)}
    held_out = [line["text"].casefold() for line in _held_out()]
    assert [t for t in held_out if t in trained_on and len(t.split()) > SHORT] == []


def test_held_out_messages_reach_the_intents_and_routes_promised(reading):
    """Floors: the written promise is macro-F1 0.65, at most 1 % of cart and at least 20 % of knowledge messages to RAG."""
    hits: Counter[str] = Counter()
    meant: Counter[str] = Counter()
    understood_as: Counter[str] = Counter()
    to_rag: Counter[str] = Counter()
    for line in _held_out():
        understood = reading(line["text"])
        meant[line["intent"]] += 1
        understood_as[understood.intent] += 1
        hits[line["intent"]] += understood.intent == line["intent"]
        to_rag[line["intent"]] += understood.route == "rag"
    scores = [2 * hits[i] / (meant[i] + understood_as[i]) for i in INTENTS]
    assert sum(scores) / len(scores) >= 0.75
    assert to_rag["cart"] / meant["cart"] <= 0.01
    assert to_rag["knowledge"] / meant["knowledge"] >= 0.3
