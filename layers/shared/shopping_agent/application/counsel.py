"""What the store's rules say of the products of a turn, in the shopper's words: reasons, what is left out, what to ask."""

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any, Final

from shopping_agent.application.counsel_words import CounselWords
from shopping_agent.application.recommendations import (
    Recommendations,
    exclusions_view,
    questions_view,
    reason_view,
    rule_text,
)
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.intent import Language
from shopping_agent.domain.recommendation import Dropped, Expert
from shopping_agent.domain.recommendation_score import Reason
from shopping_agent.domain.values import frozen

MOST_REASONS: Final = 3
_MOST_EXCLUDED: Final = 3
ACCOUNTED: Final = 3
"""As many products are presented; an account of the others is read by nobody."""


@frozen
class Counsel:
    """Advice of one turn, worded by the store's data.

    Attributes:
        profile: what it was judged by, in words ("hot climate", "office").
        told: the shopper told of themselves, now or before: the profile is shown back.
        reasons: by product id the texts of the rules that speak for it, the weightiest first.
        fits: by product id the words of the profile that these rules hold for.
        excluded: `{productId, name, rules: [{rule, terms, text}]}`.
        relaxed: `{what, text}` of wishes that gave way.
        questions: `{key, text, answers: [{value, label}]}`.
        scores: by product id, 0..100.
        lines: what of it is worth saying under the products, as sentences.
        remember: a chip that lets us keep what the shopper said of their health; "" where there is nothing to keep.
    """

    profile: tuple[str, ...] = ()
    told: bool = False
    reasons: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    fits: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    excluded: tuple[JsonObject, ...] = ()
    relaxed: tuple[JsonObject, ...] = ()
    questions: tuple[JsonObject, ...] = ()
    scores: dict[str, float] = field(default_factory=dict[str, float])
    lines: tuple[str, ...] = ()
    remember: str = ""

    def brief(self) -> dict[str, Any]:
        """As the first call of a model is given it."""
        facts: dict[str, Any] = {
            "say": list(self.lines),
            "questions": [{"text": q["text"], "answers": _labels(q)} for q in self.questions],
        }
        return {name: value for name, value in facts.items() if value}

    def view(self) -> dict[str, Any]:
        """As a model is given it; products carry their own reasons."""
        facts: dict[str, Any] = {
            "profile": list(self.profile) if self.told else [],
            "excluded": list(self.excluded),
            "relaxedRules": list(self.relaxed),
            "questions": [{"text": q["text"], "answers": _labels(q)} for q in self.questions],
        }
        return {name: value for name, value in facts.items() if value}

    def beside(self, products: Sequence[JsonObject]) -> list[JsonObject]:
        """Products of an observation, the first ones with what the rules say of them."""
        first = [{**p, **self._of_product(str(p["id"]))} for p in products[:ACCOUNTED]]
        return [*first, *products[ACCOUNTED:]]

    def _of_product(self, product_id: str) -> dict[str, Any]:
        """`{score?, reasons?, fits?}` of one product."""
        facts: dict[str, Any] = {
            "score": self.scores.get(product_id),
            "reasons": list(self.reasons.get(product_id, ())),
            "fits": list(self.fits.get(product_id, ())),
        }
        return {name: value for name, value in facts.items() if value}


def _labels(question: JsonObject) -> list[str]:
    return [answer["label"] for answer in question["answers"]]


def counsel_of(
    found: Recommendations,
    expert: Expert,
    language: Language,
    words: CounselWords,
    *,
    told: bool = False,
    left_out: Recommendations | None = None,
) -> Counsel:
    """The account of recommendations in a language.

    Args:
        told: the shopper told of themselves.
        left_out: the recommendations whose excluded products are told, where these have none.
    """
    schema = expert.schema
    speaking = {one.product.id: _speaking(one.reasons, expert) for one in found.products}
    counsel = Counsel(
        profile=tuple(schema.labels(found.profile, language)),
        told=told,
        reasons={
            key: tuple(_told(reason, expert, language) for reason in reasons)
            for key, reasons in speaking.items()
        },
        fits={key: _fits(reasons, found, expert, language) for key, reasons in speaking.items()},
        excluded=tuple(_excluded(left_out or found, expert, language))[:_MOST_EXCLUDED],
        relaxed=tuple(
            _dropped(one, expert, language)
            for one in (*found.advice.relaxed, *found.advice.overruled)
        ),
        questions=tuple(questions_view(found.questions, schema, language)),
        scores={one.product.id: one.score for one in found.products},
    )
    return replace(counsel, lines=_lines(counsel, found, words))


def _lines(counsel: Counsel, found: Recommendations, words: CounselWords) -> tuple[str, ...]:
    """The profile shown back, why the first, what is left out and what gave way; nothing for who told nothing."""
    if not (counsel.told and counsel.profile):
        return ()
    first = next((one.product for one in found.products if one.product.in_stock), None)
    reasons = counsel.reasons.get(first.id, ()) if first else ()
    return (
        words.kept_in_mind(counsel.profile),
        *((words.why(first.name, reasons[0]),) if first and reasons else ()),
        *words.left_out(counsel.excluded),
        *words.relaxed(counsel.relaxed),
    )


def _speaking(reasons: Sequence[Reason], expert: Expert) -> list[Reason]:
    """The rules that prefer what a product has and avoid nothing of it, the weightiest first."""
    against = {r.name for r in reasons if r.speaks == "against"}
    told = [
        r
        for r in reasons
        if r.speaks == "for"
        and r.name not in against
        and (rule := expert.rule(r.name))
        # A strength that suits is a reason only of a rule that prefers nothing else.
        and (r.effect == "prefer" or not rule.prefer)
    ]
    told.sort(key=lambda r: -r.points)
    return list({r.name: r for r in reversed(told)}.values())[::-1][:MOST_REASONS]


def _told(reason: Reason, expert: Expert, language: Language) -> str:
    """`citrus, green notes: In the heat, light and fresh scents wear best.`"""
    view = reason_view(reason, expert, language)
    terms = "" if reason.effect == "within" else ", ".join(view["terms"])
    text = view["text"].rstrip()
    return f"{terms[:1].upper()}{terms[1:]}: {text}" if terms else text


def _fits(
    reasons: Sequence[Reason], found: Recommendations, expert: Expert, language: Language
) -> tuple[str, ...]:
    """The words of the profile that these rules look at."""
    rules = (expert.rule(reason.name) for reason in reasons)
    labels = [
        expert.schema.label(condition.key, value, language)
        for rule in rules
        if rule is not None
        for condition in rule.when
        for value in found.profile.get(condition.key)
        if value in condition.values
    ]
    return tuple(dict.fromkeys(labels))


def _excluded(found: Recommendations, expert: Expert, language: Language) -> list[JsonObject]:
    return [
        {
            "productId": one.product.id,
            "name": one.product.name,
            "rules": exclusions_view(one.rules, expert, language),
        }
        for one in found.excluded
    ]


def _dropped(dropped: Dropped, expert: Expert, language: Language) -> JsonObject:
    terms = expert.glossary.terms
    what = expert.glossary.label(dropped.what, language) if dropped.what in terms else dropped.what
    return {"what": what, "text": rule_text(dropped.to[0], language)}
