"""What a `generateContent` reply holds, read from JSON that may lack anything or hold anything else."""

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from shopping_agent.adapters.llm.faults import fault_of
from shopping_agent.adapters.llm.gemini_wire import NAME, Parts
from shopping_agent.domain.conversation import TokenUsage
from shopping_agent.domain.values import frozen

_MOST_TOKENS: Final = 1_000_000_000
_NUMBERED: Final = {0: "", 1: "STOP", 2: "MAX_TOKENS", 3: "SAFETY", 4: "RECITATION"}


@frozen
class Candidate:
    """What counts of the first candidate: its parts, and how and why it ended."""

    parts: Parts
    reason: str
    message: str

    @property
    def text(self) -> str:
        return "".join(
            part["text"]
            for part in self.parts
            if isinstance(part.get("text"), str) and not part.get("thought")
        )

    @property
    def code(self) -> str:
        """Code that the model wrote to be run: never shown, but a call of a tool may be in it."""
        codes = [
            cast(dict[str, Any], part["executableCode"]).get("code")
            for part in self.parts
            if isinstance(part.get("executableCode"), dict)
        ]
        return "\n".join(code for code in codes if isinstance(code, str))


def content_of(body: str) -> dict[str, Any]:
    try:
        content = json.loads(body.removeprefix("\ufeff"), strict=False)
    except (ValueError, RecursionError):
        content = None
    if isinstance(content, list):
        content = next(iter(cast(list[Any], content)), None)
    if not isinstance(content, dict):
        raise fault_of(200, {}, body, provider=NAME)
    return cast(dict[str, Any], content)


def candidate_of(candidates: Any) -> Candidate | None:
    first = next(iter(cast(list[Any], candidates)), None) if isinstance(candidates, list) else None
    if not isinstance(first, dict):
        return None
    candidate = cast(dict[str, Any], first)
    content = candidate.get("content")
    parts = cast(dict[str, Any], content).get("parts") if isinstance(content, dict) else None
    listed = cast(list[Any], parts) if isinstance(parts, list) else []
    message = candidate.get("finishMessage")
    return Candidate(
        parts=[cast(dict[str, Any], part) for part in listed if isinstance(part, dict)],
        reason=_reason(candidate.get("finishReason")),
        message=message if isinstance(message, str) else "",
    )


def _reason(given: Any) -> str:
    """The reason to finish by its name; a proxy may hand on its number, or its name in full."""
    if isinstance(given, int):
        return _NUMBERED.get(given, "OTHER")
    name = str(given or "").upper()
    return name if name == "FINISH_REASON_UNSPECIFIED" else name.removeprefix("FINISH_REASON_")


def usage_of(usage: Any) -> TokenUsage:
    """The total is authoritative: what is neither prompt nor counted otherwise was generated (thoughts included)."""
    counts = cast(dict[str, Any], usage) if isinstance(usage, dict) else {}
    prompt = _count(counts, "promptTokenCount") + _count(counts, "toolUsePromptTokenCount")
    generated = _count(counts, "candidatesTokenCount") + _count(counts, "thoughtsTokenCount")
    total = _count(counts, "totalTokenCount")
    if total > prompt > 0:
        generated = total - prompt
    elif total > generated and not prompt:
        prompt = total - generated
    cached = min(prompt, _count(counts, "cachedContentTokenCount"))
    return TokenUsage(1, prompt, generated, cached)


def _count(counts: Mapping[str, Any], name: str) -> int:
    value = counts.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(value) if 0 < value < _MOST_TOKENS else 0
