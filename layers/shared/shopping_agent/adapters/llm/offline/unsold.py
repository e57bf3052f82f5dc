"""A name that a message asks for and that nothing in the shop goes by: `do you have Sauvage by Dior?`"""

import re
from typing import Final

from shopping_agent.adapters.llm.offline.situation import Situation
from shopping_agent.domain.evidence import Evidence
from shopping_agent.domain.text import fold, words
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary, phrase_words
from shopping_agent.domain.word_forms import content_words, is_common

_WORD: Final = re.compile(r"[^\W_]+")
_SHORTEST: Final = 3
_MOST_WORDS: Final = 5
# What may be asked of a product that is not sold here.
_OF_NAMES: Final = frozenset({"brand", "price", "size", "stock"})
_ASKING: Final = frozenset(
    {
        ("availability", "there"),
        ("search", "want"),
        ("search", "suggest"),
        ("action", "want"),
        ("topic", "stock"),
        ("topic", "brand"),
        ("trade", "sold"),
    }
)


@frozen
class Unsold:
    """The name, as typed; `certain` where it is written as names are, or is all that is asked for."""

    name: str
    certain: bool


def unsold(situation: Situation, evidence: Evidence, vocabulary: Vocabulary) -> Unsold | None:
    """The one run of words that neither the vocabulary nor a product observed knows, where goods are asked for."""
    query = situation.query
    if query.references or query.action != "none" or query.orders:
        return None
    if evidence.asked or not set(query.topics) <= _OF_NAMES:
        return None  # a loyalty programme, a shop in Lyon: no goods are asked for
    tokens = list(_WORD.finditer(query.text))
    folded = [fold(token[0]) for token in tokens]
    if phrase_words(query.text) != folded:
        return None
    matches = vocabulary.find([vocabulary.forms_of(word) for word in folded])
    if not any((m.kind, m.concept) in _ASKING for m in matches):
        return None
    covered = {i for m in matches for i in range(m.start, m.end)}
    strange = [i for i, word in enumerate(folded) if i not in covered and _is_strange(word)]
    if (
        not strange
        or strange[-1] - strange[0] >= _MOST_WORDS
        or _is_observed(situation, strange, folded)
    ):
        return None
    last = strange[-1]
    while last + 1 < len(tokens) and (folded[last + 1].isdigit() or _is_numero(folded, last + 1)):
        last += 1
    name = query.text[tokens[strange[0]].start() : tokens[last].end()]
    written = any(tokens[i][0][0].isupper() for i in strange if i) and not query.text.isupper()
    return Unsold(name, written)


def _is_strange(word: str) -> bool:
    telling = len(word) >= _SHORTEST and not word.isdigit() and bool(content_words(word))
    return telling and not is_common(word)


def _is_numero(folded: list[str], at: int) -> bool:
    """The `n` of `n°5`."""
    return folded[at] == "n" and at + 1 < len(folded) and folded[at + 1].isdigit()


def _is_observed(situation: Situation, strange: list[int], folded: list[str]) -> bool:
    known = {
        word
        for item in situation.known()
        for text in (item.name, *item.values("brand"), *item.values("notes"))
        for word in words(text)
    }
    return any(folded[i] in known for i in strange)
