"""Facts put into the shopper's words: every word comes from the store's phrases, every value from an observation."""

from collections.abc import Sequence
from typing import Final

from shopping_agent.adapters.llm.offline.situation import Item
from shopping_agent.domain.intent import Language
from shopping_agent.domain.money import format_money, to_minor
from shopping_agent.domain.query import ShopperQuery
from shopping_agent.domain.store import StorePack
from shopping_agent.domain.vocabulary import Vocabulary

# Latin-script Darija names notes as catalogs do, and English is what most catalogs are written in.
_TRANSLATED: Final = frozenset({"fr", "ar", "ary"})
_MOST_NOTES: Final = 3
_MOST_REASONS: Final = 3


class Wording:
    """The store's phrases in one language."""

    def __init__(self, pack: StorePack, query: ShopperQuery) -> None:
        self.language: Language = query.language
        self._pack = pack
        self._query = query

    @property
    def vocabulary(self) -> Vocabulary:
        return self._pack.vocabulary

    @property
    def store(self) -> str:
        return self._pack.name

    def say(self, key: str, **values: object) -> str:
        return self._pack.phrases.say(self.language, key, **values)

    def says(self, key: str) -> bool:
        """Whether there is such a phrase."""
        return self._pack.phrases.has(self.language, key)

    def value(self, kind: str, value: str) -> str:
        """A canonical value in the shopper's words; one that the phrases lack stays as it is."""
        key = f"value.{kind}.{value}"
        return self.say(key) if self.says(key) else value

    def note(self, note: str) -> str:
        """A note in the shopper's words where the vocabulary has them, else as the catalog writes it."""
        if self.language not in _TRANSLATED:
            return note
        concepts = self.vocabulary.canonical("note", [note])
        word = self.vocabulary.word("note", concepts[0], self.language) if concepts else None
        return word if word and len(concepts) == 1 else note

    def listed(self, words: Sequence[str], *, final: bool = False) -> str:
        """Words as a list; with `final` the last one is joined by "and"."""
        separator = self.say("list.separator")
        if final and len(words) > 1:
            return separator.join(words[:-1]) + self.say("list.last") + words[-1]
        return separator.join(words)

    def money(self, minor: int, currency: str) -> str:
        return format_money(minor, currency, self.language)

    def amount(self, major: object, currency: str) -> str:
        """An observed amount in major units."""
        return self.money(to_minor(str(major), currency), currency)

    def name(self, item: Item) -> str:
        """The product's name, never translated, with its size where the name does not say it."""
        size = item.size_ml
        if size is None or str(size) in item.name:
            return item.name
        return self.say("product.sized", name=item.name, size=size)

    def price(self, item: Item) -> str:
        return "" if item.price is None else self.money(item.price, item.currency)

    def contact(self) -> str:
        contacts = self._pack.contacts
        return self.say(
            "turn.contact",
            whatsapp=contacts.whatsapp,
            phone=contacts.phone,
            email=contacts.email,
            hours=self._pack.words(contacts.hours, self.language),
        )

    # --- why a product fits ------------------------------------------------------------------------

    def reasons(self, item: Item) -> list[str]:
        """What of the wishes a product meets, from its facts; without wishes, what it is."""
        query = self._query
        families = [f for f in item.values("families") if f in self._wanted_families()]
        reasons = [self.listed([self.value("family", f) for f in families])] if families else []
        notes = self._wished_notes(item)
        if notes:
            reasons.append(self.say("fit.notes", notes=self.listed(notes)))
        fits = item.values("fits")
        if fits:
            reasons.append(self.say("fit.profile", profile=self.listed(fits)))
        for key, wish, has in (
            ("season", query.season, item.values("seasons")),
            ("occasion", query.occasion, item.values("occasions")),
            ("gender", query.gender, item.values("gender")),
            ("longevity", query.longevity, item.values("longevity")),
            ("sillage", query.sillage, item.values("sillage")),
        ):
            if fits and key in ("season", "occasion"):
                continue  # the profile says it
            if key == "gender" and self._says(fits, "gender"):
                continue
            if wish and (wish in has or (key == "gender" and "unisex" in has)):
                met = wish if wish in has else "unisex"
                reasons.append(self.say(f"fit.{key}", **{key: self.value(key, met)}))
        if not reasons:
            reasons = self.description(item)
        if "compareAtPrice" in item.facts:
            regular = self.amount(item.facts["compareAtPrice"], item.currency)
            reasons = [*reasons[: _MOST_REASONS - 1], self.say("fit.sale", price=regular)]
        return reasons[:_MOST_REASONS]

    def _says(self, fits: Sequence[str], facet: str) -> bool:
        """Whether the profile that a product fits states a facet: `for a woman` beside `for women` says it twice."""
        return any(self.vocabulary.concepts_in(words, (facet,)) for words in fits)

    def description(self, item: Item) -> list[str]:
        """A product in a few words: families and first notes."""
        families = [self.value("family", f) for f in item.values("families")[:2]]
        notes = [self.note(n) for n in item.values("notes")[:_MOST_NOTES]]
        found = [self.listed(families)] if families else []
        return [*found, self.say("fit.notes", notes=self.listed(notes))] if notes else found

    def _wanted_families(self) -> set[str]:
        return set(self._query.families) | set(self._query.notes)

    def _wished_notes(self, item: Item) -> list[str]:
        """The product's notes, as the catalog writes them, that the shopper asked for."""
        wished = set(self._query.notes)
        if not wished:
            return []
        found = [
            n for n in item.values("notes") if wished & set(self.vocabulary.canonical("note", [n]))
        ]
        return [self.note(n) for n in found[:_MOST_NOTES]]
