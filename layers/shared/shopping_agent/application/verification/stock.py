"""Claims about stock: to be had or not, and back again on a day that nobody has told."""

from collections.abc import Iterator, Sequence
from typing import Final

from shopping_agent.application.verification.attributes import CLAUSE
from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.wording import says
from shopping_agent.domain.catalog import Product

_FEW: Final = 6
_SCARCE: Final = 2


def check(said: Said, facts: Facts) -> Iterator[Fault]:
    """The faults of a sentence."""
    if said.is_open():
        return
    products = facts.products(said.about)
    for clause in CLAUSE.split(said.bare):
        out = says("out", clause)
        within = not out and says("in", clause) and not says("imagined", clause)
        if within and says("negation", clause):
            out, within = True, False
        if within and products and not any(p.in_stock for p in products):
            yield Fault("stock", "; ".join(f"{p.name} is out of stock" for p in products[:3]))
        if out and products and all(p.in_stock for p in products) and not says("cart", clause):
            yield Fault("stock", "; ".join(f"{p.name} is in stock" for p in products[:3]))
    yield from _amounts(said, products)
    yield from _again(said, facts)


def _amounts(said: Said, products: Sequence[Product]) -> Iterator[Fault]:
    """The last bottle, a few, plenty: without a figure."""
    stocks = [p.stock for p in products if p.stock is not None]
    if not stocks or len(stocks) < len(products) or says("negation", said.bare):
        return
    last = says("last one", said.bare) and 1 not in stocks
    few = says("few", said.bare) and min(stocks) > _FEW
    plenty = (
        says("plenty", said.bare)
        and (says("left", said.bare) or says("in", said.bare))
        and max(stocks) <= _SCARCE
    )
    if last or few or plenty:
        yield Fault("stock", "; ".join(f"{p.name}: {p.stock} in stock" for p in products[:3]))


def _again(said: Said, facts: Facts) -> Iterator[Fault]:
    """A promise that something comes back needs a text that says so."""
    products = facts.products(said.about)
    gone = bool(products) and not any(p.in_stock for p in products)
    later = any(f.said in ("day", "week", "month") for f in said.figures)
    promised = says("again", said.bare) or (gone and (later or says("will have", said.bare)))
    if not products or not promised or says("negation", said.bare) or says("imagined", said.bare):
        return
    if (
        not says("day_named", said.bare)
        and not any(f.unit == "time" for f in said.figures)
        and not says("dated", said.bare)
    ):
        return
    if says("returned", said.bare) and not any(not p.in_stock for p in facts.products(said.about)):
        return
    yield Fault("restock", "no date for a new delivery is known")
