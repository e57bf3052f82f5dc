"""The ranking that "the best one" means everywhere: what of the wishes a product meets, then relevance. No model in it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from shopping_agent.domain.catalog import Product
from shopping_agent.domain.constraints import Constraints, Covers
from shopping_agent.domain.text import family_name, name_key
from shopping_agent.domain.values import frozen

# What a stated wish weighs beside the others and beside relevance, which always counts. A wish of several terms is
# met by the share of them; a term that is only covered ("lemon" for "citrus") counts half, and what claims every season
# or most families (a discovery set) counts less than what is made for the one asked for.
WEIGHTS: Final = {
    "name": 40,
    "notes": 30,
    "families": 25,
    "season": 15,
    "occasion": 15,
    "longevity": 10,
    "sillage": 10,
    "size": 5,
    "relevance": 20,
}
_LONGEVITY: Final = ("moderate", "long", "very long")
_SILLAGE: Final = ("intimate", "moderate", "heavy", "enormous")
# From here on more pieces make no better choice.
_PLENTY: Final = 3
_FOCUSED: Final = 3
# The share of a wish that is met by what it covers ("lemon" for "citrus").
_COVERED: Final = 0.5


@frozen
class Candidate:
    """A product that may be shown, at its live price.

    Attributes:
        terms: its canonical facets.
        relevance: 0..1, its share of the best search score.
        named: 0..1, whether its name stands in the message; less than 1 for a name without its size.
        longevity, sillage: canonical, where known.
    """

    product: Product
    terms: frozenset[str] = frozenset()
    relevance: float = 0.0
    named: float = 0.0
    longevity: str | None = None
    sillage: str | None = None

    @property
    def family(self) -> str:
        """What all sizes of one product share: the parent, else the name without the size that is written in it."""
        product = self.product
        if product.variant_of:
            return product.variant_of
        bare = family_name(product.name)
        if bare == product.name:
            return product.id
        return "\0".join((product.brand, product.concentration or "", name_key(bare)))


@frozen
class Ranked:
    """A candidate with its score, 0..100: comparable within one search."""

    candidate: Candidate
    score: float

    @property
    def product(self) -> Product:
        return self.candidate.product


Judge = Callable[[Candidate], tuple[float, float]]
"""What the store's rules say of a candidate: their weight beside the wishes, and the share of it that it gets, 0..1."""


def no_rules(candidate: Candidate) -> tuple[float, float]:
    """A judge that says nothing."""
    del candidate
    return 0.0, 0.0


def score(
    candidate: Candidate,
    wanted: Constraints,
    covers: Covers,
    *,
    by_name: bool,
    judge: Judge = no_rules,
) -> float:
    """How well a candidate meets the wishes and the rules, 0..100, one decimal.

    Args:
        by_name: some candidate of this search is named, so that being named counts.
    """
    met = _met(candidate, wanted, covers)
    if by_name:
        met["name"] = candidate.named
    met["relevance"] = min(1.0, max(0.0, candidate.relevance))
    weight, judged = judge(candidate)
    total = weight + sum(WEIGHTS[wish] for wish in met)
    gained = weight * judged + sum(WEIGHTS[wish] * share for wish, share in met.items())
    return round(100 * gained / total, 1)


def rank(
    candidates: Sequence[Candidate],
    wanted: Constraints,
    *,
    covers: Covers,
    currency: str,
    now: float,
    judge: Judge = no_rules,
) -> list[Ranked]:
    """Best first: in stock, then score, then stock, price and id.

    When the cheapest or the dearest is asked for, price leads among those that leave equally few of the wishes unmet.

    A discount neither helps nor harms: prices are those of `now`. What is priced in another currency than `currency` comes
    after what is not: it can be shown, but neither compared nor bought with the rest.
    """
    by_name = any(candidate.named > 0 for candidate in candidates)
    ranked = [Ranked(c, score(c, wanted, covers, by_name=by_name, judge=judge)) for c in candidates]
    if not wanted.by_price:
        return sorted(ranked, key=lambda r: _order(r, (-r.score, 0.0), currency, now))
    missed = {c.product.id: unmet(c, wanted, covers) for c in candidates}
    sign = -1 if wanted.dearest else 1
    return sorted(
        ranked,
        key=lambda r: _order(
            r, (missed[r.product.id], sign * r.product.price.at(now)), currency, now
        ),
    )


def unmet(candidate: Candidate, wanted: Constraints, covers: Covers) -> int:
    """How many of the stated wishes a candidate does not meet; what is only covered is not met."""
    return sum(share <= _COVERED for share in _met(candidate, wanted, covers).values())


def wishes(
    candidate: Candidate, wanted: Constraints, covers: Covers
) -> tuple[tuple[str, float, float], ...]:
    """Each stated wish with its weight and the share, 0..1, of it that a candidate meets."""
    met = _met(candidate, wanted, covers)
    return tuple((wish, float(WEIGHTS[wish]), share) for wish, share in met.items())


def families(ranked: Iterable[Ranked]) -> list[list[Ranked]]:
    """Ranked products grouped by what they are sizes of, groups and members in order of rank."""
    groups: dict[str, list[Ranked]] = {}
    for one in ranked:
        groups.setdefault(one.candidate.family, []).append(one)
    return list(groups.values())


def _order(
    ranked: Ranked, first: tuple[float, float], currency: str, now: float
) -> tuple[bool, bool, float, float, float, int, int, str]:
    product = ranked.product
    price = product.price.at(now)
    pieces = _PLENTY if product.stock is None else min(product.stock, _PLENTY)
    foreign = product.price.currency != currency
    return (not product.in_stock, foreign, *first, -ranked.score, -pieces, price, product.id)


def _met(candidate: Candidate, wanted: Constraints, covers: Covers) -> dict[str, float]:
    """The share, 0..1, of each stated wish that the candidate meets."""
    met: dict[str, float] = {}
    product = candidate.product
    if wanted.notes:
        met["notes"] = _share(wanted.notes, candidate, covers)
    if wanted.families:
        met["families"] = _share(wanted.families, candidate, covers) * _focus(product.families)
    if wanted.season:
        met["season"] = float(wanted.season in candidate.terms) * _focus(product.seasons)
    if wanted.occasion:
        met["occasion"] = float(wanted.occasion in candidate.terms)
    if wanted.longevity:
        met["longevity"] = _at_least(wanted.longevity, candidate.longevity)
    if wanted.sillage:
        met["sillage"] = _near(wanted.sillage, candidate.sillage)
    if wanted.size_ml:
        met["size"] = float(wanted.size_ml == product.size_ml)
    return met


def _focus(listed: Sequence[str]) -> float:
    return min(1.0, _FOCUSED / len(listed)) if listed else 1.0


def _share(wishes: Sequence[str], candidate: Candidate, covers: Covers) -> float:
    return sum(_term(wish, candidate, covers) for wish in wishes) / len(wishes)


def _term(wish: str, candidate: Candidate, covers: Covers) -> float:
    if wish in candidate.terms:
        return 1.0
    return _COVERED if any(term in candidate.terms for term in covers(wish)) else 0.0


def _at_least(wish: str, value: str | None) -> float:
    if wish not in _LONGEVITY or value not in _LONGEVITY:
        return float(wish == value)
    return float(_LONGEVITY.index(value) >= _LONGEVITY.index(wish))


def _near(wish: str, value: str | None) -> float:
    """1 for the same step of the scale, half for the next one."""
    if wish not in _SILLAGE or value not in _SILLAGE:
        return float(wish == value)
    return max(0.0, 1.0 - 0.5 * abs(_SILLAGE.index(wish) - _SILLAGE.index(value)))
