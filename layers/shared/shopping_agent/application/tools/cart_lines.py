"""Lines of a cart by what a message says of them: the cheapest, the dearest, a word of the name, a note, a sort."""

from collections.abc import Mapping, Sequence
from typing import Final

from shopping_agent.domain.cart import CartLine
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.kinds import kind_of
from shopping_agent.domain.text import fold
from shopping_agent.domain.vocabulary import Vocabulary

_SHORTEST_WORD: Final = 4


def by_price(lines: Sequence[CartLine], *, dearest: bool) -> frozenset[str]:
    prices = [line.unit_price for line in lines]
    wanted = max(prices) if dearest else min(prices)
    return frozenset(x.product_id for x in lines if x.unit_price == wanted)


def by_words(lines: Sequence[CartLine], text: str) -> frozenset[str]:
    """Lines with a word of a text in their name: `the vanilla one`."""
    said = _words(text)
    return frozenset(line.product_id for line in lines if said & _words(line.name))


def by_traits(
    lines: Sequence[CartLine], wished: set[str], products: Mapping[str, Product]
) -> frozenset[str]:
    """Lines of products with one of the families or notes, as far as the products are known."""
    held = {line.product_id for line in lines} & set(products)
    return frozenset(i for i in held if wished & traits(products[i]))


def traits(product: Product) -> set[str]:
    """Families, notes and the words of the name."""
    return {*product.families, *product.notes.all(), *fold(product.name).split()}


def by_kind(lines: Sequence[CartLine], kind: str | None, vocabulary: Vocabulary) -> frozenset[str]:
    """Lines of a sort: `the candle`."""
    sorts = {line.product_id: kind_of(line.name, vocabulary) for line in lines if kind}
    return frozenset(i for i, sort in sorts.items() if sort == kind)


def _words(text: str) -> frozenset[str]:
    return frozenset(w for w in fold(text).split() if len(w) >= _SHORTEST_WORD)
