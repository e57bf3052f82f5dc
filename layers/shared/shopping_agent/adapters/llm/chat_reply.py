"""An OpenAI-style chat-completions reply as ours, whatever it holds: a text, calls, a refusal, or a fault.

A call that may have been cut off is never handed on, and neither reasoning nor markup is part of a text.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from shopping_agent.adapters.llm.calls import calls_in_text, decoded_call
from shopping_agent.adapters.llm.chat_frames import decode_frames
from shopping_agent.adapters.llm.chat_usage import usage_of
from shopping_agent.adapters.llm.faults import fault_of
from shopping_agent.adapters.llm.reply_text import holds_call_markup
from shopping_agent.adapters.llm.transport_faults import UNREADABLE
from shopping_agent.domain.conversation import ModelReply, ModelRequest, TokenUsage, ToolCall
from shopping_agent.domain.values import frozen
from shopping_agent.errors import LanguageModelError

_MOST_CALLS: Final = 16
_STREAM_STARTS: Final = (b"data:", b"event:", b"id:", b":")
_BLOCKED: Final = frozenset({"content_filter", "safety", "refusal"})
_FAILED: Final = frozenset({"error", "abort", "aborted", "cancelled"})
_CUT: Final = frozenset({"length", "max_tokens", "model_length"})
_CUT_HINT: Final = "Your last reply was cut off. Be brief: one tool call, or a short answer."
_EMPTY_HINT: Final = (
    "Your last reply held no text. Answer the shopper now, in plain words, from the facts above."
)
_NO_CALLS_HINT: Final = "No tool can be called any more. Answer the shopper now, in plain words."

Json = Mapping[str, Any]


def reply_of(
    body: bytes | Json, request: ModelRequest, provider: str, *, model: str = ""
) -> ModelReply:
    """What a 200 means.

    Args:
        body: as received, or read already.
        model: named in the reply where the body names none.

    Raises:
        LanguageModelError: it holds an error, is no answer, or was cut off where that matters; with what it used.
    """
    whole = read_body(body, provider)
    if whole.get("error") or "choices" not in whole:
        raise fault_of(200, {}, json.dumps(whole), provider=provider)
    named = whole.get("model")
    answered = named if isinstance(named, str) and named else model
    reading = _Reading(request, provider, answered, usage_of(whole, provider))
    choice = _first_choice(whole)
    if choice is None:
        raise reading.malformed("no choice", "")
    return reading.reply(choice)


def read_body(body: bytes | Json, provider: str) -> Json:
    """A reply's body as an object.

    Raises:
        LanguageModelError: for what is neither JSON nor an event stream.
    """
    if not isinstance(body, bytes):
        return body
    if body.lstrip().startswith(_STREAM_STARTS):
        return decode_frames(body)
    try:
        read: Any = json.loads(body, strict=False)
    except (ValueError, RecursionError) as error:
        raise fault_of(200, {}, body, provider=provider) from error
    if not isinstance(read, dict):
        raise fault_of(200, {}, body, provider=provider)
    return cast(Json, read)


def _first_choice(body: Json) -> Json | None:
    choices = body.get("choices")
    for choice in cast(list[Any], choices) if isinstance(choices, list) else []:
        if isinstance(choice, Mapping):
            return cast(Json, choice)
    return None


@frozen
class _Reading:
    request: ModelRequest
    provider: str
    model: str
    usage: TokenUsage

    def reply(self, choice: Json) -> ModelReply:
        given = choice.get("message") or choice.get("delta")
        message = (
            cast(Json, given) if isinstance(given, Mapping) else {"content": choice.get("text")}
        )
        reason = str(choice.get("finish_reason") or "").lower()
        said, refusal = _said(message)
        if reason in _BLOCKED or (refusal and not said.strip()):
            return self._made("", (), "refused")
        if reason in _FAILED:
            raise self.malformed("a reply that failed half-way", "")
        text, written = calls_in_text(said, self.request.tools)
        calls = self._native(message) or written
        if reason in _CUT:
            return self._cut(text, said, calls)
        if calls and self._may_call():
            return self._made(text, calls, "tool_calls")
        if not text:
            raise self.malformed("no text", _NO_CALLS_HINT if calls else _EMPTY_HINT)
        if self._may_call() and holds_call_markup(said):
            raise self.malformed("a call that cannot be read", UNREADABLE)
        return self._made(text, (), "stop")

    def malformed(self, what: str, hint: str) -> LanguageModelError:
        return LanguageModelError(
            "malformed",
            f"{self.provider} sent {what}",
            remedy="again",
            hint=hint,
            input_tokens=self.usage.input_tokens,
            output_tokens=self.usage.output_tokens,
        )

    def _cut(self, text: str, said: str, calls: tuple[ToolCall, ...]) -> ModelReply:
        """A reply that ran out of tokens: half a text may be shown, a call may be half of what was meant."""
        in_markup = said.strip() != text and "</think>" not in said
        if calls or not text or in_markup:
            raise self.malformed("a reply that was cut off", _CUT_HINT)
        return self._made(text, (), "length")

    def _may_call(self) -> bool:
        return bool(self.request.tools) and self.request.tool_choice != "none"

    def _made(self, text: str, calls: tuple[ToolCall, ...], finish: Any) -> ModelReply:
        return ModelReply(
            text=text,
            tool_calls=calls,
            finish=finish,
            usage=self.usage,
            provider=self.provider,
            model=self.model,
        )

    def _native(self, message: Json) -> tuple[ToolCall, ...]:
        """The calls of a message, in order; an id that comes twice is left to the loop to replace."""
        calls: list[ToolCall] = []
        ids: set[str] = set()
        for call in _call_objects(message)[:_MOST_CALLS]:
            inner = call.get("function")
            function = cast(Json, inner) if isinstance(inner, Mapping) else call
            name = call.get("id")
            name = "" if name is None else str(name)
            arguments = function.get("arguments", function.get("parameters"))
            calls.append(
                decoded_call(
                    "" if name in ids else name, function.get("name"), arguments, self.request.tools
                )
            )
            ids.add(name)
        return tuple(calls)


def _call_objects(message: Json) -> list[Json]:
    given: Any = message.get("tool_calls")
    listed: Any = [given] if isinstance(given, Mapping) else given
    calls = cast(list[Any], listed) if isinstance(listed, list) else []
    found = [cast(Json, call) for call in calls if isinstance(call, Mapping)]
    legacy = message.get("function_call")
    if not found and isinstance(legacy, Mapping):
        return [{"function": legacy}]
    return found


def _said(message: Json) -> tuple[str, str]:
    """The text and the refusal of a message. Reasoning, in whatever field, is neither."""
    content = message.get("content")
    refusal = message.get("refusal")
    refused = refusal if isinstance(refusal, str) else ""
    if isinstance(content, str):
        return content, refused
    texts: list[str] = []
    for part in cast(list[Any], content) if isinstance(content, list) else []:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping):
            kind, text = _part(cast(Json, part))
            texts.append(text if kind == "text" else "")
            refused += text if kind == "refusal" else ""
    return "".join(texts), refused


def _part(part: Json) -> tuple[str, str]:
    kind = part.get("type", "text")
    if kind == "refusal":
        return "refusal", str(part.get("refusal") or "refused")
    text = part.get("text")
    if isinstance(text, Mapping):
        text = cast(Json, text).get("value")
    return ("text", text) if kind in ("text", "output_text") and isinstance(text, str) else ("", "")
