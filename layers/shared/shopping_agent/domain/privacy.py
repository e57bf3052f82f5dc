"""What we do not keep: contact details leave a message at once, words of health leave everything that is stored.

Health-like facts (migraine, allergy, pregnancy) serve the turn in which they are said. No text that outlives the turn holds
them; a shopper who agrees has what rules need of them kept in the conversation's profile, as a value. Names of products are never touched, nor how to reach the store.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from shopping_agent.domain.contact_details import DetailKind, find_details, phone_value
from shopping_agent.domain.store import Contacts
from shopping_agent.domain.understanding.tokens import LONGEST, Token, tokenize
from shopping_agent.domain.vocabulary import Vocabulary

_CONTACT: Final[dict[DetailKind, str]] = {
    "phone": "[phone]",
    "email": "[email]",
    "card": "[card]",
    "address": "[address]",
}
_WITHHELD: Final = "[private]"

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Privacy:
    """What must leave a text, for one store.

    Attributes:
        public: the store's own phones and e-mail, comparable.
    """

    vocabulary: Vocabulary
    public: frozenset[str] = field(default_factory=frozenset[str])

    @classmethod
    def of(cls, vocabulary: Vocabulary, contacts: Contacts) -> "Privacy":
        phones = (phone_value(contacts.phone), phone_value(contacts.whatsapp))
        return cls(vocabulary, frozenset({*phones, contacts.email.lower()} - {""}))

    def without_contacts(self, text: str, names: Iterable[str] = ()) -> str:
        """A text for providers, logs and memory: `[phone]`, `[email]`, `[card]`, `[address]` in place of the detail.

        Args:
            names: of products, which stay as they are.
        """
        found = [d for d in find_details(text) if d.value not in self.public]
        if not found:
            return text
        kept = _spans_of(text, names)
        return _replaced(text, [(d.start, d.end, _CONTACT[d.kind]) for d in found], kept)

    def for_keeping(self, text: str, names: Iterable[str] = ()) -> str:
        """A text that may be stored: without contact details, and without words of health (`[private]`)."""
        text = self.without_contacts(text, names)
        found = self._health(text)
        if not found:
            return text
        return _replaced(text, [(*span, _WITHHELD) for span in found], _spans_of(text, names))

    def reply_for_keeping(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """A chat reply (in the words of the HTTP contract) that may be stored: all of it is the store's but the answer."""
        if not isinstance(body.get("answer"), str):
            return dict(body)
        cart: Mapping[str, Any] = body.get("cart") or {}
        named: list[Mapping[str, Any]] = [*body.get("products", ()), *cart.get("items", ())]
        names = [str(product.get("name", "")) for product in named]
        kept = {**body, "answer": self.for_keeping(body["answer"], names)}
        # Why a product is recommended, and what we ask to remember, may tell of the shopper's health.
        if any("reasons" in product for product in body.get("products", ())):
            kept["products"] = [
                {**p, "reasons": [self.for_keeping(text, names) for text in p["reasons"]]}
                if "reasons" in p
                else p
                for p in body["products"]
            ]
        if body.get("suggestions"):
            kept["suggestions"] = [self.for_keeping(text, names) for text in body["suggestions"]]
        return kept

    def _health(self, text: str) -> list[Span]:
        health = self.vocabulary.health
        if health is None:
            return []
        if len(text) > LONGEST:
            cut = text.rfind(" ", 1, LONGEST)
            cut = LONGEST if cut < 0 else cut
            rest = self._health(text[cut:])
            return [*self._health(text[:cut]), *((a + cut, b + cut) for a, b in rest)]
        tokens = tokenize(text)
        words = [health.forms_of(t.folded) if _is_word(t) else () for t in tokens]
        return [(tokens[m.start].start, tokens[m.end - 1].end) for m in health.find(words)]


def _is_word(token: Token) -> bool:
    return token.kind != "sign"


def _spans_of(text: str, names: Iterable[str]) -> list[Span]:
    """Where product names stand in a text, whatever their case and accents."""
    tokens = tokenize(text)
    spans: list[Span] = []
    for name in dict.fromkeys(names):
        wanted = [t.folded for t in tokenize(name) if _is_word(t)]
        if wanted:
            spans += _runs(tokens, wanted)
    return spans


def _runs(tokens: Sequence[Token], wanted: Sequence[str]) -> list[Span]:
    words = [t for t in tokens if _is_word(t)]
    said = [t.folded for t in words]
    return [
        (words[i].start, words[i + len(wanted) - 1].end)
        for i in range(len(said) - len(wanted) + 1)
        if said[i : i + len(wanted)] == list(wanted)
    ]


def _replaced(text: str, found: Sequence[tuple[int, int, str]], kept: Sequence[Span]) -> str:
    pieces: list[str] = []
    position = 0
    for start, end, label in sorted(found):
        if start < position or any(a < end and start < b for a, b in kept):
            continue
        pieces += [text[position:start], label]
        position = end
    return "".join([*pieces, text[position:]])
