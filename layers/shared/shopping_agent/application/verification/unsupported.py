"""Claims that nobody here can know or may make: what others think, rarity, presents, a shop's address, secrets asked for.

Each is a meeting of senses in one sentence; it holds only when a text of the store brings the same senses together.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from shopping_agent.application.verification.attributes import CLAUSE
from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.policies import INTERJECTION, parts, topics_of
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.senses import senses_in
from shopping_agent.application.verification.wording import says
from shopping_agent.domain.text import fold
from shopping_agent.domain.values import frozen


@frozen
class _Claim:
    """Senses that make a claim where they meet. `without`: senses that make it another one."""

    kind: str
    senses: frozenset[str]
    fact: str
    without: frozenset[str] = frozenset()
    of_product: bool = False


def _claim(
    kind: str, senses: str, fact: str, *, without: Iterable[str] = (), of_product: bool = False
) -> _Claim:
    return _Claim(kind, frozenset(senses.split("+")), fact, frozenset(without), of_product)


_OPINION: Final = "nothing is known of sales, popularity or what others think"
_NO_GIFT: Final = "the store's texts promise no such present"
_CLAIMS: Final = (
    _claim("superlative", "people+loved", _OPINION, of_product=True),
    _claim("superlative", "acclaim", _OPINION, of_product=True),
    _claim("rarity", "rare", "nothing is known of a limited edition", of_product=True),
    _claim("service", "gift+giving", _NO_GIFT, without=("known extra",)),
    _claim("service", "free+giving", _NO_GIFT, without=("known extra", "feel")),
    _claim("service", "free+beside", _NO_GIFT, without=("known extra", "feel"), of_product=True),
    _claim("service", "all hours+answers", "the store answers in its opening hours"),
    _claim("service", "crypto", "such money is not accepted"),
    _claim("contact", "street+ours", "no address of a shop is known"),
)
_PLACED: Final = re.compile(
    r"\b(?:7na|we(?:'re| are)(?: located| based| situated)?|(?:you(?:'ll| can)? )?find us|nous sommes(?: situes| installes| bases)?|vous nous trouve\w+)"
    r" (?:in|at|on|f|a|au|en|dans) (?P<place>[^\W_]+)|(?<!\w)(?:نحن|حنا|احنا|كاينين|نتواجد) (?:في |ف)(?:ال)?(?P<arabic>[^\W_]+)"
)
_SERVING: Final = re.compile(r"(?:l?khedm|خدم|service|luck|touch|disposition)")


def check(said: Said, facts: Facts) -> Iterator[Fault]:
    """The faults of a sentence."""
    senses = senses_in(said.bare)
    if not senses:
        yield from _placed(said, facts)
        return
    yield from _secrets(said, senses)
    if said.is_open():
        return
    for claim in _CLAIMS:
        if _is_made(claim, senses, said) and not _is_borne_out(claim, said, facts):
            yield Fault(claim.kind, claim.fact)
    yield from _favour(said, facts, senses)
    yield from _bulk(said, facts, senses)
    yield from _placed(said, facts)


def _is_made(claim: _Claim, senses: frozenset[str], said: Said) -> bool:
    if not claim.senses <= senses or claim.without & senses:
        return False
    return not (claim.of_product and not said.about) and not _is_denied(claim.senses, said)


def _is_denied(senses: frozenset[str], said: Said) -> bool:
    """Whether a clause that brings a sense denies or imagines it."""
    clauses = [c for c in CLAUSE.split(INTERJECTION.sub(" ", said.bare)) if senses_in(c) & senses]
    return any(says("negation", c) or says("imagined", c) for c in clauses)


def _is_borne_out(claim: _Claim, said: Said, facts: Facts) -> bool:
    texts = [*facts.texts_of(said.about), *facts.pack.contacts.hours.values()]
    texts += [p.text for p in facts.guides]
    # A text that promises a sample bears out no other present.
    told = (senses for text in texts for senses in _senses_of_parts(text))
    return any(claim.senses <= senses and not claim.without & senses for senses in told)


@lru_cache(maxsize=1024)
def _senses_of_parts(text: str) -> tuple[frozenset[str], ...]:
    return tuple(senses_in(fold(sentence)) for sentence, _ in parts(text))


def _secrets(said: Said, senses: frozenset[str]) -> Iterator[Fault]:
    """Nobody is asked for a card's number or a password, not even in a question."""
    if not {"secret", "give"} <= senses or "on site" in senses:
        return
    if not any(says("negation", c) for c in CLAUSE.split(said.bare) if "secret" in senses_in(c)):
        yield Fault("secret", "card numbers, codes and passwords are never asked for in the chat")


def _favour(said: Said, facts: Facts, senses: frozenset[str]) -> Iterator[Fault]:
    """A reduction for one shopper alone."""
    if not {"cut", "for you"} <= senses or _is_denied(frozenset({"cut"}), said):
        return
    if topics_of(said.bare) & {"return", "refund"}:
        return  # What is taken off a refund is no favour.
    if not any(p.price.on_sale(facts.observed.now) for p in facts.products(said.about)):
        yield Fault("sale", "no reduction is known but the sale prices")


def _bulk(said: Said, facts: Facts, senses: frozenset[str]) -> Iterator[Fault]:
    """A reduction for buying many."""
    many = any(f.unit == "piece" and f.value > 1 for f in said.figures)
    if "cut" not in senses or not many or _is_denied(frozenset({"cut"}), said):
        return
    if not any(p.price.on_sale(facts.observed.now) for p in facts.products(said.about)):
        yield Fault("sale", "no reduction for several bottles is known")


def _placed(said: Said, facts: Facts) -> Iterator[Fault]:
    """An address, told to a shopper who asks for one."""
    match = _PLACED.search(said.bare)
    if match is None or "where" not in senses_in(fold(facts.context.query.text)):
        return
    place = match["place"] or match["arabic"]
    told = " ".join(fold(p.text) for p in facts.guides)
    if not _SERVING.match(place) and place not in told:
        yield Fault("contact", "no address of a shop is known")
