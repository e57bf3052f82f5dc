"""Claims about what a product is: notes, families, seasons, lasting, trail, for whom, how strong, from which house."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.wording import pattern, says
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.text import fold
from shopping_agent.domain.vocabulary import Match, Vocabulary, phrase_words

CLAUSE: Final = re.compile(
    r"[.;:!?؟،,؛()\n]|\s[-–—]\s|\b(?:but|while|whereas|mais|tandis)\b|(?<!\w)(?:لكن|ولكن|بينما|اما|walakin)(?!\w)"
)
# A level stands behind the colon of its fact: "lasting: moderate · sillage: intimate".
_FIELD: Final = re.compile(CLAUSE.pattern.replace(":", "·", 1))
_LONGEVITY: Final = ("very long", "long", "moderate")
_SILLAGE: Final = ("enormous", "heavy", "moderate", "intimate")
_STRENGTHS: Final = ("extrait", "edp", "edt", "cologne")
_NEGATED_WITHIN: Final = 34
_TELLING: Final = 4
# One word of Moroccan Arabic is both trees.
_SHARED: Final = {"juniper": frozenset({"thuya wood"})}
_BLOSSOM: Final = "blossom"
_NEAR: Final = 40


def check(said: Said, facts: Facts) -> Iterator[Fault]:
    """The faults of a sentence about products whose texts are known."""
    products = facts.known(said.about)
    if not products or said.is_open():
        return
    yield from _scent(said, facts, products)
    yield from _levels(said, facts, products)
    yield from _for_whom(said, products)
    yield from _strength(said, products)
    yield from _house(said, facts, products)


# --- notes, families, seasons ------------------------------------------------------------------


def _scent(said: Said, facts: Facts, products: Sequence[Product]) -> Iterator[Fault]:
    vocabulary = facts.pack.vocabulary
    brands = {fold(p.brand) for p in facts.observed.products.values() if p.brand}
    text = pattern("no_scent").sub(lambda m: " " * len(m[0]), said.bare)
    for brand in brands:
        text = text.replace(brand, " " * len(brand))
    matches = [m for m in _read(vocabulary, text) if m.kind in ("note", "family", "season")]
    if not matches:
        return
    words = phrase_words(text)
    own = facts.concepts_of(products)
    terms = {c for _, c in own}
    guides = set[str]()
    if not said.named and not says("holds", said.bare):
        guides = {c for p in facts.guides for _, c in facts.concepts_of_text(p.text)}
    by_place: dict[tuple[int, int], list[Match]] = {}
    for m in matches:
        by_place.setdefault((m.start, m.end), []).append(m)
    for (start, _), senses in by_place.items():
        denied = _is_denied(text, words, start)
        held = any(_is_held(m.concept, terms, vocabulary) for m in senses)
        stated = {c for p in products for c in _noted(vocabulary, p.notes.all())}
        if denied and any(m.concept in stated and m.kind == "note" for m in senses):
            yield Fault("notes", f"{senses[0].concept} is in {_notes(products)}")
        elif not denied and not held and not any(m.concept in guides for m in senses):
            season = any(m.kind == "season" for m in senses)
            yield Fault(
                "season" if season else "notes", f"no {senses[0].concept} in {_notes(products)}"
            )


def _is_held(concept: str, terms: set[str], vocabulary: Vocabulary) -> bool:
    """Whether terms cover a concept: itself, a kind of it ("spearmint" is mint), or what it stands for."""
    if (vocabulary.expand(concept) | _SHARED.get(concept, frozenset())) & terms:
        return True
    # "Zhar" is any blossom.
    kind = _BLOSSOM if concept.endswith(_BLOSSOM) else concept
    return len(concept) >= _TELLING and any(kind in term for term in terms)


def _read(vocabulary: Vocabulary, text: str) -> list[Match]:
    return vocabulary.find([vocabulary.forms_of(word) for word in phrase_words(text)])


@lru_cache(maxsize=512)
def _noted(vocabulary: Vocabulary, notes: tuple[str, ...]) -> frozenset[str]:
    return frozenset(vocabulary.canonical("note", notes))


def _is_denied(text: str, words: Sequence[str], start: int) -> bool:
    """Whether a denial stands shortly before a word, in its clause."""
    place = 0
    for word in words[:start]:
        place = text.find(word, place) + len(word)
    place = max(place, text.find(words[start], place))
    before = text[max(0, place - _NEGATED_WITHIN) : place]
    return says("negation", CLAUSE.split(before)[-1])


def _notes(products: Sequence[Product]) -> str:
    return "; ".join(f"{p.name}: notes {', '.join(p.notes.all())}" for p in products[:3])


# --- lasting and trail -------------------------------------------------------------------------


def _levels(said: Said, facts: Facts, products: Sequence[Product]) -> Iterator[Fault]:
    for word, levels, fact in (
        ("long_word", _LONGEVITY, "longevity"),
        ("trail_word", _SILLAGE, "sillage"),
    ):
        if not says(word, said.bare):
            continue
        place = 0
        for clause in _FIELD.split(said.bare):
            place = said.bare.find(clause, place)
            own = {getattr(p, fact) for p in facts.known(said.about_at(place))} - {None}
            place += len(clause)
            if not own:
                continue
            at = pattern(word).search(clause)
            if at is None or says("negation", clause):
                continue
            if own == {"moderate"} and word == "long_word" and says("all_day", clause):
                yield from _unlasting(facts, products)
            other = pattern("trail_word" if word == "long_word" else "long_word")
            after = other.split(clause[at.end() : at.end() + _NEAR])[0]
            before = other.split(clause[max(0, at.start() - _NEAR) : at.end()])[-1]
            named = _level(levels, after) or _level(levels, before)
            if named is not None and named not in own:
                yield Fault(
                    fact, "; ".join(f"{p.name}: {fact} {getattr(p, fact)}" for p in products[:3])
                )


def _unlasting(facts: Facts, products: Sequence[Product]) -> Iterator[Fault]:
    """A whole day of what lasts some hours, unless its own text says so."""
    if not any(says("all_day", fold(t)) for t in facts.texts_of(p.id for p in products)):
        yield Fault(
            "longevity", "; ".join(f"{p.name}: longevity {p.longevity}" for p in products[:3])
        )


def _level(levels: Sequence[str], text: str) -> str | None:
    """The first level that a text names."""
    places = [(m.start(), i, x) for i, x in enumerate(levels) if (m := pattern(x).search(text))]
    return min(places)[2] if places else None


# --- for whom, how strong, which house -----------------------------------------------------------


def _for_whom(said: Said, products: Sequence[Product]) -> Iterator[Fault]:
    own = {p.gender for p in products} - {None}
    if not own or says("negation", said.bare):
        return
    right = "; ".join(f"{p.name} is for {p.gender}" for p in products[:3])
    told = {claimed for claimed in ("women", "men") if says(claimed, said.bare)}
    only = {claimed for claimed in ("women", "men") if says(f"only {claimed}", said.bare)}
    both = says("unisex", said.bare) or len(told | only) == 2
    for claimed in () if both else told | only:
        # What is for everybody suits them too; it is no perfume for women.
        if own == {"men" if claimed == "women" else "women"} or (
            claimed in only and own == {"unisex"}
        ):
            yield Fault("gender", right)
    if says("unisex", said.bare) and "unisex" not in own and len(products) == 1:
        yield Fault("gender", right)


def _strength(said: Said, products: Sequence[Product]) -> Iterator[Fault]:
    own = {
        s for p in products if p.concentration for s in _STRENGTHS if says(s, fold(p.concentration))
    }
    if not own or says("negation", said.bare):
        return
    texts = " ".join(fold(p.description) for p in products)
    for strength in _STRENGTHS:
        if strength not in own and says(strength, said.bare) and not says(strength, texts):
            yield Fault(
                "concentration", "; ".join(f"{p.name}: {p.concentration}" for p in products[:3])
            )


def _house(said: Said, facts: Facts, products: Sequence[Product]) -> Iterator[Fault]:
    own = {fold(p.brand) for p in products if p.brand}
    if not own:
        return
    right = "; ".join(f"{p.name} is by {p.brand}" for p in products[:4])
    if says("same_house", said.bare):
        apart = says("negation", said.bare)
        if len(products) > 1 and len(said.about) > 1 and (len(own) == 1) == apart:
            yield Fault("brand", right)
        return
    other = pattern("other_house").search(said.bare)
    texts = " ".join([*own, *map(fold, facts.texts_of(p.id for p in products))])
    if other and other[0] not in texts and not says("negation", said.bare[: other.start()]):
        yield Fault("brand", right)
    for place, brand in _brands_said(said, facts):
        nearest = [n for n in said.names if n.end <= place]
        mine = own
        if len(said.names) > 1 and nearest:
            mine = {fold(p.brand) for p in facts.products(nearest[-1].ids) if p.brand} or own
        if brand not in mine and not says("negation", said.bare[:place]):
            yield Fault("brand", right)


def _brands_said(said: Said, facts: Facts) -> Iterator[tuple[int, str]]:
    """Houses that a sentence names: known ones, and capitalised names where it speaks of a house."""
    known = {fold(p.brand) for p in facts.observed.products.values() if p.brand}
    known |= {fold(line.brand) for line in facts.observed.cart.items if line.brand}
    for brand in known:
        place = said.bare.find(brand)
        if place >= 0:
            yield place, brand
    if not says("house", said.bare) or not (said.named or says("points", said.text)):
        return
    for match in pattern("capital_word").finditer(said.raw):
        name = fold(match[0])
        if (
            name not in known
            and name in said.bare
            and not any(name in b or b in name for b in known)
        ):
            place = said.bare.find(name)
            if pattern("house_before").search(said.bare[:place]):
                yield place, name
