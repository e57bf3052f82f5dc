"""What Gemini refuses in a generateContent request, in its words."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from functions.local.fake_provider.gemini_wire import calling_config, declarations, signs
from functions.local.fake_provider.refusals import RefusedError

_REQUEST: Final = frozenset(
    [
        "contents",
        "systemInstruction",
        "tools",
        "toolConfig",
        "generationConfig",
        "safetySettings",
        "cachedContent",
    ]
)
_GENERATION: Final = frozenset(
    [
        "temperature",
        "topP",
        "topK",
        "maxOutputTokens",
        "candidateCount",
        "stopSequences",
        "seed",
        "thinkingConfig",
        "responseMimeType",
        "responseSchema",
        "responseJsonSchema",
        "presencePenalty",
        "frequencyPenalty",
    ]
)
# The subset of OpenAPI 3.0 that `parameters` takes (ai.google.dev, Schema).
_SCHEMA: Final = frozenset(
    [
        "type",
        "format",
        "title",
        "description",
        "nullable",
        "enum",
        "items",
        "minItems",
        "maxItems",
        "properties",
        "required",
        "propertyOrdering",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "pattern",
        "example",
        "anyOf",
        "minProperties",
        "maxProperties",
        "default",
    ]
)
_TYPES: Final = frozenset({"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"})
_DATA: Final = frozenset(
    {"text", "functionCall", "functionResponse", "inlineData", "fileData", "executableCode"}
)
_NAME: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}")


def check(model: str, body: Mapping[str, Any], issued: Callable[[str], bool]) -> None:
    """Hold a request to the wire's contract.

    Args:
        issued: whether this provider gave out that id or signature.

    Raises:
        RefusedError: with the provider's words.
    """
    _known(body, _REQUEST, "")
    _known(body.get("generationConfig") or {}, _GENERATION, " at 'generation_config'")
    for declaration in declarations(body):
        _declaration(declaration)
    _calling(body)
    contents = body.get("contents")
    if not isinstance(contents, list) or not contents:
        raise RefusedError("* GenerateContentRequest.contents: contents is not specified")
    for index, content in enumerate(contents):
        _content(index, content)
    _turns(contents, issued)
    if signs(model):
        _signatures(contents, issued)


def _known(value: Mapping[str, Any], names: frozenset[str], at: str) -> None:
    for name in value:
        if name not in names:
            raise RefusedError(
                f'Invalid JSON payload received. Unknown name "{name}"{at}: Cannot find field.'
            )


def _declaration(declaration: Mapping[str, Any]) -> None:
    name = declaration.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise RefusedError("* GenerateContentRequest.tools: Invalid function name.")
    if not isinstance(declaration.get("description"), str) or not declaration["description"]:
        raise RefusedError(f"* tools.function_declarations[{name}].description: is not specified")
    both = {"parameters", "parametersJsonSchema"} & declaration.keys()
    if len(both) > 1:
        raise RefusedError("parameters and parameters_json_schema must not both be set")
    if "parameters" in declaration:
        _schema(declaration["parameters"], f"tools[0].function_declarations[{name}].parameters")
    if "parametersJsonSchema" in declaration:
        schema = declaration["parametersJsonSchema"]
        if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
            raise RefusedError(f"* {name}.parameters_json_schema: properties must be an object")


def _schema(schema: Any, at: str) -> None:
    if not isinstance(schema, dict):
        raise RefusedError(f"Invalid value at '{at}' (type.googleapis.com/Schema)")
    _known(schema, _SCHEMA, f" at '{at}'")
    kind = schema.get("type")
    if "anyOf" not in schema and (not isinstance(kind, str) or kind.upper() not in _TYPES):
        raise RefusedError(f"Invalid value at '{at}.type'")
    if isinstance(kind, str) and kind.upper() == "ARRAY" and "items" not in schema:
        raise RefusedError(f"* {at}.items: missing field.")
    if any(not isinstance(value, str) or not value for value in schema.get("enum", ())):
        raise RefusedError(f"* {at}.enum[0]: cannot be empty")
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        raise RefusedError(f"Invalid value at '{at}.properties'")
    for name, part in properties.items():
        _schema(part, f"{at}.properties[{name}]")
    if any(name not in properties for name in schema.get("required", ())):
        raise RefusedError(f"* {at}.required[0]: property is not defined")
    for part in [*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])]:
        _schema(part, f"{at}.items")


def _calling(body: Mapping[str, Any]) -> None:
    config = calling_config(body)
    mode = config.get("mode", "AUTO")
    if mode not in ("AUTO", "ANY", "NONE", "VALIDATED"):
        raise RefusedError("Invalid value at 'tool_config.function_calling_config.mode'")
    names = config.get("allowedFunctionNames") or ()
    if names and mode not in ("ANY", "VALIDATED"):
        raise RefusedError("allowed_function_names should only be set with mode ANY or VALIDATED")
    if set(names) - {f["name"] for f in declarations(body)}:
        raise RefusedError("allowed_function_names: not in the function declarations")
    if config and not declarations(body):
        raise RefusedError("Function calling config is set without function_declarations.")


def _content(index: int, content: Any) -> None:
    at = f"contents[{index}]"
    if not isinstance(content, dict) or content.get("role", "user") not in ("user", "model"):
        raise RefusedError("Please use a valid role: user, model.")
    parts = content.get("parts")
    if not isinstance(parts, list) or not parts:
        raise RefusedError(
            f"* GenerateContentRequest.{at}.parts: contents.parts must not be empty."
        )
    for number, part in enumerate(parts):
        held = [name for name in part if name in _DATA]
        empty = held == ["text"] and not part["text"] and "thoughtSignature" not in part
        if len(held) != 1 or empty:
            raise RefusedError(
                f"* GenerateContentRequest.{at}.parts[{number}].data: required oneof field 'data'"
                " must have one initialized field"
            )
        _part(f"{at}.parts[{number}]", part)


def _part(at: str, part: Mapping[str, Any]) -> None:
    call, response = part.get("functionCall"), part.get("functionResponse")
    if call is not None and not call.get("name"):
        raise RefusedError(
            f"* GenerateContentRequest.{at}.function_call.name: Name cannot be empty."
        )
    if response is None:
        return
    if not response.get("name"):
        raise RefusedError(
            f"* GenerateContentRequest.{at}.function_response.name: Name cannot be empty."
        )
    if not isinstance(response.get("response"), dict):
        raise RefusedError(f"Invalid value at '{at}.function_response.response' (Struct)")


def _turns(contents: Sequence[Mapping[str, Any]], issued: Callable[[str], bool]) -> None:
    waiting: list[Mapping[str, Any]] = []
    before = "model"
    for content in contents:
        role = content.get("role", "user")
        if role == "model" and before == "model":
            raise RefusedError(
                "Please ensure that multiturn requests alternate between user and model role."
            )
        answers = [p["functionResponse"] for p in content["parts"] if "functionResponse" in p]
        if answers or waiting:
            _answers(waiting, answers, len(content["parts"]))
        waiting = [p["functionCall"] for p in content["parts"] if "functionCall" in p]
        for call in waiting:
            if "id" in call and not issued(call["id"]):
                raise RefusedError("Function call id was not generated by the model.")
        before = role
    if before == "model":
        raise RefusedError("Please ensure that the last turn is a user turn.")


def _answers(
    calls: Sequence[Mapping[str, Any]], answers: Sequence[Mapping[str, Any]], parts: int
) -> None:
    if len(calls) != len(answers):
        raise RefusedError(
            "Please ensure that the number of function response parts is equal to the number of"
            " function call parts of the function call turn."
        )
    if parts != len(answers):
        raise RefusedError("A function response turn must hold function responses only.")
    for call, answer in zip(calls, answers, strict=True):
        if call["name"] != answer["name"] or call.get("id") != answer.get("id"):
            raise RefusedError(
                "Please ensure that function response turn comes immediately after a function call"
                " turn, with the same names and ids in the same order."
            )


def _signatures(contents: Sequence[Mapping[str, Any]], issued: Callable[[str], bool]) -> None:
    """The first call of each step of the current turn carries the signature that it came with."""
    said = [
        index
        for index, content in enumerate(contents)
        if content.get("role", "user") == "user" and any("text" in p for p in content["parts"])
    ]
    for index, content in enumerate(contents):
        calls = [p for p in content["parts"] if "functionCall" in p]
        if not calls:
            continue
        signature = calls[0].get("thoughtSignature")
        if signature is None and index > (said[-1] if said else -1):
            raise RefusedError(
                f"Function call is missing a thought_signature in functionCall parts. This is required"
                f" for tools to work correctly. Function call `{calls[0]['functionCall']['name']}`,"
                f" position {index + 1}."
            )
        if signature is not None and not issued(signature):
            raise RefusedError("Corrupted thought signature.")
