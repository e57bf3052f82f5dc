"""Tools as each provider declares them: one plain schema, with what a provider refuses left out.

Groq checks a model's call against the schema before we see it and fails the whole reply, so it gets null as a value
of every optional field and no bounds: our own validator answers those in words that the model can act on.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, cast

from shopping_agent.adapters.llm.plain_schema import Schema, plain_object
from shopping_agent.domain.conversation import ToolSpec

Dialect = Literal["openai", "groq", "xai", "gemini"]

_RENDERED_TOOLS: Final = 256
# By identity: specs are made once in a process and hold dictionaries, which have no hash.
_rendered: Final[dict[tuple[int, str], tuple[ToolSpec, dict[str, Any]]]] = {}
_plain: Final[dict[int, tuple[ToolSpec, Schema]]] = {}


def declarations(specs: Sequence[ToolSpec], dialect: Dialect) -> list[dict[str, Any]]:
    """The tools in a provider's words; shared between calls, so not to be changed.

    For `gemini` each is `{name, description, parametersJsonSchema}` (one of `functionDeclarations`), for the others
    `{type: "function", function: {name, description, parameters}}`.
    """
    return [_declared(spec, dialect) for spec in specs]


def parameters_of(spec: ToolSpec) -> Schema:
    """A tool's parameters as a plain schema (see `plain_object`)."""
    kept = _plain.get(id(spec))
    if kept is None:
        if len(_plain) >= _RENDERED_TOOLS:
            _plain.clear()
        kept = _plain[id(spec)] = (spec, plain_object(spec.parameters))
    return kept[1]


def _declared(spec: ToolSpec, dialect: Dialect) -> dict[str, Any]:
    key = (id(spec), dialect)
    kept = _rendered.get(key)
    if kept is None:
        if len(_rendered) >= _RENDERED_TOOLS:
            _rendered.clear()
        kept = _rendered[key] = (spec, _rendering(spec, dialect))
    return kept[1]


def _rendering(spec: ToolSpec, dialect: Dialect) -> dict[str, Any]:
    schema = parameters_of(spec)
    described = {"name": spec.name, "description": spec.description or spec.name}
    if dialect == "gemini":
        return {**described, "parametersJsonSchema": schema}
    parameters = _with_null(schema) if dialect == "groq" else schema
    return {"type": "function", "function": {**described, "parameters": parameters}}


_GROQ_WORDS: Final = ("type", "description", "enum", "properties", "required", "items")


def _with_null(schema: Schema) -> Schema:
    rendered: Schema = {word: schema[word] for word in _GROQ_WORDS if word in schema}
    if "items" in rendered:
        rendered["items"] = _with_null(rendered["items"])
    if "properties" in rendered:
        required = cast(list[str], schema.get("required", []))
        rendered["properties"] = {
            name: _with_null(member) if name in required else _nullable(_with_null(member))
            for name, member in rendered["properties"].items()
        }
    return rendered


def _nullable(schema: Schema) -> Schema:
    if isinstance(schema["type"], list):
        return schema
    values = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [schema["type"], "null"], **values}
