"""Whether the store's texts answer a question, and which of their sentences do: pure scoring, no embedding.

A question becomes terms: topics of the vocabulary (the same in every language) and the words that carry meaning.
A text answers when one passage covers the topics and most of the rest; a topic or a rare word that no passage speaks
of (vegan, refillable, a town that is not named) means that there is no evidence, however near the passages are.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Final, Literal

from shopping_agent.domain.intent import Language
from shopping_agent.domain.morphology import is_arabic
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.vocabulary import FACETS, Vocabulary, phrase_words
from shopping_agent.domain.word_forms import content_words, is_common, same_word

ENOUGH: Final = 0.6
_MOST_SENTENCES: Final = 3
_TOPIC_WEIGHT: Final = 1.5
_COMMON_WEIGHT: Final = 0.3
_NAMED_PLACE_WEIGHT: Final = 2.0
# What stands before a place: a word after it that no text knows is a place no text speaks of.
_BEFORE_PLACE: Final = re.compile(
    r"(?:\b(?:to|in|at|near|à|au|aux|vers|f|l|fi)\s+|إلى\s+|الى\s+|في\s+|ف\s+|ل\s+)([^\W\d_]{3,})",
    re.IGNORECASE,
)
_ASKS_NUMBER: Final = re.compile(
    r"how (?:long|much|many)|what (?:size|price|time)|combien|quel(?:le)? (?:prix|délai|durée|taille)|كم |شحال|ch7al|chhal|متى|"
    r"\bwhen\b|quand|imta|امتى|فوقاش",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?؟۔])\s+(?=\S)|\n+")
_BULLET: Final = re.compile(r"^\s*(?:[-*•–]|\d+[.)])\s+")
_READS: Final[Mapping[Language, tuple[str, ...]]] = {
    "en": ("en",),
    "fr": ("fr",),
    "ar": ("ar",),
    "ary": ("ar", "fr"),
    "ary-latn": ("fr", "en"),
}


@dataclass(frozen=True, slots=True)
class Passage:
    """One text that may answer: a guide's section, or a product's own words (`product_id`, `name`)."""

    text: str
    source: str = ""
    heading: str = ""
    language: str = ""
    product_id: str | None = None
    name: str = ""

    @classmethod
    def from_observation(cls, item: Mapping[str, Any]) -> "Passage":
        """A passage as the tool `search_guides` shows it."""
        return cls(
            text=str(item.get("text", "")),
            source=str(item.get("source", "")),
            heading=str(item.get("heading", "")),
            language=str(item.get("language", "")),
            product_id=item.get("productId"),
            name=str(item.get("name", "")),
        )


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence quoted word for word, with where it stands."""

    text: str
    source: str
    heading: str
    language: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the passages say about a question.

    Attributes:
        score: weight of the question's terms that the best passage covers, 0..1.
        answers: whether that is enough to answer from it.
        sentences: one to three sentences of the best passage, in their order; empty without evidence.
        missing: topics and words of the question that no passage speaks of.
    """

    score: float = 0.0
    answers: bool = False
    sentences: tuple[Sentence, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Term:
    value: str
    weight: float
    kind: Literal["topic", "facet", "word"] = "word"


@dataclass(frozen=True, slots=True)
class _Read:
    """A text reduced to what is compared."""

    topics: frozenset[str]
    facets: frozenset[str]
    words: frozenset[str]

    def speaks_of(self, term: _Term) -> bool:
        if term.kind != "word":
            return term.value in (self.topics if term.kind == "topic" else self.facets)
        return any(same_word(term.value, word) for word in self.words)


def assess(question: ShopperQuery, passages: Sequence[Passage], vocabulary: Vocabulary) -> Evidence:
    """Judge whether `passages` answer `question`, and quote the sentences that do.

    Args:
        question: the message as understood; its `topics` count beside those of its text, names of products do not.
        passages: what retrieval found, best first; any language.
        vocabulary: whose topics and facets make a question in one language and a text in another meet.
    """
    reads = [_read(f"{p.source} {p.heading}\n{p.text}", vocabulary) for p in passages]
    terms = _terms(question, reads, vocabulary)
    if not terms or not reads:
        return Evidence(missing=tuple(term.value for term in terms))
    scores = [_coverage(terms, read) for read in reads]
    best = max(
        range(len(passages)),
        key=lambda i: (round(scores[i] * _fit(question.language, passages[i]), 4), -i),
    )
    uncovered = [t for t in terms if not any(read.speaks_of(t) for read in reads)]
    topics_met = all(reads[best].speaks_of(term) for term in terms if term.kind == "topic")
    named = any(t.weight >= _NAMED_PLACE_WEIGHT for t in uncovered)
    answers = scores[best] >= ENOUGH and topics_met and not named
    return Evidence(
        score=scores[best],
        answers=answers,
        sentences=_quote(question, terms, passages[best], vocabulary) if answers else (),
        missing=tuple(term.value for term in uncovered),
    )


def _terms(question: ShopperQuery, reads: Sequence[_Read], vocabulary: Vocabulary) -> list[_Term]:
    text = _without_names(question)
    places = {w for match in _BEFORE_PLACE.findall(text) for w in content_words(match)}
    concepts, rest = _concepts(text, vocabulary)
    terms = [
        _Term(topic, _TOPIC_WEIGHT, "topic")
        for topic in dict.fromkeys((*question.topics, *concepts["topic"]))
    ]
    terms += [_Term(facet, 1.0, "facet") for facet in dict.fromkeys(concepts["facet"])]
    for word in dict.fromkeys(content_words(rest)):
        if word.isdigit():
            continue
        seen = sum(any(same_word(word, w) for w in read.words) for read in reads)
        if is_common(word):
            weight = _COMMON_WEIGHT
        elif seen == 0 and word in places:
            weight = _NAMED_PLACE_WEIGHT
        else:
            weight = _rarity(seen, len(reads))
        terms.append(_Term(word, weight))
    return terms


def _without_names(question: ShopperQuery) -> str:
    """The text without the product names in it: they choose the passages, they are not what is asked."""
    text = question.text
    for reference in sorted(question.references, key=lambda r: -r.start):
        text = f"{text[: reference.start]} {text[reference.end :]}"
    return text


def _rarity(seen: int, total: int) -> float:
    """Inverse document frequency among the passages, scaled to 0.5..1: what all of them say decides little."""
    if total <= 1:
        return 1.0
    return 0.5 + 0.5 * log((total + 1) / (seen + 1)) / log(total + 1)


def _coverage(terms: Sequence[_Term], read: _Read) -> float:
    total = sum(term.weight for term in terms)
    return sum(term.weight for term in terms if read.speaks_of(term)) / total


def _read(text: str, vocabulary: Vocabulary) -> _Read:
    concepts, _ = _concepts(text, vocabulary)
    return _Read(
        frozenset(concepts["topic"]), frozenset(concepts["facet"]), frozenset(content_words(text))
    )


def _concepts(text: str, vocabulary: Vocabulary) -> tuple[dict[str, list[str]], str]:
    """The topics and facets that a text names, and its other words."""
    tokens = phrase_words(text)
    concepts: dict[str, list[str]] = {"topic": [], "facet": []}
    covered: set[int] = set()
    for match in vocabulary.find([vocabulary.forms_of(token) for token in tokens]):
        if match.kind == "topic" or match.kind in FACETS:
            concepts["topic" if match.kind == "topic" else "facet"].append(match.concept)
            covered.update(range(match.start, match.end))
    return concepts, " ".join(t for i, t in enumerate(tokens) if i not in covered)


def _fit(language: Language, passage: Passage) -> float:
    """How well the shopper reads a passage's language: their own is worth a clear lead in coverage."""
    spoken = passage.language or ("ar" if is_arabic(passage.text) else "")
    if not spoken:
        return 0.95
    reads = _READS[language]
    return 1.0 - 0.15 * reads.index(spoken) if spoken in reads else 0.75


def _quote(
    question: ShopperQuery, terms: Sequence[_Term], passage: Passage, vocabulary: Vocabulary
) -> tuple[Sentence, ...]:
    """The sentences that carry the answer, in the order of the text."""
    sentences = split_sentences(passage.text)
    wants_number = bool(_ASKS_NUMBER.search(question.text))
    scores: list[float] = []
    for sentence in sentences:
        read = _read(sentence, vocabulary)
        score = sum(term.weight for term in terms if read.speaks_of(term))
        if wants_number and score and any(c.isdigit() for c in sentence):
            score += 1.0
        scores.append(score)
    top = max(scores, default=0.0)
    if top <= 0.0:
        chosen = list(range(min(2, len(sentences))))  # the heading alone speaks of it
    else:
        ranked = sorted(range(len(sentences)), key=lambda i: (-scores[i], i))
        chosen = sorted(i for i in ranked[:_MOST_SENTENCES] if scores[i] >= 0.75 * top)
    return tuple(
        Sentence(sentences[i], passage.source, passage.heading, passage.language) for i in chosen
    )


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, word for word, without bullets and headings."""
    parts = (_BULLET.sub("", part).strip() for part in _SENTENCE_END.split(text))
    return [part for part in parts if part and not part.startswith("#")]
