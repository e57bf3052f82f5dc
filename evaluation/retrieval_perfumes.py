"""An invented perfume catalog and searches in it, made from attributes by a fixed seed, so that who answers what follows.

The words of the searches and of the catalog (`retrieval_words.json`) were written without a look at the store's vocabulary.
Catalog texts are in one language each, as merchants have them: English, French or Arabic.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from shopping_agent.domain.catalog import Gender, Notes, PriceTag, Product

from evaluation.retrieval_sets import JudgedQuery, JudgedSet
from evaluation.retrieval_typing import misspelt

WORDS: Final = Path(__file__).with_name("retrieval_words.json")
LANGUAGES: Final = ("en", "fr", "ar", "ary", "ary-latn")
PERFUMES: Final = 600
SEED: Final = 20261201
CURRENCY: Final = "MAD"
# What a perfume for another season or occasion than the one asked for is worth beside one that is for it.
_BESIDE: Final = 0.3
_FEWEST: Final = 3
_PER_LANGUAGE: Final[Mapping[str, int]] = {
    "attributes": 80,
    "known item": 60,
    "negation": 40,
    "price": 40,
}
Words = Mapping[str, Any]
Keep = Callable[["Perfume"], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Perfume:
    """What is true of a perfume, whatever its texts say; every size of it is a product."""

    key: str
    first: Mapping[str, str]
    second: Mapping[str, str]
    arabic: bool
    language: str
    gender: Gender
    families: tuple[str, ...]
    notes: tuple[str, ...]
    season: str
    occasion: str
    prices: Mapping[int, int]

    @property
    def name(self) -> str:
        return self.written("arabic" if self.arabic else "latin")

    def written(self, script: str) -> str:
        return f"{self.first[script]} {self.second[script]}"


def perfume_set() -> JudgedSet:
    words: Words = json.loads(WORDS.read_text("utf-8"))
    draw = random.Random(SEED)
    perfumes = list(_perfumes(words, draw))
    products = [product for perfume in perfumes for product in _sizes(perfume, words, draw)]
    queries = [
        query
        for language in LANGUAGES
        for kind, most in _PER_LANGUAGE.items()
        for query in _queries(kind, language, most, perfumes, words, draw)
    ]
    return JudgedSet(name="perfumes", products=products, queries=queries, understood=True)


# --- the catalog ----------------------------------------------------------------------------------


def _perfumes(words: Words, draw: random.Random) -> Iterator[Perfume]:
    parts: Sequence[Mapping[str, str]] = words["names"]
    pairs = [(a, b) for a in parts for b in parts if a is not b]
    for number, (first, second) in enumerate(draw.sample(pairs, PERFUMES)):
        families = tuple(draw.sample(sorted(words["families"]), 2))
        own = [n for n, said in words["notes"].items() if said["family"] in families]
        other = [n for n, said in words["notes"].items() if not said["family"]]
        small = draw.choice(range(150, 900, 10))
        sizes = draw.choice(((50,), (100,), (50, 100), (30, 50, 100)))
        genders: tuple[Gender, ...] = ("women", "men", "unisex")
        yield Perfume(
            key=f"p{number:03}",
            first=first,
            second=second,
            arabic=draw.random() < 0.2,
            language=draw.choice(("en", "en", "fr", "fr", "ar")),
            gender=draw.choice(genders),
            families=families,
            notes=(*draw.sample(own, min(len(own), 4)), *draw.sample(other, 2)),
            season=draw.choice(sorted(words["seasons"])),
            occasion=draw.choice(sorted(words["occasions"])),
            prices={size: small + 90 * place for place, size in enumerate(sizes)},
        )


def _sizes(perfume: Perfume, words: Words, draw: random.Random) -> Iterator[Product]:
    said = [words["notes"][note][perfume.language] for note in perfume.notes]
    text = _description(perfume, said, words, draw)
    several = len(perfume.prices) > 1
    for size, price in perfume.prices.items():
        yield Product(
            id=f"{perfume.key}-{size}" if several else perfume.key,
            name=f"{perfume.name} - {size} ml" if several else perfume.name,
            brand=words["brands"][int(perfume.key[1:]) % len(words["brands"])],
            description=text,
            price=PriceTag(price * 100, CURRENCY),
            stock=9,
            gender=perfume.gender,
            families=perfume.families,
            notes=Notes(tuple(said[:2]), tuple(said[2:4]), tuple(said[4:])),
            seasons=(perfume.season,),
            occasions=(perfume.occasion,),
            size_ml=size,
            variant_of=perfume.key if several else None,
        )


def _description(perfume: Perfume, said: Sequence[str], words: Words, draw: random.Random) -> str:
    language = perfume.language
    template: str = draw.choice(words["descriptions"][language])
    text = template.format(
        first=said[0],
        second=said[1],
        third=said[-1],
        season=f"{_of(words, 'seasons', perfume.season, language, draw)}.",
        occasion=f"{_of(words, 'occasions', perfume.occasion, language, draw)}.",
    )
    return text[0].upper() + text[1:]


def _of(words: Words, kind: str, concept: str, language: str, draw: random.Random) -> str:
    return draw.choice(words[kind][concept][language])


# --- the searches -----------------------------------------------------------------------------------


def _queries(
    kind: str,
    language: str,
    most: int,
    perfumes: Sequence[Perfume],
    words: Words,
    draw: random.Random,
) -> Iterator[JudgedQuery]:
    """Different searches of a kind; what fewer than a few perfumes answer is asked only by name."""
    said: set[str] = set()
    for _ in range(most * 20):
        text, worth = _MAKERS[kind](language, perfumes, words, draw)
        gains = {p.key: gain for p in perfumes if (gain := worth(p)) > 0}
        full = sum(gain == 1.0 for gain in gains.values())
        if text in said or (kind != "known item" and full < _FEWEST):
            continue
        said.add(text)
        yield JudgedQuery(
            id=f"{language}/{kind}/{len(said):02}",
            text=text,
            kind=kind,
            language=language,
            gains=gains,
        )
        if len(said) == most:
            return


def _attributes(
    language: str, perfumes: Sequence[Perfume], words: Words, draw: random.Random
) -> tuple[str, Keep]:
    del perfumes
    wish, wanted = _wish(language, words, draw)
    kind = draw.choice(("gender", "season", "occasion", "nothing"))
    if kind == "nothing":
        return wish, lambda p: float(wanted(p))
    listed = sorted(words[f"{kind}s"])
    concept = draw.choice(listed)
    text = f"{wish} {_of(words, f'{kind}s', concept, language, draw)}"
    if kind == "gender":
        return text, lambda p: float(wanted(p) and p.gender in (concept, "unisex"))
    return text, lambda p: float(wanted(p)) * (1.0 if concept == getattr(p, kind) else _BESIDE)


def _wish(
    language: str, words: Words, draw: random.Random
) -> tuple[str, Callable[[Perfume], bool]]:
    """A family, a note or two notes."""
    kind = draw.choice(("family", "family", "note", "note", "notes"))
    template: str = draw.choice(words["templates"][kind][language])
    if kind == "family":
        family = draw.choice(sorted(words["families"]))
        text = template.format(family=_of(words, "families", family, language, draw))
        return text, lambda p: family in p.families
    note, other = draw.sample(sorted(words["notes"]), 2)
    text = template.format(
        note=words["notes"][note][language], other=words["notes"][other][language]
    )
    if kind == "note":
        return text, lambda p: note in p.notes
    return text, lambda p: note in p.notes and other in p.notes


def _negation(
    language: str, perfumes: Sequence[Perfume], words: Words, draw: random.Random
) -> tuple[str, Keep]:
    del perfumes
    wish, wanted = _wish(language, words, draw)
    refused = draw.choice(sorted(words["notes"]))
    template: str = draw.choice(words["templates"]["without"][language])
    text = template.format(wish=wish, refused=words["notes"][refused][language])
    return text, lambda p: float(wanted(p) and refused not in p.notes)


def _price(
    language: str, perfumes: Sequence[Perfume], words: Words, draw: random.Random
) -> tuple[str, Keep]:
    del perfumes
    wish, wanted = _wish(language, words, draw)
    most = draw.choice(range(200, 700, 50))
    template: str = draw.choice(words["templates"]["under"][language])
    text = template.format(wish=wish, price=most)
    # "less than 300" and "300 at most" differ by one dirham: no price is exactly the bound's.
    return text, lambda p: float(wanted(p) and min(p.prices.values()) <= most)


def _known_item(
    language: str, perfumes: Sequence[Perfume], words: Words, draw: random.Random
) -> tuple[str, Keep]:
    """A name, misspelt or in the script that its writer has at hand, whatever the catalog's."""
    meant = draw.choice(perfumes)
    script = {"ar": "arabic", "ary": "arabic", "ary-latn": "arabizi"}.get(language, "latin")
    name = meant.written(script)
    if draw.random() < 0.7:
        name = misspelt(name, draw)
    template: str = draw.choice(words["templates"]["name"][language])
    return template.format(name=name.lower()), lambda p: float(p.key == meant.key)


_MAKERS: Final[Mapping[str, Callable[..., tuple[str, Keep]]]] = {
    "attributes": _attributes,
    "known item": _known_item,
    "negation": _negation,
    "price": _price,
}
