"""A request as the small model reads it, whatever shape it came in."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

_BLOCK: Final = re.compile(r'<data name="(\w+)">\n(.*?)\n</data>\n?', re.DOTALL)


@dataclass(frozen=True)
class Result:
    """What a tool answered."""

    tool: str
    content: Mapping[str, Any]


@dataclass(frozen=True)
class Conversation:
    """What matters of a request.

    Attributes:
        tools: names that may be called now.
        users: what the shopper and our code said, oldest first, data blocks included.
        results: of this request's calls, oldest first.
        called: whether the history holds a call.
        declared: whether tools are declared at all.
    """

    system: str
    users: Sequence[str]
    results: Sequence[Result]
    tools: frozenset[str]
    called: bool = False
    declared: bool = True

    @property
    def data(self) -> dict[str, Any]:
        """The data blocks, by name; the last of a name holds."""
        found = [m for text in self.users for m in _BLOCK.finditer(text)]
        return {m[1]: parsed(m[2]) for m in found}

    @property
    def message(self) -> str:
        """What the shopper said last: beside the data, or the last text where there is none."""
        with_data = [text for text in self.users if _BLOCK.search(text)]
        return _BLOCK.sub("", (with_data or self.users or [""])[-1]).strip()

    def answered(self, tool: str) -> list[Mapping[str, Any]]:
        """The results of a tool, oldest first."""
        return [r.content for r in self.results if r.tool == tool]


def parsed(text: str) -> Any:
    """JSON, or the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def as_object(value: Any) -> Mapping[str, Any]:
    """A tool's result as an object."""
    content = parsed(value) if isinstance(value, str) else value
    return content if isinstance(content, dict) else {"value": content}
