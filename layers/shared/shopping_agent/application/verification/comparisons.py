"""Claims that one product is the cheapest, the dearest, the longest lasting, the strongest: of which, and whether it is."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.wording import pattern, says
from shopping_agent.domain.catalog import Product

_LONGEVITY: Final = {"moderate": 1, "long": 2, "very long": 3}
_SILLAGE: Final = {"intimate": 1, "moderate": 2, "heavy": 3, "enormous": 4}
_KINDS: Final = ("cheapest", "dearest", "lasts_more", "trails_more")
_SIZES: Final = {"biggest": 1, "smallest": -1}
_SEVERAL: Final = 2
_FEWEST_OF_ALL: Final = 3


def check(said: Said, facts: Facts) -> Iterator[Fault]:
    """The faults of a sentence's comparisons."""
    if said.is_open():
        return
    if says("unmeasured", said.bare) and not says("negation", said.bare):
        texts = " ".join(facts.texts_of(said.about))
        if not says("unmeasured", texts.lower()):
            yield Fault("superlative", "nothing is known of sales, popularity, prizes or novelty")
    for kind in _KINDS:
        match = pattern(kind).search(said.bare)
        if match is None or says("negation", said.bare[max(0, match.start() - 24) : match.start()]):
            continue
        if not _holds(kind, match.start(), said, facts):
            yield Fault("superlative", _order(kind, facts, said))
    for kind, sign in _SIZES.items():
        if says(kind, said.bare) and not says("negation", said.bare):
            yield from _out_of_size(said, facts, sign)


def _out_of_size(said: Said, facts: Facts, sign: int) -> Iterator[Fault]:
    """A largest or smallest bottle: of its own product's sizes, of what was seen, or of all, which nobody has seen."""
    mine = [p for p in facts.products(said.about) if p.size_ml]
    own = {p.variant_of for p in mine} - {None}
    seen = [p for p in facts.observed.products.values() if p.size_ml]
    family = [p for p in seen if p.variant_of in own]
    if not mine:
        return
    of_whole_shop = says("whole_shop", said.bare) and len(family) < _SEVERAL
    if of_whole_shop or _most(mine, sign) < _most(family or seen, sign):
        listed = ", ".join(f"{p.name}: {p.size_ml} ml" for p in mine)
        yield Fault("superlative", f"{listed}; the sizes of the whole shop are not known")


def _most(products: Sequence[Product], sign: int) -> int:
    return max((p.size_ml or 0) * sign for p in products)


def _holds(kind: str, place: int, said: Said, facts: Facts) -> bool:
    value = _measure(kind, facts)
    winner, others = _sides(kind, place, said, facts)
    best = [v for p in winner if (v := value(p)) is not None]
    rest = [v for p in others if (v := value(p)) is not None]
    if not best or not rest:
        return not best or kind != "cheapest" or not says("whole_shop", said.bare)
    if kind in ("lasts_more", "trails_more") and len(said.names) == 2:
        return max(best) > min(rest)
    return max(best) >= max(rest)


def _measure(kind: str, facts: Facts) -> Callable[[Product], float | None]:
    now = facts.observed.now
    if kind == "cheapest":
        return lambda p: -p.price.at(now)
    if kind == "dearest":
        return lambda p: p.price.at(now)
    if kind == "lasts_more":
        return lambda p: _LONGEVITY.get(p.longevity or "")
    return lambda p: _SILLAGE.get(p.sillage or "")


def _sides(kind: str, place: int, said: Said, facts: Facts) -> tuple[list[Product], list[Product]]:
    """Of whom it is said, and of whom it is more: those of the sentence, of the question, or all that were seen."""
    names = said.names
    if not names:
        return [], []
    before = [n for n in names if n.end <= place]
    after = [n for n in names if n.start >= place]
    if len(names) == 1:
        best = names[0]
    elif before and after and len(before) == 1:
        best = before[0]
    elif after and not before:
        best = after[0]
    else:
        best = before[-1] if len(before) == 1 or not after else after[0]
    mine = best.ids & said.named or best.ids
    winner = facts.products(mine)
    others = {i for n in names if n is not best for i in n.ids & said.named or n.ids}
    if not others:
        others = _compared(said, facts) - mine
        if kind not in ("cheapest", "dearest") or not says("whole_shop", said.bare):
            mine_families = {p.variant_of for p in winner} - {None}
            others = {p.id for p in facts.products(others) if p.variant_of not in mine_families}
    return winner, facts.products(others)


def _compared(said: Said, facts: Facts) -> frozenset[str]:
    """The products that a superlative without "than" is about."""
    if says("whole_shop", said.bare):
        return frozenset(facts.observed.products)
    asked = frozenset(facts.context.named_ids)
    placed = {facts.context.at(place) for place in facts.context.query.ordinals}
    asked |= {product_id for product_id in placed if product_id is not None}
    shown = frozenset(s.id for s in facts.context.conversation.shown)
    return (
        (asked if len(asked) > 1 else frozenset())
        or (shown if len(shown) > 1 else frozenset())
        or frozenset(facts.observed.products)
    )


def _order(kind: str, facts: Facts, said: Said) -> str:
    fact = {"lasts_more": "longevity", "trails_more": "sillage"}.get(kind)
    ids = {i for n in said.names for i in n.ids} | set(facts.context.named_ids)
    products = facts.products(ids)[:5]
    if fact:
        return "; ".join(f"{p.name}: {fact} {getattr(p, fact)}" for p in products)
    return "; ".join(
        f"{p.name}: {p.price.at(facts.observed.now) / 100:g} {p.price.currency}" for p in products
    )
