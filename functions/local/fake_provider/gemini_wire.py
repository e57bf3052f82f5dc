"""generateContent: a request as the small model reads it, and its move as Gemini's JSON."""

import base64
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import uuid4

from functions.local.fake_provider.conversation import Conversation, Result, as_object, parsed
from functions.local.fake_provider.script import Call, Move

_NO_IDS: Final = re.compile(r"gemini-2|gemini-3-|gemini-3\.[0-4]")


def has_ids(model: str) -> bool:
    """Whether the model gives its calls ids: from 3.5 on."""
    return not _NO_IDS.match(model)


def signs(model: str) -> bool:
    """Whether the model wants its signatures back: from 3 on."""
    return model.startswith("gemini-3") or not model.startswith("gemini-")


def conversation_of(body: Mapping[str, Any]) -> Conversation:
    """A checked request, read."""
    contents: Sequence[Mapping[str, Any]] = body["contents"]
    parts = [(c.get("role", "user"), p) for c in contents for p in c["parts"]]
    declared = [f["name"] for f in declarations(body)]
    mode = calling_config(body).get("mode", "AUTO")
    return Conversation(
        system=_texts(body.get("systemInstruction") or {}),
        users=[_texts(c) for c in contents if c.get("role", "user") == "user" and _texts(c)],
        results=[
            Result(p["functionResponse"]["name"], as_object(p["functionResponse"]["response"]))
            for _, p in parts
            if "functionResponse" in p
        ],
        tools=frozenset(() if mode == "NONE" else declared),
        called=any("functionCall" in p for _, p in parts),
        declared=bool(declared),
    )


def declarations(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All function declarations of a request."""
    return [f for tool in body.get("tools") or () for f in tool.get("functionDeclarations") or ()]


def calling_config(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """How functions may be called."""
    return (body.get("toolConfig") or {}).get("functionCallingConfig") or {}


def _texts(content: Mapping[str, Any]) -> str:
    return "\n".join(p["text"] for p in content.get("parts") or () if p.get("text"))


def generated(model: str, move: Move) -> dict[str, Any]:
    """The body of an answer."""
    parts: list[dict[str, Any]] = []
    if move.reasoning:
        parts.append({"text": move.reasoning, "thought": True})
    if move.text:
        parts.append({"text": move.text})
    finish, calls = move.finish or "STOP", list(move.calls)
    if any(
        isinstance(c.arguments, str) and not isinstance(parsed(c.arguments), dict) for c in calls
    ):
        # Gemini's arguments are an object: what is none is its own failure.
        finish, calls = "MALFORMED_FUNCTION_CALL", []
    for position, call in enumerate(calls):
        part = _call(model, call)
        if position == 0 and signs(model):
            part["thoughtSignature"] = new_signature()
        parts.append(part)
    content: dict[str, Any] = {"role": "model", **({"parts": parts} if parts else {})}
    return {
        "candidates": [
            {
                "index": 0,
                "content": content,
                "finishReason": finish,
                **({"finishMessage": "Model generated function call(s)."} if calls else {}),
            }
        ],
        "usageMetadata": {
            "promptTokenCount": 300,
            "cachedContentTokenCount": 64,
            "candidatesTokenCount": 30,
            "thoughtsTokenCount": 100,
            "totalTokenCount": 430,
        },
        "modelVersion": model,
        "responseId": uuid4().hex,
    }


def _call(model: str, call: Call) -> dict[str, Any]:
    wire: dict[str, Any] = {"name": call.name}
    if call.arguments is not None:
        written = call.arguments
        wire["args"] = parsed(written) if isinstance(written, str) else dict(written)
    name = (uuid4().hex[:8] if has_ids(model) else "") if call.id is None else call.id
    return {"functionCall": {**wire, "id": name} if name else wire}


def new_signature() -> str:
    """A signature as Gemini gives them: bytes, in base64."""
    return base64.b64encode(b"signed " + uuid4().bytes).decode()
