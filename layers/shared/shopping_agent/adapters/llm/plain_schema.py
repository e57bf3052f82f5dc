"""Any JSON schema cut down to the few words that every model provider takes: an allow-list, not a list of what fails.

References are put in place, an optional alternative becomes its type, an exclusive bound of a whole number becomes a
bound; all else that is not on the list is left out, because one refused schema fails every request.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

_DEPTH: Final = 8
_TYPES: Final = ("object", "array", "string", "integer", "number", "boolean")
_BOUNDS: Final = ("minimum", "maximum", "minItems", "maxItems")
_UNIONS: Final = ("anyOf", "oneOf")

Schema = dict[str, Any]


def plain_object(schema: Mapping[str, Any]) -> Schema:
    """A tool's parameters: always `type: object` with `properties`, whatever the given schema is.

    Each node has `type` (a name, or `[name, "null"]` where null is a value), and of the rest only `description`,
    `enum`, `properties`, `required`, `items` and bounds.
    """
    plain: Schema = _Reader(schema).node(schema, 0)
    if plain["type"] != "object":
        plain = {"type": "object"}
    plain.setdefault("properties", {})
    return plain


class _Reader:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root

    def node(self, given: Any, depth: int) -> Schema:
        if depth > _DEPTH:  # a schema that holds itself
            return {"type": "object", "properties": {}}
        schema, nullable = self._resolved(given, depth)
        kind = _kind(schema)
        plain: Schema = {"type": [kind, "null"] if nullable else kind}
        description = schema.get("description")
        if isinstance(description, str) and description.strip():
            plain["description"] = description
        values = [v for v in _values(schema) if v is not None]
        if values:
            plain["enum"] = [*values, None] if nullable else values
        plain |= _bounds(schema, kind)
        if kind == "object":
            plain |= self._members(schema, depth)
        elif kind == "array":
            plain["items"] = self.node(_items(schema), depth + 1)
        return plain

    def _members(self, schema: Mapping[str, Any], depth: int) -> Schema:
        properties = {str(k): self.node(v, depth + 1) for k, v in _mapping(schema, "properties")}
        given = schema.get("required")
        listed = cast(list[Any], given) if isinstance(given, list) else []
        required = [name for name in listed if name in properties]
        return {"properties": properties, **({"required": required} if required else {})}

    def _resolved(self, given: Any, depth: int) -> tuple[Mapping[str, Any], bool]:
        """The schema with its references and alternatives put in place, and whether null is a value of it."""
        schema = cast(Mapping[str, Any], given if isinstance(given, Mapping) else {})
        nullable = schema.get("nullable") is True or _lists_null(schema)
        for _ in range(_DEPTH - min(depth, _DEPTH) + 1):
            part, null = self._part(schema)
            nullable = nullable or null
            if part is None:
                break
            rest = {k: v for k, v in schema.items() if k not in ("$ref", "allOf", *_UNIONS)}
            schema = {**part, **rest}
            nullable = nullable or _lists_null(part)
        return schema, nullable

    def _part(self, schema: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, bool]:
        reference = schema.get("$ref")
        if isinstance(reference, str):
            return self._referred(reference), False
        for word in _UNIONS:
            branches = _branches(schema, word)
            if branches:
                chosen = [b for b in branches if b.get("type") != "null"]
                return (chosen or [{}])[0], len(chosen) < len(branches)
        merged: dict[str, Any] = {}
        for branch in _branches(schema, "allOf"):
            merged |= branch
        return (merged or None), False

    def _referred(self, reference: str) -> Mapping[str, Any]:
        found: Any = self._root
        for step in reference.removeprefix("#").strip("/").split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            found = cast(Mapping[str, Any], found).get(name) if isinstance(found, Mapping) else None
        return cast(Mapping[str, Any], found) if isinstance(found, Mapping) else {}


def _branches(schema: Mapping[str, Any], word: str) -> list[Mapping[str, Any]]:
    given = schema.get(word)
    if not isinstance(given, list):
        return []
    return [b for b in cast(list[Any], given) if isinstance(b, Mapping)]


def _mapping(schema: Mapping[str, Any], word: str) -> list[tuple[Any, Any]]:
    given = schema.get(word)
    return list(cast(Mapping[Any, Any], given).items()) if isinstance(given, Mapping) else []


def _lists_null(schema: Mapping[str, Any]) -> bool:
    named = schema.get("type")
    return isinstance(named, list) and "null" in named


def _kind(schema: Mapping[str, Any]) -> str:
    named = schema.get("type")
    names = cast(list[Any], named) if isinstance(named, list) else [named]
    for name in names:
        if isinstance(name, str) and name.lower() in _TYPES:
            return name.lower()
    if "properties" in schema:
        return "object"
    if "items" in schema or "prefixItems" in schema:
        return "array"
    return _kind_of_value(next((v for v in _values(schema) if v is not None), ""))


def _kind_of_value(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    return "number" if isinstance(value, float) else "string"


def _values(schema: Mapping[str, Any]) -> Sequence[Any]:
    values = schema.get("enum")
    if isinstance(values, list):
        return cast(list[Any], values)
    return [schema["const"]] if "const" in schema else []


def _items(schema: Mapping[str, Any]) -> Any:
    items = schema.get("items", schema.get("prefixItems"))
    if isinstance(items, list):
        return cast(list[Any], items)[0] if items else {}
    return items


def _bounds(schema: Mapping[str, Any], kind: str) -> Schema:
    wanted = {"array": _BOUNDS[2:], "integer": _BOUNDS[:2], "number": _BOUNDS[:2]}.get(kind, ())
    bounds = {word: schema[word] for word in wanted if _is_number(schema.get(word))}
    if kind == "integer":
        for word, exclusive, step in (
            ("minimum", "exclusiveMinimum", 1),
            ("maximum", "exclusiveMaximum", -1),
        ):
            if _is_number(schema.get(exclusive)):
                bounds.setdefault(word, int(schema[exclusive]) + step)
    return bounds


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
