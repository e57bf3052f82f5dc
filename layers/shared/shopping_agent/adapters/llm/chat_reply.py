"""An OpenAI-style chat-completions reply as ours, whatever it holds: a text, calls, a refusal, or a fault.

A call that may have been cut off is never handed on, and neither reasoning nor markup is part of a text.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from shopping_agent.adapters.llm.calls import calls_in_text, decoded_call
from shopping_agent.adapters.llm.chat_frames import decode_frames
from shopping_agent.adapters.llm.chat_message import Json, ended, message_of, said, sent_calls
from shopping_agent.adapters.llm.chat_usage import usage_of
from shopping_agent.adapters.llm.faults import fault_of
from shopping_agent.adapters.llm.reply_text import holds_call_markup
from shopping_agent.adapters.llm.transport_faults import UNREADABLE
from shopping_agent.domain.conversation import ModelReply, ModelRequest, TokenUsage, ToolCall
from shopping_agent.domain.values import frozen
from shopping_agent.errors import LanguageModelError

_MOST_CALLS: Final = 16
_STREAM_STARTS: Final = (b"data:", b"event:", b"id:", b":")
_CUT_HINT: Final = "Your last reply was cut off. Be brief: one tool call, or a short answer."
_EMPTY_HINT: Final = (
    "Your last reply held no text. Answer the shopper now, in plain words, from the facts above."
)
_NO_CALLS_HINT: Final = "No tool can be called any more. Answer the shopper now, in plain words."


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
    if choice.get("error"):  # a gateway whose provider failed half-way
        raise fault_of(200, {}, json.dumps({"error": choice["error"]}), provider=provider)
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
    if isinstance(read, list) and len(cast(list[Any], read)) == 1:
        read = cast(list[Any], read)[0]
    if not isinstance(read, dict):
        raise fault_of(200, {}, body, provider=provider)
    return cast(Json, read)


def _first_choice(body: Json) -> Json | None:
    choices = body.get("choices")
    listed: Any = [choices] if isinstance(choices, Mapping) else choices
    for choice in cast(list[Any], listed) if isinstance(listed, list) else []:
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
        message = message_of(choice)
        end = ended(choice.get("finish_reason"))
        spoken, refusal = said(message)
        if end == "refused" or (refusal and not spoken.strip()):
            return self._made("", (), "refused")
        if end == "failed":
            raise self.malformed("a reply that failed half-way", "")
        text, written = calls_in_text(spoken, self.request.tools)
        calls = self._native(message) or written
        if end == "cut":
            return self._cut(text, spoken, calls)
        if calls and self._may_call():
            return self._made(text, calls, "tool_calls")
        if not text:
            raise self.malformed("no text", _NO_CALLS_HINT if calls else _EMPTY_HINT)
        if self._may_call() and holds_call_markup(spoken):
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

    def _cut(self, text: str, spoken: str, calls: tuple[ToolCall, ...]) -> ModelReply:
        """A reply that ran out of tokens: half a text may be shown, a call may be half of what was meant."""
        in_markup = spoken.strip() != text and "</think>" not in spoken
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
        for sent, name, arguments in sent_calls(message)[:_MOST_CALLS]:
            call_id = "" if sent is None else str(sent)
            plain = "" if call_id in ids else call_id
            calls.append(decoded_call(plain, name, arguments, self.request.tools))
            ids.add(call_id)
        return tuple(calls)
