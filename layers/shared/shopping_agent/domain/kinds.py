"""What sort of thing a product is (a gift set, a candle, ... or what the store mainly sells), and which sort a message wants.

The sorts and their words are data: kind `kind` of the vocabulary, the most telling sort first.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from shopping_agent.domain.catalog import Product
from shopping_agent.domain.vocabulary import Match, Vocabulary, phrase_words

MAIN: Final = "main"
"""What the store mainly sells: a product of no other sort may be it."""
_PREFIX: Final = "kind:"


def kind_term(kind: str) -> str:
    """The term that products of a sort carry in the index."""
    return f"{_PREFIX}{kind}"


def special_kinds(vocabulary: Vocabulary) -> tuple[str, ...]:
    """Every sort but the main one."""
    return tuple(kind for kind in _kinds(vocabulary) if kind != MAIN)


def kind_terms(product: Product, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The term of a product's sort; none for the main one."""
    sized = product.size_ml is not None
    kind = _kind_of(product.name, product.concentration or "", vocabulary, sized=sized)
    return (kind_term(kind),) if kind not in (None, MAIN) else ()


def kind_of(name: str, vocabulary: Vocabulary) -> str | None:
    """The sort that a product's name tells; None for the main one."""
    kind = _kind_of(name, "", vocabulary, sized=False)
    return None if kind == MAIN else kind


def is_of_kind(terms: Collection[str], kind: str) -> bool:
    """Whether a product with these terms is of a sort; one of no stated sort is of the main one."""
    if kind == MAIN:
        return not any(term.startswith(_PREFIX) for term in terms)
    return kind_term(kind) in terms


def kinds_in(words: Sequence[str], vocabulary: Vocabulary, *, moroccan: bool) -> list[Match]:
    """The sorts that folded words name, the most telling first; an empty word ends a phrase."""
    kinds = vocabulary.kinds
    if kinds is None:
        return []
    forms = [kinds.forms_of(word, moroccan=moroccan) if word else () for word in words]
    order = _kinds(vocabulary)
    return sorted(kinds.find(forms), key=lambda match: order.index(match.concept))


@lru_cache(maxsize=20_000)
def _kind_of(name: str, concentration: str, vocabulary: Vocabulary, *, sized: bool) -> str | None:
    """The sort that a name begins or ends with; of a single bottle its concentration says more than its name."""
    words = phrase_words(name)
    named = [
        m.concept
        for m in kinds_in(words, vocabulary, moroccan=False)
        if m.start == 0 or m.end == len(words)
    ]
    stated = [m.concept for m in kinds_in(phrase_words(concentration), vocabulary, moroccan=False)]
    return next(iter([*stated, *named] if sized else [*named, *stated]), None)


def _kinds(vocabulary: Vocabulary) -> tuple[str, ...]:
    return vocabulary.kinds.concepts["kind"] if vocabulary.kinds is not None else ()
