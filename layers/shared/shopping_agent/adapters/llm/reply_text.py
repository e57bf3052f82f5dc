"""A model's text as a shopper may see it: without its reasoning, its tool markup and its special tokens.

Ordinary text passes unchanged, whatever words or signs it holds.
"""

import json
import re
from typing import Any, Final, cast

from shopping_agent.adapters.llm.call_objects import CALLED_BY, looks_called
from shopping_agent.adapters.llm.reasoning import spoken_text
from shopping_agent.domain.patterns import late

_SUSPECT: Final = re.compile(
    r"<[A-Za-z/|｜]|```|◁|\|>|✿|\[(?:/?THINK|TOOL|FUNCTION|/?INST)|\{\s*\"|^\s*(?:analysis|commentary)"
    r"|function call:|default_api|Action Input:",
    re.IGNORECASE,
)
_TAG: Final = (
    r"(?:[\w-]+:)?(?:function[_-]calls?|tool[_-]?calls?|tool[_-]uses?|tool_code|execute_tool|tool_results?|tool_responses?"
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
    late(r"\[TOOL_(?:CALLS?|RESULTS?|REQUEST)\].*?(?:\[(?:/|END_)TOOL_\w+\]|\Z)", re.I | re.S),
    late(r"^\W{0,3}\[(?:tool|function)[ _]call:[^\n]*", re.I | re.M),
    late(
        r"<(tool|tool_name|function_name|action)>\s*[\w.:-]+\s*</\1\s*>"
        r"(?:\s*<(args|arguments|parameters|params|(?:\w+_)?input)>.*?(?:</\2\s*>|\Z))?",
        re.I | re.S,
    ),
    late(r"<start_function_call>.*?(?:<end_function_call>|\Z)", re.S),
    late(r"<\|tool_call\|?>.*?(?:<tool_call\|>|<\|/tool_call\|>|\Z)", re.S),
    late(r"✿FUNCTION✿.*\Z", re.S),
    late(r"<\|python_tag\|>.*\Z", re.S),
    late(r"<\|tool_calls_section_begin\|>.*?(?:<\|tool_calls_section_end\|>|\Z)", re.S),
    late(r"<\|tool_call_begin\|>.*?(?:<\|tool_call_end\|>|\Z)", re.S),
    late(r"<[|｜]tool▁calls?▁begin[|｜]>.*?(?:<[|｜]tool▁calls?▁end[|｜]>|\Z)", re.S),
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
_JSON: Final = late(
    r"(?:```(?:json)?\s*)?(?P<value>[\[{][\s{\[]{0,9}[\"'](?P<key>[A-Za-z_][\w-]{0,60})[\"']\s*:)"
)
_KEYS: Final = frozenset(
    {*CALLED_BY, "type", "id", "toolcalls", "toolcall", "functioncall", "tooluses"}
)
_NAMES: Final = r"(?:(?:tool|function|recipient)_?)?(?:name|tool|function|action)"
_GIVEN: Final = r"(?:tool_?|action_?)?(?:arguments|parameters|args|input|params|kwargs)"
_JSON_BEGUN: Final = late(
    rf"[\s\[{{]*[\"'](?:{_NAMES}[\"']\s*:\s*[\"'][^\"]*?[\"']\s*,\s*[\"']{_GIVEN}"
    r"|type[\"']\s*:\s*[\"']function|(?:tool|function)_?(?:calls?|uses))[\"']",
    re.I,
)
# What led to markup that was taken out: an empty fence, a heading of nothing.
_LEFT_OVER: Final = late(
    r"```\w*\s*(?:```|\Z)|^\W{0,3}(?:action|tool call|call)\W{0,3}:\s*\Z", re.I | re.M
)
_FENCE_END: Final = late(r"\s*```")
_SCANNER: Final = json.JSONDecoder(strict=False)


def shown_text(text: str) -> str:
    """What a shopper may see of a reply; "" when nothing is left."""
    if not _SUSPECT.search(text):
        return text.strip()
    text = spoken_text(text).replace("｜DSML｜", "")
    kept = text
    for markup in (*_CALLS, *_DATA):
        kept = markup().sub("", kept)
    kept = _TOKENS().sub("", _without_json_calls(kept))
    return (kept if kept == text else _LEFT_OVER().sub("", kept)).strip()


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
        if begin < at or found["key"].replace("_", "").replace("-", "").lower() not in _KEYS:
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
