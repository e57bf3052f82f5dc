"""What a message tells of the shopper: climate, style, skin, sensitivities; and what of it they take back.

How a store's shoppers say these things is data: the phrases of the pack's `profile.json`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from shopping_agent.domain.profile import Profile, ProfileSchema
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.understanding.reading import Reading, read
from shopping_agent.domain.understanding.refusals import refused
from shopping_agent.domain.understanding.tokens import Token, tokenize
from shopping_agent.domain.values import frozen, frozen_by_identity
from shopping_agent.domain.vocabulary import Match, Vocabulary

# What constraints of a message say by themselves: the labels of these are words of the store's vocabulary.
STATED: Final = ("season", "occasion", "gender")
_VALUE, _KEY, _REFUSED = "value", "key", "refused"
_NEAR: Final = 4


@frozen
class Told:
    """What one message tells.

    Attributes:
        profile: what it says of the shopper.
        taken_back: `(key, value)` that shall hold no longer; "" is the whole key.
        why_not: it asks why a product that it names was not recommended.
        agreed: the shopper lets us remember what it says of their health.
    """

    profile: Profile = Profile()
    taken_back: tuple[tuple[str, str], ...] = ()
    why_not: bool = False
    agreed: bool = False

    def __bool__(self) -> bool:
        return bool(self.profile or self.taken_back or self.why_not)


@frozen_by_identity
class ProfileWords:
    """The phrases of a schema. Built once, then only read."""

    schema: ProfileSchema
    words: Vocabulary

    @classmethod
    def of(cls, schema: ProfileSchema) -> "ProfileWords":
        """
        Raises:
            ValueError: phrases of a language that there is not.
        """
        values: dict[str, dict[str, str]] = {}
        for name, spec in schema.keys.items():
            for value in spec.values:
                labels = () if name in STATED else (spec.labels[value],)
                said = _joined(*labels, spec.said.get(value, {}))
                if said:
                    values[f"{name}={value}"] = said
        keys = {name: dict(spec.called) for name, spec in schema.keys.items() if spec.called}
        refused_terms = {
            f"{name}={value}": {"*": terms}
            for name, spec in schema.keys.items()
            for value, terms in spec.refuses.items()
        }
        document: dict[str, Any] = {_VALUE: values, _KEY: keys, _REFUSED: refused_terms}
        return cls(schema, Vocabulary.from_document(document))


def told_of_shopper(
    query: ShopperQuery,
    vocabulary: Vocabulary,
    known: ProfileWords,
    reading: Reading | None = None,
) -> Told:
    """What a message that was understood tells of the shopper.

    Args:
        reading: of this message, where there is one.
    """
    tokens = reading.tokens if reading else tokenize(query.text)
    named = _named(tokens, query)
    words = [
        () if i in named or token.kind == "sign" else known.words.forms_of(token.folded)
        for i, token in enumerate(tokens)
    ]
    language = query.language
    found = known.words.find(
        words, lambda sense: bool(sense.languages & {language, "*", *_ALSO.get(language, ())})
    )
    said = [m for m in found if m.kind == _VALUE]
    keys = [m for m in found if m.kind == _KEY]
    why_not = bool(query.references) and _asks_why_not(tokens, named, vocabulary)
    other = query.exclude_notes or query.occasion or query.season or query.denies
    if not (said or keys or other):
        return Told(why_not=why_not)
    reading = reading or read(query.text, tokens, _spans(named), language, vocabulary)
    dropped = reading.of("phrasal", "drop")
    back = [_pair(m) for m in said if _taken_back(reading, m, dropped)]
    back += [(m.concept, "") for m in keys if _dropped(reading, m, dropped)]
    back += _refused_facets(reading, known, dropped)
    profile: dict[str, list[str]] = {}
    for match in said:
        key, value = _pair(match)
        if (key, value) not in back and (key, "") not in back:
            profile.setdefault(key, []).append(value)
    for key, value in _distastes(reading, query, known):
        profile.setdefault(key, []).append(value)
    agreed = bool(profile) and _agrees(tokens, vocabulary)
    return Told(known.schema.of(profile), tuple(dict.fromkeys(back)), why_not, agreed)


# Speakers of Moroccan Arabic say much of this in French, or in standard Arabic.
_ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "ary": ("ar",),
    "ar": ("ary",),
    "ary-latn": ("fr",),
}


def _agrees(tokens: Sequence[Token], vocabulary: Vocabulary) -> bool:
    """`remember for this conversation: gets migraines`: what may be kept stands in the message that allows it."""
    if vocabulary.reasons is None:
        return False
    found = vocabulary.reasons.find([(token.folded,) for token in tokens])
    return any(m.concept == "remember" for m in found)


def asks_why_not(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a message has the form of `why not ...?`, whatever it names."""
    return _asks_why_not(tokenize(text), frozenset(), vocabulary)


def _asks_why_not(tokens: Sequence[Token], named: frozenset[int], vocabulary: Vocabulary) -> bool:
    """`why not Oud Royal?`, `pourquoi tu n'as pas proposé ...`, `علاش ماشي ...`: both halves, in this order."""
    if vocabulary.reasons is None:
        return False
    words = [() if i in named else (token.folded,) for i, token in enumerate(tokens)]
    found = vocabulary.reasons.find(words)
    why = next((m.start for m in found if m.concept == "why"), None)
    denied = [m.start for m in found if m.concept == "not"]
    return why is not None and any(place > why for place in denied)


def _joined(*sources: Mapping[str, str]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for source in sources:
        for languages, phrases in source.items():
            before = joined.get(languages)
            plain = phrases.replace("’", " ")
            joined[languages] = f"{before}, {plain}" if before else plain
    return joined


def _pair(match: Match) -> tuple[str, str]:
    key, _, value = match.concept.partition("=")
    return key, value


def _named(tokens: Sequence[Token], query: ShopperQuery) -> frozenset[int]:
    """Tokens of product names: `Nuit de Marrakech` tells nothing of the shopper."""
    return frozenset(
        i
        for i, token in enumerate(tokens)
        if any(r.start <= token.start and token.end <= r.end for r in query.references)
    )


def _spans(named: Iterable[int]) -> list[tuple[int, int]]:
    return [(i, i + 1) for i in sorted(named)]


def _taken_back(reading: Reading, match: Match, dropped: Sequence[Match]) -> bool:
    return refused(reading, match, through_lists=False) or _dropped(reading, match, dropped)


def _dropped(reading: Reading, match: Match, dropped: Sequence[Match]) -> bool:
    """`forget the climate`, `l'occasion, laisse tomber`."""
    return any(
        0 <= match.start - m.end <= _NEAR or 0 <= m.start - match.end <= 1
        for m in dropped
        if reading.same_clause(m.start, match.start)
    )


def _refused_facets(
    reading: Reading, known: ProfileWords, dropped: Sequence[Match]
) -> list[tuple[str, str]]:
    """`no, not for the office`: a stated key whose value is refused."""
    found: list[tuple[str, str]] = []
    for key in STATED:
        spec = known.schema.keys.get(key)
        for match in reading.of(key) if spec else ():
            value = spec.canonical(match.concept) if spec else None
            if value is not None and _taken_back(reading, match, dropped):
                found.append((key, value))
    return found


def _distastes(reading: Reading, query: ShopperQuery, known: ProfileWords) -> list[tuple[str, str]]:
    """`she hates sweet`: a dislike, where `without vanilla` is a wish of this request only."""
    if not reading.has("negation", "dislike"):
        return []
    matches = known.words.find([known.words.forms_of(term) for term in query.exclude_notes])
    return [_pair(m) for m in matches if m.kind == _REFUSED]
