"""Words that catalog files use for genders and scent families, in English, French and Arabic."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from shopping_agent.domain.catalog import Gender
from shopping_agent.domain.text import fold

SEPARATORS: Final = re.compile(r"[,;/|،؛\n]")

_GENDERS: Final[dict[Gender, str]] = {
    "women": "women woman womens female females feminine ladies lady her hers femme femmes feminin feminine dame dames elle "
    "نساء نسائي نسائيه للنساء النساء سيدات للسيدات انثى امراه حريمي بنات",
    "men": "men man mens male males masculine gentlemen him his homme hommes masculin masculine lui "
    "رجال رجالي رجاليه للرجال الرجال ذكر رجل شباب",
    "unisex": "unisex unisexe mixte mixtes shared neutral tous everyone للجنسين الجنسين مشترك مختلط",
}
_FAMILIES: Final[dict[str, str]] = {
    "citrus": "citrus citrusy hesperide hesperides hesperidee agrume agrumes citronne حمضي حمضيات ليموني",
    "floral": "floral florals flowery floraux fleuri fleurie fleur fleurs زهري ازهار زهور وردي",
    "fruity": "fruity fruit fruits fruite fruitee فاكهي فواكه فواكهي",
    "woody": "woody wood woods boise boisee bois خشبي اخشاب",
    "amber": "amber ambery ambre ambree oriental orientale orientaux شرقي عنبري عنبر",
    "gourmand": "gourmand gourmande sweet sucre sucree حلو سكري حلوى",
    "aromatic": "aromatic herbal aromatique herbace عطري اعشاب عشبي",
    "aquatic": "aquatic marine aqua oceanic water aquatique marin maritime بحري مائي",
    "fresh": "fresh frais fraiche fraicheur منعش انتعاش طازج",
    "spicy": "spicy spice spices epice epicee توابل حار بهارات متبل",
    "leather": "leather leathery cuir cuire cuiree جلدي جلد",
    "chypre": "chypre chypree شيبر",
    "fougere": "fougere سرخسي فوجير",
    "musk": "musk musky musc musque musquee مسكي مسك",
    "green": "green vert verte verts اخضر",
    "powdery": "powdery powder poudre poudree بودري",
    "oud": "oud oudh aoud agarwood عود عودي",
}
_LETTERS: Final = {"f": "femme", "w": "women", "m": "male", "h": "homme", "u": "unisex"}
_GENDER_OF: Final[Mapping[str, Gender]] = {
    fold(word): gender for gender, words in _GENDERS.items() for word in words.split()
}
_FAMILY_OF: Final = {
    fold(word): family for family, words in _FAMILIES.items() for word in words.split()
}
_WORD: Final = re.compile(r"[^\W_]+")
_AND: Final = frozenset({"and", "et", "و"})
# What may stand around the one word of a tag: "Pour femme", "For her", "Men's".
_FOR: Final = re.compile(r"^\s*(?:pour|for)\s+|['’]s\s*$")


def split_list(text: str) -> Iterator[str]:
    """The parts of a list cell, trimmed, without empty ones."""
    return (part for raw in SEPARATORS.split(text) if (part := raw.strip()))


def gender_of(texts: Iterable[str]) -> Gender | None:
    """The gender that some texts name by whole words of theirs; both, or unisex, gives unisex."""
    words = (word for text in texts for word in _WORD.findall(fold(text)))
    # "ونساء": the Arabic "and" is part of the word.
    forms = ((word, word.removeprefix("و")) for word in words)
    found: set[Gender] = {_GENDER_OF[f] for both in forms for f in both if f in _GENDER_OF}
    if not found:
        return None
    return found.pop() if len(found) == 1 else "unisex"


def gender_of_column(texts: Sequence[str]) -> Gender | None:
    """As `gender_of`, for a gender column, where one letter is enough (F, M, H, U)."""
    return gender_of(texts) or gender_of(_LETTERS.get(fold(text).strip(" ."), "") for text in texts)


def gender_of_tags(tags: Iterable[str]) -> Gender | None:
    """As `gender_of`, for whole tags only: "Men" and "Pour homme" count, "men at work" does not."""
    return gender_of(tag for tag in tags if len(_WORD.findall(_FOR.sub("", fold(tag)))) == 1)


def families_of(texts: Iterable[str]) -> tuple[str, ...]:
    """Canonical families of a family column; an unknown word stays, in lower case."""
    found: list[str] = []
    for text in texts:
        found += _families(text) or [" ".join(text.casefold().split())]
    return tuple(dict.fromkeys(found))


def families_of_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Canonical families among whole tags; an unknown tag is ignored."""
    known = (_family(fold(tag).strip()) for tag in tags)
    return tuple(dict.fromkeys(family for family in known if family))


def _families(text: str) -> list[str]:
    """The family of a text, or of each of its words when every one is a family ("Floral Fruity")."""
    whole = _family(fold(text).strip())
    if whole:
        return [whole]
    parts = [_family(word) for word in _WORD.findall(fold(text)) if word not in _AND]
    return [part for part in parts if part] if parts and all(parts) else []


def _family(word: str) -> str | None:
    bare = word.removeprefix("ال")
    joined = word.removeprefix("و").removeprefix("ال")
    forms = (
        word,
        word.removesuffix("s"),
        word.removesuffix("es"),
        bare,
        bare.removesuffix("ه"),
        joined,
        joined.removesuffix("ه"),
    )
    return next((_FAMILY_OF[form] for form in forms if form in _FAMILY_OF), None)
