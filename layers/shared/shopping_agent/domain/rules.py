"""A rule of recommendation: the condition under which it fires, what it prefers, avoids, excludes and bounds, and why."""

from collections.abc import Mapping

from shopping_agent.domain.profile import BUDGET, Profile
from shopping_agent.domain.values import frozen

Weighted = tuple[tuple[str, int], ...]


@frozen
class Condition:
    """One condition: the profile has one of the values, or the budget is within (major units, both included)."""

    key: str
    values: frozenset[str] = frozenset()
    low: float = 0.0
    high: float = float("inf")

    def holds(self, profile: Profile, budget: float | None) -> bool:
        if self.key == BUDGET:
            return budget is not None and self.low <= budget <= self.high
        return not self.values.isdisjoint(profile.get(self.key))


@frozen
class Rule:
    """One row.

    Attributes:
        row: its line in the table, the header being line 1.
        prefer, avoid: terms and weights; avoided ones lower the score.
        exclude: terms of products that are never recommended while the rule holds.
        within: by scale (its position) the lowest and highest step that is wished for.
        reason: by language; `en` is there.
    """

    name: str
    row: int
    when: tuple[Condition, ...]
    reason: Mapping[str, str]
    prefer: Weighted = ()
    avoid: Weighted = ()
    exclude: tuple[str, ...] = ()
    within: tuple[tuple[int, int, int], ...] = ()

    def fires(self, profile: Profile, budget: float | None) -> bool:
        return all(condition.holds(profile, budget) for condition in self.when)
