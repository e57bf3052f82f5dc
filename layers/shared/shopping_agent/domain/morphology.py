"""Word forms under which a word of a message may stand in the vocabulary: clitics, plurals, verb affixes.

Light stemming by candidates: nothing here knows the vocabulary, so a wrong candidate costs one missed
look-up. Sources: the usual light stemmers for Arabic (conjunction, preposition, article, possessive) and
the person and tense affixes of Moroccan Arabic (ka-, gha-, n-, t-, y-; -ha, -hom, -ou; ma-...-ch).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

ARABIC: Final = re.compile(r"[\u0600-\u06ff]")
_STRETCHED: Final = re.compile(r"([^\W\d_])\1{2,}")
_SHORTEST: Final = 3  # letters that must stay when an affix is taken off

_ARABIC_PREFIXES: Final = (
    *("وبال", "وكال", "ولل", "وال", "بال", "كال", "فال", "هال", "لل", "ال"),
    *(
        "غان",
        "غات",
        "غاي",
        "كان",
        "كات",
        "كاي",
        "غن",
        "غت",
        "غي",
        "كن",
        "كت",
        "كي",
        "سا",
        "سن",
        "لي",
    ),
    *("و", "ف", "ب", "ل", "ك", "د", "ن", "ت", "ي", "غ", "س", "ا"),
)
_ARABIC_SUFFIXES: Final = (
    *("وهم", "وها", "يها", "ولي", "وه", "لي", "ها", "هم", "هن", "كم", "نا", "ات", "ين", "ون", "وا"),
    *("و", "ه", "ي", "ك", "ا", "ش"),
)
_LATIN_PREFIXES: Final = (
    *("ghadi", "ghan", "ghat", "ghay", "kan", "kat", "kay", "gha", "tan", "tat", "tay", "nt"),
    *("el", "al", "ka", "l", "n", "t", "y", "w", "f", "b", "d"),
)
_LATIN_SUFFIXES: Final = (
    *(
        "ouhom",
        "ohom",
        "iwha",
        "ouha",
        "iha",
        "oha",
        "ouh",
        "hom",
        "oh",
        "ih",
        "ha",
        "iw",
        "ou",
        "lia",
    ),
    *("li", "aux", "es", "h", "o", "w", "i", "s", "e", "x", "y"),
)
_NEGATED_LATIN: Final = re.compile(
    r"(?:ma|m)(?P<verb>[ntyk][a-z0-9]{2,}?|[a-z0-9]{3,}?)(?:chi|ch|sh|x)"
)
_NEGATED_ARABIC: Final = re.compile(r"(?:ما|م)(?P<verb>.{2,})ش")


def is_arabic(word: str) -> bool:
    return bool(ARABIC.search(word))


def unstretched(word: str) -> str:
    """`jolieee` -> `jolie`: letters written three times or more are written once."""
    return _STRETCHED.sub(r"\1", word)


def negated_verb(word: str) -> str | None:
    """The verb inside a one-word Moroccan negation: `matzidch` -> `tzid`, else None."""
    if is_arabic(word):
        found = _NEGATED_ARABIC.fullmatch(word) if word.startswith("م") else None
    else:
        found = _NEGATED_LATIN.fullmatch(word) if word.startswith("m") else None
    return found["verb"] if found else None


@lru_cache(maxsize=8192)
def forms(word: str) -> tuple[str, ...]:
    """A folded word and what may be left of it, the word itself first, without repeats."""
    candidates = _arabic_forms(word) if is_arabic(word) else _latin_forms(word)
    return tuple(dict.fromkeys([word, *candidates]))


def _arabic_forms(word: str) -> Iterator[str]:
    plain = unstretched(word)
    bare = [plain, *_without(plain, _ARABIC_PREFIXES, ())]
    # و + ال, ف + ن...: a second prefix under a one-letter conjunction.
    bare += [deep for one in bare[1:] for deep in _without(one, _ARABIC_PREFIXES, ())]
    yield from bare
    for stem in bare:
        for short in _without(stem, (), _ARABIC_SUFFIXES):
            yield short
            if short.endswith("ت"):
                yield short[:-1] + "ه"
        yield stem + "ه"
        if stem.endswith("ه"):
            yield stem[:-1]
    negated = negated_verb(plain) or (
        plain[:-1] if plain.endswith("ش") and len(plain) > 4 else None
    )
    if negated:
        yield negated
        yield from _without(negated, _ARABIC_PREFIXES, ())


def _latin_forms(word: str) -> Iterator[str]:
    plain = unstretched(word)
    if plain != word:
        yield plain
        yield _STRETCHED.sub(r"\1\1", word)
    bare = [plain, *_without(plain, _LATIN_PREFIXES, ())]
    if len(plain) > _SHORTEST and plain[0] == plain[1]:
        bare.append(plain[1:])  # ssif, chchta: the article before a sun letter
    yield from bare
    for stem in bare:
        yield from _without(stem, (), _LATIN_SUFFIXES)
    if plain.endswith(("ch", "sh", "x")) and len(plain) > 4:
        inner = negated_verb(plain) or re.sub(r"(?:ch|sh|x)$", "", plain)
        yield inner
        yield from _without(inner, _LATIN_PREFIXES, ())
    if len(plain) > 5 and plain.endswith("euse"):
        yield plain[:-4] + "eux"


def _without(word: str, prefixes: tuple[str, ...], suffixes: tuple[str, ...]) -> Iterator[str]:
    for prefix in prefixes:
        if word.startswith(prefix) and len(word) - len(prefix) >= _SHORTEST:
            yield word[len(prefix) :]
    for suffix in suffixes:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST:
            yield word[: -len(suffix)]


_DIGRAPHS: Final = (
    *(("ch", "S"), ("sh", "S"), ("kh", "X"), ("gh", "G"), ("th", "t"), ("ph", "f"), ("ou", "w")),
    *(
        ("5", "X"),
        ("8", "G"),
        ("7", "h"),
        ("9", "q"),
        ("2", ""),
        ("x", "X"),
        ("v", "f"),
        ("p", "b"),
    ),
)
_ARABIC_SOUNDS: Final = {
    **dict(zip("بتجحدرزسصضطظفقكلمنهذث", "btjhdrzssdttfqklmnhdt", strict=True)),
    "خ": "X",
    "غ": "G",
    "ش": "S",
    "ع": "3",
    "و": "w",
}


@lru_cache(maxsize=8192)
def skeleton(word: str) -> str:
    """Consonants of a folded word in one alphabet, so that spellings and scripts meet.

    `bghit`, `bghyt` -> `bGt`; `yasmina`, `ياسمينه` -> `smn`. Emphatic letters fall together with plain ones.
    """
    if is_arabic(word):
        letters = "".join(_ARABIC_SOUNDS.get(c, c if c.isdigit() else "") for c in word.rstrip("ه"))
    else:
        letters = word
        for written, sound in _DIGRAPHS:
            letters = letters.replace(written, sound)
        letters = letters.replace("c", "k")
        letters = re.sub(r"[aeiouy]", "", letters)
    return re.sub(r"(.)\1+", r"\1", letters)
