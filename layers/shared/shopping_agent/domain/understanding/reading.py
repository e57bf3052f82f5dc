"""A message read once: tokens, words found in the vocabulary, clauses. What every extractor works on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from decimal import Decimal
from functools import lru_cache
from typing import Final

from shopping_agent.domain.intent import Language
from shopping_agent.domain.morphology import is_arabic, negated_verb, skeleton
from shopping_agent.domain.understanding.tokens import Token
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import FACETS, Match, Sense, Vocabulary

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
_BORROWS: Final[dict[Language, frozenset[str]]] = {
    "en": frozenset({"en", "fr"}),
    "fr": frozenset({"fr", "en"}),
    "ar": _ARABIC | {"en", "fr"},
    "ary": _ARABIC | {"en", "fr"},
    "ary-latn": frozenset({"ary-latn", "fr", "en"}),
}
_BORROWED_KINDS: Final = frozenset(
    {"unit", "note", "family", "season", "occasion", "courtesy", "answer"}
)
_BORROWED_ACTIONS: Final = frozenset({"add", "remove", "cart", "checkout"})
_MEANING_SIGNS: Final = frozenset("%€$£")
_CLAUSE_ENDS: Final = frozenset(".!?;,،؛؟:…()/|\n")
_TYPO_KINDS: Final = (*FACETS, "action")
_NO_VERBS: Final = frozenset({"everything", "cart"})  # what an action is about
_TYPO_LENGTH: Final = 6
_SKELETON_LENGTH: Final = 3


@frozen
class Reading:
    """A message with what was found in it. Positions are token indexes unless said otherwise.

    Attributes:
        matches: vocabulary phrases, in order, those of other languages left out.
        names: tokens that belong to a known product name.
        by_kind: the matches again, by kind.
    """

    text: str
    language: Language
    tokens: tuple[Token, ...]
    matches: tuple[Match, ...]
    names: tuple[Span, ...] = ()
    by_kind: Mapping[str, Sequence[Match]] = field(default_factory=dict[str, Sequence[Match]])

    def of(self, kind: str, *concepts: str) -> list[Match]:
        """Matches of a kind (and, when given, of these concepts only), in order."""
        found = self.by_kind.get(kind, ())
        return [m for m in found if m.concept in concepts] if concepts else list(found)

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

    def value(self, position: int) -> Decimal | None:
        """The number at a position that is written in digits."""
        return self.tokens[position].value if 0 <= position < len(self.tokens) else None

    def starts(self, position: int, kind: str, *concepts: str) -> bool:
        return any(m.start == position for m in self.of(kind, *concepts))

    def covered(self, position: int, kind: str, *concepts: str) -> bool:
        return any(m.start <= position < m.end for m in self.of(kind, *concepts))

    def in_name(self, position: int) -> bool:
        return any(start <= position < end for start, end in self.names)

    @property
    def marked(self) -> bool:
        """Whether a question mark stands in the message."""
        return "?" in self.text or "؟" in self.text

    @property
    def asks(self) -> bool:
        """Whether the message has the form of a question."""
        return self.marked or bool(self.questions())

    def questions(self) -> list[Match]:
        """Question words; an auxiliary asks only where a clause begins (`is it ...`, not `... is fine`)."""
        return [m for m in self.of("question") if m.concept == "ask" or self._opens_clause(m.start)]

    def _opens_clause(self, position: int) -> bool:
        """Whether only greetings, `and` and the like stand before a token in its clause."""
        before = position - 1
        while before >= 0 and self.same_clause(before, position):
            polite = self.covered(before, "courtesy") or self.covered(before, "joint")
            if self.sign(before) == "" and not polite and not self.covered(before, "answer"):
                return False
            before -= 1
        return True


def read(
    text: str,
    tokens: Sequence[Token],
    names: Sequence[Span],
    language: Language,
    vocabulary: Vocabulary,
) -> Reading:
    """Find the vocabulary's words in a message and split it into clauses."""
    moroccan = language == "ary-latn"
    masked = {i for start, end in names for i in range(start, end)}
    words = [
        ()
        if i in masked or (token.kind == "sign" and token.folded not in _MEANING_SIGNS)
        else _forms(token, vocabulary, moroccan=moroccan)
        for i, token in enumerate(tokens)
    ]
    marked = [replace(t, negated=_is_negated(t, vocabulary)) if t.negated else t for t in tokens]
    matches = tuple(vocabulary.find(words, lambda sense: _speaks(sense, language)))
    by_kind: dict[str, list[Match]] = {}
    for match in matches:
        by_kind.setdefault(match.kind, []).append(match)
    reading = Reading(text, language, tuple(marked), matches, tuple(names), by_kind)
    clauses = list(_clauses(reading))
    placed = tuple(replace(t, clause=c) for t, c in zip(marked, clauses, strict=True))
    return replace(reading, tokens=placed)


def _speaks(sense: Sense, language: Language) -> bool:
    """Whether a phrase belongs to the language of the message, or to one that it borrows from."""
    languages = sense.languages
    if languages & _GRAMMAR[language] or sense.kind in {"currency", "city"}:
        return True
    if sense.kind in _BORROWED_KINDS:
        return bool(languages & _BORROWS[language])
    if sense.kind == "action" and sense.concept in _BORROWED_ACTIONS:
        return bool(languages & _BORROWS[language])
    return False


def _is_negated(token: Token, vocabulary: Vocabulary) -> bool:
    inner = negated_verb(token.folded)
    return inner is not None and any(f in vocabulary.phrases for f in vocabulary.forms_of(inner))


def _forms(token: Token, vocabulary: Vocabulary, *, moroccan: bool) -> tuple[str, ...]:
    word = token.folded
    known = vocabulary.forms_of(word, moroccan=moroccan)
    if known != (word,) or word in vocabulary.words or token.kind != "word":
        return known
    if moroccan and len(skeleton(word)) >= _SKELETON_LENGTH:
        alike = _by_skeleton(vocabulary).get(skeleton(word), ())
        if alike:
            return (word, *alike)
    shortest = _TYPO_LENGTH + is_arabic(
        word
    )  # Arabic words are dense: one letter makes another word
    near = nearest(word, vocabulary) if len(word) >= shortest else None
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
        content = any(sense.kind in _TYPO_KINDS for sense in senses)
        if content and " " not in phrase and len(phrase) >= _TYPO_LENGTH - 1:
            groups.setdefault((phrase[0], len(phrase)), []).append(phrase)
    return groups


@lru_cache(maxsize=4)
def _by_skeleton(vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
    """Latin-script Moroccan words by their consonants: its spelling is free."""
    groups: dict[str, tuple[str, ...]] = {}
    for phrase, senses in vocabulary.phrases.items():
        if " " in phrase or not any("ary-latn" in s.languages for s in senses):
            continue
        key = skeleton(phrase)
        if len(key) >= _SKELETON_LENGTH:
            groups[key] = (*groups.get(key, ()), phrase)
    return groups


def _clauses(reading: Reading) -> Iterator[int]:
    """The clause of each token: split at stops and commas, at `but`, and at `and` before a verb."""
    clause = 0
    verbs = {m.start for m in reading.of("action") if m.concept not in _NO_VERBS} | {
        m.start for m in reading.of("search", "want")
    }
    buts = {m.start for m in reading.of("joint", "but")}
    ands = {m.start: m.end for m in reading.of("joint", "and")}
    inside = {i for m in reading.of("negation") for i in range(m.start, m.end)}
    previous_end = 0
    for i, token in enumerate(reading.tokens):
        broken = "\n" in reading.text[previous_end : token.start]
        joined = token.folded[0] in "وف" and token.folded[1:] != "" and i in verbs
        splits = i in buts or joined or ands.get(i, -1) in verbs
        if broken or (splits and i not in inside):
            clause += 1
        yield clause
        if token.kind == "sign" and token.folded in _CLAUSE_ENDS:
            clause += 1
        previous_end = token.end
