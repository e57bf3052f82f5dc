"""The expert's part of a turn: why what was found fits, what the rules leave out, what is worth asking, and why not another."""

from dataclasses import replace

from shopping_agent.application.counsel import Counsel, counsel_of
from shopping_agent.application.counsel_words import CounselWords
from shopping_agent.application.found_products import FoundProducts
from shopping_agent.application.recommendations import Recommendations, why_not_view
from shopping_agent.application.recommending import Recommender
from shopping_agent.application.search import SearchService
from shopping_agent.application.work import Work
from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.deadline import Deadline
from shopping_agent.domain.profile import Profile, ProfileSchema
from shopping_agent.domain.store import Phrases
from shopping_agent.errors import IndexUnavailableError
from shopping_agent.observability import count


class Counselling:
    """Adds what the rules say to what a turn observed. Ranks nothing: the search did, by the same rules."""

    def __init__(self, recommender: Recommender, phrases: Phrases) -> None:
        self._recommender = recommender
        self._phrases = phrases

    @property
    def schema(self) -> ProfileSchema:
        """Of profiles, as the store has it now."""
        return self._recommender.expert.schema

    def advise(self, work: Work, found: FoundProducts | None, deadline: Deadline) -> None:
        """Account for the products of the search that this turn made, where it recommends."""
        context = work.context
        if context.known.told.why_not:
            self._why_not(work)
        elif found is not None and found.products and _recommends(work):
            wanted, profile = Constraints.of(context.query), context.known.profile
            work.observed.counsel = self.counsel(work, found, wanted, profile, deadline)

    def find(
        self,
        search: SearchService,
        text: str,
        wanted: Constraints,
        profile: Profile,
        *,
        limit: int,
        deadline: Deadline,
        now: float,
    ) -> FoundProducts:
        """The search; where nothing is said but who it is for, what the rules prefer of the whole catalog."""
        if profile and not wanted.facets() and not wanted.by_price:
            found = self._recommender.recommend(
                profile, wanted, limit=limit, deadline=deadline, now=now
            )
            if found.products:
                products = tuple(one.product for one in found.products)
                sizes = search.variants(products, deadline=deadline, now=now)
                shown = {product.id for product in products}
                return FoundProducts(
                    products=products,
                    best=found.best,
                    variants=tuple(p for p in sizes if p.id not in shown),
                    scores={one.product.id: one.score for one in found.products},
                )
        return search.find_products(
            text,
            search.by_wishes(text, wanted),
            limit=limit,
            deadline=deadline,
            now=now,
            profile=profile,
        )

    def counsel(
        self,
        work: Work,
        found: FoundProducts,
        wanted: Constraints,
        profile: Profile,
        deadline: Deadline,
    ) -> Counsel:
        """What the rules say of the products of a search."""
        context = work.context
        judged = self._recommender.judge(
            found.products,
            profile,
            wanted,
            scores=found.scores,
            asked=context.conversation.asked,
        )
        if wanted.by_price:
            judged = replace(judged, questions=())  # no answer would change what is cheapest
        expert = self._recommender.expert
        left_out: Recommendations | None = None
        if judged.advice.banned:
            left_out = self._left_out(work, wanted, profile, deadline)
        told = bool(
            context.known.told or context.conversation.profile or profile != context.known.profile
        )
        words = CounselWords(self._phrases, context.language)
        counsel = counsel_of(judged, expert, context.language, words, told=told, left_out=left_out)
        private = expert.schema.labels(context.known.private, context.language)
        return replace(counsel, remember=words.remember(private)) if private else counsel

    def _left_out(
        self, work: Work, wanted: Constraints, profile: Profile, deadline: Deadline
    ) -> Recommendations | None:
        """What would be recommended if no rule excluded it; not worth a turn that fails."""
        try:
            return self._recommender.recommend(
                profile,
                wanted,
                text="" if work.context.known.alone else work.context.query.text,
                limit=1,
                deadline=deadline,
                now=work.observed.now,
            )
        except IndexUnavailableError:
            count("SearchFailuresTolerated")
            return None

    def _why_not(self, work: Work) -> None:
        context, observed = work.context, work.observed
        named = [p for i in context.named_ids if (p := observed.products.get(i))]
        if not named:
            return
        # Of several sizes the one that can be bought.
        product = next((p for p in named if p.in_stock), named[0])
        wanted = Constraints.of(context.query)
        asked = self._recommender.why_not(product, context.known.profile, wanted, now=observed.now)
        view = why_not_view(asked, self._recommender.expert, context.language)
        words = CounselWords(self._phrases, context.language)
        observed.why_not = {**view, "lines": words.why_not(view)}


def _recommends(work: Work) -> bool:
    context = work.context
    return context.understanding.intent == "recommendation" or bool(context.known.told.profile)
