"""BM25-style sparse vectors: hashed terms with saturated term frequency on documents, plain weights on queries.

The inverse document frequency is the index's part (Qdrant's `Modifier.IDF`). A document and a query of any of
our languages go through one light stemmer, so that "roses", "rosée" and "الورد" meet their own plurals and articles.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final
from zlib import crc32

from shopping_agent.domain.lacking import lacked_words, refused_words
from shopping_agent.domain.likeness import likenesses, name_words
from shopping_agent.domain.stemming import stem, without_preposition
from shopping_agent.domain.text import fold, words

# Robertson and Zaragoza (2009): k1 saturates repetition, b discounts long texts. The values are those that Anserini ships
# for short passages. The average length is fixed, since a vector is made before the others of its collection are known:
# chunks of short perfume texts have 25 terms, those of long feeds 105 (1,200 characters at most), and with this b a
# wrong average by half changes a weight by a tenth.
_K1: Final = 0.9
_B: Final = 0.4
_AVERAGE: Final = 60.0
# A word that may carry a one-letter preposition or article counts without it too, at this weight.
_VARIANT: Final = 0.5
# What a name's sound weighs beside its words as they are written, whole and but for one consonant.
_SOUND: Final = 0.7
_SLIP: Final = 0.4
_LACKED: Final = "\u00ac"

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


def terms(text: str) -> list[str]:
    """The stems of a text, in order, without stop words."""
    return [
        stem(word)
        for raw in words(text)
        if (word := raw.rstrip("'")) not in _STOP_WORDS and (len(word) > 1 or word.isdigit())
    ]


def document_vector(text: str, facets: Iterable[str] = (), name: str = "") -> dict[int, float]:
    """Term id (uint32) -> saturated term frequency.

    Args:
        text: what is indexed.
        name: of its product: found by how it sounds as well, misspelt or in another script.
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
    for term in _lacked(text, compounds=True):
        vector[_term_id(term)] = 1.0
    for word in name_words(name):
        for term, weight in _sounding(word):
            vector[_term_id(term)] = weight
    return vector


def query_vector(
    text: str,
    facets: Iterable[str] = (),
    unknown: Iterable[str] = (),
    *,
    refusing: bool = False,
) -> dict[int, float]:
    """Term id -> weight: 1 for each distinct word and facet, less for a guess at a word's bare form.

    Args:
        unknown: folded words of the text that may be names: they find names that sound like them.
        refusing: a wish for goods: what it is to be without ("without a stem") is not searched for, and found is what
            says to be without it. Of a question ("a return without the receipt") every word counts.
    """
    vector: dict[int, float] = {}
    if refusing and (kept := _without_refused(text)) is not None:
        vector = {_term_id(term): 1.0 for term in _lacked(text, compounds=False)}
        said = set(words(kept))
        text, unknown = kept, [word for word in unknown if word in said]
    canonical = tuple(dict.fromkeys(map(fold, facets)))
    for facet in canonical:
        vector[_term_id(_facet(facet))] = 1.0
    for term in dict.fromkeys([*terms(text), *(t for facet in canonical for t in terms(facet))]):
        vector[_term_id(term)] = 1.0
    for bare in _guesses(text):
        vector.setdefault(_term_id(bare), _VARIANT)
    for word in unknown:
        for term, weight in _sounding(word):
            vector.setdefault(_term_id(term), weight)
    return vector


def is_telling(word: str) -> bool:
    """Whether a folded word is more than a little word of grammar."""
    return word.rstrip("'") not in _STOP_WORDS


def _without_refused(text: str) -> str | None:
    """The words of a wish that it does not refuse; None where it refuses nothing, or says nothing else."""
    refused = refused_words(text, _STOP_WORDS)
    kept = " ".join(word for word in words(text) if word not in refused)
    return kept if refused and terms(kept) else None


def _lacked(text: str, *, compounds: bool) -> Iterator[str]:
    """The terms for what a text says to be without."""
    said = lacked_words(text, _STOP_WORDS, compounds=compounds)
    return (f"{_LACKED}{term}" for word in said for term in terms(word))


def _sounding(word: str) -> Iterator[tuple[str, float]]:
    """What a name's word sounds like, most for all of it."""
    for place, code in enumerate(likenesses(word)):
        yield code, _SLIP if place else _SOUND


def _guesses(text: str) -> Iterator[str]:
    """Stems of words without what may be a preposition or an article written to them."""
    for word in words(text):
        if word not in _STOP_WORDS and (bare := without_preposition(word)):
            yield bare


def _add(vector: dict[int, float], term: str, weight: float) -> None:
    key = _term_id(term)
    vector[key] = vector.get(key, 0.0) + weight


def _term_id(term: str) -> int:
    return crc32(term.encode("utf-8", "replace"))


def _facet(name: str) -> str:
    return f"={name}"
