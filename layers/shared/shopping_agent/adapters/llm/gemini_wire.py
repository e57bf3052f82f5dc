"""Our neutral messages as the body of a `generateContent` request, in the REST shape that Google documents."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from shopping_agent.adapters.llm.tool_schemas import declarations
from shopping_agent.domain.conversation import (
    AssistantMessage,
    Message,
    ModelRequest,
    ToolCall,
    ToolResult,
    UserMessage,
)
from shopping_agent.domain.fencing import compact_json, render_user_message

NAME: Final = "gemini"

# Gemini 3 refuses a call without the signature that came with it, except under this documented stand-in.
_STAND_IN: Final = "skip_thought_signature_validator"
_FAMILY: Final = re.compile(r"gemini-(\d{1,2})(?:\D|$)")
_LEVEL_FAMILY: Final = 3
# `maxOutputTokens` counts thoughts too: what they get beside the answer, with thinking kept low and without a say in it.
_LOW_THOUGHTS: Final = 1024
_FREE_THOUGHTS: Final = 4096

_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9_.:-]")
_LONGEST_NAME: Final = 64
_BEGIN: Final = "Hello."
_GO_ON: Final = "Go on."

Parts = list[dict[str, Any]]


def request_body(
    request: ModelRequest, *, model: str, temperature: float, max_tokens: int
) -> dict[str, Any]:
    """The whole body: contents, system instruction, tools and generation settings."""
    body: dict[str, Any] = {
        "contents": contents(request.messages, model=model, plain=request.plain),
        "generationConfig": _generation(request, model, temperature, max_tokens),
    }
    if request.system.strip():
        body["systemInstruction"] = {"parts": [{"text": _valid(request.system)}]}
    if request.tools:
        body["tools"] = [{"functionDeclarations": declarations(request.tools, "gemini")}]
        if request.tool_choice == "none":
            # Without the declarations, a history of calls makes the model call on (UNEXPECTED_TOOL_CALL).
            body["toolConfig"] = {"functionCallingConfig": {"mode": "NONE"}}
    return body


def contents(messages: Sequence[Message], *, model: str, plain: bool) -> list[dict[str, Any]]:
    """Turns that begin and end with the user's; the results of one reply's calls are one turn of their own."""
    results = {m.call_id: m for m in messages if isinstance(m, ToolResult)}
    turns: list[dict[str, Any]] = []
    for message in messages:
        if isinstance(message, UserMessage):
            text = _valid(render_user_message(message))
            if text.strip():
                turns.append(_turn("user", [{"text": text}]))
        elif isinstance(message, AssistantMessage):
            turns += _reply_turns(message, results, model, plain)
    turns = _model_turns_merged(turns)
    if not turns or turns[0]["role"] == "model":
        turns.insert(0, _turn("user", [{"text": _BEGIN}]))
    if turns[-1]["role"] == "model":
        turns.append(_turn("user", [{"text": _GO_ON}]))
    return turns


def function_calls(parts: Parts) -> list[dict[str, Any]]:
    """The calls among the parts of a reply, in order."""
    return [
        cast(dict[str, Any], part["functionCall"])
        for part in parts
        if isinstance(part.get("functionCall"), dict)
    ]


def _generation(
    request: ModelRequest, model: str, temperature: float, max_tokens: int
) -> dict[str, Any]:
    """What the model's family is known to take: Gemini 3 takes no temperature any more, and thinks by level."""
    family = _family(model)
    tokens = min(request.max_tokens, max_tokens)
    if family == _LEVEL_FAMILY and not request.plain:
        return {
            "maxOutputTokens": tokens + _LOW_THOUGHTS,
            "thinkingConfig": {"thinkingLevel": "LOW"},
        }
    settings: dict[str, Any] = {"maxOutputTokens": tokens + _FREE_THOUGHTS}
    if 0 < family < _LEVEL_FAMILY and not request.plain:
        wanted = request.temperature
        settings["temperature"] = temperature if wanted is None else wanted
    return settings


def _family(model: str) -> int:
    """3 for gemini-3.8-flash; 0 for a name that does not say."""
    found = _FAMILY.search(model)
    return int(found[1]) if found else 0


def _reply_turns(
    message: AssistantMessage, results: Mapping[str, ToolResult], model: str, plain: bool
) -> Iterator[dict[str, Any]]:
    own = None if plain else _own_parts(message)
    parts = own if own is not None else _neutral_parts(message, model)
    if parts:
        yield _turn("model", parts)
    if message.tool_calls:
        ids = [call.get("id") for call in function_calls(own or [])]
        ids += [None] * (len(message.tool_calls) - len(ids))
        yield _turn(
            "user", list(map(_result_part, message.tool_calls, ids, _each(results, message)))
        )


def _own_parts(message: AssistantMessage) -> Parts | None:
    """The parts of our own reply as they came, signatures included; None where they no longer fit the calls."""
    provider, payload = cast(tuple[str, Any], message.opaque or ("", None))
    if provider != NAME:
        return None
    parts = cast(Parts, payload["parts"])
    calls = function_calls(parts)
    if len(calls) != len(message.tool_calls):
        return None
    if not all(map(_as_called, calls, message.tool_calls)):
        return None
    return [part for part in parts if _holds_data(part)]


def _as_called(sent: Mapping[str, Any], call: ToolCall) -> bool:
    """Whether the API takes this call back, and its result under the name that we gave it."""
    named = sent.get("name") == call.name == _name(call.name)
    return named and isinstance(sent.get("args", {}), dict) and "arguments" not in sent


def _holds_data(part: Mapping[str, Any]) -> bool:
    """A part of nothing but a signature or an empty text is refused when it comes back."""
    if part.get("text") == "":
        return "thoughtSignature" in part
    return any(key not in ("thought", "thoughtSignature") for key in part)


def _neutral_parts(message: AssistantMessage, model: str) -> Parts:
    text = _valid(message.text)
    parts: Parts = [{"text": text}] if text.strip() else []
    for position, call in enumerate(message.tool_calls):
        arguments = _plain_json(call.arguments)
        part: dict[str, Any] = {"functionCall": {"name": _name(call.name), "args": arguments}}
        if position == 0 and not 0 < _family(model) < _LEVEL_FAMILY:
            part["thoughtSignature"] = _STAND_IN
        parts.append(part)
    return parts


def _each(
    results: Mapping[str, ToolResult], message: AssistantMessage
) -> Iterator[ToolResult | None]:
    return (results.get(call.id) for call in message.tool_calls)


def _result_part(call: ToolCall, given_id: Any, result: ToolResult | None) -> dict[str, Any]:
    content = _plain_json(result.content) if result else {"error": call.fault or "it was not run"}
    response: dict[str, Any] = {"name": _name(call.name), "response": content}
    if isinstance(given_id, str) and given_id:
        response["id"] = given_id
    return {"functionResponse": response}


def _name(name: str) -> str:
    """A name that the API takes, whatever the model made of it."""
    safe = _NOT_IN_A_NAME.sub("_", name)[:_LONGEST_NAME]
    return safe if safe[:1].isalpha() else f"_{safe}"[:_LONGEST_NAME]


def _model_turns_merged(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A call must follow a user's turn directly: two of the model's in a row become one."""
    merged: list[dict[str, Any]] = []
    for turn in turns:
        if turn["role"] == "model" and merged and merged[-1]["role"] == "model":
            merged[-1] = _turn("model", merged[-1]["parts"] + turn["parts"])
        else:
            merged.append(turn)
    return merged


def _turn(role: str, parts: Parts) -> dict[str, Any]:
    return {"role": role, "parts": parts}


def _plain_json(content: Mapping[str, Any]) -> dict[str, Any]:
    return json.loads(_valid(compact_json(content)))


def _valid(text: str) -> str:
    """The text without lone surrogates, which no JSON parser of a server takes."""
    return text.encode("utf-8", "replace").decode()
