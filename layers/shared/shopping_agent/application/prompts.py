"""What a language model reads: the system prompt of an intent, and the history."""

from collections.abc import Sequence
from typing import Final

from shopping_agent.domain.conversation import (
    AssistantMessage,
    Exchange,
    Message,
    UserMessage,
)
from shopping_agent.domain.intent import Language
from shopping_agent.domain.store import StorePack

HISTORY_EXCHANGES: Final = 6
_LANGUAGE_NAMES: Final[dict[Language, str]] = {
    "en": "English",
    "fr": "French",
    "ar": "Modern Standard Arabic",
    "ary": "Moroccan Darija in Arabic script",
    "ary-latn": "Moroccan Darija in Latin script",
}


def system_prompt(pack: StorePack, task: str, language: Language) -> str:
    """The prompt of an intent (or of `rag`), filled with the store's name and the reply's language."""
    rules = pack.prompts.get("common", "")
    text = f"{rules}\n{pack.prompts[task]}".strip()
    return text.replace("{store}", pack.name).replace("{language}", _LANGUAGE_NAMES[language])


def history(exchanges: Sequence[Exchange]) -> list[Message]:
    """The last exchanges as messages; one without a text on both sides is left out."""
    kept = [e for e in exchanges if e.user.strip() and e.assistant.strip()][-HISTORY_EXCHANGES:]
    messages: list[Message] = []
    for exchange in kept:
        messages += [UserMessage(exchange.user), AssistantMessage(exchange.assistant)]
    return messages
