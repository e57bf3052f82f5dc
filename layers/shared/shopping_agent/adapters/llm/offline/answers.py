"""What a message wanted to know, in words: products found, facts, a comparison, quoted texts, or an honest don't-know."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from shopping_agent.adapters.llm.offline import sizes
from shopping_agent.adapters.llm.offline.basket import Basket
from shopping_agent.adapters.llm.offline.comparison import Comparison
from shopping_agent.adapters.llm.offline.fact_topics import FACTS
from shopping_agent.adapters.llm.offline.facts import Facts, one_of_each
from shopping_agent.adapters.llm.offline.reading import Reading
from shopping_agent.adapters.llm.offline.situation import Item, Situation
from shopping_agent.adapters.llm.offline.superlatives import ordered_wishes
from shopping_agent.adapters.llm.offline.wording import Wording
from shopping_agent.domain.conversation import Choice
from shopping_agent.domain.evidence import Evidence
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.subjects import FREE_DELIVERY

_MOST_SHOWN: Final = 3


def _wished(query: ShopperQuery) -> list[str]:
    """The facts that the wishes of a question about a certain product ask for: "is it for men?"."""
    wishes = {
        "gender": query.gender,
        "seasons": query.season,
        "occasions": query.occasion,
        "families": query.families,
        "notes": query.notes or query.exclude_notes,
        "longevity": query.longevity,
        "sillage": query.sillage,
    }
    return [fact for fact, wish in wishes.items() if wish]


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
            "hours": self._hours,
            "person": self._person,
            "about": self._about,
            "thanks": self._thanks,
            "unsold": self._unsold,
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
            *self._for_whom(),
            words.say(self._header(shown)),
            *self._lines(shown),
            *self._left_aside(),
            *situation.advised("say"),
            *situation.advised("questions"),
            words.say("found.offer" if len(shown) > 1 else "found.offer_one"),
        ]

    def _unsold(self, reading: Reading) -> list[str]:
        """What is not sold here, and the nearest by the wishes beside it; without any, they are asked for."""
        words, name = self._words, reading.unsold
        missing = [words.say("found.not_sold", name=name.name)] if name else []
        near = [item for item in reading.items if item.in_stock][:_MOST_SHOWN]
        self.choices = tuple(Choice(item.name, item.id) for item in near)
        if near:
            offer = "found.offer" if len(near) > 1 else "found.offer_one"
            return [*missing, words.say("found.nearest_to"), *self._lines(near), words.say(offer)]
        certain = name is not None and name.certain
        asked = [words.say("found.tell_me")] if certain else []
        return [*missing, *asked, words.contact()]

    def _for_whom(self) -> list[str]:
        """Before perfumes for a child: no product page says that one is made for children."""
        text = self._situation.query.text
        said = dict.fromkeys(self._words.vocabulary.concepts_in(text, ("audience",)))
        return [
            self._words.say(f"found.for.{who}")
            for who in said
            if self._words.says(f"found.for.{who}")
        ]

    def _header(self, shown: Sequence[Item]) -> str:
        if "discount" in self._situation.query.topics:
            on_sale = any("compareAtPrice" in item.facts for item in shown)
            return "found.on_sale" if on_sale else "found.none_on_sale"
        return "found.nearest" if self._situation.relaxed else "found.header"

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
        missing = [self._words.note(note) for note in self._situation.missing]
        dropped = [wish for wish in self._situation.relaxed if not (missing and wish == "notes")]
        keys = (f"value.wish.{wish}" for wish in dict.fromkeys(dropped))
        wishes = [*missing, *(self._words.say(key) for key in keys if self._words.says(key))]
        return (
            [self._words.say("found.without", wishes=self._words.listed(wishes))] if wishes else []
        )

    # --- facts --------------------------------------------------------------------------------------

    def _facts(self, reading: Reading) -> list[str]:
        query = self._situation.query
        facts = [fact for topic in query.topics for fact in FACTS.get(topic, ())]
        facts = list(dict.fromkeys([*facts, *_wished(query)]))
        items = sizes.in_sizes([self._situation.item(i.id) or i for i in reading.items])
        said = Facts(self._words, self._situation.query)
        lines: list[str] = []
        if query.size_ml is not None and not facts:
            facts.append("size")
        for fact in facts:
            lines += said.sentences(fact, items)
        own = Evidence() if lines and not self._beyond_facts() else reading.evidence
        if own.answers:
            return [*lines, *self._quoted(own)]
        unmet = [term for term in own.missing if term not in FACTS]
        if self._situation.query.size_ml is not None and facts == ["size"] and not lines:
            return [self._silent(items), self._words.contact()]
        if self._beyond_facts() or (reading.asked and unmet and not lines):
            return [*lines, self._silent(items), self._words.contact()]
        if lines:
            return lines
        self.choices = tuple(Choice(item.name, item.id) for item in items if item.in_stock)
        return [
            line
            for item in one_of_each(items)
            for line in said.summary(item, self._situation.passages)
        ]

    def _beyond_facts(self) -> bool:
        """Whether the question is about something that no fact of a product holds."""
        return any(topic not in FACTS for topic in self._situation.query.topics)

    def _comparison(self, reading: Reading) -> list[str]:
        items = [self._situation.item(item.id) or item for item in reading.items]
        if len(items) < 2:
            self.choices = tuple(Choice(item.name, item.id) for item in self._situation.shown[:3])
            return [self._words.say("ask.which_to_compare")]
        self.choices = tuple(Choice(item.name, item.id) for item in items if item.in_stock)
        query = self._situation.query
        asked = {*query.topics, *ordered_wishes(query, self._words.vocabulary)}
        return Comparison(self._words).lines(items, asked=asked, dearest=query.dearest)

    # --- texts and people -----------------------------------------------------------------------------

    def _texts(self, reading: Reading) -> list[str]:
        if reading.evidence.answers:
            return [*self._quoted(reading.evidence), *self._until_free(reading.evidence)]
        if not reading.asked:
            return []
        return [self._words.say("turn.dont_know"), self._words.contact()]

    def _until_free(self, evidence: Evidence) -> list[str]:
        if FREE_DELIVERY not in evidence.asked:
            return []
        texts = [sentence.text for sentence in evidence.sentences]
        return Basket(self._situation, self._words).until_free_delivery(texts)

    def _quoted(self, evidence: Evidence) -> list[str]:
        """The sentences word for word, under the heading that they stand under."""
        text = " ".join(sentence.text for sentence in evidence.sentences)
        first = evidence.sentences[0]
        heading = first.name or first.heading
        return [self._words.say("knowledge.quote", heading=heading, text=text) if heading else text]

    def _silent(self, items: Sequence[Item]) -> str:
        names = list(dict.fromkeys(sizes.bare_name(item.name) for item in items))
        return self._words.say(
            "knowledge.product_silent", name=self._words.listed(names, final=True)
        )

    def _person(self, reading: Reading) -> list[str]:
        first = self._quoted(reading.evidence) if reading.evidence.answers else []
        return [*first, self._words.say("contact.person"), self._words.contact()]

    def _hours(self, reading: Reading) -> list[str]:
        del reading
        return [self._words.contact()]

    def _about(self, reading: Reading) -> list[str]:
        del reading
        return [self._words.say("help.about", store=self._words.store)]

    def _thanks(self, reading: Reading) -> list[str]:
        del reading
        return [self._words.say("help.thanks")]
