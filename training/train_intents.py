"""Train the intent classifier and write its weights file; print what it reaches on messages of hands it has not seen.

    python training/train_intents.py            # train, report, write
    python training/train_intents.py --dry-run  # report only
    python training/train_intents.py --final    # also measure the halves of the test sets that nobody may tune to

The same input gives the same file. Each hand is judged by a model that has not read it; temperature and threshold come
from these judgements, the weights that are written from all hands. The held-out hands take no part in either.
"""

import argparse
import base64
import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from corpus import ROOT, Heard, Message, hear, read_messages, varied
from regression import Floats, Integers, Model, Rows, fit, softmax, temperature
from shopping_agent.domain.understanding.classifier import INTENTS, WEIGHTS, Classifier
from shopping_agent.domain.understanding.intents import decide
from shopping_agent.domain.understanding.signals import BUCKETS

SEED = 20261130
COPIES = 3
WORTH_OF_A_COPY = 0.5
L2 = 3e-5
# The most that may go to the answer without tools; of cart messages half of what is allowed: the next hand is another.
MOST_TO_RAG = {"cart": 0.005, "recommendation": 0.015, "general": 0.02}
RESAMPLES = 1000
KNOWLEDGE = INTENTS.index("knowledge")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--dry-run", action="store_true", help="report only")
    parser.add_argument("--final", action="store_true", help="measure the closed halves too")
    given = parser.parse_args()

    messages = read_messages(ROOT / "intents")
    chance = random.Random(SEED)
    copies = [copy for message in messages for copy in varied(message, COPIES, chance)]
    heard, heard_copies = hear(messages), hear(copies)

    unseen = by_other_hands(messages, heard, copies, heard_copies)
    labels = labels_of(messages)
    heat = temperature(unseen, labels)
    certain = threshold(softmax(unseen / heat), heard, labels)
    print(f"{len(messages)} messages, temperature {heat}, to RAG from {certain}")
    report("each hand by the others", messages, heard, softmax(unseen / heat), certain)

    model = trained_on(messages, heard, copies, heard_copies)
    document = packed(model, heat, certain)
    classifier = Classifier.from_document(document)
    for hand, theirs in held_out(closed=given.final).items():
        heard_theirs = hear(theirs)
        odds = np.array([[*classifier.probabilities(h.signals).values()] for h in heard_theirs])
        report(f"held out, {hand}", theirs, heard_theirs, odds, certain)
    if not given.dry_run:
        Path(WEIGHTS).write_text(json.dumps(document, indent=0) + "\n", encoding="ascii")
        print(f"{Path(WEIGHTS).name}: {Path(WEIGHTS).stat().st_size / 1000:.0f} kB")


def held_out(*, closed: bool) -> dict[str, list[Message]]:
    """Messages by hand that no training reads; the closed halves only for a final measure."""
    folder = ROOT / "heldout"
    hands: dict[str, list[Message]] = {}
    for message in [
        *read_messages(folder, "hand_*.jsonl"),
        *read_messages(folder, "intents_*.jsonl"),
    ]:
        if closed or not message.hand.endswith("-b"):
            hands.setdefault(message.hand, []).append(message)
    return hands


def labels_of(messages: Sequence[Message]) -> Integers:
    return np.array([INTENTS.index(message.intent) for message in messages])


def trained_on(
    messages: Sequence[Message],
    heard: Sequence[Heard],
    copies: Sequence[Message],
    heard_copies: Sequence[Heard],
    without: str = "",
) -> Model:
    """A model of all hands but one; copies of a message weigh less than the message."""
    own = [i for i, message in enumerate(messages) if message.hand != without]
    copied = [i for i, message in enumerate(copies) if message.hand != without]
    rows = Rows.of([*(heard[i].signals for i in own), *(heard_copies[i].signals for i in copied)])
    labels = labels_of([*(messages[i] for i in own), *(copies[i] for i in copied)])
    importance = np.array([1.0] * len(own) + [WORTH_OF_A_COPY] * len(copied))
    return fit(rows, labels, importance, L2)


def by_other_hands(
    messages: Sequence[Message],
    heard: Sequence[Heard],
    copies: Sequence[Message],
    heard_copies: Sequence[Heard],
) -> Floats:
    """Logits of each message from a model that has not read its hand."""
    logits = np.zeros((len(messages), len(INTENTS)))
    for hand in sorted({message.hand for message in messages}):
        model = trained_on(messages, heard, copies, heard_copies, without=hand)
        own = [i for i, message in enumerate(messages) if message.hand == hand]
        logits[own] = model.logits(Rows.of([heard[i].signals for i in own]))
    return logits


def threshold(odds: Floats, heard: Sequence[Heard], labels: Integers) -> float:
    """The lowest probability of knowledge from which few enough other messages go to RAG."""
    free = np.array([h.free and not h.courteous for h in heard])
    for certain in np.arange(0.5, 0.99, 0.01):
        sent = free & (odds[:, KNOWLEDGE] >= certain)
        shares = {name: sent[labels == INTENTS.index(name)].mean() for name in MOST_TO_RAG}
        if all(shares[name] <= most for name, most in MOST_TO_RAG.items()):
            return round(float(certain), 2)
    return 0.99


def packed(model: Model, heat: float, certain: float) -> dict[str, object]:
    """The weights file: eight bits a weight, the temperature folded into scale and bias."""
    highest = float(np.abs(model.weights).max())
    steps = np.rint(model.weights / highest * 127).astype(np.int8)
    return {
        "buckets": BUCKETS,
        "intents": list(INTENTS),
        "scale": round(highest / 127 / heat, 8),
        "bias": [round(float(value) / heat, 6) for value in model.bias],
        "certain": certain,
        "weights": base64.b64encode(steps.tobytes()).decode("ascii"),
    }


def report(
    title: str,
    messages: Sequence[Message],
    heard: Sequence[Heard],
    odds: Floats,
    certain: float,
) -> None:
    """Macro-F1 of rules, classifier and both, per language with 95 % intervals; confusions; what goes to RAG."""
    labels = labels_of(messages)
    rules = np.array([_ruled(h) for h in heard])
    alone = np.array([_likely(h, given) for h, given in zip(heard, odds, strict=True)])
    both = np.array([_decided(h, given) for h, given in zip(heard, odds, strict=True)])
    print(f"\n{title}: macro-F1 of rules, classifier, both")
    languages = np.array([message.language for message in messages])
    for language in (*sorted(set(languages)), "all"):
        own = np.ones(len(labels), dtype=bool) if language == "all" else languages == language
        shown = "   ".join(
            _with_interval(labels[own], guess[own]) for guess in (rules, alone, both)
        )
        print(f"  {language:9}{own.sum():5}   {shown}")
    hands = np.array([message.hand for message in messages])
    for hand in sorted(set(hands)) if len(set(hands)) > 1 else ():
        own = hands == hand
        shown = "   ".join(f"{macro_f1(labels[own], g[own]):.3f}" for g in (rules, alone, both))
        print(f"  {hand:9}{own.sum():5}   {shown}")
    print("  rows: meant, columns: understood  ", *INTENTS)
    for i, intent in enumerate(INTENTS):
        counts = [int(((labels == i) & (both == j)).sum()) for j in range(len(INTENTS))]
        print(f"  {intent:15}", *(f"{count:6}" for count in counts))
    free = np.array([h.free and not h.courteous for h in heard])
    sent = free & (both == KNOWLEDGE) & (odds[:, KNOWLEDGE] >= certain)
    for i, intent in enumerate(INTENTS):
        own = labels == i
        print(
            f"  {intent} to RAG: {int(sent[own].sum())} of {int(own.sum())} ({sent[own].mean():.1%})"
        )


def _ruled(heard: Heard) -> int:
    if heard.courteous:
        return INTENTS.index("general")
    return INTENTS.index(max(heard.scores, key=lambda intent: heard.scores[intent]))


def _likely(heard: Heard, odds: Floats) -> int:
    return INTENTS.index("general") if heard.courteous else int(odds.argmax())


def _decided(heard: Heard, odds: Floats) -> int:
    if heard.courteous:
        return INTENTS.index("general")
    given = dict(zip(INTENTS, odds.tolist(), strict=True))
    return INTENTS.index(decide(heard.scores, given)[0])


def macro_f1(labels: Integers, guess: Integers) -> float:
    scores: list[float] = []
    for i in range(len(INTENTS)):
        both = int(((labels == i) & (guess == i)).sum())
        either = int((labels == i).sum() + (guess == i).sum())
        scores.append(2 * both / either if either else 0.0)
    return sum(scores) / len(scores)


def _with_interval(labels: Integers, guess: Integers) -> str:
    """Macro-F1 with its bootstrap interval."""
    chance = np.random.default_rng(SEED)
    draws = chance.integers(0, len(labels), (RESAMPLES, len(labels)))
    low, high = np.percentile([macro_f1(labels[d], guess[d]) for d in draws], [2.5, 97.5])
    return f"{macro_f1(labels, guess):.3f} [{low:.3f} {high:.3f}]"


if __name__ == "__main__":
    main()
