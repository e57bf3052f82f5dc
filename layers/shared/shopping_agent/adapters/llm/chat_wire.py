"""Our neutral messages as an OpenAI-style chat-completions request.

Only the keys below are ever sent, so a history that another provider began holds nothing that this one refuses.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from shopping_agent.adapters.llm.chat_frames import decode_frames
from shopping_agent.adapters.llm.chat_reply import read_body, reply_of
from shopping_agent.adapters.llm.tool_schemas import Dialect, declarations
from shopping_agent.domain.conversation import (
    AssistantMessage,
    Message,
    ModelRequest,
    ToolCall,
    ToolResult,
    UserMessage,
)
from shopping_agent.domain.fencing import compact_json, inert_json, render_user_message

__all__ = ["decode_frames", "messages_of", "read_body", "reply_of", "request_body"]

_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")  # OpenAI refuses longer ones; xAI makes them
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9_-]")
_GO_ON: Final = "Go on."


def request_body(
    request: ModelRequest,
    *,
    model: str,
    dialect: Dialect,
    temperature: float | None,
    max_tokens: int,
    token_word: str = "max_tokens",  # noqa: S107  (no password)
) -> dict[str, Any]:
    """The body of `POST .../chat/completions`.

    Args:
        temperature: used where the request has none; None sends none. A plain request never sends one.
        max_tokens: the most that is asked for, whatever the request allows.
        token_word: what the server calls that limit.
    """
    body: dict[str, Any] = {
        "model": model,
        "messages": messages_of(request),
        token_word: min(request.max_tokens, max_tokens),
    }
    if request.tools:
        body["tools"] = declarations(request.tools, dialect)
        if request.tool_choice == "none" or not request.plain:
            body["tool_choice"] = request.tool_choice
    wanted = temperature if request.temperature is None else request.temperature
    if wanted is not None and not request.plain:
        body["temperature"] = wanted
    return body


def messages_of(request: ModelRequest) -> list[dict[str, Any]]:
    """The conversation: the system's words first, a result for every call right behind it, the user's turn last."""
    messages: list[dict[str, Any]] = []
    if request.system.strip():
        messages.append(_said("system", request.system))
    results = _Results(request.messages)
    for message in request.messages:
        if isinstance(message, UserMessage):
            messages.append(_said("user", render_user_message(message)))
        elif isinstance(message, AssistantMessage):
            messages += _turn(message, results)
    if not messages or messages[-1]["role"] in ("assistant", "system"):
        messages.append(_said("user", _GO_ON))
    return _alternating(messages)


def _alternating(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two texts of one side in a row as one: the templates of many local models refuse them."""
    told: list[dict[str, Any]] = []
    for message in messages:
        last = told[-1] if told else {}
        if last.get("role") == message["role"] != "tool" and "tool_calls" not in last:
            message = {**message, "content": f"{last['content']}\n\n{message['content']}".strip()}
            told.pop()
        told.append(message)
    return told


class _Results:
    """Tool results by the call that they answer, and ids that every server takes."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._found = {m.call_id: m for m in messages if isinstance(m, ToolResult)}
        self._used: set[str] = set()

    def content(self, call: ToolCall) -> str:
        result = self._found.get(call.id)
        return inert_json(result.content if result else {"error": call.fault or "It was not run."})

    def new_id(self, call: ToolCall) -> str:
        name = call.id
        number = len(self._used)
        while not _ID.fullmatch(name) or name in self._used:
            number += 1
            name = f"call_{number}"
        self._used.add(name)
        return name


def _turn(message: AssistantMessage, results: _Results) -> Iterator[dict[str, Any]]:
    """An assistant's turn and the results of its calls; nothing for an empty one."""
    text = message.text.strip()
    if not message.tool_calls:
        if text:
            yield _said("assistant", text)
        return
    ids = [results.new_id(call) for call in message.tool_calls]
    calls = [
        {"id": name, "type": "function", "function": _function(call)}
        for name, call in zip(ids, message.tool_calls, strict=True)
    ]
    yield {**_said("assistant", text), "tool_calls": calls}
    for name, call in zip(ids, message.tool_calls, strict=True):
        yield {**_said("tool", results.content(call)), "tool_call_id": name}


def _function(call: ToolCall) -> Mapping[str, str]:
    name = _NOT_IN_A_NAME.sub("_", call.name)[:64] or "unnamed"
    return {"name": name, "arguments": _valid(compact_json(call.arguments))}


def _said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": _valid(text)}


def _valid(text: str) -> str:
    """The text without lone surrogates, which no JSON reader of a server takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
