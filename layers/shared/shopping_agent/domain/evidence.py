"""Whether the store's texts answer a question, and which of their sentences do: pure scoring, no embedding.

A question becomes terms: topics of the vocabulary (the same in every language) and the words that carry meaning.
A text answers when one passage covers the topics and most of the rest; a topic or a rare word that no passage speaks
of (vegan, refillable, a town that is not named) means that there is no evidence, however near the passages are.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Final, Literal

from shopping_agent.domain.intent import Language
from shopping_agent.domain.morphology import is_arabic
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.vocabulary import FACETS, Vocabulary, phrase_words
from shopping_agent.domain.word_forms import content_words, is_common, is_misspelt_filler, same_word

ENOUGH: Final = 0.55
_MOST_SENTENCES: Final = 3
_PLACE_WEIGHT: Final = 1.5
_COMMON_WEIGHT: Final = 0.2
_ATTRIBUTE_WEIGHT: Final = 0.3
_ASKED_FOR: Final = 1.5  # of two sentences on a subject, the one with the attribute that is asked
# A word that no text has: grave when it is all the question says, less so beside a topic, and least in Darija,
# which no guide is written in.
_UNSEEN_WEIGHT: Final = 1.0
_UNSEEN_BESIDE_TOPIC: Final = 0.6
_UNSEEN_IN_DARIJA: Final = 0.25
# Topics that ask for an attribute of something: what they ask about is the rest of the question.
_ATTRIBUTES: Final = frozenset({"price", "size", "stock", "details", "suitability"})
_LITERAL: Final = 0.85  # at least one of the shopper's own words for the topic
_SYNONYM: Final = 0.8  # a text about the topic, in other words than the shopper's
_ELSEWHERE: Final = 0.95  # said under a heading about something else
_PASSING_MENTION: Final = 0.4
_LACKS: Final = 0.93
# What stands before a place: a word after it that no text knows is a place no text speaks of.
_BEFORE_PLACE: Final = re.compile(
    r"(?:\b(?:to|in|at|near|à|au|aux|vers|f|l|fi)\s+|(?:^|\s)(?:إلى|الى|في|ف|ل)\s+)([^\W\d_]{3,})",
    re.IGNORECASE,
)
_ASKS_NUMBER: Final = re.compile(
    r"how (?:long|much|many)|what (?:size|price|time)|combien|quel(?:le)? (?:prix|délai|durée|taille)|كم |شحال|ch7al|chhal|متى|"
    r"\bwhen\b|quand|imta|امتى|فوقاش",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?؟۔])\s+(?=\S)")
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
    """Something a question is about.

    Attributes:
        must: a passage without it does not answer.
        surface: the words of the question that named a topic.
    """

    value: str
    weight: float
    kind: Literal["topic", "facet", "word"] = "word"
    must: bool = False
    surface: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Read:
    """A text reduced to what is compared: how often it names each concept, its words, what its heading names."""

    concepts: Mapping[str, int]
    words: frozenset[str]
    heading: frozenset[str]
    of_a_place: bool = False

    def share_of(self, term: _Term) -> float:
        """How far this text speaks of a term, 0..1: a topic mentioned once, in other words, is in passing."""
        if term.kind == "word":
            return float(self._says(term.value))
        mentions = self.concepts.get(term.value, 0)
        if term.kind == "facet" or not mentions:
            return float(mentions > 0)
        about = term.value in self.heading
        said = [word for word in term.surface if self._says(word)]
        if said:
            literal = _LITERAL + (1.0 - _LITERAL) * len(said) / len(term.surface)
            return literal if about else literal * _ELSEWHERE
        if about or mentions > 1:
            return _SYNONYM if about else _SYNONYM * _ELSEWHERE
        return _PASSING_MENTION

    def _says(self, word: str) -> bool:
        return any(same_word(word, other) for other in self.words)


def assess(question: ShopperQuery, passages: Sequence[Passage], vocabulary: Vocabulary) -> Evidence:
    """Judge whether `passages` answer `question`, and quote the sentences that do.

    Args:
        question: the message as understood; its `topics` count beside those of its text, names of products do not.
        passages: what retrieval found, best first; any language.
        vocabulary: whose topics and facets make a question in one language and a text in another meet.
    """
    reads = [_read(p.text, vocabulary, f"{p.source} {p.heading}") for p in passages]
    terms = _terms(question, reads, vocabulary)
    uncovered = tuple(t.value for t in terms if not any(read.share_of(t) for read in reads))
    if not terms or not reads:
        return Evidence(missing=uncovered)
    scores = [_coverage(terms, read) for read in reads]
    fits = [_fit(question, terms, p, r) for p, r in zip(passages, reads, strict=True)]
    best = max(
        range(len(passages)),
        key=lambda i: (round(scores[i] * fits[i], 2), _mentions(terms, reads[i]), -i),
    )
    subject = [t for t in terms if t.kind == "topic" and t.value not in _ATTRIBUTES]
    on_subject = not subject or any(reads[best].share_of(t) > _PASSING_MENTION for t in subject)
    complete = all(reads[best].share_of(t) for t in terms if t.must)
    answers = scores[best] >= ENOUGH and on_subject and complete
    return Evidence(
        score=scores[best],
        answers=answers,
        sentences=_quote(question, terms, passages[best], vocabulary) if answers else (),
        missing=uncovered,
    )


def _terms(question: ShopperQuery, reads: Sequence[_Read], vocabulary: Vocabulary) -> list[_Term]:
    text = _without_names(question)
    named = _named(text, vocabulary)
    topics: dict[str, tuple[str, ...]] = dict.fromkeys(question.topics, ())
    topics |= named.topics
    subject = set(topics) - _ATTRIBUTES
    terms = [
        _Term(topic, 1.0 if topic in subject else _ATTRIBUTE_WEIGHT, "topic", surface=surface)
        for topic, surface in topics.items()
    ]
    terms += [_Term(facet, 1.0, "facet") for facet in dict.fromkeys(named.facets)]
    places = {w for match in _BEFORE_PLACE.findall(text) for w in content_words(match)}
    for word in dict.fromkeys(content_words(" ".join((*named.places, *named.rest)))):
        seen = sum(bool(read.share_of(_Term(word, 1.0))) for read in reads)
        if word in named.places or (word in places and not seen):
            terms.append(_Term(word, _PLACE_WEIGHT, must=True))
        elif not word.isdigit() and (seen or not is_misspelt_filler(word)):
            weight = _rarity(seen, len(reads)) if seen else _unseen(word, question, subject)
            terms.append(_Term(word, _COMMON_WEIGHT if is_common(word) else weight))
    return terms


def _unseen(word: str, question: ShopperQuery, subject: Collection[str]) -> float:
    if not subject:
        return _UNSEEN_WEIGHT
    dialect = question.language in ("ary", "ary-latn") and not word.startswith(("ل", "ف"))
    return _UNSEEN_IN_DARIJA if dialect else _UNSEEN_BESIDE_TOPIC


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
    return sum(term.weight * read.share_of(term) for term in terms) / total


def _mentions(terms: Sequence[_Term], read: _Read) -> int:
    """How often a text names the topics: of two that cover as much, the one that is more about them."""
    return sum(read.concepts.get(t.value, 0) + 2 * (t.value in read.heading) for t in terms)


@dataclass(frozen=True, slots=True)
class _Named:
    """A text by what its words name: topics with the words behind them; `rest` names nothing known."""

    topics: Mapping[str, tuple[str, ...]]
    facets: tuple[str, ...]
    places: tuple[str, ...]
    rest: tuple[str, ...]
    mentions: Mapping[str, int]


def _named(text: str, vocabulary: Vocabulary) -> _Named:
    tokens = phrase_words(text)
    matches = vocabulary.find([vocabulary.forms_of(token) for token in tokens])
    # One phrase may say the same in several languages: it is one mention.
    found = list({(m.kind, m.concept, m.start): m for m in matches}.values())
    topics: dict[str, tuple[str, ...]] = {}
    for match in found:
        if match.kind == "topic":
            words = content_words(" ".join(tokens[match.start : match.end]))
            topics[match.concept] = (*topics.get(match.concept, ()), *words)
    # "frais de port" is no wish for something fresh.
    inside = {
        i for m in found if m.kind == "topic" and m.end - m.start > 1 for i in range(m.start, m.end)
    }
    facets = [m for m in found if m.kind in FACETS and m.start not in inside]
    known = {i for m in found if m.kind == "topic" for i in range(m.start, m.end)}
    known |= {i for m in facets for i in range(m.start, m.end)}
    # A word may be a place and a topic ("sale"): the topic is what is asked.
    places = {i for m in found if m.kind == "city" for i in range(m.start, m.end)} - known
    return _Named(
        topics=topics,
        facets=tuple(match.concept for match in facets),
        places=tuple(tokens[i] for i in sorted(places)),
        rest=tuple(t for i, t in enumerate(tokens) if i not in known | places),
        mentions=Counter(m.concept for m in found if m.kind == "topic" or m in facets),
    )


def _read(text: str, vocabulary: Vocabulary, heading: str = "") -> _Read:
    body, title = _named(text, vocabulary), _named(heading, vocabulary)
    return _Read(
        concepts=Counter(body.mentions) + Counter(title.mentions),
        words=frozenset(content_words(f"{heading} {text}")),
        heading=frozenset(title.mentions),
        of_a_place=bool(title.places),
    )


def _fit(question: ShopperQuery, terms: Sequence[_Term], passage: Passage, read: _Read) -> float:
    """What an equal coverage is worth: the shopper's own language, a figure where one is asked, no other place."""
    fit = _language_fit(question.language, passage)
    if _ASKS_NUMBER.search(question.text) and not any(c.isdigit() for c in passage.text):
        fit *= _LACKS
    if read.of_a_place and not any(term.must for term in terms):
        fit *= _LACKS
    return fit


def _language_fit(language: Language, passage: Passage) -> float:
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
        score = sum(
            _ASKED_FOR if term.value in _ATTRIBUTES else term.weight
            for term in terms
            if read.share_of(term)
        )
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
    lines = (_BULLET.sub("", line).strip() for line in text.splitlines())
    return [
        sentence
        for line in lines
        if line and not line.startswith("#")
        for sentence in _SENTENCE_END.split(line)
    ]
