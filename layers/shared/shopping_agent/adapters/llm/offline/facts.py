"""A product's facts as sentences: price, stock, sizes, notes and how it performs, all as observed."""

from collections.abc import Sequence
from typing import Final

from shopping_agent.adapters.llm.offline import sizes
from shopping_agent.adapters.llm.offline.situation import Item
from shopping_agent.adapters.llm.offline.wording import Wording
from shopping_agent.domain.excerpts import asks_number, split_sentences
from shopping_agent.domain.passage import Passage
from shopping_agent.domain.query import ShopperQuery

_FEW: Final = 5
_MOST_DESCRIBED: Final = 2
# Facts whose values have words in the phrases, and under which kind.
_VALUES: Final = {
    "seasons": "season",
    "occasions": "occasion",
    "families": "family",
    "gender": "gender",
    "longevity": "longevity",
    "sillage": "sillage",
}


class Facts:
    """Says facts for one message."""

    def __init__(self, wording: Wording, query: ShopperQuery) -> None:
        self._words = wording
        self._query = query

    def sentences(self, fact: str, items: Sequence[Item]) -> list[str]:
        """The sentences of one fact; what the variants of a product share is said once."""
        if fact in ("price", "sale"):
            return [self._price(item) for item in items if item.price is not None]
        if fact == "stock":
            return [self._stock(item) for item in items]
        if fact == "size":
            return self._sizes(items)
        lines: list[str] = []
        for item in one_of_each(items):
            values = item.values(fact)
            if fact in _VALUES:
                values = tuple(self._words.value(_VALUES[fact], v) for v in values)
            elif fact == "notes":
                values = tuple(dict.fromkeys(map(self._words.note, values)))
            if values:
                name = sizes.bare_name(item.name)
                lines.append(
                    self._words.say(f"fact.{fact}", name=name, **{fact: self._words.listed(values)})
                )
        return lines

    def _price(self, item: Item) -> str:
        name, price = self._words.name(item), self._words.price(item)
        if "compareAtPrice" in item.facts:
            regular = self._words.amount(item.facts["compareAtPrice"], item.currency)
            return self._words.say("fact.sale", name=name, price=price, regular=regular)
        discount = "discount" in self._query.topics
        return self._words.say(
            "fact.not_on_sale" if discount else "fact.price", name=name, price=price
        )

    def _stock(self, item: Item) -> str:
        name, stock = self._words.name(item), item.facts.get("stock")
        if not item.in_stock:
            return self._words.say("fact.out_of_stock", name=name)
        counted = asks_number(self._query.text)
        if isinstance(stock, int) and (counted or stock <= _FEW):
            return self._words.say("fact.few_left", name=name, count=stock)
        return self._words.say("fact.in_stock", name=name)

    def _sizes(self, items: Sequence[Item]) -> list[str]:
        by_name: dict[str, list[Item]] = {}
        for item in items:
            if sizes.size_of(item) is not None:
                by_name.setdefault(sizes.base_key(item.name), []).append(item)
        asked, lines = self._query.size_ml, list[str]()
        for family in by_name.values():
            name = sizes.bare_name(family[0].name)
            sold = {sizes.size_of(item): item for item in family}
            listed = self._words.listed(
                [
                    f"{self._words.say('turn.size', size=size)} ({self._words.price(item)})"
                    for size, item in sold.items()
                ]
            )
            if asked is not None and asked not in sold and not sizes.sizes_known(family):
                continue  # the size asked for may be sold: nothing here says
            key = "fact.sizes" if asked is None or asked in sold else "fact.no_such_size"
            lines.append(self._words.say(key, name=name, size=asked, sizes=listed))
        return lines

    def summary(self, item: Item, passages: Sequence[Passage]) -> list[str]:
        """A product in a few lines: price, what it is, how it performs, and the first words of its own text."""
        lines = [self._price(item)] if item.price is not None else []
        if not item.in_stock:
            lines.append(self._stock(item))
        for fact in ("families", "notes", "longevity"):
            lines += self.sentences(fact, [item])
        own = [p for p in passages if p.product_id == item.id]
        if own:
            lines.append(" ".join(split_sentences(own[0].text)[:_MOST_DESCRIBED]))
        return lines


def one_of_each(items: Sequence[Item]) -> list[Item]:
    """One variant of each product, in order."""
    return list({sizes.base_key(item.name): item for item in reversed(items)}.values())[::-1]
