"""Predicates over one product: its attributes, the steps of its scales, its size, and the terms that it meets already."""

from collections.abc import Callable

from shopping_agent.domain.glossary_facts import Facts
from shopping_agent.domain.values import frozen


@frozen
class Traits:
    """What the rules look at of one product.

    Attributes:
        bits: one for each term of the glossary that the product meets.
        levels: by scale its step, None where the catalog does not tell.
    """

    bits: int
    levels: tuple[int | None, ...] = ()


Test = Callable[[Facts, Traits, int | None], bool]
"""Whether a product (its facts, what is known of its traits, its size) meets one condition."""


def has(attribute: str, values: frozenset[str], at_least: int) -> Test:
    none: frozenset[str] = frozenset()
    return lambda facts, _traits, _size: len(facts.get(attribute, none) & values) >= at_least


def meets(mask: int, *, wanted: bool) -> Test:
    return lambda _facts, traits, _size: bool(traits.bits & mask) == wanted


def within(position: int, low: int, high: int) -> Test:
    def test(_facts: Facts, traits: Traits, _size: int | None) -> bool:
        level = traits.levels[position]
        return level is not None and low <= level <= high

    return test


def untold(position: int) -> Test:
    return lambda _facts, traits, _size: traits.levels[position] is None


def sized(low: int, high: int) -> Test:
    return lambda _facts, _traits, size: size is not None and low <= size <= high
