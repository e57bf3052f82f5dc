"""What the intent classifier sees of a message: hashed n-grams of its words and letters, concepts, what the rules say.

Every signal is a string hashed into a bucket; the training script and the classifier share this module, so that
what is learned is what is looked up. Product names, numbers and facets are seen by their kind only.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final
from zlib import crc32

from shopping_agent.domain.intent import Intent
from shopping_agent.domain.morphology import skeleton, unstretched
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.understanding.actions import Acts
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.understanding.tokens import Token
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import FACETS

BUCKETS: Final = 1 << 14
_MASK: Final = BUCKETS - 1
_MOST_TOKENS: Final = 64  # at either end of a longer message
_SMALL: Final = 12  # numbers up to here are counts and positions rather than prices
_SHORT: Final = 3
_SIGNS: Final = {"?": "?", "؟": "?", "!": "!", ",": ",", "،": ",", ":": ":", "…": "."}
_SPELT_FREELY: Final = frozenset({"ary-latn", "ary", "ar"})


@frozen
class Signals:
    """Buckets of one message, by group; each group counts the same however many signals it holds."""

    words: tuple[int, ...]
    letters: tuple[int, ...]
    facts: tuple[int, ...]

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        return (self.words, self.letters, self.facts)


def signals(
    reading: Reading,
    query: ShopperQuery,
    done: Acts,
    scores: Mapping[Intent, float],
    *,
    previous: Intent | None,
    pending: bool,
) -> Signals:
    """The signals of a message.

    Args:
        scores: what the rules give each intent.
    """
    terms = _terms(reading)
    words = [*_word_grams(terms)]
    if reading.language in _SPELT_FREELY:
        words += _skeleton_grams(terms)
    facts = [*_facts(reading, query, done), *_opinions(scores)]
    facts += _situation(terms, query, previous, pending=pending)
    return Signals(_hashed(words), _hashed([*_letter_grams(terms)]), _hashed(facts))


def _hashed(signs: list[str]) -> tuple[int, ...]:
    return tuple({crc32(sign.encode()) & _MASK for sign in signs})


def _terms(reading: Reading) -> list[str]:
    """The words of a message: a name is one `§`, numbers by size, only telling signs."""
    terms: list[str] = []
    tokens = reading.tokens
    if len(tokens) > 2 * _MOST_TOKENS:
        tokens = (*tokens[:_MOST_TOKENS], *tokens[-_MOST_TOKENS:])
    named = {i for start, end in reading.names for i in range(start, end)} if reading.names else ()
    for position, token in enumerate(tokens):
        term = "§" if position in named else _term(token)
        if term and not (term == "§" and terms and terms[-1] == "§"):
            terms.append(term)
    return terms


def _term(token: Token) -> str:
    if token.kind == "sign":
        return _SIGNS.get(token.folded, "")
    if token.value is not None:
        return token.folded if token.value <= _SMALL else "#"
    return unstretched(token.folded)


def _word_grams(terms: list[str]) -> Iterator[str]:
    framed = ["^", *terms, "$"]
    for term in terms:
        yield f"w{term}"
    for one, other in pairwise(framed):
        yield f"w{one} {other}"
    for i in range(len(framed) - 2):
        yield f"w{framed[i]} {framed[i + 1]} {framed[i + 2]}"


def _skeleton_grams(terms: list[str]) -> Iterator[str]:
    """Consonants in one alphabet: where spelling is free, spellings and scripts meet."""
    bones = [skeleton(term) or term for term in terms]
    for bone in bones:
        yield f"k{bone}"
    for one, other in pairwise(["^", *bones, "$"]):
        yield f"k{one} {other}"


def _letter_grams(terms: list[str]) -> Iterator[str]:
    text = f" {' '.join(terms)} "
    for size in (3, 4, 5):
        for start in range(len(text) - size + 1):
            yield text[start : start + size]


def _facts(reading: Reading, query: ShopperQuery, done: Acts) -> Iterator[str]:
    seen = [m for m in reading.matches if m.kind != "language"]
    kinds = [m.kind if m.kind in FACETS else f"{m.kind}.{m.concept}" for m in seen]
    for kind in kinds:
        yield f"c{kind}"
    for one, other in pairwise(["^", *kinds, "$"]):
        yield f"c{one} {other}"
    asking = "?" if reading.marked else "q" if reading.asks else "."
    yield f"a{asking}"
    yield f"a{asking}{query.action}"
    for said, name in (
        (done.buying, "buying"),
        (done.hypothetical, "hypothetical"),
        (query.references, "named"),
        (query.pronoun, "pronoun"),
        (query.ordinal, "ordinal"),
        (query.quantity, "quantity"),
        (query.max_price or query.min_price, "price"),
        (query.exclude_notes, "refusal"),
        (query.delegated, "delegated"),
        (query.topics, "topic"),
        (query.affirms, "yes"),
        (query.denies, "no"),
        (query.wishes(), "wish"),
    ):
        if said:
            yield f"s{name}"
            yield f"s{name}{asking}"


def _opinions(scores: Mapping[Intent, float]) -> Iterator[str]:
    """Which intents the rules put first and second, and by how much."""
    order = sorted(scores, key=lambda intent: -scores[intent])
    lead = min(6, int(2 * (scores[order[0]] - scores[order[1]])))
    yield f"r{order[0]}"
    yield f"r{order[0]}{lead}"
    yield f"r{order[0]} {order[1]}"
    for intent, score in scores.items():
        yield f"r{intent}={min(8, max(-2, round(score)))}"


def _situation(
    terms: list[str], query: ShopperQuery, previous: Intent | None, *, pending: bool
) -> Iterator[str]:
    """What was talked about, which decides what a few words mean."""
    length = "short" if len(terms) <= _SHORT else "middle" if len(terms) <= 3 * _SHORT else "long"
    answer = "yes" if query.affirms else "no" if query.denies else ""
    yield f"l{len(terms) if len(terms) < 8 else length}"
    yield f"p{previous}{length}"
    yield f"p{previous}{length}{answer}"
    if pending:
        yield f"p!{length}"
        yield f"p!{answer}"
