"""Whether the store's texts answer a question, and which of their sentences do: pure scoring, no embedding.

A question becomes terms: topics of the vocabulary (the same in every language) and the words that carry meaning.
A text answers when one passage covers the topics and most of the rest; a topic or a rare word that no passage speaks
of (vegan, refillable, a town that is not named) means that there is no evidence, however near the passages are.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from shopping_agent.domain.evidence_terms import (
    ATTRIBUTES,
    COMMON_WEIGHT,
    PASSING_MENTION,
    Term,
    TextRead,
    question_terms,
    read_text,
)
from shopping_agent.domain.excerpts import asks_number, excerpt
from shopping_agent.domain.intent import Language
from shopping_agent.domain.morphology import is_arabic
from shopping_agent.domain.passage import Passage, Sentence
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary

ENOUGH: Final = 0.55
_LACKS: Final = 0.95
_ELSEWHERE: Final = 0.85  # a section about a place, where the question names none
_NOT_MEANT: Final = 0.8  # a product's text, where the question names and points at none
_HINTED: Final = 0.8
_LIFTED: Final = 0.85
_NEAREST: Final = 0.12  # what it is worth to be the first that retrieval found
_MENTION: Final = 0.01
_ENOUGH_MENTIONS: Final = 5
_OTHERWISE: Final = 0.1
_READS: Final[Mapping[Language, tuple[str, ...]]] = {
    "en": ("en",),
    "fr": ("fr",),
    "ar": ("ar",),
    "ary": ("ar", "fr"),
    "ary-latn": ("fr", "en"),
}


ASPECTS_OF_PRODUCTS: Final = frozenset({"sale", "last longer", "concentration", "sample"})
"""Aspects of a question that products have as well as the store's texts."""


@frozen
class Evidence:
    """What the passages say about a question.

    Attributes:
        score: weight of the question's terms that the best passage covers, 0..1.
        answers: whether that is enough to answer from it.
        sentences: the best passage, or a run of its sentences where it is long; empty without evidence.
        missing: topics and words of the question that no passage speaks of.
        asked: the aspects that the question names, whether a passage speaks of them or not.
        on_heading: whether the best passage's heading names one of them.
    """

    score: float = 0.0
    answers: bool = False
    sentences: tuple[Sentence, ...] = ()
    missing: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    on_heading: bool = False


def assess(question: ShopperQuery, passages: Sequence[Passage], vocabulary: Vocabulary) -> Evidence:
    """Judge whether `passages` answer `question`, and quote the best of them.

    Args:
        question: the message as understood; its `topics` count beside those of its text, names of products do not.
        passages: what retrieval found, best first; any language.
        vocabulary: whose topics and facets make a question in one language and a text in another meet.
    """
    judged = _judge(question, passages, vocabulary)
    asked = tuple(term.name for term in judged.terms if term.kind == "aspect")
    if not judged.terms or not judged.reads:
        return Evidence(missing=judged.uncovered, asked=asked)
    best = judged.order()[0]
    read, score = judged.reads[best], judged.scores[best]
    on_heading = _on_heading(judged.terms, read)
    lacking = [t for t in judged.terms if t.must and not read.share_of(t)]
    # Where the heading is what is asked, one more aspect ("after I lit it") may be a circumstance.
    aside = on_heading and len(lacking) == 1 and lacking[0].kind == "aspect"
    complete = not lacking or aside
    answers = score >= ENOUGH and complete and _on_subject(judged.terms, read)
    return Evidence(
        score=score,
        answers=answers,
        sentences=_quote(question, judged.terms, passages[best], vocabulary) if answers else (),
        missing=judged.uncovered,
        asked=asked,
        on_heading=answers and on_heading,
    )


def ranks(
    question: ShopperQuery, passages: Sequence[Passage], vocabulary: Vocabulary
) -> Sequence[float]:
    """How well each of some passages answers a question, the higher the better; no probability."""
    return _judge(question, passages, vocabulary).ranks


@frozen
class _Judged:
    """A question against passages: `scores` say how much of it each covers, `ranks` which is better."""

    terms: Sequence[Term]
    reads: Sequence[TextRead]
    scores: Sequence[float]
    ranks: Sequence[float]
    uncovered: tuple[str, ...]

    def order(self) -> list[int]:
        return sorted(range(len(self.ranks)), key=lambda i: (-self.ranks[i], i))


def _judge(question: ShopperQuery, passages: Sequence[Passage], vocabulary: Vocabulary) -> _Judged:
    reads = [read_text(p.text, vocabulary, p.heading, p.source) for p in passages]
    terms = question_terms(question, reads, vocabulary)
    uncovered = tuple(t.name for t in terms if not any(read.share_of(t) for read in reads))
    scores = [_coverage(terms, read) for read in reads]
    ranks = [
        scores[i] * _fit(question, terms, passages[i], read)
        + _hinted(terms, read)
        + _NEAREST / (1 + i)
        + _MENTION * min(_mentions(terms, read), _ENOUGH_MENTIONS)
        - _OTHERWISE * _narrower(terms, read)
        for i, read in enumerate(reads)
    ]
    return _Judged(terms, reads, scores, ranks, tuple(dict.fromkeys(uncovered)))


def _on_heading(terms: Sequence[Term], read: TextRead) -> bool:
    named = any(t.kind == "hint" and t.value in read.heading for t in terms)
    return any(
        t.value in read.heading or (named and t.value in read.source)
        for t in terms
        if t.kind == "aspect"
    )


def meant(passages: Sequence[Passage], product_ids: Collection[str]) -> list[Passage]:
    """Guides, and the texts of the products that a question is about: what another product's text says is no answer."""
    return [p for p in passages if p.product_id is None or p.product_id in product_ids]


def _on_subject(terms: Sequence[Term], read: TextRead) -> bool:
    """Whether a text is about what is asked, not only about an attribute of it, and not in passing."""
    subject = [t for t in terms if t.kind == "aspect"] or [
        t for t in terms if t.kind == "topic" and t.value not in ATTRIBUTES
    ]
    rest = [t for t in terms if t.value not in ATTRIBUTES and t.weight > COMMON_WEIGHT]
    return any(read.share_of(t) > PASSING_MENTION for t in subject or rest)


def _coverage(terms: Sequence[Term], read: TextRead) -> float:
    counted = [term for term in terms if term.kind != "hint"]
    total = sum(term.weight for term in counted)
    lifted = any(t.kind == "hint" and t.value in read.heading for t in terms)
    covered = sum(term.weight * _share(term, read, lifted=lifted) for term in counted)
    return covered / total if total else 0.0


def _share(term: Term, read: TextRead, *, lifted: bool) -> float:
    """How far a text speaks of a term.

    Args:
        lifted: the heading is what the question hints at: then what the guide is about goes for the section too.
    """
    share = read.share_of(term)
    of_guide = term.kind == "aspect" and term.value in read.source
    return max(share, _LIFTED) if lifted and of_guide else share


def _hinted(terms: Sequence[Term], read: TextRead) -> float:
    """What the hints of a question add to a text that has them too."""
    return sum(_HINTED * term.weight * read.share_of(term) for term in terms if term.kind == "hint")


def _narrower(terms: Sequence[Term], read: TextRead) -> int:
    """How many subjects a heading names that the question does not: the section is about a special case."""
    asked = {term.value for term in terms}
    return sum(":" in value and value not in asked for value in read.heading)


def _mentions(terms: Sequence[Term], read: TextRead) -> int:
    """How often a text names the topics: of two that cover as much, the one that is more about them."""
    return sum(read.concepts.get(t.value, 0) + 2 * (t.value in read.heading) for t in terms)


def _fit(question: ShopperQuery, terms: Sequence[Term], passage: Passage, read: TextRead) -> float:
    """What an equal coverage is worth: the shopper's own language, a figure where one is asked, no other place."""
    fit = _language_fit(question.language, passage)
    if asks_number(question.text) and not any(c.isdigit() for c in passage.text):
        fit *= _LACKS
    if passage.product_id is not None and not _points(question):
        fit *= _NOT_MEANT
    if read.of_a_place and not any(term.must and term.kind in ("word", "place") for term in terms):
        fit *= _ELSEWHERE
    return fit


def _points(question: ShopperQuery) -> bool:
    """Whether a question is about a certain product."""
    return bool(
        question.references or question.product_name or question.pronoun or question.ordinal
    )


def _language_fit(language: Language, passage: Passage) -> float:
    spoken = passage.language or ("ar" if is_arabic(passage.text) else "")
    if not spoken:
        return 0.95
    reads = _READS[language]
    return 1.0 - 0.15 * reads.index(spoken) if spoken in reads else 0.75


def _quote(
    question: ShopperQuery, terms: Sequence[Term], passage: Passage, vocabulary: Vocabulary
) -> tuple[Sentence, ...]:
    """A section when it is short, else the run of sentences that answers most; of a product's text only that."""
    quoted = excerpt(
        passage.text,
        terms,
        vocabulary,
        whole=passage.product_id is None,
        numbers=asks_number(question.text),
    )
    return tuple(
        Sentence(s, passage.source, passage.heading, passage.language, passage.name) for s in quoted
    )
