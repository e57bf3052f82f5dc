"""A model's text as a shopper may see it: without its reasoning, its tool markup and its special tokens.

Ordinary text passes unchanged, whatever words or signs it holds.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, cast

from shopping_agent.adapters.llm.reasoning import spoken_text
from shopping_agent.domain.patterns import late

_SUSPECT: Final = re.compile(
    r"<[A-Za-z/|｜]|```|◁|\|>|\[(?:/?THINK|TOOL|/?INST)|\{\s*\"|^\s*(?:analysis|commentary)"
    r"|function call:|default_api|Action Input:",
    re.IGNORECASE,
)
_TAG: Final = (
    r"(?:[\w-]+:)?(?:function[_-]calls?|tool[_-]calls?|tool[_-]uses?|tool_code|tool_results?|tool_responses?"
    r"|function_results?|invoke|function|parameters?|arg_key|arg_value)"
)
_CALLS: Final = (
    late(r"<function\s*[=(/].*?(?:</function\s*>|,?\s*-{3,}|\Z)", re.I | re.S),
    late(rf"<({_TAG})(?:\s[^<>]*)?>.*?(?:</\1\s*>|\Z)", re.I | re.S),
    late(r"<\|channel\|>\s*\w+\s+to=.*?(?:<\|(?:call|end)\|>|\Z)", re.I | re.S),
    late(r"(?<![\w.])[\w.]{1,80}\s*\{[^\n]*\}\s*</function\s*>", re.I),
    late(r"</?(?:function|invoke)\b[^<>\n]*>", re.I),
    late(rf"</{_TAG}\s*>", re.I),
    late(r"```\s*(?:tool_code|tool_calls?|tool_outputs?)\b.*?(?:```|\Z)", re.I | re.S),
    late(r"\[TOOL_(?:CALLS|RESULTS)\].*\Z", re.I | re.S),
    late(r"<\|python_tag\|>.*\Z", re.S),
    late(r"<\|tool_calls_section_begin\|>.*?(?:<\|tool_calls_section_end\|>|\Z)", re.S),
    late(r"<\|tool_call_begin\|>.*?(?:<\|tool_call_end\|>|\Z)", re.S),
    late(r"<｜tool▁calls▁begin｜>.*?(?:<｜tool▁calls▁end｜>|\Z)", re.S),
    late(r"Malformed function call:?[^\n]*", re.I),
    late(r"(?:print\(\s*)?\bdefault_api[.:]\w+[^\n]*", re.I),
    late(r"^(?:Thought:[^\n]*\n)?[ \t]*Action:[^\n]*\n\s*Action Input:.*\Z", re.I | re.S | re.M),
)
# Our own fences of data, repeated by a model.
_DATA: Final = (
    late(r"<data\s+name\s*=[^<>]*>.*?(?:</data\s*>|\Z)", re.I | re.S),
    late(r"</?data\b[^<>\n]*>", re.I),
)
_TOKENS: Final = late(
    r"<\|[\w .:/=-]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|</?s>|<(?:start|end)_of_turn>|<eos>|<bos>|\[/?INST\]"
)
CALLED_BY: Final = ("name", "tool", "tool_name", "function", "function_name")
GIVEN_BY: Final = ("arguments", "parameters", "args", "input", "tool_input", "params", "kwargs")
_CALLED: Final = "|".join((*CALLED_BY, "type", "id", "tool_calls"))
_JSON: Final = late(rf"(?:```(?:json)?\s*)?(?P<value>[\[{{][\s{{]*\"(?:{_CALLED})\"\s*:)")
_JSON_BEGUN: Final = late(
    rf"[\s\[{{]*\"(?:(?:{'|'.join(CALLED_BY)})\"\s*:\s*\"[^\"]*\"\s*,\s*\"(?:{'|'.join(GIVEN_BY)})"
    r"|type\"\s*:\s*\"function|tool_calls)\""
)
_FENCE_END: Final = late(r"\s*```")
_SCANNER: Final = json.JSONDecoder(strict=False)


def shown_text(text: str) -> str:
    """What a shopper may see of a reply; "" when nothing is left."""
    if not _SUSPECT.search(text):
        return text.strip()
    text = spoken_text(text).replace("｜DSML｜", "")
    for markup in (*_CALLS, *_DATA):
        text = markup().sub("", text)
    return _TOKENS().sub("", _without_json_calls(text)).strip()


def holds_call_markup(text: str) -> bool:
    """Whether a text holds what looks like a tool call, beside its reasoning: readable or not."""
    if not _SUSPECT.search(text):
        return False
    spoken = spoken_text(text).replace("｜DSML｜", "")
    return any(m().search(spoken) for m in _CALLS) or _without_json_calls(spoken) != spoken


def _without_json_calls(text: str) -> str:
    """The text without the JSON objects that look like calls; one that was cut off takes the rest with it."""
    kept: list[str] = []
    at = 0
    for found in _JSON().finditer(text):
        begin = found.start("value")
        if begin < at:
            continue
        try:
            value, end = _SCANNER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            if not _JSON_BEGUN().match(text, begin):
                continue
            value, end = cast(Any, {"tool_calls": []}), len(text)
        if looks_called(value):
            kept.append(text[at : found.start()])
            closed = _FENCE_END().match(text, end)
            at = closed.end() if closed else end
    return "".join([*kept, text[at:]])


def looks_called(value: Any) -> bool:
    """Whether a JSON value has the shape of a call, or of several."""
    if isinstance(value, list):
        items = cast(list[Any], value)
        return bool(items) and all(looks_called(item) for item in items)
    if not isinstance(value, dict):
        return False
    given = cast(dict[str, Any], value)
    inner = given.get("function")
    if isinstance(given.get("tool_calls"), list) or (
        isinstance(inner, Mapping) and "name" in inner
    ):
        return True
    named = any(isinstance(given.get(word), str) for word in CALLED_BY)
    return named and any(isinstance(given.get(word), str | dict) for word in GIVEN_BY)
