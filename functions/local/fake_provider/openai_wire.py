"""Chat completions: a request as the small model reads it, and its move as the provider's JSON."""

import json
import time
from collections.abc import Mapping
from typing import Any, Final
from uuid import uuid4

from functions.local.fake_provider.conversation import Conversation, Result, as_object
from functions.local.fake_provider.script import Call, Dialect, Move


def conversation_of(body: Mapping[str, Any]) -> Conversation:
    """A checked request, read."""
    messages = body["messages"]
    names = {
        c["id"]: c["function"]["name"] for m in messages for c in m.get("tool_calls") or () if c
    }
    declared = [t["function"]["name"] for t in body.get("tools") or ()]
    return Conversation(
        system="\n".join(text_of(m) for m in messages if m["role"] in ("system", "developer")),
        users=[text_of(m) for m in messages if m["role"] == "user"],
        results=[
            Result(names.get(m["tool_call_id"], ""), as_object(text_of(m)))
            for m in messages
            if m["role"] == "tool"
        ],
        tools=frozenset(() if body.get("tool_choice") == "none" else declared),
        called=bool(names),
        declared=bool(declared),
    )


def text_of(message: Mapping[str, Any]) -> str:
    """A message's text; the text parts joined where it has parts."""
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return str(content or "")


def completion(dialect: Dialect, model: str, move: Move, number: int) -> dict[str, Any]:
    """The body of a chat completion.

    Args:
        number: of the request, for ids.
    """
    message: dict[str, Any] = {"role": "assistant"}
    if dialect != "groq" or not move.calls:  # Groq's message with calls has no content at all
        message["content"] = move.text
    if move.calls:
        message["tool_calls"] = [
            _call(dialect, model, call, number, position)
            for position, call in enumerate(move.calls)
        ]
    if dialect == "xai":
        message |= {"reasoning_content": move.reasoning or "Thinking about it.", "refusal": None}
    elif move.reasoning:
        message["reasoning"] = move.reasoning
    usage = _USAGE[dialect]
    return {
        "id": f"chatcmpl-{uuid4()}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": move.finish or ("tool_calls" if move.calls else "stop"),
                **({} if dialect == "xai" else {"logprobs": None}),
            }
        ],
        "usage": usage,
        **({"x_groq": {"id": f"req_{number:06d}"}} if dialect == "groq" else {}),
    }


# xAI counts reasoning beside the completion, the others within it.
_USAGE: Final[dict[Dialect, dict[str, Any]]] = {
    "groq": {
        "queue_time": 0.02,
        "prompt_tokens": 300,
        "prompt_time": 0.01,
        "completion_tokens": 30,
        "completion_time": 0.03,
        "total_tokens": 330,
        "total_time": 0.04,
        "prompt_tokens_details": {"cached_tokens": 64},
    },
    "xai": {
        "prompt_tokens": 300,
        "completion_tokens": 30,
        "total_tokens": 430,
        "prompt_tokens_details": {"cached_tokens": 128, "text_tokens": 300},
        "completion_tokens_details": {"reasoning_tokens": 100},
        "cost_in_usd_ticks": 12_000_000,
    },
    "openai": {
        "prompt_tokens": 300,
        "completion_tokens": 30,
        "total_tokens": 330,
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 10},
    },
}


def _call(dialect: Dialect, model: str, call: Call, number: int, position: int) -> dict[str, Any]:
    arguments = call.arguments
    written = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
    wire: dict[str, Any] = {
        "type": "function",
        "function": {"name": call.name, "arguments": written},
    }
    name = _new_id(dialect, model, number, position) if call.id is None else call.id
    return {"id": name, **wire} if name else wire


def _new_id(dialect: Dialect, model: str, number: int, position: int) -> str:
    if dialect == "xai":
        return f"call-{uuid4()}-{position}"
    if dialect == "groq" and "gpt-oss" in model:
        return f"fc_{uuid4()}"
    return f"call_{number:03d}{position}"
