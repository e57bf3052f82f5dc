"""Which product a message means: one it names, the cheapest of those shown, the only one shown."""

from collections.abc import Sequence

from shopping_agent.domain.query import Action, ShownProduct
from shopping_agent.domain.text import family_name, name_key
from shopping_agent.domain.understanding.actions import Acts
from shopping_agent.domain.understanding.clauses import declined
from shopping_agent.domain.understanding.names import FoundName
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.vocabulary import FACETS, Vocabulary


def callable_names(names: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """Names without those that are only a word for a scent once the size is off: `Rose` of `Rose - 50 ml`."""
    sized = {family_name(name) for name in names if family_name(name) != name}
    return [n for n in names if n not in sized or not _is_scent(n, vocabulary)]


def _is_scent(name: str, vocabulary: Vocabulary) -> bool:
    return any(sense.kind in FACETS for sense in vocabulary.phrases.get(name_key(name), ()))


def product_meant(
    reading: Reading,
    found: Sequence[FoundName],
    done: Acts,
    place: int | None,
    shown: Sequence[ShownProduct],
    *,
    cheapest: bool,
    delegated: bool,
) -> str | None:
    if found:
        return _named_product(reading, found)
    if place is not None or not shown:
        return None
    dearest = reading.has("choice", "dearest")
    if (cheapest or dearest) and not _narrows(reading):
        priced = all(p.price > 0 for p in shown)
        extreme = min if cheapest else max
        return extreme(shown, key=lambda p: p.price).name if priced else None
    acting: tuple[Action, ...] = ("add", "update", "remove")
    if len(shown) == 1 and not delegated and (done.pronoun or done.action in acting):
        return shown[0].name
    return None


def _narrows(reading: Reading) -> bool:
    """`the cheapest vanilla`: a new search, not a choice among the products shown."""
    return reading.has("note") or reading.has("family")


def _named_product(reading: Reading, found: Sequence[FoundName]) -> str | None:
    """The product meant of those named: not a refused one; None when one span fits several."""
    meant = [f for f in found if not declined(reading, f.start, f.end)] or list(found)
    best = meant[0]
    tied = [f for f in meant if (f.start, f.end) == (best.start, best.end)]
    return best.reference.name if len(tied) == 1 else None
