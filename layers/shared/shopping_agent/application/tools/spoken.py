"""The shopper's message read again, for what its query leaves out: every number that counts pieces, the verb of paying."""

import re
from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Final

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.domain.intent import Language
from shopping_agent.domain.query import ProductReference
from shopping_agent.domain.text import fold
from shopping_agent.domain.understanding.clauses import (
    asked,
    hypothetical,
    negated,
    only_told,
    postponed,
)
from shopping_agent.domain.understanding.figures import figures
from shopping_agent.domain.understanding.places import places
from shopping_agent.domain.understanding.prices import prices
from shopping_agent.domain.understanding.quantities import quantity, size_ml
from shopping_agent.domain.understanding.reading import Reading, Span, read
from shopping_agent.domain.understanding.tokens import Token, tokenize
from shopping_agent.domain.vocabulary import Vocabulary

# "Two of each": a number for every product of the message.
_EACH: Final = re.compile(
    r"\b(?:each|apiece|chacune?|chaque|(?:mn |men )?kol(?:la)? (?:wa7ed|wahed|wa7da|wahda))\b|كل واحد|لكل منهم"
)


class Spoken:
    """One message, read when it is first asked about."""

    def __init__(
        self,
        text: str,
        language: Language,
        references: Sequence[ProductReference],
        vocabulary: Vocabulary,
        currency: str,
        reading: Reading | None = None,
    ) -> None:
        """
        Args:
            reading: of this message, where there is one.
        """
        self._text = text
        self._language: Language = language
        self._references = references
        self.vocabulary = vocabulary
        self._currency = currency
        self._read = reading

    @cached_property
    def _reading(self) -> Reading:
        if self._read is not None:
            return self._read
        tokens = tokenize(self._text)
        spans = [s for r in self._references if (s := _span(tokens, r)) is not None]
        return read(self._text, tokens, spans, self._language, self.vocabulary)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Numbers that count pieces, each by itself: no address, age, price, size, date or position."""
        reading = self._reading
        numbers = figures(reading)
        named = bool(self._references)
        taken = places(reading, numbers, shown=True, named=named)
        paid = prices(reading, numbers, currency=self._currency, wishing=False, named=named).used
        found = [
            int(f.value)
            for f in numbers
            if quantity(reading, [f], money=paid, taken=taken) == int(f.value)
        ]
        pair = quantity(reading, (), money=paid, taken=taken)
        return tuple(found if pair is None or pair in found else (*found, pair))

    @property
    def quantities(self) -> frozenset[int]:
        """The counts, and what several of them come to: `2 for me and 1 for her`, `two packs of three`."""
        counts = self.counts
        together = {sum(counts), prod(counts)} if 1 < len(counts) < 5 else set[int]()
        return frozenset({*counts, *together})

    @cached_property
    def sizes(self) -> frozenset[int]:
        """Every size in millilitres."""
        numbers = figures(self._reading)
        return frozenset(s for f in numbers if (s := size_ml(self._reading, [f])) is not None)

    @property
    def is_dearest(self) -> bool:
        return self._reading.has("choice", "dearest")

    @property
    def is_triple(self) -> bool:
        return any(token.folded.startswith("tripl") for token in self._reading.tokens)

    @property
    def shares_alike(self) -> bool:
        """`both`, `two of each`: a number of the message holds for more than the product beside it."""
        return self._reading.has("order", "both") or bool(_EACH.search(fold(self._text)))

    @property
    def empties(self) -> bool:
        return self._reading.has("action", "empty", "everything")

    @property
    def checks_out(self) -> bool:
        """Whether it asks to order or pay now."""
        checks = (negated, hypothetical, postponed, only_told, asked)
        return any(
            not any(check(self._reading, verb.start) for check in checks)
            for verb in self._reading.of("action", "checkout")
        )


def _span(tokens: Sequence[Token], reference: ProductReference) -> Span | None:
    inside = [
        i
        for i, token in enumerate(tokens)
        if reference.start <= token.start and token.end <= reference.end
    ]
    return (inside[0], inside[-1] + 1) if inside else None


def spoken_in(
    context: TurnContext, observed: Observations, vocabulary: Vocabulary
) -> tuple[Spoken, Spoken | None]:
    """This message; and the one before where this one settles what that one left open."""
    query, currency = context.query, observed.cart.currency
    this = Spoken(
        query.text,
        query.language,
        query.references,
        vocabulary,
        currency,
        context.understanding.reading,
    )
    exchanges = context.conversation.exchanges
    names_one = any(order.name for order in query.orders)
    if not exchanges or exchanges[-1].intent != "cart" or context.conversation.added or names_one:
        return this, None
    return this, Spoken(exchanges[-1].user, query.language, (), vocabulary, currency)
