"""The score of a candidate, 0..100, its order among the others, and an account of every point.

A score is the mean of its parts, weighted: the rules (2 for each point that they could give, at most 60), each wish that was stated (a
note, a season, ...) and, where a text was searched for, relevance. What a part gives is told line by line; the lines' points sum to the score
and their possible points to 100.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, Literal

from shopping_agent.domain.catalog import Product
from shopping_agent.domain.glossary_predicates import Traits
from shopping_agent.domain.recommendation import Advice, Effect, Line
from shopping_agent.domain.values import frozen

RULES_WEIGHT: Final = 60.0
_WEIGHT_OF_A_POINT: Final = 2.0
RELEVANCE_WEIGHT: Final = 20.0
_UNIT: Final = 6
# A tenth of a point is the smallest that is shown.
_TENTHS: Final = 1000

Wish = tuple[str, float, float]
"""A stated wish: its name, its weight beside the others, and the share of it that is met, 0..1."""


@frozen
class Option:
    """A product that may be recommended, at its live price.

    Attributes:
        relevance: 0..1, its share of the best search score.
        wishes: the stated wishes, the same ones for every option of a request.
    """

    product: Product
    traits: Traits
    relevance: float = 0.0
    wishes: tuple[Wish, ...] = ()

    @property
    def group(self) -> str:
        """What all sizes of one product share."""
        return self.product.variant_of or self.product.id


@frozen
class Scored:
    """An option with its score, 0..100, one decimal."""

    option: Option
    score: float

    @property
    def product(self) -> Product:
        return self.option.product


@frozen
class Reason:
    """One line of the account of a score.

    Attributes:
        effect: `prefer`, `avoid` and `within` are lines of rules; `wish` is what was stated; `relevance` the search.
        name: the rule's (the strongest one's of a scale), the wish's, or "relevance".
        rules: the names of the rules behind it.
        points, possible: what it gives and the most that it could, one decimal.
        terms: those of the glossary that the product has, for a scale the scale.
        speaks: whether it is told for the product, against it, or not at all.
    """

    effect: Effect | Literal["wish", "relevance"]
    name: str
    points: float
    possible: float
    rules: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    speaks: Literal["for", "against", ""] = ""


class Scoring:
    """The scores of one request.

    Args:
        searched: whether relevance counts: there was a text to search for.
    """

    def __init__(self, advice: Advice, *, searched: bool) -> None:
        self.advice = advice
        self.searched = searched
        self.rules_weight = rules_weight(advice)
        self._of_given = self.rules_weight / advice.worth if advice.worth else 0.0
        self._most = self.rules_weight + (RELEVANCE_WEIGHT if searched else 0.0)

    def score(self, option: Option) -> float:
        """0..100, one decimal; 0 when there is nothing to judge by."""
        weight, met = self._most, 0.0
        if self._of_given:
            met = self._of_given * self.advice.given(option.traits)
        if self.searched:
            met += RELEVANCE_WEIGHT * min(1.0, max(0.0, option.relevance))
        for _, worth, share in option.wishes:
            weight += worth
            met += worth * share
        return round(100 * met / weight, 1) if weight else 0.0

    def explain(self, option: Option) -> tuple[Reason, ...]:
        """The account of the score: its points sum to `score`, its possible points to 100 (or nothing at all)."""
        shares = [*self._lines(option)]
        total = sum(worth for _, worth, _ in shares)
        if not total:
            return ()
        tenths = round(self.score(option) * 10)
        most = [_TENTHS] * len(shares)
        possible = _apportioned([_TENTHS * worth / total for _, worth, _ in shares], _TENTHS, most)
        points = _apportioned([_TENTHS * met / total for _, _, met in shares], tenths, possible)
        return tuple(
            replace(reason, points=given / 10, possible=worth / 10)
            for (reason, _, _), given, worth in zip(shares, points, possible, strict=True)
        )

    def _lines(self, option: Option) -> Iterable[tuple[Reason, float, float]]:
        """Each line with what it could give and what it gives, as weights."""
        advice = self.advice
        scale, traits = self._of_given, option.traits
        for line in advice.lines:
            yield _reason(line, traits), scale * line.worth, scale * line.given(traits)
        for name, worth, share in option.wishes:
            wish = Reason("wish", name, 0.0, 0.0, speaks="for" if share > 0 else "")
            yield wish, worth, worth * share
        if self.searched:
            met = RELEVANCE_WEIGHT * min(1.0, max(0.0, option.relevance))
            yield Reason("relevance", "relevance", 0.0, 0.0), RELEVANCE_WEIGHT, met


def rules_weight(advice: Advice) -> float:
    """What the rules weigh beside wishes and relevance: the more they have to say, the more they count."""
    return min(RULES_WEIGHT, _WEIGHT_OF_A_POINT * advice.worth / _UNIT)


def _reason(line: Line, traits: Traits) -> Reason:
    names = tuple(rule.name for rule in line.rules)
    terms = (line.what,) if line.what else line.found(traits)
    return Reason(line.effect, names[0], 0.0, 0.0, names, terms, _speaks(line, traits))


def _speaks(line: Line, traits: Traits) -> Literal["for", "against", ""]:
    match line.effect:
        case "prefer":
            return "for" if line.found(traits) else ""
        case "avoid":
            return "against" if line.found(traits) else ""
        case "within":
            position, low, high = line.interval
            level = traits.levels[position]
            if level is None:
                return ""
            return "for" if low <= level <= high else "against"


def _apportioned(exact: Sequence[float], total: int, most: Sequence[int]) -> list[int]:
    """Whole numbers that sum to `total`, each next to its exact value: the largest remainders are rounded up.

    Args:
        most: what none may exceed.
    """
    floors = [int(value) for value in exact]
    order = sorted(range(len(exact)), key=lambda i: (floors[i] - exact[i], i))
    short = total - sum(floors)
    for i in order:
        if short > 0 and floors[i] < most[i]:
            floors[i] += 1
            short -= 1
    return floors
