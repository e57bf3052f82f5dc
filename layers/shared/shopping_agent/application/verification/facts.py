"""What the claims of a reply are measured against: products at live prices, the guides quoted, the cart as it now is."""

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Final

from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.verification.figures import Figure, figures
from shopping_agent.domain.catalog import Product
from shopping_agent.domain.passage import Passage
from shopping_agent.domain.store import StorePack
from shopping_agent.domain.text import fold
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary, phrase_words

Concept = tuple[str, str]
_SHORT_NAMES: Final = {
    "casa": "casablanca",
    "kaza": "casablanca",
    "fez": "fes",
    "tangier": "tanger",
    "marrakesh": "marrakech",
    "كازا": "casablanca",
    "كازابلانكا": "casablanca",
    "الدار": "casablanca",
    "الدارالبيضاء": "casablanca",
    "طنجه": "tanger",
    "tanja": "tanger",
    "مراكش": "marrakech",
    "فاس": "fes",
    "الرباط": "rabat",
    "اكادير": "agadir",
}
_KINDS: Final = frozenset({"note", "family", "season", "accord"})


@frozen
class Fault:
    """A claim that does not follow from the facts. `fact`: what is true instead, in English, for the model."""

    kind: str
    fact: str = ""


class Facts:
    """The facts of one turn, each read when a claim first needs it.

    Attributes:
        reply: the folded text that is being checked.
    """

    def __init__(self, pack: StorePack, context: TurnContext, observed: Observations) -> None:
        self.pack = pack
        self.context = context
        self.observed = observed
        self.reply = ""

    def known(self, ids: Iterable[str]) -> list[Product]:
        """Of some products those whose texts were seen, not only price and stock."""
        products = (self.observed.products.get(i) for i in ids)
        return [p for p in products if p is not None and (p.description or p.notes.all())]

    def products(self, ids: Iterable[str]) -> list[Product]:
        return [p for i in ids if (p := self.observed.products.get(i)) is not None]

    def family(self, product_id: str) -> str:
        """What the sizes of a product share."""
        product = self.observed.products.get(product_id)
        return (product.variant_of if product else None) or product_id

    def in_cart(self, product_id: str) -> int:
        line = self.observed.cart.line(product_id)
        return line.quantity if line else 0

    @cached_property
    def guides(self) -> Sequence[Passage]:
        """The guides' sections; of those about a place only what is about a place that is spoken of."""
        return [p for p in self.observed.passages if p.product_id is None]

    def guides_for(self, text: str) -> Sequence[Passage]:
        """The guides without those about other places than the text or the shopper names."""
        asked = self.places(text) or self.places(self.context.query.text)
        if not asked:
            return self.guides
        there = {p.text: self.places(f"{p.heading} {p.text}") for p in self.guides}
        if not any(asked & places for places in there.values()):
            return self.guides
        # What names a place only in passing ("everywhere in Morocco") holds for all.
        return [p for p in self.guides if asked & there[p.text] or not self.places(p.heading)]

    def texts_of(self, ids: Iterable[str]) -> list[str]:
        """Everything that the store wrote about some products."""
        wanted = set(ids)
        texts = [
            t for p in self.products(wanted) for t in (p.name, p.description, *p.options.values())
        ]
        texts += [x.name for x in self.observed.cart.items if x.product_id in wanted]
        return texts + [p.text for p in self.observed.passages if p.product_id in wanted]

    def concepts_of(self, products: Iterable[Product]) -> frozenset[Concept]:
        """Notes, families, accords and seasons that belong to some products, in the vocabulary's terms."""
        found: set[Concept] = set()
        for p in products:
            found |= {("family", f) for f in p.families} | {("season", s) for s in p.seasons}
            found |= {("note", fold(note)) for note in p.notes.all()}
            words = ", ".join((*p.notes.all(), *p.accords))
            for text in (words, *self.texts_of([p.id])):
                found |= concepts_in(self.pack.vocabulary, text)
        return frozenset(found)

    def concepts_of_text(self, text: str) -> frozenset[Concept]:
        return concepts_in(self.pack.vocabulary, text)

    @property
    def asks_price(self) -> bool:
        """Whether the shopper wants a sum, so that a number without a currency may be one."""
        query = self.context.query
        return "price" in query.topics or query.action == "view"

    @cached_property
    def shopper_words(self) -> Sequence[str]:
        said = (e.user for e in self.context.conversation.exchanges)
        return [self.context.query.text, *said]

    @cached_property
    def shopper_figures(self) -> Sequence[Figure]:
        return [f for text in self.shopper_words for f in figures_in(text)]

    def places(self, text: str) -> frozenset[str]:
        """The places that a text names."""
        return places_in(self.pack.vocabulary, text)


@lru_cache(maxsize=2048)
def concepts_in(vocabulary: Vocabulary, text: str) -> frozenset[Concept]:
    """What a text names of what describes a product."""
    read = [vocabulary.forms_of(word) for word in phrase_words(text)]
    return frozenset((m.kind, m.concept) for m in vocabulary.find(read) if m.kind in _KINDS)


@lru_cache(maxsize=2048)
def places_in(vocabulary: Vocabulary, text: str) -> frozenset[str]:
    """The words of a text that are places."""
    tokens = phrase_words(text)
    read = [vocabulary.forms_of(word, moroccan=False) for word in tokens]
    found = (read[m.start][0].removeprefix("ل") for m in vocabulary.find(read) if m.kind == "city")
    return frozenset(_SHORT_NAMES.get(place, place) for place in found)


@lru_cache(maxsize=1024)
def figures_in(text: str) -> tuple[Figure, ...]:
    """The figures of a text of the store or of the shopper."""
    return tuple(figures(fold(text)))
