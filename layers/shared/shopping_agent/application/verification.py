"""Checks a reply against what the turn observed, whichever model wrote it, before the shopper reads it."""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from shopping_agent.application.claims import (
    LINK,
    MARKDOWN_LINK,
    Amount,
    NameFound,
    amounts,
    changes_claimed,
    claims_held,
    name_pattern,
    names_in,
    sentences,
)
from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.domain.store import StorePack
from shopping_agent.domain.text import family_key, fold, words
from shopping_agent.domain.values import frozen

Money = tuple[int, str]
_ALREADY: Final = re.compile(r"\balready\b|\bdeja\b|بالفعل|مسبقا|من قبل|\bdeja\b|ديجا")
_COUNT: Final = re.compile(r"(?<![\d.,])\d{1,2}(?![\d.,])")


@frozen
class Verdict:
    """A reply after the check. `faults` name what did not follow from the facts; empty for a sound reply."""

    text: str
    faults: tuple[str, ...] = ()


class Verifier:
    """The check of one turn."""

    def __init__(self, pack: StorePack, context: TurnContext, observed: Observations) -> None:
        self._pack = pack
        self._context = context
        self._observed = observed
        self._common = self._common_amounts()
        self._own = self._amounts_by_product()
        self._names = self._known_names()

    def check(self, text: str) -> Verdict:
        """The reply without unknown links, and its faults: amounts or changes that the facts do not bear out."""
        clean = self._without_unknown_links(text)
        faults: list[str] = []
        for sentence in sentences(clean):
            found = names_in(sentence, self._names)
            if not self._amounts_hold(sentence, amounts(sentence), found):
                faults.append("amount")
            if not all(self._was_done(kind, sentence, found) for kind in changes_claimed(sentence)):
                faults.append("change")
            if claims_held(sentence) and not self._is_held(found):
                faults.append("cart")
        return Verdict(clean, tuple(dict.fromkeys(faults)))

    # --- amounts ------------------------------------------------------------------------------

    def _amounts_hold(
        self, sentence: str, stated: Sequence[Amount], names: Sequence[NameFound]
    ) -> bool:
        if not stated:
            return True
        everyone = {i for name in names for i in name.ids} or set(self._own)
        shared = self._common | self._multiples(everyone, sentence) | self._before(stated)
        if names:
            shared |= self._combined(everyone)
        totals = [a for a in stated if a.of_total]
        others = [a for a in stated if not a.of_total]
        if not all(a.readings & shared for a in totals):
            return False
        return any(
            all(a.readings & (shared | self._together(ids)) for a, ids in pairing)
            for pairing in _pairings(others, names, frozenset(everyone))
        )

    def _together(self, ids: Iterable[str]) -> set[Money]:
        return set[Money]().union(*(self._own[i] for i in ids))

    def _multiples(self, ids: Iterable[str], sentence: str) -> set[Money]:
        """Prices times the counts that the sentence itself states ("2 x 390 MAD is 780 MAD")."""
        said = self._pack.vocabulary.concepts_in(sentence, ("number", "pair"))
        counts = {int(n) for n in (*_COUNT.findall(sentence), *said) if n.isdigit()} - {0, 1}
        return {(a * n, c) for a, c in self._together(ids) for n in counts}

    def _combined(self, ids: set[str]) -> set[Money]:
        """Differences of two named products' prices, and their sum."""
        prices = {i: self._price(i) for i in ids if i in self._observed.products}
        found = {(abs(a - b), c) for (a, c), (b, d) in combinations(prices.values(), 2) if c == d}
        currencies = {c for _, c in prices.values()}
        if len(currencies) == 1:
            found.add((sum(a for a, _ in prices.values()), currencies.pop()))
        return found

    def _before(self, stated: Sequence[Amount]) -> set[Money]:
        """The earlier total, for a sentence that also states the present one."""
        now, before = self._observed.cart, self._observed.before
        present = (now.total, now.currency)
        return (
            {(before.total, before.currency)}
            if any(present in a.readings for a in stated)
            else set()
        )

    def _price(self, product_id: str) -> Money:
        price = self._observed.products[product_id].price
        return price.at(self._observed.now), price.currency

    def _common_amounts(self) -> set[Money]:
        """Amounts that belong to no product: the cart's total, the shopper's own figures, the guides quoted."""
        cart, query = self._observed.cart, self._context.query
        currency = query.currency or self._pack.currency
        texts = [query.text, *(e.user for e in self._context.conversation.exchanges)]
        texts += [p.text for p in self._observed.passages if p.product_id is None]
        written = {r for t in texts for s in sentences(t) for a in amounts(s) for r in a.readings}
        bounds = {(b, currency) for b in (query.min_price, query.max_price) if b is not None}
        total = (cart.total, cart.currency)
        left = {(a - total[0], c) for a, c in written if c == total[1] and a > total[0]}
        return written | bounds | left | {total}

    def _amounts_by_product(self) -> dict[str, set[Money]]:
        own: dict[str, set[Money]] = {}
        for product in self._observed.products.values():
            price, currency = self._price(product.id)
            regular = product.price.compare_at(self._observed.now)
            values = {price} if regular is None else {price, regular, regular - price}
            own[product.id] = {(v, currency) for v in values}
        for line in self._observed.cart.items:
            values = {line.unit_price, line.line_total}
            own.setdefault(line.product_id, set()).update(
                (v, self._observed.cart.currency) for v in values
            )
        for passage in self._observed.passages:
            if passage.product_id is not None:
                stated = {r for a in amounts(fold(passage.text)) for r in a.readings}
                own.setdefault(passage.product_id, set()).update(stated)
        return own

    def _known_names(self) -> list[tuple[re.Pattern[str], frozenset[str]]]:
        """Patterns of full names and of names without their size, with the products that they may mean.

        A name of one word may be an ordinary word ("Rose"): it ties nothing.
        """
        named = {p.id: p.name for p in self._observed.products.values()}
        named |= {line.product_id: line.name for line in self._observed.cart.items}
        by_key: dict[str, set[str]] = {}
        for product_id, name in named.items():
            for key in {" ".join(words(name)), family_key(name)}:
                if len(key.split()) > 1:
                    by_key.setdefault(key, set()).add(product_id)
        patterns = ((name_pattern(key), frozenset(ids)) for key, ids in by_key.items())
        return [(pattern, ids) for pattern, ids in patterns if pattern is not None]

    # --- changes and links --------------------------------------------------------------------

    def _was_done(self, kind: str, sentence: str, names: Sequence[NameFound]) -> bool:
        done = [a for a in self._observed.actions if a.type == kind]
        if kind == "remove":
            done += [a for a in self._observed.actions if a.type == "clear"]
        if kind in ("add", "update"):
            done = [a for a in self._observed.actions if a.type in ("add", "update")]
        meant = {i for name in names for i in name.ids}
        touched = {a.product_id for a in done}
        if done and (not meant or None in touched or meant & touched):
            return True
        in_cart = {line.product_id for line in self._observed.cart.items}
        return kind == "add" and bool(_ALREADY.search(sentence)) and bool(meant & in_cart)

    def _is_held(self, names: Sequence[NameFound]) -> bool:
        """Whether what a sentence says is in the cart is there; without a name it is what the shopper wants added."""
        in_cart = {line.product_id for line in self._observed.cart.items}
        meant = {i for name in names for i in name.ids}
        if not meant and self._context.query.action == "add":
            meant = set(self._context.named_ids)
        return bool(meant & in_cart if meant else in_cart)

    def _without_unknown_links(self, text: str) -> str:
        known = {self._pack.contacts.whatsapp}
        known |= {p.url for p in self._observed.products.values() if p.url}
        known |= {u for p in self._observed.passages for u in LINK.findall(p.text)}
        kept = {_bare(link) for link in known}
        clean = MARKDOWN_LINK.sub(
            lambda m: m[0] if _bare(m[2]) in kept or not LINK.match(m[2]) else m[1], text
        )
        return LINK.sub(lambda m: m[0] if _bare(m[0]) in kept else "", clean)


def _pairings(
    stated: Sequence[Amount], names: Sequence[NameFound], everyone: frozenset[str]
) -> list[list[tuple[Amount, frozenset[str]]]]:
    """The readings of a sentence: each amount with the name before it, with the one after it, or in parallel lists.

    Where an amount has no name on the side of a reading, that reading is none; without any, all names count for all.
    """
    if len(names) <= 1:
        return [[(a, everyone) for a in stated]]
    before = [[n for n in names if n.end <= a.start] for a in stated]
    after = [[n for n in names if n.start > a.start] for a in stated]
    readings: list[list[tuple[Amount, frozenset[str]]]] = []
    if all(before):
        readings.append([(a, b[-1].ids) for a, b in zip(stated, before, strict=True)])
    if all(after):
        readings.append([(a, b[0].ids) for a, b in zip(stated, after, strict=True)])
    if len(names) == len(stated) and names[-1].end <= stated[0].start:
        readings.append([(a, n.ids) for a, n in zip(stated, names, strict=True)])
    return readings or [[(a, everyone) for a in stated]]


def _bare(link: str) -> str:
    return link.rstrip(".,;:!?…").rstrip("/").casefold()
