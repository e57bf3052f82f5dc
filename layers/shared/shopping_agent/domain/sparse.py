"""BM25-style sparse vectors: hashed terms with saturated term frequency on documents, plain weights on queries.

The inverse document frequency is the index's part (Qdrant's `Modifier.IDF`). A document and a query of any of
our languages go through one light stemmer, so that "roses", "rosée" and "الورد" meet their own plurals and articles.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final
from zlib import crc32

from shopping_agent.domain.text import fold, words

# Robertson and Zaragoza (2009): k1 saturates repetition, b discounts long texts of more than AVERAGE terms.
_K1: Final = 1.2
_B: Final = 0.75
_AVERAGE: Final = 40.0
# A query word that may carry an Arabic one-letter preposition is also tried without it, at this weight.
_VARIANT: Final = 0.5

_STOP_WORDS: Final = frozenset(
    words(
        # English
        "a an and any are as at be been but by can could did do does don for from had has have he her him his how i if in "
        "into is it its ll m me my of on or our re s she so some something t than that the their them then there these they "
        "this those to too ve was we were what when where which who why will with would you your please give want need get "
        "show looking "
        # French
        "a ai au aux avec c ce ces cet cette d dans de des du elle elles en est et eu il ils j je l la le les leur leurs lui "
        "m ma mais me mes moi mon n ne nos notre nous on ont ou par pas pour qu que quel quelle quels quelles qui s sa sans "
        "se ses si son sont sur t ta te tes toi ton tu un une vos votre vous y veux voudrais cherche donne plait svp "
        # Arabic
        "في من على الى إلى عن مع هذا هذه ذلك تلك هو هي هم انا أنا انت نحن ما ماذا لا لم لن ان أن إن كان كانت يكون او أو ثم قد "
        "كل بعض اي أي التي الذي الذين عند لدي لديكم هل كم كيف متى اين أين يا و ف ب ل ك اريد أريد شيء "
        # Darija, both scripts
        "ديال ديالي ديالك ديالو لي اللي شي شنو شنا واش فين كيفاش علاش هاد هادي هادو ديك داك بغيت بغيتي عندكم كاين كاينة غير "
        "حتى باش راه "
        "dial dyal dyali dyalk li lli chi chno chnou chnahiya wach wesh fin kifach kifash 3lach had hadi hado dik dak bghit "
        "bghiti 3ndkom kayn kayna ghir bach rah f b w o ila"
    )
)

_ARABIC_ARTICLES: Final = ("وال", "بال", "كال", "فال", "ال", "لل")
_ARABIC_SUFFIXES: Final = ("ها", "ات", "ون", "ين", "ان", "يه", "ه", "ي")
_ARABIC_PREPOSITIONS: Final = ("ب", "ل", "ف", "ك")


def terms(text: str) -> list[str]:
    """The stems of a text, in order, without stop words."""
    return [
        stem(word)
        for raw in words(text)
        if (word := raw.rstrip("'")) not in _STOP_WORDS and (len(word) > 1 or word.isdigit())
    ]


def stem(word: str) -> str:
    """A light stem of one folded word: plurals, feminines and common endings; Arabic articles and plurals."""
    if not word.isalpha():
        return word
    return _stem_arabic(word) if "\u0600" <= word[0] <= "\u06ff" else _stem_latin(word)


def document_vector(text: str, facets: Iterable[str] = ()) -> dict[int, float]:
    """Term id (uint32) -> saturated term frequency.

    Args:
        text: what is indexed.
        facets: canonical English terms of the text's product ("orange blossom"); each counts as one term of its
            own too, which a query in another language meets through `query_vector`'s facets.
    """
    counted = Counter(terms(text))
    length = counted.total()
    norm = _K1 * (1 - _B + _B * max(length, 1) / _AVERAGE)
    vector: dict[int, float] = {}
    for term, count in counted.items():
        _add(vector, term, count * (_K1 + 1) / (count + norm))
    for facet in dict.fromkeys(map(fold, facets)):
        _add(vector, _facet(facet), 1.0)
    return vector


def query_vector(text: str, facets: Iterable[str] = ()) -> dict[int, float]:
    """Term id -> weight: 1 for each distinct word and facet, less for a guess at a word's bare form."""
    vector: dict[int, float] = {}
    canonical = tuple(dict.fromkeys(map(fold, facets)))
    for facet in canonical:
        vector[_term_id(_facet(facet))] = 1.0
    for term in dict.fromkeys([*terms(text), *(t for facet in canonical for t in terms(facet))]):
        vector[_term_id(term)] = 1.0
    for bare in filter(None, map(_without_preposition, words(text))):
        vector.setdefault(_term_id(bare), _VARIANT)
    return vector


def _add(vector: dict[int, float], term: str, weight: float) -> None:
    key = _term_id(term)
    vector[key] = vector.get(key, 0.0) + weight


def _term_id(term: str) -> int:
    return crc32(term.encode("utf-8", "replace"))


def _facet(name: str) -> str:
    return f"={name}"


def _stem_latin(word: str) -> str:
    """Plural, then -ing/-ed, then a silent -e; never below three letters. English and French alike."""
    word = _singular(word)
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word.removesuffix(ending)
            if word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            return word
    if word.endswith("ie") and len(word) > 4:
        return word[:-2] + "y"
    while word.endswith("e") and len(word) > 4:
        word = word[:-1]
    return word


def _singular(word: str) -> str:
    if len(word) < 4:
        return word
    if word.endswith("eaux"):
        return word[:-1]
    if word.endswith("aux") and len(word) > 4:
        return word[:-3] + "al"
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "ais", "ois")):
        return word[:-1]
    return word


def _stem_arabic(word: str) -> str:
    """Articles and common suffixes, after Larkey's light10: never below three letters."""
    if word.startswith("و") and len(word) > 4:
        word = word[1:]
    for article in _ARABIC_ARTICLES:
        if word.startswith(article) and len(word) - len(article) >= 3:
            word = word.removeprefix(article)
            break
    for suffix in _ARABIC_SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word.removesuffix(suffix)
    return word


def _without_preposition(word: str) -> str | None:
    """`لصيف` -> the stem of `صيف`; None where no Arabic one-letter preposition can be."""
    if len(word) < 4 or not word.startswith(_ARABIC_PREPOSITIONS) or word.startswith("لل"):
        return None
    if word in _STOP_WORDS or not word.isalpha():
        return None
    return _stem_arabic(word[1:])
