"""A message read once: tokens, words found in the vocabulary, clauses. What every extractor works on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from shopping_agent.domain.intent import Language
from shopping_agent.domain.morphology import negated_verb, skeleton
from shopping_agent.domain.understanding.tokens import Token
from shopping_agent.domain.vocabulary import FACETS, Match, Vocabulary

Span = tuple[int, int]

_ARABIC: Final = frozenset({"ar", "ary", "*"})
# Languages whose words are read in a message of a language: grammar strictly, content more freely.
_GRAMMAR: Final[dict[Language, frozenset[str]]] = {
    "en": frozenset({"en", "*"}),
    "fr": frozenset({"fr", "*"}),
    "ar": _ARABIC,
    "ary": _ARABIC,
    "ary-latn": frozenset({"ary-latn", "fr", "*"}),
}
_LATIN: Final = frozenset({"en", "fr", "ary-latn", "*"})
_FREE_KINDS: Final = frozenset({"note", "family", "currency", "topic", "city", "courtesy"})
_CLAUSE_ENDS: Final = frozenset(".!?;,،؛؟:…()/|\n")
_TYPO_KINDS: Final = (*FACETS, "action", "topic")
_TYPO_LENGTH: Final = 6
_SKELETON_LENGTH: Final = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """A message with what was found in it. Positions are token indexes unless said otherwise.

    Attributes:
        matches: vocabulary phrases, in order, those of other languages left out.
        names: tokens that belong to a known product name.
    """

    text: str
    language: Language
    tokens: tuple[Token, ...]
    matches: tuple[Match, ...]
    names: tuple[Span, ...] = ()

    def of(self, kind: str, *concepts: str) -> list[Match]:
        """Matches of a kind (and, when given, of these concepts only), in order."""
        return [
            m for m in self.matches if m.kind == kind and (not concepts or m.concept in concepts)
        ]

    def has(self, kind: str, *concepts: str) -> bool:
        return bool(self.of(kind, *concepts))

    def clause_of(self, position: int) -> int:
        return self.tokens[position].clause if position < len(self.tokens) else -1

    def same_clause(self, first: int, second: int) -> bool:
        return self.clause_of(first) == self.clause_of(second)

    def sign(self, position: int) -> str:
        """The sign at a position, "" where there is a word or nothing."""
        if 0 <= position < len(self.tokens) and self.tokens[position].kind == "sign":
            return self.tokens[position].folded
        return ""

    def word(self, position: int) -> str:
        return self.tokens[position].folded if 0 <= position < len(self.tokens) else ""

    def starts(self, position: int, kind: str, *concepts: str) -> bool:
        return any(m.start == position for m in self.of(kind, *concepts))

    def covered(self, position: int, kind: str, *concepts: str) -> bool:
        return any(m.start <= position < m.end for m in self.of(kind, *concepts))

    def in_name(self, position: int) -> bool:
        return any(start <= position < end for start, end in self.names)

    @property
    def asks(self) -> bool:
        """Whether the message has the form of a question."""
        return "?" in self.text or "؟" in self.text or self.has("question")


def read(
    text: str,
    tokens: Sequence[Token],
    names: Sequence[Span],
    language: Language,
    vocabulary: Vocabulary,
) -> Reading:
    """Find the vocabulary's words in a message and split it into clauses."""
    masked = {i for start, end in names for i in range(start, end)}
    words = [
        () if i in masked or token.kind == "sign" and token.folded not in "%€$£"
        else _forms(token, language, vocabulary)
        for i, token in enumerate(tokens)
    ]  # fmt: skip
    marked = [replace(t, negated=_is_negated(t, vocabulary)) if t.negated else t for t in tokens]
    matches = tuple(m for m in vocabulary.find(words) if _speaks(m, language))
    reading = Reading(text, language, tuple(marked), matches, tuple(names))
    clauses = list(_clauses(reading))
    placed = tuple(replace(t, clause=c) for t, c in zip(marked, clauses, strict=True))
    return replace(reading, tokens=placed)


def _speaks(match: Match, language: Language) -> bool:
    languages = match.sense.languages
    if languages & _GRAMMAR[language]:
        return True
    if match.kind in _FREE_KINDS:
        return bool(languages & (_ARABIC if language in _ARABIC else _LATIN | _ARABIC))
    if match.kind == "action" and language == "fr":
        return "en" in languages and match.concept in {"add", "remove", "cart", "checkout"}
    if language == "ary-latn":
        return "en" in languages and match.kind in {"action", "answer", "season", "occasion"}
    return False


def _is_negated(token: Token, vocabulary: Vocabulary) -> bool:
    inner = negated_verb(token.folded)
    return inner is not None and any(f in vocabulary.phrases for f in vocabulary.forms_of(inner))


def _forms(token: Token, language: Language, vocabulary: Vocabulary) -> tuple[str, ...]:
    word = token.folded
    known = vocabulary.forms_of(word)
    if known != (word,) or word in vocabulary.words or token.kind != "word":
        return known
    if language == "ary-latn" and len(skeleton(word)) >= _SKELETON_LENGTH:
        alike = _by_skeleton(vocabulary).get(skeleton(word), ())
        if alike:
            return (word, *alike)
    near = nearest(word, vocabulary) if len(word) >= _TYPO_LENGTH else None
    return (word, near) if near else (word,)


def nearest(word: str, vocabulary: Vocabulary) -> str | None:
    """The one content word of the vocabulary a single slip away from an unknown word, if there is one."""
    groups = _by_length(vocabulary)
    for length in (len(word), len(word) + 1, len(word) - 1):
        for candidate in groups.get((word[0], length), ()):
            if within_one_edit(word, candidate):
                return candidate
    return None


def within_one_edit(one: str, other: str) -> bool:
    """Whether one insertion, deletion, substitution or swap of neighbours turns one word into the other."""
    if len(one) > len(other):
        one, other = other, one
    i = 0
    while i < len(one) and one[i] == other[i]:
        i += 1
    if len(one) == len(other):
        swapped = i + 1 < len(one) and one[i] == other[i + 1] and one[i + 1] == other[i]
        return one[i + 1 :] == other[i + 1 :] or (swapped and one[i + 2 :] == other[i + 2 :])
    return len(other) - len(one) == 1 and one[i:] == other[i + 1 :]


@lru_cache(maxsize=4)
def _by_length(vocabulary: Vocabulary) -> dict[tuple[str, int], list[str]]:
    groups: dict[tuple[str, int], list[str]] = {}
    for phrase, senses in vocabulary.phrases.items():
        if " " not in phrase and len(phrase) >= _TYPO_LENGTH - 1:
            if any(sense.kind in _TYPO_KINDS for sense in senses):
                groups.setdefault((phrase[0], len(phrase)), []).append(phrase)
    return groups


@lru_cache(maxsize=4)
def _by_skeleton(vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
    """Latin-script Moroccan words by their consonants: its spelling is free."""
    groups: dict[str, tuple[str, ...]] = {}
    for phrase, senses in vocabulary.phrases.items():
        if " " in phrase or not any(s.languages == {"ary-latn"} for s in senses):
            continue
        key = skeleton(phrase)
        if len(key) >= _SKELETON_LENGTH:
            groups[key] = (*groups.get(key, ()), phrase)
    return groups


def _clauses(reading: Reading) -> Iterator[int]:
    """The clause of each token: split at stops and commas, at `but`, and at `and` before a verb."""
    clause = 0
    verbs = {m.start for m in reading.of("action")} | {
        m.start for m in reading.of("search", "want")
    }
    buts = {m.start for m in reading.of("joint", "but")}
    ands = {m.start: m.end for m in reading.of("joint", "and")}
    previous_end = 0
    for i, token in enumerate(reading.tokens):
        broken = "\n" in reading.text[previous_end : token.start]
        joined = token.folded[0] in "وف" and token.folded[1:] != "" and i in verbs
        if broken or i in buts or joined or ands.get(i, -1) in verbs:
            clause += 1
        yield clause
        if token.kind == "sign" and token.folded in _CLAUSE_ENDS:
            clause += 1
        previous_end = token.end
