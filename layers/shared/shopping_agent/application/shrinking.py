"""Less of a request, for a provider that found it too large: the oldest goes first, the shopper's own words never."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, cast

from shopping_agent.application.result_size import within_size
from shopping_agent.domain.conversation import (
    AssistantMessage,
    DataBlock,
    Message,
    ModelRequest,
    ToolResult,
    UserMessage,
)
from shopping_agent.domain.fencing import compact_json

# What is aimed for: about half of what was too much. Less of a gain than a fifth is not worth a second attempt.
_SHARE: Final = 0.5
_LEAST_GAIN: Final = 0.2
_LEAST_TOKENS: Final = 256
_LEAST_CHARACTERS: Final = 800
"""Room for the best product with its facts: a model that is shown none adds none."""
_CHARACTERS_PER_TOKEN: Final = 3


def smaller(request: ModelRequest) -> ModelRequest | None:
    """The request without its oldest history, with shorter data and results, for a shorter reply.

    The system prompt, the tools, the shopper's message and this turn's calls, each with its result, stay.

    Returns:
        None when too little can be left out to make a second attempt worth it.
    """
    before = _size(request)
    allowed = round(before * _SHARE)
    shorter = replace(request, max_tokens=_fewer(request.max_tokens))
    shorter = _with_less_history(shorter, allowed)
    if _size(shorter) > allowed:
        shorter = _with_shorter_facts(shorter, allowed)
    return shorter if _size(shorter) <= before * (1 - _LEAST_GAIN) else None


def _fewer(tokens: int) -> int:
    return max(tokens // 2, min(tokens, _LEAST_TOKENS))


def _with_less_history(request: ModelRequest, allowed: int) -> ModelRequest:
    messages = list(request.messages)
    for _ in range(_turn_start(request)):
        begins = isinstance(messages[0], UserMessage)
        if begins and _size(replace(request, messages=messages)) <= allowed:
            break
        messages.pop(0)
    return replace(request, messages=tuple(messages))


def _turn_start(request: ModelRequest) -> int:
    """The position of the shopper's message: what stands before it is history."""
    messages = request.messages
    calls = (i for i, m in enumerate(messages) if isinstance(m, AssistantMessage) and m.tool_calls)
    end = next(calls, len(messages))
    said = [(i, m) for i, m in enumerate(messages[:end]) if isinstance(m, UserMessage)]
    with_facts = [i for i, message in said if message.data]
    same = [i for i, message in said if message.text == request.query.text]
    found = with_facts or same or [i for i, _ in said]
    return found[-1] if found else 0


def _with_shorter_facts(request: ModelRequest, allowed: int) -> ModelRequest:
    """Data and results cut in proportion, as valid JSON, so that all of them together are short enough."""
    sizes = [len(compact_json(content)) for content in _facts(request.messages)]
    over = _size(request) - allowed
    room = max(sum(sizes) - over, 0) / max(sum(sizes), 1)
    messages = tuple(_shortened(message, room) for message in request.messages)
    return replace(request, messages=messages)


def _facts(messages: Sequence[Message]) -> list[Any]:
    contents: list[Any] = [m.content for m in messages if isinstance(m, ToolResult)]
    return contents + [b.content for m in messages if isinstance(m, UserMessage) for b in m.data]


def _shortened(message: Message, room: float) -> Message:
    if isinstance(message, ToolResult):
        return replace(message, content=_cut(message.content, room))
    if isinstance(message, UserMessage):
        data = tuple(DataBlock(b.name, _cut(b.content, room)) for b in message.data)
        return replace(message, data=data)
    return message


def _cut(content: Any, room: float) -> Any:
    limit = max(_LEAST_CHARACTERS, round(len(compact_json(content)) * room))
    if isinstance(content, dict):
        return within_size(cast(dict[str, Any], content), limit)
    return within_size({"all": content}, limit).get("all", [])


def _size(request: ModelRequest) -> int:
    """Characters, as providers count them: what is sent, and what is reserved for the reply."""
    said = len(request.system) + sum(_length(message) for message in request.messages)
    declared = sum(len(compact_json(t.parameters)) + len(t.description) for t in request.tools)
    return said + declared + request.max_tokens * _CHARACTERS_PER_TOKEN


def _length(message: Message) -> int:
    if isinstance(message, UserMessage):
        return len(message.text) + sum(len(compact_json(block.content)) for block in message.data)
    if isinstance(message, ToolResult):
        return len(compact_json(message.content))
    return len(message.text) + sum(len(compact_json(c.arguments)) for c in message.tool_calls)
