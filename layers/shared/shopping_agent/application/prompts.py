"""What a language model reads: the system prompt of an intent, the history, and facts fenced as data."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from shopping_agent.domain.conversation import (
    AssistantMessage,
    DataBlock,
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
_FENCE: Final = re.compile(r"<(?=\s*/?\s*data\b)", re.IGNORECASE)
# JSON may hold these only inside strings, where the escapes mean the same: no fact can close its fence.
_ESCAPES: Final = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


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


def compact_json(content: Any) -> str:
    """JSON without spaces, in the text's own script."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=str)


def render_user_message(message: UserMessage) -> str:
    """A shopper's message with its data blocks, as one text for a provider.

    Each block is fenced by `<data name="...">`; neither a fact nor the shopper's text can open or close a fence.
    """
    return "\n".join([*map(_fenced, message.data), _unfenced(message.text)])


def _fenced(block: DataBlock) -> str:
    return f'<data name="{block.name}">\n{compact_json(block.content).translate(_ESCAPES)}\n</data>'


def _unfenced(text: str) -> str:
    return _FENCE.sub("&lt;", text)
