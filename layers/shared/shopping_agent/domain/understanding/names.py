"""Product names in a message: exact, with a typo, or written in the other script."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import Final

from shopping_agent.domain.morphology import forms, is_arabic
from shopping_agent.domain.query import ProductReference
from shopping_agent.domain.sounds import PARTICLES, SHORTEST, sound_of
from shopping_agent.domain.understanding.tokens import Token, tokenize
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary

_NUMERO: Final = frozenset({"no", "n", "nr", "num", "numero", "number", "رقم", "ra9m"})
_SIZE_UNITS: Final = frozenset({"ml", "مل"})
_CLOSE: Final = 0.84
_CLOSE_SOUND: Final = 0.8
_SHORTEST_FUZZY: Final = 5
_PARTIAL_SCORE: Final = 0.6
_MOST: Final = 400  # names looked at; a shop hands over only those that the message may mean


@frozen
class FoundName:
    """A reference and the tokens it covers."""

    reference: ProductReference
    start: int
    end: int


def find_names(
    tokens: Sequence[Token], names: Sequence[str], vocabulary: Vocabulary
) -> list[FoundName]:
    """Every known name, the longest and surest first where they overlap, in order of the text."""
    known = [(name, name_words(name)) for name in dict.fromkeys(names[:_MOST])]
    known = [(name, words) for name, words in known if words]
    known += [(name, words[:-1]) for name, words in known if _ends_with_size(words)]
    found: list[FoundName] = []
    exact = _exact(tokens, known)
    found += _without_overlap(exact, [])
    fuzzy = sorted(
        _fuzzy(tokens, known, vocabulary), key=lambda f: (-f.reference.score, f.start - f.end)
    )
    found += _without_overlap(fuzzy, found)
    found += _without_overlap(_partial(tokens, known, vocabulary), found)
    return sorted(found, key=lambda f: (f.start, -f.reference.score))


def _ends_with_size(words: Sequence[str]) -> bool:
    """`Neroli Bloom 50 ml` is called `Neroli Bloom 50` as well."""
    return len(words) > 2 and words[-1] in _SIZE_UNITS and words[-2].isdigit()


@lru_cache(maxsize=2048)
def name_words(name: str) -> tuple[str, ...]:
    """A name as it is compared: folded words, `n°` and `numéro` as `no`."""
    return tuple(_comparable(t) for t in tokenize(name) if t.kind != "sign")


def _comparable(token: Token) -> str:
    return "no" if token.folded in _NUMERO else token.folded


def _exact(
    tokens: Sequence[Token], known: Sequence[tuple[str, tuple[str, ...]]]
) -> list[FoundName]:
    positions = [i for i, t in enumerate(tokens) if t.kind != "sign"]
    words = [_comparable(tokens[i]) for i in positions]
    found: list[FoundName] = []
    for name, parts in known:
        for at in range(len(words) - len(parts) + 1):
            begins = words[at] == parts[0] or (
                is_arabic(words[at]) and parts[0] in forms(words[at])
            )
            if begins and words[at + 1 : at + len(parts)] == list(parts[1:]):
                span = (positions[at], positions[at + len(parts) - 1] + 1)
                found.append(_found(tokens, name, span, 1.0))
    return sorted(found, key=lambda f: f.start - f.end)


def _fuzzy(
    tokens: Sequence[Token],
    known: Sequence[tuple[str, tuple[str, ...]]],
    vocabulary: Vocabulary,
) -> list[FoundName]:
    """Names with a slip, or in the other script by their consonants."""
    positions = [i for i, t in enumerate(tokens) if t.kind != "sign"]
    words = [_comparable(tokens[i]) for i in positions]
    found: list[FoundName] = []
    for name, parts in known:
        for size in {len(parts), max(1, len(parts) - 1), len(parts) + 1}:
            for at in range(len(words) - size + 1):
                score = _likeness(words[at : at + size], parts, vocabulary)
                if score:
                    span = (positions[at], positions[at + size - 1] + 1)
                    found.append(_found(tokens, name, span, score))
    return found


def _likeness(words: Sequence[str], parts: Sequence[str], vocabulary: Vocabulary) -> float:
    """How like a name a run of words is: 0 when it is not, below 1 when it nearly is."""
    written, name = "".join(words), "".join(parts)
    if is_arabic(written) != is_arabic(name):
        # A size is no sound: it stays a size of the message.
        sized = parts[-1] in _SIZE_UNITS or parts[-1].isdigit()
        fit = not sized and _whole(words) and _figures(words) == _figures(parts)
        return _sounds_alike(words, parts) if fit else 0.0
    # Cheapest first: every run of a message is held against every name.
    if written[0] != name[0] or abs(len(written) - len(name)) > 2 or len(name) < _SHORTEST_FUZZY:
        return 0.0
    if len(words) == 1 and words[0] in vocabulary.phrases:
        return 0.0
    if _figures(words) != _figures(parts) or not _word_by_word(words, parts):
        return 0.0
    ratio = SequenceMatcher(None, written, name, autojunk=False).ratio()
    return 0.95 * ratio if ratio >= _CLOSE else 0.0


def _word_by_word(words: Sequence[str], parts: Sequence[str]) -> bool:
    if len(words) != len(parts):
        return _same_letters(words, parts)
    return all(_near(word, part) for word, part in zip(words, parts, strict=True))


def _whole(words: Sequence[str]) -> bool:
    """Whether a run neither begins nor ends with a particle, which belongs to no name by itself."""
    return words[0] not in PARTICLES and words[-1] not in PARTICLES


def _same_letters(words: Sequence[str], parts: Sequence[str]) -> bool:
    """A name written together or without its particle: `musc yasmina` as `muscyasmina`, `jasmin taza`."""
    bare = [p for p in parts if p not in PARTICLES]
    return list(words) == bare or "".join(words) == "".join(parts)


def _near(word: str, part: str) -> bool:
    """Each word must be like its own part, or `Dahab` would pass for `Dahab Intense`'s neighbours."""
    if word == part:
        return True
    if min(len(word), len(part)) <= 3 or word.isdigit() or part.isdigit():
        return False
    return SequenceMatcher(None, word, part, autojunk=False).ratio() >= 0.72


def _sounds_alike(words: Sequence[str], parts: Sequence[str]) -> float:
    heard, name = sound_of(words), sound_of(parts)
    if min(len(heard), len(name)) < SHORTEST or heard[0] != name[0]:
        return 0.0
    if len(words) > len(parts):  # an article written apart, and nothing else
        return 0.9 if heard == name else 0.0
    ratio = SequenceMatcher(None, heard, name, autojunk=False).ratio()
    return 0.9 * ratio if ratio >= _CLOSE_SOUND else 0.0


def _figures(words: Sequence[str]) -> list[str]:
    return [w for w in words if w.isdigit()]


def _partial(
    tokens: Sequence[Token],
    known: Sequence[tuple[str, tuple[str, ...]]],
    vocabulary: Vocabulary,
) -> list[FoundName]:
    """A name called by its first word, when only one name has it and the word means nothing else."""
    first: dict[str, set[str]] = {}
    for name, parts in known:
        first.setdefault(parts[0], set()).add(name)
    found: list[FoundName] = []
    for i, token in enumerate(tokens):
        names = first.get(token.folded, set())
        if len(names) == 1 and len(token.folded) > 3 and token.folded not in vocabulary.phrases:
            found.append(_found(tokens, next(iter(names)), (i, i + 1), _PARTIAL_SCORE))
    return found


def _found(tokens: Sequence[Token], name: str, span: tuple[int, int], score: float) -> FoundName:
    start, end = tokens[span[0]].start, tokens[span[1] - 1].end
    return FoundName(ProductReference(name, start, end, round(score, 3)), *span)


def _without_overlap(
    candidates: Sequence[FoundName], taken: Sequence[FoundName]
) -> list[FoundName]:
    """Candidates in order of preference; two names of one span both stay (variants of one perfume)."""
    kept: list[FoundName] = []
    for one in candidates:
        clash = [k for k in (*taken, *kept) if k.start < one.end and one.start < k.end]
        same = all((k.start, k.end) == (one.start, one.end) for k in clash)
        tied = all(k.reference.score == one.reference.score for k in clash)
        if not clash or (same and tied and not any(k in taken for k in clash)):
            kept.append(one)
    return kept


def looks_named(text: str, tokens: Sequence[Token], vocabulary: Vocabulary) -> bool:
    """Whether two capitalised words stand together that mean nothing else: a name we do not know."""
    return any(
        text[first.end : second.start] == " "
        and _is_capital(text, first)
        and _is_capital(text, second)
        and any(t.folded not in vocabulary.phrases for t in (first, second))
        for first, second in pairwise(tokens)
    )


def _is_capital(text: str, token: Token) -> bool:
    word = text[token.start : token.end]
    return len(word) > 2 and word[0].isupper() and not word.isupper()
