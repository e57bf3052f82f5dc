"""A model's text as a shopper may see it: without its reasoning, its tool markup and its special tokens.

Ordinary text passes unchanged, whatever words or signs it holds.
"""

import json
import re
from typing import Any, Final, cast

_SUSPECT: Final = re.compile(
    r"[<`◁]|\|>|\[(?:/?THINK|TOOL|/?INST)|^\s*(?:[\[{]|analysis|commentary|thought\n|Action:)"
    r"|function call:|default_api|\nAction Input:",
    re.IGNORECASE,
)
_THOUGHT: Final = (
    r"(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad)"
)
_THOUGHTS: Final = re.compile(rf"<({_THOUGHT})(?:\s[^<>]*)?>.*?(?:</\1\s*>|\Z)", re.I | re.S)
_ENDED_THOUGHT: Final = re.compile(rf"\A.*</{_THOUGHT}\s*>", re.I | re.S)
_OTHER_THOUGHTS: Final = (
    (
        re.compile(r"\[THINK\].*?(?:\[/THINK\]|\Z)", re.I | re.S),
        re.compile(r"\A.*\[/THINK\]", re.I | re.S),
    ),
    (re.compile(r"◁think▷.*?(?:◁/think▷|\Z)", re.S), re.compile(r"\A.*◁/think▷", re.S)),
)
_CHANNEL: Final = re.compile(
    r"(?:<\|start\|>\s*\w+\s*)?<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?(?:<\|message\|>)?"
)
_CHANNEL_END: Final = re.compile(r"<\|(?:end|return|call)\|>")
# Channels whose tokens were lost on the way.
_BARE_CHANNELS: Final = re.compile(r"\A\s*(?:analysis|commentary).*?assistantfinal(?![a-z])", re.S)

_TAG: Final = (
    r"(?:[\w-]+:)?(?:function_calls?|tool_calls?|tool_uses?|tool_code|tool_results?|tool_responses?"
    r"|function_results?|invoke|function|parameters?|arg_key|arg_value)"
)
_CALLS: Final = (
    re.compile(r"<function\s*[=(].*?(?:</function\s*>|,?\s*-{3,}|\Z)", re.I | re.S),
    re.compile(rf"<({_TAG})(?:\s[^<>]*)?>.*?(?:</\1\s*>|\Z)", re.I | re.S),
    re.compile(r"[\w.]+\s*\{[^\n]*\}\s*</function\s*>", re.I),
    re.compile(r"</?(?:function|invoke)\b[^<>\n]*>", re.I),
    re.compile(rf"</{_TAG}\s*>", re.I),
    re.compile(r"```\s*(?:tool_code|tool_calls?|tool_outputs?)\b.*?(?:```|\Z)", re.I | re.S),
    re.compile(r"\[TOOL_(?:CALLS|RESULTS)\].*\Z", re.I | re.S),
    re.compile(r"<\|python_tag\|>.*\Z", re.S),
    re.compile(r"<\|tool_calls_section_begin\|>.*?(?:<\|tool_calls_section_end\|>|\Z)", re.S),
    re.compile(r"<\|tool_call_begin\|>.*?(?:<\|tool_call_end\|>|\Z)", re.S),
    re.compile(r"<｜tool▁calls▁begin｜>.*?(?:<｜tool▁calls▁end｜>|\Z)", re.S),
    re.compile(r"Malformed function call:?[^\n]*", re.I),
    re.compile(r"(?:print\(\s*)?\bdefault_api[.:]\w+[^\n]*", re.I),
    re.compile(r"^\s*Action:[^\n]*\n\s*Action Input:.*\Z", re.I | re.S | re.M),
)
# Our own fences of data, repeated by a model.
_DATA: Final = (
    re.compile(r"<data\s+name\s*=[^<>]*>.*?(?:</data\s*>|\Z)", re.I | re.S),
    re.compile(r"</?data\b[^<>\n]*>", re.I),
)
_TOKENS: Final = re.compile(
    r"<\|[\w .:/=-]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|</?s>|<(?:start|end)_of_turn>|<eos>|<bos>|\[/?INST\]"
)
_FENCED: Final = re.compile(r"\A\s*```(?:json)?\s*(.*?)\s*```\s*\Z", re.S)
CALLED_BY: Final = ("name", "tool", "tool_name", "function", "function_name")
GIVEN_BY: Final = ("arguments", "parameters", "args", "input", "tool_input", "params", "kwargs")


def shown_text(text: str) -> str:
    """What a shopper may see of a reply; "" when nothing is left."""
    if not _SUSPECT.search(text):
        return text.strip()
    text = spoken_text(text).replace("｜DSML｜", "")
    for markup in (*_CALLS, *_DATA):
        text = markup.sub("", text)
    text = _TOKENS.sub("", text).strip()
    return "" if _is_call(text) else text


def holds_call_markup(text: str) -> bool:
    """Whether a text holds what looks like a tool call, beside its reasoning: readable or not."""
    if not _SUSPECT.search(text):
        return False
    spoken = spoken_text(text).replace("｜DSML｜", "")
    return any(markup.search(spoken) for markup in _CALLS) or _is_call(spoken.strip())


def spoken_text(text: str) -> str:
    """The text without the model's reasoning; a call that it only thought about is none."""
    text = _final_channel(text)
    text = _ENDED_THOUGHT.sub("", _THOUGHTS.sub("", text))
    for whole, ended in _OTHER_THOUGHTS:
        text = ended.sub("", whole.sub("", text))
    return text


def _final_channel(text: str) -> str:
    """Of a text in channels, what comes before them, the final one and calls; else the text."""
    text = _BARE_CHANNELS.sub("", text)
    starts = list(_CHANNEL.finditer(text))
    if not starts:
        return text
    kept = [text[: starts[0].start()]]
    for start, after in zip(starts, [*starts[1:], None], strict=True):
        until = after.start() if after else len(text)
        end = _CHANNEL_END.search(text, start.end(), until)
        content = text[start.end() : end.start() if end else until]
        if "to=" in start.group(0):
            kept.append(text[text.index("<|channel|>", start.start()) : until])
        elif start.group(1).lower() == "final":
            kept.append(content)
    return "".join(kept)


def _is_call(text: str) -> bool:
    """Whether the whole text is a call (or several) as JSON."""
    fenced = _FENCED.match(text)
    body = fenced.group(1) if fenced else text
    if not body.startswith(("{", "[")):
        return False
    try:
        value: Any = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return False
    items = cast(list[Any], value) if isinstance(value, list) else [value]
    return bool(items) and all(_looks_called(item) for item in items)


def _looks_called(item: Any) -> bool:
    if not isinstance(item, dict):
        return False
    keys = cast(dict[str, Any], item)
    return "tool_calls" in keys or (
        any(word in keys for word in CALLED_BY)
        and any(word in keys for word in (*GIVEN_BY, "function"))
    )
