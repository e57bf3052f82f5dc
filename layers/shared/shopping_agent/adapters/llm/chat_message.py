"""What stands in the message of an OpenAI-style reply, in the shapes that compatible servers really send."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, Literal, cast

Json = Mapping[str, Any]
Ended = Literal["done", "cut", "failed", "refused"]

_ENDS: Final[tuple[tuple[Ended, re.Pattern[str]], ...]] = (
    ("failed", re.compile(r"malform|invalid|error|abort|cancel|fail|time_?out|insufficient_system")),
    ("refused", re.compile(r"filter|safety|sensitiv|moderat|refus|block|recitation|prohibit|guardrail|policy")),
    ("cut", re.compile(r"length|max|trunc|limit|exceed|incomplete")),
)  # fmt: skip
_CALLED: Final = frozenset({"tool_use", "tool_call", "function_call", "toolcall"})


def ended(reason: Any) -> Ended:
    """How a reply ended, by a reason in whatever server's words; one that says nothing of that is a whole reply."""
    said = reason.lower() if isinstance(reason, str) else ""
    for end, words in _ENDS:
        if words.search(said):
            return end
    return "done"


def message_of(choice: Json) -> Json:
    """The message of a choice, whatever it is called there."""
    given = choice.get("message") or choice.get("delta")
    if isinstance(given, str):
        return {"content": given}
    return cast(Json, given) if isinstance(given, Mapping) else {"content": choice.get("text")}


def said(message: Json) -> tuple[str, str]:
    """The text and the refusal of a message. Reasoning, in whatever field, is neither."""
    content = message.get("content")
    refusal = message.get("refusal")
    refused = refusal if isinstance(refusal, str) else ""
    if isinstance(content, str):
        return content, refused
    texts: list[str] = []
    for part in _parts(content):
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping):
            kind, text = _part(cast(Json, part))
            texts.append(text if kind == "text" else "")
            refused += text if kind == "refusal" else ""
    return "".join(texts), refused


def _parts(content: Any) -> list[Any]:
    if isinstance(content, Mapping):
        return [cast(Json, content)]
    return cast(list[Any], content) if isinstance(content, list) else []


def _part(part: Json) -> tuple[str, str]:
    kind = str(part.get("type") or "text").lower()
    if kind == "refusal":
        return "refusal", str(part.get("refusal") or "refused")
    text = part.get("text")
    if isinstance(text, Mapping):
        text = cast(Json, text).get("value")
    return ("text", text) if kind in ("text", "output_text") and isinstance(text, str) else ("", "")


def sent_calls(message: Json) -> list[tuple[Any, Any, Any]]:
    """The id, the name and the arguments of each call of a message, in order, as they were sent."""
    return [_call(call) for call in _call_objects(message)]


def _call(call: Json) -> tuple[Any, Any, Any]:
    inner = call.get("function", call.get("custom"))
    function = cast(Json, inner) if isinstance(inner, Mapping) else call
    name = function.get("name", inner if isinstance(inner, str) else None)
    given = (function.get(key) for key in ("arguments", "parameters", "args", "input"))
    arguments = next((found for found in given if found is not None), None)
    if arguments is None and function is not call:
        arguments = call.get("arguments", call.get("parameters"))
    return call.get("id"), name, arguments


def _call_objects(message: Json) -> list[Json]:
    found = _objects(message.get("tool_calls", message.get("toolCalls")))
    if found:
        return found
    legacy = message.get("function_call")
    if isinstance(legacy, Mapping):
        return [{"function": legacy}]
    content = _objects(message.get("content"))
    return [part for part in content if str(part.get("type")).lower() in _CALLED]


def _objects(given: Any) -> list[Json]:
    """The objects of a list, of one object, or of either as JSON text."""
    if isinstance(given, str) and given.lstrip().startswith(("[", "{")):
        try:
            given = json.loads(given, strict=False)
        except (ValueError, RecursionError):
            return []
    listed: Any = [given] if isinstance(given, Mapping) else given
    items = cast(list[Any], listed) if isinstance(listed, list) else []
    return [cast(Json, item) for item in items if isinstance(item, Mapping)]
