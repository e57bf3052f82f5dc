"""Messages that go on with the request before them: `and without rose`, `for a man then`, `under 300`, `something cheaper`.

A budget and all other wishes live for their request. A refinement says nothing by itself of what is looked for: no
`show me`, no `I want`, no word for the goods; it opens with `and` or `but`, or states one wish. Anything else is a new request.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shopping_agent.domain.query import Refining, ShopperQuery
from shopping_agent.domain.understanding.reading import Reading

_MOST_WORDS: Final = 9
_LETTERS_BESIDE_AND: Final = 2
_STATED: Final = ("gender", "season", "occasion", "longevity", "sillage", "kind")


def refining(reading: Reading, query: ShopperQuery) -> Refining:
    """How a message refines a request, wherever there is one before it; "" for a request of its own."""
    if query.orders or query.action != "none" or query.references or query.delegated:
        return ""
    if query.cheaper or query.dearer:
        return "instead"
    wishes = _kinds_of_wishes(query)
    # "Something stronger" names what it wishes for.
    asked = set(query.topics) - ({"sillage"} if query.sillage else set())
    if not wishes or query.kind or asked:
        return ""
    if _seeks(reading) and not (query.exclude_notes and wishes == 1):
        return ""  # but "anything without rose?" says only what shall not be in it
    opened = _opening(reading)
    if reading.asks and query.pronoun and not opened:
        return ""  # "is it for the evening?"
    if len([t for t in reading.tokens if t.kind == "word"]) > _MOST_WORDS:
        return ""
    if opened:
        return opened
    wants = reading.has("search", "want") or reading.has("action", "want")
    return "instead" if wishes == 1 and not wants else ""


def refined(earlier: ShopperQuery, query: ShopperQuery) -> ShopperQuery:
    """A message with the wishes of the request that it refines: what it states itself comes first."""
    unwanted = set(query.exclude_notes)
    tasted = bool(query.notes or query.families)
    keeps = not tasted or query.refines == "also"
    notes = _joined(earlier.notes if keeps else (), query.notes, without=unwanted)
    families = _joined(earlier.families if keeps else (), query.families, without=unwanted)
    wanted = {*query.notes, *query.families}
    said = {key: getattr(query, key) or getattr(earlier, key) for key in _STATED}
    return replace(
        _priced(earlier, query),
        notes=notes,
        families=families,
        exclude_notes=_joined(earlier.exclude_notes, query.exclude_notes, without=wanted),
        **said,
    )


def _seeks(reading: Reading) -> bool:
    """Whether it says what is looked for: `something`, `show me`, `a perfume`; `something stronger` goes on."""
    suggests = reading.of("search", "suggest")
    own = any(not reading.covered(match.start, "sillage") for match in suggests)
    return own or reading.has("action", "show")


def _opening(reading: Reading) -> Refining:
    """The `and` or `but` that a message opens with, behind an answer."""
    at = 0
    while reading.covered(at, "answer") or reading.sign(at):
        at += 1
    if reading.starts(at, "joint", "but"):
        return "instead"
    word = reading.word(at)
    grown = word.startswith("و") and len(word) > _LETTERS_BESIDE_AND
    tasted = reading.covered(at, "note") or reading.covered(at, "family")
    joined = reading.starts(at, "joint", "and") or (grown and not tasted)
    return "also" if joined else ""


def _kinds_of_wishes(query: ShopperQuery) -> int:
    bounded = query.min_price is not None or query.max_price is not None
    taste = query.notes or query.families
    stated = [getattr(query, key) for key in _STATED]
    return sum(map(bool, (taste, query.exclude_notes, bounded, query.size_ml, *stated)))


def _joined(first: Sequence[str], second: Sequence[str], *, without: set[str]) -> tuple[str, ...]:
    return tuple(value for value in dict.fromkeys((*first, *second)) if value not in without)


def _priced(earlier: ShopperQuery, query: ShopperQuery) -> ShopperQuery:
    """The message with the earlier bounds, as far as its own leave room for them."""
    low, high = query.min_price, query.max_price
    if low is None and high is None:
        return replace(
            query,
            min_price=earlier.min_price,
            max_price=earlier.max_price,
            currency=earlier.currency,
        )
    if query.currency != earlier.currency and None not in (query.currency, earlier.currency):
        return query
    if low is None and earlier.min_price is not None and earlier.min_price < (high or 0):
        low = earlier.min_price
    if high is None and earlier.max_price is not None and earlier.max_price > (low or 0):
        high = earlier.max_price
    return replace(
        query, min_price=low, max_price=high, currency=query.currency or earlier.currency
    )
