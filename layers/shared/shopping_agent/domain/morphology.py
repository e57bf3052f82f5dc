"""Word forms under which a word of a message may stand in the vocabulary: clitics, plurals, verb affixes.

Light stemming by candidates: nothing here knows the vocabulary, so a wrong candidate costs one missed
look-up. Sources: the usual light stemmers for Arabic (conjunction, preposition, article, possessive) and
the person and tense affixes of Moroccan Arabic (ka-, gha-, n-, t-, y-; -ha, -hom, -ou; ma-...-ch).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from shopping_agent.domain.patterns import late

ARABIC: Final = re.compile(r"[\u0600-\u06ff]")
_STRETCHED: Final = re.compile(r"([^\W\d_])\1{2,}")
_SHORTEST: Final = 3  # letters that must stay when an affix is taken off

# Nouns: conjunction, preposition, article before; possessive and plural behind.
_ARABIC_NOUN: Final = (
    ("وبال", "وكال", "ولل", "وال", "بال", "كال", "فال", "هال", "لل", "ال", "و", "ف", "ب", "ل", "ك"),
    ("ها", "هم", "كم", "نا", "ات", "ين", "ون", "ه", "ي", "ك", "ا"),
)
# Verbs: person and tense before; subject and object behind.
_ARABIC_VERB: Final = (
    (
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
        "ن",
        "ت",
        "ي",
        "س",
        "ا",
    ),
    ("وهم", "وها", "يها", "ولي", "وه", "لي", "ها", "هم", "هن", "وا", "و", "ه", "ي", "ش"),
)
_MOROCCAN_NOUN: Final = (("el", "al", "l"), ())
_MOROCCAN_VERB: Final = (
    (
        "ghadi",
        "ghan",
        "ghat",
        "ghay",
        "kan",
        "kat",
        "kay",
        "gha",
        "tan",
        "tat",
        "tay",
        "nt",
        "ka",
        "n",
        "t",
        "y",
    ),
    (
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
        "li",
        "h",
        "o",
        "w",
        "i",
    ),
)
_PLURALS: Final = ("aux", "es", "s", "e", "x")
_NEGATED_LATIN: Final = late(r"(?:ma|m)(?P<verb>[ntyk][a-z0-9]{2,}?|[a-z0-9]{3,}?)(?:chi|ch|sh|x)")
_NEGATED_ARABIC: Final = late(r"(?:ما|م)(?P<verb>.{2,})ش")


def is_arabic(word: str) -> bool:
    return not word.isascii() and ARABIC.search(word) is not None


def unstretched(word: str) -> str:
    """`jolieee` -> `jolie`: letters written three times or more are written once."""
    return _STRETCHED.sub(r"\1", word)


def negated_verb(word: str) -> str | None:
    """The verb inside a one-word Moroccan negation: `matzidch` -> `tzid`, else None."""
    if word.startswith("م"):
        found = _NEGATED_ARABIC().fullmatch(word)
    elif word.startswith("m") and not is_arabic(word):
        found = _NEGATED_LATIN().fullmatch(word)
    else:
        return None
    return found["verb"] if found else None


@lru_cache(maxsize=8192)
def forms(word: str, *, moroccan: bool = True) -> tuple[str, ...]:
    """A folded word and the nouns that may be left of it, the word itself first, without repeats.

    Args:
        moroccan: also take off the article of Moroccan Arabic in Latin script (`lward`, `ssif`).
    """
    plain = unstretched(word)
    if is_arabic(word):
        candidates = _arabic_nouns(plain)
    else:
        candidates = _latin_nouns(word, plain, moroccan=moroccan)
    return tuple(dict.fromkeys([word, *candidates]))


@lru_cache(maxsize=8192)
def verb_forms(word: str) -> tuple[str, ...]:
    """The Arabic verb stems that may be left of a folded word: `ghanakhodha` -> `akhod`, `وأضفه` -> `اضف`."""
    plain = unstretched(word)
    pattern = _ARABIC_VERB if is_arabic(word) else _MOROCCAN_VERB
    stems = [plain]
    if is_arabic(word) and len(plain) > _SHORTEST and plain[0] in "وف":
        stems.append(plain[1:])
    inner = negated_verb(plain) or _without_negation(plain)
    stems += [inner] if inner else []
    found: list[str] = []
    for stem in stems:
        bare = [stem, *_without(stem, pattern[0], ())]
        found += bare
        found += [short for one in bare for short in _without(one, (), pattern[1])]
    return tuple(dict.fromkeys(found))


def _without_negation(word: str) -> str | None:
    """The second half of a negation taken off, its first half being a word of its own (`ma tzidch`)."""
    stem = re.sub("(?:ش|ch|sh)$", "", word)
    return stem if stem != word and len(stem) >= _SHORTEST else None


def _arabic_nouns(plain: str) -> Iterator[str]:
    prefixes, suffixes = _ARABIC_NOUN
    bare = [plain, *_without(plain, prefixes, ())]
    # و + ال..., ف + ل...: a second prefix under a one-letter one.
    bare += [deep for one in bare[1:] for deep in _without(one, ("ال", "لل", "ب", "ل"), ())]
    yield from bare
    for stem in bare:
        for short in _without(stem, (), suffixes):
            yield short
            if short.endswith("ت"):
                yield short[:-1] + "ه"
        if stem.endswith("ه"):
            yield stem[:-1]


def _latin_nouns(word: str, plain: str, *, moroccan: bool) -> Iterator[str]:
    bare = [plain]
    if plain != word:
        bare.append(_STRETCHED.sub(r"\1\1", word))
    if moroccan:
        bare += _without(plain, _MOROCCAN_NOUN[0], ())
        if len(plain) > _SHORTEST and plain[0] == plain[1]:
            bare.append(plain[1:])  # ssif, chchta: the article before a sun letter
    yield from bare
    for stem in bare:
        yield from _without(stem, (), _PLURALS)
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
