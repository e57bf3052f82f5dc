"""The terms that rules use ("heavy oriental", "clean") as predicates over a product's attributes. Data: `glossary.json`."""

from collections.abc import Mapping
from typing import Any, Final

from shopping_agent.domain.catalog import Product
from shopping_agent.domain.glossary_facts import Facts, Scale, facts_of, value_of
from shopping_agent.domain.glossary_predicates import Test, Traits
from shopping_agent.domain.glossary_terms import Term, read_scale, read_term
from shopping_agent.domain.rules_reading import read_object
from shopping_agent.domain.store import FALLBACKS
from shopping_agent.domain.values import frozen_by_identity
from shopping_agent.domain.vocabulary import Vocabulary

_REMEMBERED: Final = 20_000


@frozen_by_identity
class Glossary:
    """All terms and scales of a store. Built once from JSON, then only read."""

    terms: Mapping[str, Term]
    scales: tuple[Scale, ...]
    vocabulary: Vocabulary
    _singles: Mapping[str, Mapping[str, int]]
    _compound: tuple[tuple[int, tuple[tuple[Test, ...], ...]], ...]
    _known: dict[tuple[Any, ...], Traits]

    @classmethod
    def from_document(cls, document: Mapping[str, Any], vocabulary: Vocabulary) -> "Glossary":
        """A glossary from `{scales: {name: {label?, steps, also?, attribute?}}, terms: {term: {label?, is: [description]}}}`.

        Raises:
            ValueError: naming the term, its field and what would work.
        """
        if strange := [key for key in document if key not in ("scales", "terms")]:
            raise ValueError(f"unknown {strange[0]!r}; it may have scales, terms")
        scales = tuple(
            read_scale(name, given)
            for name, given in read_object("scales", document.get("scales")).items()
        )
        terms: dict[str, Term] = {}
        for name, given in read_object("terms", document.get("terms")).items():
            terms[name] = read_term(name, given, terms, scales, vocabulary)
        singles: dict[str, dict[str, int]] = {}
        for term in terms.values():
            for attribute, value in term.singles:
                by_value = singles.setdefault(attribute, {})
                by_value[value] = by_value.get(value, 0) | term.mask
        compound = tuple((term.mask, term.others) for term in terms.values() if term.others)
        return cls(terms, scales, vocabulary, singles, compound, {})

    def scale(self, name: str) -> Scale | None:
        return next((scale for scale in self.scales if scale.name == name), None)

    def traits(self, product: Product) -> Traits:
        """What the rules look at of a product; remembered for products that are described alike."""
        key = (
            product.name,
            product.families,
            product.notes.top,
            product.notes.heart,
            product.notes.base,
            product.accords,
            product.concentration,
            product.sillage,
            product.longevity,
            product.seasons,
            product.occasions,
            product.gender,
            product.brand,
            product.size_ml,
            product.description,
            tuple(product.options.items()),
        )
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            levels = tuple(
                scale.level(value_of(product, scale.attribute), self.vocabulary)
                for scale in self.scales
            )
            facts = facts_of(product, self.vocabulary)
            known = self._known[key] = self.judge(facts, levels, product.size_ml)
        return known

    def judge(self, facts: Facts, levels: tuple[int | None, ...], size: int | None) -> Traits:
        """The traits of a product with these attributes."""
        bits = 0
        for attribute, values in facts.items():
            by_value = self._singles.get(attribute)
            if by_value:
                for value in values:
                    bits |= by_value.get(value, 0)
        for mask, described in self._compound:
            if not bits & mask and _meets_any(described, facts, Traits(bits, levels), size):
                bits |= mask
        return Traits(bits, levels)

    def named(self, bits: int) -> tuple[str, ...]:
        """The terms of some bits, in the glossary's order."""
        return tuple(name for name, term in self.terms.items() if bits & term.mask)

    def label(self, term: str, language: str) -> str:
        """A term or scale in the shopper's words: the glossary's, else the vocabulary's, else the term itself."""
        known = self.terms.get(term) or self.scale(term)
        chain = FALLBACKS.get(language, ("en",))
        labels: Mapping[str, str] = known.label if known else {}
        if language in labels:
            return labels[language]
        said = self.vocabulary.word("note", term, language)
        said = said or self.vocabulary.word("family", term, language)
        return said or next((labels[c] for c in chain if c in labels), term)


def _meets_any(
    described: tuple[tuple[Test, ...], ...], facts: Facts, so_far: Traits, size: int | None
) -> bool:
    """Whether all tests of some description hold. Plain loops: this is asked 40 times for each product."""
    for tests in described:
        for test in tests:
            if not test(facts, so_far, size):
                break
        else:
            return True
    return False
