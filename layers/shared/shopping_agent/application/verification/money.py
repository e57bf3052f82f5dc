"""Claims about money: each amount with the product that it belongs to, totals, sums and differences."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import Final

from shopping_agent.application.claims import Amount, amounts, sentences
from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.policies import about, topics_of
from shopping_agent.application.verification.price_reading import (
    LEAST_BARE,
    is_difference,
    pairings,
    plus,
    stated_amounts,
    stated_in,
)
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.topics import tells
from shopping_agent.application.verification.wording import says
from shopping_agent.domain.money import format_money, to_minor
from shopping_agent.domain.text import fold

Money = tuple[int, str]
_MOST_FEE: Final = 100
_MOST_PIECES: Final = 50
_MOST_PRODUCTS: Final = 12


class Prices:
    """What amounts a reply may state."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._observed = facts.observed

    def check(self, said: Said, *, priced: bool) -> Iterator[Fault]:
        """The faults of a sentence. `priced`: the reply states prices, so that a bare number may be one."""
        stated = stated_amounts(said, self._facts, priced=priced)
        if stated and not self._hold(said, stated):
            yield Fault("amount", self._right(said))

    def _hold(self, said: Said, stated: Sequence[Amount]) -> bool:
        ids = self._meant(said) & self._own.keys() or frozenset(self._own)
        shared = self._common | self._multiples(ids, said) | self._before(stated)
        if says("regular", said.bare) or (len(stated) > 1 and says("reduced", said.bare)):
            tags = [p.price for p in self._facts.products(ids)]
            shared |= {(tag.regular, tag.currency) for tag in tags}
        shared |= self._former(ids, stated)
        in_all = shared | self._sums(said) | self._with_fees(ids, said)
        totals = [a for a in stated if a.of_total]
        others = [a for a in stated if not a.of_total]
        if not all(a.readings & in_all for a in totals):
            return False
        shared = in_all | self._guides(said) | self._by_size(ids)
        derived = self._derived(ids, said) if says("differs", said.bare) else set[Money]()
        shared |= derived
        apart = {a.start for a in others if is_difference(a, said)} if derived else set[int]()
        differences = derived | self._common | self._reductions(ids)
        if not all(a.readings & differences for a in others if a.start in apart):
            return False
        others = [a for a in others if a.start not in apart]
        return any(
            all(a.readings & (shared | self._together(mine)) for a, mine in pairing)
            for pairing in pairings(others, said, frozenset(ids))
        )

    def _meant(self, said: Said) -> frozenset[str]:
        """Of which products a sentence may state prices: those that it is about, and what it compares them with."""
        asked = frozenset(self._facts.context.named_ids)
        if not said.named:
            return said.about | asked
        return said.named | asked if says("compares", said.bare) else said.named

    def _together(self, ids: Iterable[str]) -> set[Money]:
        return set[Money]().union(*(self._own.get(i, set()) for i in ids))

    def _multiples(self, ids: Iterable[str], said: Said) -> set[Money]:
        """Prices times the counts that the sentence, or the shopper, states."""
        stated = [*said.figures, *self._facts.shopper_figures]
        counts = {
            int(f.value)
            for f in stated
            if f.unit in ("", "piece") and 1 < f.value < _MOST_PIECES and f.value % 1 == 0
        }
        return {(a * n, c) for a, c in self._together(ids) for n in counts}

    def _derived(self, ids: Iterable[str], said: Said) -> set[Money]:
        """Differences of products' prices, and what they leave of an amount that was named."""
        several = [i for i in ids if i in self._observed.products][:_MOST_PRODUCTS]
        prices = {self._price(i) for i in several}
        all_named = [i for f in said.families for i in f if i in self._observed.products][
            :_MOST_PRODUCTS
        ]
        pairs = combinations({*prices, *(self._price(i) for i in all_named)}, 2)
        found = {(abs(a - b), c) for (a, c), (b, d) in pairs if c == d}
        currency = self._facts.pack.currency
        sums = self._sums(said)
        basis = self._together(several) | self._multiples(ids, said) | sums
        basis |= {(t, currency) for t in (self._observed.cart.total,) if t}
        goals = self._written | self._guides(said)
        found |= {(g - a, c) for g, c in goals for a, d in basis if c == d and g > a}
        told = {r for a in amounts(said.bare) for r in a.readings}
        marks = self._written | (self._guides(said) & told)
        found |= {(a - g, c) for g, c in marks for a, d in basis if c == d and g < a}
        found.add((abs(self._observed.cart.total - self._observed.before.total), currency))
        return found

    def _reductions(self, ids: Iterable[str]) -> set[Money]:
        """What a sale takes off."""
        now = self._observed.now
        tags = [p.price for p in self._facts.products(ids)]
        return {(tag.regular - tag.at(now), tag.currency) for tag in tags if tag.on_sale(now)}

    def _former(self, ids: Iterable[str], stated: Sequence[Amount]) -> set[Money]:
        """Regular prices beside the sale prices that they were lowered to."""
        now = self._observed.now
        tags = [p.price for p in self._facts.products(ids) if p.price.on_sale(now)]
        told = {r for a in stated for r in a.readings}
        return {(t.regular, t.currency) for t in tags if (t.at(now), t.currency) in told}

    def _by_size(self, ids: Iterable[str]) -> set[Money]:
        """Prices by the millilitre."""
        return {
            (round(self._price(p.id)[0] / p.size_ml), p.price.currency)
            for p in self._facts.products(ids)
            if p.size_ml
        }

    def _with_fees(self, ids: Iterable[str], said: Said) -> set[Money]:
        """What is paid with a fee that the guides tell: delivery, where that is spoken of and not free."""
        spoken = tells("delivery", said.bare) or tells(
            "delivery", fold(self._facts.context.query.text)
        )
        if not spoken or says("free delivery", said.bare):
            return set()
        most = to_minor(_MOST_FEE, self._facts.pack.currency)
        fees = {(g, c) for g, c in self._guides(said) if g <= most}
        cart = self._observed.cart
        paid = self._together(ids) | self._multiples(ids, said) | {(cart.total, cart.currency)}
        return {(a + g, c) for g, c in fees for a, d in paid if c == d}

    def _sums(self, said: Said) -> set[Money]:
        """What the named products cost together, once each or as often as the sentence says."""
        families = [*said.families][-6:] or self._asked()
        if len(families) < 2:
            return set()
        currency = self._facts.pack.currency
        sums, counted, counts = {0}, {0}, self._pieces(said)
        for ids in families:
            mine = {self._price(i)[0] for i in ids if i in self._observed.products}
            often = {price * n for price in mine for n in counts}
            sums = plus(sums, mine)
            counted = plus(counted, often)
        return {(s, currency) for s in sums | counted}

    def _pieces(self, said: Said) -> set[int]:
        """How many of a product the sentence says in pieces, or the shopper wants."""
        told = [f for f in said.figures if f.unit == "piece"]
        told += [f for f in self._facts.shopper_figures if f.unit in ("", "piece")]
        return {1} | {int(f.value) for f in told if f.value % 1 == 0 and 1 < f.value < _MOST_PIECES}

    def _asked(self) -> list[frozenset[str]]:
        """The products that the shopper names, each with its sizes."""
        ids = [i for i in self._facts.context.named_ids if i in self._observed.products]
        families = dict.fromkeys(self._facts.family(i) for i in ids)
        return [frozenset(i for i in ids if self._facts.family(i) == f) for f in families][:6]

    def _before(self, stated: Sequence[Amount]) -> set[Money]:
        """The earlier total, for a sentence that also states the present one."""
        now, before = self._observed.cart, self._observed.before
        present = (now.total, now.currency)
        holds = any(present in a.readings for a in stated)
        return {(before.total, before.currency)} if holds else set()

    def _price(self, product_id: str) -> Money:
        price = self._observed.products[product_id].price
        return price.at(self._observed.now), price.currency

    def _guides(self, said: Said) -> set[Money]:
        found = set[Money]()
        texts = [passage.text for passage in self._facts.guides_for(said.text)]
        if not texts:
            return found
        topics = frozenset[str]() if tells("delivery", said.bare) else topics_of(said.bare)
        for text in about(topics, texts):
            found |= stated_in(text, self._facts.pack.currency)
        return found

    @cached_property
    def _written(self) -> set[Money]:
        """Amounts that the shopper wrote."""
        currency = self._facts.context.query.currency or self._facts.pack.currency
        written = {
            r
            for t in self._facts.shopper_words
            for s in sentences(t)
            for a in amounts(s)
            for r in a.readings
        }
        sizes = {p.size_ml for p in self._observed.products.values()}
        written |= {
            (to_minor(int(f.value), currency), currency)
            for f in self._facts.shopper_figures
            if not f.unit and f.value >= LEAST_BARE and f.value % 1 == 0 and f.value not in sizes
        }
        query = self._facts.context.query
        return written | {
            (b, currency) for b in (query.min_price, query.max_price) if b is not None
        }

    @cached_property
    def _common(self) -> set[Money]:
        """Amounts that belong to no product: the cart's total, the shopper's own figures, what they leave."""
        cart = self._observed.cart
        total = (cart.total, cart.currency)
        left = {(a - total[0], c) for a, c in self._written if c == total[1] and a > total[0]}
        return self._written | left | {total}

    @cached_property
    def _own(self) -> dict[str, set[Money]]:
        own: dict[str, set[Money]] = {}
        for product in self._observed.products.values():
            price, currency = self._price(product.id)
            regular = product.price.compare_at(self._observed.now)
            values = {price} if regular is None else {price, regular - price}
            own[product.id] = {(v, currency) for v in values}
        for line in self._observed.cart.items:
            values = {line.unit_price, line.line_total}
            own.setdefault(line.product_id, set()).update(
                (v, self._observed.cart.currency) for v in values
            )
        for passage in self._observed.passages:
            if passage.product_id is not None:
                stated = {
                    r for s in sentences(passage.text) for a in amounts(s) for r in a.readings
                }
                own.setdefault(passage.product_id, set()).update(stated)
        return own

    def _right(self, said: Said) -> str:
        currency = self._observed.cart.currency
        prices = [
            f"{p.name} costs {format_money(p.price.at(self._observed.now), p.price.currency)}"
            for p in self._facts.products(said.about)[:4]
        ]
        return "; ".join(
            [*prices, f"the cart's total is {format_money(self._observed.cart.total, currency)}"]
        )
