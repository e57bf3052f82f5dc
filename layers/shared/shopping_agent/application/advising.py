"""The rules that hold for one request: what is known of the shopper and what the request's constraints tell of them."""

from shopping_agent.domain.constraints import Constraints
from shopping_agent.domain.money import to_major
from shopping_agent.domain.profile import Profile, ProfileSchema
from shopping_agent.domain.ranking import Candidate
from shopping_agent.domain.recommendation import Advice, Expert
from shopping_agent.domain.recommendation_score import rules_weight


def advise(
    expert: Expert, profile: Profile, constraints: Constraints, currency: str
) -> tuple[Profile, Advice]:
    """The whole profile, and the rules run once for it.

    Args:
        currency: the store's own; a limit in another one is no budget that rules know.
    """
    known = expert.schema.merge(implied_profile(constraints, expert.schema), profile)
    return known, expert.advise(known, budget_of(constraints, currency))


class Ruling:
    """What the rules say of the candidates of one search.

    Args:
        expert: None where the store has no rules.
    """

    def __init__(
        self,
        expert: Expert | None,
        profile: Profile | None,
        constraints: Constraints,
        currency: str,
    ) -> None:
        self._glossary = expert.glossary if expert else None
        self._advice: Advice | None = None
        self._weight = 0.0
        if expert is not None:
            self._advice = advise(expert, profile or Profile(), constraints, currency)[1]
            self._weight = rules_weight(self._advice)

    def judge(self, candidate: Candidate) -> tuple[float, float]:
        """The weight of the rules beside the wishes, and the share of it that a candidate gets."""
        if self._advice is None or self._glossary is None or not self._weight:
            return 0.0, 0.0
        return self._weight, self._advice.share(self._glossary.traits(candidate.product))

    def allows(self, candidate: Candidate) -> bool:
        """Whether no rule excludes a candidate; who names a product may have it."""
        if self._advice is None or self._glossary is None or not self._advice.banned:
            return True
        named = candidate.named > 0
        return named or not self._advice.excludes(self._glossary.traits(candidate.product))


def implied_profile(constraints: Constraints, schema: ProfileSchema) -> Profile:
    """What stated constraints tell of the shopper: the keys of a profile that are named as they are."""
    stated = {
        "season": constraints.season,
        "occasion": constraints.occasion,
        "gender": constraints.gender,
    }
    found = {
        key: (value,)
        for key, said in stated.items()
        if key in schema.keys and (value := schema.keys[key].canonical(said)) is not None
    }
    return schema.of(found)


def budget_of(constraints: Constraints, currency: str) -> float | None:
    """The stated price limit in major units, None without one or in another currency than the store's."""
    if constraints.max_price is None or constraints.currency not in (None, currency):
        return None
    return to_major(constraints.max_price, currency)
