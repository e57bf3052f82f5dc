"""What a message wanted to know, in words: products found, facts, a comparison, quoted texts, or an honest don't-know."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from shopping_agent.adapters.llm.offline import targets
from shopping_agent.adapters.llm.offline.reading import FACTS, Reading
from shopping_agent.adapters.llm.offline.situation import Item, Situation
from shopping_agent.adapters.llm.offline.wording import Wording
from shopping_agent.domain.conversation import Choice
from shopping_agent.domain.evidence import Evidence, split_sentences

_MOST_SHOWN: Final = 3
_FEW: Final = 5
_MOST_DESCRIBED: Final = 2
_LONGEVITY: Final = ("moderate", "long", "very long")
_SILLAGE: Final = ("intimate", "moderate", "heavy", "enormous")


class Answers:
    """Tells a `Reading`. `choices` are the chips beside the reply."""

    def __init__(self, situation: Situation, wording: Wording) -> None:
        self._situation = situation
        self._words = wording
        self.choices: tuple[Choice, ...] = ()

    def tell(self, reading: Reading) -> list[str]:
        tellers: Mapping[str, Callable[[Reading], list[str]]] = {
            "discover": self._discovery,
            "compare": self._comparison,
            "facts": self._facts,
            "texts": self._texts,
            "cart": self._texts,
            "checkout": self._texts,
            "person": self._person,
            "thanks": self._thanks,
        }
        teller = tellers.get(reading.kind)
        return teller(reading) if teller else []

    # --- products found -----------------------------------------------------------------------------

    def _discovery(self, reading: Reading) -> list[str]:
        situation, words = self._situation, self._words
        if not situation.searched:
            return [words.say("refused.not_looked_up")]
        sellable = [item for item in reading.items if item.in_stock]
        if not sellable:
            if not reading.items:
                return [words.say("found.none")]
            return [words.say("found.all_out"), *self._lines(reading.items[:_MOST_SHOWN])]
        shown = sellable[:_MOST_SHOWN]
        self.choices = tuple(Choice(item.name, item.id) for item in shown)
        return [
            words.say("found.nearest" if situation.relaxed else "found.header"),
            *self._lines(shown),
            *self._left_aside(),
            words.say("found.offer" if len(shown) > 1 else "found.offer_one"),
        ]

    def _lines(self, items: Sequence[Item]) -> list[str]:
        lines: list[str] = []
        for position, item in enumerate(items, start=1):
            reasons = self._words.reasons(item)
            if not item.in_stock:
                reasons = [self._words.say("product.out"), *reasons]
            key = "product.line_why" if reasons else "product.line"
            lines.append(
                self._words.say(
                    key,
                    position=position,
                    name=self._words.name(item),
                    price=self._words.price(item),
                    why=self._words.listed(reasons),
                )
            )
        return lines

    def _left_aside(self) -> list[str]:
        """The wishes that the search had to drop, where the phrases know them."""
        wishes = [
            self._words.say(f"value.wish.{wish}")
            for wish in self._situation.relaxed
            if self._words.says(f"value.wish.{wish}")
        ]
        return (
            [self._words.say("found.without", wishes=self._words.listed(wishes))] if wishes else []
        )

    # --- facts --------------------------------------------------------------------------------------

    def _facts(self, reading: Reading) -> list[str]:
        topics = self._situation.query.topics
        facts = [fact for topic in topics for fact in FACTS.get(topic, ())]
        items = targets.in_sizes([self._situation.item(i.id) or i for i in reading.items])
        lines: list[str] = []
        if self._situation.query.size_ml is not None and "size" not in facts and not facts:
            facts.append("size")
        for fact in facts:
            lines += self._fact(fact, items)
        own = Evidence() if lines and not self._beyond_facts() else reading.evidence
        if own.answers:
            return [*lines, *self._quoted(own)]
        unmet = [term for term in own.missing if term not in FACTS]
        if self._beyond_facts() or (reading.asked and unmet and not lines):
            return [*lines, self._silent(items), self._words.contact()]
        if lines:
            return lines
        self.choices = tuple(Choice(item.name, item.id) for item in items if item.in_stock)
        return [line for item in self._one_of_each(items) for line in self._summary(item)]

    def _beyond_facts(self) -> bool:
        """Whether the question is about something that no fact of a product holds."""
        return any(topic not in FACTS for topic in self._situation.query.topics)

    def _fact(self, fact: str, items: Sequence[Item]) -> list[str]:
        """The sentences of one fact; what the variants of a product share is said once."""
        if fact in ("price", "sale"):
            return [self._price(item) for item in items if item.price is not None]
        if fact == "stock":
            return [self._stock(item) for item in items]
        if fact == "size":
            return self._sizes(items)
        kinds = {"seasons": "season", "occasions": "occasion", "families": "family"}
        lines: list[str] = []
        for item in self._one_of_each(items):
            values = item.values(fact)
            if fact not in ("notes", "concentration"):
                values = tuple(self._words.value(kinds.get(fact, fact), v) for v in values)
            if values:
                name = targets.bare_name(item.name)
                lines.append(
                    self._words.say(f"fact.{fact}", name=name, **{fact: self._words.listed(values)})
                )
        return lines

    def _price(self, item: Item) -> str:
        name, price = self._words.name(item), self._words.price(item)
        if "compareAtPrice" in item.facts:
            regular = self._words.amount(item.facts["compareAtPrice"], item.currency)
            return self._words.say("fact.sale", name=name, price=price, regular=regular)
        discount = "discount" in self._situation.query.topics
        return self._words.say(
            "fact.not_on_sale" if discount else "fact.price", name=name, price=price
        )

    def _stock(self, item: Item) -> str:
        name, stock = self._words.name(item), item.facts.get("stock")
        if not item.in_stock:
            return self._words.say("fact.out_of_stock", name=name)
        if isinstance(stock, int) and stock <= _FEW:
            return self._words.say("fact.few_left", name=name, count=stock)
        return self._words.say("fact.in_stock", name=name)

    def _sizes(self, items: Sequence[Item]) -> list[str]:
        by_name: dict[str, list[Item]] = {}
        for item in items:
            if targets.size_of(item) is not None:
                by_name.setdefault(targets.base_key(item.name), []).append(item)
        asked, lines = self._situation.query.size_ml, list[str]()
        for family in by_name.values():
            name = targets.bare_name(family[0].name)
            sizes = {targets.size_of(item): item for item in family}
            listed = self._words.listed(
                [
                    f"{self._words.say('turn.size', size=size)} ({self._words.price(item)})"
                    for size, item in sizes.items()
                ]
            )
            key = "fact.sizes" if asked is None or asked in sizes else "fact.no_such_size"
            lines.append(self._words.say(key, name=name, size=asked, sizes=listed))
        return lines

    def _summary(self, item: Item) -> list[str]:
        """A product in three lines: price, what it is, how it performs."""
        lines = [self._price(item)] if item.price is not None else []
        if not item.in_stock:
            lines.append(self._stock(item))
        for fact in ("families", "notes", "longevity"):
            lines += self._fact(fact, [item])
        own = [p for p in self._situation.passages if p.product_id == item.id]
        if own:
            lines.append(" ".join(split_sentences(own[0].text)[:_MOST_DESCRIBED]))
        return lines

    def _one_of_each(self, items: Sequence[Item]) -> list[Item]:
        return list({targets.base_key(item.name): item for item in reversed(items)}.values())[::-1]

    # --- a comparison -------------------------------------------------------------------------------

    def _comparison(self, reading: Reading) -> list[str]:
        items = [self._situation.item(item.id) or item for item in reading.items]
        words = self._words
        if len(items) < 2:
            self.choices = tuple(Choice(item.name, item.id) for item in self._situation.shown[:3])
            return [words.say("ask.which_to_compare")]
        self.choices = tuple(Choice(item.name, item.id) for item in items if item.in_stock)
        lines = [
            words.say(
                "compare.line",
                name=words.name(i),
                facts=words.say("list.aside").join(self._sides(i)),
            )
            for i in items
        ]
        verdicts = [
            *self._verdict("longest", items, "longevity", _LONGEVITY),
            *self._verdict("strongest", items, "sillage", _SILLAGE),
        ]
        asked = set(self._situation.query.topics) & {"longevity", "sillage"}
        undecided = [words.say("compare.unknown")] if asked and not verdicts else []
        return [words.say("compare.header"), *lines, *self._cheapest(items), *verdicts, *undecided]

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
        ranks = [order.index(v) for i in items for v in item_values(i, fact) if v in order]
        if len(ranks) < len(items) or ranks.count(max(ranks)) > 1:
            return []
        return [
            self._words.say(f"compare.{key}", name=self._words.name(items[ranks.index(max(ranks))]))
        ]

    # --- texts and people -----------------------------------------------------------------------------

    def _texts(self, reading: Reading) -> list[str]:
        if reading.evidence.answers:
            return self._quoted(reading.evidence)
        if not reading.asked:
            return []
        return [self._words.say("turn.dont_know"), self._words.contact()]

    def _quoted(self, evidence: Evidence) -> list[str]:
        """The sentences word for word, under the heading that they stand under."""
        text = " ".join(sentence.text for sentence in evidence.sentences)
        first = evidence.sentences[0]
        heading = first.name or first.heading
        return [self._words.say("knowledge.quote", heading=heading, text=text) if heading else text]

    def _silent(self, items: Sequence[Item]) -> str:
        names = list(dict.fromkeys(targets.bare_name(item.name) for item in items))
        return self._words.say(
            "knowledge.product_silent", name=self._words.listed(names, final=True)
        )

    def _person(self, reading: Reading) -> list[str]:
        del reading
        return [self._words.say("contact.person"), self._words.contact()]

    def _thanks(self, reading: Reading) -> list[str]:
        del reading
        return [self._words.say("help.thanks")]


def item_values(item: Item, fact: str) -> tuple[str, ...]:
    return item.values(fact)[:1]
