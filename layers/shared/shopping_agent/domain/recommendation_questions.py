"""What is worth asking a shopper: the keys of the profile whose answer would change what is recommended first."""

from collections.abc import Collection, Sequence
from typing import Final

from shopping_agent.domain.profile import Profile
from shopping_agent.domain.recommendation import Expert
from shopping_agent.domain.recommendation_order import VARIED
from shopping_agent.domain.recommendation_score import Option, Scoring

# Among the best of this many options the answer must make a difference.
_LOOKED_AT: Final = 60


def open_questions(
    expert: Expert,
    profile: Profile,
    options: Sequence[Option],
    *,
    asked: Collection[str] = (),
    budget: float | None = None,
    most: int = 2,
) -> tuple[str, ...]:
    """The keys to ask for, most telling first; none whose answers would change less than one of the first three on average.

    Nothing is asked for that is known, was asked before, or could be answered with a word about health.

    Args:
        options: best first.
    """
    looked_at = options[:_LOOKED_AT]
    now = _first(expert, profile, budget, looked_at)
    found: list[tuple[float, int, str]] = []
    for place, (key, spec) in enumerate(expert.schema.keys.items()):
        if key in asked or spec.private or profile.get(key):
            continue
        changes = [
            len(_first(expert, answered, budget, looked_at) - now)
            for value in spec.values
            for answered in (expert.schema.of({**dict(profile.stated), key: (value,)}),)
        ]
        mean = sum(changes) / len(changes)
        if mean >= 1:
            found.append((-mean, place, key))
    return tuple(key for _, _, key in sorted(found)[:most])


def _first(
    expert: Expert, profile: Profile, budget: float | None, options: Sequence[Option]
) -> frozenset[str]:
    """What the first few would be."""
    scoring = Scoring(expert.advise(profile, budget), searched=any(o.relevance for o in options))
    allowed = [o for o in options if not scoring.advice.excludes(o.traits)]
    ranked = sorted(allowed, key=lambda o: (-scoring.score(o), o.product.id))
    return frozenset(list(dict.fromkeys(o.group for o in ranked))[:VARIED])
