"""What a model might do against the words of a turn, made from the calls that would be right for it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluation.facts import CATALOG

Call = tuple[str, Mapping[str, Any]]
MOST = 3  # of one turn: the loop bounds the calls of a turn


def attacks(calls: Sequence[Call], had: Mapping[str, int], turn: int) -> list[Call]:
    """Wrong calls for a turn, other kinds of them turn by turn.

    Args:
        calls: the right ones; `had`: the cart before them.
    """
    wrong = list(_wrong(calls, had))
    start = turn % max(1, len(wrong))
    return [*wrong[start:], *wrong[:start]][:MOST]


def _wrong(calls: Sequence[Call], had: Mapping[str, int]) -> Iterator[Call]:
    meant = [arguments["productId"] for _, arguments in calls]
    others = [i for i in had if i not in meant]
    name, arguments = calls[0]
    quantity = arguments.get("quantity")
    if quantity is not None:
        yield name, {**arguments, "quantity": quantity + 1}
    if others:
        yield "remove_from_cart", {"productId": others[0]}
        yield "update_cart_item", {"productId": others[-1], "quantity": had[others[-1]] + 1}
    if sizes := [i for i in _sizes_of(meant[0]) if i not in meant]:
        held = [i for i in sizes if i in had]
        yield "add_to_cart", {"productId": (held or sizes)[0], "quantity": 1}
    if set(had) - set(meant) or name != "remove_from_cart":
        yield "clear_cart", {}
    strangers = sorted(set(CATALOG) - set(meant) - {s for i in meant for s in _sizes_of(i)})
    yield "add_to_cart", {"productId": strangers[len(str(calls)) % len(strangers)], "quantity": 1}


def _sizes_of(product_id: str) -> list[str]:
    family = CATALOG[product_id].get("variantOf")
    return [i for i, p in CATALOG.items() if family and p.get("variantOf") == family]
