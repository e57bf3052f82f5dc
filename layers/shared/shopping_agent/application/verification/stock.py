"""Claims about stock: to be had or not, and back again on a day that nobody has told."""

from collections.abc import Iterator

from shopping_agent.application.verification.attributes import CLAUSE
from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.wording import says


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
    yield from _again(said, facts)


def _again(said: Said, facts: Facts) -> Iterator[Fault]:
    """A promise that something comes back needs a text that says so."""
    if (
        not facts.products(said.about)
        or not says("again", said.bare)
        or says("negation", said.bare)
        or says("imagined", said.bare)
    ):
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
