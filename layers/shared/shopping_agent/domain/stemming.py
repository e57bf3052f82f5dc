"""Light stems of folded words, English and French alike, and Arabic: what a text and a question about it have in common.

Sources: Porter's plurals and endings, Savoy's light stemmer for French (feminines, `-eux`, `-aux`), Larkey's light10 for
Arabic (articles, common suffixes) and the three commonest broken plurals (`عطور`, `أسعار`, `فواكه`).
"""

from functools import lru_cache
from typing import Final

_SHORTEST: Final = 3
_LATIN_IRREGULAR: Final = {
    "men": "man",
    "women": "woman",
    "mens": "man",
    "womens": "woman",
    "children": "child",
    "feet": "foot",
    "teeth": "tooth",
    "fraiche": "frais",
    "douce": "doux",
    "seche": "sec",
    "blanche": "blanc",
    "longue": "long",
    "nouvelle": "nouveau",
    "nouvel": "nouveau",
    "belle": "beau",
    "bel": "beau",
    "yeux": "oeil",
}
_ARABIC_IRREGULAR: Final = {"هدايا": "هدي", "مدن": "مدين"}
_ARABIC_ARTICLES: Final = ("وال", "بال", "كال", "فال", "ال", "لل")
_ARABIC_POSSESSIVES: Final = ("كم", "نا", "هم")
_ARABIC_SUFFIXES: Final = ("ها", "ات", "ون", "ين", "ان", "يه", "ه", "ي")
_ARABIC_PREPOSITIONS: Final = ("ب", "ل", "ف", "ك")


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A light stem of one folded word; what is no word stays."""
    if not word.isalpha():
        return word
    return _stem_arabic(word) if "\u0600" <= word[0] <= "\u06ff" else _stem_latin(word)


def without_preposition(word: str) -> str | None:
    """`لصيف` -> the stem of `صيف`, `lward` -> that of `ward`; None where no such letter can be written to a word."""
    if len(word) < 4:
        return None
    if word[0] == "l":
        return stem(word[1:]) if word[1] not in "aeiouy'" else None
    if not word.startswith(_ARABIC_PREPOSITIONS) or word.startswith("لل") or not word.isalpha():
        return None
    return stem(word[1:])


def _stem_latin(word: str) -> str:
    """Plural, then one ending, then a silent -e; never below three letters."""
    word = _singular(word)
    if known := _LATIN_IRREGULAR.get(word):
        return known
    for ending, rest in (("ness", 4), ("able", 5), ("ly", 4), ("ing", 4), ("ed", 4)):
        if word.endswith(ending) and len(word) - len(ending) >= rest:
            return _undoubled(word.removesuffix(ending), but="lsz")
    if word.endswith(("ie", "y")) and len(word) > 4:
        return word.removesuffix("e").removesuffix("y").removesuffix("i") + "i"
    return _masculine(word)


def _masculine(word: str) -> str:
    """Without -e, and as the masculine is written: `active` -> `actif`, `naturelle` -> `naturel`."""
    bare = word
    while bare.endswith("e") and len(bare) > 4:
        bare = bare[:-1]
    if bare.endswith("v"):
        return bare[:-1] + "f"
    if bare == word:
        return word
    if bare.endswith("eus"):
        return bare[:-1]
    return _undoubled(bare, but="abcdefghijkmopqrsuvwxyz")


def _undoubled(word: str, *, but: str) -> str:
    doubled = len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in but
    return word[:-1] if doubled else word


def _singular(word: str) -> str:
    if len(word) < 4:
        return word
    if word.endswith(("eaux", "eux", "oux")) and word != "doux":
        return word[:-1]
    if word.endswith("aux") and len(word) > 4:
        return word[:-3] + "al"
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-1] if word[:-1] in _LATIN_IRREGULAR else word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "ais", "ois")):
        return word[:-1]
    return word


def _stem_arabic(word: str) -> str:
    if word.startswith("و") and len(word) > 4:
        word = word[1:]
    for article in _ARABIC_ARTICLES:
        if word.startswith(article) and len(word) - len(article) >= _SHORTEST:
            word = word.removeprefix(article)
            break
    for suffix in _ARABIC_POSSESSIVES:
        if word.endswith(suffix) and len(word) - len(suffix) > _SHORTEST:
            word = word.removesuffix(suffix)
            break
    return _ARABIC_IRREGULAR.get(word) or _arabic_singular(word)


def _arabic_singular(word: str) -> str:
    for ending in ("اييه", "ايي", "اء"):  # `نسائية`, `نسائي`, `نساء`
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            return word.removesuffix(ending) + "ا"
    if len(word) == 5 and word[1:3] == "وا":
        return word[0] + word[2:]
    for suffix in _ARABIC_SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST:
            return word.removesuffix(suffix)
    match len(word):
        case 4 if word[2] == "و":
            return word[:2] + word[3]
        case 5 if word[0] == "ا" and word[3] == "ا":
            return word[1:3] + word[4]
        case _:
            return word
