"""A part of a message, as the words of one verb: the products named and pointed at in it, sizes and numbers."""

from collections.abc import Sequence

from shopping_agent.domain.query import Order
from shopping_agent.domain.text import family_name, name_key
from shopping_agent.domain.understanding.actions import Doing
from shopping_agent.domain.understanding.amounts import has_unit
from shopping_agent.domain.understanding.clauses import declined
from shopping_agent.domain.understanding.figures import Figure
from shopping_agent.domain.understanding.names import FoundName
from shopping_agent.domain.understanding.objects import pronouns
from shopping_agent.domain.understanding.places import Place
from shopping_agent.domain.understanding.quantities import quantity_beside
from shopping_agent.domain.understanding.reading import Reading
from shopping_agent.domain.understanding.unknown import unknown_words
from shopping_agent.domain.values import frozen

_POINTERS = (("pronoun", ()), ("choice", ()), ("order", ("other",)))


@frozen
class Said:
    """What was found in the whole message.

    Attributes:
        count: the quantity of the message as a whole.
        wishes: it describes what to look for, or leaves the choice to us.
        shown: how many products were shown before.
        added: the last turn put something into the cart.
        carting: the last turn was about the cart.
        denies: it opens with a no.
        dearest: the name of the dearest product shown, where the message is about that.
    """

    numbers: Sequence[Figure]
    names: Sequence[FoundName]
    places: Sequence[Place]
    money: frozenset[int]
    count: int | None
    wishes: bool
    shown: int
    added: bool
    carting: bool
    denies: bool
    dearest: str | None = None


@frozen
class Thing:
    """A product named, a position among those shown, or the cheapest. `start`, `end`: its tokens, half open."""

    start: int
    end: int
    name: str | None = None
    ordinal: int | None = None
    cheapest: bool = False


@frozen
class Part:
    """The tokens from `start` to `end` (half open) of a message."""

    reading: Reading
    said: Said
    start: int
    end: int

    def things(self) -> list[Thing]:
        """Products named, positions and superlatives, in order, refused names left out."""
        spans: dict[tuple[int, int], list[FoundName]] = {}
        for found in self.said.names:
            if self.start <= found.start < self.end:
                spans.setdefault((found.start, found.end), []).append(found)
        meant = {k: v for k, v in spans.items() if not declined(self.reading, *k)} or spans
        things = [Thing(a, b, _one_name(found)) for (a, b), found in meant.items()]
        things += [
            Thing(p.start, p.end, ordinal=p.value)
            for p in self.said.places
            if self.start <= p.start < self.end
        ]
        if not self.reading.has("note") and not self.reading.has("family"):
            things += [
                Thing(m.start, m.end, cheapest=True)
                for m in self.reading.of("choice", "cheapest")
                if self.start <= m.start < self.end
            ]
        return sorted(dict.fromkeys(things), key=lambda thing: thing.start)

    def has(self, kind: str, *concepts: str) -> bool:
        return any(self.start <= m.start < self.end for m in self.reading.of(kind, *concepts))

    def _has_pronoun(self) -> bool:
        return any(self.start <= m.start < self.end for m in pronouns(self.reading))

    def points(self) -> bool:
        """Whether a pronoun, a superlative or "the other one" stands in it."""
        return any(self.has(kind, *concepts) for kind, concepts in _POINTERS)

    def size(self, after: int | None = None) -> int | None:
        """The first size, behind a token."""
        start = self.start if after is None else after
        for figure in self.said.numbers:
            sized = has_unit(self.reading, figure, "size") and figure.value == int(figure.value)
            if start <= figure.start < self.end and sized:
                return int(figure.value)
        return None

    def count(self, thing: Thing | None = None, after: int | None = None) -> int | None:
        """How many pieces are said of a thing, or in this part at all."""
        one = thing or Thing(self.end, self.end)
        return quantity_beside(
            self.reading,
            self.said.numbers,
            (one.start, one.end),
            after=self.start if after is None else after,
            money=self.said.money,
            taken=self.said.places,
        )

    def order(self, doing: Doing) -> Order:
        """The addition of the one product that this part is about, without a quantity."""
        things = self.things()
        one = things[0] if things else Thing(self.start, self.start)
        bare = not things
        order = Order(
            "add",
            one.name,
            one.ordinal,
            size_ml=self.size(),
            pronoun=bare and (doing.has_object or self._has_pronoun()),
            cheapest=one.cheapest or (bare and self.has("choice", "cheapest")),
            other=bare and self.has("order", "other"),
        )
        if order.points or order.size_ml is not None or self.said.wishes:
            return order
        unknown = unknown_words(self.reading, (max(self.start, doing.end), self.end))
        return Order("add", unknown=unknown)


def _one_name(found: Sequence[FoundName]) -> str:
    """The name; of several sizes of one product the name that they share."""
    names = [f.reference.name for f in found]
    if len(names) == 1 or len({name_key(family_name(n)) for n in names}) > 1:
        return names[0]
    return family_name(names[0])


def leaves_several_choices(reading: Reading) -> bool:
    """`The cheapest vanilla one and the cheapest oud one`: several choices, each by a wish of its own."""
    choices = [m.start for m in reading.of("choice", "cheapest", "dearest", "best")]
    if len(choices) < 2:
        return False
    wishes = [m.start for kind in ("note", "family") for m in reading.of(kind)]
    ends = [*choices[1:], len(reading.tokens)]
    own = [any(a < w < b for w in wishes) for a, b in zip(choices, ends, strict=True)]
    return sum(own) > 1
