"""One message understood without a model: language, constraints, references, action, intent, route."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shopping_agent.domain.intent import Intent
from shopping_agent.domain.kinds import kinds_in
from shopping_agent.domain.query import (
    Action,
    Change,
    Order,
    ShopperQuery,
    ShownProduct,
    Understanding,
)
from shopping_agent.domain.understanding.actions import Acts, acts
from shopping_agent.domain.understanding.cart_talk import Context
from shopping_agent.domain.understanding.facets import Facets, facets
from shopping_agent.domain.understanding.figures import figures
from shopping_agent.domain.understanding.foreign import is_foreign, without_links
from shopping_agent.domain.understanding.intents import classify
from shopping_agent.domain.understanding.language import detect
from shopping_agent.domain.understanding.message_parts import Said, leaves_several_choices
from shopping_agent.domain.understanding.names import FoundName, find_names, looks_named
from shopping_agent.domain.understanding.orders import orders
from shopping_agent.domain.understanding.phrasal import with_phrasal_verbs
from shopping_agent.domain.understanding.places import ordinals, places
from shopping_agent.domain.understanding.plain_order import is_plain_order
from shopping_agent.domain.understanding.prices import prices
from shopping_agent.domain.understanding.quantities import bare_number, quantity, size_ml
from shopping_agent.domain.understanding.reading import Reading, read
from shopping_agent.domain.understanding.referents import callable_names, product_meant
from shopping_agent.domain.understanding.refinements import refining
from shopping_agent.domain.understanding.refusals import refused
from shopping_agent.domain.understanding.remarks import (
    answers,
    asks_for_sales,
    topics,
    wants_available,
)
from shopping_agent.domain.understanding.tokens import tokenize
from shopping_agent.domain.vocabulary import Vocabulary

_PLAIN: Final[dict[Change, Action]] = {"add": "add", "remove": "remove"}
_TAKING: Final[dict[Change, Action]] = {"remove": "remove", "less": "remove", "keep": "remove"}


def understand(
    text: str,
    *,
    vocabulary: Vocabulary,
    currency: str,
    shown: Sequence[ShownProduct] = (),
    names: Sequence[str] = (),
    previous_intent: Intent | None = None,
    pending: bool = False,
    locale: str | None = None,
    spoken: str | None = None,
    added: bool = False,
) -> Understanding:
    """Extract what a message asks for, what it is about and which way it is sent.

    Args:
        currency: the store's, for amounts without one.
        shown: products shown before, in order: what ordinals and pronouns refer to.
        names: product names that the message may mean, as the catalog spells them.
        pending: we asked the shopper something last turn.
        locale: the page's language, for messages whose words do not tell.
        spoken: the language of the conversation so far, which comes before the page's.
        added: the last turn put something into the cart: what a change of mind is about.
    """
    known = [*callable_names(names, vocabulary), *(p.name for p in shown)]
    said = without_links(text, lambda link: bool(find_names(tokenize(link), known, vocabulary)))
    tokens = tokenize(said)
    found = find_names(tokens, known, vocabulary)
    spans = tuple((f.start, f.end) for f in found)
    inside = {i for start, end in spans for i in range(start, end)}
    outside = [t for i, t in enumerate(tokens) if i not in inside]
    # A name alone has no language of its own, where another is known.
    telling = outside if outside or spoken or locale else tokens
    language, sure = detect(telling, vocabulary, locale, spoken)
    plain = read(said, tokens, spans, language, vocabulary)
    reading = with_phrasal_verbs(plain)
    capital = looks_named(said, tokens, vocabulary)
    called = bool(found) or capital
    query, done = _query(
        reading,
        found,
        shown,
        currency,
        called=called,
        capital=capital,
        added=added,
        carting=previous_intent == "cart",
        pending=pending,
    )
    query = replace(query, text=text, kind=_kind(reading, vocabulary), foreign=is_foreign(outside))
    if query.action == "add" and not found and leaves_several_choices(reading):
        # One product may be all of it, and would be added once for two: they are shown, to choose from.
        query = replace(query, action="none", orders=(), delegated=False, cheapest=False)
    query = replace(query, refines=refining(reading, query))
    intent, route, confidence = classify(
        reading, query, done, previous=previous_intent, pending=pending
    )
    return Understanding(
        query,
        intent,
        route,
        confidence,
        done.hypothetical,
        plain_order=is_plain_order(reading, query),
        sure_of_language=sure,
        reading=plain if said == text else None,
    )


def _kind(reading: Reading, vocabulary: Vocabulary) -> str | None:
    """The sort of product that a message wishes for and does not refuse; a name in it says nothing of the sort."""
    words = [
        "" if token.kind == "sign" or reading.in_name(i) else token.folded
        for i, token in enumerate(reading.tokens)
    ]
    found = kinds_in(words, vocabulary, moroccan=reading.language == "ary-latn")
    wished = [m for m in found if not refused(reading, m, through_lists=False)]
    return wished[0].concept if wished else None


def _query(
    reading: Reading,
    found: Sequence[FoundName],
    shown: Sequence[ShownProduct],
    currency: str,
    *,
    called: bool,
    capital: bool,
    added: bool,
    carting: bool,
    pending: bool,
) -> tuple[ShopperQuery, Acts]:
    numbers = figures(reading)
    wanted = facets(reading)
    named = bool(found)
    bounds = prices(
        reading,
        numbers,
        currency=currency,
        wishing=_wishes(wanted) or reading.has("search"),
        named=named,
    )
    positions = places(reading, numbers, shown=bool(shown), named=named)
    place = positions[0].value if positions else None
    count = quantity(reading, numbers, money=bounds.used, taken=positions)
    if count is None and pending:
        count = bare_number(reading, numbers, taken=positions)
    cheapest = reading.has("choice", "cheapest")
    chosen = cheapest or reading.has("choice", "best", "any")
    wishes = _wishes(wanted) or bounds.minimum is not None or bounds.maximum is not None
    dearest = bool(shown) and reading.has("choice", "dearest")
    done = acts(
        reading, Context(called, place, count, chosen or dearest, wishes, cheapest and bool(shown))
    )
    delegated = chosen or _leaves_choice(reading, done, wanted, place, named=named)
    product = product_meant(
        reading, found, done, place, shown, cheapest=cheapest, delegated=delegated
    )
    size = size_ml(reading, numbers)
    denies = answers(reading, "no") and not answers(reading, "yes")
    asked_for = orders(
        reading,
        done,
        Said(
            numbers=numbers,
            names=found,
            places=positions,
            money=bounds.used,
            count=count,
            wishes=not capital and (wishes or delegated or reading.has("search")),
            shown=len(shown),
            added=added,
            carting=carting,
            denies=denies,
            dearest=product if dearest else None,
        ),
    )
    query = ShopperQuery(
        text=reading.text,
        language=reading.language,
        action=_acted(done, asked_for),
        min_price=bounds.minimum,
        max_price=bounds.maximum,
        currency=bounds.currency,
        gender=None if named and not reading.has("search") and reading.asks else wanted.gender,
        notes=wanted.notes,
        families=wanted.families,
        exclude_notes=wanted.exclude_notes,
        season=wanted.season,
        occasion=wanted.occasion,
        quantity=count,
        ordinal=place,
        product_name=product,
        in_stock=True if wants_available(reading, named) else None,
        size_ml=size,
        longevity=wanted.longevity,
        sillage=wanted.sillage,
        references=tuple(f.reference for f in found),
        pronoun=done.pronoun and not named,
        delegated=delegated,
        cheapest=cheapest,
        dearest=reading.has("choice", "dearest"),
        compare=reading.has("topic", "comparison"),
        affirms=answers(reading, "yes"),
        denies=denies,
        topics=topics(reading),
        on_sale=asks_for_sales(reading),
        cheaper=reading.has("bound", "cheaper") and not cheapest,
        dearer=reading.has("bound", "dearer") and not reading.has("choice", "dearest"),
        another=reading.has("search", "other")
        or (denies and not asked_for and reading.has("order", "other", "more")),
        ordinals=ordinals(reading, asked_for, positions),
        orders=asked_for,
    )
    return query, done


def _acted(done: Acts, asked_for: Sequence[Order]) -> Action:
    """The action of the message; one without a verb acts by what it asks for."""
    if not asked_for:
        return "none" if done.changes else done.action
    first = asked_for[0].change
    if done.action == "none":
        return _PLAIN.get(first, "update")
    return _TAKING.get(first, done.action) if done.action == "add" else done.action


def _wishes(wanted: Facets) -> bool:
    return bool(
        wanted.notes
        or wanted.families
        or wanted.exclude_notes
        or wanted.season
        or wanted.occasion
        or wanted.gender
        or wanted.longevity
        or wanted.sillage
    )


def _leaves_choice(
    reading: Reading, done: Acts, wanted: Facets, place: int | None, *, named: bool
) -> bool:
    """`something fresh, and add it`: the object of the order is what the search of this message finds."""
    if done.action != "add" or named or place is not None:
        return False
    return _wishes(wanted) and (done.pronoun or reading.has("search")) and reading.has("search")
