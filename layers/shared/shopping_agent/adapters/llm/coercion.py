"""A call's arguments in the types of the tool's schema. A value that no clear rule converts is left as it is, for the
tool's own validator to refuse in its words.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, cast

from shopping_agent.adapters.llm.arguments import (
    UnreadableArgumentsError,
    python_literal,
    read_arguments,
    refused,
)
from shopping_agent.adapters.llm.plain_schema import Schema

_WRAPPERS: Final = ("arguments", "parameters", "args", "input", "kwargs")
_SCALARS: Final = ("integer", "number", "boolean", "string")
_WHOLE: Final = re.compile(r"[+-]?\d{1,15}(?:\.0*)?")
_DECIMAL: Final = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{0,12})?|\.\d{1,12})")
_SEPARATED: Final = re.compile(r"[,;|،؛]")
# Arabic-Indic and Persian digits, the Arabic decimal and thousands separators.
_DIGITS: Final = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹٫", "01234567890123456789.", "٬")


def coerced(arguments: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """Arguments in the types of a plain schema (see `plain_object`).

    Nulls of optional fields are dropped, unknown names too once the required ones are there; a name in another
    spelling (`max_price` for `maxPrice`) is the declared one.
    """
    properties = cast(dict[str, Schema], schema.get("properties", {}))
    required = cast(list[str], schema.get("required", []))
    named = _named(_unwrapped(arguments, properties), properties)
    present = {
        name: value
        for name, value in named.items()
        if name in required or not _absent(value, properties.get(name, {}))
    }
    complete = all(present.get(name) is not None for name in required)
    return {
        name: _value(value, properties[name]) if name in properties else value
        for name, value in present.items()
        if name in properties or not complete
    }


def _absent(value: Any, schema: Schema) -> bool:
    """Whether a value says that there is none: null; where no free text is expected, an empty text or the word for it."""
    kind = _kind(schema)
    if value == [None] and kind in _SCALARS:
        return True
    if isinstance(value, str) and kind in ("integer", "number", "boolean"):
        return value.strip().lower() in ("", "null", "none")
    if isinstance(value, str) and "enum" in schema and kind == "string":
        return not value.strip() and value not in schema["enum"]
    return value is None


def _kind(schema: Schema) -> str:
    given = schema.get("type", "")
    return cast(str, given[0] if isinstance(given, list) else given)


def _unwrapped(arguments: Mapping[str, Any], properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """What stands in `{"arguments": {...}}`, when that is all there is and no such argument is declared."""
    if len(arguments) == 1:
        name, inner = next(iter(arguments.items()))
        if name in _WRAPPERS and name not in properties and isinstance(inner, Mapping):
            return cast(Mapping[str, Any], inner)
    return arguments


def _named(arguments: Mapping[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    if all(name in properties for name in arguments):
        return dict(arguments)
    spelled = {folded(name): name for name in properties}
    named: dict[str, Any] = {n: v for n, v in arguments.items() if n in properties}
    for name, value in arguments.items():
        if name not in properties:
            declared = spelled.get(folded(name), name)
            named.setdefault(name if declared in named else declared, value)
    return named


def folded(name: str) -> str:
    """A name without case and separators."""
    return name.replace("_", "").replace("-", "").replace(" ", "").casefold()


def _value(value: Any, schema: Schema) -> Any:
    kind = _kind(schema)
    if kind in _SCALARS and isinstance(value, list) and len(cast(list[Any], value)) == 1:
        value = cast(list[Any], value)[0]  # one in a list, where one is wanted
    value = _COERCED[kind](value, schema)
    choices = schema.get("enum")
    if choices and isinstance(value, str) and value not in choices:
        found = [c for c in choices if isinstance(c, str) and folded(c) == folded(value.strip())]
        return found[0] if found else value
    return value


def _whole(value: Any, _: Schema) -> Any:
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e15 else value
    if isinstance(value, str):
        text = value.strip().translate(_DIGITS)
        if _WHOLE.fullmatch(text):
            return int(text.partition(".")[0])
    return value


def _number(value: Any, _: Schema) -> Any:
    if isinstance(value, str):
        text = value.strip().translate(_DIGITS)
        if _WHOLE.fullmatch(text):
            return int(text.partition(".")[0])
        if _DECIMAL.fullmatch(text):
            return float(text)
    return value


def _truth(value: Any, _: Schema) -> Any:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower(), value)
    return value


def _text(value: Any, _: Schema) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value


def _list(value: Any, schema: Schema) -> Any:
    if isinstance(value, str):
        value = _list_in_text(value)
    if isinstance(value, str):
        return value  # several in one text: the tool's validator knows how they are separated
    items = list(cast(list[Any], value)) if isinstance(value, list | tuple) else [value]
    return [_value(item, schema["items"]) for item in items if item is not None]


def _list_in_text(text: str) -> Any:
    stripped = text.strip()
    if stripped.startswith("["):
        try:
            return json.loads(stripped, strict=False, parse_constant=refused)
        except (ValueError, RecursionError):
            written = python_literal(stripped)
            return cast(list[Any], written) if isinstance(written, list) else [text]
    if not stripped:
        return []
    return text if _SEPARATED.search(stripped) else [text]


def _object(value: Any, schema: Schema) -> Any:
    if isinstance(value, str) and value.strip().startswith("{"):
        try:
            value = read_arguments(value)
        except UnreadableArgumentsError:
            return value
    if isinstance(value, Mapping):
        given = cast(Mapping[str, Any], value)
        return coerced(given, schema) if schema.get("properties") else dict(given)
    return value


_COERCED: Final = {
    "integer": _whole,
    "number": _number,
    "boolean": _truth,
    "string": _text,
    "array": _list,
    "object": _object,
}
