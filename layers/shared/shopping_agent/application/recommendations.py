"""What a request for recommendations is answered with, and its form as JSON in the shopper's language."""

from collections.abc import Iterable
from dataclasses import field
from typing import Any, Final

from shopping_agent.domain.catalog import Product
from shopping_agent.domain.constraints import Violation
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.intent import Language
from shopping_agent.domain.profile import Profile, ProfileSchema
from shopping_agent.domain.recommendation import Advice, Dropped, Expert
from shopping_agent.domain.recommendation_score import Reason
from shopping_agent.domain.rules import Rule
from shopping_agent.domain.store import FALLBACKS
from shopping_agent.domain.values import frozen

MOST_ANSWERS: Final = 4
"""Offered for a question; whoever answers may say any other."""


@frozen
class Recommended:
    """A product with its score, 0..100, and the account of it: the points of `reasons` sum to the score."""

    product: Product
    score: float
    reasons: tuple[Reason, ...]


@frozen
class Excluded:
    """A product that is not recommended, and the rules that exclude it, each with the terms that the product has."""

    product: Product
    rules: tuple[tuple[Rule, tuple[str, ...]], ...]


@frozen
class WhyNot:
    """Why a product is not (higher) among the recommended.

    Attributes:
        excluded: the rules that exclude it.
        broken: the hard constraints that it breaks (`price`, `gender`, `notes`, `kind`, `inStock`).
        score: what it would get; its account is `reasons`.
        unless: rules that would exclude it for something of the shopper's health, which is not kept.
    """

    product: Product
    excluded: tuple[tuple[Rule, tuple[str, ...]], ...]
    broken: tuple[Violation, ...]
    score: float
    reasons: tuple[Reason, ...]
    unless: tuple[tuple[Rule, tuple[str, ...]], ...] = field(default=())


@frozen
class Recommendations:
    """The answer to a request for recommendations, at live prices.

    Attributes:
        products: best first, one size of each product.
        excluded: the best of those that a rule excludes.
        advice: the rules that fired, what was relaxed and what was overruled.
        blocked: when there are no products, the hard constraints that stand in the way of some candidate.
        profile: what was judged by: the given profile and what the constraints say.
        questions: keys of the profile whose answers would change what comes first, most telling first.
    """

    products: tuple[Recommended, ...]
    excluded: tuple[Excluded, ...]
    advice: Advice
    profile: Profile
    blocked: tuple[Violation, ...] = field(default=())
    questions: tuple[str, ...] = field(default=())

    @property
    def best(self) -> str | None:
        """The id of the one that a delegated choice gets."""
        return self.products[0].product.id if self.products else None


def rule_text(rule: Rule, language: Language) -> str:
    """Why a rule says what it says, in the shopper's language where the table has it."""
    return next(rule.reason[c] for c in FALLBACKS[language] if c in rule.reason)


def recommendations_view(
    found: Recommendations, expert: Expert, language: Language, now: float
) -> JsonObject:
    """Recommendations as JSON.

    `{products: [{...product, score, reasons}], excluded: [{productId, name, rules}], relaxed, overruled, blocked, profile, profileLabels,
    questions}`; points of all reasons of a product sum to its score, those that say nothing of it included.
    """
    return {
        "products": [
            {
                **one.product.view(now),
                "score": one.score,
                "reasons": [reason_view(r, expert, language) for r in one.reasons],
            }
            for one in found.products
        ],
        "excluded": [
            {
                "productId": one.product.id,
                "name": one.product.name,
                "rules": exclusions_view(one.rules, expert, language),
            }
            for one in found.excluded
        ],
        "relaxed": [dropped_view(one, language) for one in found.advice.relaxed],
        "overruled": [dropped_view(one, language) for one in found.advice.overruled],
        "blocked": list(found.blocked),
        "profile": found.profile.view(),
        "profileLabels": expert.schema.labels(found.profile, language),
        "questions": questions_view(found.questions, expert.schema, language),
    }


def questions_view(
    keys: Iterable[str], schema: ProfileSchema, language: Language
) -> list[dict[str, Any]]:
    """`[{key, text, answers: [{value, label}]}]`: what is worth asking, with the first few answers that there are."""
    return [
        {
            "key": key,
            "text": schema.question(key, language),
            "answers": [
                {"value": value, "label": schema.label(key, value, language)}
                for value in schema.keys[key].values[:MOST_ANSWERS]
            ],
        }
        for key in keys
    ]


def why_not_view(found: WhyNot, expert: Expert, language: Language) -> JsonObject:
    """`{productId, name, score, excluded, unless, broken, against, missing}`: rules each as `{rule, terms, text}`."""
    against = [r for r in found.reasons if r.speaks == "against"]
    missing = [r for r in found.reasons if r.effect == "prefer" and not r.points and r.rules]
    return {
        "productId": found.product.id,
        "name": found.product.name,
        "score": found.score,
        "excluded": exclusions_view(found.excluded, expert, language),
        "unless": exclusions_view(found.unless, expert, language),
        "broken": list(found.broken),
        "against": [_spoken(r, expert, language) for r in against],
        "missing": [
            _spoken(r, expert, language) for r in sorted(missing, key=lambda r: -r.possible)
        ],
    }


def _spoken(reason: Reason, expert: Expert, language: Language) -> dict[str, Any]:
    view = reason_view(reason, expert, language)
    return {"rule": view["name"], "terms": view["terms"], "text": view["text"]}


def reason_view(reason: Reason, expert: Expert, language: Language) -> dict[str, Any]:
    """`{effect, name, speaks, points, possible, terms, text}`; `text` is the rule's, "" for a wish and for relevance."""
    rule = expert.rule(reason.name) if reason.rules else None
    return {
        "effect": reason.effect,
        "name": reason.name,
        "speaks": reason.speaks or "neutral",
        "points": reason.points,
        "possible": reason.possible,
        "terms": [expert.glossary.label(term, language) for term in reason.terms],
        "text": rule_text(rule, language) if rule else "",
    }


def exclusions_view(
    rules: tuple[tuple[Rule, tuple[str, ...]], ...], expert: Expert, language: Language
) -> list[dict[str, Any]]:
    """`[{rule, terms, text}]`: which rules exclude a product, because of what it has."""
    return [
        {
            "rule": rule.name,
            "terms": [expert.glossary.label(term, language) for term in terms],
            "text": rule_text(rule, language),
        }
        for rule, terms in rules
    ]


def dropped_view(dropped: Dropped, language: Language) -> dict[str, Any]:
    """`{rule, what, to, text}`: a wish that gave way to the rules `to`, whose strongest has the text."""
    return {
        "rule": dropped.rule.name,
        "what": dropped.what,
        "to": [rule.name for rule in dropped.to],
        "text": rule_text(dropped.to[0], language),
    }
