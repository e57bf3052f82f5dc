"""Recommendations without a language model: candidates by search and browsing, judged by the store's rules, every point told.

The profile is what is known of the shopper; constraints are hard (prices, gender, notes, stock) or wishes (season, ...), as in search.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from shopping_agent.application.advising import advise, budget_of
from shopping_agent.application.candidates import CandidateFinder
from shopping_agent.application.recommendations import (
    Excluded,
    Recommendations,
    Recommended,
    WhyNot,
)
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.constraints import Constraints, Violation, violations
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.kinds import MAIN
from shopping_agent.domain.profile import Profile
from shopping_agent.domain.ranking import WEIGHTS, Candidate, wishes
from shopping_agent.domain.recommendation import Advice, Expert
from shopping_agent.domain.recommendation_order import Selection, select
from shopping_agent.domain.recommendation_questions import open_questions
from shopping_agent.domain.recommendation_score import Option, Scored, Scoring
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.ports import IndexFilter

MAX_RECOMMENDED: Final = 20
_MOST_EXCLUDED: Final = 5
# Among so many of the best the answer to a question may change the order.
_ASKED_OVER: Final = 12
# A catalog of more products that meet the constraints is searched by the terms that the rules prefer as well.
_LISTED: Final = 400
_INDEXED: Final = ("note", "family", "season", "occasion")
_GENDERS: Final = ("women", "men", "unisex")


class Recommender:
    """Recommendations for the tool, the route, the command line and the offline model.

    Args:
        finder: the source of candidates, shared with search.
        expert: the rules in use; asked once a request, since the store may change them.
        currency: the store's own.
    """

    def __init__(
        self,
        *,
        finder: CandidateFinder,
        expert: Callable[[], Expert],
        vocabulary: Vocabulary,
        currency: str,
    ) -> None:
        self._finder = finder
        self._expert = expert
        self._vocabulary = vocabulary
        self._currency = currency

    @property
    def expert(self) -> Expert:
        """The rules, the glossary and the schema of profiles in use."""
        return self._expert()

    def recommend(
        self,
        profile: Profile,
        constraints: Constraints,
        *,
        text: str = "",
        limit: int = 5,
        asked: Collection[str] = (),
        deadline: Deadline,
        now: float,
    ) -> Recommendations:
        """The best products for a profile: in stock, within the constraints, none that a rule excludes.

        Args:
            profile: of `expert.schema.parse` (or `Profile()`).
            text: words to search by; relevance then is a part of the score.
            asked: keys of the profile that no question is for.
            now: seconds since the epoch, the moment of every price.

        Raises:
            IndexUnavailableError, StateUnavailableError: when search or live facts do not answer.
        """
        expert, wanted, known, advice = self._request(profile, constraints)
        if profile and not constraints.facets() and self._finder.wishes_nothing(text):
            # Who it is for is nothing to search by.
            text = ""
        searched = self._finder.by_wishes(text, self._finder.canonical(constraints))
        if text.strip():
            # What words find is of any kind, as in search.
            wanted = replace(wanted, kind=searched.kind)
        scoring = Scoring(advice, searched=bool(text.strip()))
        found = self._candidates(text, searched, wanted, advice, deadline)
        broken = {c.product.id: self._broken(c, wanted, now) for c in found}
        kept = [c for c in found if not broken[c.product.id]]
        limit = max(1, min(limit, MAX_RECOMMENDED))
        selection = select(
            self._options(kept, wanted, expert),
            scoring,
            limit=max(limit, _ASKED_OVER),
            currency=self._currency,
            now=now,
            mixed=searched.by_wishes or not text.strip(),
        )
        questions = self._questions(
            known, wanted, [one.option for one in selection.shown], tuple(asked)
        )
        selection = replace(selection, shown=selection.shown[:limit])
        in_the_way: set[Violation] = set()
        if not selection.shown:
            in_the_way.update(*broken.values())
        told = self._told(selection, scoring, known, tuple(sorted(in_the_way)))
        return replace(told, questions=questions)

    def judge(
        self,
        products: Sequence[Product],
        profile: Profile,
        constraints: Constraints,
        *,
        scores: Mapping[str, float],
        asked: Collection[str] = (),
    ) -> Recommendations:
        """The account of products that a search ranked by these rules, in its order.

        Args:
            products: with all their facts, at their live prices.
            scores: the search's, by id.
        """
        expert, wanted, known, advice = self._request(profile, constraints)
        scoring = Scoring(advice, searched=False)
        candidates = [self._finder.candidate(product) for product in products]
        options = self._options(candidates, wanted, expert)
        return Recommendations(
            products=tuple(
                Recommended(one.product, scores.get(one.product.id, 0.0), scoring.explain(one))
                for one in options
            ),
            excluded=(),
            advice=advice,
            profile=known,
            questions=self._questions(known, wanted, options, tuple(asked)),
        )

    def why_not(
        self,
        product: Product,
        profile: Profile,
        constraints: Constraints,
        *,
        now: float,
    ) -> WhyNot:
        """Why a product (with all its facts, at its live price) is not recommended, or how it is judged."""
        expert, wanted, _, advice = self._request(profile, constraints)
        scoring = Scoring(advice, searched=False)
        candidate = self._finder.candidate(product)
        option = self._options([candidate], wanted, expert)[0]
        return WhyNot(
            product=product,
            excluded=advice.excluded_by(option.traits),
            broken=tuple(sorted(self._broken(candidate, wanted, now))),
            score=scoring.score(option),
            reasons=scoring.explain(option),
            unless=expert.for_health(advice, option.traits),
        )

    def _request(
        self, profile: Profile, constraints: Constraints
    ) -> tuple[Expert, Constraints, Profile, Advice]:
        """The expert, the constraints as they are held, the profile with what they say, and the rules that fire."""
        expert = self.expert
        known, advice = advise(expert, profile, constraints, self._currency)
        wanted = self._finder.canonical(constraints)
        gender = wanted.gender or next((g for g in known.get("gender") if g in _GENDERS), None)
        wanted = replace(wanted, gender=gender, in_stock=True, kind=wanted.kind or MAIN)
        return expert, wanted, known, advice

    def _questions(
        self,
        known: Profile,
        wanted: Constraints,
        options: Sequence[Option],
        asked: Sequence[str],
    ) -> tuple[str, ...]:
        budget = budget_of(wanted, self._currency)
        # Hard constraints are no news to ask for.
        stated = tuple(key for key in ("gender",) if wanted.gender)
        return open_questions(self.expert, known, options, asked=(*asked, *stated), budget=budget)

    def _candidates(
        self,
        text: str,
        searched: Constraints,
        wanted: Constraints,
        advice: Advice,
        deadline: Deadline,
    ) -> Sequence[Candidate]:
        """What the search finds, what the catalog holds, and of a larger one what has the preferred terms.

        What words find is the search's own, with its relevance, so that one message has one order everywhere.
        """
        if text.strip():
            where = self._finder.strict_filter(searched)
            if hits := self._finder.find(text, searched, where, deadline):
                return hits
        where = self._finder.strict_filter(wanted)
        listed, whole = self._finder.listed(where, deadline, limit=_LISTED)
        found = {candidate.product.id: candidate for candidate in listed}
        if not whole:
            for candidate in self._preferred(wanted, where, advice, deadline):
                found.setdefault(candidate.product.id, replace(candidate, relevance=0.0))
        return list(found.values())

    def _preferred(
        self, wanted: Constraints, where: IndexFilter, advice: Advice, deadline: Deadline
    ) -> Sequence[Candidate]:
        """What the index finds by the terms that rules prefer, without those that they exclude."""
        preferred = self._indexed(term for rule in advice.fired for term, _ in rule.prefer)
        banned = self._indexed(term for rule in advice.fired for term in rule.exclude)
        return self._finder.find(
            "",
            replace(wanted, families=(*wanted.families, *preferred), by_wishes=True),
            replace(where, exclude_terms=(*where.exclude_terms, *banned)),
            deadline,
        )

    def _indexed(self, terms: Iterable[str]) -> tuple[str, ...]:
        """The terms of the index that are each enough for a term of the glossary."""
        known = self.expert.glossary.terms
        values = (single for term in terms for single in known[term].singles)
        return tuple(dict.fromkeys(value for attribute, value in values if attribute in _INDEXED))

    def _options(
        self, candidates: Sequence[Candidate], wanted: Constraints, expert: Expert
    ) -> list[Option]:
        covers, traits = self._vocabulary.expand, expert.glossary.traits
        by_name = any(c.named > 0 for c in candidates)
        return [
            Option(
                c.product,
                traits(c.product),
                c.relevance,
                (
                    *((("name", float(WEIGHTS["name"]), c.named),) if by_name else ()),
                    *wishes(c, wanted, covers),
                ),
            )
            for c in candidates
        ]

    def _broken(self, one: Candidate, wanted: Constraints, now: float) -> frozenset[Violation]:
        return violations(one.product, one.terms, wanted, covers=self._vocabulary.expand, now=now)

    def _told(
        self,
        selection: Selection,
        scoring: Scoring,
        profile: Profile,
        blocked: tuple[Violation, ...],
    ) -> Recommendations:
        advice = scoring.advice
        return Recommendations(
            products=tuple(
                Recommended(one.product, one.score, scoring.explain(one.option))
                for one in selection.shown
            ),
            excluded=tuple(_excluded(one, advice) for one in selection.excluded[:_MOST_EXCLUDED]),
            advice=advice,
            profile=profile,
            blocked=blocked,
        )


def _excluded(one: Scored, advice: Advice) -> Excluded:
    return Excluded(one.product, advice.excluded_by(one.option.traits))
