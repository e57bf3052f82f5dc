"""A shopper's message and the facts beside it as one text for a provider, each fact fenced as data."""

import json
import re
from typing import Any, Final

from shopping_agent.domain.conversation import DataBlock, UserMessage

_FENCE: Final = re.compile(r"<(?=\s*/?\s*data\b)", re.IGNORECASE)
# JSON may hold these only inside strings, where the escapes mean the same: no fact can close its fence.
_ESCAPES: Final = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


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
