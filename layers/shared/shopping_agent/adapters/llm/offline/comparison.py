"""Products side by side: what each states, and who leads on price, longevity and sillage, alone or together."""

from collections.abc import Collection, Sequence
from typing import Final

from shopping_agent.adapters.llm.offline.situation import Item
from shopping_agent.adapters.llm.offline.wording import Wording

_LONGEVITY: Final = ("moderate", "long", "very long")
_SILLAGE: Final = ("intimate", "moderate", "heavy", "enormous")


class Comparison:
    """Compares products for one message."""

    def __init__(self, wording: Wording) -> None:
        self._words = wording

    def lines(
        self, items: Sequence[Item], *, asked: Collection[str] = (), dearest: bool = False
    ) -> list[str]:
        """The comparison of at least two products.

        Args:
            asked: the facts that were asked about (`longevity`, `sillage`, `price`): what decides them comes first,
                and where none does, that is said.
            dearest: of prices the highest was asked about, not the lowest.
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
        verdicts = {
            "price": self._first_by_price(items, dearest=dearest),
            "longevity": self._verdict("longest", items, "longevity", _LONGEVITY),
            "sillage": self._verdict("strongest", items, "sillage", _SILLAGE),
        }
        first = [
            line
            for fact, verdict in verdicts.items()
            if fact in asked
            for line in verdict or self._equal(items, fact)
        ]
        last = [line for fact, verdict in verdicts.items() if fact not in asked for line in verdict]
        return [*first, words.say("compare.header"), *sides, *last]

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

    def _first_by_price(self, items: Sequence[Item], *, dearest: bool) -> list[str]:
        priced = [item for item in items if item.price is not None]
        if len(priced) < 2 or len({item.currency for item in priced}) > 1:
            return []
        prices = [item.price or 0 for item in priced]
        price = max(prices) if dearest else min(prices)
        first = [item for item in priced if item.price == price]
        if len(first) == len(priced):
            same = self._words.price(first[0])
            return [self._words.say("compare.same_price", names=self._names(first), price=same)]
        key = "compare.dearest" if dearest else "compare.cheapest"
        return [self._words.say(key, name=self._names(first), price=self._words.price(first[0]))]

    def _verdict(
        self, key: str, items: Sequence[Item], fact: str, order: Sequence[str]
    ) -> list[str]:
        """Who leads on an ordered fact; nothing when all are equal or a product does not state it."""
        ranks = [order.index(v) for i in items for v in i.values(fact)[:1] if v in order]
        if len(ranks) < len(items) or len(set(ranks)) == 1:
            return []
        leaders = [item for item, rank in zip(items, ranks, strict=True) if rank == max(ranks)]
        return [self._words.say(f"compare.{key}", name=self._names(leaders))]

    def _equal(self, items: Sequence[Item], fact: str) -> list[str]:
        """That all state the same, or that the facts do not decide."""
        values = {item.values(fact)[:1] for item in items} if fact != "price" else {()}
        if fact == "price" and len({item.price for item in items}) == 1:
            value = self._words.price(items[0])
        elif len(values) == 1 and values != {()}:
            value = self._words.value(fact, items[0].values(fact)[0])
        else:
            return [self._words.say("compare.unknown")]
        return [self._words.say("compare.equal", names=self._names(items), value=value)]

    def _names(self, items: Sequence[Item]) -> str:
        return self._words.listed([self._words.name(item) for item in items], final=True)
