"""Checks a reply, sentence by sentence, against what the turn observed, whichever model wrote it."""

import re
from collections.abc import Iterator
from functools import lru_cache

from shopping_agent.application.claims import LINK, MARKDOWN_LINK, name_pattern
from shopping_agent.application.context import TurnContext
from shopping_agent.application.observations import Observations
from shopping_agent.application.verification import (
    attributes,
    cart,
    comparisons,
    deeds,
    disguise,
    held,
    money,
    naming,
    policies,
    price_reading,
    promises,
    quantities,
    relations,
    speech,
    stock,
    unsupported,
)
from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.said import Names, Said, read
from shopping_agent.application.verification.wording import says
from shopping_agent.domain.store import StorePack
from shopping_agent.domain.text import family_key, fold, words
from shopping_agent.domain.values import frozen


@frozen
class Verdict:
    """A reply after the check.

    Attributes:
        text: as it came, without links that are not known.
        kept: the text without the sentences that did not hold; "" when too little is left.
        unheld: the sentences that did not hold.
        faults: kinds of what did not follow from the facts; empty for a sound reply.
        facts: for the model, what is true instead: one short line for each fault.
    """

    text: str
    kept: str = ""
    faults: tuple[str, ...] = ()
    unheld: str = ""
    facts: tuple[str, ...] = ()


class Verifier:
    """The check of one turn."""

    def __init__(self, pack: StorePack, context: TurnContext, observed: Observations) -> None:
        self._facts = Facts(pack, context, observed)
        self._names = _names(observed)
        self._prices = money.Prices(self._facts)

    def check(self, text: str) -> Verdict:
        """The verdict on a reply."""
        clean = self._without_unknown_links(text)
        folded = self._facts.reply = fold(clean)
        priced = price_reading.states_prices(folded) or self._facts.asks_price
        priced, on_sale = priced or says("total", folded), says("reduced", folded)
        sizes = {i: p.size_ml for i, p in self._facts.observed.products.items()}
        said = read(clean, self._names, sizes, self._subject())
        if speech.is_foreign([s.bare for s in said], self._facts.context):
            fact = f"language: {speech.expected(self._facts.context)}"
            return Verdict(clean, faults=("language",), unheld=clean, facts=(fact,))
        found = [list(self._faults(s, priced=priced, on_sale=on_sale)) for s in said]
        faults = [fault for one in found for fault in one]
        if not faults:
            return Verdict(clean, clean)
        return Verdict(
            text=clean,
            kept=_kept(clean, said, found),
            faults=tuple(dict.fromkeys(f.kind for f in faults)),
            unheld=" ".join(s.raw for s, one in zip(said, found, strict=True) if one),
            facts=tuple(dict.fromkeys(f"{f.kind}: {f.fact}" for f in faults)),
        )

    def _faults(self, said: Said, *, priced: bool, on_sale: bool) -> Iterator[Fault]:
        facts = self._facts
        yield from self._prices.check(said, priced=priced)
        yield from cart.check(said, facts, self._names)
        yield from quantities.check(said, facts)
        yield from stock.check(said, facts)
        yield from attributes.check(said, facts)
        yield from comparisons.check(said, facts)
        yield from promises.check(said, facts, on_sale=on_sale)
        yield from policies.check(said, facts)
        yield from relations.check(said, facts)
        yield from held.check(said, facts)
        yield from deeds.check(said, facts)
        yield from unsupported.check(said, facts)
        yield from naming.check(said, facts, self._names)
        yield from naming.contacts(said, facts)
        yield from disguise.check(said, facts)

    def _subject(self) -> frozenset[str]:
        """What a reply is about before it names anything: what the message names or points at."""
        context, observed = self._facts.context, self._facts.observed
        named = [*context.named_ids, *(context.pointed_at() if not context.named_ids else ())]
        meant = frozenset(i for i in named if i in observed.products)
        if meant or len(observed.products) != 1:
            return meant
        return frozenset(observed.products)

    def _without_unknown_links(self, text: str) -> str:
        unknown = {naming.bare(link) for link in naming.unknown_links(text, self._facts)}
        if not unknown:
            return text
        clean = MARKDOWN_LINK.sub(lambda m: m[1] if naming.bare(m[2]) in unknown else m[0], text)
        return LINK.sub(lambda m: "" if naming.bare(m[0]) in unknown else m[0], clean)


def _names(observed: Observations) -> Names:
    """Patterns of full names and of names without their size, with the products that they may mean.

    A name of one word may be an ordinary word ("Rose"): it ties nothing.
    """
    named = {p.id: p.name for p in observed.products.values()}
    named |= {line.product_id: line.name for line in observed.cart.items}
    named |= {line.product_id: line.name for line in observed.before.items}
    by_key: dict[str, set[str]] = {}
    for product_id, name in named.items():
        for key in _keys(name):
            by_key.setdefault(key, set()).add(product_id)
    return [
        (p, frozenset(ids)) for key, ids in by_key.items() if (p := _name_pattern(key)) is not None
    ]


@lru_cache(maxsize=1024)
def _keys(name: str) -> frozenset[str]:
    keys = {" ".join(words(name)), family_key(name)}
    return frozenset(key for key in keys if len(key.split()) > 1)


@lru_cache(maxsize=1024)
def _name_pattern(key: str) -> re.Pattern[str] | None:
    return name_pattern(key)


def _kept(text: str, said: list[Said], found: list[list[Fault]]) -> str:
    """The text without what did not hold; nothing when the answer itself, or most of it, would go."""
    left = [s for s, faults in zip(said, found, strict=True) if not faults]
    if 2 * sum(s.end - s.start for s in left) < sum(s.end - s.start for s in said):
        return ""
    parts, place = "", 0
    for one, faults in zip(said, found, strict=True):
        if faults:
            parts += text[place : one.start]
            place = one.end
    return (
        "\n".join(
            line.rstrip()
            for line in (parts + text[place:]).strip().split("\n")
            if line.strip(" -*•0123456789.")
        )
        if left
        else ""
    )
