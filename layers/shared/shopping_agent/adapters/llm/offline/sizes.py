"""The sizes of one product: read from a fact or a name, put in order, and when the observed ones can be all."""

import re
from collections.abc import Sequence
from typing import Final

from shopping_agent.adapters.llm.offline.situation import Item
from shopping_agent.domain.text import fold, name_key

_SIZE: Final = re.compile(r"(\d+)\s*(?:ml|مل)\b")
_SIZE_AS_WRITTEN: Final = re.compile(r"[-–—,/·(]*\s*\d+\s*(?:ml|مل)\b\)?", re.IGNORECASE)


def size_of(item: Item) -> int | None:
    """Millilitres, from the fact or the name."""
    in_name = _SIZE.search(fold(item.name))
    return item.size_ml or (int(in_name[1]) if in_name else None)


def base_key(name: str) -> str:
    """The key of a name without its size: variants of one product share it."""
    return name_key(_SIZE.sub(" ", fold(name)))


def bare_name(name: str) -> str:
    """A name without its size: what the variants of one product are called together."""
    bare = _SIZE_AS_WRITTEN.sub("", name).strip(" -–—,/·(")
    return bare or name


def in_sizes(items: Sequence[Item]) -> list[Item]:
    """Items with the sizes of one product together, smallest first."""
    families = list(dict.fromkeys(base_key(item.name) for item in items))
    return sorted(items, key=lambda i: (families.index(base_key(i.name)), size_of(i) or 0))


def names_a_size(name: str) -> bool:
    return bool(_SIZE.search(fold(name)))


def sizes_known(family: Sequence[Item]) -> bool:
    """Whether the observed sizes of a product can be all of them: a card alone does not tell."""
    return len(family) > 1 or all(
        "variantOf" not in item.facts and ("families" in item.facts or "notes" in item.facts)
        for item in family
    )
