"""A streamed chat-completions reply put together into a whole one. We never ask for a stream; some servers send one."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from shopping_agent.errors import LanguageModelError

_LONGEST: Final = 4_000_000

Json = dict[str, Any]


def decode_frames(stream: bytes | str) -> Json:
    """The reply that the frames of an event stream add up to, in the shape of a whole one.

    A frame that holds an `error` is the reply, whatever came before it: the partial text is void.

    Raises:
        LanguageModelError: `malformed`, for a stream that ended too early or whose frames are no JSON.
    """
    text = stream.decode("utf-8", "replace") if isinstance(stream, bytes) else stream
    merged = _Merged()
    ended = False
    for data in _events(text[:_LONGEST]):
        if data == "[DONE]":
            ended = True
            break
        frame = _frame(data)
        if frame.get("error"):
            return frame
        merged.take(frame)
    if not ended:
        raise LanguageModelError("malformed", "a stream that was cut off", remedy="again")
    return merged.body()


def _events(text: str) -> Iterator[str]:
    """The data of each event; comments and other fields are skipped."""
    data: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line.strip() and data:
            yield "\n".join(data).strip()
            data = []


def _frame(data: str) -> Json:
    try:
        frame: Any = json.loads(data, strict=False)
    except (ValueError, RecursionError) as error:
        raise LanguageModelError("malformed", "a frame that is no JSON", remedy="again") from error
    return cast(Json, frame) if isinstance(frame, dict) else {}


class _Merged:
    def __init__(self) -> None:
        self._body: Json = {}
        self._message: Json = {"role": "assistant", "content": None}
        self._calls: dict[Any, Json] = {}
        self._finish: Any = None
        self._chosen = False

    def take(self, frame: Json) -> None:
        for word in ("id", "model", "usage", "x_groq"):
            if frame.get(word):
                self._body[word] = frame[word]
        choices = frame.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            return  # the last frame often holds the usage alone
        choice = cast(Json, choices[0])
        self._chosen = True
        self._finish = choice.get("finish_reason") or self._finish
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            self._add(cast(Json, delta))

    def body(self) -> Json:
        if self._calls:
            self._message["tool_calls"] = list(self._calls.values())
        choice = {"index": 0, "message": self._message, "finish_reason": self._finish}
        return {**self._body, "choices": [choice] if self._chosen else []}

    def _add(self, delta: Json) -> None:
        for word in ("content", "refusal"):
            if isinstance(delta.get(word), str):
                self._message[word] = (self._message.get(word) or "") + delta[word]
        calls = delta.get("tool_calls")
        for call in cast(list[Any], calls) if isinstance(calls, list) else []:
            if isinstance(call, dict):
                self._add_call(cast(Json, call))
        if isinstance(delta.get("function_call"), dict):
            self._add_call({"index": 0, "function": delta["function_call"]})

    def _add_call(self, delta: Json) -> None:
        place = delta.get("index")
        if not isinstance(place, int):
            place = delta.get("id") or max(len(self._calls) - 1, 0)
        call = self._calls.setdefault(
            place, {"id": None, "function": {"name": "", "arguments": ""}}
        )
        call["id"] = call["id"] or delta.get("id")
        given = delta.get("function")
        function = cast(Json, given) if isinstance(given, dict) else {}
        kept = call["function"]
        kept["name"] = kept["name"] or function.get("name") or ""
        arguments = function.get("arguments")
        if isinstance(arguments, str) and isinstance(kept["arguments"], str):
            kept["arguments"] += arguments
        elif isinstance(arguments, Mapping):
            kept["arguments"] = arguments
