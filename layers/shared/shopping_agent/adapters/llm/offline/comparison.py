"""Products side by side: what each states, and who leads on price, longevity and sillage. A tie has no winner."""

from collections.abc import Sequence
from typing import Final

from shopping_agent.adapters.llm.offline.situation import Item
from shopping_agent.adapters.llm.offline.wording import Wording

_LONGEVITY: Final = ("moderate", "long", "very long")
_SILLAGE: Final = ("intimate", "moderate", "heavy", "enormous")


class Comparison:
    """Compares products for one message."""

    def __init__(self, wording: Wording) -> None:
        self._words = wording

    def lines(self, items: Sequence[Item], *, asked: bool) -> list[str]:
        """The comparison of at least two products.

        Args:
            asked: an ordered fact was asked about: where none decides, that is said.
        """
        words = self._words
        sides = [
            words.say(
                "compare.line",
                name=words.name(item),
                facts=words.say("list.aside").join(self._sides(item)),
            )
            for item in items
        ]
        verdicts = [
            *self._verdict("longest", items, "longevity", _LONGEVITY),
            *self._verdict("strongest", items, "sillage", _SILLAGE),
        ]
        undecided = [words.say("compare.unknown")] if asked and not verdicts else []
        return [words.say("compare.header"), *sides, *self._cheapest(items), *verdicts, *undecided]

    def _sides(self, item: Item) -> list[str]:
        words = self._words
        facts = [words.price(item)] if item.price is not None else []
        if not item.in_stock:
            facts.append(words.say("product.out"))
        facts += words.description(item)
        for fact in ("longevity", "sillage"):
            facts += [
                words.say(f"fit.{fact}", **{fact: words.value(fact, v)}) for v in item.values(fact)
            ]
        return facts

    def _cheapest(self, items: Sequence[Item]) -> list[str]:
        priced = [item for item in items if item.price is not None]
        if len(priced) < 2 or len({item.currency for item in priced}) > 1:
            return []
        lowest = min(item.price or 0 for item in priced)
        cheapest = [item for item in priced if item.price == lowest]
        if len(cheapest) > 1:
            return []
        return [
            self._words.say(
                "compare.cheapest",
                name=self._words.name(cheapest[0]),
                price=self._words.price(cheapest[0]),
            )
        ]

    def _verdict(
        self, key: str, items: Sequence[Item], fact: str, order: Sequence[str]
    ) -> list[str]:
        """Who leads on an ordered fact; nothing on a tie or where a product does not state it."""
        ranks = [order.index(v) for i in items for v in i.values(fact)[:1] if v in order]
        if len(ranks) < len(items) or ranks.count(max(ranks)) > 1:
            return []
        return [
            self._words.say(f"compare.{key}", name=self._words.name(items[ranks.index(max(ranks))]))
        ]
