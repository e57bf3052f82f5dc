"""The cart as it now is, in words: its lines, its total, and the way to the checkout."""

import re
from collections.abc import Sequence
from typing import Final, cast

from shopping_agent.adapters.llm.offline.situation import Situation
from shopping_agent.adapters.llm.offline.wording import Wording
from shopping_agent.domain.conversation import JsonObject
from shopping_agent.domain.money import to_minor
from shopping_agent.domain.text import fold
from shopping_agent.domain.vocabulary import Vocabulary

_AMOUNT: Final = re.compile(r"(\d+(?:[ \u00a0\u202f.,]\d{3})*)\s*([^\W\d_]+)")


class Basket:
    """Tells the cart of a situation."""

    def __init__(self, situation: Situation, wording: Wording) -> None:
        self._situation = situation
        self._words = wording

    def total(self) -> str:
        """The cart's total as it now is."""
        cart = self._situation.cart or {}
        if not cart.get("items"):
            return self._words.say("turn.cart_empty")
        currency = str(cart.get("currency") or self._situation.currency)
        return self._words.say("turn.total", total=self._words.amount(cart["total"], currency))

    def lines(self) -> list[str]:
        """The cart line by line, with what changed since, and its total."""
        cart = self._situation.cart
        if cart is None:
            return [self._words.say("refused.not_looked_up")]
        lines = cast(Sequence[JsonObject], cart.get("items") or ())
        if not lines:
            return [self._words.say("turn.cart_empty")]
        currency = str(cart.get("currency") or self._situation.currency)
        return [
            self._words.say("cart.header"),
            *(self._line(line, currency) for line in lines),
            self.total(),
        ]

    def checkout(self) -> list[str]:
        """Where to check out; the total first."""
        if not (self._situation.cart or {}).get("items"):
            return [self._words.say("turn.cart_empty"), self._words.say("cart.checkout_empty")]
        return [self.total(), self._words.say("cart.checkout")]

    def until_free_delivery(self, texts: Sequence[str]) -> list[str]:
        """What the cart comes to against the amount from which the quoted texts say that delivery is free."""
        cart = self._situation.cart or {}
        currency = str(cart.get("currency") or self._situation.currency)
        least = _first_amount(" ".join(texts), currency, self._words.vocabulary)
        if not cart.get("items") or least is None:
            return []
        total = to_minor(str(cart["total"]), currency)
        values = {"total": self._words.money(total, currency)}
        if total >= least:
            return [self._words.say("cart.delivery_free", **values)]
        missing = self._words.money(least - total, currency)
        return [self._words.say("cart.until_delivery_free", missing=missing, **values)]

    def _line(self, line: JsonObject, currency: str) -> str:
        text = self._words.say(
            "turn.cart_line",
            quantity=line["quantity"],
            name=line["name"],
            total=self._words.amount(line["lineTotal"], currency),
        )
        notice = line.get("notice")
        return f"{text} ({self._words.say(f'cart.notice.{notice}')})" if notice else text


def _first_amount(text: str, currency: str, vocabulary: Vocabulary) -> int | None:
    """The first amount of a currency in a text, in minor units."""
    for number, unit in _AMOUNT.findall(fold(text)):
        if currency in vocabulary.concepts_in(unit, ("currency",)):
            return to_minor(re.sub(r"\D", "", number), currency)
    return None
