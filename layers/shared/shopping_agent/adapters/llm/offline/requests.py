"""Requests that the store's words name: a person, thanks, something else, something cheaper, something on sale."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from shopping_agent.adapters.llm.offline.situation import Item, Situation
from shopping_agent.adapters.llm.offline.sizes import size_of
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.subjects import hints_in
from shopping_agent.domain.vocabulary import Vocabulary, phrase_words
from shopping_agent.domain.word_forms import content_words, is_common

Service = Literal["person", "trouble", "about", "thanks"]
# What the vocabulary calls a service, and the reply that it gets.
SERVICES: Final[Mapping[str, Service]] = {
    "human": "person",
    "complaint": "trouble",
    "order_status": "trouble",
    "about": "about",
    "thanks": "thanks",
    "bye": "thanks",
}


def service_of(query: ShopperQuery, vocabulary: Vocabulary) -> Service | None:
    """The service that a message asks for, where its words name one."""
    found = _concepts(query.text, vocabulary, ("service", "courtesy"))
    return next((kind for name, kind in SERVICES.items() if name in found), None)


def asks(query: ShopperQuery, vocabulary: Vocabulary) -> bool:
    """Whether a message has a question word."""
    asked = hints_in(query.text, vocabulary) & {"when", "which", "steps"}
    return bool(asked or _concepts(query.text, vocabulary, ("question",)))


def searches(query: ShopperQuery, vocabulary: Vocabulary) -> bool:
    """Whether a message asks to be shown goods: "I want", "suggest", "do you have", with a word for them."""
    goods = any(is_common(word) for word in content_words(query.text))
    return goods and bool(_concepts(query.text, vocabulary, ("search", "audience")))


def candidates(situation: Situation, vocabulary: Vocabulary) -> tuple[Item, ...]:
    """What was found, best first; only new ones for "something else", only cheaper ones for "cheaper"."""
    query, found = situation.query, list(situation.found)
    shown = {item.id for item in situation.shown}
    asked = _concepts(query.text, vocabulary, ("search", "bound"))
    if query.another or "other" in asked:
        found = [item for item in found if item.id not in shown]
    prices = [i.price for i in (situation.focus, *situation.shown) if i and i.price is not None]
    if "cheaper" in asked and prices and query.max_price is None:
        cheaper = [item for item in found if item.price is not None and item.price < min(prices)]
        found = cheaper or sorted(found, key=lambda item: item.price or 0)
    if query.dearer and prices:
        found = [i for i in found if i.price is not None and i.price > max(prices)] or found
    if query.size_ml is not None:
        found = [item for item in found if size_of(item) == query.size_ml] or found
    if "discount" in query.topics:
        found = [item for item in found if "compareAtPrice" in item.facts] or found
    if (query.cheapest or query.dearest) and not query.wishes():
        return tuple(sorted(found, key=lambda item: item.price or 0, reverse=not query.cheapest))
    return tuple(sorted(found, key=lambda item: item.id != situation.best))


def _concepts(text: str, vocabulary: Vocabulary, kinds: Sequence[str]) -> set[str]:
    matches = vocabulary.find([vocabulary.forms_of(word) for word in phrase_words(text)])
    return {match.concept for match in matches if match.kind in kinds}
