"""A `generateContent` reply, as it came over the wire, as our `ModelReply` or as the fault that it is."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from shopping_agent.adapters.llm.calls import calls_in_text, declared, decoded_call
from shopping_agent.adapters.llm.faults import fault_of
from shopping_agent.adapters.llm.gemini_body import Candidate, candidate_of, content_of, usage_of
from shopping_agent.adapters.llm.gemini_wire import NAME, Parts, function_calls
from shopping_agent.adapters.llm.reply_text import holds_call_markup
from shopping_agent.adapters.llm.transport_faults import UNREADABLE
from shopping_agent.domain.conversation import (
    ModelFinish,
    ModelReply,
    ModelRequest,
    TokenUsage,
    ToolCall,
)
from shopping_agent.domain.values import frozen
from shopping_agent.errors import LanguageModelError, LanguageModelFault, Remedy

_DONE: Final = frozenset({"", "STOP", "FINISH_REASON_UNSPECIFIED"})
_CUT: Final = frozenset({"MAX_TOKENS", "CONTINUATION"})
_REFUSED: Final = frozenset(
    {
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "MODEL_ARMOR",
        "JAILBREAK",
        "ESCALATION",
        "NO_IMAGE",
    }
)
_MALFORMED_CALL: Final = "MALFORMED_FUNCTION_CALL"
_UNEXPECTED_CALL: Final = "UNEXPECTED_TOOL_CALL"
_MISSING_SIGNATURE: Final = "MISSING_THOUGHT_SIGNATURE"
_ACCOUNT_CLOSED: Final = "PUP_LIMITED_DISABLED"

_TRY_AGAIN: Final = (
    "Your last reply could not be used. Call a declared function, or answer in plain text."
)
_CUT_HINT: Final = "Your last reply was cut off. Be brief: one function call, or a short answer."
_HINTS: Final[Mapping[str, str]] = {
    _MALFORMED_CALL: "Your function call could not be parsed. Call a declared function with its arguments as "
    "one JSON object, without any code, or answer in plain text.",
    "TOO_MANY_TOOL_CALLS": "You called too many functions at once. Call fewer, or answer in plain text.",
}
_CALLED: Final = re.compile(r"\bfunction:?\s+['\"`]?([\w.:/-]{1,80})", re.IGNORECASE)


def read_reply(body: str, request: ModelRequest, model: str) -> ModelReply:
    """The reply in our words.

    Args:
        body: of a reply with status 200.
        model: that was asked, where the reply does not name who answered.

    Raises:
        LanguageModelError: when there is nothing in it that could be used.
    """
    content = content_of(body)
    if content.get("error") and not content.get("candidates"):
        raise fault_of(200, {}, body, provider=NAME)
    named = content.get("modelVersion")
    reading = _Reading(
        request=request,
        usage=usage_of(content.get("usageMetadata")),
        model=named if isinstance(named, str) and named else model,
    )
    candidate = candidate_of(content.get("candidates"))
    feedback = content.get("promptFeedback")
    blocked = isinstance(feedback, dict) and cast(dict[str, Any], feedback).get("blockReason")
    if blocked and not (candidate and candidate.parts):
        return reading.reply("refused")
    if candidate is not None:
        return reading.of(candidate)
    raise reading.fault("malformed", "no candidate", remedy="again", hint=_TRY_AGAIN)


@frozen
class _Reading:
    """One reply being read, with what it cost."""

    request: ModelRequest
    usage: TokenUsage
    model: str

    def of(self, candidate: Candidate) -> ModelReply:
        reason = candidate.reason
        if reason in _DONE:
            return self._finished(candidate)
        if reason in _CUT:
            return self._cut(candidate)
        if reason in _REFUSED or reason.startswith("IMAGE_"):
            return self.reply("refused")
        if reason == _UNEXPECTED_CALL:
            return self._unexpected(candidate)
        if reason == _MISSING_SIGNATURE:
            raise self.fault("bad_request", "a signature is missing", remedy="plain")
        if reason == _ACCOUNT_CLOSED:
            raise self.fault("auth", "the account is limited")
        return self._stopped_otherwise(candidate)

    def reply(
        self,
        finish: ModelFinish,
        *,
        text: str = "",
        calls: Sequence[ToolCall] = (),
        parts: Parts | None = None,
    ) -> ModelReply:
        return ModelReply(
            text=text,
            tool_calls=tuple(calls),
            finish=finish,
            usage=self.usage,
            provider=NAME,
            model=self.model,
            opaque=None if parts is None else (NAME, {"parts": parts}),
        )

    def fault(
        self,
        kind: LanguageModelFault,
        message: str,
        *,
        remedy: Remedy | None = None,
        hint: str = "",
    ) -> LanguageModelError:
        return LanguageModelError(
            kind,
            f"{NAME}: {message}",
            remedy=remedy,
            hint=hint,
            input_tokens=self.usage.input_tokens,
            output_tokens=self.usage.output_tokens,
        )

    def _finished(self, candidate: Candidate) -> ModelReply:
        specs = self.request.tools
        text, written = calls_in_text(candidate.text, specs)
        sent = function_calls(candidate.parts)
        if self.request.tool_choice == "none":
            if (sent or written) and not text:
                raise self._not_now()
            return self.reply("stop", text=text, parts=None if sent or written else candidate.parts)
        calls = [
            decoded_call(c.get("id"), c.get("name"), c.get("args", c.get("arguments")), specs)
            for c in sent
        ]
        if calls:
            return self.reply("tool_calls", text=text, calls=calls, parts=candidate.parts)
        written = written or calls_in_text(candidate.code, specs)[1]
        if written:
            return self.reply("tool_calls", text=text, calls=written)
        if not text:
            raise self.fault("malformed", "no text", remedy="again", hint=_TRY_AGAIN)
        if specs and holds_call_markup(candidate.text):
            raise self.fault("malformed", "an unreadable call", remedy="again", hint=UNREADABLE)
        return self.reply("stop", text=text, parts=candidate.parts)

    def _cut(self, candidate: Candidate) -> ModelReply:
        """A reply that ran out of tokens: half a text may be shown, a call may be half of what was meant."""
        text = _without_calls(candidate.text, self.request)
        if not text or function_calls(candidate.parts):
            raise self.fault("malformed", "a reply cut off", remedy="again", hint=_CUT_HINT)
        return self.reply("length", text=text)

    def _unexpected(self, candidate: Candidate) -> ModelReply:
        """The API found no such function: one that is declared under a decorated name can be called all the same."""
        if self.request.tool_choice == "none" or not self.request.tools:
            raise self._not_now()
        specs = self.request.tools
        sent = function_calls(candidate.parts)
        calls = [
            decoded_call(c.get("id"), c.get("name"), c.get("args", c.get("arguments")), specs)
            for c in sent
        ]
        if not calls:
            calls = list(calls_in_text(f"{candidate.text}\n{candidate.message}", specs)[1])
        if calls and all(declared(call.name, specs) and not call.fault for call in calls):
            return self.reply("tool_calls", calls=calls)
        wanted = next((call.name for call in calls if not declared(call.name, specs)), "")
        found = _CALLED.search(candidate.message)
        name = wanted[:80] or (found[1] if found else "")
        available = ", ".join(spec.name for spec in specs)
        hint = f"There is no function {name}. Available: {available}." if name else _TRY_AGAIN
        raise self.fault("malformed", "a call of no declared function", remedy="again", hint=hint)

    def _stopped_otherwise(self, candidate: Candidate) -> ModelReply:
        """Ends that say nothing of use, and those that are not known yet: a text may be cut, a call is not to be run."""
        text = _without_calls(candidate.text, self.request)
        if text and candidate.reason not in _HINTS and not function_calls(candidate.parts):
            return self.reply("length", text=text)
        reason = re.sub(r"[^A-Z_]", "", candidate.reason)[:40]
        hint = _HINTS.get(candidate.reason, _TRY_AGAIN)
        raise self.fault("malformed", f"ended by {reason}", remedy="again", hint=hint)

    def _not_now(self) -> LanguageModelError:
        hint = "No function can be called now: answer in plain text."
        return self.fault("malformed", "a call where none is allowed", remedy="again", hint=hint)


def _without_calls(text: str, request: ModelRequest) -> str:
    return calls_in_text(text, request.tools)[0]
