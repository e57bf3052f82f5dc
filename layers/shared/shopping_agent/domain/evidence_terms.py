"""What a question is about and what a text speaks of, as terms that can be compared across languages."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from math import log
from typing import Final, Literal

from shopping_agent.domain.mentions import Named, name_all
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.subjects import ABROAD
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary
from shopping_agent.domain.word_forms import (
    content_words,
    is_common,
    is_misspelt_filler,
    same_place,
    same_word,
)

_PLACE_WEIGHT: Final = 1.5
COMMON_WEIGHT: Final = 0.2
_ATTRIBUTE_WEIGHT: Final = 0.3
_ASPECT_WEIGHT: Final = 1.5
_TOPIC_BESIDE_ASPECT: Final = 0.5
_FACET_BESIDE_ASPECT: Final = 0.3
_WORD_BESIDE_ASPECT: Final = 0.4
_HINT_WEIGHT: Final = 0.5
# Aspects and hints: where a text speaks of one, and how far that makes the text about it.
_ABROAD: Final = f"aspect:{ABROAD}"
_IN_HEADING: Final = 1.0
_SAID_IN_ITS_GUIDE: Final = 0.95
_MENTIONED: Final = 0.6
_ONCE_MORE: Final = 0.12
_ENOUGH_TIMES: Final = 3
_OF_GUIDE: Final = 0.45  # only the guide as a whole is about it
# A word that no text has: grave when it is all the question says, less so beside a topic, and least in Darija,
# which no guide is written in.
_UNSEEN_WEIGHT: Final = 1.0
_UNSEEN_BESIDE_TOPIC: Final = 0.75
_UNSEEN_IN_DARIJA: Final = 0.25
# Topics that ask for an attribute of something: what they ask about is the rest of the question.
ATTRIBUTES: Final = frozenset({"price", "size", "stock", "details", "suitability"})
_LITERAL: Final = 0.85  # at least one of the shopper's own words for the topic
_SYNONYM: Final = 0.8  # a text about the topic, in other words than the shopper's
_ELSEWHERE: Final = 0.85  # said under a heading about something else
PASSING_MENTION: Final = 0.4
# What stands before a place: a word after it that no text knows is a place no text speaks of.
_BEFORE_PLACE: Final = re.compile(
    r"(?:\b(?:(?<!need )(?<!have )(?<!want )(?<!like )(?<!able )(?<!how )(?<!where )(?<!what )(?<!when )(?<!way )"
    r"(?<!used )(?<!going )to|in|at|near|à|au|aux|vers|f|l|fi)\s+|(?:^|\s)(?:إلى|الى|في|ف|ل)\s+)([^\W\d_]{3,})",
    re.IGNORECASE,
)


@frozen
class Term:
    """Something a question is about.

    Attributes:
        must: a passage without it does not answer.
        surface: the words of the question that named a topic.
    """

    value: str
    weight: float
    kind: Literal["topic", "facet", "word", "place", "aspect", "hint"] = "word"
    must: bool = False
    surface: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The value without the kind that may stand before it."""
        return self.value.rpartition(":")[2]


@frozen
class TextRead:
    """A text reduced to what is compared: how often it names each concept, its words, what its heading names."""

    concepts: Mapping[str, int]
    words: frozenset[str]
    heading: frozenset[str]
    source: frozenset[str] = frozenset()
    of_a_place: bool = False
    towns: frozenset[str] = frozenset()

    def share_of(self, term: Term) -> float:
        """How far this text speaks of a term, 0..1: a topic mentioned once, in other words, is in passing."""
        if term.kind == "word":
            return float(self._says(term.value))
        if term.kind == "place":
            named = term.value in self.towns
            return float(named or any(same_place(term.value, word) for word in self.words))
        if term.kind in ("aspect", "hint"):
            return self._share_of_subject(term)
        mentions = self.concepts.get(term.value, 0)
        if term.kind == "facet" or not mentions:
            return float(mentions > 0)
        in_text = mentions > (term.value in self.source)
        about = term.value in self.heading or (term.value in self.source and in_text)
        said = [word for word in term.surface if self._says(word)]
        if said:
            literal = _LITERAL + (1.0 - _LITERAL) * len(said) / len(term.surface)
            return literal if about else literal * _ELSEWHERE
        if about or mentions > 1 + (term.value in self.source):
            return _SYNONYM if about else _SYNONYM * _ELSEWHERE
        return PASSING_MENTION

    def _share_of_subject(self, term: Term) -> float:
        if term.value in self.heading:
            return _IN_HEADING
        of_guide = term.value in self.source
        mentions = self.concepts.get(term.value, 0) - of_guide
        if term.value == _ABROAD and any(map(self._says, term.surface)):
            return _IN_HEADING
        if mentions > 0:
            said = _MENTIONED + _ONCE_MORE * min(mentions, _ENOUGH_TIMES)
            return _SAID_IN_ITS_GUIDE if of_guide and term.kind == "aspect" else said
        return _OF_GUIDE * of_guide

    def _says(self, word: str) -> bool:
        return any(same_word(word, other) for other in self.words)


def question_terms(
    question: ShopperQuery, reads: Sequence[TextRead], vocabulary: Vocabulary
) -> list[Term]:
    """The terms of a question, weighed; `reads` are the texts that may answer it."""
    text = without_names(question)
    named = name_all(text, vocabulary)
    topics: dict[str, tuple[str, ...]] = dict.fromkeys(question.topics, ())
    topics |= named.topics
    subject = {*(set(topics) - ATTRIBUTES), *named.aspects}
    terms = [*_topic_terms(topics, named), *_subject_terms(named)]
    beside = _FACET_BESIDE_ASPECT if named.aspects else 1.0
    terms += [Term(facet, beside, "facet") for facet in dict.fromkeys(named.facets)]
    places = {w for match in _BEFORE_PLACE.findall(text) for w in content_words(match)}
    for word in dict.fromkeys(content_words(" ".join((*named.places, *named.rest)))):
        seen = sum(bool(read.share_of(Term(word, 1.0))) for read in reads)
        if word in named.places:
            terms.append(Term(word, _PLACE_WEIGHT, "place", must=True))
        elif word in places and not seen:
            terms.append(Term(word, _PLACE_WEIGHT, must=True))
        elif not word.isdigit() and (seen or not is_misspelt_filler(word)):
            weight = _rarity(seen, len(reads)) if seen else _unseen(word, question, subject)
            weight *= _WORD_BESIDE_ASPECT if seen and named.aspects else 1.0
            terms.append(Term(word, COMMON_WEIGHT if is_common(word) else weight))
    return terms


def _topic_terms(topics: Mapping[str, tuple[str, ...]], named: Named) -> list[Term]:
    """The topics; beside an aspect they say little more than which guide it is."""
    weight = _TOPIC_BESIDE_ASPECT if named.aspects else 1.0
    return [
        Term(topic, _ATTRIBUTE_WEIGHT if topic in ATTRIBUTES else weight, "topic", surface=surface)
        for topic, surface in topics.items()
    ]


def _subject_terms(named: Named) -> list[Term]:
    aspects = [
        Term(aspect, _ASPECT_WEIGHT, "aspect", must=True, surface=surface)
        for aspect, surface in named.aspects.items()
    ]
    return [*aspects, *(Term(hint, _HINT_WEIGHT, "hint") for hint in named.hints)]


def _unseen(word: str, question: ShopperQuery, subject: Collection[str]) -> float:
    if not subject:
        return _UNSEEN_WEIGHT
    dialect = question.language in ("ary", "ary-latn") and not word.startswith(("ل", "ف"))
    return _UNSEEN_IN_DARIJA if dialect else _UNSEEN_BESIDE_TOPIC


def without_names(question: ShopperQuery) -> str:
    """The message without the product names in it: they say what it is about, not what is asked of it."""
    text = question.text
    for reference in sorted(question.references, key=lambda r: -r.start):
        text = f"{text[: reference.start]} {text[reference.end :]}"
    return text


def _rarity(seen: int, total: int) -> float:
    """Inverse document frequency among the passages, scaled to 0.5..1: what all of them say decides little."""
    if total <= 1:
        return 1.0
    return 0.5 + 0.5 * log((total + 1) / (seen + 1)) / log(total + 1)


@lru_cache(maxsize=512)
def read_text(text: str, vocabulary: Vocabulary, heading: str = "", source: str = "") -> TextRead:
    """A text, with its heading and the name of the guide that it is from, ready to be compared."""
    body, title, guide = (
        name_all(part, vocabulary, written=True) for part in (text, heading, source)
    )
    return TextRead(
        concepts=Counter(body.mentions) + Counter(title.mentions) + Counter(guide.mentions),
        words=frozenset(content_words(f"{heading} {text}")),
        heading=frozenset(title.mentions),
        source=frozenset(guide.mentions),
        of_a_place=bool(title.places),
        towns=body.towns | title.towns,
    )
