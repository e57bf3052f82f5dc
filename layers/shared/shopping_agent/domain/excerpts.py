"""Which sentences of a text to quote for a question, word for word and in one run."""

import re
from collections.abc import Sequence
from typing import Final

from shopping_agent.domain.evidence_terms import ATTRIBUTES, Term, read_text
from shopping_agent.domain.vocabulary import Vocabulary

LONGEST_SECTION: Final = 350
"""Characters of a section that is quoted whole, and of a run out of a longer one."""
_LONGEST_RUN: Final = 180  # of a text that is not quoted whole
_ASKED_FOR: Final = 1.5  # of two sentences on a subject, the one with the attribute that is asked
_ASKS_NUMBER: Final = re.compile(
    r"how (?:long|much|many)|what (?:size|price|time)|combien|quel(?:le)? (?:prix|délai|durée|taille)|كم |شحال|ch7al|chhal|متى|"
    r"\bwhen\b|quand|imta|امتى|فوقاش",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?؟۔])\s+(?=\S)")
_BULLET: Final = re.compile(r"^\s*(?:[-*•–]|\d+[.)])\s+")


def asks_number(text: str) -> bool:
    """Whether a question wants a figure: how long, how much, when."""
    return bool(_ASKS_NUMBER.search(text))


def excerpt(
    text: str, terms: Sequence[Term], vocabulary: Vocabulary, *, whole: bool, numbers: bool
) -> list[str]:
    """The sentences of a text when it is short, else the run of them that answers most; of equal ones the first.

    Args:
        whole: a short text is quoted whole.
        numbers: the question wants a figure.
    """
    sentences = split_sentences(text)
    if whole and len(text) <= LONGEST_SECTION:
        return sentences
    longest = LONGEST_SECTION if whole else _LONGEST_RUN
    scores = [_score(sentence, terms, vocabulary, numbers=numbers) for sentence in sentences]
    runs = [
        (start, end)
        for start in range(len(sentences))
        for end in range(start + 1, len(sentences) + 1)
        if end == start + 1 or sum(map(len, sentences[start:end])) <= longest
    ]
    start, end = max(
        runs, key=lambda run: (sum(scores[slice(*run)]), run[0] - run[1], -run[0]), default=(0, 0)
    )
    return sentences[start:end]


def _score(sentence: str, terms: Sequence[Term], vocabulary: Vocabulary, *, numbers: bool) -> float:
    read = read_text(sentence, vocabulary)
    score = sum(
        _ASKED_FOR if term.value in ATTRIBUTES else term.weight
        for term in terms
        if read.share_of(term)
    )
    return score + (1.0 if numbers and score and any(c.isdigit() for c in sentence) else 0.0)


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, word for word, without bullets and headings."""
    lines = (_BULLET.sub("", line).strip() for line in text.splitlines())
    return [
        sentence
        for line in lines
        if line and not line.startswith("#")
        for sentence in _SENTENCE_END.split(line)
    ]
