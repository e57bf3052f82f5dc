"""What a question or a section is about, finer than its topic: paying by card, an opened bottle, an address abroad.

An `aspect` is what is asked: a text without it does not answer. A `hint` only tells sections apart.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from shopping_agent.domain.vocabulary import Match, Vocabulary, phrase_words

_GUIDE_LANGUAGES: Final = ("en", "fr", "ar")
COUNTRY: Final = "country"
ABROAD: Final = "abroad"
FREE_DELIVERY: Final = "free delivery"
_BROADER: Final = {COUNTRY: ABROAD}


def subjects_in(tokens: Sequence[str], vocabulary: Vocabulary) -> list[Match]:
    """The aspects and hints named by folded words; one phrase that several languages share is one mention."""
    subjects = vocabulary.subjects
    if subjects is None:
        return []
    found = subjects.find([subjects.forms_of(token) for token in tokens])
    return list({(m.kind, m.concept, m.start): m for m in found}.values())


def aspects_in(text: str, vocabulary: Vocabulary) -> set[str]:
    """The aspects that a text names."""
    return _of_kind("aspect", text, vocabulary)


def hints_in(text: str, vocabulary: Vocabulary) -> set[str]:
    """The hints that a text names."""
    return _of_kind("hint", text, vocabulary)


def _of_kind(kind: str, text: str, vocabulary: Vocabulary) -> set[str]:
    return {m.concept for m in subjects_in(phrase_words(text), vocabulary) if m.kind == kind}


def broader(concept: str) -> str:
    """The aspect under which a text may answer for one: for a country, what is said of all countries."""
    return _BROADER.get(concept, concept)


def glosses(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The names of a text's subjects in each language that guides are written in: what retrieval adds to a question."""
    named = _names(vocabulary.subjects) if vocabulary.subjects is not None else {}
    concepts = (broader(m.concept) for m in subjects_in(phrase_words(text), vocabulary))
    return tuple(dict.fromkeys(name for c in concepts for name in named.get(c, ())))


@lru_cache(maxsize=8)
def _names(subjects: Vocabulary) -> dict[str, tuple[str, ...]]:
    """The first phrase of each subject in each guide language."""
    first: dict[str, dict[str, str]] = {}
    for phrase, senses in subjects.phrases.items():
        for sense in senses:
            for language in sense.languages & set(_GUIDE_LANGUAGES):
                first.setdefault(sense.concept, {}).setdefault(language, phrase)
    return {c: tuple(by[x] for x in _GUIDE_LANGUAGES if x in by) for c, by in first.items()}
