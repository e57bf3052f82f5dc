"""What `rules check` prints: which rules and terms some product can meet, and what the table leaves without a rule."""

from collections.abc import Iterable

from shopping_agent.domain.catalog import Product
from shopping_agent.domain.intent import LANGUAGES
from shopping_agent.domain.profile import Profile
from shopping_agent.domain.recommendation import Expert
from shopping_agent.domain.rules import Rule
from shopping_agent.domain.values import frozen


@frozen
class Coverage:
    """A table held against a catalog.

    Attributes:
        products: how many there were.
        by_term: how many products meet each term of the glossary.
        by_rule: how many products each rule says something of, for or against.
        unused: terms that no rule and no other term uses.
        silent: values of the profile that no rule looks at, as `key=value`.
        untranslated: by rule the languages that its reason lacks.
    """

    products: int
    by_term: dict[str, int]
    by_rule: dict[str, int]
    unused: tuple[str, ...]
    silent: tuple[str, ...]
    untranslated: dict[str, tuple[str, ...]]

    @property
    def unmet(self) -> tuple[str, ...]:
        """Terms that no product of the catalog meets."""
        return tuple(term for term, count in self.by_term.items() if not count)

    @property
    def idle(self) -> tuple[str, ...]:
        """Rules that say nothing of any product of the catalog."""
        return tuple(rule for rule, count in self.by_rule.items() if not count)


def coverage(expert: Expert, products: Iterable[Product]) -> Coverage:
    """Hold the rules against a catalog."""
    traits = [expert.glossary.traits(product) for product in products]
    by_rule = {
        rule.name: sum(
            bool(one.bits & mask) or any(one.levels[at] is not None for at, _, _ in rule.within)
            for one in traits
        )
        for rule in expert.rules
        for mask in (_mask(expert, rule),)
    }
    return Coverage(
        products=len(traits),
        by_term={
            name: sum(bool(one.bits & term.mask) for one in traits)
            for name, term in expert.glossary.terms.items()
        },
        by_rule=by_rule,
        unused=_unused(expert),
        silent=_silent(expert),
        untranslated={
            rule.name: missing
            for rule in expert.rules
            if (missing := tuple(lang for lang in LANGUAGES if lang not in rule.reason))
        },
    )


def example(rule: Rule) -> tuple[Profile, float | None]:
    """A profile and a budget for which a rule fires."""
    stated: list[tuple[str, tuple[str, ...]]] = []
    budget: float | None = None
    for condition in rule.when:
        if condition.values:
            stated.append((condition.key, (min(condition.values),)))
        else:
            budget = condition.low if condition.high == float("inf") else condition.high
    return Profile(tuple(stated)), budget


def _terms(rule: Rule) -> tuple[str, ...]:
    return (*(term for term, _ in (*rule.prefer, *rule.avoid)), *rule.exclude)


def _mask(expert: Expert, rule: Rule) -> int:
    mask = 0
    for term in _terms(rule):
        mask |= expert.glossary.terms[term].mask
    return mask


def _unused(expert: Expert) -> tuple[str, ...]:
    used = {term for rule in expert.rules for term in _terms(rule)}
    for term in expert.glossary.terms.values():
        used.update(term.refers)
    return tuple(name for name in expert.glossary.terms if name not in used)


def _silent(expert: Expert) -> tuple[str, ...]:
    looked_at = {
        (condition.key, value)
        for rule in expert.rules
        for condition in rule.when
        for value in condition.values
    }
    return tuple(
        f"{key}={value}"
        for key, spec in expert.schema.keys.items()
        for value in spec.values
        if (key, value) not in looked_at
    )
