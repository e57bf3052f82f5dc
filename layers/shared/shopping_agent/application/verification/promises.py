"""Claims that do harm when nothing bears them out: health and safety, services, discounts and their dates."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

from shopping_agent.application.claims import amounts, sentences
from shopping_agent.application.verification.attributes import CLAUSE
from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.said import Said
from shopping_agent.application.verification.wording import pattern, says
from shopping_agent.domain.text import fold

_HEALTH: Final = (
    "nuts", "vegan", "allergy", "pregnancy", "alcohol", "animals", "halal", "chemistry", "nature", "skin", "doctors", "infants",
)  # fmt: skip
_SERVICES: Final = (
    "wrapping", "instalments", "wallets", "cheques", "members", "price promise", "shop visit", "free return", "bonus", "engraving", "warranty", "gifts",
    "always free", "abroad", "unlimited", "testers",
)  # fmt: skip
_SENTENCES: Final = re.compile(r"(?<=[.!?؟:;])\s+|\n+")
_CODE: Final = re.compile(
    r"(?<![\w/.@-])(?=[A-Z0-9-]*[A-Z])[A-Z][A-Z0-9]{3,}(?:-[A-Z0-9]+)*(?![\w@])"
)
_MONTHS: Final = (
    "jan yanayer يناير", "feb fev فبراير", "mar مارس", "apr avr ابريل", "may mai مايو ماي", "jun juin يونيو",
    "jul juil يوليو يوليوز", "aug aou غشت اغسطس", "sep شتنبر سبتمبر", "oct اكتوبر", "nov نونبر نوفمبر", "dec دجنبر ديسمبر dujanbir",
)  # fmt: skip


def check(said: Said, facts: Facts, *, on_sale: bool) -> Iterator[Fault]:
    """The faults of a sentence. `on_sale`: the reply speaks of a reduction."""
    if said.is_open():
        return
    yield from _health(said, facts)
    yield from _services(said, facts)
    yield from _delivery(said, facts)
    yield from _codes(said, facts)
    yield from _sale(said, facts, on_sale=on_sale)


# --- health ------------------------------------------------------------------------------------


def _health(said: Said, facts: Facts) -> Iterator[Fault]:
    if not says("harm", said.bare):
        return
    texts = [*facts.texts_of(said.about), *(p.text for p in facts.guides)]
    for group in _HEALTH:
        for clause in CLAUSE.split(said.bare):
            if not says(group, clause) or (says("imagined", clause) and not says("safe", clause)):
                continue
            if says("not mine to say", clause):
                continue
            if not _borne_out(group, clause, texts):
                yield Fault(group, f"the store's texts do not say so about {group}")


def _services(said: Said, facts: Facts) -> Iterator[Fault]:
    for group in _SERVICES:
        if not says(group, said.bare):
            continue
        denied = any(_denies(group, c) for c in CLAUSE.split(said.bare) if says(group, c))
        if group == "abroad" and "gift" in said.bare:
            continue
        meant = said.about | said.before | {i for n in said.names for i in n.ids}
        texts = [*(p.text for p in facts.guides), *facts.texts_of(meant)]
        if group == "engraving" and facts.known(said.about):
            # What is engraved elsewhere says nothing of this product.
            texts = facts.texts_of(said.about)
        mentions = list(_mentions(group, texts))
        if not mentions and denied:
            continue
        if not mentions or all(m != denied for m in mentions):
            yield Fault("service", f"the store's texts do not say so about {group}")


def _borne_out(group: str, clause: str, texts: Iterable[str]) -> bool:
    """Whether a text says the same of a group, with the same sign."""
    denied = _denies(group, clause)
    return any(m == denied for m in _mentions(group, texts))


def _denies(group: str, clause: str) -> bool:
    """Whether a clause denies a group, or warns of it: before it, or after it with a verb."""
    match = pattern(group).search(clause)
    if match is None:
        return False
    before, after = clause[: match.start()], clause[match.end() :]
    return (
        any(says(k, before) for k in ("negation", "warning"))
        or says("verb_denied", after)
        or says("shunned", after)
        or says("free_of", match[0] + after)
    )


@lru_cache(maxsize=1024)
def _signs(group: str, text: str) -> tuple[bool, ...]:
    return tuple(
        _denies(group, part)
        for sentence in _SENTENCES.split(fold(text))
        for part in (sentence, *CLAUSE.split(sentence))
        if says(group, part)
    )


def _mentions(group: str, texts: Iterable[str]) -> Iterator[bool]:
    for text in texts:
        yield from _signs(group, text)


# --- delivery ----------------------------------------------------------------------------------


def _delivery(said: Said, facts: Facts) -> Iterator[Fault]:
    """Delivery for nothing, or by tomorrow, that no guide promises."""
    if says("negation", said.text) or says("imagined", said.text):
        return
    if says("soon", said.text) and says("arrives", said.text):
        texts = [*(p.text for p in facts.guides), *facts.shopper_words]
        if not any(says("soon", fold(text)) for text in texts):
            yield Fault("service", "no guide promises that day")
    if says("same day", said.text) and says("arrives", said.text) and not _same_day(said, facts):
        yield Fault("service", "no guide promises the same day there")
    if says("free delivery", said.text) and not said.money and not _is_free(facts):
        yield Fault("service", "delivery is free only from the amount that the guides tell")


def _same_day(said: Said, facts: Facts) -> bool:
    """Whether a guide's section promises delivery on the same day, where a place is asked for to that place."""
    places = facts.places(said.text) or facts.places(facts.context.query.text)
    texts = [f"{p.heading} {p.text}" for p in facts.guides]
    return any(
        says("same day", fold(text)) and (not places or bool(places & facts.places(text)))
        for text in texts
    )


def _is_free(facts: Facts) -> bool:
    """Whether the cart has come to where delivery is free, or the reply says from where."""
    amounts_of_free = {
        minor
        for passage in facts.guides
        for sentence in sentences(passage.text)
        if says("free delivery", sentence) or says("free delivery", fold(passage.heading))
        for amount in amounts(sentence)
        for minor, _ in amount.readings
    }
    told = {minor for amount in amounts(facts.reply) for minor, _ in amount.readings}
    reached = any(facts.observed.cart.total >= minor for minor in amounts_of_free)
    return reached or bool(told)


# --- discounts ---------------------------------------------------------------------------------


def _codes(said: Said, facts: Facts) -> Iterator[Fault]:
    told = " ".join(
        [
            *(p.text for p in facts.observed.passages),
            *facts.texts_of(said.about),
            *facts.shopper_words,
        ]
    )
    for match in _CODE.finditer(said.raw):
        word = match[0]
        if not any(c.isdigit() for c in word) and not says("code", said.bare):
            continue
        if word not in told and word not in ("MAD", "WhatsApp", "VISA") and fold(word) in said.bare:
            yield Fault("code", "no discount code is known")


def _sale(said: Said, facts: Facts, *, on_sale: bool) -> Iterator[Fault]:
    products = facts.products(said.about)
    reduced = says("reduced", said.bare)
    now = facts.observed.now
    running = [p for p in products if p.price.on_sale(now)]
    if not products or not (reduced or on_sale or running):
        return
    if (
        reduced
        and (said.named or any(f.unit == "percent" for f in said.figures))
        and not says("negation", said.bare)
        and not running
        and not says("code", said.bare)
        and not says("imagined", said.bare)
    ):
        yield Fault("sale", "; ".join(f"{p.name} is not on sale" for p in products[:3]))
    ends = [p.price.sale_until for p in running if p.price.sale_until is not None]
    for clause in CLAUSE.split(said.bare):
        ending = says("sale_ends", clause)
        dated = (
            says("dated", clause)
            or says("day_named", clause)
            or (ending and (says("today", clause) or says("this_period", clause)))
        )
        if not (ending or reduced) or not dated or says("negation", clause):
            continue
        if not any(_is_day(said.bare, end) for end in ends):
            yield Fault("sale_date", "; ".join(_until(ends)) or "no end of the sale is known")


def _is_day(text: str, end: int) -> bool:
    """Whether a text names the day on which a sale ends, or the last one of it."""
    last = datetime.fromtimestamp(end, UTC)
    for day in (last, last - timedelta(days=1)):
        month = "|".join(_MONTHS[day.month - 1].split())
        if re.search(rf"(?<!\d){day.day}(?!\d)", text) and re.search(
            rf"(?<![^\W\d_])(?:{month})", text
        ):
            return True
        if f"{day.day:02}/{day.month:02}" in text:
            return True
    return False


def _until(ends: Sequence[int]) -> list[str]:
    return [
        f"the sale ends before {datetime.fromtimestamp(end, UTC):%Y-%m-%d %H:%M} UTC"
        for end in ends
    ]


__all__ = ["check", "pattern"]
