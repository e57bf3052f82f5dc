"""The intent of a message from what was found in it, with a confidence, and the way it is sent.

Rules score what was found; where they are not certain a trained classifier decides, which has their scores among its
signals. No wrong door: only a question about texts or product facts that the classifier is sure of, and that is free
of cart talk and of any wish to find something, is answered without tools. Everything else reaches the agent.
"""

import math
from collections.abc import Mapping
from typing import Final

from shopping_agent.domain.intent import Intent, Route
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.understanding.actions import Acts
from shopping_agent.domain.understanding.classifier import trained
from shopping_agent.domain.understanding.clauses import asked, part_of_phrase
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.understanding.signals import signals

_CART_TALK: Final = (
    *("add", "put", "take", "remove", "undo", "change", "swap", "keep", "empty", "cart"),
    *("pay", "checkout", "total"),
)
_EVERYDAY: Final = frozenset({"take", "put", "change", "keep"})
_CERTAIN: Final = 0.9  # from here on the rules decide alone
_GUESS: Final = 0.5  # below, what the classifier finds likeliest is a guess
_PLAUSIBLE: Final = (
    0.3  # and gives way to the rules' intent, if it finds that one as likely as this
)
_ACTS: Final = 2.5  # what an action takes from the intents that do nothing
_ORDER_NUMBER: Final = 1000
_GREETINGS: Final = ("greeting", "wellbeing", "thanks", "bye", "wish")
_PRODUCT_TOPICS: Final = frozenset({"notes", "longevity", "sillage", "price", "stock", "size", "comparison", "suitability", "details", "origin"})  # fmt: skip


def classify(
    reading: Reading,
    query: ShopperQuery,
    done: Acts,
    *,
    previous: Intent | None,
    pending: bool,
) -> tuple[Intent, Route, float]:
    """Intent, route and the confidence of the intent (0..1)."""
    if not pending and is_courtesy(reading):
        return "general", "greeting", 0.95
    scores = rule_scores(reading, query, done, previous=previous, pending=pending)
    seen = signals(reading, query, done, scores, previous=previous, pending=pending)
    classifier = trained()
    odds = classifier.probabilities(seen)
    answers = pending and (query.affirms or query.denies)
    intent, confidence = decide(scores, odds, by_rules=answers)
    sure = intent == "knowledge" and odds[intent] >= classifier.certain
    rag = sure and is_free_of_acts(reading, query, pending=pending)
    return intent, "rag" if rag else "agent", confidence


def decide(
    scores: Mapping[Intent, float], odds: Mapping[Intent, float], *, by_rules: bool = False
) -> tuple[Intent, float]:
    """The intent and its confidence: the rules' where they are certain, else the classifier's.

    Args:
        scores: of the rules, unbounded.
        odds: the classifier's probabilities.
        by_rules: the conversation tells what the message means (a yes or no to our question).
    """
    ruled = max(scores, key=lambda i: scores[i])
    certainty = math.exp(scores[ruled]) / sum(math.exp(s) for s in scores.values())
    if by_rules or certainty >= _CERTAIN:
        return ruled, round(certainty, 3)
    likely = max(odds, key=lambda i: odds[i])
    if odds[likely] < _GUESS and odds[ruled] >= _PLAUSIBLE:
        likely = ruled
    return likely, round(odds[likely], 3)


def is_courtesy(reading: Reading) -> bool:
    """Greetings, thanks and small words, and nothing else."""
    courtesy = reading.of("courtesy")
    if not any(m.concept in _GREETINGS for m in courtesy):
        return False
    polite = {i for m in (*courtesy, *reading.of("answer")) for i in range(m.start, m.end)}
    return all(i in polite or t.kind == "sign" for i, t in enumerate(reading.tokens))


def is_free_of_acts(reading: Reading, query: ShopperQuery, *, pending: bool) -> bool:
    """Whether nothing in a message may be cart talk or a wish to find something."""
    if pending or query.action != "none" or query.delegated or query.affirms:
        return False
    if (
        _goes_on(reading)
        or _talks_of_cart(reading)
        or reading.has("service")
        or query.quantity is not None
    ):
        return False
    if reading.has("modality", "if") and reading.has("pronoun"):
        return False
    return not (
        query.on_sale
        or reading.has("search", "want", "other")
        or query.min_price
        or query.max_price
    )


def _goes_on(reading: Reading) -> bool:
    """Whether more than courtesy follows a question: `... ? then put one aside`."""
    asked_at = [i for i in range(len(reading.tokens)) if reading.sign(i) in {"?", "؟"}]
    rest = range(asked_at[0] + 1, len(reading.tokens)) if asked_at else range(0)
    return any(not reading.sign(i) and not reading.covered(i, "courtesy") for i in rest)


def _talks_of_cart(reading: Reading) -> bool:
    """Any word of buying; `take` and its like inside a question are no such word (`does it take long`)."""
    return any(
        not part_of_phrase(reading, m) and not (m.concept in _EVERYDAY and asked(reading, m.start))
        for m in reading.of("action", *_CART_TALK)
    )


def rule_scores(
    reading: Reading,
    query: ShopperQuery,
    done: Acts,
    *,
    previous: Intent | None,
    pending: bool,
) -> dict[Intent, float]:
    """What the rules give each intent, before the classifier."""
    return {
        "cart": _cart(reading, query, done, previous=previous, pending=pending),
        "recommendation": _recommendation(reading, query),
        "knowledge": _knowledge(reading, query),
        "general": _general(reading, query),
    }


def _cart(
    reading: Reading,
    query: ShopperQuery,
    done: Acts,
    *,
    previous: Intent | None,
    pending: bool,
) -> float:
    score = 0.0
    if query.action != "none":
        score += 5.0
    if done.buying:
        score += 1.0
    if done.hypothetical:
        score += 2.0 if _spares_some(reading) else -1.0
    if reading.has("action", "take", "put", "add", "remove", "change", "keep"):
        score += 0.8
    if reading.has("action", "checkout", "empty", "pay"):
        score += 0.5
    if reading.has("action", "cart"):
        score += 0.8
    if query.quantity is not None and (query.references or not reading.asks):
        score += 1.5
    if query.affirms and (pending or previous == "cart"):
        score += 3.0
    if query.affirms and not reading.asks:
        score += 0.8
    return score


def _spares_some(reading: Reading) -> bool:
    """`don't clear the lot, just the candle`: a negated removal that asks for a smaller one."""
    removal = reading.has("action", "remove", "empty") and reading.has("joint", "only")
    return removal and not reading.asks


def _recommendation(reading: Reading, query: ShopperQuery) -> float:
    score = 0.4
    if query.wishes():
        score += 1.6
    if reading.has("accord"):
        score += 0.9
    if query.min_price is not None or query.max_price is not None:
        score += 1.0
    if reading.has("search", "want"):
        score += 0.9
    if reading.has("search", "suggest"):
        score += 1.3
    if reading.has("search", "other") or reading.has("bound", "cheaper", "cheap", "dearer"):
        score += 1.6
    if query.delegated or query.dearest:
        score += 1.0
    if query.references:
        score -= 0.7
    if query.exclude_notes:
        score += 0.8
    return score if query.action == "none" else score - _ACTS


def _knowledge(reading: Reading, query: ShopperQuery) -> float:
    score = 0.0
    topics = set(query.topics)
    if topics:
        score += 1.6 if reading.asks else 1.0
    if topics - _PRODUCT_TOPICS:
        score += 1.0 if reading.asks else 0.7
    if reading.questions():
        score += 1.2
    if reading.marked:
        score += 0.5
    if query.references or query.ordinal is not None or query.pronoun:
        score += 0.8 if reading.asks or topics else 0.0
    if reading.has("topic", "cart_help"):
        score += 2.0
    return score if query.action == "none" else score - _ACTS


def _general(reading: Reading, query: ShopperQuery) -> float:
    score = 0.3
    for concept in ("human", "complaint", "order_status", "about", "offtopic"):
        if reading.has("service", concept):
            score += 2.2
    if _mentions_order(reading):
        score += 2.5
    if reading.has("courtesy", "wish"):
        score += 1.2
    if reading.has("courtesy", *_GREETINGS):
        score += 0.6
    if reading.has("modality", "later", "browse"):
        score += 1.0
    if reading.has("modality", "browse"):
        score += 1.5
    if query.denies:
        score += 1.2
    if not (query.wishes() or query.topics or query.references or reading.has("search")):
        score += 0.8
    return score


def _mentions_order(reading: Reading) -> bool:
    """An order by its number: `order MA-55102`, `commande 20318`."""
    return any(
        token.value is not None and token.value >= _ORDER_NUMBER
        for match in reading.of("reference", "order")
        for token in reading.tokens[match.end : match.end + 4]
    )
