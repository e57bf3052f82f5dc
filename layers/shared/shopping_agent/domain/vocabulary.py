"""The store's words as data: concepts by kind, each with its words in every language of the shop."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from shopping_agent.domain.morphology import forms, is_arabic, verb_forms
from shopping_agent.domain.text import fold
from shopping_agent.domain.values import frozen, frozen_by_identity

# Kinds that describe a product: what search filters on and a query is expanded with.
FACETS: Final = ("note", "family", "season", "occasion", "gender", "sillage", "longevity")
_DESCRIBING: Final = frozenset(FACETS)
_WORD: Final = re.compile(r"[^\W_]+|[%€$£]|[\u2600-\u27bf\U0001f300-\U0001faff]")
_VERBAL: Final = frozenset({"action", "search", "topic", "negation", "aspect", "hint"})
_IMPLIES: Final = "implies"
# Kinds that only questions to the store's texts are read with: they have a vocabulary of their own.
_SUBJECTS: Final = ("aspect", "hint")
_HEALTH: Final = ("health",)
_KINDS: Final = ("kind",)
_REASONS: Final = ("reason",)
_LANGUAGES: Final = frozenset({"en", "fr", "ar", "ary", "ary-latn", "*"})

Words = Sequence[Sequence[str]]
"""A text as look-ups see it: for each token its acceptable forms; an empty entry ends a phrase."""


@frozen
class Sense:
    """What a phrase means: a concept of a kind, and the languages in which it says so."""

    kind: str
    concept: str
    languages: frozenset[str]


@frozen
class Match:
    """A phrase found in a text. `start`, `end`: tokens, half open."""

    sense: Sense
    start: int
    end: int

    @property
    def kind(self) -> str:
        return self.sense.kind

    @property
    def concept(self) -> str:
        return self.sense.concept


@frozen_by_identity
class Vocabulary:
    """Words and what they mean. Built once from JSON, then only read.

    Attributes:
        concepts: for each kind its concepts, in the order of the data.
        implied: for a term the concrete terms that a wish for it, or a refusal of it, covers.
        phrases: what each phrase (folded words joined by a space) means.
        beginnings: every proper beginning of a phrase, in the same form.
        words: every word that some phrase contains.
        written: by kind, concept and language the first word as the data spells it: how it is said to a shopper.
        verbs: the words that stand for an action; only these are looked for under verb affixes.
        subjects: finer subjects of questions to the store's texts (kinds `aspect` and `hint`), read apart from all else.
        health: words that say something of a shopper's health: no meaning for the shop, only what is not to be kept.
        kinds: sorts of products (kind `kind`), the most telling first: see `domain.kinds`.
        reasons: how one asks why a product was not recommended (kind `reason`), read apart too.
    """

    concepts: Mapping[str, tuple[str, ...]]
    implied: Mapping[str, frozenset[str]]
    phrases: Mapping[str, tuple[Sense, ...]]
    beginnings: frozenset[str]
    words: frozenset[str]
    verbs: frozenset[str]
    written: Mapping[tuple[str, str, str], str]
    subjects: "Vocabulary | None" = None
    health: "Vocabulary | None" = None
    kinds: "Vocabulary | None" = None
    reasons: "Vocabulary | None" = None

    @classmethod
    def from_document(
        cls, document: Mapping[str, Any], base: Mapping[str, Any] | None = None
    ) -> "Vocabulary":
        """A vocabulary from `{kind: {concept: {languages: "word, other phrase"}}}`.

        The key `languages` holds one or more of `en fr ar ary ary-latn`, separated by spaces, or `*`.
        A kind that `document` lacks is taken whole from `base` (the default store's document).

        Raises:
            ValueError: when the document has another shape; the message names the place.
        """
        kinds = {**(base or {}), **document}
        subjects = {kind: kinds.pop(kind) for kind in _SUBJECTS if kind in kinds}
        health = {kind: kinds.pop(kind) for kind in _HEALTH if kind in kinds}
        sorts = {kind: kinds.pop(kind) for kind in _KINDS if kind in kinds}
        reasons = {kind: kinds.pop(kind) for kind in _REASONS if kind in kinds}
        return cls._of(
            kinds,
            cls._of(subjects) if subjects else None,
            cls._of(health) if health else None,
            cls._of(sorts) if sorts else None,
            cls._of(reasons) if reasons else None,
        )

    @classmethod
    def _of(
        cls,
        kinds: dict[str, Any],
        subjects: "Vocabulary | None" = None,
        health: "Vocabulary | None" = None,
        sorts: "Vocabulary | None" = None,
        reasons: "Vocabulary | None" = None,
    ) -> "Vocabulary":
        implied = {
            term: frozenset(_split(covered, f"{_IMPLIES}.{term}"))
            for term, covered in _object(kinds.pop(_IMPLIES, {}), _IMPLIES).items()
        }
        phrases: dict[str, tuple[Sense, ...]] = {}
        concepts: dict[str, tuple[str, ...]] = {}
        verbs: set[str] = set()
        for kind, by_concept in kinds.items():
            concepts[kind] = tuple(_object(by_concept, kind))
            for concept, by_language in by_concept.items():
                for sense, words in _phrases(f"{kind}.{concept}", kind, concept, by_language):
                    _learn(phrases, sense, words)
                    if kind in _VERBAL:
                        verbs.update(words)
        return cls(
            concepts=concepts,
            implied=implied,
            phrases=phrases,
            beginnings=_beginnings(phrases),
            words=frozenset(" ".join(phrases).split()),
            verbs=frozenset(verbs),
            written=_written(kinds),
            subjects=subjects,
            health=health,
            kinds=sorts,
            reasons=reasons,
        )

    def find(self, words: Words, speaks: Callable[[Sense], bool] | None = None) -> list[Match]:
        """Every concept named in a text: per kind the longest phrases, from left to right.

        Of the facets, a phrase inside a longer one is left out (`orange blossom` is no `orange`).

        Args:
            speaks: which senses count: a phrase of another language hides no shorter one of this.
        """
        found: list[Match] = []
        free_from: dict[str, int] = {}
        for start, forms_here in enumerate(words):
            if self.beginnings.isdisjoint(forms_here) and self.phrases.keys().isdisjoint(
                forms_here
            ):
                continue  # as most words of a text
            for kind, matches in self._at(words, start, speaks).items():
                if start >= free_from.get(kind, 0):
                    found += matches
                    free_from[kind] = matches[0].end
        return [m for m in found if not _covered(m, found)]

    def forms_of(self, word: str, *, moroccan: bool = True) -> tuple[str, ...]:
        """The forms of a folded word that the vocabulary knows; the word alone when it is known as it stands.

        Args:
            moroccan: whether a Latin-script word may carry the affixes of Moroccan Arabic.
        """
        if word in self.phrases:
            return (word,)
        known = [form for form in forms(word, moroccan=moroccan) if form in self.words]
        if not known and (moroccan or is_arabic(word)):
            known = [form for form in verb_forms(word) if form in self.verbs]
        return tuple(known) or (word,)

    def canonical(self, kind: str, words: Iterable[str]) -> tuple[str, ...]:
        """Canonical English terms of catalog words, without repeats.

        A word that no concept covers stays, folded: a catalog may know notes that the vocabulary does not.
        """
        terms: list[str] = []
        for word in words:
            found = [m.concept for m in self.find(self._read(word)) if m.kind == kind]
            terms += found or [" ".join(fold(word).split())]
        return tuple(dict.fromkeys(term for term in terms if term))

    def canonical_terms(self, text: str) -> tuple[str, ...]:
        """Every canonical facet term named in a text, for the expansion of a query."""
        found = self.find(self._read(text))
        return tuple(dict.fromkeys(m.concept for m in found if m.kind in FACETS))

    def concepts_in(self, text: str, kinds: Sequence[str]) -> list[str]:
        """The concepts of some kinds that a text names, from left to right."""
        return [m.concept for m in self.find(self._read(text)) if m.kind in kinds]

    def word(self, kind: str, concept: str, language: str) -> str | None:
        """How a facet's concept is said in a language, where the data tells."""
        return self.written.get((kind, concept, language))

    def expand(self, term: str) -> frozenset[str]:
        """The term itself and the concrete terms that it covers: `sweet` -> gourmand, vanilla, ..."""
        return frozenset({term}) | self.implied.get(term, frozenset())

    def _at(
        self, words: Words, start: int, speaks: Callable[[Sense], bool] | None
    ) -> dict[str, list[Match]]:
        """By kind the longest phrase that starts at a token, in each of its senses."""
        longest: dict[str, list[Match]] = {}
        paths = list(words[start])
        for end in range(start + 1, len(words) + 1):
            at_end: dict[str, list[Match]] = {}
            for path in paths:  # the least altered form comes first, and decides its kinds
                described = not _DESCRIBING.isdisjoint(at_end)
                senses = [
                    s
                    for s in self.phrases.get(path, ())
                    if s.kind not in at_end and not (described and s.kind in _DESCRIBING)
                ]
                for sense in senses:
                    if speaks is not None and not speaks(sense):
                        continue
                    at_end.setdefault(sense.kind, []).append(Match(sense, start, end))
            longest.update(at_end)
            paths = [path for path in paths if path in self.beginnings]
            if not paths or end == len(words):
                break
            paths = [f"{path} {form}" for path in paths for form in words[end]]
        return longest

    def _read(self, text: str) -> Words:
        return [self.forms_of(word) for word in phrase_words(text)]


def phrase_words(text: str) -> list[str]:
    """The folded words of a text; hyphens and apostrophes separate words, an emoji is one."""
    return _WORD.findall(fold(text))


def _covered(match: Match, found: Sequence[Match]) -> bool:
    return match.kind in FACETS and any(
        other.kind in FACETS
        and other.start <= match.start
        and match.end <= other.end
        and other.end - other.start > match.end - match.start
        for other in found
    )


def _learn(phrases: dict[str, tuple[Sense, ...]], sense: Sense, words: Iterable[str]) -> None:
    """Let phrases also mean something; one object serves all that mean only this."""
    alone = (sense,)
    for phrase in words:
        known = phrases.setdefault(phrase, alone)
        if known is not alone and sense not in known:
            phrases[phrase] = (*known, sense)


def _beginnings(phrases: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for phrase in phrases:
        cut = phrase.rfind(" ")
        while cut > 0 and (beginning := phrase[:cut]) not in found:
            found.add(beginning)
            cut = phrase.rfind(" ", 0, cut)
    return frozenset(found)


def _phrases(
    place: str, kind: str, concept: str, by_language: Any
) -> Iterator[tuple[Sense, list[str]]]:
    for key, written in _object(by_language, place).items():
        languages = frozenset(key.split())
        if not languages or languages - _LANGUAGES:
            raise ValueError(f"vocabulary: {place} has no language {key!r}")
        text = _text(written, place)
        joined = fold(text).replace("'", " ").replace("-", " ").replace(".", " ")
        yield Sense(kind, concept, languages), _split(joined, place)


def _written(kinds: Mapping[str, Any]) -> dict[tuple[str, str, str], str]:
    return {
        (kind, concept, language): words.replace("،", ",").split(",")[0].strip()
        for kind in FACETS
        for concept, by_language in kinds.get(kind, {}).items()
        for languages, words in by_language.items()
        for language in languages.split()
    }


def _object(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"vocabulary: {place} must be an object")
    return cast(Mapping[str, Any], value)


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"vocabulary: {place} must be a text of words separated by commas")
    return value


def _split(value: Any, place: str) -> list[str]:
    """The phrases of a text, words separated by one space."""
    plain = " ".join(_text(value, place).replace("،", ",").split())
    return [phrase for part in plain.split(",") if (phrase := part.strip())]
