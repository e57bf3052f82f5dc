"""What the rules say of products: run once a request (`Expert.advise`), then asked of every candidate.

Points. A rule that prefers gives up to the weights of its three strongest terms, for the terms that a product has; a rule that
avoids gives its strongest weight to products without its terms, and takes away the weight of what they have. A scale gives
`SCALE_WORTH` inside the wished interval, half of it one step away, a third where the catalog does not tell.

Conflicts. What a rule excludes is never recommended, whoever prefers it: a sensitivity beats a taste. A taste that another one contradicts
stays: both count, each is told. Intervals of one scale intersect; where that leaves nothing the weaker bound is dropped and
reported: rules whose condition is of an earlier key of the profile (`profile.json`) are stronger, then those with more conditions,
then earlier rows.
"""

from collections.abc import Sequence
from typing import Final, Literal

from shopping_agent.domain.glossary import Glossary
from shopping_agent.domain.glossary_predicates import Traits
from shopping_agent.domain.profile import Profile, ProfileSchema
from shopping_agent.domain.rules import Rule, Weighted
from shopping_agent.domain.values import frozen, frozen_by_identity

Effect = Literal["prefer", "avoid", "within"]
SCALE_WORTH: Final = 3
# Points are counted in sixths, so that halves and thirds of weights are whole numbers.
_UNIT: Final = 6
_STRONGEST: Final = 3


@frozen
class Dropped:
    """A rule's wish that gave way, and to which rules.

    Attributes:
        what: the scale whose bound was dropped, or the preferred term that is excluded.
        to: the rules that were stronger.
    """

    rule: Rule
    what: str
    to: tuple[Rule, ...]


@frozen
class Line:
    """One line of the account of a score: what a rule, or the rules of a scale, could give.

    Attributes:
        rules: those that speak; several only for a scale.
        what: the scale of `within`, else "".
        mask: bits of the terms it looks at.
        worth: the most that it gives, in sixths of a point.
    """

    effect: Effect
    rules: tuple[Rule, ...]
    what: str
    mask: int
    worth: int
    terms: tuple[tuple[int, str, int], ...] = ()
    interval: tuple[int, int, int] = (0, 0, 0)

    def given(self, traits: Traits) -> int:
        """What a product gets, in sixths of a point, 0..worth."""
        if self.effect == "within":
            position, low, high = self.interval
            return _near(traits.levels[position], low, high)
        met = sum(weight for mask, _, weight in self.terms if traits.bits & mask) * _UNIT
        return min(met, self.worth) if self.effect == "prefer" else max(0, self.worth - met)

    def found(self, traits: Traits) -> tuple[str, ...]:
        """The terms of this line that a product has."""
        return tuple(term for mask, term, _ in self.terms if traits.bits & mask)


@frozen_by_identity
class Advice:
    """The rules that hold for one request.

    Attributes:
        fired: in the table's order.
        lines: what they give, each to every candidate; the account of a score.
        relaxed: bounds of scales that were dropped, weakest wishes of an empty intersection.
        overruled: preferred terms that a sensitivity excludes.
    """

    profile: Profile
    fired: tuple[Rule, ...]
    lines: tuple[Line, ...]
    relaxed: tuple[Dropped, ...]
    overruled: tuple[Dropped, ...]
    _banned: tuple[tuple[Rule, int, str], ...]
    banned: int
    worth: int
    _by_levels: dict[tuple[int | None, ...], int]
    _by_terms: tuple[tuple[int, dict[int, int], Line], ...]

    def excludes(self, traits: Traits) -> bool:
        """Whether a product is never recommended."""
        return bool(traits.bits & self.banned)

    def excluded_by(self, traits: Traits) -> tuple[tuple[Rule, tuple[str, ...]], ...]:
        """The rules that exclude a product, each with the terms it has: the answer to "why not?"."""
        found: dict[str, tuple[Rule, list[str]]] = {}
        for rule, mask, term in self._banned:
            if traits.bits & mask:
                found.setdefault(rule.name, (rule, []))[1].append(term)
        return tuple((rule, tuple(terms)) for rule, terms in found.values())

    def share(self, traits: Traits) -> float:
        """How much of what the rules could give a product gets, 0..1; 0 without a rule."""
        return self.given(traits) / self.worth if self.worth else 0.0

    def given(self, traits: Traits) -> int:
        """The sum of all lines for a product, in sixths of a point."""
        bits, levels = traits.bits, traits.levels
        total = self._by_levels.get(levels)
        if total is None:
            total = sum(line.given(traits) for line in self.lines if line.effect == "within")
            self._by_levels[levels] = total
        for mask, known, line in self._by_terms:
            met = bits & mask
            given = known.get(met)
            if given is None:
                given = known[met] = line.given(traits)
            total += given
        return total


@frozen_by_identity
class Expert:
    """A store's profile keys, glossary and rules. Built once, then only read."""

    schema: ProfileSchema
    glossary: Glossary
    rules: tuple[Rule, ...]

    def advise(self, profile: Profile, budget: float | None = None) -> Advice:
        """Run the rules.

        Args:
            budget: the most that may be spent, in major units of the store's currency.
        """
        fired = tuple(rule for rule in self.rules if rule.fires(profile, budget))
        terms = self.glossary.terms
        bans = tuple((rule, terms[term].mask, term) for rule in fired for term in rule.exclude)
        lines: list[Line] = []
        overruled: list[Dropped] = []
        for rule in fired:
            prefer, lost = self._without_banned(rule, bans)
            overruled += lost
            lines += self._lines(rule, prefer)
        scaled, relaxed = self._scales(fired)
        lines += scaled
        banned = 0
        for _, mask, _ in bans:
            banned |= mask
        return Advice(
            profile=profile,
            fired=fired,
            lines=tuple(lines),
            relaxed=tuple(relaxed),
            overruled=tuple(overruled),
            _banned=bans,
            banned=banned,
            worth=sum(line.worth for line in lines),
            _by_levels={},
            _by_terms=tuple((line.mask, {}, line) for line in lines if line.mask),
        )

    def rule(self, name: str) -> Rule | None:
        return next((rule for rule in self.rules if rule.name == name), None)

    def for_health(
        self, advice: Advice, traits: Traits
    ) -> tuple[tuple[Rule, tuple[str, ...]], ...]:
        """The rules that did not fire, would exclude a product, and look at what tells of a shopper's health."""
        terms, fired = self.glossary.terms, {rule.name for rule in advice.fired}
        found: list[tuple[Rule, tuple[str, ...]]] = []
        for rule in self.rules:
            met = tuple(term for term in rule.exclude if traits.bits & terms[term].mask)
            private = any(self.schema.is_private(c.key, v) for c in rule.when for v in c.values)
            if met and private and rule.name not in fired:
                found.append((rule, met))
        return tuple(found)

    def strength(self, rule: Rule) -> tuple[int, int, int]:
        """The smaller the stronger: the earliest key of its condition, then more conditions, then the earlier row."""
        keys = [*self.schema.keys]
        places = [keys.index(c.key) if c.key in keys else len(keys) for c in rule.when]
        return (min(places), -len(rule.when), rule.row)

    def _without_banned(
        self, rule: Rule, bans: Sequence[tuple[Rule, int, str]]
    ) -> tuple[Weighted, list[Dropped]]:
        kept: list[tuple[str, int]] = []
        lost: list[Dropped] = []
        for term, weight in rule.prefer:
            against = tuple(other for other, _, banned in bans if banned == term)
            if against:
                lost.append(Dropped(rule, term, against))
            else:
                kept.append((term, weight))
        return tuple(kept), lost

    def _lines(self, rule: Rule, prefer: Weighted) -> list[Line]:
        found: list[Line] = []
        if prefer:
            worth = sum(sorted((weight for _, weight in prefer), reverse=True)[:_STRONGEST])
            found.append(self._line("prefer", rule, prefer, worth))
        if rule.avoid:
            worth = max(weight for _, weight in rule.avoid)
            found.append(self._line("avoid", rule, rule.avoid, worth))
        return found

    def _line(self, effect: Effect, rule: Rule, weighted: Weighted, worth: int) -> Line:
        terms = tuple((self.glossary.terms[t].mask, t, weight) for t, weight in weighted)
        mask = 0
        for one, _, _ in terms:
            mask |= one
        return Line(
            effect=effect, rules=(rule,), what="", mask=mask, worth=worth * _UNIT, terms=terms
        )

    def _scales(self, fired: Sequence[Rule]) -> tuple[list[Line], list[Dropped]]:
        """A line for each scale that rules bound, and the bounds that gave way."""
        lines: list[Line] = []
        relaxed: list[Dropped] = []
        by_strength = sorted(fired, key=self.strength)
        for position, scale in enumerate(self.glossary.scales):
            low, high = 0, len(scale.steps) - 1
            held: list[tuple[Rule, int, int]] = []
            for rule in by_strength:
                for at, rule_low, rule_high in rule.within:
                    if at != position:
                        continue
                    if max(low, rule_low) > min(high, rule_high):
                        against = (
                            r for r, lo, hi in held if max(lo, rule_low) > min(hi, rule_high)
                        )
                        to = tuple(against) or tuple(r for r, _, _ in held)
                        relaxed.append(Dropped(rule, scale.name, to))
                        continue
                    low, high = max(low, rule_low), min(high, rule_high)
                    held.append((rule, rule_low, rule_high))
            if held:
                rules = tuple(rule for rule, _, _ in held)
                worth = SCALE_WORTH * _UNIT
                interval = (position, low, high)
                lines.append(Line("within", rules, scale.name, 0, worth, (), interval))
        return lines, relaxed


def _near(level: int | None, low: int, high: int) -> int:
    """Full worth inside, half one step away, a third where the level is not known."""
    full = SCALE_WORTH * _UNIT
    if level is None:
        return full // 3
    away = max(low - level, level - high, 0)
    return (full, full // 2)[away] if away < 2 else 0
