"""Claims that tie products to each other or to their parts: twice the price, of the same house, what a set holds."""

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

from shopping_agent.application.verification.attributes import CLAUSE
from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.topics import tells
from shopping_agent.application.verification.wording import says
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.text import fold

_MOST: Final = 12
_RATIOS: Final = (("twice", 2), ("thrice", 3))
# What is put into sets, in every language that texts are written in.
_THINGS: Final = tuple(
    re.compile(words)
    for words in (
        r"\b(?:candles?|bougies?|cham3\w*|chem3\w*)\b|(?<!\w)[وب]?(?:ال)?(?:شمع[هة]?|شموع)(?!\w)",
        r"\b(?:soaps?|savons?|sabon\w*)\b|(?<!\w)[وب]?(?:ال)?صابون\w*",
        r"\b(?:lotions?|creams?|cremes?|laits? (?:pour le|de) corps|body milk|krima?)\b|(?<!\w)[وب]?(?:ال)?(?:لوسيون|كريم|مرطب|حليب الجسم)(?!\w)",
        r"\b(?:shower gels?|gels? douche)\b|جل (?:ال)?استحمام",
        r"\b(?:pouch\w*|pochettes?|trousses?)\b|(?<!\w)[وب]?(?:ال)?(?:حقيبه|جراب|كيس)(?!\w)",
        r"\b(?:prayer beads|rosary|chapelets?|misba7a|tasbi7)\b|(?<!\w)[وب]?(?:ال)?(?:سبحه|مسبحه|تسبيح)(?!\w)",
        r"\b(?:mirrors?|miroirs?|mraya)\b|(?<!\w)[وب]?(?:ال)?(?:مراه|مرايه)(?!\w)",
        r"\b(?:mugs?|tasses?)\b|(?<!\w)[وب]?(?:ال)?(?:فنجان|كاس)(?!\w)",
        r"\b(?:towels?|serviettes?|fouta)\b|(?<!\w)[وب]?(?:ال)?(?:منشفه|فوطه)(?!\w)",
        r"\b(?:chocolates?|chocolats?)\b|(?<!\w)[وب]?(?:ال)?شوكولا\w*",
        r"\b(?:scarf|scarves|foulards?|echarpes?)\b|(?<!\w)[وب]?(?:ال)?وشاح(?!\w)",
        r"\b(?:combs?|peignes?|hair ?brush|brosses?)\b|(?<!\w)[وب]?(?:ال)?(?:مشط|فرشاه)(?!\w)",
    )
)


def check(said: Said, facts: Facts) -> Iterator[Fault]:
    """The faults of a sentence's relations."""
    if said.is_open():
        return
    if len(facts.observed.products) > 1:
        yield from _ratio(said, facts)
        yield from _house_meant(said, facts)
    yield from _held(said, facts)


def _ratio(said: Said, facts: Facts) -> Iterator[Fault]:
    """ "Twice the price": of two of the prices that are spoken of."""
    for kind, times in _RATIOS:
        if not tells(kind, said.bare) or tells("refund", said.bare) or tells("roughly", said.bare):
            continue
        if says("negation", said.bare):
            continue
        ids = said.named if len(said.names) > 1 else _spoken_of(said, facts)
        prices = {p.price.at(facts.observed.now) for p in facts.products(ids)[:_MOST]}
        sizes = {p.size_ml for p in facts.products(ids) if p.size_ml}
        # "Twice" alone may be said of what the bottle holds.
        measures = [prices] if says("of_price", said.bare) else [prices, sizes]
        if len(prices) > 1 and not any(
            a == times * b for values in measures for a, b in permutations(values, 2)
        ):
            yield Fault("ratio", _prices(facts.products(ids), facts))


def _spoken_of(said: Said, facts: Facts) -> frozenset[str]:
    """The products of the reply so far, in every size that was seen."""
    ids = said.about.union(*said.families)
    families = {facts.family(i) for i in ids}
    return frozenset(i for i in facts.observed.products if facts.family(i) in families)


def _prices(products: Sequence[Product], facts: Facts) -> str:
    now = facts.observed.now
    return "; ".join(
        f"{p.name}: {p.price.at(now) / 100:g} {p.price.currency}" for p in products[:5]
    )


def _house_meant(said: Said, facts: Facts) -> Iterator[Fault]:
    """ "Also theirs": the house of what was spoken of before."""
    if not (tells("theirs", said.bare) or says("same_house", said.bare)):
        return
    if says("negation", said.bare) or not said.names:
        return
    place = max(n.start for n in said.names)
    name = next(n for n in said.names if n.start == place)
    mine = {fold(p.brand) for p in facts.products(name.ids) if p.brand}
    others = [n.ids for n in said.names if n is not name] or [
        f for f in said.families if not f & name.ids
    ]
    told = {fold(p.brand) for ids in others for p in facts.products(ids) if p.brand}
    if mine and told and not mine & told:
        right = [f"{p.name} is by {p.brand}" for p in facts.products(name.ids)[:2]]
        yield Fault("brand", "; ".join(right))


def _held(said: Said, facts: Facts) -> Iterator[Fault]:
    """Things that a set is said to hold, and its own description does not name."""
    meant = said.about | said.before | {i for n in said.names for i in n.ids}
    products = facts.known(meant)
    if not any(_is_set(p) for p in products):
        return
    own = fold(" ".join(facts.texts_of(p.id for p in products)))
    for clause in CLAUSE.split(said.bare):
        if says("negation", clause) or says("imagined", clause) or says("offered", clause):
            continue
        for thing in _THINGS:
            if thing.search(clause) and not thing.search(own):
                yield Fault("contents", next(p for p in products if _is_set(p)).description[:200])


def _is_set(product: Product) -> bool:
    return tells("set", fold(f"{product.name} {product.description}"))
