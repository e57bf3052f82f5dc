"""A shopper's message and the facts beside it as one text for a provider, each fact fenced as data."""

import json
import re
from typing import Any, Final

from shopping_agent.domain.conversation import DataBlock, UserMessage

# What can be taken for `<`, then what opens a fence, a turn or a control token in any model's template.
_FENCE: Final = re.compile(
    r"[<＜﹤‹〈《❮❰⟨˂ᐸ≺](?=\s*[/／∕⁄]?\s*"
    r"(?:[|｜]|(?:data|system|assistant|user|tools?|instructions?|function|start_of|end_of|begin|im_|eot|s\s*[>＞])))",
    re.IGNORECASE,
)
_BRACKET: Final = re.compile(
    r"\[(?=\s*/?\s*(?:INST|SYS|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\s*\])"
)
# JSON may hold these only inside strings, where the escapes mean the same: no fact can close its fence.
_ESCAPES: Final = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def compact_json(content: Any) -> str:
    """JSON without spaces, in the text's own script."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=str)


def inert_json(content: Any) -> str:
    """The same JSON written so that nothing in it can be a fence or a control token of a model's template."""
    return _BRACKET.sub(r"\\u005b", compact_json(content).translate(_ESCAPES))


def render_user_message(message: UserMessage) -> str:
    """A shopper's message with its data blocks, as one text for a provider.

    Each block is fenced by `<data name="...">`; neither a fact nor the shopper's text can open or close a fence.
    """
    return "\n".join([*map(_fenced, message.data), _unfenced(message.text)])


def _fenced(block: DataBlock) -> str:
    return f'<data name="{block.name}">\n{inert_json(block.content)}\n</data>'


def _unfenced(text: str) -> str:
    return _BRACKET.sub("&#91;", _FENCE.sub("&lt;", text))
