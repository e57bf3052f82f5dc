"""The store as data: who it is, how to reach it, its words. Loaded from a store pack, never written in code."""

from collections.abc import Mapping, Sequence
from typing import Final

from shopping_agent.domain.intent import Language
from shopping_agent.domain.values import frozen
from shopping_agent.domain.vocabulary import Vocabulary

# Where a phrase is looked for when the shopper's own language lacks it.
FALLBACKS: Final[dict[str, tuple[str, ...]]] = {
    "en": ("en",),
    "fr": ("fr", "en"),
    "ar": ("ar", "en"),
    "ary": ("ary", "ar", "en"),
    "ary-latn": ("ary-latn", "fr", "en"),
}


@frozen
class Phrases:
    """Sentences with named places (`{name}`), by language and key."""

    by_language: Mapping[str, Mapping[str, str]]

    def say(self, language: Language, key: str, **values: object) -> str:
        """The phrase of a key in the shopper's language, filled.

        Raises:
            KeyError: when no language of the fallback chain has the key.
        """
        for candidate in FALLBACKS[language]:
            phrase = self.by_language.get(candidate, {}).get(key)
            if phrase is not None:
                return phrase.format(**values)
        raise KeyError(key)

    def has(self, language: Language, key: str) -> bool:
        """Whether `say` finds the key."""
        return any(key in self.by_language.get(c, {}) for c in FALLBACKS[language])


@frozen
class Contacts:
    """How to reach a person. `hours` by language."""

    whatsapp: str
    phone: str
    email: str
    hours: Mapping[str, str]


@frozen
class StorePack:
    """One store's data. `prompts` by intent (and `rag`); `languages` that guides are written in."""

    name: str
    currency: str
    contacts: Contacts
    vocabulary: Vocabulary
    phrases: Phrases
    prompts: Mapping[str, str]
    suggestions: Mapping[str, Sequence[str]]
    ai_notice: Mapping[str, str]

    def words(self, texts: Mapping[str, str], language: Language) -> str:
        """The text of a language-keyed mapping along the fallback chain, "" when none is there."""
        return next((texts[c] for c in FALLBACKS[language] if c in texts), "")
