"""Claims that something exists: products by name, and ways to reach the store."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from shopping_agent.application.claims import LINK, MARKDOWN_LINK, names_in
from shopping_agent.application.verification.facts import Facts, Fault
from shopping_agent.application.verification.said import Names, Said
from shopping_agent.application.verification.wording import pattern, says
from shopping_agent.domain.contact_details import find_details
from shopping_agent.domain.text import fold, words

_PHONE: Final = re.compile(r"(?<![\w/.,])\+?\d(?:[ .()-]?\d){8,13}(?![\w]|[.,]\d)")
_HANDLE: Final = re.compile(r"(?<![\w.])@[\w.]{3,}")
_LOOKS: Final = re.compile(r"@|\d")
_NATIONAL: Final = 9
_SCHEME: Final = re.compile(r"^(?:https?://)?(?:www\.)?")
_FIRST: Final = 6


def check(said: Said, facts: Facts, names: Names) -> Iterator[Fault]:
    """The faults of the names in a sentence."""
    told = ""
    for match in pattern("capitalised").finditer(said.raw):
        told = told or _told(facts)
        text = fold(match[0])
        here = names_in(text, names)
        if here:
            rest = words(text[here[-1].end :])
            if rest and " ".join(rest) not in told:
                yield Fault("name", f"the store's name is {_name(facts, here[-1].ids)}")
        elif _sells(said) and not _is_told(words(text), told, first=match.start() < _FIRST):
            yield Fault("name", "no product of that name was seen")


def _is_told(name: list[str], told: str, *, first: bool) -> bool:
    """Whether words stand in the store's texts; of a sentence's first words the first may be any."""
    return " ".join(name) in told or (first and " ".join(name[1:]) in told)


def contacts(said: Said, facts: Facts) -> Iterator[Fault]:
    """Phones, e-mails and addresses that are not the store's, nor the shopper's own."""
    plain = LINK.sub(" ", said.raw)
    found = (
        [d for d in find_details(plain) if d.kind in ("phone", "email", "address")]
        if _LOOKS.search(plain)
        else []
    )
    phones = [re.sub(r"\D", "", m[0]) for m in _PHONE.finditer(plain)]
    handles = [m[0] for m in _HANDLE.finditer(plain)]
    if not found and not phones and not handles:
        return
    told = "|".join([*(p.text for p in facts.observed.passages), *facts.shopper_words])
    digits = re.sub(
        r"[^\d|]", "", f"{facts.pack.contacts.phone}|{facts.pack.contacts.whatsapp}|{told}"
    )
    if any(p[-_NATIONAL:] not in digits for p in phones) or any(h not in told for h in handles):
        yield Fault(
            "contact",
            f"the store's e-mail is {facts.pack.contacts.email}, its phone {facts.pack.contacts.phone}",
        )
    known = _details(facts)
    for detail in found:
        if detail.kind in ("phone", "email", "address") and not _is_known(detail.value, known):
            yield Fault(
                "contact",
                f"the store's e-mail is {facts.pack.contacts.email}, its phone {facts.pack.contacts.phone}",
            )


def unknown_links(text: str, facts: Facts) -> list[str]:
    """The links of a text that no fact holds."""
    if "." not in text:
        return []
    pages = {p.url for p in facts.observed.products.values() if p.url}
    known = {facts.pack.contacts.whatsapp, facts.pack.contacts.email.partition("@")[2]} | pages
    known |= {page.split("/", 3)[2] for page in pages if page.count("/") > 1}
    known |= {u for p in facts.observed.passages for u in LINK.findall(p.text)}
    kept = {bare(link) for link in known}
    links = [*LINK.findall(text), *(m[2] for m in MARKDOWN_LINK.finditer(text) if LINK.match(m[2]))]
    return [link for link in links if bare(link) not in kept]


def bare(link: str) -> str:
    """A link to compare: without its scheme and what ends the sentence."""
    return _SCHEME.sub("", link.rstrip(".,;:!?…").rstrip("/").casefold())


def _sells(said: Said) -> bool:
    """Whether a sentence speaks of something as of goods."""
    return (
        bool(said.money)
        or said.listed
        or says("sells", said.text)
        or says("cart", said.text)
        or said.raw.lstrip("-*• 0123456789.").startswith("**")
    )


def _told(facts: Facts) -> str:
    """All that names may be taken from."""
    products = facts.observed.products.values()
    texts = (
        [p.name for p in products]
        + [p.brand for p in products]
        + [p.concentration or "" for p in products]
    )
    texts += [p.text for p in facts.observed.passages] + [p.description for p in products]
    texts += [line.name for line in facts.observed.cart.items] + [
        *facts.shopper_words,
        facts.pack.name,
        "mad whatsapp visa mastercard",
    ]
    return "|".join(map(_words_of, texts))


@lru_cache(maxsize=2048)
def _words_of(text: str) -> str:
    return " ".join(words(text))


def _name(facts: Facts, ids: frozenset[str]) -> str:
    return " or ".join(sorted(p.name for p in facts.products(ids))[:3])


def _details(facts: Facts) -> set[str]:
    contacts = facts.pack.contacts
    texts = [contacts.phone, contacts.email, contacts.whatsapp, *facts.shopper_words]
    texts += [p.text for p in facts.observed.passages]
    return {d.value for t in texts for d in find_details(t)}


def _is_known(value: str, known: set[str]) -> bool:
    return any(
        value == k or (value.isdigit() and k.isdigit() and value[-9:] == k[-9:]) for k in known
    )
