"""The attributes of a product as the glossary's predicates see them: canonical values, whatever language the catalog is in."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from shopping_agent.domain.catalog import Product
from shopping_agent.domain.kinds import MAIN, kind_terms
from shopping_agent.domain.rules_reading import did_you_mean, read_range
from shopping_agent.domain.text import fold, name_keys
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary

Facts = Mapping[str, frozenset[str]]
"""Attribute -> its canonical values; an attribute that the product lacks is absent."""

ATTRIBUTES: Final = (
    "note",
    "top",
    "heart",
    "base",
    "family",
    "accord",
    "season",
    "occasion",
    "gender",
    "concentration",
    "brand",
    "kind",
    "name",
)
"""What a predicate may ask about, beside the scales and `option.<name>`."""
OPTION: Final = "option."
_KIND: Final = "kind:"
_NAME_WORDS: Final = 3
_NONE: Final[frozenset[str]] = frozenset()


@frozen
class Scale:
    """An ordered attribute of products, such as sillage.

    Attributes:
        attribute: where its value stands: `sillage`, `longevity`, `concentration` or `option.<name>`.
        steps: canonical values, weakest first.
        words: folded word -> step, from 0; the steps themselves are among them.
        label: its name in words, by language.
    """

    name: str
    attribute: str
    steps: tuple[str, ...]
    words: Mapping[str, int]
    label: Mapping[str, str]

    def level(self, value: str | None, vocabulary: Vocabulary) -> int | None:
        """The step of a catalog's word, from 0; None for what is not on the scale."""
        if not value:
            return None
        step = self.words.get(_plain(value))
        if step is not None:
            return step
        known = _canonical(vocabulary, self.name, value)
        return next((self.words[term] for term in known if term in self.words), None)

    def interval(self, text: str) -> tuple[int, int]:
        """The steps of `moderate..heavy`, `..heavy`, `long..` or `moderate`, both included.

        Raises:
            ValueError: when it names no step of the scale, or runs backwards.
        """
        ends = read_range(text)
        example = f"{self.steps[0]}..{self.steps[-1]}"
        if ends is None:
            raise ValueError(f"{text!r} is no interval; one looks like {example}")
        levels: list[int] = []
        for end, open_end in zip(ends, (0, len(self.steps) - 1), strict=True):
            level = self.words.get(" ".join(fold(end).split())) if end else open_end
            if level is None:
                raise ValueError(
                    f"{end!r} is no step of {self.name}: {' < '.join(self.steps)}"
                    f"{did_you_mean(end, self.steps)}"
                )
            levels.append(level)
        if levels[0] > levels[1]:
            raise ValueError(f"{text!r} runs backwards: the weaker step comes first")
        return levels[0], levels[1]


def value_of(product: Product, attribute: str) -> str | None:
    """The one value of a scale's attribute, as the catalog writes it."""
    match attribute:
        case "sillage":
            return product.sillage
        case "longevity":
            return product.longevity
        case "concentration":
            return product.concentration
        case _:
            wanted = attribute.removeprefix(OPTION)
            return next((v for k, v in product.options.items() if fold(k) == wanted), None)


def facts_of(product: Product, vocabulary: Vocabulary) -> Facts:
    """The canonical attributes of a product.

    What a name says of notes and families counts too; so does the description for what the catalog has no column of.
    """
    notes, facts = product.notes, dict[str, frozenset[str]]()
    by_level = {"top": notes.top, "heart": notes.heart, "base": notes.base}
    for level, listed in by_level.items():
        facts[level] = _all(vocabulary, "note", listed)
    described = f"{product.name}\n{product.description}"
    said_notes = _said(vocabulary, "note", product.name if notes.all() else described)
    has_families = product.families or product.accords
    said_families = _said(vocabulary, "family", product.name if has_families else described)
    facts["note"] = facts["top"] | facts["heart"] | facts["base"] | said_notes
    facts["family"] = _all(vocabulary, "family", product.families) | said_families
    facts["accord"] = frozenset(
        term for word in product.accords for term in _accords(vocabulary, word)
    )
    facts["season"] = _all(vocabulary, "season", product.seasons)
    facts["occasion"] = _all(vocabulary, "occasion", product.occasions)
    facts["gender"] = frozenset({product.gender}) if product.gender else _NONE
    facts["concentration"] = _folded(product.concentration)
    facts["brand"] = _folded(product.brand)
    kinds = kind_terms(product, vocabulary)
    facts["kind"] = frozenset(kind.removeprefix(_KIND) for kind in kinds) or frozenset({MAIN})
    facts["name"] = frozenset(name_keys(product.name, longest=_NAME_WORDS))
    for name, value in product.options.items():
        facts[f"{OPTION}{fold(name)}"] = _folded(value)
    return {attribute: values for attribute, values in facts.items() if values}


def canonical(vocabulary: Vocabulary, attribute: str, word: str) -> tuple[str, ...]:
    """The canonical values that a word of the glossary stands for, as `facts_of` would write them."""
    match attribute:
        case "note" | "top" | "heart" | "base":
            return _canonical(vocabulary, "note", word)
        case "family" | "season" | "occasion":
            return _canonical(vocabulary, attribute, word)
        case _:
            return tuple(_folded(word))


def _all(vocabulary: Vocabulary, kind: str, words: Iterable[str]) -> frozenset[str]:
    return frozenset(term for word in words for term in _canonical(vocabulary, kind, word))


@lru_cache(maxsize=20_000)
def _canonical(vocabulary: Vocabulary, kind: str, word: str) -> tuple[str, ...]:
    """Catalogs repeat their words: each is looked up once."""
    plain = _plain(word)
    if plain in vocabulary.concepts.get(kind, ()):
        return (plain,)
    return vocabulary.canonical(kind, (word,))


@lru_cache(maxsize=5_000)
def _accords(vocabulary: Vocabulary, word: str) -> tuple[str, ...]:
    """An accord is its own word and every note, family and accord that it names."""
    found = vocabulary.concepts_in(word, ("accord", "family", "note"))
    return tuple(dict.fromkeys((_plain(word), *found)))


@lru_cache(maxsize=20_000)
def _said(vocabulary: Vocabulary, kind: str, text: str) -> frozenset[str]:
    return frozenset(vocabulary.concepts_in(text, (kind,)))


def _folded(value: str | None) -> frozenset[str]:
    plain = _plain(value or "")
    return frozenset({plain}) if plain else _NONE


def _plain(text: str) -> str:
    return " ".join(fold(text).split())
