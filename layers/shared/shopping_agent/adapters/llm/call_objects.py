"""Tool calls as JSON objects in a model's text, under the keys that model families and frameworks give them."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, cast

from shopping_agent.domain.patterns import late
from shopping_agent.domain.values import frozen

CALLED_BY: Final = (
    "name",
    "tool",
    "toolname",
    "function",
    "functionname",
    "action",
    "recipientname",
)
GIVEN_BY: Final = (
    "arguments", "parameters", "args", "input", "toolinput", "actioninput", "params", "kwargs", "toolargs",
)  # fmt: skip
_LISTED_BY: Final = (
    "toolcalls",
    "toolcall",
    "functioncalls",
    "functioncall",
    "tooluses",
    "tooluse",
)
_BESIDE: Final = ("type", "id", "callid", "thought", "thoughts", "reasoning")
_LONGEST: Final = 8_000
_SCANNER: Final = json.JSONDecoder(strict=False)
_QUOTED_BY_TOKEN: Final = late(r'<escape>|<\|"\|>')
_LOOSE: Final = late(r'"(?:[^"\\]|\\.)*"|(?P<before>[{,]\s*)(?P<key>[A-Za-z_]\w*)(?=\s*:)', re.S)
_BRACKETS: Final = late(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[()\[\]{}]", re.S)


@frozen
class WrittenCall:
    """`arguments` is an object, or JSON text that is still to be read."""

    name: str
    arguments: Any


Known = Callable[[str | None], bool]


def keyed(given: Mapping[str, Any]) -> dict[str, Any]:
    """An object by its keys without case and separators; of two that are the same then, the first."""
    read: dict[str, Any] = {}
    for key, value in given.items():
        read.setdefault(key.replace("_", "").replace("-", "").lower(), value)
    return read


def calls_of(value: Any, known: Known) -> list[WrittenCall]:
    """The calls of known tools that a JSON value spells, one or several."""
    return [call for item in _items(value) for call in _item_calls(item, known)]


def _items(value: Any) -> Iterable[Any]:
    if isinstance(value, list):
        return (inner for item in cast(list[Any], value) for inner in _items(item))
    if not isinstance(value, dict):
        return ()
    by_key = keyed(cast(dict[str, Any], value))
    inner = next((by_key[word] for word in _LISTED_BY if word in by_key), None)
    if isinstance(inner, list):
        return cast(list[Any], inner)
    return (cast(Any, inner if isinstance(inner, dict) else value),)


def _item_calls(item: Any, known: Known) -> list[WrittenCall]:
    if not isinstance(item, dict):
        return []
    given = cast(dict[str, Any], item)
    if given and all(known(name) and isinstance(a, dict | None) for name, a in given.items()):
        return [WrittenCall(name, arguments) for name, arguments in given.items()]
    by_key = keyed(given)
    inner = by_key.get("function")
    if isinstance(inner, dict):  # its arguments may stand inside or beside it
        del by_key["function"]
        by_key |= keyed(cast(dict[str, Any], inner))
        given = {}
    named = next((word for word in CALLED_BY if isinstance(by_key.get(word), str)), None)
    if named is None or not known(by_key[named]):
        return []
    by = next((word for word in GIVEN_BY if word in by_key), None)
    arguments = by_key[by] if by else _beside(given, named)
    return [WrittenCall(by_key[named], arguments)] if by or arguments else []


def _beside(given: Mapping[str, Any], named: str) -> dict[str, Any]:
    """The arguments that stand beside the tool's name."""
    return {
        key: value
        for key, value in given.items()
        if next(iter(keyed({key: None}))) not in (named, *_BESIDE)
    }


def looks_called(value: Any) -> bool:
    """Whether a JSON value has the shape of a call, or of several."""
    if isinstance(value, list):
        items = cast(list[Any], value)
        return bool(items) and all(looks_called(item) for item in items)
    if not isinstance(value, dict):
        return False
    given = keyed(cast(dict[str, Any], value))
    inner = given.get("function")
    if isinstance(inner, Mapping) and "name" in inner:
        return True
    if any(isinstance(given.get(word), list | dict) for word in _LISTED_BY):
        return True
    named = any(isinstance(given.get(word), str) for word in CALLED_BY)
    return named and any(isinstance(given.get(word), str | dict) for word in GIVEN_BY)


def object_end(text: str, at: int) -> int | None:
    """Where the JSON value at a place ends; None when it is none."""
    try:
        return _SCANNER.raw_decode(text, at)[1]
    except (ValueError, RecursionError):
        return None


def loose_object(text: str, at: int) -> tuple[str | None, int]:
    """The object at a place as JSON text, its names perhaps without quotes or its texts in tokens; and where it ends."""
    end = object_end(text, at)
    if end:
        return text[at:end], end
    end = closing_bracket(text, at)
    if end is None:
        return None, at
    plain = _QUOTED_BY_TOKEN().sub('"', text[at:end])
    written = _LOOSE().sub(
        lambda found: f'{found["before"]}"{found["key"]}"' if found["key"] else found[0], plain
    )
    return (written, end) if object_end(written, 0) == len(written) else (None, at)


def closing_bracket(text: str, at: int) -> int | None:
    """Where the bracket at a place is closed, texts in quotes left alone; None when that is far off."""
    depth = 0
    for found in _BRACKETS().finditer(text, at, at + _LONGEST):
        sign = found[0]
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0:
            return found.end()
    return None
