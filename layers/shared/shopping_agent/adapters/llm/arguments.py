"""Arguments of a model's call, read from whatever it sent: whole or not at all. A text that ends too early is refused."""

import ast
import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

_LONGEST: Final = 20_000
_DEPTH: Final = 8
_VALUES: Final = 400
_FENCED: Final = re.compile(r"\A```(?:json)?\s*(.*?)\s*```\Z", re.S)
_TOKENS_AFTER: Final = re.compile(r"(?:\s*<\|\w{1,30}\|>)+\Z")
_ESCAPE: Final = re.compile(r"\\(.)", re.S)


class UnreadableArgumentsError(Exception):
    """Arguments that cannot be read; the message tells the model what was wrong."""


def read_arguments(given: Any) -> dict[str, Any]:
    """A call's arguments as an object of bounded size: from an object, its JSON text (also encoded twice), or nothing.

    Raises:
        UnreadableArgumentsError
    """
    value = given
    for _ in range(3):  # JSON text in JSON text
        if not isinstance(value, str):
            break
        value = _parsed(value)
    if value is None or value == []:  # nothing, as some languages write it
        return {}
    if isinstance(value, list) and len(cast(list[Any], value)) == 1:
        value = cast(list[Any], value)[0]  # the one object in a list
    if not isinstance(value, Mapping):
        raise UnreadableArgumentsError("The arguments must be one JSON object.")
    arguments = {str(name): item for name, item in cast(Mapping[Any, Any], value).items()}
    _Measure().take(arguments, 0)
    return arguments


def _parsed(text: str) -> Any:
    if len(text) > _LONGEST:
        raise UnreadableArgumentsError("The arguments are too long.")
    text = _TOKENS_AFTER.sub("", text).strip()
    fenced = _FENCED.match(text)
    text = fenced.group(1) if fenced else text
    if text in ("", "null", "None"):
        return None
    try:
        return json.loads(
            text, strict=False, parse_constant=refused, object_pairs_hook=_without_doubles
        )
    except (ValueError, RecursionError) as error:
        if text.startswith("{"):
            written = python_literal(text)
            if isinstance(written, dict):
                return cast(dict[Any, Any], written)
        raise UnreadableArgumentsError(
            "The arguments are no complete JSON object. Send the call again, complete."
        ) from error


def python_literal(text: str) -> Any:
    """The value of a Python literal, or None for anything else. Nothing is executed."""
    tree = parsed_python(text)
    return None if tree is None else literal(tree)


def parsed_python(text: str) -> ast.expr | None:
    """The tree of one Python expression of bounded size."""
    if len(text) > _LONGEST or "\x00" in text:
        return None
    try:
        return ast.parse(_ESCAPE.sub(_kept_escape, text).strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def literal(node: ast.expr) -> Any:
    """The value of a literal in a tree; None for anything else, and for a dictionary that names a key twice."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Dict):
            keys = [ast.dump(key) for key in inner.keys if key is not None]
            if len(set(keys)) < len(inner.keys):
                return None
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def _kept_escape(found: re.Match[str]) -> str:
    # Python warns about escapes that it does not know, and keeps them.
    return found[0] if found[1] in "\n\\'\"abfnrtvxuN01234567" else "\\" + found[0]


def refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no number")


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for name, value in pairs:
        if name in read and read[name] != value:
            raise ValueError("a name is given twice with different values")
        read[name] = value
    return read


class _Measure:
    """Counts what an object holds; refuses what is deep, large, or no number."""

    def __init__(self) -> None:
        self._values = 0
        self._characters = 0

    def take(self, value: Any, depth: int) -> None:
        self._values += 1
        if isinstance(value, str):
            self._characters += len(value)
        if depth > _DEPTH or self._values > _VALUES or self._characters > _LONGEST:
            raise UnreadableArgumentsError("The arguments are too large.")
        if isinstance(value, float) and not math.isfinite(value):
            raise UnreadableArgumentsError("A number of the arguments is not finite.")
        for inner in _inside(value):
            self.take(inner, depth + 1)


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return cast(Mapping[Any, Any], value).values()
    return cast(list[Any], value) if isinstance(value, list | tuple) else ()
